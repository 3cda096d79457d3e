"""The batch on a GPU: kernels compiled at first use, arrays that stay on the device."""

from nesproof.emulator.gpu.batch import CudaBatch
from nesproof.emulator.gpu.errors import (
    CudaError,
    GpuMemoryError,
    GpuUnavailableError,
    KernelCompilationError,
    UnknownArchitectureError,
)

__all__ = [
    "CudaBatch",
    "CudaError",
    "GpuMemoryError",
    "GpuUnavailableError",
    "KernelCompilationError",
    "UnknownArchitectureError",
]
