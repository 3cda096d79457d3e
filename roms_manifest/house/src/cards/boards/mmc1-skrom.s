; MMC1 as SKROM: 256 KiB of program, 128 KiB of CHR-ROM, 8 KiB of PRG-RAM.
; https://www.nesdev.org/wiki/SxROM

.define CARD_NAME "MMC1 SKROM"
MAPPER = 1
SUBMAPPER = 0
MIRRORING = 0                   ; horizontal; the chip decides
PRG_KIB = 256
CHR_KIB = 128
PRG_WINDOW_KIB = 16
HOME_BANK = 15
ALL_BANKS_BOOT = 1
HAS_IRQ = 0
REPORT = $6000
PRG_RAM_SHIFT = 7
ACTOR_SLOTS = 15

.include "mmc1.inc"
.include "card.inc"
.include "mmc1_code.inc"

.segment "CODE"
; Both tables of patterns move, each by a register of its own; the shift register's five writes count for a lot.
show_status:
    lda #MMC1_HOME | $10
    sta home_control
    jsr put_control
    lda frame_counter
    lsr a
    lsr a
    and #$1F
    jmp put_chr_1

; The field goes through the kinds of mirroring, and its patterns move.
show_field:
    lda frame_counter
    lsr a
    lsr a
    lsr a
    and #$0F
    jsr put_chr_0
    lda frame_counter + 1
    and #3
    ora #$1C
    sta home_control
    jmp put_control

tests:
    test test_last_fixed, "LAST FIXED"
    test test_first_fixed, "FIRST FIXED"
    test test_32_kib, "BANKS OF 32 KIB"
    test test_serial_port, "SERIAL PORT"
    test test_second_write, "SECOND WRITE"
    test test_chr_8_kib, "PATTERNS 8 KIB"
    test test_chr_4_kib, "PATTERNS 4 KIB"
    test test_chr_rom, "CHR-ROM"
    test test_mirroring, "MIRRORING"
    test test_prg_ram, "PRG-RAM"
    test test_prg_ram_enable, "PRG-RAM ENABLE"
    test test_open_bus, "OPEN BUS"
    .word 0

; The first register alone, and without its bit 0.
test_chr_8_kib:
    lda bank
    jsr put_chr_0
    lda bank
    eor #$15
    jsr put_chr_1
    lda bank
    lsr a
    jsr want_pattern_bank
    inc bank
    lda bank
    cmp #CHR_KIB / 4
    bne test_chr_8_kib
    rts

; Each register its own half.
test_chr_4_kib:
    lda #$1E
    jsr put_control
@bank:
    lda bank
    jsr put_chr_0
    lda bank
    eor #$1F
    jsr put_chr_1
    lda bank
    ldx #0
    jsr @expect
    lda bank
    eor #$1F
    ldx #4
    jsr @expect
    jsr want_patterns
    inc bank
    lda bank
    cmp #CHR_KIB / 4
    bne @bank
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
