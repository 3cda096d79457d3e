"""A subject that only reports on its surroundings: environment, folder, session, descriptors; then does as told.

It writes one JSON line to standard output (the log), greets, and waits for the end of its request pipe.
"""

from __future__ import annotations

import json
import os
import struct
import subprocess
import sys
import time
from pathlib import Path

read_fd, write_fd = (int(fd) for fd in os.environ["NESPROOF_SUBJECT_FDS"].split(","))
child = subprocess.Popen(["sleep", "300"])
Path("left-behind").write_text("scratch", encoding="utf-8")
print(
    json.dumps(
        {
            "environment": dict(os.environ),
            "folder": str(Path.cwd()),
            "pid": os.getpid(),
            "leads_session": os.getsid(0) == os.getpid(),
            "child": child.pid,
            "argv": sys.argv[1:],
            "stdin": os.read(0, 10).decode(),
        }
    ),
    flush=True,
)
hello = json.dumps(
    {
        "hello": "nesproof-subject", "protocol": 1, "name": "reporter", "version": "1", "capabilities": [],
        "python": "", "packages": [], "build": None, "buffers": [],
    }
).encode()  # fmt: skip
os.write(write_fd, struct.pack("<I", len(hello)) + hello)
while True:  # outlives everything that is asked of it politely
    time.sleep(1)
