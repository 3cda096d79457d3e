"""The same inputs always give the same console."""
