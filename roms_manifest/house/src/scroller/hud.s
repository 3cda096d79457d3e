; The status bar, and words sent to the screen through the video queue.

; Four rows of status bar and their attributes, with rendering off.
draw_hud_frame:
    bit PPUSTATUS
    lda #$20
    sta PPUADDR
    lda #$00
    sta PPUADDR
    tax
@tile:
    lda hud_frame, x
    sta PPUDATA
    inx
    cpx #128
    bne @tile
    lda #$23
    sta PPUADDR
    lda #$C0
    sta PPUADDR
    lda #$FF
    ldx #8
@attribute:
    sta PPUDATA
    dex
    bne @attribute
    rts

; The status bar's lower edge in the second nametable too: the scroll may take effect in its last
; scanline already. Rendering is off.
draw_second_edge:
    bit PPUSTATUS
    lda #$24
    sta PPUADDR
    lda #$60
    sta PPUADDR
    lda #TILE_LEDGE
    ldx #32
@tile:
    sta PPUDATA
    dex
    bne @tile
    lda #$27
    sta PPUADDR
    lda #$C0
    sta PPUADDR
    lda #$FF
    ldx #8
@attribute:
    sta PPUDATA
    dex
    bne @attribute
    rts

; The rest of a card has the letters' palette everywhere. Rendering is off.
fill_attributes:
    bit PPUSTATUS
    lda #$23
    sta PPUADDR
    lda #$C8
    sta PPUADDR
    lda #$FF
    ldx #56
@one:
    sta PPUDATA
    dex
    bne @one
    rts

; Send the numbers when they changed and no column needs the next vertical blank.
draw_hud:
    lda hud_dirty
    beq @not_now
    lda column_ready
    bne @not_now
    ldy queue_end
    cpy #90
    bcc @now
@not_now:
    rts
@now:
    lda #0
    sta hud_dirty
    lda #$20
    jsr @put
    lda #$42
    jsr @put
    lda #28
    jsr @put
    ldx #0
@score:
    lda score_digits, x
    jsr @digit
    inx
    cpx #6
    bne @score
    lda #TILE_SPACE
    jsr @put
    jsr @put
    lda #TILE_COIN_ICON
    jsr @put
    lda #TILE_TIMES
    jsr @put
    lda coins
    ldx #0
@tens:
    cmp #10
    bcc @ones
    sbc #10
    inx
    bne @tens
@ones:
    pha
    txa
    jsr @digit
    pla
    jsr @digit
    lda #TILE_SPACE
    jsr @put
    jsr @put
    jsr @put
    jsr @put
    lda level
    clc
    adc #1
    jsr @digit
    lda #TILE_SPACE
    jsr @put
    jsr @put
    jsr @put
    lda timer_digits
    jsr @digit
    lda timer_digits + 1
    jsr @digit
    lda timer_digits + 2
    jsr @digit
    lda #TILE_SPACE
    jsr @put
    jsr @put
    lda #TILE_HEART
    jsr @put
    lda #TILE_TIMES
    jsr @put
    lda lives
    jsr @digit
    lda #0
    sta video_queue, y
    sty queue_end
    rts
@digit:
    clc
    adc #TILE_ZERO
@put:
    sta video_queue, y
    iny
    rts

; Append text X to the video queue.
queue_text:
    pha
    lda texts_lo, x
    sta list
    lda texts_hi, x
    sta list + 1
    ldy #2
    lda (list), y
    clc
    adc #3
    jsr queue_list
    pla
    rts

; Append palette X: 32 bytes at $3F00.
queue_palette:
    lda palettes_lo, x
    sta list
    lda palettes_hi, x
    sta list + 1
    ldx queue_end
    lda #$3F
    sta video_queue, x
    lda #$00
    sta video_queue + 1, x
    lda #32
    sta video_queue + 2, x
    inx
    inx
    inx
    stx queue_end
    lda #32
; Append A bytes at list, and the end mark.
queue_list:
    sta scratch
    ldy #0
    ldx queue_end
@byte:
    lda (list), y
    sta video_queue, x
    inx
    iny
    cpy scratch
    bne @byte
    lda #0
    sta video_queue, x
    stx queue_end
    rts

; Coins and bonus blocks glitter: the lightest colour of their palette changes.
shimmer:
    lda frame_counter
    and #7
    bne @done
    ldy queue_end
    cpy #116
    bcs @done
    lda frame_counter
    lsr a
    lsr a
    lsr a
    and #7
    tax
    lda #$3F
    sta video_queue, y
    lda #$0B
    sta video_queue + 1, y
    lda #1
    sta video_queue + 2, y
    lda glitter, x
    sta video_queue + 3, y
    lda #0
    sta video_queue + 4, y
    tya
    clc
    adc #4
    sta queue_end
@done:
    rts

glitter: .byte $38, $38, $38, $38, $28, $28, $38, $30
