"""Subjects: emulators under test, each in its own process behind one small protocol (`docs/subject-protocol.md`)."""
