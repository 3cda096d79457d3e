; What drifts through the air before everything else: leaves, fireflies, snow. It moves a little
; faster than the ground, so that it seems near, and comes to rest where it lands.

REST_FRAMES = 110

sway: .byte $00, $30, $50, $60, $60, $50, $30, $10, $F0, $D0, $B0, $A0, $A0, $B0, $D0, $F0

; by theme
ambient_fall:    .byte $60, $D0, $90, $70
ambient_picture1: .byte SPR_LEAF1, SPR_PUFF1, SPR_SNOW, SPR_LEAF1
ambient_picture2: .byte SPR_LEAF2, SPR_SPARKLE, SPR_SNOW, SPR_LEAF2
ambient_attr:    .byte 2, 3, 0, 1

reset_ambients:
    ldx #AMBIENTS - 1
@one:
    jsr step_chance
    lda lfsr
    sta ambient_x, x
    eor #$5A
    sta ambient_xs, x
    txa
    asl a
    asl a
    asl a
    asl a
    adc lfsr + 1
    sta ambient_y, x
    lda lfsr + 1
    sta ambient_phase, x
    lda #0
    sta ambient_rest, x
    dex
    bpl @one
    rts

move_ambients:
    ldy level
    ldx level_theme, y
    lda ambient_fall, x
    sta scratch
    lda camera_step
    lsr a
    clc
    adc camera_step
    sta scratch + 1             ; one and a half of the camera's step
    ldx #AMBIENTS - 1
@one:
    lda ambient_rest, x
    bne @rests
    inc ambient_phase, x
    lda ambient_phase, x
    lsr a
    lsr a
    lsr a
    and #$0F
    tay
    ; sideways: the sway, less the camera's movement
    lda sway, y
    bmi @left
    clc
    adc ambient_xs, x
    sta ambient_xs, x
    lda ambient_x, x
    adc #0
    jmp @swayed
@left:
    clc
    adc ambient_xs, x
    sta ambient_xs, x
    lda ambient_x, x
    adc #$FF
@swayed:
    sec
    sbc scratch + 1
    sta ambient_x, x
    ; down, each a little differently
    txa
    and #3
    tay
    lda scratch
    clc
    adc fall_extra, y
    adc ambient_ys, x
    sta ambient_ys, x
    bcc @slow
    inc ambient_y, x
    lda ambient_y, x
    cmp #220
    bcc @slow
@again:
    lda #32
    sta ambient_y, x
    txa
    eor lfsr
    sta ambient_x, x
@slow:
    dex
    bpl @one
    rts
@rests:
    ; on the ground it moves as the ground does
    lda ambient_x, x
    sec
    sbc camera_step
    sta ambient_x, x
    bcc @gone
    dec ambient_rest, x
    bne @slow
    beq @again
@gone:
    lda #0
    sta ambient_rest, x
    beq @again

; Let every second one (the others in the next frame) look for ground below it.
land_ambients:
    lda frame_counter
    and #1
    tax
@one:
    lda ambient_rest, x
    bne @next
    lda ambient_x, x
    clc
    adc #4
    bcs @next
    adc camera_x
    sta probe_x
    lda camera_x + 1
    adc #0
    sta probe_x + 1
    stx object
    lda ambient_y, x
    adc #7
    jsr probe_block
    ldx object
    lsr a
    bcc @next
    ; it lands on top; what drifts against a side falls on before it
    lda probe_y
    and #$0F
    cmp #4
    bcs @next
    lda probe_y
    and #$F0
    sbc #5                      ; carry is clear: six pixels above the edge
    sta ambient_y, x
    lda #REST_FRAMES
    sta ambient_rest, x
@next:
    inx
    inx
    cpx #AMBIENTS
    bcc @one
    rts

fall_extra: .byte $00, $18, $30, $24

draw_ambients:
    ldy level
    ldx level_theme, y
    lda ambient_attr, x
    sta sprite_attr
    lda ambient_picture1, x
    sta scratch
    lda ambient_picture2, x
    sta scratch + 1
    lda #0
    sta sprite_x + 1
    ldx #AMBIENTS - 1
@one:
    lda ambient_x, x
    cmp #248
    bcs @next
    sta sprite_x
    lda ambient_y, x
    sta sprite_y
    ldy scratch
    lda ambient_phase, x
    and #$20
    beq @picture
    ldy scratch + 1
@picture:
    sty sprite_tile
    jsr put_tile
@next:
    dex
    bpl @one
    rts
