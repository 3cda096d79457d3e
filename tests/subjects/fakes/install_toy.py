"""Installs a toy peer, from a wheel that lies beside it and no network: `install_toy.py REQUIREMENTS [--again]`.

Stands in for `nesproof subjects install`, with one shipped subject put in place of the real ones.
"""

from __future__ import annotations

import sys
from pathlib import Path

from nesproof.harness.errors import HarnessError
from nesproof.harness.subjects import install, registry, status

ADAPTER = Path(__file__).with_name("peer_adapter.py")


def toy_definition(requirements: str) -> registry.SubjectDefinition:
    return registry.SubjectDefinition(
        name="peer",
        adapter=str(ADAPTER),
        environment="venv",
        python=("3.8", "3.99"),
        requirements=requirements,
        compiler=None,
    )


def put_in_place(requirements: str) -> None:
    definition = toy_definition(requirements)
    for module in (install, status):
        module.find_subject = lambda _name: definition  # type: ignore[attr-defined]


if __name__ == "__main__":
    put_in_place(sys.argv[1])
    try:
        made = install.install_subject(
            "peer", progress=lambda step: print(step, flush=True), again="--again" in sys.argv
        )
    except HarnessError as fault:
        print(f"{type(fault).__name__}: {fault}", flush=True)
        sys.exit(fault.exit_code)
    print("installed" if made else "already installed", flush=True)
