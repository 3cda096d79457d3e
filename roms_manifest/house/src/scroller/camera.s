; The camera.

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
