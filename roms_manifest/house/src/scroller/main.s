; Foxtrot: a small platform game for NROM, one of nesproof's house ROMs.
; The whole game runs inside the NMI handler; the main program jumps to itself.
; A sprite-0 hit splits the screen below the status bar.

.linecont +
.include "hardware.inc"
.include "ram.inc"
.include "assets.inc"

.segment "HEADER"
    .byte "NES", $1A
    .byte 2, 1                  ; 32 KiB PRG, 8 KiB CHR
    .byte $01, $00              ; vertical mirroring, mapper 0
    .byte 0, 0, 0, 0, 0, 0, 0, 0

.segment "CODE"
.include "boot.s"
.include "frame.s"
.include "modes.s"
.include "cards.s"
.include "play.s"
.include "flag.s"
.include "score.s"
.include "loading.s"
.include "columns.s"
.include "blocks.s"
.include "player.s"
.include "player_walls.s"
.include "player_jump.s"
.include "player_pose.s"
.include "camera.s"
.include "player_touch.s"
.include "creatures.s"
.include "creature_ground.s"
.include "creature_pictures.s"
.include "creature_meetings.s"
.include "effects.s"
.include "ambient.s"
.include "butterflies.s"
.include "glints.s"
.include "sprites.s"
.include "hud.s"
.include "chance.s"
.include "sound.s"

.segment "RODATA"
.include "palettes.s"
.include "texts.s"
.include "tunes.s"

.segment "VECTORS"
    .word nmi, reset, irq

.segment "CHR"
    .incbin "scroller.chr"
