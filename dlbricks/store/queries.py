"""What a store asks its tables and adds to them, and the way from their rows to the types of ``store.types``."""

import dataclasses
import itertools
import json
import math
import statistics
import time
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from operator import attrgetter
from typing import Any

from sqlalchemy import BigInteger, Connection, Row, Select, bindparam, case, func, select

from dlbricks.model.types import SequenceFeatures
from dlbricks.store import dialect
from dlbricks.store.ranking import PROVISIONAL, TIER, TIERS, tier_of
from dlbricks.store.tables import (
    configurations,
    events,
    handovers,
    listings,
    names,
    results,
    sequences,
    signatures,
    submissions,
    suites,
)
from dlbricks.store.types import (
    Caches,
    CallOverheads,
    Measurement,
    MeasurementOrigin,
    QueueConstants,
    QueueTimes,
    SequenceLabel,
    StoredResult,
    Submission,
    SubmissionEvent,
    SubmissionSummary,
    SystemConfiguration,
    SystemResults,
    SystemSummary,
)

CONFIGURATION = tuple(column for column in configurations.c if column.name != "id")
"""Columns that make up a configuration."""

WITHDRAWN, CORRECTED, RESTORED = "withdrawn", "corrected", "restored"
"""Events that decide whether a submission is used: the newest one does."""
EMBARGO = "embargo"
"""Event that says until when a submission is not shown: the newest one does."""


def _last(*kinds: str) -> Select[Any]:
    """Give the newest event of some kinds of each submission."""
    newest = select(func.max(events.c.id)).where(events.c.kind.in_(kinds)).group_by(events.c.submission)
    return select(events).where(events.c.id.in_(newest))


_WITHDRAWN = _last(WITHDRAWN, CORRECTED, RESTORED).where(events.c.kind != RESTORED).subquery("withdrawn")
"""The event of each submission that is withdrawn or replaced."""

_EMBARGO = _last(EMBARGO).subquery("embargoes")

_NOW = bindparam("now", callable_=lambda: time.time_ns(), type_=BigInteger)  # noqa: PLW0108 - the clock of then

NOT_WITHDRAWN = submissions.c.id.not_in(select(_WITHDRAWN.c.submission))
IN_USE = NOT_WITHDRAWN & submissions.c.id.not_in(select(_EMBARGO.c.submission).where(_EMBARGO.c.until_unix_ns > _NOW))
"""Neither withdrawn nor under embargo now."""

_COMPLETE = case((submissions.c.complete, 1), else_=0)
_SMOKE = case((submissions.c.smoke, 1), else_=0)

HOUR_NS = 3_600 * 10**9
_LEAST_COMMON = 3
"""Sequences that two runs have to have in common to be set beside each other."""

_CHUNK = 1000
"""Values in one ``IN (...)``: below the limits of all engines."""

_FIGURES = tuple(
    one.name for one in dataclasses.fields(Measurement) if one.name not in {"fingerprint", "queue", "origin"}
)
"""Columns of ``results`` that are fields of a measurement as they are."""

_LABEL = (listings.c.name, listings.c.operators, listings.c.layers)
"""What a suite calls a sequence."""

_OF_RUN = (
    *(submissions.c.started_unix_ns, submissions.c.smoke, submissions.c.complete),
    *(submissions.c.results, submissions.c.trust),
)

_OF_MACHINE = (
    *(column for column in submissions.c if column.name.startswith(("overhead_", "second_level_"))),
    *(submissions.c.curve, submissions.c.brought_in, submissions.c.drift, submissions.c.queue),
)
"""Columns of ``submissions`` that describe the machine."""


def owner_of(system: Any) -> Any:
    """Give the key to which a name belongs, as an expression; nothing if to none."""
    newest = select(handovers.c.key).where(handovers.c.system == system).order_by(handovers.c.id.desc()).limit(1)
    first = select(names.c.key).where(names.c.system == system)
    return func.coalesce(newest.scalar_subquery(), first.scalar_subquery())


