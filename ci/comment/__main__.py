"""Run as `python -I ci/comment` by .github/workflows/gate-comment.yml, on the default branch's code alone."""

import sys

from gate_comment.post import main

sys.exit(main())
