"""The harness: claims, subjects, measurements, verdicts and the evidence of a run."""
