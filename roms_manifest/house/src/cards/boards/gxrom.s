; GxROM: a latch chooses 32 KiB of program and 8 KiB of patterns; conflicts on the bus.
; https://www.nesdev.org/wiki/GxROM

.define CARD_NAME "GXROM"
MAPPER = 66
SUBMAPPER = 0
MIRRORING = 0                   ; horizontal
PRG_KIB = 128
CHR_KIB = 32
PRG_WINDOW_KIB = 32
HOME_BANK = 0
ALL_BANKS_BOOT = 0
HAS_IRQ = 0
REPORT = $6000
PRG_RAM_SHIFT = 7
ACTOR_SLOTS = 4
LATCH_SHIFT = 4
LATCH_ALL = $30
PATTERN_SHIFT = 0

.macro board_boot
    lda #0
    sta IDENTITY
.endmacro

.include "card.inc"
.include "latch.inc"
.include "latch_tests.inc"
.include "pattern_latch.inc"

.segment "CODE"
tests:
    test walk_banks, "EVERY BANK"
    test test_pattern_banks, "EVERY PATTERN BANK"
    test test_conflicts, "BUS CONFLICTS"
    test test_no_register, "NO REGISTER BELOW"
    test test_chr_rom, "CHR-ROM"
    test test_mirroring_of_header, "MIRRORING"
    test test_prg_ram, "PRG-RAM"
    test test_open_bus, "OPEN BUS"
    .word 0

; What is written and what ROM holds there are joined by AND.
test_conflicts:
    expect_latch $30, $10, 1
    expect_latch $20, $3F, 2
    expect_latch $3F, $20, 2
    expect_latch $10, $20, 0
    expect_pattern_latch $03, $01, 1
    expect_pattern_latch $03, $02, 2
    expect_pattern_latch $0D, $03, 1
    rts
