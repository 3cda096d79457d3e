; Busy: a ROM that never waits, one of nesproof's house ROMs.
; The main program works without end on a cyclic cellular automaton of 32 x 28 cells; it neither
; polls nor idles. The NMI handler sends two rows of cells and one colour to the screen each frame.

.include "hardware.inc"

CELL_STATES = 8
ROWS = 28

.segment "HEADER"
    .byte "NES", $1A
    .byte 2, 1                  ; 32 KiB PRG, 8 KiB CHR
    .byte $01, $00              ; vertical mirroring, mapper 0
    .byte 0, 0, 0, 0, 0, 0, 0, 0

.segment "ZEROPAGE"
scratch:        .res 16
frame_counter:  .res 2          ; $10 NMIs since power-on, little-endian
generation:     .res 2          ; $12 passes over the whole field, little-endian
changes:        .res 2          ; $14 cells changed since power-on, little-endian
lfsr:           .res 2          ; $16
row:            .res 1
parity:         .res 1
above:          .res 2
here:           .res 2
below:          .res 2
column:         .res 1
; the NMI handler's own
sent_row:       .res 1
sent:           .res 2          ; pointer to the cells to send
address:        .res 2          ; nametable address, high byte first

.segment "BSS"
cells:          .res ROWS * 32

.segment "CODE"
reset:
    .include "power_on.inc"
    ; an empty picture
    lda #$20
    sta PPUADDR
    stx PPUADDR
    ldy #8
    txa
@picture:
    sta PPUDATA
    inx
    bne @picture
    dey
    bne @picture
    lda #$3F
    sta PPUADDR
    stx PPUADDR
@colours:
    lda colours, x
    sta PPUDATA
    inx
    cpx #4
    bne @colours
    ; no sprites
    ldx #0
    lda #$F8
@sprite:
    sta $0200, x
    inx
    bne @sprite
    stx OAMADDR
    lda #$02
    sta OAMDMA
    lda #$A5
    sta lfsr
    sta lfsr + 1
    jsr sow
    jsr first_sent_row
    bit PPUSTATUS
    lda #$80
    sta PPUCTRL

; One generation after the other, in place: first the black cells of the chessboard, then the white
; ones, so that no cell sees a neighbour of its own colour change.
work:
    lda #0
    sta parity
half:
    lda #0
    sta row
@row:
    ldx row
    lda row_lo, x
    sta here
    lda row_hi, x
    sta here + 1
    lda row_lo + 1, x
    sta below
    lda row_hi + 1, x
    sta below + 1
    dex
    bpl @above
    ldx #ROWS - 1
@above:
    lda row_lo, x
    sta above
    lda row_hi, x
    sta above + 1
    lda row
    eor parity
    and #1
    ora #30
    tax
@cell:
    stx column
    ldy column
    lda (here), y
    clc
    adc #1
    and #CELL_STATES - 1
    ; a cell is overtaken by a neighbour that is one ahead
    cmp (above), y
    beq @take
    cmp (below), y
    beq @take
    ldy left_of, x
    cmp (here), y
    beq @take
    ldy right_of, x
    cmp (here), y
    bne @keep
@take:
    ldy column
    sta (here), y
    inc changes
    bne @keep
    inc changes + 1
@keep:
    dex
    dex
    bpl @cell
    inc row
    lda row
    cmp #ROWS
    bne @row
    inc parity
    lda parity
    cmp #2
    bne half
    inc generation
    bne @counted
    inc generation + 1
@counted:
    jsr sprinkle
    jmp work

; Fill the field by chance.
sow:
    ldx #0
@row:
    lda row_lo, x
    sta here
    lda row_hi, x
    sta here + 1
    ldy #31
@cell:
    jsr chance
    and #CELL_STATES - 1
    sta (here), y
    dey
    bpl @cell
    inx
    cpx #ROWS
    bne @row
    rts

; Change one cell by chance, so that no pattern lasts for ever.
sprinkle:
    jsr chance
    and #$1F
    cmp #ROWS
    bcs sprinkle
    tax
    lda row_lo, x
    sta here
    lda row_hi, x
    sta here + 1
    jsr chance
    and #$1F
    tay
    jsr chance
    and #CELL_STATES - 1
    sta (here), y
    rts

; A number in A from a 16-bit Galois shift register, stepped eight times.
chance:
    stx scratch
    ldx #8
@bit:
    lsr lfsr + 1
    ror lfsr
    bcc @zero
    lda lfsr + 1
    eor #$B4
    sta lfsr + 1
@zero:
    dex
    bne @bit
    ldx scratch
    lda lfsr
    rts

first_sent_row:
    lda #0
    sta sent_row
    lda #<cells
    sta sent
    lda #>cells
    sta sent + 1
    lda #$20
    sta address
    sta address + 1             ; row 1 of the nametable: $2020
    rts

nmi:
    pha
    txa
    pha
    tya
    pha
    inc frame_counter
    bne @counted
    inc frame_counter + 1
@counted:
    bit PPUSTATUS
    lda address
    sta PPUADDR
    lda address + 1
    sta PPUADDR
    ldy #0
@cell:
    lda (sent), y
    sta PPUDATA
    iny
    lda (sent), y
    sta PPUDATA
    iny
    cpy #64
    bne @cell
    ; one colour of the palette turns slowly
    lda #$3F
    sta PPUADDR
    lda #$02
    sta PPUADDR
    lda frame_counter
    lsr a
    lsr a
    lsr a
    lsr a
    tax
    lda turning, x
    sta PPUDATA
    lda #$80
    sta PPUCTRL
    lda #0
    sta PPUSCROLL
    sta PPUSCROLL
    lda #MASK_ON
    sta PPUMASK
    inc sent_row
    inc sent_row
    lda sent_row
    cmp #ROWS
    bcc @next
    jsr first_sent_row
    jmp @done
@next:
    lda sent
    clc
    adc #64
    sta sent
    bcc @same
    inc sent + 1
@same:
    lda address + 1
    clc
    adc #64
    sta address + 1
    bcc @done
    inc address
@done:
    pla
    tay
    pla
    tax
    pla
irq:
    rti

.segment "RODATA"
colours: .byte $0C, $1C, $2C, $3C
turning: .byte $2C, $2B, $2A, $29, $28, $27, $26, $25, $24, $23, $22, $21, $21, $22, $23, $2C
row_lo:
.repeat ROWS, i
    .byte <(cells + 32 * i)
.endrepeat
    .byte <cells                ; below the last row is the first
row_hi:
.repeat ROWS, i
    .byte >(cells + 32 * i)
.endrepeat
    .byte >cells
left_of:
.repeat 32, i
    .byte (i + 31) & 31
.endrepeat
right_of:
.repeat 32, i
    .byte (i + 1) & 31
.endrepeat

.segment "VECTORS"
    .word nmi, reset, irq

; Eight tiles: the four colours, and between each two of them a mixture.
.segment "CHR"
.macro mixture low_a, high_a, low_b, high_b
.repeat 4
    .byte low_a & $AA | low_b & $55
    .byte low_a & $55 | low_b & $AA
.endrepeat
.repeat 4
    .byte high_a & $AA | high_b & $55
    .byte high_a & $55 | high_b & $AA
.endrepeat
.endmacro
    mixture $00, $00, $00, $00
    mixture $00, $00, $FF, $00
    mixture $FF, $00, $FF, $00
    mixture $FF, $00, $00, $FF
    mixture $00, $FF, $00, $FF
    mixture $00, $FF, $FF, $FF
    mixture $FF, $FF, $FF, $FF
    mixture $FF, $FF, $00, $00
