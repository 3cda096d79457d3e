; What the show sends to the PPU.

.segment "CODE"
; All nametables full of hills, with changing colours.
paint_field:
    jsr show_field
    bit PPUSTATUS
    lda #$20
    sta PPUADDR
    ldx #0
    stx PPUADDR
    ldy #16
@tile:
    tya
    and #3
    cmp #1                      ; the last page of a nametable ends in attributes
    bne @picture
    txa
    eor #$1B
    cpx #$C0
    bcs @put
@picture:
    txa
    lsr a
    lsr a
    eor field_rows, y
    and #7
@put:
    sta PPUDATA
    inx
    bne @tile
    dey
    bne @tile
    rts
field_rows: .byte 0, 3, 5, 1, 6, 2, 7, 4, 0, 5, 2, 3, 6, 1, 4, 7, 2

; Rows 0 to 3 of the first nametable: name, verdict and score, and a bar that sprite 0 meets.
paint_status:
    jsr show_status
    lda #$20
    sta PPUADDR
    ldx #0
    stx PPUADDR
    lda #0
@blank:
    sta PPUDATA
    inx
    cpx #96
    bne @blank
    lda #7
@bar:
    sta PPUDATA
    inx
    bpl @bar
    lda #1
    ldx #1
    jsr at_row_column
    print CARD_NAME
    lda #2
    ldx #1
    jsr at_row_column
    jsr print_passed_or_failed
    lda #$23
    sta PPUADDR
    lda #$C0
    sta PPUADDR
    lda #0
    ldx #8
@attribute:
    sta PPUDATA
    dex
    bne @attribute
    rts

SCORE_PLACE = $2000 + 2 * 32 + 24
send_score:
    lda #>SCORE_PLACE
    sta PPUADDR
    lda #<SCORE_PLACE
    sta PPUADDR
    ldx #0
@digit:
    lda score_digits, x
    ora #'0'
    sta PPUDATA
    inx
    cpx #6
    bne @digit
    rts

; The column that was made in the frame before, downwards from row 8.
send_column:
    lda #$8C
    sta PPUCTRL
    lda column_high
    sta PPUADDR
    lda column_low
    sta PPUADDR
    ldx #15
@tile:
    lda column_tiles, x
    sta PPUDATA
    dex
    bpl @tile
    lda #$88
    sta PPUCTRL
    rts

; One colour a frame, and where patterns are RAM two tiles.
send_tiles:
    lda #$3F
    sta PPUADDR
    lda frame_counter
    and #3
    tax
    lda turning_places, x
    sta PPUADDR
    lda frame_counter
    lsr a
    lsr a
    and #15
    tax
    lda turning, x
    sta PPUDATA
.if CHR_KIB = 0
    lda frame_counter
    lsr a
    bcs @sprites
    ; the ground moves: rows of the pictures next to each other
    and #$3F
    tay
    lda #$00
    ldx #$20
    bcc @to
@sprites:
    ; the balls turn
    and #$3C
    asl a
    asl a
    and #$70
    tay
    lda frame_counter
    and #6
    asl a
    asl a
    asl a
    asl a
    ora #$80
    tax
    tya
    clc
    adc #$60
    tay
    lda #$10
@to:
    sta PPUADDR
    stx PPUADDR
    ldx #32
@byte:
    lda pattern_unit + $20, y
    sta PPUDATA
    iny
    dex
    bne @byte
.endif
    rts
turning_places: .byte $05, $0A, $0F, $15
turning: .byte $11, $12, $13, $14, $15, $16, $17, $18, $19, $1A, $1B, $1C, $2C, $2B, $2A, $21

show_colours:
    lda #$3F
    sta PPUADDR
    ldx #0
    stx PPUADDR
@colour:
    lda colours, x
    sta PPUDATA
    inx
    cpx #32
    bne @colour
    rts
colours:
    .byte $0F, $11, $21, $30, $0F, $19, $29, $39, $0F, $06, $16, $26, $0F, $13, $23, $33
    .byte $0F, $16, $27, $30, $0F, $12, $22, $32, $0F, $1A, $2A, $3A, $0F, $04, $14, $24
