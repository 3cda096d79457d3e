; Drawing a level behind a blank screen, one column a frame, and the title over level 1.

LOADED_COLUMNS = 18

; Load the current level, then enter mode A.
load_level:
    sta after_loading
    lda #MODE_LOAD
    jmp set_mode_blank

run_loading:
    ldx mode_step
    inc mode_step
    cpx #0
    beq @clear_left
    cpx #1
    beq @clear_right
    cpx #2 + LOADED_COLUMNS
    bcs @after
    jmp decode_column
@clear_left:
    lda #$20
    jsr clear_nametable
    jmp draw_hud_frame
@clear_right:
    lda #$24
    jsr clear_nametable
    jsr draw_second_edge
    jmp reset_level
@after:
    lda after_loading
    cmp #MODE_TITLE
    bne @finish
    txa
    sec
    sbc #2 + LOADED_COLUMNS
    cmp #4
    bcc @logo
    beq @texts
    cmp #5
    beq @more
    lda #TUNE_TITLE
    bne @show
@finish:
    lda level
    and #1
    clc
    adc #TUNE_LEVEL
@show:
    jsr start_tune
    ldx level
    lda level_theme, x
    tax
    jsr queue_palette
    lda #MASK_ON
    sta mask_shadow
    lda #1
    sta hud_dirty
    jsr draw_hud
    lda after_loading
    jsr set_mode
    jmp draw_everything
@logo:
    tax
    jmp queue_logo_row
@texts:
    ldx #TEXT_ATTRIBUTES
    jsr queue_text
    ldx #TEXT_SUBTITLE
    jmp queue_text
@more:
    ldx #TEXT_PRESS
    jsr queue_text
    ldx #TEXT_PANEL
    jsr queue_text
    ldx #TEXT_PANEL2
    jsr queue_text
    ldx #TEXT_TOP
    jsr queue_text
    ldy queue_end
    dey                         ; the panel's edge
    ldx #5
@digit:
    dey
    lda top_score, x
    clc
    adc #TILE_ZERO
    sta video_queue, y
    dex
    bpl @digit
    rts

; Row X (0 to 3) of the title's letters, 21 tiles, into the video queue.
queue_logo_row:
    ldy queue_end
    lda #$21
    sta video_queue, y
    iny
    lda logo_row_low, x
    sta video_queue, y
    iny
    lda #21
    sta video_queue, y
    iny
    lda logo_row_start, x
    tax
    lda #21
    sta scratch
@tile:
    lda logo_tiles, x
    sta video_queue, y
    inx
    iny
    dec scratch
    bne @tile
    lda #0
    sta video_queue, y
    sty queue_end
    rts

logo_row_low:   .byte $06, $26, $46, $66
logo_row_start: .byte 0, 21, 42, 63

; Everything that a level starts with.
reset_level:
    lda #0
    sta camera_x
    sta camera_x + 1
    sta next_column
    sta scenery_phase
    sta column_ready
    sta paused
    sta level_complete
    sta player_hidden
    sta camera_step
    sta flag_x + 1
    ldx #127
@attributes:
    sta attribute_shadow, x
    dex
    bpl @attributes
    ldx #CREATURES - 1
@creatures:
    sta creature_type, x
    dex
    bpl @creatures
    ldx #EFFECTS - 1
@effects:
    sta effect_type, x
    dex
    bpl @effects
    ldx level
    lda level_time_hundreds, x
    sta timer_digits
    lda level_time_tens, x
    sta timer_digits + 1
    lda level_time_ones, x
    sta timer_digits + 2
    lda #24
    sta timer_clock
    ; the camera stops one screen before the end, and the flag stands on the last screen but one
    lda level_length, x
    sec
    sbc #1
    sta level_end + 1
    lda #0
    sta level_end
    lda level_length, x
    sec
    sbc #2
    sta flag_x + 1
    lda #10 * 16
    sta flag_x
    lda #FLAG_TOP
    sta flag_y
    jsr reset_player
    jsr reset_butterflies
    jmp reset_ambients
