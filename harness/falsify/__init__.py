"""Falsifying: each fault is planted, and the claims that name it must fail by their own assertion."""
