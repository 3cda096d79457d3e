; The block map: what is solid, and what changes when it is struck or taken.

; Find the cell under (probe_x, A). Returns its flags in A; 0 above and below the map.
; probe_index and probe_page keep the cell for change_block.
probe_block:
    sta probe_y
    sec
    sbc #32
    bcc @nothing
    lsr a
    lsr a
    lsr a
    lsr a
    cmp #13
    bcs @nothing
    sta probe_index
    lda probe_x
    and #$F0
    ora probe_index
    sta probe_index
    tay
    lda probe_x + 1
    and #1
    sta probe_page
    bne @second
    ldx blocks, y
    lda metatile_flags, x
    rts
@second:
    ldx blocks + 256, y
    lda metatile_flags, x
    rts
@nothing:
    lda #0
    sta probe_index
    rts

; Replace the cell found by probe_block with metatile A, in the map and on the screen.
change_block:
    sta scratch
    ldy probe_index
    ldx probe_page
    bne @second
    sta blocks, y
    beq @drawn
@second:
    sta blocks + 256, y
@drawn:
    ; nametable address: $2000 (or $2400) + 128 + 64 * row + 2 * column
    lda probe_index
    and #$0F
    clc
    adc #2
    sta scratch + 1             ; row, from the screen's top
    lsr a
    lsr a
    ora #$20
    sta scratch + 2
    lda probe_page
    beq @left
    lda scratch + 2
    ora #$04
    sta scratch + 2
@left:
    lda scratch + 1
    and #3
    lsr a
    ror a
    ror a                       ; row * 64, low byte
    sta scratch + 3
    lda probe_index
    lsr a
    lsr a
    lsr a
    and #$1E
    ora scratch + 3
    sta scratch + 3
    ldx scratch
    ldy queue_end
    cpy #108                    ; no room: the map is right, the picture waits for the next visit
    bcs @full
    lda metatile_tl, x
    sta video_queue + 3, y
    lda metatile_tr, x
    sta video_queue + 4, y
    lda metatile_bl, x
    sta video_queue + 8, y
    lda metatile_br, x
    sta video_queue + 9, y
    lda scratch + 2
    sta video_queue, y
    sta video_queue + 5, y
    lda scratch + 3
    sta video_queue + 1, y
    ora #$20
    sta video_queue + 6, y
    lda #2
    sta video_queue + 2, y
    sta video_queue + 7, y
    lda #0
    sta video_queue + 10, y
    tya
    clc
    adc #10
    sta queue_end
@full:
    rts