def select_systems() -> Select[Any]:
    """Give every configuration with the count and dates of its submissions and the count of its sequences."""
    distinct = (
        select(submissions.c.configuration, func.count(results.c.sequence.distinct()).label("sequences"))
        .join(results, results.c.submission == submissions.c.id)
        .where(IN_USE)
        .group_by(submissions.c.configuration)
        .subquery()
    )
    return (
        select(
            configurations,
            func.count(submissions.c.id).label("submissions"),
            func.min(submissions.c.started_unix_ns).label("first"),
            func.max(submissions.c.started_unix_ns).label("last"),
            func.sum(_COMPLETE).label("complete"),
            func.sum(_SMOKE).label("smoke"),
            func.coalesce(func.max(distinct.c.sequences), 0).label("sequences"),
            func.min(TIER).label("least"),
            func.max(TIER).label("most"),
            func.sum(case((submissions.c.trust.startswith(PROVISIONAL), 1), else_=0)).label("provisional"),
            func.coalesce(owner_of(configurations.c.system), "").label("key"),
        )
        .join(submissions, submissions.c.configuration == configurations.c.id)
        .outerjoin(distinct, distinct.c.configuration == configurations.c.id)
        .where(IN_USE)
        .group_by(configurations.c.id)
    )


def select_configurations() -> Select[Any]:
    """Give every configuration that has a submission in use."""
    return select(configurations).where(configurations.c.id.in_(select(submissions.c.configuration).where(IN_USE)))


def select_submissions() -> Select[Any]:
    """Give every submission but its document, withdrawn ones too and why they are, newest run first."""
    said = signatures.alias()
    why = (_WITHDRAWN.c.kind, _WITHDRAWN.c.reason, _WITHDRAWN.c.recorded_unix_ns, _WITHDRAWN.c.statement)
    more = (_EMBARGO.c.until_unix_ns, func.coalesce(signatures.c.key, "").label("key"))
    own = (column for column in submissions.c if column.name != "body")
    return (
        select(*own, *CONFIGURATION, suites.c.name, *why, *more, said.c.key.label("said_by"))
        .join(configurations, submissions.c.configuration == configurations.c.id)
        .join(suites, submissions.c.suite == suites.c.digest)
        .outerjoin(_WITHDRAWN, _WITHDRAWN.c.submission == submissions.c.id)
        .outerjoin(_EMBARGO, _EMBARGO.c.submission == submissions.c.id)
        .outerjoin(signatures, signatures.c.digest == submissions.c.digest)
        .outerjoin(said, said.c.digest == _WITHDRAWN.c.statement)
        .order_by(submissions.c.started_unix_ns.desc(), submissions.c.digest)
    )


def select_suites(system: str) -> Select[Any]:
    """Give the manifests of suites that a system has measured, once for each configuration; complete, new runs first.

    Grouped by primary keys, on which the other columns depend.
    """
    return (
        select(suites.c.manifest, *CONFIGURATION)
        .join(submissions, submissions.c.suite == suites.c.digest)
        .join(configurations, submissions.c.configuration == configurations.c.id)
        .where(configurations.c.system == system, IN_USE)
        .group_by(suites.c.digest, configurations.c.id)
        .order_by(
            *(func.max(TIER).desc(), func.max(_COMPLETE).desc(), func.max(submissions.c.results).desc()),
            *(func.max(submissions.c.started_unix_ns).desc(), suites.c.digest),
        )
    )


def select_ranked(configuration: int) -> Select[Any]:
    """Give digests of the submissions of a configuration and what they say of the machine (``best_first``)."""
    columns = (submissions.c.id, submissions.c.digest, *_OF_RUN, *_OF_MACHINE)
    return select(*columns).where(submissions.c.configuration == configuration, IN_USE)


def select_measurements() -> Select[Any]:
    """Give every result with its sequence and what the suite that was run says of it."""
    listed = (listings.c.suite == submissions.c.suite) & (listings.c.sequence == results.c.sequence)
    return (
        select(results, sequences.c.fingerprint, *_LABEL, listings.c.features)
        .join(sequences, results.c.sequence == sequences.c.id)
        .join(submissions, results.c.submission == submissions.c.id)
        .join(listings, listed)
    )


def select_results() -> Select[Any]:
    """Give every result in use joined with all it points to."""
    origin = (submissions.c.digest, submissions.c.started_unix_ns, submissions.c.complete, submissions.c.trust)
    return (
        select_measurements()
        .add_columns(*origin, *CONFIGURATION)
        .join(configurations, submissions.c.configuration == configurations.c.id)
        .where(IN_USE)
    )


def select_labels() -> Select[Any]:
    """Give what each suite calls its sequences."""
    return select(listings.c.suite, sequences.c.fingerprint, *_LABEL).join(
        sequences, listings.c.sequence == sequences.c.id
    )


def select_widths(suite: str) -> Select[Any]:
    """Give interval and latency of every result of a suite."""
    return (
        select(submissions.c.digest, sequences.c.fingerprint, results.c.latency_ns, results.c.low_ns, results.c.high_ns)
        .join(results, results.c.submission == submissions.c.id)
        .join(sequences, results.c.sequence == sequences.c.id)
        .where(submissions.c.suite == suite)
    )


