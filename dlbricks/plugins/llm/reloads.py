"""Measures benchmarks in several runs, each of which loads them anew.

What memory a process gets stays for as long as it lives. A decoder that was loaded seven times made steps of 25 to 37
ms, and in some runs all products read their weights a third to a half slower than in others, call after call. Over
visits of several loads the latency is nearer to what is usual: single calls are bounded by what most of them take
(``stats.bounded_mean``).
"""

import dataclasses
import math
import statistics
import time
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
VISITS = 4
"""Least number of visits to a sequence in each run. A layer of a decoder occurs some tens of times, and all have one
error: of eleven decoders steps were off by 15 % after one visit in each run, 12 after two, 8 after three or more (90th
percentiles)."""
_WIDEST = 0.5


def run_after_reload(  # noqa: PLR0913 - those of run_benchmarks, and one more
    head: SuiteHead,
    benchmarks: Sequence[BuiltBenchmark],
    options: RunOptions,
    progress: Callable[[Progress], None],
    *,
    weights: Path,
    between: Callable[[], int],
    again: Callable[[], None],
    whole_bytes: int | None = None,
) -> dict[str, Any]:
    """Run benchmarks as ``measure.run_benchmarks`` does, in several runs; return one result document.

    With a budget, or a smoke test, it is one run.

    Args:
        head: as there.
        benchmarks: as there.
        options: as there.
        progress: called with the progress of all runs together.
        weights: as there.
        between: as there.
        again: called before each run but the first.
        whole_bytes: as there.
    """
    runs = [options] if options.smoke or options.budget_ns is not None else _each(options)
    made = []
    for number, run in enumerate(runs, start=1):
        if number > 1:
            again()
        report = _as_one(progress, number, len(runs))
        made.append(
            run_benchmarks(head, benchmarks, run, report, weights=weights, between=between, whole_bytes=whole_bytes)
        )
    return merged(made)


def _each(options: RunOptions) -> list[RunOptions]:
    """Return the options of each run, whose intervals may be as much wider as all runs together narrow them."""
    target = min(_WIDEST, options.target_relative * math.sqrt(LOADS))
    each = dataclasses.replace(options, target_relative=target, cold_min_visits=VISITS)
    return [dataclasses.replace(each, seed=options.seed + number) for number in range(LOADS)]


def _as_one(progress: Callable[[Progress], None], number: int, runs: int) -> Callable[[Progress], None]:
    """Report one of several runs, which begins now, as a part of all of them."""
    begin_ns, left = time.perf_counter_ns(), runs - number

    def report(one: Progress) -> None:
        left_ns = one.eta_ns
        if left_ns is not None:
            left_ns += left * (time.perf_counter_ns() - begin_ns + left_ns)
        progress(
            dataclasses.replace(
                one,
                phase="measuring" if one.phase == "done" and left else one.phase,
                done=one.done + (number - 1) * one.total,
                total=runs * one.total,
                eta_ns=left_ns,
            )
        )

    return report


def merged(documents: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return the result document of several runs of one suite, one after another, with the visits of all.

    A benchmark that was measured in any run has been measured. Times of host and device are those of the middle run.
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
    for fingerprint, queue in _queues(documents).items():
        entries[fingerprint] = {**entries[fingerprint], "queue": middle_queue(queue)}
    timing = {key: sum(document["timing"][key] for document in documents) for key in first["timing"]}
    return {**first, "timing": timing, "benchmarks": [*entries.values()]}


def _queues(documents: Sequence[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    """Return the times of host and device of each benchmark that has any, by fingerprint."""
    found: dict[str, list[dict[str, Any]]] = {}
    for entry in (one for document in documents for one in document["benchmarks"]):
        if entry.get("queue"):
            found.setdefault(entry["fingerprint"], []).append(entry["queue"])
    return found


def middle_queue(found: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return the times of host and device of several runs: medians, between the outermost ends of their intervals.

    Args:
        found: entries ``queue`` of one benchmark; those that wait where most do not, or not where most do, do not
            count.
    """
    waits = statistics.median_low(one["synchronises"] for one in found)
    alike = [one for one in found if one["synchronises"] == waits]
    names = set.intersection(*(set(one) for one in alike)) - {"synchronises"}
    ends = {"low_ns": min, "high_ns": max}
    made = {
        name: round(ends.get(name.partition("_")[2], statistics.median)(one[name] for one in alike))
        for name in sorted(names)
    }
    return {**made, "synchronises": waits}
