"""Bisection: the first commit that broke a claim, proved against its parent."""
