; Camerica's BF9093: 16 KiB at $8000 are chosen at $C000-$FFFF, the last 16 KiB stay.
; https://www.nesdev.org/wiki/INES_Mapper_071

.define CARD_NAME "CAMERICA"
MAPPER = 71
SUBMAPPER = 0
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
    test test_no_conflicts, "NO BUS CONFLICTS"
    test test_register_places, "REGISTER PLACES"
    test test_no_register, "NO REGISTER BELOW"
    test test_chr_ram, "CHR-RAM"
    test test_mirroring_of_header, "MIRRORING"
    test test_prg_ram, "PRG-RAM"
    test test_open_bus, "OPEN BUS"
    .word 0

; What is written counts, whatever ROM holds there.
test_no_conflicts:
    expect_latch $0F, $00, 15
    expect_latch $05, $0A, 5
    expect_latch $0A, $F5, 10
    rts

; Both ends of $C000-$FFFF; in $8000-$BFFF there is no register.
test_register_places:
    point target, $FFFF
    lda #6
    sta value
    jsr write_look
    lda #6
    jsr want_bank
    point target, $C000
    lda #9
    sta value
    jsr write_look
    lda #9
    jsr want_bank
    lda #9
    jsr board_select
    point target, $BFFF
    lda #2
    sta value
    jsr write_look
    lda #9
    jsr want_bank
    rts
