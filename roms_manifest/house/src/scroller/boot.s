; Power-on and reset: known RAM, blank screen, then the endless jump.

reset:
    .include "power_on.inc"
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
