"""Suites: what each holds (data), the pytest plugin they run under, and running one in processes of its own."""

from nesproof.harness.suite_run.asking import lacking
from nesproof.harness.suite_run.definition import (
    SuiteCase,
    SuiteDefinition,
    expected_cases,
    load_suite,
    suite_names,
)
from nesproof.harness.suite_run.run import SuiteInterrupted, run_suite

__all__ = [
    "SuiteCase",
    "SuiteDefinition",
    "SuiteInterrupted",
    "expected_cases",
    "lacking",
    "load_suite",
    "run_suite",
    "suite_names",
]
