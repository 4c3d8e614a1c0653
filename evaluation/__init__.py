"""Scoring as a library: pure functions from bytes to tables of numbers.

`SUITES` is the registry: a new benchmark is one package beside this file and its name
in the tuple below. Nothing heavy is imported here.
"""

from collections.abc import Mapping

from evaluation.egobench import SUITE as EGOBENCH
from evaluation.explore import SUITE as EXPLORE
from evaluation.problems import InvalidUpload, Problem
from evaluation.suite import AnySuite, Suite
from evaluation.svcbench import SUITE as SVCBENCH

SUITES: Mapping[str, AnySuite] = {
    suite.slug: suite for suite in (EXPLORE, EGOBENCH, SVCBENCH)
}

__all__ = ["SUITES", "AnySuite", "InvalidUpload", "Problem", "Suite"]
