; Words on the screen, as runs for the video queue: address high, low, length, tiles.

.repeat 10, i
    .charmap $30 + i, TILE_ZERO + i
.endrepeat
.repeat 26, i
    .charmap $41 + i, TILE_ZERO + 10 + i
.endrepeat
.charmap '-', TILE_ZERO + 36
.charmap '.', TILE_ZERO + 37
.charmap '!', TILE_ZERO + 38
.charmap '*', TILE_TIMES
.charmap ' ', TILE_SPACE
.charmap '_', TILE_LEDGE
.charmap '~', TILE_SKY

.macro text_at column, row, string
    .byte $20 + (row * 32 + column) / 256, <(row * 32 + column), .strlen(string), string
.endmacro

TEXT_PRESS      = 0
TEXT_NO_PRESS   = 1
TEXT_SUBTITLE   = 2
TEXT_TOP        = 3
TEXT_ATTRIBUTES = 4
TEXT_LEVEL      = 5
TEXT_LIVES      = 6
TEXT_OVER       = 7
TEXT_OVER2      = 8
TEXT_WIN        = 9
TEXT_WIN2       = 10
TEXT_PANEL      = 11
TEXT_PANEL2     = 12

text_press:     text_at 8, 17, "  PRESS START   "
text_no_press:  text_at 8, 17, "                "
text_subtitle:  text_at 7, 13, " A RUN FOR THE DEN "
text_top:       text_at 8, 18, "  TOP    000000 "
text_panel:     text_at 8, 16, "                "
text_panel2:    text_at 8, 19, "                "
text_level:     text_at 12, 13, "LEVEL 1"
text_lives:     text_at 16, 18, "* 3"
text_over:      text_at 11, 13, "GAME OVER"
text_over2:     text_at 6, 21, "THE FOREST IS WAITING"
text_win:       text_at 9, 12, "HOME AT LAST!"
text_win2:      text_at 4, 21, "THE FOX DANCES ALL NIGHT"
; The title's attributes: letters gold, words white.
text_attributes:
    .byte $23, $D0, 24
    .byte $00, $AA, $AA, $AA, $AA, $AA, $AA, $00
    .byte $FF, $FF, $FF, $FF, $FF, $FF, $FF, $FF
    .byte $00, $00, $FF, $FF, $FF, $FF, $00, $00

.define TEXTS text_press, text_no_press, text_subtitle, text_top, text_attributes, text_level, \
    text_lives, text_over, text_over2, text_win, text_win2, \
    text_panel, text_panel2
texts_lo: .lobytes TEXTS
texts_hi: .hibytes TEXTS

hud_frame:
    .byte "                                "
    .byte "  SCORE   COINS LEVEL TIME LIFE "
    .byte "  000000  **00    1   000  **0  "
    .byte "________________________________"
