; AxROM without conflicts on the bus: a latch chooses 32 KiB of program and the one nametable.
; https://www.nesdev.org/wiki/AxROM

.define CARD_NAME "AXROM"
MAPPER = 7
SUBMAPPER = 1
MIRRORING = 0                   ; the board decides
PRG_KIB = 256
CHR_KIB = 0
PRG_WINDOW_KIB = 32
HOME_BANK = 0
ALL_BANKS_BOOT = 0
HAS_IRQ = 0
REPORT = $6000
PRG_RAM_SHIFT = 7
ACTOR_SLOTS = 8
LATCH_SHIFT = 0
LATCH_ALL = $07
SECOND_SCREEN = $10

.macro board_boot
    lda #0
    sta IDENTITY
.endmacro

.include "card.inc"
.include "latch.inc"
.include "latch_tests.inc"

.segment "CODE"
; The status bar is on one screen, the field on the other.
show_status:
    lda #0
    sta keep
    jmp board_home

show_field:
    lda #SECOND_SCREEN
    sta keep
    jmp board_home

tests:
    test walk_banks, "EVERY BANK"
    test test_screens, "ONE SCREEN OR OTHER"
    test test_no_conflicts, "NO BUS CONFLICTS"
    test test_register_places, "REGISTER PLACES"
    test test_no_register, "NO REGISTER BELOW"
    test test_chr_ram, "CHR-RAM"
    test test_prg_ram, "PRG-RAM"
    test test_open_bus, "OPEN BUS"
    .word 0

; Bit 4 chooses the nametable that is seen at all four places, with every program bank.
test_screens:
    lda #$40
    sta tag_base
    jsr mark_nametables
    jsr show_field
    lda #$50
    sta tag_base
    jsr mark_nametables
@bank:
    lda #0
    sta keep
    lda bank
    jsr select_look
    expect_nametables $43, $43, $43, $43
    lda #SECOND_SCREEN
    sta keep
    lda bank
    jsr select_look
    expect_nametables $53, $53, $53, $53
    lda bank
    jsr want_bank
    inc bank
    lda bank
    cmp #BANKS
    bne @bank
    jsr unmark
    jsr show_status
    jmp unmark

; What is written counts, whatever ROM holds there.
test_no_conflicts:
    expect_latch $07, $00, 7
    expect_latch $05, $02, 5
    expect_latch $02, $FD, 2
    rts

test_register_places:
    point target, $FFFF
    lda #6
    sta value
    jsr write_look
    lda #6
    jsr want_bank
    point target, $8000
    lda #3
    sta value
    jsr write_look
    lda #3
    jsr want_bank
    rts