def narrowed(query: Select[Any], fingerprints: Collection[str] | None) -> Iterator[Select[Any]]:
    """Restrict a query over ``sequences`` to some fingerprints, in as many queries as that takes; None: to nothing."""
    if fingerprints is None:
        yield query
        return
    for chunk in _chunks(sorted(set(fingerprints))):
        yield query.where(sequences.c.fingerprint.in_(chunk))


def _chunks(values: Sequence[str]) -> Iterator[Sequence[str]]:
    for start in range(0, len(values), _CHUNK):
        yield values[start : start + _CHUNK]


def configuration_id(connection: Connection, configuration: SystemConfiguration) -> int:
    """Find the id of a configuration; one that the store has not met yet is added."""
    row = dataclasses.asdict(configuration)
    row["instruction_set"] = " ".join((*configuration.instruction_set, *row.pop("options")))
    connection.execute(dialect.insert_or_ignore(connection, configurations), row)
    number: int = connection.execute(select(configurations.c.id).filter_by(**row)).scalar_one()
    return number


def insert_results(connection: Connection, number: int, submission: Submission) -> None:
    """Add one row per measurement of a submission, whose id is ``number``."""
    ids = _sequence_ids(connection, [label.fingerprint for label in submission.labels])
    insert_listings(connection, submission.suite_digest, ids, submission.labels, submission.results.features)
    figures = attrgetter(*_FIGURES)
    rows = [
        (number, ids[fingerprint], *figures(measured), _queue_column(measured.queue))
        for fingerprint, measured in submission.results.measurements.items()
    ]
    columns = ("submission", "sequence", *_FIGURES, "queue")
    dialect.insert_many(connection, results, columns, rows)


def insert_listings(
    connection: Connection,
    suite: str,
    ids: Mapping[str, int],
    labels: Iterable[SequenceLabel],
    features: Mapping[str, SequenceFeatures],
) -> None:
    """Say what a suite tells of sequences, whose ids are given; what it has told already stays."""
    rows = [
        {
            "suite": suite,
            "sequence": ids[one.fingerprint],
            "name": one.name,
            "operators": f" {' '.join(one.operators)} ",
            "layers": one.layers,
            "features": json.dumps(dataclasses.asdict(features[one.fingerprint]))
            if one.fingerprint in features
            else None,
        }
        for one in labels
    ]
    if rows:
        connection.execute(dialect.insert_or_ignore(connection, listings), rows)


def _sequence_ids(connection: Connection, fingerprints: Sequence[str]) -> dict[str, int]:
    """Find the ids of sequences; those the store has not met yet are added."""
    numbers = _known_ids(connection, fingerprints)
    fresh = [name for name in fingerprints if name not in numbers]
    if fresh:
        connection.execute(dialect.insert_or_ignore(connection, sequences), [{"fingerprint": name} for name in fresh])
        numbers |= _known_ids(connection, fresh)
    return numbers


def _known_ids(connection: Connection, fingerprints: Sequence[str]) -> dict[str, int]:
    found: dict[str, int] = {}
    for chunk in _chunks(fingerprints):
        query = select(sequences.c.fingerprint, sequences.c.id).where(sequences.c.fingerprint.in_(chunk))
        found.update((name, number) for name, number in connection.execute(query))
    return found


def machine_columns(results: SystemResults) -> dict[str, object]:
    """Give the columns of ``submissions`` that describe the machine."""
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
        "queue": _queue_column(results.queue),
    }


def _queue_column(known: QueueTimes | QueueConstants | None) -> str | None:
    return json.dumps(dataclasses.asdict(known)) if known else None


