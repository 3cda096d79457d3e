; Cards on a black screen: the level's number, game over, the end.

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

