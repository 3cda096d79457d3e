"""The community's hardware test programs, by the protocols that they report by."""
