; MMC1 as SXROM: 512 KiB of program in two halves, 32 KiB of PRG-RAM, CHR-RAM. Bits of the pattern registers choose half
; and RAM bank.
; https://www.nesdev.org/wiki/SxROM

.define CARD_NAME "MMC1 SXROM"
MAPPER = 1
SUBMAPPER = 0
MIRRORING = 0                   ; horizontal; the chip decides
PRG_KIB = 512
CHR_KIB = 0
PRG_WINDOW_KIB = 16
HOME_BANK = 15
ALL_BANKS_BOOT = 1
HAS_IRQ = 0
REPORT = $6000
PRG_RAM_SHIFT = 9
ACTOR_SLOTS = 31

.include "mmc1.inc"
.include "card.inc"
.include "mmc1_code.inc"

.segment "CODE"
show_status:
    lda #MMC1_HOME
    sta home_control
    jmp put_control

; The field goes through the kinds of mirroring.
show_field:
    lda frame_counter + 1
    and #3
    ora #$0C
    sta home_control
    jmp put_control

tests:
    test test_last_fixed, "LAST FIXED"
    test test_first_fixed, "FIRST FIXED"
    test test_32_kib, "BANKS OF 32 KIB"
    test test_serial_port, "SERIAL PORT"
    test test_second_write, "SECOND WRITE"
    test test_chr_ram, "CHR-RAM"
    test test_chr_halves, "CHR-RAM HALVES"
    test test_mirroring, "MIRRORING"
    test test_prg_ram, "PRG-RAM"
    test test_prg_ram_enable, "PRG-RAM ENABLE"
    test test_prg_ram_banks, "PRG-RAM BANKS"
    test test_open_bus, "OPEN BUS"
    .word 0

; Two windows of 4 KiB: bit 0 of each register chooses the half of CHR-RAM.
test_chr_halves:
    jsr prepare_patterns
    expect_patterns 0, 1, 2, 3, 4, 5, 6, 7
    lda #$1E
    jsr put_control
    expect_patterns 0, 1, 2, 3, 0, 1, 2, 3
    lda #1
    jsr put_chr_0
    expect_patterns 4, 5, 6, 7, 0, 1, 2, 3
    lda #1
    jsr put_chr_1
    expect_patterns 4, 5, 6, 7, 4, 5, 6, 7
    lda #MMC1_HOME
    jsr put_control
    expect_patterns 0, 1, 2, 3, 4, 5, 6, 7
    rts

; Bits 2 and 3 of the first pattern register choose 8 KiB of PRG-RAM.
test_prg_ram_banks:
    jsr report_away
    lda #0
@write:
    sta bank
    jsr ram_bank
    lda bank
    eor #$C3
    sta $6080
    sta $7FFE
    inc bank
    lda bank
    cmp #4
    bne @write
@read:
    dec bank
    bmi @end
    lda bank
    jsr ram_bank
    lda bank
    eor #$C3
    sta wanted
    lda $6080
    want_in wanted
    lda $7FFE
    want_in wanted
    jmp @read
@end:
    jsr board_home
    jmp report_back

ram_bank:
    asl a
    asl a
    pha
    jsr put_chr_0
    pla
    jmp put_chr_1
