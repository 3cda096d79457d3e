"""Claims as data: what ships is sound, and what is malformed is refused in one sentence."""

from __future__ import annotations

from pathlib import Path

import pytest

from nesproof.harness.claims.registry import load_claims, parse_claims
from nesproof.harness.errors import ConfigurationError

GOOD = """
[[claim]]
id = "a.b"
sentence = "Something is promised here."
kind = "exact"
subject = "reference"
suite = "klaus"
breaks_when = "Something breaks in there."
"""
RATIO = GOOD.replace('"exact"', '"ratio"').replace(
    'suite = "klaus"', 'workload = "play@1"\nbaseline = "nes-py"\nmetric = "frames_per_second"\nat_least = 0.4'
)


def test_what_ships_loads_and_is_in_a_profile() -> None:
    registry = load_claims()
    assert len(registry) > 0
    assert all(claim.profiles for claim in registry.values())
    assert registry.origin("throughput.reference.vs-nes-py") == "throughput.toml"


def test_a_threshold_is_spoken() -> None:
    assert "0.4" in load_claims()["throughput.reference.vs-nes-py"].spoken()


def test_further_files_add_claims(tmp_path: Path) -> None:
    (tmp_path / "more.toml").write_text(GOOD)
    assert "a.b" in load_claims([tmp_path])
    assert "a.b" in load_claims([tmp_path / "more.toml"])


@pytest.mark.parametrize(
    ("text", "says"),
    [
        pytest.param("[[claim", "not valid TOML", id="no TOML"),
        pytest.param("claim = " + "[" * 5_000 + "]" * 5_000, "not valid TOML", id="deeply nested"),
        pytest.param("claim = " + "9" * 5_000, "not valid TOML", id="huge number"),
        pytest.param("", "holds no", id="empty"),
        pytest.param("claim = 3", "holds no", id="no table"),
        pytest.param(GOOD + "[other]\n", "unknown table 'other'", id="unknown table"),
        pytest.param(GOOD + 'colour = "red"\n', "a.b: colour", id="unknown field"),
        pytest.param(GOOD.replace("exact", "exactly"), "a.b: kind", id="unknown kind"),
        pytest.param(GOOD.replace('suite = "klaus"\n', ""), "names a suite", id="exact without suite"),
        pytest.param(RATIO.replace("at_least = 0.4", ""), "exactly one of", id="no threshold"),
        pytest.param(
            RATIO.replace("at_least = 0.4", "at_least = 0.4\nat_most = 1"), "exactly one of", id="two thresholds"
        ),
        pytest.param(RATIO.replace("0.4", "0"), "above 0", id="threshold zero"),
        pytest.param(RATIO.replace("0.4", "nan"), "above 0", id="threshold nan"),
        pytest.param(RATIO.replace("0.4", "inf"), "finite", id="threshold infinite"),
        pytest.param(RATIO.replace("play@1", "play"), "workload", id="workload without version"),
        pytest.param(GOOD.replace('"a.b"', '"A b"'), "id", id="odd id"),
        pytest.param(GOOD + 'requires = ["magic"]\n', "requires", id="unknown requirement"),
    ],
)
def test_a_malformed_file_is_refused(text: str, says: str) -> None:
    with pytest.raises(ConfigurationError, match=r"claims file x\.toml") as caught:
        parse_claims(text, origin="x.toml")
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)
    assert caught.value.exit_code == 2


def test_one_id_twice_is_refused(tmp_path: Path) -> None:
    (tmp_path / "one.toml").write_text(GOOD)
    (tmp_path / "two.toml").write_text(GOOD)
    with pytest.raises(ConfigurationError, match=r"one\.toml and two\.toml"):
        load_claims([tmp_path])


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="cannot be read"):
        load_claims([tmp_path / "none.toml"])
