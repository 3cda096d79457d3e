"""What is refused is said with what to do about it, each in one sentence."""

from __future__ import annotations

from pathlib import Path

import pytest

from nesproof.harness.claims.registry import load_claims
from nesproof.harness.errors import ConfigurationError, HarnessError
from nesproof.harness.evidence.bundle import open_bundle
from nesproof.harness.subjects.errors import NotCapable


def claims_of(text: str, tmp_path: Path) -> str:
    path = tmp_path / "mine.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigurationError) as refused:
        load_claims([path])
    return str(refused.value)


def test_who_cannot_be_asked_is_said_with_where_the_others_stand() -> None:
    said = str(NotCapable("toy", "trace"))
    assert said == (
        "Subject toy cannot do that: it does not declare the capability 'trace'; "
        "`nesproof subjects list` shows who does."
    )


def test_a_claims_file_without_claims_is_said_with_what_makes_one(tmp_path: Path) -> None:
    assert claims_of("", tmp_path).endswith("holds no [[claim]]; `nesproof claims new` writes one.")
    assert claims_of("[[clam]]\nid = 1\n", tmp_path).endswith("has an unknown table 'clam'; [[claim]] is known.")
    (tmp_path / "empty").mkdir()
    with pytest.raises(ConfigurationError, match="name one that does, or a file"):
        load_claims([tmp_path / "empty"])


def test_a_folder_that_is_no_bundle_is_said_with_what_to_name(tmp_path: Path) -> None:
    with pytest.raises(HarnessError, match=r"no evidence bundle: it has no manifest\.json; name a folder that has"):
        open_bundle(tmp_path)
