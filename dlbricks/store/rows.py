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
from dlbricks.store.damage import typed
from dlbricks.store.ranking import TIERS, tier_of
from dlbricks.store.types import (
    Caches,
    CallOverheads,
    Measurement,
    MeasurementOrigin,
    QueueConstants,
    QueueTimes,
    Rate,
    SequenceLabel,
    SplitSettings,
    StoredResult,
    SubmissionEvent,
    SubmissionSummary,
    SystemConfiguration,
    SystemResults,
    SystemSummary,
)

_Made = TypeVar("_Made")

HOUR_NS = 3_600 * 10**9
_LEAST_COMMON = 3
"""Minimum number of common sequences for two runs to be compared."""

FIGURES = tuple(
    one.name for one in dataclasses.fields(Measurement) if one.name not in {"fingerprint", "queue", "origin"}
)
"""Columns of ``results`` that are fields of ``Measurement``."""


def _nested(kind: type[_Made], text: str) -> _Made:
    return msgspec.json.decode(text, type=kind)


def _tier(trust: str) -> str:
    if trust not in TIERS:
        raise ValueError(f"'{trust}' is no tier of trust")
    return trust


def machine_columns(results: SystemResults) -> dict[str, object]:
    """Return the columns of ``submissions`` that describe the machine."""
    over, caches = results.overheads, results.caches
    return {
        "overhead_near_ns": over.near_ns,
        "overhead_constants_ns": over.constants_ns,
        "overhead_repeated_ns": over.repeated_ns,
        "curve": json.dumps({"points": caches.curve, "memory_byte_ns": caches.memory_byte_ns}),
        "brought_in": json.dumps(caches.brought_in),
        "second_level_bytes": caches.second_level_bytes,
        "second_level_byte_ns": caches.second_level_byte_ns,
        "drift": results.drift,
        "queue": queue_column(results.queue),
    }


def queue_column(known: QueueTimes | QueueConstants | None) -> str | None:
    """Return queue times or constants as JSON; None if there are none."""
    return json.dumps(dataclasses.asdict(known)) if known else None


