"""One subject beside another: how they play one input, then how fast each is. No promise is held to either."""
