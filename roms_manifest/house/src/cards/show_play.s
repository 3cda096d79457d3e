; What the show computes: controllers, sound, hero, actors, the score.

.segment "CODE"
; Eight reads a controller; bit 7 is A.
read_pads:
    lda #1
    sta JOY1
    lsr a
    sta JOY1
    ldx #8
@bit:
    lda JOY1
    lsr a
    rol pads
    lda JOY2
    lsr a
    rol pads + 1
    dex
    bne @bit
    ; what is newly pressed or let go changes the course of chance
    lda pads + 1
    asl a
    adc pads
    cmp pads_before
    beq @held
    sta pads_before
    eor seed
    sta seed
    ora seed + 1
    bne @held
    inc seed
@held:
    rts

play_sound:
    lda #$0F
    sta SND_CHN
    lda frame_counter
    and #15
    bne @end
    lda frame_counter
    lsr a
    lsr a
    lsr a
    lsr a
    and #7
    tax
    lda #$84
    sta SQ1_VOL
    lda #8
    sta SQ1_SWEEP
    lda tones, x
    sta SQ1_LO
    lda #$18
    sta SQ1_HI
    lda #$81
    sta TRI_LINEAR
    lda tones, x
    eor seed
    sta TRI_LO
    lda #1
    sta TRI_HI
@end:
    lda hits
    beq @silent
    ora #$30
    sta NOISE_VOL
    lda seed
    and #15
    sta NOISE_LO
    lda #8
    sta NOISE_HI
@silent:
    rts
tones: .byte $FD, $E2, $D2, $BD, $A9, $9F, $8E, $7E

; Right, Left, Down, Up are bits 0 to 3; B (bit 6) doubles the pace.
move_hero:
    ldy #1
    bit pads
    bvc @steps
    iny
@steps:
    lda pads
    lsr a
    bcc @not_right
    inc hero_x
@not_right:
    lsr a
    bcc @not_left
    dec hero_x
@not_left:
    lsr a
    bcc @not_down
    inc hero_y
@not_down:
    lsr a
    bcc @not_up
    dec hero_y
@not_up:
    dey
    bne @steps
    lda hero_y
    cmp #48
    bcs @low
    lda #48
@low:
    cmp #200
    bcc @high
    lda #200
@high:
    sta hero_y
    rts

; The hero is sprite 1; sprite 0 lies where the status bar ends.
show_hero:
    lda hero_y
    sta oam + 4
    lda frame_counter
    lsr a
    lsr a
    and #7
    ora #$10
    sta oam + 5
    lda #0
    sta oam + 6
    lda hero_x
    sta oam + 7
    lda #26
    sta oam
    lda #$08
    sta oam + 1
    lda #$20
    sta oam + 2
    lda #240
    sta oam + 3
    rts

place_actors:
    ldx #ACTORS - 1
@actor:
    chance
    sta actor_x, x
    chance
    sta actor_phase, x
    and #$7F
    adc #50
    sta actor_y, x
    lda #0
    sta actor_low, x
    sta actor_vy, x
    chance
    and #3
    sbc #1
    sta actor_vx, x
    dex
    bpl @actor
    rts

; Whom the hero touches makes a point and flies up.
collide:
    lda #0
    sta hits
    ldx #ACTORS - 1
@actor:
    lda actor_x, x
    sec
    sbc hero_x
    clc
    adc #7
    cmp #15
    bcs @apart
    lda actor_y, x
    sec
    sbc hero_y
    clc
    adc #7
    cmp #15
    bcs @apart
    lda #<-48
    sta actor_vy, x
    inc hits
@apart:
    dex
    bpl @actor
    lda hits
    beq @end
    cmp #10
    bcc @points
    lda #9
    sta hits
@points:
    ldx #5
    clc
    adc score_digits + 5
@digit:
    cmp #10
    bcc @last
    sbc #10
    sta score_digits, x
    dex
    bmi @end
    lda score_digits, x
    adc #0                      ; the carry is set: ten more
    bne @digit
@last:
    sta score_digits, x
@end:
    rts
