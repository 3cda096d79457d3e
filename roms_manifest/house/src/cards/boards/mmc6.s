; The MMC6: an MMC3 with 1 KiB of RAM of its own.
; https://www.nesdev.org/wiki/MMC3

.define CARD_NAME "MMC6"
MAPPER = 4
SUBMAPPER = 1
MIRRORING = 0
PRG_KIB = 64
CHR_KIB = 32
PRG_WINDOW_KIB = 8
HOME_BANK = 0                   ; the last two pages are always there
ALL_BANKS_BOOT = 0
NEC = 0
MMC6 = 1

.include "mmc3.inc"
.include "card.inc"
.include "mmc3_code.inc"
.include "mmc3_banks.inc"
.include "mmc3_irq.inc"
.include "mmc3_timed.inc"
.include "mmc6.inc"

.segment "CODE"
tests:
    test test_prg_mode_0, "BANKS AT 8000"
    test test_prg_mode_1, "BANKS AT C000"
    test test_register_places, "REGISTER PLACES"
    test test_patterns_mode_0, "PATTERNS"
    test test_patterns_mode_1, "PATTERNS SWAPPED"
    test test_chr_rom, "CHR-ROM"
    test test_mirroring, "MIRRORING"
    test test_mmc6_ram, "RAM"
    test test_mmc6_halves, "RAM HALVES"
    test test_mmc6_switch, "RAM SWITCH"
    test test_mmc6_below, "OPEN BUS"
    test test_irq_counts, "IRQ COUNTS"
    test test_irq_latch_0, "IRQ LATCH 0"
    test test_irq_stays_0, "IRQ STAYS AT 0"
    test test_irq_disabled, "IRQ DISABLED"
    test test_irq_acknowledge, "IRQ ACKNOWLEDGE"
    test test_irq_latch_alone, "IRQ LATCH ALONE"
    test test_irq_reload, "IRQ RELOAD"
    test test_a12, "A12 BY HAND"
    test test_irq_sprites_at_1000, "IRQ SPRITES 1000"
    test test_irq_background_at_1000, "IRQ GROUND 1000"
    test test_irq_whole_frame, "IRQ WHOLE FRAME"
    test test_irq_one_table, "IRQ ONE TABLE"
    test test_irq_tall_sprites, "IRQ TALL SPRITES"
    .word 0
