; From power-on through the tests to the verdict. A test is a subroutine; one that returns has passed.

VERDICT_FRAMES = 64

.import __RAMCODE_LOAD__, __RAMCODE_RUN__

.segment "CODE"
reset:
    .include "power_on.inc"
    ; what must run while windows move runs in RAM
    ldx #0
@copy:
    lda __RAMCODE_LOAD__, x
    sta __RAMCODE_RUN__, x
    lda __RAMCODE_LOAD__ + $100, x
    sta __RAMCODE_RUN__ + $100, x
    inx
    bne @copy
    point nmi_target, STUB_COUNT
    point irq_target, STUB_RETURN
.ifdef MMC1_HOME
    lda #MMC1_HOME
    sta home_control
.endif
    jsr board_home
    jsr report_begin
    jsr clear_screen
    jsr print_title
    point test_entry, tests
run_next:
    ldy #1
    lda (test_entry), y
    beq all_done                ; no test lies in page zero
    sta routine + 1
    dey
    lda (test_entry), y
    sta routine
    inc test_number
    jsr print_test_name
    jsr board_home
    lda #0
    sta bank
    sta irq_seen
    tsx
    stx saved_sp
    jsr run_test
    sei
    jsr quiet
    jsr board_home
    jsr print_ok
test_ended:
    lda test_entry
    clc
    adc #4
    sta test_entry
    bcc run_next
    inc test_entry + 1
    bne run_next

run_test:
    jmp (routine)

; A is not X: the test ends here.
mismatch:
    sta got
    stx wanted
    ldx saved_sp
    lda a:$0100 - 3, x           ; where the test called, or was: the first address pushed within it
    sta pointer
    lda a:$0100 - 2, x
    sta pointer + 1
    txs
    sei
    jsr quiet
    jsr board_home
    inc failures
    lda failures
    cmp #1
    bne @not_first
    lda test_number
    sta first_failed
@not_first:
    jsr print_failure
    jmp test_ended

all_done:
    lda #0
    ldx failures
    beq @passed
    lda first_failed
@passed:
    pha
    jsr board_home
    jsr prepare_patterns
    pla
    sta result
    jsr print_verdict
    inc card_phase
    jsr report_end
    jsr colours_of_text
    lda #$80
    sta PPUCTRL
    ldy #VERDICT_FRAMES
@frame:
    lda nmi_count
@wait:
    cmp nmi_count
    beq @wait
    lda #0
    sta PPUSCROLL
    sta PPUSCROLL
    lda #$0A
    sta PPUMASK
    dey
    bne @frame
    jsr quiet
    inc card_phase
    jmp show

; No picture, no NMI, no interrupt; a latch's other bits are 0.
quiet:
    lda #0
    sta PPUCTRL
    sta PPUMASK
    sta keep
    bit PPUSTATUS
    point nmi_target, STUB_COUNT
    point irq_target, STUB_RETURN
    rts
