; The sprite list, built anew every frame. Sprite 0 is the dot that splits the screen.

hide_sprites:
    lda #$F8
    ldx #0
@one:
    sta oam, x
    inx
    inx
    inx
    inx
    bne @one
    rts

begin_sprites:
    lda #23                     ; its dot lies in scanline 30, which is black from end to end
    sta oam
    lda #SPR_SPLIT_DOT
    sta oam + 1
    lda #$23
    sta oam + 2
    lda #240
    sta oam + 3
    lda #4
    sta oam_end
    rts

; Hide what is left of the list.
end_sprites:
    ldx oam_end
    beq @full
    lda #$F8
@one:
    sta oam, x
    inx
    inx
    inx
    inx
    bne @one
@full:
    rts

; One 8x8 tile at (sprite_x, sprite_y), unless it is off the screen, behind the status bar, or the
; list is full. Keeps X.
put_tile:
    lda sprite_x + 1
    bne @no
    lda sprite_y
    cmp #32
    bcc @no
    cmp #232
    bcs @no
    ldy oam_end
    beq @no
    sbc #0                      ; carry is clear: one less, as the hardware wants
    sta oam, y
    lda sprite_tile
    sta oam + 1, y
    lda sprite_attr
    sta oam + 2, y
    lda sprite_x
    sta oam + 3, y
    tya
    clc
    adc #4
    sta oam_end
@no:
    rts

; A picture two tiles wide and A tiles high, from sprite_tile on, mirrored by sprite_attr.
put_picture:
    sta sprite_rows
    bit sprite_attr
    bvs @mirrored
@row:
    jsr put_tile
    inc sprite_tile
    jsr @right
    jsr put_tile
    inc sprite_tile
    jsr @left
    dec sprite_rows
    bne @row
    rts
@mirrored:
    jsr @right
@mirrored_row:
    jsr put_tile
    inc sprite_tile
    jsr @left_only
    jsr put_tile
    inc sprite_tile
    jsr @right
    lda sprite_y
    clc
    adc #8
    sta sprite_y
    dec sprite_rows
    bne @mirrored_row
    jmp @left_only
@right:
    lda sprite_x
    clc
    adc #8
    sta sprite_x
    bcc @same
    inc sprite_x + 1
@same:
    rts
@left:
    lda sprite_y
    clc
    adc #8
    sta sprite_y
@left_only:
    lda sprite_x
    sec
    sbc #8
    sta sprite_x
    bcs @same
    dec sprite_x + 1
    rts

WATER_LINE = 194                ; a fox whose top is below it is going under

pose_top:
    .byte SPR_FOX_TOP, SPR_FOX_TOP_RUN, SPR_FOX_TOP, SPR_FOX_TOP_RUN
    .byte SPR_FOX_TOP_JUMP, SPR_FOX_TOP_JUMP, SPR_FOX_TOP_SKID, SPR_FOX_TOP_HURT
pose_legs:
    .byte SPR_FOX_LEGS_STAND, SPR_FOX_LEGS_RUN1, SPR_FOX_LEGS_RUN2, SPR_FOX_LEGS_RUN3
    .byte SPR_FOX_LEGS_JUMP, SPR_FOX_LEGS_FALL, SPR_FOX_LEGS_SKID, SPR_FOX_LEGS_FALL

draw_player:
    lda player_hidden
    beq @visible
    rts
@visible:
    lda player_x
    sec
    sbc camera_x
    sta sprite_x
    lda player_x + 1
    sbc camera_x + 1
    sta sprite_x + 1
    lda player_y
    sta sprite_y
    ldx player_pose
    lda player_alive
    bne @pose
    ldx #POSE_HURT
@pose:
    lda player_face
    ldy player_y
    cpy #WATER_LINE
    bcc draw_fox
    ora #$20                    ; behind the water
draw_fox:
    sta sprite_attr
    lda pose_legs, x
    pha
    lda pose_top, x
    sta sprite_tile
    lda #2
    jsr put_picture
    pla
    sta sprite_tile
    lda #1
    jmp put_picture

; The fox on a card: it waits, lies, or dances.
draw_card_fox:
    lda #0
    sta sprite_x + 1
    lda #104
    sta sprite_x
    lda #132
    sta sprite_y
    ldx #POSE_STAND
    lda game_mode
    cmp #MODE_OVER
    bne @not_over
    ldx #POSE_HURT
@not_over:
    cmp #MODE_WIN
    bne @still
    lda mode_clock
    and #$18
    lsr a
    lsr a
    lsr a
    tay
    ldx dance_poses, y
    lda mode_clock
    and #$20
    asl a
    jmp draw_fox
@still:
    lda #0
    jmp draw_fox

dance_poses: .byte POSE_STAND, POSE_JUMP, POSE_RUN, POSE_SKID

FLAG_TOP        = 104
FLAG_BOTTOM     = 176
FLAG_FOX_BOTTOM = 168

draw_flag:
    lda flag_x
    sec
    sbc camera_x
    sta sprite_x
    lda flag_x + 1
    sbc camera_x + 1
    sta sprite_x + 1
    cmp #1
    bcc @near
    beq @done
    lda sprite_x                ; the pole's cell may begin left of the screen
@near:
    lda sprite_x
    clc
    adc #9
    sta sprite_x
    bcc @same
    inc sprite_x + 1
@same:
    lda flag_y
    sta sprite_y
    lda #SPR_FLAG
    sta sprite_tile
    lda #1
    sta sprite_attr
    lda #1
    jmp put_picture
@done:
    rts
