"""Writes the gate's table under a pull request, from a JSON document that a stranger may have made.

GitHub's own event and API decide where a comment goes; the artifact gives only the document, which must fit the schema
of the default branch and be about the commit that the event names.
"""
