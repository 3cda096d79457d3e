; Power-on and reset: known RAM, blank screen, then the endless jump.

reset:
    sei
    cld
    ldx #$40
    stx JOY2                    ; no frame interrupts
    ldx #$FF
    txs
    inx
    stx PPUCTRL
    stx PPUMASK
    stx DMC_FREQ
    stx SND_CHN
    bit PPUSTATUS
@blank1:
    bit PPUSTATUS
    bpl @blank1
    txa
@clear:
    sta $00, x
    sta $0100, x
    sta $0200, x
    sta $0300, x
    sta $0400, x
    sta $0500, x
    sta $0600, x
    sta $0700, x
    inx
    bne @clear
    nop                         ; else the loop below reads in the very dot that raises the flag, and loses a frame
@blank2:
    bit PPUSTATUS
    bpl @blank2
    ; a black screen until the title is drawn
    bit PPUSTATUS
    lda #$3F
    sta PPUADDR
    lda #$00
    sta PPUADDR
    lda #$0F
    sta PPUDATA
    lda #$00                    ; an address in the palette would show its colour
    sta PPUADDR
    sta PPUADDR
    jsr hide_sprites
    jsr silence
    lda #$E1
    sta lfsr
    sta lfsr + 1
    lda #3
    sta lives
    jsr enter_title
    bit PPUSTATUS
    lda #CTRL_BASE
    sta PPUCTRL
forever:
    jmp forever

irq:
    rti

; Fill one nametable with sky, its attributes with palette 0. A: high byte of its address.
; Rendering must be off.
clear_nametable:
    bit PPUSTATUS
    sta PPUADDR
    lda #0
    sta PPUADDR
    ldx #4
    ldy #0
    lda #TILE_SKY
@page:
    sta PPUDATA
    iny
    bne @page
    dex
    bne @page
    rts
