; What the game is doing now, and the title.

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
    ldx #PALETTE_CARD           ; and black at once
    jsr queue_palette
    jmp hide_sprites

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
