; Score, coins and the best score since power-on.

; Add A (0 to 9) to decimal digit Y of the score (0 is the most significant).
add_score:
    clc
    adc score_digits, y
@carry:
    cmp #10
    bcc @store
    sbc #10
    sta score_digits, y
    dey
    bmi @done
    lda score_digits, y
    adc #0                      ; carry is set
    bcc @carry
@store:
    sta score_digits, y
@done:
    lda #1
    sta hud_dirty
    rts

; One coin, 100 points, a life for a hundred coins.
add_coin:
    inc coins
    lda coins
    cmp #100
    bcc @few
    lda #0
    sta coins
    lda lives
    cmp #9
    bcs @few
    inc lives
    lda #SOUND_LIFE
    jsr play_effect
    jmp @score
@few:
    lda #SOUND_COIN
    jsr play_effect
@score:
    lda #1
    ldy #3
    jmp add_score

keep_top_score:
    ldx #0
@compare:
    lda top_score, x
    cmp score_digits, x
    bcc @keep
    bne @done
    inx
    cpx #6
    bne @compare
@done:
    rts
@keep:
    ldx #5
@copy:
    lda score_digits, x
    sta top_score, x
    dex
    bpl @copy
    rts
