; Palettes: four of the background, four of the sprites. The first four are the levels' themes.

palette_day:
    .byte $21, $07, $17, $2A
    .byte $21, $0A, $1A, $2A
    .byte $21, $07, $27, $38
    .byte $21, $0F, $11, $30
    .byte $21, $0F, $27, $30
    .byte $21, $0F, $16, $30
    .byte $21, $0F, $1A, $39
    .byte $21, $07, $28, $38
palette_dusk:
    .byte $36, $05, $16, $27
    .byte $36, $03, $13, $23
    .byte $36, $06, $27, $38
    .byte $36, $0F, $13, $37
    .byte $36, $0F, $27, $30
    .byte $36, $0F, $16, $30
    .byte $36, $0F, $1A, $39
    .byte $36, $07, $28, $38
palette_snow:
    .byte $02, $0F, $00, $31
    .byte $02, $0C, $1C, $3C
    .byte $02, $0F, $27, $38
    .byte $02, $0F, $11, $31
    .byte $02, $0F, $27, $30
    .byte $02, $0F, $16, $30
    .byte $02, $0F, $1A, $39
    .byte $02, $07, $28, $38
palette_autumn:
    .byte $31, $07, $18, $28
    .byte $31, $06, $16, $27
    .byte $31, $07, $27, $38
    .byte $31, $0F, $1C, $30
    .byte $31, $0F, $27, $30
    .byte $31, $0F, $16, $30
    .byte $31, $0F, $1A, $39
    .byte $31, $07, $28, $38
palette_card:
    .byte $0F, $07, $17, $2A
    .byte $0F, $0A, $1A, $2A
    .byte $0F, $07, $27, $38
    .byte $0F, $0F, $27, $30
    .byte $0F, $0F, $27, $30
    .byte $0F, $0F, $16, $30
    .byte $0F, $0F, $1A, $39
    .byte $0F, $07, $28, $38
PALETTE_CARD = 4
.define PALETTES palette_day, palette_dusk, palette_snow, palette_autumn, palette_card
palettes_lo: .lobytes PALETTES
palettes_hi: .hibytes PALETTES
