; Camerica's BF9097, of Fire Hawk: as the BF9093, and $8000-$9FFF chooses the one nametable.
; https://www.nesdev.org/wiki/INES_Mapper_071

.define CARD_NAME "FIRE HAWK"
MAPPER = 71
SUBMAPPER = 1
MIRRORING = 0                   ; the board decides
PRG_KIB = 128
CHR_KIB = 0
PRG_WINDOW_KIB = 16
HOME_BANK = 7
ALL_BANKS_BOOT = 0
HAS_IRQ = 0
REPORT = $6000
PRG_RAM_SHIFT = 7
ACTOR_SLOTS = 7
LATCH_SHIFT = 0
LATCH_ALL = $07
SECOND_SCREEN = $10

.macro board_boot
.endmacro

.include "card.inc"
.include "latch.inc"
.include "latch_tests.inc"

.segment "CODE"
; The status bar is on one screen, the field on the other.
show_status:
    lda #0
    sta $8000
    rts

show_field:
    lda #SECOND_SCREEN
    sta $9FFF
    rts

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

; Bit 4 chooses the nametable that is seen at all four places; the program bank stays.
test_screens:
    jsr show_status
    lda #$40
    sta tag_base
    jsr mark_nametables
    lda #3
    jsr board_select
    jsr show_field
    lda #$50
    sta tag_base
    jsr mark_nametables
    jsr look
    lda #3
    jsr want_bank
    lda #$EF
    sta $8ABC
    expect_nametables $43, $43, $43, $43
    lda #5
    jsr board_select
    expect_nametables $43, $43, $43, $43
    lda #SECOND_SCREEN
    sta $8000
    expect_nametables $53, $53, $53, $53
    lda #$12
    sta IDENTITY                ; bit 4 of the other register means nothing
    lda #0
    sta $9000
    lda #$10
    sta IDENTITY
    expect_nametables $43, $43, $43, $43
    jmp unmark

; What is written counts, whatever ROM holds there.
test_no_conflicts:
    expect_latch $07, $00, 7
    expect_latch $05, $0A, 5
    expect_latch $02, $F5, 2
    rts

; Both ends of $C000-$FFFF.
test_register_places:
    point target, $FFFF
    lda #6
    sta value
    jsr write_look
    lda #6
    jsr want_bank
    point target, $C000
    lda #5
    sta value
    jsr write_look
    lda #5
    jsr want_bank
    rts
