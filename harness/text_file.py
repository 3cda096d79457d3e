"""Reading a text file that somebody handed in: of bounded size, UTF-8, and one sentence where it is not."""

from __future__ import annotations

import sys

if sys.version_info >= (3, 11):
    from importlib.resources.abc import Traversable
else:
    from importlib.abc import Traversable

from nesproof.harness.errors import ConfigurationError

__all__ = ["read_text_file"]


def read_text_file(file: Traversable, *, what: str, limit_bytes: int = 1 << 20) -> str:
    """The text of the file, line ends as they are in it; `what` names it in a message.

    Raises:
        ConfigurationError: it cannot be read, is larger than `limit_bytes`, or is not UTF-8.
    """
    try:
        with file.open("rb") as stream:
            data = stream.read(limit_bytes + 1)
    except OSError as fault:
        raise ConfigurationError(f"{what} cannot be read: {fault.strerror}.") from fault
    if len(data) > limit_bytes:
        raise ConfigurationError(f"{what} is larger than {limit_bytes} bytes.")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as fault:
        raise ConfigurationError(f"{what} is not UTF-8 text; save it as that.") from fault
