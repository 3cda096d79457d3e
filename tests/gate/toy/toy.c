/* A console of the tests' own: 2 KiB of RAM, a counter of frames, and as much work a frame as WORK says. */
#include <stdint.h>
#include <string.h>

#include "settings.h"

static struct {
    uint8_t ram[2048];
    uint64_t mix;
    uint32_t frames;
} state;

static volatile uint64_t sink;

static uint64_t mixed(uint64_t value) {
    value ^= value >> 29;
    value *= 0x9E3779B97F4A7C15u;
    return value ^ (value >> 32);
}

void toy_power_on(int fill) {
    memset(state.ram, fill, sizeof state.ram);
    state.mix = 1; /* forgets what was before */
    state.frames = 0;
}

void toy_step(const uint8_t* buttons, int frames) {
    for (int f = 0; f < frames; ++f) {
        uint64_t work = sink;
        for (int i = 0; i < WORK; ++i) {
            work = work * 6364136223846793005u + 1442695040888963407u;
        }
        sink = work;
        state.mix = mixed(state.mix ^ buttons[f]);
        state.frames += 1;
        uint32_t counter = state.frames;
        state.ram[0x10] = (uint8_t)counter;
        state.ram[0x11] = (uint8_t)(counter >> 8);
    }
}

uint8_t* toy_ram(void) { return state.ram; }

uint64_t toy_digest(void) {
    uint64_t digest = state.mix ^ state.frames;
    for (int i = 0; i < 2048; ++i) {
        digest = mixed(digest ^ state.ram[i] ^ ((uint64_t)i << 8));
    }
    return digest;
}

long toy_ns_per_frame(void) { return NS_PER_FRAME; }

long toy_state_bytes(void) { return STATE_BYTES; }
