"""Suites: each folder holds the cases as data, a test file and a page on how to read it. They know only subjects."""
