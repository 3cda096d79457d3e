"""What the evidence document is made of: strings with caps, moments, and records that refuse unknown fields."""

from __future__ import annotations

from datetime import datetime, timezone
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

__all__ = ["BundlePath", "Hex", "LongText", "Moment", "Name", "Record", "Sha256", "Text"]

Text = Annotated[str, Field(max_length=4_000)]
LongText = Annotated[str, Field(max_length=64_000)]
Name = Annotated[str, Field(max_length=200)]
Sha256 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
Hex = Annotated[str, Field(pattern=r"^[0-9a-f]{1,128}$")]
BundlePath = Annotated[str, Field(pattern=r"^[a-z]+/[A-Za-z0-9._-]{1,150}$")]
"""A file of the bundle, one folder deep: `frames/x.png`, `logs/y.txt`."""


def _in_utc(when: datetime) -> datetime:
    try:
        when.astimezone(timezone.utc)
    except (OverflowError, OSError, ValueError):
        raise ValueError("it is no moment that UTC has a date for") from None
    return when


Moment = Annotated[datetime, AfterValidator(_in_utc)]
"""A moment; views show it in UTC."""


class Record(BaseModel):
    """A part of the document: frozen, no unknown fields, no infinities."""

    model_config = ConfigDict(extra="forbid", frozen=True, ser_json_inf_nan="null", allow_inf_nan=False)
