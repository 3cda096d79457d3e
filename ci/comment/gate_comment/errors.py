"""Why there is no comment: one sentence of our own words, never of the artifact's."""

__all__ = ["Refused"]


class Refused(Exception):
    """What was brought is not taken. The message quotes nothing of it: a job's log obeys some lines as commands."""
