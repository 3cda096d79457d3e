; One frame: the vertical blank's work first, then the split, then the game.

nmi:
    pha
    txa
    pha
    tya
    pha
    lda busy_flag
    beq @ready
    inc lag_frames
    jmp nmi_end
@ready:
    inc busy_flag
    lda #0
    sta OAMADDR
    lda #>oam
    sta OAMDMA
    jsr flush_column
    jsr flush_queue
    lda #CTRL_BASE
    sta PPUCTRL
    bit PPUSTATUS
    lda #0
    sta PPUSCROLL
    sta PPUSCROLL
    lda mask_shadow
    sta PPUMASK
    inc frame_counter
    bne @counted
    inc frame_counter + 1
@counted:
    jsr play_sound
    jsr read_buttons
    jsr step_chance
    jsr move_air
    jsr split_screen
    jsr run_mode
    dec busy_flag
nmi_end:
    pla
    tay
    pla
    tax
    pla
    rti

; What moves in the air has time before the split: its work is bounded, and it touches no register.
move_air:
    ldx game_mode
    lda has_air, x
    beq @still
    lda paused
    bne @still
    jsr move_ambients
    jmp move_butterflies
@still:
    rts

; by mode: title, play, dying and flag show the level
has_air: .byte 1, 0, 0, 1, 1, 1, 0, 0

; Wait for sprite 0 at the bottom of the status bar, then scroll the rest of the screen.
; Both waits are bounded, so that a console whose sprite 0 never hits only loses the split.
split_screen:
    lda mask_shadow
    bne @split
    rts
@split:
    ldx #0
await_clear:
    bit PPUSTATUS
    bvc split_armed
    inx
    bne await_clear
split_armed:
    ldx #0
    ldy #3
await_hit:
    bit PPUSTATUS
    bvs split_now
    inx
    bne await_hit
    dey
    bne await_hit
split_now:
    lda camera_x
    sta PPUSCROLL
    lda #0
    sta PPUSCROLL
    lda camera_x + 1
    and #1
    ora #CTRL_BASE
    sta PPUCTRL
    rts

; Read controller 1 into buttons and pressed. A twice-read agreement is not needed: no DMC plays.
read_buttons:
    ldx buttons
    lda #1
    sta JOY1
    lsr a
    sta JOY1
    ldy #8
@bit:
    lda JOY1
    and #$03
    cmp #1
    ror buttons
    dey
    bne @bit
    txa
    eor #$FF
    and buttons
    sta pressed
    rts

; Send the waiting column: two runs of 26 tiles downwards, then seven attribute bytes.
flush_column:
    lda column_ready
    beq @done
    lda #CTRL_BASE | 4
    sta PPUCTRL
    bit PPUSTATUS
    lda column_address
    sta PPUADDR
    lda column_address + 1
    sta PPUADDR
    ldx #0
@left:
    lda column_tiles, x
    sta PPUDATA
    inx
    cpx #26
    bne @left
    lda column_address
    sta PPUADDR
    ldy column_address + 1
    iny
    sty PPUADDR
@right:
    lda column_tiles, x
    sta PPUDATA
    inx
    cpx #52
    bne @right
    ldx #0
    ldy attribute_address + 1
@attribute:
    lda attribute_address
    sta PPUADDR
    sty PPUADDR
    lda column_attributes, x
    sta PPUDATA
    tya
    clc
    adc #8
    tay
    inx
    cpx #7
    bne @attribute
    lda #0
    sta column_ready
@done:
    rts

; Send the video queue: runs of address high, address low, count, bytes; a zero ends it.
flush_queue:
    lda #CTRL_BASE
    sta PPUCTRL
    ldx #0
    stx queue_end
@run:
    lda video_queue, x
    beq @done
    bit PPUSTATUS
    sta PPUADDR
    lda video_queue + 1, x
    sta PPUADDR
    ldy video_queue + 2, x
    inx
    inx
    inx
@byte:
    lda video_queue, x
    sta PPUDATA
    inx
    dey
    bne @byte
    beq @run
@done:
    sta video_queue
    rts
