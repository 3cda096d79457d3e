"""Consoles side by side know nothing of each other."""
