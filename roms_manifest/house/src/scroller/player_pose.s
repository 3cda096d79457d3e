; Which picture of the fox is shown.

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
