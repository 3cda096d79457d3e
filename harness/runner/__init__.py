"""The runner: from a selection of claims to judged evidence. It plans, measures, judges and records."""
