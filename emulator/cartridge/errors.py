"""What the loader raises and warns with."""

from __future__ import annotations

__all__ = ["CartridgeError", "CartridgeWarning", "UnsupportedBoardError"]


class CartridgeError(ValueError):
    """The file is refused. The message is one sentence: the file, what was found, what is supported."""


class UnsupportedBoardError(CartridgeError):
    """The file is sound, but its board is not emulated.

    Attributes:
        mapper: the mapper number that the file declares, or that was asked for.
        supported: the mapper numbers that are emulated, ascending.
    """

    def __init__(self, message: str, *, mapper: int, supported: tuple[int, ...]) -> None:
        super().__init__(message)
        self.mapper = mapper
        self.supported = supported

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the keyword-only attributes too: errors cross process borders."""
        return (_rebuild_unsupported, (self.args[0], self.mapper, self.supported))


def _rebuild_unsupported(message: str, mapper: int, supported: tuple[int, ...]) -> UnsupportedBoardError:
    return UnsupportedBoardError(message, mapper=mapper, supported=supported)


class CartridgeWarning(UserWarning):
    """The file is accepted, but something in it is odd, ignored or overridden."""
