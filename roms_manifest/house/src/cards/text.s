; Text on the screen, and the report in PRG-RAM: status, DE B0 61, then text that ends with 0.

.segment "CODE"
; The address of row A, column X in the first nametable.
at_row_column:
    sta scratch
    lda #0
    sta scratch + 1
    ldy #5
@shift:
    asl scratch
    rol scratch + 1
    dey
    bne @shift
    bit PPUSTATUS
    lda scratch + 1
    ora #$20
    sta PPUADDR
    txa
    ora scratch
    sta PPUADDR
    rts

; Text at A (low byte) and X (high byte).
print_text:
    sta text
    stx text + 1
print_line:
    ldy #0
@next:
    lda (text), y
    beq @end
    jsr put_char
    iny
    bne @next
@end:
    rts

put_char:
    sta PPUDATA
    ldx report_on
    beq @end
    ldx report_length
    cpx #255
    beq @end
    sta report_text, x
    inc report_length
@end:
    rts

print_hex:
    pha
    lsr a
    lsr a
    lsr a
    lsr a
    jsr @digit
    pla
    and #$0F
@digit:
    cmp #10
    bcc @decimal
    adc #6
@decimal:
    adc #'0'
    jmp put_char

; A, at most 99, as two decimal digits.
print_decimal:
    ldx #'0'
@tens:
    cmp #10
    bcc @ones
    sbc #10
    inx
    bne @tens
@ones:
    pha
    txa
    jsr put_char
    pla
    clc
    adc #'0'
    jmp put_char

new_line:
    ldx report_length
    inx
    beq @full
    lda #10
    sta report_text - 1, x
    stx report_length
@full:
    rts

print_title:
    lda #2
    ldx #1
    jsr at_row_column
    print "NESPROOF CARD "
    print CARD_NAME
    rts

; Number and name of the test at its place on the screen.
print_test_name:
    lda test_number
    clc
    adc #3
    ldx #1
    jsr at_row_column
print_number_and_name:
    lda test_number
    jsr print_decimal
    lda #' '
    jsr put_char
    ldy #2
    lda (test_entry), y
    pha
    iny
    lda (test_entry), y
    tax
    pla
    jmp print_text

at_outcome:
    lda test_number
    clc
    adc #3
    ldx #22
    jmp at_row_column

print_ok:
    jsr at_outcome
    print "OK"
    rts

; NO, what was seen and what is right on the screen; more in the report.
print_failure:
    jsr at_outcome
    print "NO "
    lda got
    jsr print_hex
    lda #' '
    jsr put_char
    lda wanted
    jsr print_hex
    ; the report gets a line of its own; what goes to the screen on the way is off the picture
    inc report_on
    lda #30
    ldx #0
    jsr at_row_column
    jsr print_number_and_name
    print " GOT "
    lda got
    jsr print_hex
    print " WANT "
    lda wanted
    jsr print_hex
    print " BANK "
    lda bank
    jsr print_hex
    print " AT "
    lda pointer + 1
    jsr print_hex
    lda pointer
    jsr print_hex
    jsr new_line
    dec report_on
    jmp clear_attributes

print_verdict:
    lda #28
    ldx #1
    jsr at_row_column
    inc report_on
    print CARD_NAME
    lda #' '
    jsr put_char
    jsr print_passed_or_failed
    jsr new_line
    dec report_on
    rts

print_passed_or_failed:
    lda result
    bne verdict_failed
    print "PASSED "
    lda test_number
    jmp print_decimal
verdict_failed:
    print "FAILED "
    lda result
    jmp print_decimal

report_begin:
    lda #$80
    sta result
    sta REPORT
    ldx #0
    stx REPORT + 4
report_sign:
    lda #$DE
    sta REPORT + 1
    lda #$B0
    sta REPORT + 2
    lda #$61
    sta REPORT + 3
    rts

; Tests of PRG-RAM take the report away, so that nothing in it is taken for a result, and put it back.
report_away:
    lda #0
    sta REPORT + 1
    sta REPORT + 2
    rts

report_back:
    lda #$80
    sta REPORT
    lda #0
    sta REPORT + 4
    beq report_sign

report_end:
    ldx report_length
    lda #0
    sta report_text, x
    tax
@copy:
    lda report_text, x
    sta REPORT + 4, x
    inx
    bne @copy
    jsr report_sign
    lda result
    sta REPORT
    rts

clear_screen:
    lda #$20
    sta PPUADDR
    lda #0
    sta PPUADDR
    ldy #16
    tax
@tile:
    sta PPUDATA
    inx
    bne @tile
    dey
    bne @tile
    rts

clear_attributes:
    lda #30
    ldx #0
    jsr at_row_column
    lda #0
    ldx #128                    ; and what ran over their end
@byte:
    sta PPUDATA
    dex
    bne @byte
    rts

; Grey letters on a dark ground.
colours_of_text:
    lda #$3F
    sta PPUADDR
    lda #0
    sta PPUADDR
    ldx #4
    lda #$0F
@colour:
    sta PPUDATA
    lda #$30
    dex
    bne @colour
    rts
