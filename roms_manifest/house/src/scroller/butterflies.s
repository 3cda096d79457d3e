; Butterflies flutter over the ground. They live in the level, not on the screen: whoever is left
; behind comes in again from the right.

reset_butterflies:
    ldx #BUTTERFLIES - 1
@one:
    jsr step_chance
    lda lfsr
    sta butterfly_x, x
    lda #0
    sta butterfly_xh, x
    lda lfsr + 1
    and #$3F
    clc
    adc #112
    sta butterfly_y, x
    lda lfsr + 1
    sta butterfly_phase, x
    dex
    bpl @one
    rts

move_butterflies:
    ldx #BUTTERFLIES - 1
@one:
    inc butterfly_phase, x
    ; up and down on a wave, now and then with a whim
    lda butterfly_phase, x
    lsr a
    lsr a
    and #$0F
    tay
    lda sway, y
    bmi @up
    clc
    adc butterfly_ys, x
    sta butterfly_ys, x
    lda butterfly_y, x
    adc #0
    jmp @moved
@up:
    clc
    adc butterfly_ys, x
    sta butterfly_ys, x
    lda butterfly_y, x
    adc #$FF
@moved:
    cmp #80
    bcs @low_enough
    lda #80
@low_enough:
    cmp #184
    bcc @high_enough
    lda #184
@high_enough:
    sta butterfly_y, x
    ; left or right by its slow phase
    lda butterfly_phase, x
    bmi @left
    lda butterfly_xs, x
    clc
    adc #$70
    sta butterfly_xs, x
    bcc @sideways
    inc butterfly_x, x
    bne @sideways
    inc butterfly_xh, x
    jmp @sideways
@left:
    lda butterfly_xs, x
    sec
    sbc #$98
    sta butterfly_xs, x
    bcs @sideways
    lda butterfly_x, x
    bne @same_page
    dec butterfly_xh, x
@same_page:
    dec butterfly_x, x
@sideways:
    ; left behind?
    lda butterfly_x, x
    sec
    sbc camera_x
    lda butterfly_xh, x
    sbc camera_x + 1
    bpl @next
    lda camera_x
    sta butterfly_x, x
    lda camera_x + 1
    clc
    adc #1
    sta butterfly_xh, x
    lda lfsr
    and #$3F
    clc
    adc #112
    sta butterfly_y, x
@next:
    dex
    bmi @done
    jmp @one
@done:
    rts

butterfly_attr: .byte 3, 1, 0, 2

draw_butterflies:
    ldx #BUTTERFLIES - 1
@one:
    lda butterfly_x, x
    sec
    sbc camera_x
    sta sprite_x
    lda butterfly_xh, x
    sbc camera_x + 1
    sta sprite_x + 1
    lda butterfly_y, x
    sta sprite_y
    ldy #SPR_BUTTERFLY1
    lda butterfly_phase, x
    and #4
    beq @open
    ldy #SPR_BUTTERFLY2
@open:
    sty sprite_tile
    lda butterfly_attr, x
    ldy butterfly_phase, x
    bpl @right
    ora #$40
@right:
    sta sprite_attr
    jsr put_tile
    dex
    bpl @one
    rts
