// A CUDA driver that is none: the calls that nesproof makes, over host memory, so that how it calls the driver's
// bindings is tested where there is no GPU. A "binary" is the path of a library of host_kernels.cpp.
#include <dlfcn.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>

#define CALL(name) extern "C" __attribute__((visibility("default"))) int name

namespace {

constexpr int kInvalid = 1, kOutOfMemory = 2, kNotFound = 500;
constexpr std::size_t kMemory = std::size_t{1} << 30;

std::map<std::uint64_t, std::size_t> allocated;
std::size_t used = 0;
int context_depth = 0;  // of contexts pushed
int current_device = -1;

struct Function {
  void* library;
  std::string name;
};
struct Event {
  double at = 0;
};
double now = 0;

bool is_ours(std::uint64_t address, std::size_t bytes) {
  auto after = allocated.upper_bound(address);
  if (after == allocated.begin()) return false;
  --after;
  return address + bytes <= after->first + after->second;
}

}  // namespace

CALL(cuInit)(unsigned flags) { return flags == 0 ? 0 : kInvalid; }
CALL(cuDriverGetVersion)(int* version) { return *version = 13000, 0; }
CALL(cuDeviceGetCount)(int* count) { return *count = std::getenv("STUB_NO_GPU") != nullptr ? 0 : 1, 0; }
CALL(cuDeviceGet)(int* device, int ordinal) { return *device = ordinal, ordinal == 0 ? 0 : 101; }
CALL(cuDeviceGetName)(char* name, int length, int) {
  std::strncpy(name, "Stub", static_cast<std::size_t>(length));
  return 0;
}
CALL(cuDeviceGetAttribute)(int* value, int attribute, int) {
  *value = attribute == 75 ? 9 : attribute == 76 ? 0 : attribute == 16 ? 132 : -1;
  return 0;
}
CALL(cuDevicePrimaryCtxRetain)(void** context, int) { return *context = reinterpret_cast<void*>(0x10), 0; }
CALL(cuCtxPushCurrent_v2)(void* context) {
  return ++context_depth, context == reinterpret_cast<void*>(0x10) ? 0 : kInvalid;
}
CALL(cuCtxPopCurrent_v2)(void** context) {
  *context = reinterpret_cast<void*>(0x10);
  return context_depth-- > 0 ? 0 : 201;
}
CALL(cuCtxGetDevice)(int* device) { return *device = current_device, current_device >= 0 ? 0 : 201; }
CALL(cuGetErrorString)(int, const char** text) { return *text = "a stub's fault", 0; }
CALL(cuGetErrorName)(int, const char** text) { return *text = "STUB", 0; }

// Every call below needs a context.
#define IN_CONTEXT \
  if (context_depth == 0) return 201

CALL(cuMemAlloc_v2)(std::uint64_t* address, std::size_t bytes) {
  IN_CONTEXT;
  if (used + bytes > kMemory) return kOutOfMemory;
  void* memory = std::aligned_alloc(256, (bytes + 255) / 256 * 256);
  std::memset(memory, 0xCD, bytes);
  *address = reinterpret_cast<std::uint64_t>(memory);
  allocated[*address] = bytes;
  used += bytes;
  return 0;
}
CALL(cuMemFree_v2)(std::uint64_t address) {
  IN_CONTEXT;
  if (!allocated.contains(address)) return kInvalid;
  used -= allocated[address];
  allocated.erase(address);
  std::free(reinterpret_cast<void*>(address));
  return 0;
}
CALL(cuMemGetInfo_v2)(std::size_t* free, std::size_t* total) {
  IN_CONTEXT;
  return *free = kMemory - used, *total = kMemory, 0;
}
CALL(cuMemsetD8_v2)(std::uint64_t address, unsigned char value, std::size_t bytes) {
  IN_CONTEXT;
  if (!is_ours(address, bytes)) return kInvalid;
  std::memset(reinterpret_cast<void*>(address), value, bytes);
  return 0;
}
CALL(cuMemcpyHtoDAsync_v2)(std::uint64_t to, const void* from, std::size_t bytes, void*) {
  IN_CONTEXT;
  std::memcpy(reinterpret_cast<void*>(to), from, bytes);
  return 0;
}
CALL(cuMemcpyDtoHAsync_v2)(void* to, std::uint64_t from, std::size_t bytes, void*) {
  IN_CONTEXT;
  std::memcpy(to, reinterpret_cast<void*>(from), bytes);
  return 0;
}
CALL(cuStreamCreate)(void** stream, unsigned flags) {
  IN_CONTEXT;
  return *stream = reinterpret_cast<void*>(0x77), flags == 0 ? 0 : kInvalid;
}
CALL(cuStreamDestroy_v2)(void* stream) {
  IN_CONTEXT;
  return stream == reinterpret_cast<void*>(0x77) ? 0 : kInvalid;
}
CALL(cuStreamSynchronize)(void*) {
  IN_CONTEXT;
  return 0;
}
CALL(cuStreamWaitEvent)(void*, void* event, unsigned flags) {
  IN_CONTEXT;
  return event != nullptr && flags == 0 ? 0 : kInvalid;
}
CALL(cuEventCreate)(void** event, unsigned) {
  IN_CONTEXT;
  return *event = new Event, 0;
}
CALL(cuEventDestroy_v2)(void* event) {
  IN_CONTEXT;
  delete static_cast<Event*>(event);
  return 0;
}
CALL(cuEventRecord)(void* event, void*) {
  IN_CONTEXT;
  static_cast<Event*>(event)->at = now += 1;
  return 0;
}
CALL(cuEventElapsedTime)(float* milliseconds, void* begin, void* end) {
  IN_CONTEXT;
  *milliseconds = static_cast<float>(static_cast<Event*>(end)->at - static_cast<Event*>(begin)->at);
  return 0;
}
CALL(cuEventElapsedTime_v2)(float* milliseconds, void* begin, void* end) {
  return cuEventElapsedTime(milliseconds, begin, end);
}

