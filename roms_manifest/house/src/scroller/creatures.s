; Beetles walk, frogs leap at the fox, hogs turn round at ledges and cannot be stomped.

BEETLE = 1
FROG   = 2
HOG    = 3

; Wake the creatures that stand in the column just decoded; scratch + 1 is its screen.
wake_creatures:
    ldx scratch + 1
    lda screen_creatures_lo, x
    sta list2
    lda screen_creatures_hi, x
    sta list2 + 1
    ldy #0
@entry:
    lda (list2), y
    cmp #$FF
    beq @done
    sta scratch + 2
    iny
    lsr a
    lsr a
    lsr a
    lsr a
    eor next_column
    and #$0F
    bne @skip
    ldx #CREATURES - 1
@slot:
    lda creature_type, x
    beq @free
    dex
    bpl @slot
@skip:
    iny
    bne @entry
@done:
    rts
@free:
    lda (list2), y
    sta creature_type, x
    lda scratch + 2
    and #$0F
    asl a
    asl a
    asl a
    asl a
    clc
    adc #32
    sta creature_y, x
    lda next_column
    asl a
    asl a
    asl a
    asl a
    sta creature_x, x
    lda next_column
    lsr a
    lsr a
    lsr a
    lsr a
    sta creature_xh, x
    lda #0
    sta creature_xs, x
    sta creature_ys, x
    sta creature_vy, x
    sta creature_vyh, x
    sta creature_state, x
    sta creature_grounded, x
    lda #40
    sta creature_clock, x
    lda #<-$80
    sta creature_vx, x
    lda #>-$80
    sta creature_vxh, x
    bne @skip

move_creatures:
    ldx #CREATURES - 1
@slot:
    lda creature_type, x
    beq @next
    stx object
    lda creature_state, x
    beq @lively
    dec creature_clock, x
    bne @next
    lda #0
    sta creature_type, x
    beq @next
@lively:
    jsr is_near
    bcc @far
    jsr decide
    jsr step_creature
    jsr creature_walls
    jsr creature_floor
    ldx object
    lda creature_y, x
    cmp #232
    bcc @next
@far:
    ldx object
    lda #0
    sta creature_type, x
@next:
    dex
    bpl @slot
    rts

; Carry clear: creature X has left the neighbourhood of the screen.
is_near:
    lda creature_x, x
    sec
    sbc camera_x
    tay
    lda creature_xh, x
    sbc camera_x + 1
    beq @near
    cmp #1
    beq @right
    cpy #$D0                    ; up to 48 pixels left of the screen
    rts
@right:
    cpy #$50
    bcc @near
    clc
    rts
@near:
    sec
    rts

; What creature X wants.
decide:
    lda creature_type, x
    cmp #FROG
    bne @walks
    inc creature_clock, x
    lda creature_grounded, x
    beq @done
    lda #0
    sta creature_vx, x
    sta creature_vxh, x
    lda creature_clock, x
    cmp #70
    bcc @done
    ; leap towards the fox
    lda lfsr
    and #$1F
    sta creature_clock, x
    lda #<-$0440
    sta creature_vy, x
    lda #>-$0440
    sta creature_vyh, x
    lda player_x
    cmp creature_x, x
    lda player_x + 1
    sbc creature_xh, x
    bcs @right
    lda #<-$0110
    sta creature_vx, x
    lda #>-$0110
    sta creature_vxh, x
@done:
    rts
@right:
    lda #<$0110
    sta creature_vx, x
    lda #>$0110
    sta creature_vxh, x
    rts
@walks:
    inc creature_clock, x
    rts

step_creature:
    lda creature_vy, x
    clc
    adc #$38
    sta creature_vy, x
    bcc @slow
    inc creature_vyh, x
@slow:
    lda creature_vyh, x
    bmi @rising
    cmp #4
    bcc @rising
    lda #0
    sta creature_vy, x
    lda #4
    sta creature_vyh, x
@rising:
    lda creature_ys, x
    clc
    adc creature_vy, x
    sta creature_ys, x
    lda creature_y, x
    adc creature_vyh, x
    sta creature_y, x
    ldy #0
    lda creature_vxh, x
    bpl @right
    dey
@right:
    lda creature_xs, x
    clc
    adc creature_vx, x
    sta creature_xs, x
    lda creature_x, x
    adc creature_vxh, x
    sta creature_x, x
    tya
    adc creature_xh, x
    sta creature_xh, x
    rts
