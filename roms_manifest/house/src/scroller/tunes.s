; Tunes: for each voice bytes that are a note, REST, len(frames) for the notes that follow,
; a jump back, or the end. And sound effects: volume, period low, period high, every second frame.

REST = $60
KICK = 0
HAT = 1
SNARE = 2
.define len(frames) $80 | frames

TUNE_NONE  = 0
TUNE_TITLE = 1
TUNE_LEVEL = 2                  ; and 3, every second level
TUNE_FLAG  = 4
TUNE_OVER  = 5
TUNE_WIN   = 6

.define TUNE_VOICES no_voice, no_voice, no_voice, no_voice, \
    title_lead, title_chords, title_bass, title_drums, \
    glade_lead, glade_chords, glade_bass, glade_drums, \
    night_lead, night_chords, night_bass, glade_drums, \
    flag_lead, flag_chords, flag_bass, no_voice, \
    over_lead, over_chords, over_bass, no_voice, \
    win_lead, title_chords, title_bass, title_drums
tune_voices_lo: .lobytes TUNE_VOICES
tune_voices_hi: .hibytes TUNE_VOICES

no_voice:
    .byte $FF

.macro again where
    .byte $FE, <where, >where
.endmacro

glade_lead:
    .byte len(11)
    .byte E5, REST, G5, E5, C5, REST, D5, E5
    .byte A4, REST, C5, E5, D5, REST, C5, A4
    .byte F5, REST, A5, F5, D5, REST, E5, F5
    .byte G5, REST, D5, B4, G4, REST, A4, B4
    .byte E5, REST, G5, E5, C6, REST, B5, A5
    .byte A5, REST, E5, C5, A4, REST, C5, E5
    .byte F5, E5, D5, C5, B4, C5, D5, B4
    .byte C5, REST, G4, REST
    .byte len(44), C5
    .byte len(11)
    .byte A5, REST, A5, G5, F5, REST, C5, F5
    .byte G5, REST, G5, F5, E5, REST, C5, E5
    .byte F5, REST, E5, D5, A4, REST, D5, F5
    .byte len(22), E5, D5, B4, G4
    .byte len(11)
    .byte A5, REST, C6, A5, F5, REST, G5, A5
    .byte Gs5, REST, C6, Gs5, F5, REST, Ds5, F5
    .byte G5, REST, E5, C5, Cs5, REST, E5, A5
    .byte G5, F5, D5, B4, G4, A4, B4, D5
    again glade_lead

.macro stabs one, two
    .byte REST, one, REST, two
.endmacro
glade_chords:
    .byte len(22)
    stabs G4, E4
    stabs E4, C4
    stabs A4, F4
    stabs F4, D4
    stabs G4, E4
    stabs E4, C4
    stabs A4, F4
    stabs E4, G4
    stabs A4, C5
    stabs G4, C5
    stabs F4, A4
    stabs D4, F4
    stabs A4, C5
    stabs Gs4, C5
    stabs E4, G4
    stabs F4, B4
    again glade_chords

.macro steps one, two
    .byte one, REST, two, REST
.endmacro
glade_bass:
    .byte len(22)
    steps C4, G3
    steps A3, E3
    steps D4, A3
    steps G3, D3
    steps C4, G3
    steps A3, E3
    steps F3, G3
    steps C4, G3
    steps F3, C4
    steps C4, E3
    steps D3, A3
    steps G3, B3
    steps F3, A3
    steps F3, Gs3
    steps C4, A3
    steps D3, G3
    again glade_bass

glade_drums:
    .byte len(11)
    .byte KICK, HAT, SNARE, HAT, KICK, HAT, SNARE, HAT
    .byte KICK, HAT, SNARE, HAT, KICK, KICK, SNARE, HAT
    again glade_drums

night_lead:
    .byte len(13)
    .byte A4, REST, C5, E5, A5, REST, G5, E5
    .byte F5, REST, E5, C5, D5, REST, C5, REST
    .byte B4, REST, D5, F5, Gs5, REST, F5, D5
    .byte C5, B4, A4, B4, C5, REST, E5, REST
    .byte A5, REST, A5, G5, E5, REST, D5, E5
    .byte F5, REST, F5, E5, D5, REST, C5, D5
    .byte E5, REST, B4, REST, Gs4, A4, B4, D5
    .byte C5, REST, B4, REST
    .byte len(52), A4
    again night_lead
night_chords:
    .byte len(26)
    stabs C4, E4
    stabs A4, F4
    stabs D4, F4
    stabs E4, C4
    stabs C4, E4
    stabs A4, F4
    stabs Gs4, E4
    stabs E4, C4
    again night_chords
night_bass:
    .byte len(26)
    steps A3, E3
    steps D3, F3
    steps E3, Gs3
    steps A3, E3
    steps A3, C4
    steps D3, F3
    steps E3, B3
    steps A3, A3
    again night_bass

