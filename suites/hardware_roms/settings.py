"""The data of this suite's cases, as `suite.toml` gives them."""

from __future__ import annotations

from typing import TypeVar

from pydantic import BaseModel, ConfigDict, Field, model_validator

from nesproof.harness.suite_run import SuiteCase

__all__ = ["EyeSettings", "RefusalSettings", "ReportSettings", "settings_of"]


class _Settings(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class ReportSettings(_Settings):
    """A program that reports. `run` names one of its runs in the manifest; at `limit_frames` it has failed."""

    run: str = "default"
    limit_frames: int = Field(ge=1)


class EyeSettings(_Settings):
    """A program for the eye: `frames` frames are played, and the last picture must be the one that was looked at.

    Where the program itself leaves its picture to what no source settles, `unsettled` says what that is, and there is
    no hash: such a picture must have its colours, and must be another than a second earlier.
    `picture_sha256` is over uint8 [240, 256] palette indices. `seen` says what is seen on it and why that is right.
    Indices know nothing of emphasis, so `least_colours` is how many RGB colours there must be at least.
    """

    frames: int = Field(default=600, ge=1)
    least_colours: int = Field(default=2, ge=1)
    picture_sha256: str | None = Field(default=None, pattern=r"^[0-9a-f]{64}$")
    unsettled: str | None = Field(default=None, min_length=10)
    seen: str = Field(min_length=10)

    @model_validator(mode="after")
    def _has_a_hash_or_a_reason(self) -> EyeSettings:
        if (self.picture_sha256 is None) == (self.unsettled is None):
            raise ValueError("give exactly one of picture_sha256 and unsettled")
        return self


class RefusalSettings(_Settings):
    """A cartridge that must be refused; each of `words` stands in the reason given."""

    words: tuple[str, ...] = Field(min_length=1)


_Model = TypeVar("_Model", bound=_Settings)


def settings_of(case: SuiteCase, model: type[_Model]) -> _Model:
    """The settings of a case as `model`.

    Raises:
        pydantic.ValidationError: a setting is missing, unknown or out of range.
    """
    return model.model_validate(case.settings)
