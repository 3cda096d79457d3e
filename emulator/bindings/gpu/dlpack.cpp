// Capsules by the DLPack protocol, https://dmlc.github.io/dlpack/latest/: memory of ours as anybody's array, without a
// copy. The capsule, and whoever takes the array out of it, keeps the memory's owner alive.
#include <pybind11/stl.h>

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "bindings/gpu/gpu.hpp"

namespace py = pybind11;
using namespace pybind11::literals;

namespace {

// --- The protocol's structs, as its header lays them out

struct Device {
  std::int32_t type, id;
};
struct DataType {
  std::uint8_t code, bits;
  std::uint16_t lanes;
};
struct Tensor {
  void* data;
  Device device;
  std::int32_t dimensions;
  DataType type;
  std::int64_t* shape;
  std::int64_t* strides;  // in elements
  std::uint64_t byte_offset;
};
struct Managed {
  Tensor tensor;
  void* context;
  void (*deleter)(Managed*);
};
struct ManagedVersioned {
  struct {
    std::uint32_t major, minor;
  } version;
  void* context;
  void (*deleter)(ManagedVersioned*);
  std::uint64_t flags;
  Tensor tensor;
};

struct Context {
  PyObject* owner;
  std::vector<std::int64_t> shape, strides;
};

template <class Struct>
void delete_managed(Struct* managed) {
  auto* context = static_cast<Context*>(managed->context);
  // Whoever holds an array past the interpreter's end frees it when there is nobody left to count references.
  if (Py_IsInitialized() != 0) {
    const PyGILState_STATE gil = PyGILState_Ensure();
    Py_DECREF(context->owner);
    PyGILState_Release(gil);
  }
  delete context;
  delete managed;
}

// A capsule that nobody has consumed frees what it holds; a consumer renames the capsule and frees it later.
template <class Struct>
void delete_unused(PyObject* capsule, const char* name) {
  if (PyCapsule_IsValid(capsule, name) == 0) return;
  auto* managed = static_cast<Struct*>(PyCapsule_GetPointer(capsule, name));
  managed->deleter(managed);
}

constexpr const char* kName = "dltensor";
constexpr const char* kVersionedName = "dltensor_versioned";

py::object capsule(const py::object& owner, std::uintptr_t address, std::vector<std::int64_t> shape,
                   std::vector<std::int64_t> strides, std::uint8_t code, std::uint8_t bits, std::int32_t device_type,
                   std::int32_t device_id, bool versioned) {
  if (shape.size() != strides.size()) throw std::invalid_argument("shape and strides have different lengths");
  auto context = std::make_unique<Context>(Context{nullptr, std::move(shape), std::move(strides)});
  const Tensor tensor{reinterpret_cast<void*>(address),
                      {device_type, device_id},
                      static_cast<std::int32_t>(context->shape.size()),
                      {code, bits, 1},
                      context->shape.data(),
                      context->strides.data(),
                      0};
  PyObject* made = nullptr;
  if (versioned) {
    auto managed = std::make_unique<ManagedVersioned>(
        ManagedVersioned{{1, 0}, context.get(), &delete_managed<ManagedVersioned>, 0, tensor});
    made = PyCapsule_New(managed.get(), kVersionedName,
                         [](PyObject* self) { delete_unused<ManagedVersioned>(self, kVersionedName); });
    if (made == nullptr) throw py::error_already_set();
    managed.release();
  } else {
    auto managed = std::make_unique<Managed>(Managed{tensor, context.get(), &delete_managed<Managed>});
    made = PyCapsule_New(managed.get(), kName, [](PyObject* self) { delete_unused<Managed>(self, kName); });
    if (made == nullptr) throw py::error_already_set();
    managed.release();
  }
  context->owner = owner.inc_ref().ptr();
  context.release();
  return py::reinterpret_steal<py::object>(made);
}

// What a capsule that somebody else made holds, and an object that gives it back when it is no longer referenced. The
// capsule counts as consumed from then on.
py::tuple take(const py::object& capsule) {
  if (PyCapsule_IsValid(capsule.ptr(), kName) == 0) throw std::invalid_argument("not an unused DLPack capsule");
  auto* managed = static_cast<Managed*>(PyCapsule_GetPointer(capsule.ptr(), kName));
  const Tensor& tensor = managed->tensor;
  const auto count = static_cast<std::size_t>(tensor.dimensions);
  std::vector<std::int64_t> shape(tensor.shape, tensor.shape + count), strides(count);
  std::int64_t contiguous = 1;
  for (std::size_t i = count; i-- > 0;) {
    strides[i] = tensor.strides != nullptr ? tensor.strides[i] : contiguous;
    contiguous *= shape[i];
  }
  const auto address = reinterpret_cast<std::uintptr_t>(tensor.data) + tensor.byte_offset;
  if (PyCapsule_SetName(capsule.ptr(), "used_dltensor") != 0) throw py::error_already_set();
  py::capsule keeper(managed, [](void* held) {
    auto* struct_ = static_cast<Managed*>(held);
    if (struct_->deleter != nullptr) struct_->deleter(struct_);
  });
  return py::make_tuple(keeper, address, shape, strides, tensor.type.code, tensor.type.bits, tensor.type.lanes,
                        tensor.device.type, tensor.device.id);
}

}  // namespace

void bind_dlpack(py::module_& module) {
  module.def("capsule", &capsule, "owner"_a, "address"_a, "shape"_a, "strides"_a, "code"_a, "bits"_a, "device_type"_a,
             "device_id"_a, "versioned"_a);
  module.def("take", &take, "capsule"_a);
}
