; Music on four voices, and one sound effect at a time that borrows the second pulse.

.include "notes.inc"

PULSE1   = 0
PULSE2   = 1
TRIANGLE = 2
NOISE    = 3

silence:
    lda #$0F
    sta SND_CHN
    lda #$30
    sta SQ1_VOL
    sta SQ2_VOL
    sta NOISE_VOL
    lda #$80
    sta TRI_LINEAR
    lda #$08
    sta SQ1_SWEEP
    sta SQ2_SWEEP
    lda #0
    sta TRI_HI
    sta NOISE_HI
    rts

; Start tune A.
start_tune:
    cmp tune
    beq @done
    sta tune
    asl a
    asl a
    tay
    ldx #0
@voice:
    lda tune_voices_lo, y
    sta voice_list, x
    lda tune_voices_hi, y
    sta voice_list_hi, x
    lda #1
    sta voice_wait, x
    lda #$FF
    sta voice_period_hi, x
    lda #REST
    sta voice_note, x
    iny
    inx
    cpx #VOICES
    bne @voice
@done:
    rts

; Start sound effect A; it replaces the one that plays.
play_effect:
    tax
    lda effects_lo, x
    sta effect_list
    lda effects_hi, x
    sta effect_list + 1
    lda #1
    sta effect_clock
    rts

play_sound:
    lda paused
    bne @effect
    ldx #VOICES - 1
@voice:
    jsr play_voice
    dex
    bpl @voice
@effect:
    lda effect_list + 1
    beq @done
    dec effect_clock
    bne @done
    lda #2
    sta effect_clock
    ; volume and duty, period low, period high; a zero ends
    ldy #0
    lda (effect_list), y
    beq @over
    sta SQ2_VOL
    iny
    lda (effect_list), y
    sta SQ2_LO
    iny
    lda (effect_list), y
    cmp voice_period_hi + PULSE2
    beq @same
    sta voice_period_hi + PULSE2
    sta SQ2_HI
@same:
    lda effect_list
    clc
    adc #3
    sta effect_list
    bcc @done
    inc effect_list + 1
@done:
    rts
@over:
    sta effect_list + 1
    lda #$30
    sta SQ2_VOL
    lda #$FF
    sta voice_period_hi + PULSE2
    rts

; One frame of voice X.
play_voice:
    lda voice_list_hi, x
    beq @silent
    inc voice_age, x
    dec voice_wait, x
    bne @sound
    sta list + 1
    lda voice_list, x
    sta list
    ldy #0
@event:
    lda (list), y
    iny
    cmp #$FE
    beq @jump
    bcs @end
    cmp #$80
    bcc @note
    and #$3F
    sta voice_length, x
    bcs @event
@jump:
    lda (list), y
    pha
    iny
    lda (list), y
    sta list + 1
    pla
    sta list
    ldy #0
    beq @event
@end:
    lda #0
    sta voice_list_hi, x
@silent:
    lda #REST
    sta voice_note, x
    jmp @sound
@note:
    sta voice_note, x
    lda #0
    sta voice_age, x
    lda voice_length, x
    sta voice_wait, x
    tya
    clc
    adc list
    sta voice_list, x
    lda list + 1
    adc #0
    sta voice_list_hi, x
@sound:
    cpx #TRIANGLE
    bcc @pulse
    beq @triangle
    jmp sound_noise
@triangle:
    jmp sound_triangle
@pulse:
    ; a pulse, unless the second one is lent to an effect
    cpx #PULSE2
    bne @mine
    lda effect_list + 1
    bne @lent
@mine:
    ldy voice_register, x
    lda voice_note, x
    cmp #REST
    bne @tone
    lda #$30
    sta SQ1_VOL, y
@lent:
    rts
@tone:
    lda voice_age, x
    cmp #31
    bcc @young
    lda #31
@young:
    sty scratch
    tay
    lda pulse_envelope, y
    ora pulse_duty, x
    ldy scratch
    sta SQ1_VOL, y
    ; a held note trembles
    lda voice_age, x
    lsr a
    and #$07
    tay
    lda voice_age, x
    cmp #18
    bcs @tremble
    ldy #0
@tremble:
    lda vibrato, y
    ldy voice_note, x
    clc
    adc period_low, y
    sta scratch + 1
    lda period_high, y
    ldy scratch
    cmp voice_period_hi, x
    beq @same
    sta voice_period_hi, x
    sta SQ1_HI, y
@same:
    lda scratch + 1
    sta SQ1_LO, y
    rts

sound_triangle:
    ldy voice_note, x
    cpy #REST
    beq @rest
    lda voice_age, x
    bne @hold
    lda #$FF
    sta TRI_LINEAR
    lda period_low, y
    sta TRI_LO
    lda period_high, y
    sta TRI_HI
    rts
@hold:
    cmp #14
    bcc @done
@rest:
    lda #$80
    sta TRI_LINEAR
@done:
    rts

sound_noise:
    ldy voice_note, x
    cpy #REST
    beq @rest
    lda drum_period, y
    sta NOISE_LO
    lda drum_start, y
    sec
    sbc voice_age, x
    bcs @audible
    lda #0
@audible:
    ora #$30
    sta NOISE_VOL
    rts
@rest:
    lda #$30
    sta NOISE_VOL
    rts

voice_register: .byte 0, 4
pulse_duty:     .byte $70, $B0
pulse_envelope:
    .byte 9, 9, 8, 8, 7, 7, 6, 6, 6, 5, 5, 5, 5, 4, 4, 4
    .byte 4, 4, 4, 3, 3, 3, 3, 3, 2, 2, 2, 2, 2, 1, 1, 1
vibrato:        .byte 0, 0, 1, 1, 1, 1, 0, 0
drum_period:    .byte $0D, $03, $06
drum_start:     .byte 9, 4, 7
