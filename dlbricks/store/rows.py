"""Conversion between rows of the tables and the types of ``store.types``, whose constraints the rows must meet."""

import dataclasses
import itertools
import json
import math
import statistics
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

import msgspec
from sqlalchemy import Row

from dlbricks.model.types import SequenceFeatures
from dlbricks.store.columns import from_columns, to_text
from dlbricks.store.damage import typed
from dlbricks.store.ranking import TIERS, checked_tier, tier_of
from dlbricks.store.types import (
    Caches,
    CallOverheads,
    MeasurementOrigin,
    QueueConstants,
    Rate,
    SequenceLabel,
    StoredResult,
    SubmissionEvent,
    SubmissionSummary,
    SuiteSettings,
    SystemConfiguration,
    SystemResults,
    SystemSummary,
)

_T = TypeVar("_T")

HOUR_NS = 3_600 * 10**9
_LEAST_COMMON = 3
"""Minimum number of common sequences for two runs to be compared."""


def _record(kind: type[_T], row: Row[Any], /, **more: object) -> _T:
    """Convert a row whose columns are fields of a type; ``more`` are the other fields."""
    fields = row._asdict() | more
    if "trust" in fields:
        checked_tier(fields["trust"])
    return typed(kind, **fields)


def machine_columns(results: SystemResults) -> dict[str, object]:
    """Return the columns of ``submissions`` that describe the machine."""
    overheads, caches = results.overheads, results.caches
    return {
        **{f"overhead_{name}": nanoseconds for name, nanoseconds in dataclasses.asdict(overheads).items()},
        "curve": json.dumps({"points": caches.curve, "memory_byte_ns": caches.memory_byte_ns}),
        "brought_in": json.dumps(caches.brought_in),
        "second_level_bytes": caches.second_level_bytes,
        "second_level_byte_ns": caches.second_level_byte_ns,
        "drift": results.drift,
        "queue": to_text(results.queue),
    }


def merge_results(
    configuration: SystemConfiguration,
    ranked: Sequence[Row[Any]],
    rows: Iterable[Row[Any]],
    *,
    mismatch: tuple[str, ...] = (),
) -> SystemResults:
    """Merge submissions of a configuration: each sequence, and the facts of the machine, come from the best one.

    Args:
        configuration: of the submissions.
        ranked: the submissions in order (``best_first``).
        rows: their results with sequences (``select_measurements``).
        mismatch: differences between the configuration and the requested one.

    Raises:
        ValueError, TypeError, AttributeError, msgspec.ValidationError: the rows are damaged.
    """
    rank = {row.id: position for position, row in enumerate(ranked)}
    best: dict[str, Row[Any]] = {}
    latencies: dict[int, dict[str, int]] = {row.id: {} for row in ranked if not row.smoke}
    for row in rows:
        if row.submission in latencies:
            latencies[row.submission][row.fingerprint] = row.latency_ns
        former = best.get(row.fingerprint)
        if former is None or rank[row.submission] < rank[former.submission]:
            best[row.fingerprint] = row
    best = dict(sorted(best.items()))
    used = {rank[row.submission] for row in best.values()}
    origins = {row.id: _record(MeasurementOrigin, row, submission=row.digest) for row in ranked}
    overheads = (_overheads(row) for row in ranked)
    overhead = next((each for each in overheads if each.repeated_ns), CallOverheads())
    return SystemResults(
        configuration=configuration,
        call_overhead_ns=overhead.repeated_ns,
        measurements={name: from_columns(row._asdict(), origins[row.submission]) for name, row in best.items()},
        drift=max((msgspec.convert(ranked[position].drift, Rate) for position in used), default=0.0),
        overheads=overhead,
        caches=next((caches for caches in map(_caches, ranked) if caches.curve), Caches()),
        queue=next((msgspec.json.decode(row.queue, type=QueueConstants) for row in ranked if row.queue), None),
        features={
            name: msgspec.json.decode(row.features, type=SequenceFeatures) for name, row in best.items() if row.features
        },
        hours=run_differences([(row.started_unix_ns, latencies[row.id]) for row in ranked if row.id in latencies]),
        mismatch=mismatch,
    )


