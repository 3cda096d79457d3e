; Jumping, falling, floor and ceiling.

; Start a jump, or be pulled down.
leap_or_fall:
    lda pressed
    and #BUTTON_A
    beq @no_press
    lda #6
    sta jump_wish
@no_press:
    lda player_grounded
    beq @airborne
    lda #5
    sta jump_slack
@airborne:
    lda jump_wish
    beq fall
    lda jump_slack
    beq fall
    lda #0
    sta jump_wish
    sta jump_slack
    sta player_grounded
    lda #<-JUMP_SPEED
    sta player_vy
    lda #>-JUMP_SPEED
    sta player_vy + 1
    lda #SOUND_JUMP
    jmp play_effect
fall:
    ldx #GRAVITY_FALLING
    lda player_vy + 1
    bpl @pull
    lda buttons
    and #BUTTON_A
    beq @pull
    ldx #GRAVITY_RISING
@pull:
    txa
    clc
    adc player_vy
    sta player_vy
    lda player_vy + 1
    adc #0
    sta player_vy + 1
    bmi @done
    cmp #FALL_SPEED
    bcc @done
    lda #FALL_SPEED
    sta player_vy + 1
    lda #0
    sta player_vy
@done:
    rts

fall_freely:
    jsr fall
step_vertically:
    lda player_ys
    clc
    adc player_vy
    sta player_ys
    lda player_y
    adc player_vy + 1
    sta player_y
    cmp #8                      ; the top of the sky
    bcs @done
    lda #8
    sta player_y
    lda #0
    sta player_vy
    sta player_vy + 1
@done:
    rts

meet_floor_and_ceiling:
    lda player_vy + 1
    bmi @rising
    lda #BODY_LEFT + 1
    jsr @feet
    bcs @stand
    lda #BODY_RIGHT - 1
    jsr @feet
    bcs @stand
    lda #0
    sta player_grounded
    rts
@stand:
    lda player_y
    clc
    adc #BODY_BOTTOM
    and #$F0
    sec
    sbc #BODY_BOTTOM
    sta player_y
    lda #0
    sta player_ys
    sta player_vy
    sta player_vy + 1
    sta stomp_chain
    lda #1
    sta player_grounded
    rts
@feet:
    jsr probe_at_offset
    lda player_y
    clc
    adc #BODY_BOTTOM
    jsr probe_block
    lsr a
    rts
@rising:
    lda #0
    sta player_grounded
    lda #8
    jsr @head
    bcs @bump
    lda #BODY_LEFT + 2
    jsr @head
    bcs @bump
    lda #BODY_RIGHT - 2
    jsr @head
    bcs @bump
    rts
@head:
    jsr probe_at_offset
    lda player_y
    clc
    adc #BODY_TOP
    jsr probe_block
    sta scratch + 5
    lsr a
    rts
@bump:
    lda player_y
    clc
    adc #BODY_TOP
    ora #$0F
    sec
    sbc #BODY_TOP - 1
    sta player_y
    lda #0
    sta player_ys
    sta player_vy + 1
    lda #$40
    sta player_vy
    jmp strike_block
