"""nestest's automatic run, line by line against its log."""
