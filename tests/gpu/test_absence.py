"""What is missing for a GPU is one typed exception with its remedy."""

import sys
from typing import Any

import numpy as np
import pytest

from nesproof.emulator import Batch, Cartridge
from nesproof.emulator.gpu import GpuUnavailableError
from nesproof.emulator.gpu.compile import compiler_version
from nesproof.emulator.gpu.foreign import stream_handle


@pytest.fixture
def no_bindings(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("cuda", "cuda.bindings", "cuda.bindings.driver", "cuda.bindings.nvrtc"):
        monkeypatch.setitem(sys.modules, name, None)


@pytest.mark.usefixtures("no_bindings")
def test_without_the_extra(scroller: Cartridge) -> None:
    with pytest.raises(GpuUnavailableError, match=r"pip install 'nesproof\[cuda\]'"):
        Batch(scroller, 1, device="cuda")
    with pytest.raises(GpuUnavailableError, match=r"pip install 'nesproof\[cuda\]'"):
        compiler_version()


def test_without_a_driver_or_a_gpu(scroller: Cartridge) -> None:
    driver = pytest.importorskip("cuda.bindings.driver", reason="the extra cuda is not installed")
    try:
        (result,) = driver.cuInit(0)
        if result == driver.CUresult.CUDA_SUCCESS and driver.cuDeviceGetCount()[1] > 0:
            pytest.skip("there is a GPU")
    except Exception:
        pass
    with pytest.raises(GpuUnavailableError, match="device='cpu'") as fault:
        Batch(scroller, 1, device="cuda:0")
    assert fault.value.remedy in str(fault.value)
    assert fault.value.exit_code == 2


def test_the_rest_of_the_package_needs_no_cuda(scroller: Cartridge, no_bindings: None) -> None:
    batch = Batch(scroller, 2)
    batch.step(0, 2)
    assert batch.digest().dtype == np.uint64


class Protocol:
    def __cuda_stream__(self) -> tuple[int, int]:
        return 0, 42


class Torch:
    cuda_stream = 43


def test_streams_of_other_libraries() -> None:
    assert [stream_handle(stream) for stream in (7, Protocol(), Torch())] == [7, 42, 43]
    for wrong in (True, "default", 1.5):
        value: Any = wrong
        with pytest.raises(TypeError, match="__cuda_stream__"):
            stream_handle(value)
