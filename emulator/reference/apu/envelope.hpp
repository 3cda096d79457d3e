// A volume that decays or stays: https://www.nesdev.org/wiki/APU_Envelope
#pragma once

#include "reference/types.hpp"

namespace nesproof::reference {

class Envelope {
 public:
  // Once a quarter frame. `loop` is the channel's length-counter halt flag, which is the same bit.
  void clock(bool loop) {
    if (start) {
      start = false;
      decay = 15;
      divider = period;
    } else if (divider > 0) {
      divider--;
    } else {
      divider = period;
      if (decay > 0) {
        decay--;
      } else if (loop) {
        decay = 15;
      }
    }
  }
  u8 volume() const { return constant ? period : decay; }

  u8 period = 0;  // also the constant volume
  u8 divider = 0;
  u8 decay = 0;
  bool constant = false;
  bool start = false;
};

}  // namespace nesproof::reference
