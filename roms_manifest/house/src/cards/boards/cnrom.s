; CNROM with conflicts on the bus: a latch chooses 8 KiB of patterns.
; https://www.nesdev.org/wiki/CNROM

.define CARD_NAME "CNROM"
MAPPER = 3
SUBMAPPER = 2
MIRRORING = 1                   ; vertical
PRG_KIB = 32
CHR_KIB = 32
PRG_WINDOW_KIB = 32
HOME_BANK = 0
ALL_BANKS_BOOT = 0
HAS_IRQ = 0
REPORT = $6000
PRG_RAM_SHIFT = 7
ACTOR_SLOTS = 2
LATCH_ALL = $03
PATTERN_SHIFT = 0

.macro board_boot
.endmacro

.include "card.inc"
.include "fixed.inc"
.include "pattern_latch.inc"

.segment "RAMCODE"
board_select:
board_home:
    ldy keep
    tya
    sta IDENTITY, y
    rts

.segment "CODE"
tests:
    test test_program, "PROGRAM"
    test test_pattern_banks, "EVERY BANK"
    test test_conflicts, "BUS CONFLICTS"
    test test_register_places, "REGISTER PLACES"
    test test_chr_rom, "CHR-ROM"
    test test_mirroring_of_header, "MIRRORING"
    test test_prg_ram, "PRG-RAM"
    test test_open_bus, "OPEN BUS"
    .word 0

; What is written and what ROM holds there are joined by AND.
test_conflicts:
    expect_pattern_latch $03, $01, 1
    expect_pattern_latch $03, $02, 2
    expect_pattern_latch $01, $03, 1
    expect_pattern_latch $02, $01, 0
    expect_pattern_latch $FF, $03, 3
    rts

; Both ends of $8000-$FFFF, and nothing below. ROM holds $FF at $8001 and $FFFF.
test_register_places:
    lda #2
    sta $8001
    lda #2
    jsr want_pattern_bank
    lda #1
    sta $FFFF
    lda #1
    jsr want_pattern_bank
    lda #3
    sta $4100
    sta $5000
    sta $6080
    sta $7FFF
    lda #1
    jsr want_pattern_bank
    rts
