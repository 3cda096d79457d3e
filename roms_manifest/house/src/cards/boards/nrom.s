; NROM-256: nothing moves.
; https://www.nesdev.org/wiki/NROM

.define CARD_NAME "NROM"
MAPPER = 0
SUBMAPPER = 0
MIRRORING = 0                   ; horizontal
PRG_KIB = 32
CHR_KIB = 8
PRG_WINDOW_KIB = 32
HOME_BANK = 0
ALL_BANKS_BOOT = 0
HAS_IRQ = 0
REPORT = $6000
PRG_RAM_SHIFT = 7
ACTOR_SLOTS = 2
LATCH_ALL = $FF

.macro board_boot
.endmacro

.include "card.inc"
.include "fixed.inc"

.segment "RAMCODE"
board_select:
board_home:
    rts

.segment "CODE"
show_status:
show_field:
    rts

tests:
    test test_program, "PROGRAM"
    test test_patterns, "PATTERNS"
    test test_chr_rom, "CHR-ROM"
    test test_mirroring_of_header, "MIRRORING"
    test test_prg_ram, "PRG-RAM"
    test test_open_bus, "OPEN BUS"
    .word 0

test_patterns:
    expect_patterns 0, 1, 2, 3, 4, 5, 6, 7
    rts
