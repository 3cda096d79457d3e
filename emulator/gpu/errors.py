"""What can be wrong between here and a GPU; each error is one sentence with its remedy."""

from __future__ import annotations

__all__ = [
    "INSTALL_REMEDY",
    "CudaError",
    "GpuMemoryError",
    "GpuUnavailableError",
    "KernelCompilationError",
    "UnknownArchitectureError",
]

INSTALL_REMEDY = "Remedy: pip install 'nesproof[cuda]' (or 'nesproof[cuda12]' for older cards and drivers)."


class GpuUnavailableError(RuntimeError):
    """Something that a GPU batch or the kernels' compiler needs is absent: the extra, the driver or the GPU."""

    exit_code = 2

    def __init__(self, message: str, *, remedy: str) -> None:
        super().__init__(f"{message} {remedy}")
        self.remedy = remedy


class CudaError(RuntimeError):
    """The CUDA driver answered a call with an error."""

    exit_code = 5


class GpuMemoryError(MemoryError):
    """The batch does not fit into the GPU's memory; the message says how many consoles do."""

    exit_code = 2


class KernelCompilationError(RuntimeError):
    """NVRTC refused the kernels.

    Attributes:
        log: the compiler's whole output.
    """

    exit_code = 5

    def __init__(self, message: str, log: str) -> None:
        super().__init__(message)
        self.log = log


class UnknownArchitectureError(ValueError):
    """The compiler at hand does not know the GPU architecture; the message lists those that it does."""

    exit_code = 2
