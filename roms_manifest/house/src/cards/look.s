; Which pages the program windows show. What looks runs in RAM, since its own bank may be gone.

.segment "RAMCODE"
; The numbers at both ends of each window.
look:
.repeat 4, window
    lda $8000 + $2000 * window
    sta seen + 4 * window
    lda $8001 + $2000 * window
    sta seen + 4 * window + 1
    lda $9FE0 + $2000 * window
    sta seen + 4 * window + 2
    lda $9FE1 + $2000 * window
    sta seen + 4 * window + 3
.endrepeat
    rts

; Write `value` to `target`, look, and come home.
write_look:
    ldy #0
    lda value
    sta (target), y
    jsr look
    jmp board_home

; Choose program bank A, look, and come home.
select_look:
    jsr board_select
    jsr look
    jmp board_home

.segment "CODE"
; What was seen must be what is expected.
want_pages:
    ldx #0
    ldy #0
@window:
    lda seen, y
    cmp expect, x
    bne @wrong
    eor #$FF
    cmp seen + 1, y
    bne @wrong_complement
    lda seen + 2, y
    cmp expect, x
    bne @wrong
    eor #$FF
    cmp seen + 3, y
    bne @wrong_complement
    iny
    iny
    iny
    iny
    inx
    cpx #4
    bne @window
    rts
@wrong_complement:
    lda seen + 1, y
@wrong:
    pha
    lda expect, x
    tax
    pla
    jmp mismatch

; A write of A to where ROM holds X, then a look.
write_over:
    sta value
    stx target
    lda #>IDENTITY
    sta target + 1
    jmp write_look

.if PRG_WINDOW_KIB <> 8
; What was seen must be bank A in the window that the board moves, and the last bank where it keeps one.
want_bank:
.if PRG_WINDOW_KIB = 16
    asl a
    sta expect
    ora #1
    sta expect + 1
    lda #PRG_PAGES - 2
    sta expect + 2
    lda #PRG_PAGES - 1
    sta expect + 3
.else
    asl a
    asl a
    ldx #0
@window:
    sta expect, x
    clc
    adc #1
    inx
    cpx #4
    bne @window
.endif
    jmp want_pages

; Every bank in turn.
walk_banks:
    lda bank
    jsr select_look
    lda bank
    jsr want_bank
    inc bank
    lda bank
    cmp #BANKS
    bne walk_banks
    rts
.endif
