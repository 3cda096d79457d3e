; Which picture of a creature is shown.

creature_palette: .byte 0, 1, 2, 3
creature_picture1: .byte 0, SPR_BEETLE_WALK1, SPR_FROG_SIT, SPR_HOG_WALK1
creature_picture2: .byte 0, SPR_BEETLE_WALK2, SPR_FROG_LEAP, SPR_HOG_WALK2
creature_flat:     .byte 0, SPR_BEETLE_FLAT, SPR_FROG_FLAT, SPR_HOG_WALK1

draw_creatures:
    ldx #CREATURES - 1
@slot:
    stx object
    ldy creature_type, x
    beq @next
    lda creature_x, x
    sec
    sbc camera_x
    sta sprite_x
    lda creature_xh, x
    sbc camera_x + 1
    sta sprite_x + 1
    lda creature_y, x
    sta sprite_y
    lda creature_state, x
    beq @lively
    lda creature_flat, y
    bne @picture
@lively:
    cpy #FROG
    beq @frog
    lda creature_clock, x
    and #8
    beq @first
    bne @second
@frog:
    lda creature_grounded, x
    bne @first
@second:
    lda creature_picture2, y
    bne @picture
@first:
    lda creature_picture1, y
@picture:
    sta sprite_tile
    lda creature_palette, y
    sta sprite_attr
    lda sprite_y
    cmp #WATER_LINE
    bcc @dry
    lda sprite_attr
    ora #$20
    sta sprite_attr
@dry:
    ; beetles and hogs are drawn facing left, frogs facing right
    lda creature_vxh, x
    cpy #FROG
    beq @toward
    eor #$FF
@toward:
    asl a
    bcc @no_flip
    lda sprite_attr
    ora #$40
    sta sprite_attr
@no_flip:
    lda #2
    jsr put_picture
    ldx object
@next:
    dex
    bpl @slot
    rts
