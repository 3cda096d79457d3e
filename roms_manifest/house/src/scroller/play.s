; Play, and the way out of it that costs a life.

run_play:
    lda pressed
    and #BUTTON_START
    beq @no_pause
    lda paused
    eor #1
    sta paused
    beq @bright
    lda #%11100000              ; a pause is dim
@bright:
    ora #MASK_ON
    sta mask_shadow
    lda #SOUND_PAUSE
    jsr play_effect
@no_pause:
    lda paused
    beq @running
    rts
@running:
    jsr run_timer
    jsr move_player
    jsr move_camera
    jsr touch_blocks
    jsr move_creatures
    jsr meet_creatures
    jsr move_effects
    jsr stream_column
    jsr find_glints
    jsr land_ambients
    jsr shimmer
    jsr draw_hud
draw_everything:
    jsr begin_sprites
    jsr draw_effects
    jsr draw_player
    jsr draw_creatures
    jsr draw_flag
    jsr draw_butterflies
    jsr draw_ambients
    jmp end_sprites

; Every 24 frames one unit of time is gone.
run_timer:
    dec timer_clock
    bne @done
    lda #24
    sta timer_clock
    jsr lose_time
    bcs kill_player
@done:
    rts

; Take one from the timer. Carry set: it is (or was) at zero.
lose_time:
    lda #1
    sta hud_dirty
    ldx #2
@digit:
    lda timer_digits, x
    bne @take
    dex
    bpl @digit
    sec
    rts
@take:
    dec timer_digits, x
@nines:
    inx
    cpx #3
    bcs @left
    lda #9
    sta timer_digits, x
    bne @nines
@left:
    lda timer_digits
    ora timer_digits + 1
    ora timer_digits + 2
    cmp #1                      ; zero: carry clear
    lda #0
    rol a
    eor #1
    lsr a                       ; carry set when all are zero
    rts

kill_player:
    lda game_mode
    cmp #MODE_PLAY
    bne @done
    lda #0
    sta player_alive
    sta player_vx
    sta player_vx + 1
    sta player_vy
    lda #$FC
    sta player_vy + 1
    lda #TUNE_NONE
    jsr start_tune
    lda #SOUND_DIE
    jsr play_effect
    lda #MODE_DYING
    jmp set_mode
@done:
    rts

run_dying:
    lda mode_clock
    cmp #20
    bcc @draw
    cmp #130
    bcs @over
    lda player_y
    cmp #236
    bcs @draw
    jsr fall_freely
@draw:
    jsr move_effects
    jsr draw_hud
    jmp draw_everything
@over:
    dec lives
    lda #1
    sta hud_dirty
    lda lives
    beq @none_left
    lda #MODE_INTRO
    jmp set_mode_blank
@none_left:
    lda #MODE_OVER
    jmp set_mode_blank