def merge_results(
    configuration: SystemConfiguration,
    ranked: Sequence[Row[Any]],
    found: Iterable[Row[Any]],
    *,
    mismatch: tuple[str, ...] = (),
) -> SystemResults:
    """Merge submissions of a configuration: each sequence, and the facts of the machine, come from the best one.

    Args:
        configuration: of the submissions.
        ranked: the submissions in order (``best_first``).
        found: their results with sequences (``select_measurements``).
        mismatch: differences between the configuration and the requested one.

    Raises:
        ValueError, TypeError, AttributeError, msgspec.ValidationError: the rows are damaged.
    """
    rank = {row.id: position for position, row in enumerate(ranked)}
    best: dict[str, Row[Any]] = {}
    solid: dict[int, dict[str, int]] = {row.id: {} for row in ranked if not row.smoke}
    for row in found:
        if row.submission in solid:
            solid[row.submission][row.fingerprint] = row.latency_ns
        held = best.get(row.fingerprint)
        if held is None or rank[row.submission] < rank[held.submission]:
            best[row.fingerprint] = row
    used = {rank[row.submission] for row in best.values()}
    origins = {
        row.id: typed(
            MeasurementOrigin,
            submission=row.digest,
            started_unix_ns=row.started_unix_ns,
            smoke=row.smoke,
            trust=_tier(row.trust),
        )
        for row in ranked
    }
    overheads = next((made for row in ranked if (made := _overheads(row)).repeated_ns), CallOverheads())
    machines = (_caches(row) for row in ranked)
    return SystemResults(
        configuration=configuration,
        call_overhead_ns=overheads.repeated_ns,
        measurements={name: _measurement(best[name], origins[best[name].submission]) for name in sorted(best)},
        drift=max((msgspec.convert(ranked[position].drift, Rate) for position in used), default=0.0),
        overheads=overheads,
        caches=next((made for made in machines if made.curve), Caches()),
        queue=next((_nested(QueueConstants, row.queue) for row in ranked if row.queue), None),
        features={name: _nested(SequenceFeatures, best[name].features) for name in sorted(best) if best[name].features},
        hours=run_differences([(row.started_unix_ns, solid[row.id]) for row in ranked if row.id in solid]),
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
    made = []
    for (before, first), (after, second) in itertools.pairwise(ordered):
        both = [(max(1, first[name]), max(1, second[name])) for name in first if name in second]
        if after - before > HOUR_NS and len(both) >= _LEAST_COMMON:
            middle = statistics.median(math.log(two / one) for one, two in both)
            sums = math.log(sum(two for _, two in both) / sum(one for one, _ in both))
            made.append(max(middle, sums, key=abs))
    return tuple(made)


def _overheads(row: Row[Any]) -> CallOverheads:
    return typed(
        CallOverheads,
        near_ns=row.overhead_near_ns,
        constants_ns=row.overhead_constants_ns,
        repeated_ns=row.overhead_repeated_ns,
    )


def _caches(row: Row[Any]) -> Caches:
    """Convert the cache columns of ``submissions``; in older rows ``curve`` is a list of points."""
    held = json.loads(row.curve)
    known = held if isinstance(held, dict) else {"points": held, "memory_byte_ns": 0.0}
    return typed(
        Caches,
        curve=known["points"],
        brought_in=json.loads(row.brought_in),
        second_level_bytes=row.second_level_bytes,
        second_level_byte_ns=row.second_level_byte_ns,
        memory_byte_ns=known["memory_byte_ns"],
    )


def _measurement(row: Row[Any], origin: MeasurementOrigin | None = None) -> Measurement:
    figures = {name: getattr(row, name) for name in FIGURES}
    queue = msgspec.json.decode(row.queue) if row.queue else None
    found = typed(Measurement, fingerprint=row.fingerprint, **figures, queue=queue)
    return dataclasses.replace(found, origin=origin) if origin else found


def configuration_of(row: Row[Any]) -> SystemConfiguration:
    """Convert the columns of ``CONFIGURATION``."""
    return typed(
        SystemConfiguration,
        system=row.system,
        runtime=row.runtime,
        provider=row.provider,
        threads=row.threads,
        instruction_set=tuple(one for one in row.instruction_set.split() if "=" not in one),
        options=tuple(one for one in row.instruction_set.split() if "=" in one),
    )


def settings_of(manifest: Mapping[str, Any]) -> SplitSettings:
    """Return the settings that the manifest of a suite states."""
    return typed(
        SplitSettings,
        granularity=manifest["granularity"],
        target=manifest["target"]["name"],
        splitter=manifest["splitter"],
        dims=sorted(manifest.get("dims", {}).items()),
        batch=manifest.get("batch"),
    )


def label_of(row: Row[Any]) -> SequenceLabel:
    """Convert a row with the label of a sequence."""
    return typed(
        SequenceLabel,
        fingerprint=row.fingerprint,
        name=row.name,
        operators=row.operators.split(),
        layers=row.layers,
    )


def stored_result_of(row: Row[Any]) -> StoredResult:
    """Convert a row of ``select_results``."""
    return typed(
        StoredResult,
        label=label_of(row),
        configuration=configuration_of(row),
        measurement=_measurement(row),
        submission=row.digest,
        started_unix_ns=row.started_unix_ns,
        complete=row.complete,
        trust=_tier(row.trust),
    )


def system_summary_of(row: Row[Any]) -> SystemSummary:
    """Convert a row of ``select_systems``."""
    return typed(
        SystemSummary,
        configuration=configuration_of(row),
        submissions=row.submissions,
        sequences=row.sequences,
        first_unix_ns=row.first,
        last_unix_ns=row.last,
        complete=row.complete,
        smoke=row.smoke,
        least_trust=tier_of(TIERS[row.least]),
        most_trust=tier_of(TIERS[row.most]),
        provisional=row.provisional,
        key=row.key,
    )


def submission_summary_of(row: Row[Any]) -> SubmissionSummary:
    """Convert a row of ``select_submissions``."""
    return typed(
        SubmissionSummary,
        digest=row.digest,
        configuration=configuration_of(row),
        suite=row.name,
        suite_digest=row.suite,
        started_unix_ns=row.started_unix_ns,
        received_unix_ns=row.received_unix_ns,
        complete=row.complete,
        smoke=row.smoke,
        results=row.results,
        severity=row.severity,
        trust=_tier(row.trust),
        key=row.key,
        embargo_unix_ns=row.until_unix_ns,
        withdrawn=None if row.kind is None else dataclasses.replace(event_of(row), until_unix_ns=None),
    )


def event_of(row: Row[Any]) -> SubmissionEvent:
    """Convert a row of ``events``."""
    return typed(
        SubmissionEvent,
        kind=row.kind,
        reason=row.reason,
        recorded_unix_ns=row.recorded_unix_ns,
        until_unix_ns=row.until_unix_ns,
        key=row.said_by or "",
        statement=row.statement or "",
    )
