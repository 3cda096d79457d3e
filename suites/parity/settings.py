"""The data of this suite's cases, as `suite.toml` gives them."""

from __future__ import annotations

from typing import TypeVar

from pydantic import BaseModel, ConfigDict, Field

from nesproof.harness.suite_run import SuiteCase

__all__ = ["PlaySettings", "ProgramsSettings", "SoakSettings", "settings_of"]


class _Settings(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class PlaySettings(_Settings):
    """Play a ROM for `frames` frames, once for each of `seeds` streams of random buttons."""

    frames: int = Field(ge=10)
    seeds: int = Field(ge=1)


class SoakSettings(_Settings):
    """Play a ROM for `frames` frames without ever loading a state, and compare after every `every_frames`.

    With `most_growth_bytes` neither process may then be larger by more than that than after the first comparison.
    """

    frames: int = Field(ge=10)
    every_frames: int = Field(ge=10)
    most_growth_bytes: int | None = Field(default=None, ge=0)


class ProgramsSettings(_Settings):
    """Random programs number `first` to `first + count - 1`: `frames` frames, and then `units` units one by one."""

    first: int = Field(ge=0)
    count: int = Field(ge=1)
    frames: int = Field(ge=1)
    units: int = Field(ge=0)


_S = TypeVar("_S", bound=_Settings)


def settings_of(case: SuiteCase, model: type[_S]) -> _S:
    """The case's settings, checked."""
    return model.model_validate(case.settings)
