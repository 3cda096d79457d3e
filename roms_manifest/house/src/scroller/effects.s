; Short-lived things: a coin leaping from a block, shards of brick, puffs, sparkles.

EFFECT_COIN    = 1
EFFECT_SHARD_A = 2
EFFECT_SHARD_B = 3
EFFECT_SHARD_C = 4
EFFECT_SHARD_D = 5
EFFECT_SPARKLE = 6
EFFECT_PUFF    = 7

effect_life:    .byte 0, 26, 60, 60, 60, 60, 16, 16
effect_gravity: .byte 0, $50, $50, $50, $50, $50, 0, 0
effect_start_x: .byte 0, 4, 0, 8, 0, 8, 4, 4
effect_start_y: .byte 0, $F0, 0, 0, 8, 8, 4, 4
effect_start_vx:  .byte 0, 0, $00, $00, $40, $C0, 0, 0
effect_start_vxh: .byte 0, 0, $FF, $01, $FF, $00, 0, 0
effect_start_vy:  .byte 0, $80, $00, $00, $40, $40, $C0, $E0
effect_start_vyh: .byte 0, $FB, $FB, $FB, $FC, $FC, $FF, $FF

; Start effect X at the block of the last probe.
effect_from_block:
    lda probe_x
    and #$F0
    sta scratch + 6
    lda probe_x + 1
    sta scratch + 7
    lda probe_y
    and #$F0
    sta scratch + 8

; Start effect X at (scratch + 6, scratch + 8). Without a free slot it is left out.
effect_at:
    ldy #EFFECTS - 1
@slot:
    lda effect_type, y
    beq @free
    dey
    bpl @slot
    rts
@free:
    txa
    sta effect_type, y
    lda effect_start_x, x
    clc
    adc scratch + 6
    sta effect_x, y
    lda scratch + 7
    adc #0
    sta effect_xh, y
    lda effect_start_y, x
    clc
    adc scratch + 8
    sta effect_y, y
    lda effect_start_vx, x
    sta effect_vx, y
    lda effect_start_vxh, x
    sta effect_vxh, y
    lda effect_start_vy, x
    sta effect_vy, y
    lda effect_start_vyh, x
    sta effect_vyh, y
    lda effect_life, x
    sta effect_age, y
    lda #0
    sta effect_xs, y
    sta effect_ys, y
    rts

move_effects:
    ldx #EFFECTS - 1
@slot:
    ldy effect_type, x
    beq @next
    dec effect_age, x
    beq @over
    lda effect_vy, x
    clc
    adc effect_gravity, y
    sta effect_vy, x
    bcc @slow
    inc effect_vyh, x
@slow:
    lda effect_ys, x
    clc
    adc effect_vy, x
    sta effect_ys, x
    lda effect_y, x
    adc effect_vyh, x
    sta effect_y, x
    cmp #240
    bcs @over
    ldy #0
    lda effect_vxh, x
    bpl @right
    dey
@right:
    lda effect_xs, x
    clc
    adc effect_vx, x
    sta effect_xs, x
    lda effect_x, x
    adc effect_vxh, x
    sta effect_x, x
    tya
    adc effect_xh, x
    sta effect_xh, x
@next:
    dex
    bpl @slot
    rts
@over:
    lda #0
    sta effect_type, x
    beq @next

draw_effects:
    ldx #EFFECTS - 1
@slot:
    stx object
    ldy effect_type, x
    beq @next
    lda effect_x, x
    sec
    sbc camera_x
    sta sprite_x
    lda effect_xh, x
    sbc camera_x + 1
    sta sprite_x + 1
    bne @next
    lda effect_y, x
    sta sprite_y
    lda effect_attr, y
    sta sprite_attr
    ; two pictures each, changing with age
    lda effect_age, x
    lsr a
    lsr a
    and #3
    sta scratch
    tya
    asl a
    asl a
    ora scratch
    tay
    lda effect_tiles, y
    sta sprite_tile
    jsr put_tile
    ldx object
@next:
    dex
    bpl @slot
    rts

effect_attr: .byte 0, 3, 3, 3, 3, 3, 3, 3
effect_tiles:
    .byte 0, 0, 0, 0
    .byte SPR_COIN_SPIN1, SPR_COIN_SPIN2, SPR_COIN_SPIN3, SPR_COIN_SPIN2
    .byte SPR_SHARD, SPR_SHARD, SPR_SHARD, SPR_SHARD
    .byte SPR_SHARD, SPR_SHARD, SPR_SHARD, SPR_SHARD
    .byte SPR_SHARD, SPR_SHARD, SPR_SHARD, SPR_SHARD
    .byte SPR_SHARD, SPR_SHARD, SPR_SHARD, SPR_SHARD
    .byte SPR_PUFF2, SPR_SPARKLE, SPR_SPARKLE, SPR_PUFF1
    .byte SPR_PUFF2, SPR_PUFF2, SPR_PUFF1, SPR_PUFF1
