; The fox: running, jumping, and what is solid to it. Velocities are signed 8.8 pixels a frame.

WALK_SPEED  = $0170
RUN_SPEED   = $0280
JUMP_SPEED  = $0440
GRAVITY_RISING  = $24           ; while A is held on the way up
GRAVITY_FALLING = $6C
FALL_SPEED  = 4

; The fox's body inside its 16 x 24 picture.
BODY_LEFT   = 3
BODY_RIGHT  = 12
BODY_TOP    = 3
BODY_BOTTOM = 24

POSE_STAND  = 0
POSE_RUN    = 1                 ; and 2, 3
POSE_JUMP   = 4
POSE_FALL   = 5
POSE_SKID   = 6
POSE_HURT   = 7

reset_player:
    lda #0
    sta player_xs
    sta player_ys
    sta player_x + 1
    sta player_vx
    sta player_vx + 1
    sta player_vy
    sta player_vy + 1
    sta player_face
    sta player_pose
    sta player_stride
    sta jump_slack
    sta jump_wish
    sta stomp_chain
    lda #40
    sta player_x
    lda #184
    sta player_y
    lda #1
    sta player_grounded
    sta player_alive
    rts

move_player:
    lda jump_slack
    beq @no_slack
    dec jump_slack
@no_slack:
    lda jump_wish
    beq @no_wish
    dec jump_wish
@no_wish:
    jsr steer
    jsr step_sideways
    jsr meet_walls
    jsr leap_or_fall
    jsr step_vertically
    jsr meet_floor_and_ceiling
    jmp choose_pose

; Speed up towards where the controller points, slow down when it points nowhere.
steer:
    lda #0
    sta scratch + 4             ; skidding
    lda buttons
    and #BUTTON_RIGHT
    beq @not_right
    lda #$00
    sta player_face
    jmp push
@not_right:
    lda buttons
    and #BUTTON_LEFT
    beq rub
    lda #$40
    sta player_face
    jsr turn_velocity
    jsr push
turn_velocity:
    sec
    lda #0
    sbc player_vx
    sta player_vx
    lda #0
    sbc player_vx + 1
    sta player_vx + 1
    rts

; Push forward, positive velocity being forward.
push:
    lda player_vx + 1
    bmi @skid
    lda buttons
    and #BUTTON_B
    beq @walking
    lda player_vx
    cmp #<RUN_SPEED
    lda player_vx + 1
    sbc #>RUN_SPEED
    bcs @too_fast
    lda #$10
    bne @add
@walking:
    lda player_vx
    cmp #<WALK_SPEED
    lda player_vx + 1
    sbc #>WALK_SPEED
    bcs @too_fast
    lda #$0E
    bne @add
@skid:
    inc scratch + 4
    lda #$24
@add:
    clc
    adc player_vx
    sta player_vx
    bcc @done
    inc player_vx + 1
@done:
    rts
@too_fast:
    lda player_vx
    sec
    sbc #$0C
    sta player_vx
    bcs @done
    dec player_vx + 1
    rts

; Nothing pressed: friction.
rub:
    lda player_vx
    ora player_vx + 1
    beq @done
    lda player_vx + 1
    bpl @slow
    jsr turn_velocity
    jsr @slow
    jmp turn_velocity
@slow:
    ldx #$14
    lda player_grounded
    bne @grip
    ldx #$06
@grip:
    stx scratch
    lda player_vx
    sec
    sbc scratch
    sta player_vx
    lda player_vx + 1
    sbc #0
    sta player_vx + 1
    bpl @done
    lda #0
    sta player_vx
    sta player_vx + 1
@done:
    rts

step_sideways:
    ldx #0
    lda player_vx + 1
    bpl @right
    dex
@right:
    lda player_xs
    clc
    adc player_vx
    sta player_xs
    lda player_x
    adc player_vx + 1
    sta player_x
    txa
    adc player_x + 1
    sta player_x + 1
    ; the screen's left edge is a wall
    lda player_x
    sec
    sbc camera_x
    lda player_x + 1
    sbc camera_x + 1
    bcs @done
    lda camera_x
    sta player_x
    lda camera_x + 1
    sta player_x + 1
    lda #0
    sta player_xs
    sta player_vx
    sta player_vx + 1
@done:
    rts

; Push the fox out of whatever is solid on its right or left.
meet_walls:
    lda #BODY_RIGHT
    jsr probe_side
    bcc @left
    lda probe_x
    and #$F0
    sec
    sbc #BODY_RIGHT + 1
    sta player_x
    lda probe_x + 1
    sbc #0
    sta player_x + 1
    lda player_vx + 1
    bmi @left
    jsr @stop
@left:
    lda #BODY_LEFT
    jsr probe_side
    bcc @done
    lda probe_x
    ora #$0F
    sec
    sbc #BODY_LEFT - 1
    sta player_x
    lda probe_x + 1
    sbc #0
    sta player_x + 1
    lda player_vx + 1
    bpl @done
@stop:
    lda #0
    sta player_vx
    sta player_vx + 1
    sta player_xs
@done:
    rts

