"""Two implementations of one console, bit for bit: where they part is found and shown."""