def merged(
    configuration: SystemConfiguration,
    ranked: Sequence[Row[Any]],
    found: Iterable[Row[Any]],
    *,
    mismatch: tuple[str, ...] = (),
) -> SystemResults:
    """Take each sequence from the best submission that holds it; overheads and miss curve from the best that has them.

    Args:
        configuration: whose submissions they are.
        ranked: what each submission says of the machine (``best_first``).
        found: results with their sequences (``select_measurements``).
        mismatch: in what the configuration is not the one asked for.

    Raises:
        ValueError, TypeError, AttributeError: the rows are damaged.
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
        row.id: MeasurementOrigin(
            submission=row.digest, started_unix_ns=row.started_unix_ns, smoke=row.smoke, trust=row.trust
        )
        for row in ranked
    }
    overheads = next((made for row in ranked if (made := _overheads(row)).repeated_ns), CallOverheads())
    machines = (_caches(row) for row in ranked)
    return SystemResults(
        configuration=configuration,
        call_overhead_ns=overheads.repeated_ns,
        measurements={name: _measurement(best[name], origins[best[name].submission]) for name in sorted(best)},
        drift=max((ranked[position].drift for position in used), default=0.0),
        overheads=overheads,
        caches=next((made for made in machines if made.curve), Caches()),
        queue=next((QueueConstants(**json.loads(row.queue)) for row in ranked if row.queue), None),
        features={name: _features(best[name]) for name in sorted(best) if best[name].features},
        hours=apart([(row.started_unix_ns, solid[row.id]) for row in ranked if row.id in solid]),
        mismatch=mismatch,
    )


def apart(runs: Iterable[tuple[int, Mapping[str, int]]]) -> tuple[float, ...]:
    """Say how far apart runs of one configuration lie that began more than an hour after each other.

    Args:
        runs: when each began and its latencies, by fingerprint.

    Returns:
        One logarithm for each two neighbours with sequences in common: of the median ratio, or of that of the sums,
        whichever is farther from 0.
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
    return CallOverheads(
        near_ns=row.overhead_near_ns,
        constants_ns=row.overhead_constants_ns,
        repeated_ns=row.overhead_repeated_ns,
    )


def _caches(row: Row[Any]) -> Caches:
    """Read how caches behave from a row of ``submissions``; in older ones ``curve`` is a list of points."""
    held = json.loads(row.curve)
    known = held if isinstance(held, dict) else {"points": held, "memory_byte_ns": 0.0}
    return Caches(
        curve=tuple((distance, share) for distance, share in known["points"]),
        brought_in=tuple((wait_ns, nbytes) for wait_ns, nbytes in json.loads(row.brought_in)),
        second_level_bytes=row.second_level_bytes,
        second_level_byte_ns=row.second_level_byte_ns,
        memory_byte_ns=known["memory_byte_ns"],
    )


def _features(row: Row[Any]) -> SequenceFeatures:
    held: dict[str, Any] = json.loads(row.features)
    listed = {key: tuple(value) for key, value in held.items() if isinstance(value, list)}
    return SequenceFeatures(**held | listed)


def _measurement(row: Row[Any], origin: MeasurementOrigin | None = None) -> Measurement:
    figures = {name: getattr(row, name) for name in _FIGURES}
    queue = QueueTimes(**json.loads(row.queue)) if row.queue else None
    return Measurement(fingerprint=row.fingerprint, **figures, queue=queue, origin=origin)


def configuration_of(row: Row[Any]) -> SystemConfiguration:
    """Read the columns of ``CONFIGURATION``."""
    return SystemConfiguration(
        system=row.system,
        runtime=row.runtime,
        provider=row.provider,
        threads=row.threads,
        instruction_set=tuple(one for one in row.instruction_set.split() if "=" not in one),
        options=tuple(one for one in row.instruction_set.split() if "=" in one),
    )


def label_of(row: Row[Any]) -> SequenceLabel:
    """Read what a suite calls a sequence."""
    return SequenceLabel(
        fingerprint=row.fingerprint, name=row.name, operators=tuple(row.operators.split()), layers=row.layers
    )


def stored_result_of(row: Row[Any]) -> StoredResult:
    """Read a row of ``select_results``."""
    return StoredResult(
        label=label_of(row),
        configuration=configuration_of(row),
        measurement=_measurement(row),
        submission=row.digest,
        started_unix_ns=row.started_unix_ns,
        complete=row.complete,
        trust=row.trust,
    )


def system_summary_of(row: Row[Any]) -> SystemSummary:
    """Read a row of ``select_systems``."""
    return SystemSummary(
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
    """Read a row of ``select_submissions``."""
    return SubmissionSummary(
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
        trust=row.trust,
        key=row.key,
        embargo_unix_ns=row.until_unix_ns,
        withdrawn=None
        if row.kind is None
        else SubmissionEvent(
            kind=row.kind,
            reason=row.reason,
            recorded_unix_ns=row.recorded_unix_ns,
            key=row.said_by or "",
            statement=row.statement or "",
        ),
    )


def event_of(row: Row[Any]) -> SubmissionEvent:
    """Read a row of ``events``."""
    return SubmissionEvent(
        kind=row.kind,
        reason=row.reason,
        recorded_unix_ns=row.recorded_unix_ns,
        until_unix_ns=row.until_unix_ns,
        key=row.said_by or "",
        statement=row.statement or "",
    )
