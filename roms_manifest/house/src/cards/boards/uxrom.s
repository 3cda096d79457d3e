; UxROM with conflicts on the bus: 16 KiB at $8000 are chosen by a latch, the last 16 KiB stay.
; https://www.nesdev.org/wiki/UxROM

.define CARD_NAME "UXROM"
MAPPER = 2
SUBMAPPER = 2
MIRRORING = 1                   ; vertical
PRG_KIB = 256
CHR_KIB = 0
PRG_WINDOW_KIB = 16
HOME_BANK = 15
ALL_BANKS_BOOT = 0
HAS_IRQ = 0
REPORT = $6000
PRG_RAM_SHIFT = 7
ACTOR_SLOTS = 15
LATCH_SHIFT = 0
LATCH_ALL = $0F

.macro board_boot
.endmacro

.include "card.inc"
.include "latch.inc"
.include "latch_tests.inc"

.segment "CODE"
show_status:
show_field:
    rts

tests:
    test walk_banks, "EVERY BANK"
    test test_conflicts, "BUS CONFLICTS"
    test test_register_places, "REGISTER PLACES"
    test test_no_register, "NO REGISTER BELOW"
    test test_chr_ram, "CHR-RAM"
    test test_mirroring_of_header, "MIRRORING"
    test test_prg_ram, "PRG-RAM"
    test test_open_bus, "OPEN BUS"
    .word 0

; What is written and what ROM holds there are joined by AND.
test_conflicts:
    expect_latch $0F, $05, $05
    expect_latch $0F, $0A, $0A
    expect_latch $05, $0F, $05
    expect_latch $0C, $0A, $08
    expect_latch $0F, $00, $00
    expect_latch $FF, $0F, $0F
    rts

; The register answers at both ends of $8000-$FFFF. ROM holds 0 at $8000, and at $FFFF the upper half of a vector.
test_register_places:
    point target, $FFFF
    lda #$FF
    sta value
    jsr write_look
    lda #$0F
    jsr want_bank
    lda #3
    jsr board_select            ; page 6 is at $8000 now
    point target, $8000
    lda #$FF
    sta value
    jsr write_look
    lda #$06
    jsr want_bank
    rts
