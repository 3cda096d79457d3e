#include "bindings/gpu/gpu.hpp"

PYBIND11_MODULE(_gpu, module) {
  bind_code_map(module);
  bind_dlpack(module);
  bind_model(module);
}