def run_differences(runs: Iterable[tuple[int, Mapping[str, int]]]) -> tuple[float, ...]:
    """Return the differences between successive runs of one configuration that started more than an hour apart.

    Args:
        runs: start in ns and latencies by fingerprint of each run.

    Returns:
        For each pair of successive runs with common sequences the logarithm of the median ratio of latencies, or of the
        ratio of their sums, whichever is farther from 0.
    """
    ordered = sorted(runs, key=lambda run: run[0])
    differences = []
    for (before, first), (after, second) in itertools.pairwise(ordered):
        both = [(max(1, first[name]), max(1, second[name])) for name in first if name in second]
        if after - before > HOUR_NS and len(both) >= _LEAST_COMMON:
            median = statistics.median(math.log(later / earlier) for earlier, later in both)
            sums = math.log(sum(later for _, later in both) / sum(earlier for earlier, _ in both))
            differences.append(max(median, sums, key=abs))
    return tuple(differences)


def _overheads(row: Row[Any]) -> CallOverheads:
    return typed(CallOverheads, **{name.removeprefix("overhead_"): value for name, value in row._asdict().items()})


def _caches(row: Row[Any]) -> Caches:
    """Convert the cache columns of ``submissions``; in older rows ``curve`` is a list of points."""
    curve = json.loads(row.curve)
    curve = curve if isinstance(curve, dict) else {"points": curve, "memory_byte_ns": 0.0}
    points, byte_ns = curve["points"], curve["memory_byte_ns"]
    return _record(Caches, row, curve=points, memory_byte_ns=byte_ns, brought_in=json.loads(row.brought_in))


def configuration_of(row: Row[Any]) -> SystemConfiguration:
    """Convert the columns of ``CONFIGURATION``; words of its column ``instruction_set`` with a ``=`` are options."""
    words = row.instruction_set.split()
    options = tuple(word for word in words if "=" in word)
    extensions = tuple(word for word in words if "=" not in word)
    return _record(SystemConfiguration, row, instruction_set=extensions, options=options)


def settings_of(manifest: Mapping[str, Any]) -> SuiteSettings:
    """Return the settings that the manifest of a suite states."""
    return typed(
        SuiteSettings,
        granularity=manifest["granularity"],
        target=manifest["target"]["name"],
        splitter=manifest["splitter"],
        dims=sorted(manifest.get("dims", {}).items()),
        batch=manifest.get("batch"),
    )


def label_of(row: Row[Any]) -> SequenceLabel:
    """Convert a row with the label of a sequence."""
    return _record(SequenceLabel, row, operators=row.operators.split())


def stored_result_of(row: Row[Any]) -> StoredResult:
    """Convert a row of ``select_results``."""
    return _record(
        StoredResult,
        row,
        label=label_of(row),
        configuration=configuration_of(row),
        measurement=from_columns(row._asdict()),
        submission=row.digest,
    )


def system_summary_of(row: Row[Any]) -> SystemSummary:
    """Convert a row of ``select_systems``."""
    least, most = tier_of(TIERS[row.least]), tier_of(TIERS[row.most])
    return _record(
        SystemSummary, row, configuration=configuration_of(row), settings=(), least_trust=least, most_trust=most
    )


def submission_summary_of(row: Row[Any]) -> SubmissionSummary:
    """Convert a row of ``select_submissions``."""
    withdrawn = None if row.kind is None else event_of(row)
    configuration = configuration_of(row)
    return _record(SubmissionSummary, row, configuration=configuration, withdrawn=withdrawn)


def event_of(row: Row[Any]) -> SubmissionEvent:
    """Convert a row of ``events`` with the key of its statement."""
    return _record(SubmissionEvent, row, key=row.statement_key or "", statement=row.statement or "")
