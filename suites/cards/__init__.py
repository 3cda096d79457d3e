"""The house test cards: what each board does, walked bank by bank."""
