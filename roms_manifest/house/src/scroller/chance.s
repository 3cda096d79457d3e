; Chance: a 16-bit Galois shift register, seeded from the frame counter when a game starts.

step_chance:
    lsr lfsr + 1
    ror lfsr
    bcc @done
    lda lfsr + 1
    eor #$B4
    sta lfsr + 1
@done:
    rts

seed_chance:
    lda frame_counter
    eor #$E1
    sta lfsr
    lda frame_counter + 1
    ora #$AC                    ; never zero
    sta lfsr + 1
    rts
