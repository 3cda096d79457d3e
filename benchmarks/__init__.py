"""Workloads, their input streams, and developer benches of them. Data is loaded by id through importlib.resources."""
