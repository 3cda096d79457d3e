// What both compilers must be told about a function, each in its own words. On a device a call costs less than code:
// what is rare, or large and called from everywhere, is out of line there (DEVICE_OUTLINE), so that the frequent path
// keeps its registers and the instruction cache.
#pragma once

#if defined(__CUDACC_RTC__)
#define NESPROOF_INLINE __forceinline__
#define NESPROOF_OUTLINE __noinline__
#define NESPROOF_DEVICE_OUTLINE __noinline__
#else
#define NESPROOF_INLINE [[gnu::always_inline]] inline
#define NESPROOF_OUTLINE [[gnu::noinline]]
#define NESPROOF_DEVICE_OUTLINE
#endif
