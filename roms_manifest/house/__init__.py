"""The house ROMs: nesproof's own NES programs, with their sources, binaries and build script."""
