// What the extension `_gpu` is made of: what the GPU's side of the package needs of native code, none of it CUDA's.
#pragma once

#include <pybind11/pybind11.h>

void bind_memories(pybind11::module_& module);  // a cartridge as the kernels read it
void bind_dlpack(pybind11::module_& module);    // arrays that others take without a copy
void bind_model(pybind11::module_& module);     // warps counted on a host
