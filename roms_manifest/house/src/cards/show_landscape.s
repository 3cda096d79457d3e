; The landscape that the show scrolls through, and where it stands.

MEMORIES = REPORT + $200       ; 256 bytes

.segment "CODE"
; The next column of the landscape: ground up to a height that walks by chance.
next_column:
    chance
    and #3
    tax
    lda height
    clc
    adc height_steps, x
    bmi @keep
    cmp #15
    bcs @keep
    sta height
@keep:
    ldx #15
@tile:
    cpx height
    bcs @sky
    txa
    eor seed
    and #3
    ora #4
    bne @put
@sky:
    chance
    cmp #$F0
    lda #0
    bcc @put
    lda #1
@put:
    sta column_tiles, x
    dex
    bpl @tile
    ; PRG-RAM remembers sixteen columns, and chance what is forgotten
    lda frame_counter
    asl a
    asl a
    asl a
    asl a
    tay
    lda MEMORIES, y
    eor seed
    sta seed
    ora seed + 1
    bne @sown
    inc seed
@sown:
    ldx #0
@remember:
    lda column_tiles, x
    sta MEMORIES, y
    iny
    inx
    cpx #16
    bne @remember
    ; it goes to the column right of the picture
    lda scroll_x
    lsr a
    lsr a
    lsr a
    sta column_low
    lda scroll_x + 1
    eor #1
    and #1
    asl a
    asl a
    ora #$21                    ; row 8
    sta column_high
    rts
height_steps: .byte <-1, 0, 0, 1

; The field moves by a dot or more a frame: Start turns it round, Select lets it rest.
next_scroll:
    lda pads
    and #$20
    bne @stay
    lda pads
    and #$10
    bne @back
    lda pads + 1
    and #1
    sec
    adc scroll_x
    sta scroll_x
    bcc @stay
    inc scroll_x + 1
    bne @stay
@back:
    lda scroll_x
    bne @same
    dec scroll_x + 1
@same:
    dec scroll_x
@stay:
    lda scroll_x
    sta split_x
    lsr a
    lsr a
    lsr a
    sta split_low
    lda scroll_x + 1
    and #1
    asl a
    asl a
    sta split_high
    ; up and down
    lda frame_counter
    lsr a
    lsr a
    and #31
    cmp #16
    bcc @rising
    eor #31
@rising:
    adc #32
    sta scroll_y
    sta split_y
    and #$F8
    asl a
    asl a
    ora split_low
    sta split_low
    lda scroll_x + 1
    lsr a
    lda scroll_x
    ror a
    sta far_x
    rts
