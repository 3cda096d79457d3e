#include "bindings/gpu/gpu.hpp"

#include "bindings/planting.hpp"

PYBIND11_MODULE(_gpu, module) {
  bind_memories(module);
  bind_dlpack(module);
  bind_model(module);
  nesproof::bindings::define_planting(module);
}
