"""The data of this suite's cases, as `suite.toml` gives them."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

from nesproof.harness.suite_run import SuiteCase

__all__ = ["LaneSettings", "settings_of"]


class LaneSettings(BaseModel):
    """`lanes` consoles for `frames` frames, each with random buttons of its own."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    lanes: int = Field(ge=1)
    frames: int = Field(ge=8)


def settings_of(case: SuiteCase) -> LaneSettings:
    """The case's settings, checked."""
    return LaneSettings.model_validate(case.settings)
