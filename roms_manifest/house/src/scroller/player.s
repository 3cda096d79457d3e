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
    ; the screen's left edge is a wall; left of the level x is negative
    lda player_x
    sec
    sbc camera_x
    lda player_x + 1
    sbc camera_x + 1
    bpl @done
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
