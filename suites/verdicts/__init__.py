"""A judge, held to measurements whose verdict is known."""
