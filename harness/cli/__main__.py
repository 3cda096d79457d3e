"""`python -m nesproof.harness.cli` is `nesproof`."""

from nesproof.harness.cli.app import main

main()
