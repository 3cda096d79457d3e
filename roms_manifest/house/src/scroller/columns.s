; Metatile columns: unpacked from the level and the scenery, merged, kept in the block map for
; collisions, and turned into nametable tiles that the next vertical blank sends.

; Decode one column when the camera has come close to the last one.
stream_column:
    lda column_ready
    bne @done
    lda camera_x
    lsr a
    lsr a
    lsr a
    lsr a
    sta scratch
    lda camera_x + 1
    asl a
    asl a
    asl a
    asl a
    ora scratch
    clc
    adc #LOADED_COLUMNS
    cmp next_column
    beq @done
    bcc @done
    jmp decode_column
@done:
    rts

decode_column:
    ; the screen that this column belongs to
    ldx level
    lda level_screens_lo, x
    sta list
    lda level_screens_hi, x
    sta list + 1
    lda next_column
    lsr a
    lsr a
    lsr a
    lsr a
    tay
    cmp level_length, x
    bcc @inside
    rts
@inside:
    lda (list), y
    sta scratch + 1             ; the screen's number
    ; its columns: screen_columns + 16 * screen + column in the screen
    ldx #0
    stx scratch + 2
    asl a
    rol scratch + 2
    asl a
    rol scratch + 2
    asl a
    rol scratch + 2
    asl a
    rol scratch + 2
    clc
    adc #<screen_columns
    sta list
    lda scratch + 2
    adc #>screen_columns
    sta list + 1
    lda next_column
    and #$0F
    tay
    lda (list), y
    ldx #0
    jsr unpack_column
    ; the scenery behind it
    ldx scenery_phase
    lda scenery_columns, x
    inx
    cpx #48
    bcc @phase
    ldx #0
@phase:
    stx scenery_phase
    ldx #13
    jsr unpack_column
    jsr merge_column
    jsr make_tiles
    jsr make_attributes
    jsr wake_creatures
    inc next_column
    inc column_ready
    rts

; Unpack column number A into column_cells + X (13 cells).
; A byte is a metatile; with bit 7 set, the next byte says how often it is repeated.
unpack_column:
    tay
    lda columns_lo, y
    sta list
    lda columns_hi, y
    sta list + 1
    txa
    clc
    adc #13
    sta scratch + 3             ; end
    ldy #0
@cell:
    lda (list), y
    iny
    cmp #$80
    bcs @run
    sta column_cells, x
    inx
    cpx scratch + 3
    bne @cell
    rts
@run:
    and #$7F
    sta scratch + 4
    lda (list), y
    iny
    sta scratch + 5
    lda scratch + 4
@repeat:
    sta column_cells, x
    inx
    dec scratch + 5
    bne @repeat
    cpx scratch + 3
    bne @cell
    rts

; Put scenery where the level has sky, and the column into the block map.
merge_column:
    lda next_column
    and #$0F
    asl a
    asl a
    asl a
    asl a
    tay                         ; 16 cells a column
    lda next_column
    and #$10
    sta scratch + 6             ; which page of the map
    ldx #0
    lda after_loading
    cmp #MODE_TITLE
    bne @cell
    ; behind the title's letters the sky is clear
    lda #0
@clear:
    sta scenery_cells, x
    inx
    cpx #6
    bne @clear
    ldx #0
@cell:
    lda column_cells, x
    bne @solid
    lda scenery_cells, x
    sta column_cells, x
@solid:
    pha
    lda scratch + 6
    bne @second
    pla
    sta blocks, y
    jmp @next
@second:
    pla
    sta blocks + 256, y
@next:
    iny
    inx
    cpx #13
    bne @cell
    rts

; Tiles of the column, left half then right half, and where they go.
make_tiles:
    ldx #0
    stx scratch + 7
@cell:
    ldy column_cells, x
    ldx scratch + 7
    lda metatile_tl, y
    sta column_tiles, x
    lda metatile_bl, y
    sta column_tiles + 1, x
    lda metatile_tr, y
    sta column_tiles + 26, x
    lda metatile_br, y
    sta column_tiles + 27, x
    inx
    inx
    stx scratch + 7
    txa
    lsr a
    tax
    cpx #13
    bne @cell
    lda next_column
    and #$10
    lsr a
    lsr a                       ; 4: the second nametable
    ora #$20
    sta column_address
    ora #$03
    sta attribute_address
    lda next_column
    and #$0F
    asl a
    ora #$80                    ; below four rows of status bar
    sta column_address + 1
    lsr a
    lsr a
    and #$07
    ora #$C8
    sta attribute_address + 1
    rts

; Seven attribute bytes, this column's half of each renewed.
make_attributes:
    lda next_column
    and #$1E
    asl a
    asl a                       ; 8 bytes for each pair of columns
    sta scratch + 8
    ldx #0
@pair:
    stx scratch + 9
    ldy column_cells + 1, x
    cpx #12
    bcc @has_lower
    ldy #0                      ; below the last row
@has_lower:
    lda metatile_palette, y
    asl a
    asl a
    asl a
    asl a
    ldy column_cells, x
    ora metatile_palette, y
    sta scratch + 10
    ldx scratch + 8
    lda next_column
    lsr a
    bcc @left
    asl scratch + 10
    asl scratch + 10
    lda attribute_shadow, x
    and #%00110011
    jmp @join
@left:
    lda attribute_shadow, x
    and #%11001100
@join:
    ora scratch + 10
    sta attribute_shadow, x
    inc scratch + 8
    pha
    lda scratch + 9
    lsr a
    tax
    pla
    sta column_attributes, x
    lda scratch + 9
    clc
    adc #2
    tax
    cpx #14
    bcc @pair
    rts

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
