// How an extension was built: what the build system defines for each of them.
#pragma once

#include <pybind11/pybind11.h>

#ifndef NESPROOF_BUILD_TYPE
#define NESPROOF_BUILD_TYPE ""
#endif
#ifndef NESPROOF_CXX_FLAGS
#define NESPROOF_CXX_FLAGS ""
#endif
#ifndef NESPROOF_CXX_COMPILER_ID
#define NESPROOF_CXX_COMPILER_ID ""
#endif
#ifndef NESPROOF_CXX_COMPILER_VERSION
#define NESPROOF_CXX_COMPILER_VERSION ""
#endif
#ifndef NESPROOF_GIT_COMMIT
#define NESPROOF_GIT_COMMIT ""
#endif
#ifndef NESPROOF_SOURCES_SHA256
#define NESPROOF_SOURCES_SHA256 ""
#endif

namespace nesproof::bindings {

inline pybind11::dict build_info() {
  using namespace pybind11::literals;
  return pybind11::dict(
      "compiler_id"_a = NESPROOF_CXX_COMPILER_ID, "compiler_version"_a = NESPROOF_CXX_COMPILER_VERSION,
      "build_type"_a = NESPROOF_BUILD_TYPE, "flags"_a = NESPROOF_CXX_FLAGS, "git_commit"_a = NESPROOF_GIT_COMMIT,
      "sources_sha256"_a = NESPROOF_SOURCES_SHA256, "cxx_standard"_a = static_cast<long>(__cplusplus));
}

}  // namespace nesproof::bindings
