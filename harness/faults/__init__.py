"""Faults: named ways to break what is verified. The catalogue (`*.toml`), its schema, and planting one in a subject."""
