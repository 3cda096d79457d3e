; Mirroring: marks are written through the four nametables in order, and read back through all of them. What a page
; shows is the last mark that was written to it: 2 3 2 3 is vertical, 1 1 3 3 horizontal, 3 3 3 3 one screen, 0 1 2 3
; four screens.

.segment "CODE"
mark_places_high: .byte $00, $03, $03
mark_places_low:  .byte $00, $BF, $FF
MARK_PLACES = 3

; The address of nametable X at place Y.
at_mark:
    txa
    asl a
    asl a
    ora #$20
    ora mark_places_high, y
    bit PPUSTATUS
    sta PPUADDR
    lda mark_places_low, y
    sta PPUADDR
    rts

; Marks tag_base to tag_base + 3.
mark_nametables:
    ldx #0
@table:
    ldy #MARK_PLACES - 1
@place:
    jsr at_mark
    txa
    clc
    adc tag_base
    sta PPUDATA
    dey
    bpl @place
    inx
    cpx #4
    bne @table
    rts

; The four nametables must show what is expected; the first also at $3000.
want_nametables:
    ldx #0
@table:
    ldy #MARK_PLACES - 1
@place:
    jsr at_mark
    lda PPUDATA
    lda PPUDATA
    cmp expect, x
    bne @wrong
    dey
    bpl @place
    inx
    cpx #4
    bne @table
    lda #$33
    sta PPUADDR
    lda #$BF
    sta PPUADDR
    lda PPUDATA
    lda PPUDATA
    ldx #0
    cmp expect
    bne @wrong
    rts
@wrong:
    pha
    lda expect, x
    tax
    pla
    jmp mismatch

; Nothing of the marks stays in the picture.
unmark:
    ldx #3
@table:
    ldy #MARK_PLACES - 1
@place:
    jsr at_mark
    lda #0
    sta PPUDATA
    dey
    bpl @place
    dex
    bpl @table
    rts

; What the header says, on boards that cannot change it.
test_mirroring_of_header:
    lda #$40
    sta tag_base
    jsr mark_nametables
.if MIRRORING & FOUR_SCREEN
    expect_nametables $40, $41, $42, $43
.elseif MIRRORING = VERTICAL
    expect_nametables $42, $43, $42, $43
.else
    expect_nametables $41, $41, $43, $43
.endif
    jmp unmark
