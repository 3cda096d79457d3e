; Patterns: which page each 1 KiB of $0000-$1FFF shows, read through $2007; and CHR-RAM.

.segment "CODE"
; The number in 1 KiB slot X, A; its complement in scratch. X is kept.
read_mark:
    txa
    asl a
    asl a
    ora #>CHR_MARK
    bit PPUSTATUS
    sta PPUADDR
    lda #<CHR_MARK
    sta PPUADDR
    lda PPUDATA
    lda PPUDATA
    pha
    lda PPUDATA
    sta scratch
    pla
    rts

; Slot X must show page A.
want_pattern:
    sta scratch + 1
    jsr read_mark
    cmp scratch + 1
    bne @wrong
    eor #$FF
    cmp scratch
    bne @wrong_complement
    rts
@wrong_complement:
    lda scratch
@wrong:
    ldx scratch + 1
    jmp mismatch

; The eight slots must show the pages that are expected.
want_patterns:
    ldx #7
@slot:
    lda expect, x
    jsr want_pattern
    dex
    bpl @slot
    rts

; The eight pages of 8 KiB bank A must be seen.
want_pattern_bank:
    asl a
    asl a
    asl a
    ldx #0
@slot:
    sta expect, x
    clc
    adc #1
    inx
    cpx #8
    bne @slot
    beq want_patterns

; The address A * 256 in the PPU.
at_pattern_page:
    bit PPUSTATUS
    sta PPUADDR
    lda #0
    sta PPUADDR
    rts

.if CHR_KIB = 0

; Every byte of CHR-RAM holds what was written to it.
test_chr_ram:
    lda #0
    jsr at_pattern_page
    ldx #0
    ldy #0
@write:
    jsr @pattern
    sta PPUDATA
    inx
    bne @write
    iny
    cpy #$20
    bne @write
    lda #0
    jsr at_pattern_page
    lda PPUDATA
    ldy #0
@read:
    jsr @pattern
    sta scratch
    lda PPUDATA
    cmp scratch
    bne @wrong
    inx
    bne @read
    iny
    cpy #$20
    bne @read
    rts
@wrong:
    ldx scratch
    jsr mismatch
@pattern:
    tya
    asl a
    asl a
    asl a
    sta scratch
    txa
    eor scratch
    eor #$A5
    rts

; Four times the 2 KiB of letters and pictures, the pictures turned a little further each time, and the numbers of the
; pages.
prepare_patterns:
    lda #0
    jsr at_pattern_page
    sta bank
@unit:
    point pointer, pattern_unit
    lda #0
    sta count                   ; the tile
@tile:
    ldy #0
    lda count
    and #$3F
    cmp #$1F
    beq @number
    lda count
    cmp #$20
    bcc @picture
    cmp #$60
    bcs @picture
@letter:
    lda (pointer), y
    sta PPUDATA
    iny
    cpy #16
    bne @letter
    beq @next
@picture:
    lda (pointer), y
    ldx bank
    beq @turned
@turn:
    asl a
    adc #0
    dex
    bne @turn
@turned:
    sta PPUDATA
    iny
    cpy #16
    bne @picture
    beq @next
@number:
    lda count
    cmp #$20                    ; the second page of the unit
    lda bank
    rol a
    ldy #8
@mark:
    sta PPUDATA
    eor #$FF
    sta PPUDATA
    eor #$FF
    dey
    bne @mark
@next:
    lda pointer
    clc
    adc #16
    sta pointer
    bcc @same_page
    inc pointer + 1
@same_page:
    inc count
    bpl @tile
    inc bank
    lda bank
    cmp #4
    bne @unit
    rts

.segment "PICTURES"
pattern_unit:
    .incbin "unit.bin"

.else

; What is written to CHR-ROM is lost.
test_chr_rom:
    ldx #7
@slot:
    jsr read_mark
    sta scratch + 2
    eor #$FF
    sta scratch + 3
    txa
    asl a
    asl a
    ora #>CHR_MARK
    sta PPUADDR
    lda #<CHR_MARK
    sta PPUADDR
    lda scratch + 3
    sta PPUDATA
    jsr read_mark
    cmp scratch + 2
    bne @wrong
    dex
    bpl @slot
    rts
@wrong:
    ldx scratch + 2
    jsr mismatch

prepare_patterns:
    rts

.segment "CHR"
    .incbin "patterns.bin"

.endif
