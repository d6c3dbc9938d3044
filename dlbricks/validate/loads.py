"""Measures benchmarks in several runs, each of which loads them anew.

What memory a benchmark gets when it is loaded stays for a run: of products with weights of 0.1 to 0.6 MB one in ten
took up to a half longer, others in each run, while inside a network all take the same time. Over visits of several
loads the latency is nearer to that: single calls are bounded by what most of them take (``stats.bounded_mean``).
"""

import dataclasses
import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from dlbricks.harness.options import RunOptions
from dlbricks.harness.run.progress import Progress
from dlbricks.suite.benchmarks import BuiltBenchmark
from dlbricks.suite.writing import SuiteHead
from dlbricks.validate.measure import run_benchmarks

LOADS = 3
"""Number of runs: an unusual load of three raises a latency by a twelfth at most."""
_WIDEST = 0.5


def run_in_loads(
    head: SuiteHead,
    benchmarks: Sequence[BuiltBenchmark],
    options: RunOptions,
    progress: Callable[[Progress], None],
    *,
    weights: Path,
    between: Callable[[], int],
) -> dict[str, Any]:
    """Run benchmarks as ``measure.run_benchmarks`` does, in several runs; return one result document.

    With a budget, or a smoke test, it is one run.
    """
    runs = [options] if options.smoke or options.budget_ns is not None else _each(options)
    return merged([run_benchmarks(head, benchmarks, one, progress, weights=weights, between=between) for one in runs])


def _each(options: RunOptions) -> list[RunOptions]:
    """Return the options of each run, whose intervals may be as much wider as all runs together narrow them."""
    target = min(_WIDEST, options.target_relative * math.sqrt(LOADS))
    return [dataclasses.replace(options, seed=options.seed + number, target_relative=target) for number in range(LOADS)]


def merged(documents: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return the result document of several runs of one suite, one after another, with the visits of all.

    A benchmark that was measured in any run has been measured.
    """
    first, *others = documents
    entries = {one["fingerprint"]: one for one in first["benchmarks"]}
    begin_ns = 0
    for before, document in zip(documents, others, strict=False):
        begin_ns += before["timing"]["wall_ns"]
        for entry in document["benchmarks"]:
            known = entries[entry["fingerprint"]]
            later = [{**visit, "start_ns": visit["start_ns"] + begin_ns} for visit in entry["visits"]]
            if known["status"] != "ok" and entry["status"] == "ok":
                entries[entry["fingerprint"]] = {**entry, "visits": later}
            elif entry["status"] == "ok":
                entries[entry["fingerprint"]] = {**known, "visits": [*known["visits"], *later]}
    timing = {key: sum(one["timing"][key] for one in documents) for key in first["timing"]}
    return {**first, "timing": timing, "benchmarks": [*entries.values()]}
