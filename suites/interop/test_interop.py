"""Another library gets a batch's memory itself: nothing is copied, and it stays valid."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import pytest
from pydantic import BaseModel, ConfigDict

from nesproof.harness.subjects.client import Subject
from nesproof.harness.suite_run import SuiteCase
from nesproof.harness.suite_run.recorder import Recorder


class Settings(BaseModel):
    """Which library."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    library: Literal["numpy", "torch"]


@pytest.mark.cases("zero-copy")
def test_memory_is_shared(case: SuiteCase, subject: Subject, roms: Mapping[str, bytes], record: Recorder) -> None:
    settings = Settings.model_validate(case.settings)
    shared = subject.share_memory(roms[case.roms[0]], settings.library)
    for name, value in shared.model_dump().items():
        record.detail(name, value)
    missing = [name.replace("_", " ") for name, value in shared.model_dump().items() if not value]
    if missing:
        pytest.fail(
            f"{settings.library} did not get the batch's own memory: not {', not '.join(missing)}.", pytrace=False
        )
