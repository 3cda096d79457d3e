"""nesproof's judge behind the subject protocol: a case without its verdict comes in, a verdict goes out.

So the judge is put to a suite as consoles are, and a judge that is broken on purpose must fail it.
"""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version
from typing import Any

__all__ = ["JudgeAdapter", "make_adapter"]

_PACKAGES = ("numpy", "scipy", "pydantic")


class JudgeAdapter:
    """Judges; it is no console and plays nothing."""

    name = "judge"
    build = None

    def __init__(self) -> None:
        self.version = _version("nesproof")
        self.capabilities = ["judge"]
        self.packages = [(name, _version(name)) for name in _PACKAGES]

    def judge(self, case: bytes) -> dict[str, str]:
        """The verdict on a planted case, and its reason. ValueError where the case is malformed."""
        from nesproof.harness.judge.planted_cases import PlantedCase, judge_planted

        verdict, reason = judge_planted(PlantedCase.model_validate_json(case))
        return {"verdict": verdict.value, "reason": reason[:4_000]}


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:  # a bare source tree
        return "0+uninstalled"


def make_adapter(options: dict[str, Any]) -> JudgeAdapter:  # noqa: ARG001 - every adapter is made so
    """The adapter; it has no options."""
    return JudgeAdapter()
