; The flag: down the pole, home, and time becomes score.

run_flag:
    lda mode_step
    beq @slide
    cmp #1
    beq @walk
    cmp #2
    beq @tally
    lda mode_clock
    cmp #90
    bcc @draw
    inc level
    lda level
    cmp #LEVEL_COUNT
    bcs @won
    lda #MODE_INTRO
    jmp set_mode_blank
@won:
    dec level                   ; stay on the last level's number
    lda #MODE_WIN
    jmp set_mode_blank
@slide:
    lda #POSE_JUMP
    sta player_pose
    lda flag_y
    cmp #FLAG_BOTTOM
    bcs @fox
    adc #2
    sta flag_y
@fox:
    lda player_y
    cmp #FLAG_FOX_BOTTOM
    bcs @down
    adc #2
    sta player_y
    jmp @draw
@down:
    lda flag_y
    cmp #FLAG_BOTTOM
    bcc @draw
    inc mode_step
    lda #0
    sta player_face
    beq @draw
@walk:
    lda #BUTTON_RIGHT
    sta buttons
    lda #0
    sta pressed
    jsr move_player
    lda player_x
    clc
    adc #8
    sec
    sbc flag_x
    cmp #46                     ; the den's door
    bcc @draw
    inc player_hidden
    inc mode_step
@draw:
    jsr move_effects
    jsr draw_hud
    jmp draw_everything
@tally:
    lda mode_clock
    and #3
    bne @quiet
    lda #SOUND_TALLY
    jsr play_effect
@quiet:
    jsr lose_time
    bcs @counted
    lda #5
    ldy #4
    jsr add_score
    jmp @draw
@counted:
    inc mode_step
    lda #0
    sta mode_clock
    beq @draw

; Called when the fox has come to the pole.
reach_flag:
    lda #1
    sta level_complete
    lda flag_x
    sec
    sbc #4
    sta player_x
    lda flag_x + 1
    sbc #0
    sta player_x + 1
    lda #0
    sta player_vx
    sta player_vx + 1
    sta player_vy
    sta player_vy + 1
    sta player_face
    ; the higher, the more: 1 to 9 hundreds
    lda #216
    sec
    sbc player_y
    lsr a
    lsr a
    lsr a
    lsr a
    cmp #9
    bcc @small
    lda #9
@small:
    ora #1
    ldy #2
    jsr add_score
    lda #TUNE_FLAG
    jsr start_tune
    lda #MODE_FLAG
    jmp set_mode

