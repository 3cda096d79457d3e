; Creatures meet each other and the fox.

meet_creatures:
    ldx #CREATURES - 1
@first:
    lda creature_type, x
    beq @next
    lda creature_state, x
    bne @next
    stx object
    jsr meet_player
    ldx object
    txa
    tay
@other:
    dey
    bmi @next
    lda creature_type, y
    beq @other
    lda creature_state, y
    bne @other
    ; apart by less than 14 pixels both ways?
    lda creature_y, x
    sec
    sbc creature_y, y
    clc
    adc #13
    cmp #27
    bcs @other
    lda creature_x, x
    sbc creature_x, y           ; carry is clear: one less
    sta scratch
    lda creature_xh, x
    sbc creature_xh, y
    sta scratch + 1
    lda scratch
    adc #13                     ; carry says nothing here; a pixel more or less is nothing
    sta scratch
    lda scratch + 1
    adc #0
    bne @other
    lda scratch
    cmp #28
    bcs @other
    ; the right one goes right, the left one left
    cmp #14
    bcs @right
    jsr face_left
    jmp @turned
@right:
    jsr face_right
@turned:
    jmp @other
@next:
    dex
    bpl @first
    rts

; Creature X goes right, Y left; each keeps its speed.
face_right:
    lda creature_vxh, x
    bpl @other
    jsr turn_creature
@other:
    lda creature_vxh, y
    bmi turned
    bpl turn_second
; Creature X goes left, Y right.
face_left:
    lda creature_vxh, x
    bmi @other
    jsr turn_creature
@other:
    lda creature_vxh, y
    bpl turned
turn_second:
    sec
    lda #0
    sbc creature_vx, y
    sta creature_vx, y
    lda #0
    sbc creature_vxh, y
    sta creature_vxh, y
turned:
    rts

; Creature X against the fox.
meet_player:
    lda creature_y, x
    sec
    sbc player_y
    clc
    adc #12
    cmp #33
    bcs turned
    sta scratch + 2
    lda creature_x, x
    sec
    sbc player_x
    sta scratch
    lda creature_xh, x
    sbc player_x + 1
    sta scratch + 1
    lda scratch
    clc
    adc #11
    sta scratch
    lda scratch + 1
    adc #0
    bne turned
    lda scratch
    cmp #23
    bcs turned
    ; falling on it from above?
    lda player_grounded
    bne @hurt
    lda player_vy + 1
    bmi @hurt
    lda scratch + 2
    cmp #20
    bcc @hurt
    lda creature_type, x
    cmp #HOG
    beq @hurt
    jmp stomp
@hurt:
    jmp kill_player

stomp:
    lda game_mode
    cmp #MODE_PLAY
    bne turned
    lda #1
    sta creature_state, x
    lda #28
    sta creature_clock, x
    lda #<-$0380
    sta player_vy
    lda #>-$0380
    sta player_vy + 1
    ; each one more without landing is worth more
    lda stomp_chain
    cmp #8
    bcs @most
    inc stomp_chain
@most:
    lda stomp_chain
    ldy #3
    jsr add_score
    lda #SOUND_STOMP
    jsr play_effect
    ldx object
    lda creature_x, x
    sta scratch + 6
    lda creature_xh, x
    sta scratch + 7
    lda creature_y, x
    sta scratch + 8
    ldx #EFFECT_PUFF
    jmp effect_at