title_lead:
    .byte len(16)
    .byte C5, E5, G5, E5, A5, G5, E5, C5
    .byte D5, F5, A5, F5, G5, F5, D5, B4
    .byte C5, E5, G5, C6, B5, G5, A5, E5
    .byte F5, D5, B4, D5
    .byte len(48), C5
    .byte len(16), REST
    again title_lead
title_chords:
    .byte len(32)
    stabs E4, C4
    stabs F4, D4
    stabs E4, C4
    stabs F4, E4
    again title_chords
title_bass:
    .byte len(32)
    steps C4, G3
    steps D4, G3
    steps C4, A3
    steps G3, C4
    again title_bass
title_drums:
    .byte len(16)
    .byte KICK, HAT, HAT, HAT, SNARE, HAT, HAT, HAT
    again title_drums

flag_lead:
    .byte len(8), C5, E5, G5, C6, E6, len(20), G6
    .byte len(8), Gs5, C6, Ds6, len(20), Gs6
    .byte len(8), As5, D6, F6, As6, As6, As6, len(40), C6, $FF
flag_chords:
    .byte len(8), E4, G4, C5, E5, G5, len(20), C6
    .byte len(8), C5, Ds5, Gs5, len(20), C6
    .byte len(8), D5, F5, As5, D6, D6, D6, len(40), E5, $FF
flag_bass:
    .byte len(60), C3, len(44), Gs3, len(24), As3, As3, len(40), C4, $FF

over_lead:
    .byte len(20), E5, REST, C5, REST, A4, len(30), B4, A4, Gs4, len(60), A4, $FF
over_chords:
    .byte len(20), C5, REST, A4, REST, E4, len(30), E4, E4, D4, len(60), C4, $FF
over_bass:
    .byte len(20), A3, REST, E3, REST, C3, len(30), D3, E3, E3, len(60), A3, $FF

win_lead:
    .byte len(16)
    .byte G5, E5, C6, G5, A5, B5, C6, REST
    .byte A5, F5, D6, A5, B5, C6, D6, REST
    .byte E6, C6, G5, E5, F5, A5, C6, A5
    .byte G5, F5, E5, D5
    .byte len(48), C5
    .byte len(16), REST
    again win_lead

SOUND_JUMP  = 0
SOUND_COIN  = 1
SOUND_STOMP = 2
SOUND_BUMP  = 3
SOUND_BRICK = 4
SOUND_DIE   = 5
SOUND_LIFE  = 6
SOUND_PAUSE = 7
SOUND_START = 8
SOUND_TALLY = 9

.define SOUNDS sound_jump, sound_coin, sound_stomp, sound_bump, sound_brick, sound_die, \
    sound_life, sound_pause, sound_start, sound_tally
effects_lo: .lobytes SOUNDS
effects_hi: .hibytes SOUNDS

.macro tone volume, period
    .byte $B0 | volume, <period, >period
.endmacro
sound_jump:
    tone 7, 380
    tone 7, 330
    tone 6, 290
    tone 6, 250
    tone 5, 215
    tone 4, 185
    tone 3, 160
    .byte 0
sound_coin:
    tone 8, 112
    tone 8, 112
    tone 8, 84
    tone 7, 84
    tone 6, 84
    tone 5, 84
    tone 4, 84
    tone 3, 84
    tone 2, 84
    .byte 0
sound_stomp:
    tone 9, 300
    tone 8, 420
    tone 7, 250
    tone 5, 180
    tone 3, 130
    .byte 0
sound_bump:
    tone 8, 900
    tone 7, 1100
    tone 5, 1300
    .byte 0
sound_brick:
    tone 9, 700
    tone 8, 1200
    tone 7, 500
    tone 6, 1400
    tone 4, 900
    tone 3, 1500
    .byte 0
sound_die:
    tone 9, 200
    tone 9, 240
    tone 9, 200
    tone 9, 240
    tone 8, 300
    tone 8, 360
    tone 8, 430
    tone 7, 510
    tone 7, 600
    tone 6, 720
    tone 6, 860
    tone 5, 1020
    tone 4, 1220
    tone 3, 1460
    tone 2, 1740
    .byte 0
sound_life:
    tone 8, 169
    tone 8, 142
    tone 8, 84
    tone 8, 106
    tone 8, 95
    tone 8, 71
    tone 5, 71
    tone 3, 71
    .byte 0
sound_pause:
    tone 7, 169
    tone 7, 112
    tone 7, 169
    tone 7, 112
    tone 4, 112
    .byte 0
sound_start:
    tone 7, 225
    tone 7, 169
    tone 7, 134
    tone 8, 112
    tone 8, 112
    tone 6, 84
    tone 5, 84
    tone 3, 84
    .byte 0
sound_tally:
    tone 5, 95
    tone 3, 95
    .byte 0