CALL(cuModuleLoadData)(void** module, const void* image) {
  IN_CONTEXT;
  *module = dlopen(static_cast<const char*>(image), RTLD_NOW | RTLD_LOCAL);
  return *module != nullptr ? 0 : 200;
}
CALL(cuModuleUnload)(void* module) {
  IN_CONTEXT;
  return dlclose(module) == 0 ? 0 : kInvalid;
}
CALL(cuModuleGetFunction)(void** function, void* module, const char* name) {
  IN_CONTEXT;
  if (dlsym(module, name) == nullptr) return kNotFound;
  return *function = new Function{module, name}, 0;
}
CALL(cuModuleGetGlobal_v2)(std::uint64_t* address, std::size_t* bytes, void* module, const char* name) {
  IN_CONTEXT;
  auto* variable = reinterpret_cast<void* (*)(const char*)>(dlsym(module, "host_variable"));
  *address = reinterpret_cast<std::uint64_t>(variable(name));
  *bytes = std::strcmp(name, "nesproof_facts") == 0 ? 16 : 24;
  return *address != 0 ? 0 : kNotFound;
}
CALL(cuLaunchKernel)(void* function, unsigned blocks, unsigned y, unsigned z, unsigned threads, unsigned v, unsigned w,
                     unsigned shared, void* stream, void** parameters, void** extra) {
  IN_CONTEXT;
  if (y != 1 || z != 1 || v != 1 || w != 1 || shared != 0 || extra != nullptr) return kInvalid;
  if (stream != reinterpret_cast<void*>(0x77)) return 400;
  const auto* kernel = static_cast<Function*>(function);
  using Launch = int (*)(const char*, unsigned, unsigned, void**);
  const auto launch = reinterpret_cast<Launch>(dlsym(kernel->library, "host_launch"));
  return launch(kernel->name.c_str(), blocks, threads, parameters) != 0 ? 0 : 719;
}

// How the bindings find all of these.
CALL(cuGetProcAddress_v2)(const char* symbol, void** function, int, std::uint64_t, int* status) {
  const std::string name = symbol;
  void* self = dlopen(nullptr, RTLD_NOW);
  Dl_info here;
  if (dladdr(reinterpret_cast<void*>(&is_ours), &here) != 0) self = dlopen(here.dli_fname, RTLD_NOW);
  *function = nullptr;
  for (const char* version : {"_v2", ""}) {
    if (*function == nullptr) *function = dlsym(self, (name + version).c_str());
  }
  if (status != nullptr) *status = *function != nullptr ? 0 : 1;
  return *function != nullptr ? 0 : kNotFound;
}
CALL(cuGetProcAddress)(const char* symbol, void** function, int version, std::uint64_t flags) {
  return cuGetProcAddress_v2(symbol, function, version, flags, nullptr);
}
