"""Planted faults: each is turned on and tried on the claims that name it, which must fail by their own assertion."""
