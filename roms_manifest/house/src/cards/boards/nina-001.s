; NINA-001: registers in the last bytes of PRG-RAM choose 32 KiB of program and two times 4 KiB of patterns.
; https://www.nesdev.org/wiki/NINA-001

.define CARD_NAME "NINA-001"
MAPPER = 34
SUBMAPPER = 1
MIRRORING = 1                   ; vertical
PRG_KIB = 64
CHR_KIB = 64
PRG_WINDOW_KIB = 32
HOME_BANK = 0
ALL_BANKS_BOOT = 0
HAS_IRQ = 0
REPORT = $6000
PRG_RAM_SHIFT = 7
ACTOR_SLOTS = 2
PRG_RAM_END = $7F               ; the registers' page is tested apart

.macro board_boot
    lda #0
    sta $7FFD
.endmacro

.include "card.inc"

.segment "RAMCODE"
board_select:
    sta $7FFD
    rts

board_home:
    lda #0
    sta $7FFD
    sta $7FFE
    lda #1
    sta $7FFF
    rts

call_actors:
    jsr board_select
    jsr $8002
    lda #0
    sta $7FFD
    rts

.segment "CODE"
show_status:
    lda #0
    sta $7FFE
    lda frame_counter
    lsr a
    lsr a
    lsr a
    and #$0F
    sta $7FFF
    rts

show_field:
    lda frame_counter
    lsr a
    lsr a
    and #$0F
    sta $7FFE
    rts

tests:
    test walk_banks, "EVERY BANK"
    test test_patterns, "PATTERNS"
    test test_no_register, "NO REGISTER IN ROM"
    test test_chr_rom, "CHR-ROM"
    test test_mirroring_of_header, "MIRRORING"
    test test_prg_ram, "PRG-RAM"
    test test_registers_in_ram, "REGISTERS IN RAM"
    test test_open_bus, "OPEN BUS"
    .word 0

; Every 4 KiB in both halves.
test_patterns:
    lda bank
    sta $7FFE
    eor #$0F
    sta $7FFF
    ldx #4
    jsr @expect
    lda bank
    ldx #0
    jsr @expect
    jsr want_patterns
    inc bank
    lda bank
    cmp #CHR_KIB / 4
    bne test_patterns
    rts
@expect:
    asl a
    asl a
    ldy #4
@page:
    sta expect, x
    clc
    adc #1
    inx
    dey
    bne @page
    rts

; What is written to ROM is lost.
test_no_register:
    lda #1
    ldx #0
@write:
    sta $8000, x
    sta $FE00, x
    sta $FF00, x
    inx
    bne @write
    jsr look
    lda #0
    jsr want_bank
    rts

; RAM gets what the registers get; the bytes beside them are no registers.
test_registers_in_ram:
    lda #$3C
    sta $7FFC
    sta $7F00
    lda #$FE                    ; bit 0 is 0: the program stays
    sta $7FFD
    jsr look
    lda #0
    jsr want_bank
    lda $7FFD
    want $FE
    lda #5
    sta $7FFE
    lda #10
    sta $7FFF
    lda $7FFE
    want 5
    lda $7FFF
    want 10
    lda $7FFC
    want $3C
    expect_patterns 20, 21, 22, 23, 40, 41, 42, 43
    rts
