"""What Python launches is what the kernels take."""

import re

from nesproof.emulator.gpu.loaded import MAX_THREADS, PARAMETERS
from nesproof.emulator.gpu.sources import KERNELS, kernel_sources

DECLARED = re.compile(r"^(?:STEP_)?KERNEL nesproof_(\w+)\((.*?)\)\s*\{", re.MULTILINE | re.DOTALL)
KINDS = {"u32": "u", "u64": "L"}


def test_parameters_equal_the_kernels() -> None:
    text = kernel_sources()[KERNELS].decode()
    declared = {}
    for name, parameters in DECLARED.findall(text):
        kinds = ""
        for parameter in parameters.split(","):
            words = parameter.split()
            kinds += "p" if "*" in parameter else KINDS[words[0]]
        declared[name] = kinds
    assert declared == PARAMETERS["plain"] | PARAMETERS["recording"]
    assert text.index("nesproof_step_recorded") > text.index("#else") > text.index("nesproof_load")


def test_the_largest_block_is_what_the_kernels_expect() -> None:
    assert f"kMostThreads = {MAX_THREADS};" in kernel_sources()["gpu/step.hpp"].decode()