; Probe three heights at player_x + A. Carry set: solid.
probe_side:
    jsr probe_at_offset
    lda player_y
    clc
    adc #7
    jsr probe_block
    lsr a
    bcs @solid
    lda player_y
    clc
    adc #14
    jsr probe_block
    lsr a
    bcs @solid
    lda player_y
    clc
    adc #21
    jsr probe_block
    lsr a
@solid:
    rts

; probe_x = player_x + A.
probe_at_offset:
    clc
    adc player_x
    sta probe_x
    lda player_x + 1
    adc #0
    sta probe_x + 1
    rts

; Start a jump, or be pulled down.
leap_or_fall:
    lda pressed
    and #BUTTON_A
    beq @no_press
    lda #6
    sta jump_wish
@no_press:
    lda player_grounded
    beq @airborne
    lda #5
    sta jump_slack
@airborne:
    lda jump_wish
    beq fall
    lda jump_slack
    beq fall
    lda #0
    sta jump_wish
    sta jump_slack
    sta player_grounded
    lda #<-JUMP_SPEED
    sta player_vy
    lda #>-JUMP_SPEED
    sta player_vy + 1
    lda #SOUND_JUMP
    jmp play_effect
fall:
    ldx #GRAVITY_FALLING
    lda player_vy + 1
    bpl @pull
    lda buttons
    and #BUTTON_A
    beq @pull
    ldx #GRAVITY_RISING
@pull:
    txa
    clc
    adc player_vy
    sta player_vy
    lda player_vy + 1
    adc #0
    sta player_vy + 1
    bmi @done
    cmp #FALL_SPEED
    bcc @done
    lda #FALL_SPEED
    sta player_vy + 1
    lda #0
    sta player_vy
@done:
    rts

fall_freely:
    jsr fall
step_vertically:
    lda player_ys
    clc
    adc player_vy
    sta player_ys
    lda player_y
    adc player_vy + 1
    sta player_y
    cmp #8                      ; the top of the sky
    bcs @done
    lda #8
    sta player_y
    lda #0
    sta player_vy
    sta player_vy + 1
@done:
    rts

meet_floor_and_ceiling:
    lda player_vy + 1
    bmi @rising
    lda #BODY_LEFT + 1
    jsr @feet
    bcs @stand
    lda #BODY_RIGHT - 1
    jsr @feet
    bcs @stand
    lda #0
    sta player_grounded
    rts
@stand:
    lda player_y
    clc
    adc #BODY_BOTTOM
    and #$F0
    sec
    sbc #BODY_BOTTOM
    sta player_y
    lda #0
    sta player_ys
    sta player_vy
    sta player_vy + 1
    sta stomp_chain
    lda #1
    sta player_grounded
    rts
@feet:
    jsr probe_at_offset
    lda player_y
    clc
    adc #BODY_BOTTOM
    jsr probe_block
    lsr a
    rts
@rising:
    lda #0
    sta player_grounded
    lda #8
    jsr @head
    bcs @bump
    lda #BODY_LEFT + 2
    jsr @head
    bcs @bump
    lda #BODY_RIGHT - 2
    jsr @head
    bcs @bump
    rts
@head:
    jsr probe_at_offset
    lda player_y
    clc
    adc #BODY_TOP
    jsr probe_block
    sta scratch + 5
    lsr a
    rts
@bump:
    lda player_y
    clc
    adc #BODY_TOP
    ora #$0F
    sec
    sbc #BODY_TOP - 1
    sta player_y
    lda #0
    sta player_ys
    sta player_vy + 1
    lda #$40
    sta player_vy
    jmp strike_block

choose_pose:
    lda player_grounded
    bne @ground
    ldx #POSE_JUMP
    lda player_vy + 1
    bmi @set
    ldx #POSE_FALL
    bne @set
@ground:
    ldx #POSE_SKID
    lda scratch + 4
    bne @set
    ldx #POSE_STAND
    lda player_vx
    ora player_vx + 1
    beq @set
    ; the stride lengthens with speed
    lda player_vx + 1
    bpl @forward
    eor #$FF
@forward:
    asl a
    clc
    adc #2
    adc player_stride
    sta player_stride
    lsr a
    lsr a
    lsr a
    lsr a
    and #3
    tax
    lda run_poses, x
    tax
@set:
    stx player_pose
    rts

run_poses: .byte 1, 2, 3, 2

; Follow the fox: the camera never goes back. camera_step is what it moved.
move_camera:
    lda #0
    sta camera_step
    lda player_x
    sec
    sbc camera_x
    sta scratch
    lda player_x + 1
    sbc camera_x + 1
    bne @follow                 ; never: the fox is on the screen
    lda scratch
    sec
    sbc #112
    bcc @done
    beq @done
@follow:
    cmp #5
    bcc @slow
    lda #4
@slow:
    sta camera_step
    lda camera_x
    clc
    adc camera_step
    sta camera_x
    bcc @same
    inc camera_x + 1
@same:
    lda camera_x
    cmp level_end
    lda camera_x + 1
    sbc level_end + 1
    bcc @done
    lda level_end
    sta camera_x
    lda level_end + 1
    sta camera_x + 1
    lda #0
    sta camera_step
@done:
    rts
