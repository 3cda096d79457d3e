; Creatures against the block map.

; Turn where the way is blocked.
creature_walls:
    ldy #14
    lda creature_vxh, x
    bpl @ahead
    ldy #1
@ahead:
    tya
    jsr probe_creature
    lda creature_y, x
    clc
    adc #10
    jsr probe_block
    ldx object
    lsr a
    bcs turn_creature
    rts

turn_creature:
    sec
    lda #0
    sbc creature_vx, x
    sta creature_vx, x
    lda #0
    sbc creature_vxh, x
    sta creature_vxh, x
    rts

; probe_x = x of creature X + A.
probe_creature:
    clc
    adc creature_x, x
    sta probe_x
    lda creature_xh, x
    adc #0
    sta probe_x + 1
    rts

; Stand on what is solid; a hog turns before a ledge.
creature_floor:
    lda creature_vyh, x
    bmi @airborne
    lda #3
    jsr @foot
    lda #0
    rol a
    sta scratch
    lda #12
    jsr @foot
    lda #0
    rol a
    asl a
    ora scratch
    beq @airborne
    sta scratch
    lda creature_y, x
    and #$F0
    sta creature_y, x
    lda #0
    sta creature_ys, x
    sta creature_vy, x
    sta creature_vyh, x
    lda #1
    sta creature_grounded, x
    lda creature_type, x
    cmp #HOG
    bne @done
    lda scratch
    cmp #3
    beq @done
    cmp #1                      ; ground under the left foot only
    beq @right_open
    lda creature_vxh, x
    bmi turn_creature
    rts
@right_open:
    lda creature_vxh, x
    bpl turn_creature
@done:
    rts
@airborne:
    lda #0
    sta creature_grounded, x
    rts
@foot:
    jsr probe_creature
    lda creature_y, x
    clc
    adc #16
    jsr probe_block
    ldx object
    lsr a
    rts
