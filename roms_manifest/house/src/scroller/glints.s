; Coins glint: four columns of the block map are searched each frame, and now and then a coin
; found there sparkles.

GLINT_COLUMNS = 4

find_glints:
    lda #GLINT_COLUMNS
    sta scratch + 9
@column:
    ; the next of the 16 columns on the screen
    lda glint_column
    clc
    adc #1
    and #$0F
    sta glint_column
    asl a
    asl a
    asl a
    asl a
    clc
    adc camera_x
    and #$F0
    sta probe_x
    sta scratch
    lda camera_x + 1
    adc #0
    sta probe_x + 1
    and #1
    clc
    adc #>blocks
    sta scratch + 1
    ldy #12
@cell:
    lda (scratch), y
    cmp #MT_COIN
    beq @coin
    dey
    bpl @cell
@next:
    dec scratch + 9
    bne @column
    rts
@coin:
    ; one in sixteen
    lda lfsr
    eor glint_column
    and #$0F
    bne @next
    tya
    asl a
    asl a
    asl a
    asl a
    clc
    adc #32
    sta probe_y
    ldx #EFFECT_SPARKLE
    jsr effect_from_block
    jmp @next
