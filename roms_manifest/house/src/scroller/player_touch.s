; What the fox touches: blocks struck from below, coins, spikes, the pole, the pit.

; The block found by the last probe was struck; scratch + 5 has its flags.
strike_block:
    lda scratch + 5
    and #FLAG_BONUS
    bne @bonus
    lda scratch + 5
    and #FLAG_BRICK
    bne @brick
    lda #SOUND_BUMP
    jmp play_effect
@bonus:
    lda #MT_USED
    jsr change_block
    jsr add_coin
    ldx #EFFECT_COIN
    jmp effect_from_block
@brick:
    lda #0
    jsr change_block
    lda #SOUND_BRICK
    jsr play_effect
    lda #5
    ldy #4
    jsr add_score
    ldx #EFFECT_SHARD_A
    jsr effect_from_block
    ldx #EFFECT_SHARD_B
    jsr effect_from_block
    ldx #EFFECT_SHARD_C
    jsr effect_from_block
    ldx #EFFECT_SHARD_D
    jmp effect_from_block

touch_blocks:
    lda player_y
    cmp #228
    bcc @not_fallen
    jmp kill_player
@not_fallen:
    lda #8
    jsr probe_at_offset
    ; whoever comes past the flag has reached it, however high above it
    lda probe_x
    cmp flag_x
    lda probe_x + 1
    sbc flag_x + 1
    bcc @before_flag
    jmp reach_flag
@before_flag:
    lda player_y
    clc
    adc #6
    jsr touch_cell
    lda player_y
    clc
    adc #14
    jsr touch_cell
    lda player_y
    clc
    adc #21
    jsr touch_cell
    lda #BODY_LEFT
    jsr probe_at_offset
    lda player_y
    clc
    adc #12
    jsr touch_coin
    lda #BODY_RIGHT
    jsr probe_at_offset
    lda player_y
    clc
    adc #12
    jmp touch_coin

touch_cell:
    jsr probe_block
    sta scratch + 5
    and #FLAG_COIN
    bne take_coin
    lda scratch + 5
    and #FLAG_HAZARD
    bne @hazard
    rts
@hazard:
    ; only the lower half of a cell of spikes is sharp
    lda probe_y
    and #$0F
    cmp #5
    bcc @done
    jmp kill_player
@done:
    rts

touch_coin:
    jsr probe_block
    and #FLAG_COIN
    bne take_coin
    rts

take_coin:
    lda #0
    jsr change_block
    jsr add_coin
    ldx #EFFECT_SPARKLE
    jmp effect_from_block
