"""`python -m nesproof.harness.cli` is `nesproof`."""

from nesproof.harness.cli.entry import main

main()
