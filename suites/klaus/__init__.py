"""Klaus Dormann's functional test on a flat 64 KiB of RAM."""
