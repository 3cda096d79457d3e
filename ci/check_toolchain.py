"""Say in one sentence what a fresh machine lacks before anything is installed. Runs on any Python 3, alone."""

import os
import shutil
import subprocess
import sys
import tempfile

PROBE = "#include <span>\n#include <bit>\nint main() { return std::popcount(0u); }\n"


def fail(sentence):
    """Print what is missing with its remedy, and stop with the exit code for configuration faults."""
    sys.stderr.write("nesproof: " + sentence + "\n")
    sys.exit(2)


def check_python():
    """Python 3.10 with venv and pip."""
    if sys.version_info < (3, 10):
        fail(
            "Python 3.10 or newer is needed, and this is {}.{}. Remedy: make PYTHON=python3.12 (any python3.10 or "
            "newer that you have) ...".format(*sys.version_info[:2])
        )
    try:
        import ensurepip  # noqa: F401
        import venv  # noqa: F401
    except ImportError:
        fail("Python's venv module is missing. Remedy: apt-get install python3-venv (or your system's package).")


def check_compiler():
    """A compiler that knows C++20."""
    compiler = os.environ.get("CXX") or next((c for c in ("c++", "g++", "clang++") if shutil.which(c)), None)
    if compiler is None:
        fail("No C++ compiler was found. Remedy: apt-get install g++ (macOS: xcode-select --install), or set CXX.")
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "probe.cpp")
        with open(source, "w") as handle:
            handle.write(PROBE)
        command = [*compiler.split(), "-std=c++20", source, "-o", os.path.join(folder, "probe")]
        try:
            done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        except OSError as fault:
            fail("The C++ compiler {} cannot be run: {}. Remedy: set CXX to one that can.".format(compiler, fault))
        if done.returncode:
            fail(
                "The C++ compiler {} does not build a C++20 program. Remedy: install g++ 11 or clang 14 or newer, "
                "or set CXX.".format(compiler)
            )


if __name__ == "__main__":
    check_python()
    check_compiler()
