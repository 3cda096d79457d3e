; What stands in the fox's way sideways.

; Push the fox out of whatever is solid on its right or left.
meet_walls:
    lda #BODY_RIGHT
    jsr probe_side
    bcc @left
    lda probe_x
    and #$F0
    sec
    sbc #BODY_RIGHT + 1
    sta player_x
    lda probe_x + 1
    sbc #0
    sta player_x + 1
    lda player_vx + 1
    bmi @left
    jsr @stop
@left:
    lda #BODY_LEFT
    jsr probe_side
    bcc @done
    lda probe_x
    ora #$0F
    sec
    sbc #BODY_LEFT - 1
    sta player_x
    lda probe_x + 1
    sbc #0
    sta player_x + 1
    lda player_vx + 1
    bpl @done
@stop:
    lda #0
    sta player_vx
    sta player_vx + 1
    sta player_xs
@done:
    rts

; Probe three heights at player_x + A. Carry set: solid.
probe_side:
    jsr probe_at_offset
    lda player_y
    clc
    adc #7
    jsr probe_block
    lsr a
    bcs @solid
    lda player_y
    clc
    adc #14
    jsr probe_block
    lsr a
    bcs @solid
    lda player_y
    clc
    adc #21
    jsr probe_block
    lsr a
@solid:
    rts

; probe_x = player_x + A.
probe_at_offset:
    clc
    adc player_x
    sta probe_x
    lda player_x + 1
    adc #0
    sta probe_x + 1
    rts
