// The two things that both compilers must be told about a function, each in its own words.
#pragma once

#if defined(__CUDACC_RTC__)
#define NESPROOF_INLINE __forceinline__
#define NESPROOF_OUTLINE __noinline__
#else
#define NESPROOF_INLINE [[gnu::always_inline]] inline
#define NESPROOF_OUTLINE [[gnu::noinline]]
#endif
