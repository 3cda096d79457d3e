; PRG-RAM at $6000-$7FFF, and the open bus below it.

.segment "CODE"
.ifndef PRG_RAM_END
PRG_RAM_END = $80               ; the page after the last that is only RAM
.endif

; Every byte of PRG-RAM holds what was written to it.
test_prg_ram:
    jsr report_away
    jsr @begin
@write:
    jsr @pattern
    sta (pointer), y
    iny
    bne @write
    inc pointer + 1
    lda pointer + 1
    cmp #PRG_RAM_END
    bne @write
    jsr @begin
@read:
    jsr @pattern
    sta scratch
    lda (pointer), y
    cmp scratch
    bne @wrong
    iny
    bne @read
    inc pointer + 1
    lda pointer + 1
    cmp #PRG_RAM_END
    bne @read
    jmp report_back
@wrong:
    pha
    jsr report_back
    pla
    ldx scratch
    jsr mismatch
@begin:
    point pointer, $6000
    ldy #0
    rts
@pattern:
    tya
    clc
    adc pointer + 1
    eor #$5A
    rts

; Nobody answers at $4020-$5FFF: the last byte of the instruction is read again.
test_open_bus:
    lda $4123
    want $41
    lda $5000
    want $50
    lda $5FFF
    want $5F
    rts

; $6000 must be open bus, and keep what it holds while a write finds it closed.
want_closed:
    lda $6080
    want $60
    lda $7FFF
    want $7F
    lda #$12
    sta $6080
    rts
