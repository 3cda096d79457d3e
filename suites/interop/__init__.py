"""Interop: a batch's memory in the hands of other libraries, without a copy."""
