"""Where nesproof keeps what it makes for its user: peers' environments, evidence, downloads."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs

__all__ = ["nesproof_home"]


def nesproof_home() -> Path:
    """The data folder: `NESPROOF_HOME` where set, else the platform's user data folder. It need not exist yet."""
    chosen = os.environ.get("NESPROOF_HOME")
    return Path(chosen).expanduser().absolute() if chosen else Path(platformdirs.user_data_dir("nesproof", False))
