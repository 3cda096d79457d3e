"""The command line: where the rooms are put together. Nothing imports this package."""
