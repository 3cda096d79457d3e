"""Print what an extra of the installed nesproof needs, a requirement a line: `python requirements_of_extra.py dev`."""

from __future__ import annotations

import sys
from importlib.metadata import requires

from packaging.requirements import Requirement


def main(extra: str) -> None:
    """The requirements that hold for this Python."""
    for text in requires("nesproof") or ():
        requirement = Requirement(text)
        if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
            continue  # one of the package itself
        if requirement.marker.evaluate({"extra": extra}):
            requirement.marker = None
            print(requirement)


if __name__ == "__main__":
    main(sys.argv[1])
