"""Single-step vectors: one instruction each, every bus access compared."""
