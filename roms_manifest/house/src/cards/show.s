; The show: what a card does for ever after its verdict. A frame is a small game's: wait for vertical blank, send sprites,
; a column and a few tiles, read the controllers, call code in four banks, split the picture below the status bar.
; A board has
;   call_actors   RAM   moves sixteen actors from X on by the code in the bank of slot A
;   show_status         what the status bar needs: its nametable, its patterns
;   show_field          what the field below needs
; and with HAS_IRQ, start_splits in vertical blank.

.segment "CODE"
show:
    lda #0
    sta keep
    point nmi_target, STUB_COUNT
    lda #$5A
    sta seed
    sta seed + 1
    lda #120
    sta hero_x
    sta hero_y
    jsr paint_field
    jsr paint_status
    jsr place_actors
    jsr next_column
    jsr show_colours
    bit PPUSTATUS
    lda #$88
    sta PPUCTRL
show_frame:
    lda nmi_count
@wait:
    cmp nmi_count
    beq @wait
    lda #0
    sta OAMADDR
    lda #>oam
    sta OAMDMA
    jsr show_field
    jsr send_column
    jsr show_status
    jsr send_score
    jsr send_tiles
    bit PPUSTATUS
    lda #$88
    sta PPUCTRL
    lda #0
    sta PPUSCROLL
    sta PPUSCROLL
    lda #MASK_ON
    sta PPUMASK
.if HAS_IRQ
    jsr start_splits
.endif
    inc frame_counter
    bne @counted
    inc frame_counter + 1
@counted:
    jsr read_pads
    jsr play_sound
    jsr move_hero
    jsr choose_banks
.if !HAS_IRQ
    jsr await_clear
.endif
    ldx #0
    jsr move_group
.if !HAS_IRQ
    jsr split
.endif
    ldx #16
    jsr move_group
    ldx #32
    jsr move_group
    ldx #48
    jsr move_group
    jsr next_column
    jsr collide
    jsr show_hero
    jsr next_scroll
    jmp show_frame

; Sixteen actors from X on, by the next bank's code.
move_group:
    lda group_slot
    inc group_slot
    cmp #ACTOR_SLOTS
    bcc @slot
    lda #1
    sta group_slot
    lda #0
@slot:
    jmp call_actors

; Which banks a frame calls: the first of four moves on every sixteen frames, and with button A.
choose_banks:
    lda actor_slot
    ldx pads
    bmi @on
    tax
    lda frame_counter
    and #15
    bne @stay
    txa
@on:
    clc
    adc #3
@less:
    cmp #ACTOR_SLOTS
    bcc @slot
    sbc #ACTOR_SLOTS
    bcs @less
@slot:
    sta actor_slot
@stay:
    lda actor_slot
    sta group_slot
    rts

.if !HAS_IRQ
; Until the flag of the picture before is gone. The waits are bounded: without a hit the show goes on.
await_clear:
    ldx #0
@old:
    bit PPUSTATUS
    bvc @clear
    dex
    bne @old
@clear:
    rts

; Wait for sprite 0, then set the scroll of the field.
split:
    ldx #0
    ldy #4
@wait:
    bit PPUSTATUS
    bvs @hit
    dex
    bne @wait
    dey
    bne @wait
    rts
@hit:
    jsr show_field
    lda split_high
    sta PPUADDR
    lda split_y
    sta PPUSCROLL
    lda split_x
    sta PPUSCROLL
    lda split_low
    sta PPUADDR
    rts
.endif
