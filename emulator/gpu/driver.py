"""The CUDA driver as the batch needs it: memory, one stream, events, one binary, launches.

The context is the device's primary one, which PyTorch, CuPy and the CUDA runtime use as well, so that addresses mean
the same to all of them. It is current only during a call: nobody else's is left changed.
"""

from __future__ import annotations

import contextlib
import ctypes
from collections.abc import Iterator, Sequence
from typing import Any

from numpy.typing import NDArray

from nesproof.emulator.gpu.errors import INSTALL_REMEDY, CudaError, GpuMemoryError, GpuUnavailableError

__all__ = ["Argument", "Driver"]

Argument = "ctypes.c_uint32 | ctypes.c_uint64"


class Driver:
    """One GPU.

    Args:
        ordinal: which; None for the one whose context is current in this thread, else the first.

    Raises:
        GpuUnavailableError: the bindings, the driver or the GPU are absent.
    """

    device_type = 2
    """DLPack's number for CUDA."""

    def __init__(self, ordinal: int | None = None) -> None:
        self._cuda = _bindings()
        self._initialise()
        count = self._do(self._cuda.cuDeviceGetCount())
        if count == 0:
            raise GpuUnavailableError("The CUDA driver shows no GPU.", remedy=_CPU_REMEDY)
        self.ordinal = self._current_ordinal() if ordinal is None else ordinal
        if self.ordinal >= count:
            last = "the only one is cuda:0" if count == 1 else f"they are cuda:0 to cuda:{count - 1}"
            raise GpuUnavailableError(f"There is no GPU cuda:{self.ordinal}; {last}.", remedy="Name one of them.")
        device = self._do(self._cuda.cuDeviceGet(self.ordinal))
        attribute = self._cuda.CUdevice_attribute
        major = self._attribute(attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device)
        minor = self._attribute(attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device)
        self.architecture = f"sm_{major}{minor}"
        self.multiprocessors = self._attribute(attribute.CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, device)
        self.name = self._do(self._cuda.cuDeviceGetName(256, device)).split(b"\0")[0].decode(errors="replace")
        self._context = self._do(self._cuda.cuDevicePrimaryCtxRetain(device))

    # --- Memory

    def allocate(self, size_bytes: int) -> int:
        """The address of fresh memory, zeroed.

        Raises:
            GpuMemoryError: there is not so much.
        """
        with self._current():
            result, address = self._cuda.cuMemAlloc(max(size_bytes, 1))
            if result == self._cuda.CUresult.CUDA_ERROR_OUT_OF_MEMORY:
                raise GpuMemoryError(
                    f"{size_bytes / 2**20:.0f} MiB of GPU memory are needed, and less is free; end what else uses it"
                )
            self._require(result)
            self._do(self._cuda.cuMemsetD8(address, 0, max(size_bytes, 1)))
            # The default stream did it, with which not every stream keeps order.
            self._do(self._cuda.cuStreamSynchronize(_LEGACY_STREAM))
        return int(address)

    def free(self, address: int) -> None:
        """Give memory back. Work that was queued before is done with it first."""
        with contextlib.suppress(Exception), self._current():  # at the interpreter's end the driver may be gone
            self._cuda.cuMemFree(address)

    def free_bytes(self) -> int:
        """How much memory nobody has taken."""
        with self._current():
            free, _total = self._do(self._cuda.cuMemGetInfo())
        return int(free)

    def upload(self, address: int, data: NDArray[Any], stream: int) -> None:
        """Copy a contiguous host array to the device, in the stream's order; the array may change afterwards."""
        with self._current():
            self._do(self._cuda.cuMemcpyHtoDAsync(address, data.ctypes.data, data.nbytes, stream))
            # Of ordinary memory the driver has taken a copy by now only if it is small.
            if data.nbytes > 65_536:
                self._do(self._cuda.cuStreamSynchronize(stream))

    def download(self, address: int, out: NDArray[Any], stream: int) -> None:
        """Copy from the device into a contiguous host array, and wait until it is there."""
        with self._current():
            self._do(self._cuda.cuMemcpyDtoHAsync(out.ctypes.data, address, out.nbytes, stream))
            self._do(self._cuda.cuStreamSynchronize(stream))

    def copy(self, to: int, address: int, size_bytes: int, stream: int) -> None:
        """Copy within the device, in the stream's order."""
        with self._current():
            self._do(self._cuda.cuMemcpyDtoDAsync(to, address, size_bytes, stream))

    # --- Order

    def make_stream(self) -> int:
        """A stream that also keeps order with the default stream, on which most libraries work unless told."""
        with self._current():
            return int(self._do(self._cuda.cuStreamCreate(int(self._cuda.CUstream_flags.CU_STREAM_DEFAULT))))

    def destroy_stream(self, stream: int) -> None:
        """Once its work is done."""
        with contextlib.suppress(Exception), self._current():
            self._cuda.cuStreamDestroy(stream)

    def make_event(self, *, timing: bool = False) -> Any:
        """Something to record in a stream and to wait for in another."""
        flags = self._cuda.CUevent_flags
        with self._current():
            return self._do(
                self._cuda.cuEventCreate(int(flags.CU_EVENT_DEFAULT if timing else flags.CU_EVENT_DISABLE_TIMING))
            )

    def destroy_event(self, event: Any) -> None:
        """Once nobody records it any more."""
        with contextlib.suppress(Exception), self._current():
            self._cuda.cuEventDestroy(event)

    def record(self, event: Any, stream: int) -> None:
        """The event comes when everything has been done that the stream has been given so far."""
        with self._current():
            self._do(self._cuda.cuEventRecord(event, stream))

    def wait(self, stream: int, event: Any) -> None:
        """The stream goes on after the event; the host does not wait."""
        with self._current():
            self._do(self._cuda.cuStreamWaitEvent(stream, event, 0))

    def milliseconds(self, begin: Any, end: Any) -> float:
        """Between two events that have come."""
        with self._current():
            return float(self._do(self._cuda.cuEventElapsedTime(begin, end)))

    def synchronize(self, stream: int) -> None:
        """Wait until the stream's work is done; a fault of a kernel is raised here."""
        with self._current():
            self._do(self._cuda.cuStreamSynchronize(stream))

    # --- Code

    def load(self, cubin: bytes) -> Any:
        """A binary as something to look functions and variables up in."""
        with self._current():
            return self._do(self._cuda.cuModuleLoadData(cubin))

    def unload(self, module: Any) -> None:
        """Once nothing of it runs."""
        with contextlib.suppress(Exception), self._current():
            self._cuda.cuModuleUnload(module)

    def function(self, module: Any, name: str) -> Any:
        """A kernel by name."""
        with self._current():
            return self._do(self._cuda.cuModuleGetFunction(module, name.encode()))

    def variable(self, module: Any, name: str) -> tuple[int, int]:
        """A variable's address and size."""
        with self._current():
            address, size_bytes = self._do(self._cuda.cuModuleGetGlobal(module, name.encode()))
        return int(address), int(size_bytes)

    def launch(self, function: Any, blocks: int, threads: int, arguments: Sequence[Any], stream: int) -> None:
        """Run a kernel, `blocks` of `threads`; arguments are ctypes values of the parameters' types."""
        pointers = (ctypes.c_void_p * len(arguments))(*(ctypes.addressof(argument) for argument in arguments))
        with self._current():
            self._do(
                self._cuda.cuLaunchKernel(
                    function, blocks, 1, 1, threads, 1, 1, 0, stream, ctypes.addressof(pointers), 0
                )
            )

    # --- How it is done

    def _initialise(self) -> None:
        try:
            (result,) = self._cuda.cuInit(0)
        except Exception as fault:  # the loader of the driver's library raises its own kinds
            raise GpuUnavailableError("No NVIDIA driver is installed.", remedy=_CPU_REMEDY) from fault
        if result == self._cuda.CUresult.CUDA_ERROR_NO_DEVICE:
            raise GpuUnavailableError("The CUDA driver shows no GPU.", remedy=_CPU_REMEDY)
        if result != self._cuda.CUresult.CUDA_SUCCESS:
            raise GpuUnavailableError(
                f"The NVIDIA driver does not start ({result.name}).",
                remedy="An older driver takes pip install 'nesproof[cuda12]'; nvidia-smi shows the driver's version.",
            )

    def _current_ordinal(self) -> int:
        result, device = self._cuda.cuCtxGetDevice()
        return int(device) if result == self._cuda.CUresult.CUDA_SUCCESS else 0

    def _attribute(self, attribute: Any, device: Any) -> int:
        return int(self._do(self._cuda.cuDeviceGetAttribute(attribute, device)))

    @contextlib.contextmanager
    def _current(self) -> Iterator[None]:
        self._do(self._cuda.cuCtxPushCurrent(self._context))
        try:
            yield
        finally:
            self._do(self._cuda.cuCtxPopCurrent())

    def _do(self, answer: tuple[Any, ...]) -> Any:
        result, *values = answer
        self._require(result)
        return values[0] if len(values) == 1 else tuple(values)

    def _require(self, result: Any) -> None:
        if result != self._cuda.CUresult.CUDA_SUCCESS:
            _, text = self._cuda.cuGetErrorString(result)
            raise CudaError(f"The CUDA driver answers {result.name}: {text.decode() if text else 'no more is known'}.")


_LEGACY_STREAM = 1

_CPU_REMEDY = "Use device='cpu', which needs none."


def _bindings() -> Any:
    try:
        from cuda.bindings import driver
    except ImportError as fault:
        raise GpuUnavailableError("The CUDA bindings are not installed.", remedy=INSTALL_REMEDY) from fault
    return driver
