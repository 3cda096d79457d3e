; BNROM: a latch chooses 32 KiB of program; conflicts on the bus.
; https://www.nesdev.org/wiki/INES_Mapper_034

.define CARD_NAME "BNROM"
MAPPER = 34
SUBMAPPER = 2
MIRRORING = 0                   ; horizontal
PRG_KIB = 128
CHR_KIB = 0
PRG_WINDOW_KIB = 32
HOME_BANK = 0
ALL_BANKS_BOOT = 0
HAS_IRQ = 0
REPORT = $6000
PRG_RAM_SHIFT = 7
ACTOR_SLOTS = 4
LATCH_SHIFT = 0
LATCH_ALL = $03

.macro board_boot
    lda #0
    sta IDENTITY
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
    expect_latch $03, $01, 1
    expect_latch $03, $02, 2
    expect_latch $01, $03, 1
    expect_latch $01, $02, 0
    expect_latch $FF, $03, 3
    rts

; ROM holds $FF at $8001 and $FFFF.
test_register_places:
    point target, $FFFF
    lda #2
    sta value
    jsr write_look
    lda #2
    jsr want_bank
    point target, $8001
    lda #3
    sta value
    jsr write_look
    lda #3
    jsr want_bank
    rts
