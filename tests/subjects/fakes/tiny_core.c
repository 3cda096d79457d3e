/* A libretro core that counts frames and shows what is pressed: RAM byte 0 counts, bytes 1 and 2 hold the buttons of
   the two players. Whole pictures come where the option "fceumm_overscan" is "disabled"; a picture's pixels are all of
   one colour, the frame's number in its green bits. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct game {
  const char* path;
  const void* data;
  size_t size;
  const char* meta;
};
struct variable {
  const char *key, *value;
};
struct area {
  uint64_t flags;
  void* pointer;
  size_t offset, start, select, disconnect, length;
  const char* space;
};
struct areas {
  const struct area* first;
  unsigned count;
};
struct logger {
  void (*log)(int level, const char* format, ...);
};

static bool (*environment)(unsigned, void*);
static void (*video)(const void*, unsigned, unsigned, size_t);
static size_t (*samples)(const int16_t*, size_t);
static void (*poll)(void);
static int16_t (*button)(unsigned, unsigned, unsigned, unsigned);
static uint8_t ram[2048], cartridge_ram[256];
static uint16_t pixels[256 * 240];
static struct logger logger;
static bool takes_bitmasks, is_whole;

void retro_set_environment(bool (*f)(unsigned, void*)) { environment = f; }
void retro_set_video_refresh(void (*f)(const void*, unsigned, unsigned, size_t)) { video = f; }
void retro_set_audio_sample(void (*f)(int16_t, int16_t)) { (void)f; }
void retro_set_audio_sample_batch(size_t (*f)(const int16_t*, size_t)) { samples = f; }
void retro_set_input_poll(void (*f)(void)) { poll = f; }
void retro_set_input_state(int16_t (*f)(unsigned, unsigned, unsigned, unsigned)) { button = f; }

void retro_init(void) {
  environment(27, &logger);
  takes_bitmasks = environment(51 | 0x10000, NULL);
  int rgb565 = 2;
  environment(10, &rgb565);
}

bool retro_load_game(const struct game* game) {
  const uint8_t* rom = game->data;
  logger.log(1, "Loading.\n");
  if (game->size < 16 || memcmp(rom, "NES\x1a", 4) != 0) return false;
  if ((rom[6] >> 4 | (rom[7] & 0xF0)) == 28) logger.log(2, "%s", "iNES mapper #28 is not supported at all.\n");
  struct variable overscan = {"fceumm_overscan", NULL};
  is_whole = environment(15, &overscan) && strcmp(overscan.value, "disabled") == 0;
  memset(ram, 0xFF, sizeof ram);
  const struct area all[] = {{0, ram, 0, 0, 0, 0, sizeof ram, NULL}, {0, cartridge_ram, 0, 0x6000, 0, 0, 256, NULL}};
  const struct areas areas = {all, 2};
  environment(36 | 0x10000, (void*)&areas);
  return true;
}

static int held(unsigned port) {
  int word = 0;
  if (takes_bitmasks) return button(port, 1, 0, 256);
  for (unsigned id = 0; id < 16; id++) word |= button(port, 1, 0, id) << id;
  return word;
}

void retro_run(void) {
  poll();
  ram[0]++;
  ram[1] = (uint8_t)(held(0) & 0xFE) | (uint8_t)(held(0) >> 8 & 1);
  ram[2] = (uint8_t)(held(1) & 0xFE) | (uint8_t)(held(1) >> 8 & 1);
  for (size_t at = 0; at < 256 * 240; at++) pixels[at] = (uint16_t)(ram[0] << 5);
  static const int16_t silence[2 * 735];
  samples(silence, 735);
  video(pixels, is_whole ? 256 : 240, is_whole ? 240 : 224, 512);
}

void retro_reset(void) { cartridge_ram[0]++; }
void retro_unload_game(void) { memset(cartridge_ram, 0, sizeof cartridge_ram); }
void* retro_get_memory_data(unsigned id) { return id == 2 ? ram : NULL; }
size_t retro_get_memory_size(unsigned id) { return id == 2 ? sizeof ram : 0; }
size_t retro_serialize_size(void) { return sizeof ram; }
bool retro_serialize(void* data, size_t size) {
  memcpy(data, ram, size);
  return true;
}
bool retro_unserialize(const void* data, size_t size) {
  memcpy(ram, data, size);
  return true;
}
