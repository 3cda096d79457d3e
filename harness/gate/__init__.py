"""The gate: a change held against what it changes, by figures that do not vary first and by interleaved timing then."""
