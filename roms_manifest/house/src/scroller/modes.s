; What the game is doing: title, cards between levels, play, dying, the flag.

run_mode:
    lda mode_clock
    clc
    adc #1
    sta mode_clock
    bcc @same
    inc mode_clock + 1
@same:
    ldx game_mode
    lda mode_table_hi, x
    pha
    lda mode_table_lo, x
    pha
    rts

.define MODE_ROUTINES run_title - 1, run_card - 1, run_loading - 1, run_play - 1, \
    run_dying - 1, run_flag - 1, run_card - 1, run_card - 1
mode_table_lo: .lobytes MODE_ROUTINES
mode_table_hi: .hibytes MODE_ROUTINES

; Enter mode A with its clock at zero.
set_mode:
    sta game_mode
    lda #0
    sta mode_clock
    sta mode_clock + 1
    sta mode_step
    rts

; Enter mode A behind a blank screen.
set_mode_blank:
    jsr set_mode
    sta mask_shadow             ; A is 0
    jmp hide_sprites

; --- Title -----------------------------------------------------------------------------------

enter_title:
    lda #0
    sta level
    lda #MODE_TITLE
    jmp load_level

run_title:
    lda mode_clock
    and #$1F
    bne @no_blink
    ldx #TEXT_PRESS
    lda mode_clock
    and #$20
    beq @show
    ldx #TEXT_NO_PRESS
@show:
    jsr queue_text
@no_blink:
    jsr land_ambients
    jsr begin_sprites
    jsr draw_player
    jsr draw_butterflies
    jsr draw_ambients
    jsr end_sprites
    jsr shimmer
    lda pressed
    and #BUTTON_START
    beq @done
    jsr seed_chance
    jsr start_game
@done:
    rts

start_game:
    ldx #5
    lda #0
@score:
    sta score_digits, x
    dex
    bpl @score
    sta coins
    sta level
    lda #3
    sta lives
    lda #SOUND_START
    jsr play_effect
    lda #MODE_INTRO
    jmp set_mode_blank

; --- Cards: the level's number, game over, the end -------------------------------------------

run_card:
    ldx mode_step
    cpx #4
    bcc @not_shown
    jmp @shown
@not_shown:
    inc mode_step
    cpx #1
    bcc @clear
    beq @first
    cpx #2
    beq @second
    lda #MASK_ON
    sta mask_shadow
    lda #1
    sta hud_dirty
    jmp draw_hud
@clear:
    ldx #TUNE_NONE
    lda game_mode
    cmp #MODE_INTRO
    beq @tune
    ldx #TUNE_OVER
    cmp #MODE_OVER
    beq @tune
    ldx #TUNE_WIN
@tune:
    txa
    jsr start_tune
    lda #0
    sta camera_x
    sta camera_x + 1
    lda #$20
    jsr clear_nametable
    jsr draw_hud_frame
    jmp fill_attributes
@first:
    ldx #PALETTE_CARD
    jsr queue_palette
    ldx #TEXT_LEVEL
    lda game_mode
    cmp #MODE_INTRO
    bne @not_intro
    jsr queue_text
    ldy queue_end
    lda level
    clc
    adc #TILE_ZERO + 1
    sta video_queue - 1, y
    rts
@not_intro:
    ldx #TEXT_OVER
    cmp #MODE_OVER
    beq @queue
    ldx #TEXT_WIN
@queue:
    jmp queue_text
@second:
    ldx #TEXT_LIVES
    lda game_mode
    cmp #MODE_INTRO
    bne @not_intro2
    jsr queue_text
    ldy queue_end
    lda lives
    clc
    adc #TILE_ZERO
    sta video_queue - 1, y
    rts
@not_intro2:
    ldx #TEXT_OVER2
    cmp #MODE_OVER
    beq @queue
    ldx #TEXT_WIN2
    jmp queue_text
@shown:
    jsr begin_sprites
    jsr draw_card_fox
    jsr end_sprites
    lda game_mode
    cmp #MODE_INTRO
    bne @long
    lda mode_clock
    cmp #100
    bcc @wait
    lda #MODE_PLAY
    jmp load_level
@long:
    lda mode_clock + 1
    cmp #2
    bcs @leave
    lda mode_clock
    cmp #40
    bcc @wait
    lda pressed
    and #BUTTON_START
    beq @wait
@leave:
    jsr keep_top_score
    jmp enter_title
@wait:
    rts

; --- Play ------------------------------------------------------------------------------------

run_play:
    lda pressed
    and #BUTTON_START
    beq @no_pause
    lda paused
    eor #1
    sta paused
    ora #MASK_ON                ; a pause is grey
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

; --- Dying -----------------------------------------------------------------------------------

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

; --- The flag --------------------------------------------------------------------------------

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

; --- Score -----------------------------------------------------------------------------------

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
