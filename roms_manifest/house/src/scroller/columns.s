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
