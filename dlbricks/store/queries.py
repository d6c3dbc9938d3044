"""SQL queries and inserts of a store; ``store.rows`` converts their rows to types."""

import dataclasses
import time
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy import BigInteger, Connection, Select, bindparam, case, func, insert, select

from dlbricks.model.types import SequenceFeatures
from dlbricks.store import dialect
from dlbricks.store.columns import to_columns, to_text
from dlbricks.store.ranking import PROVISIONAL, TIER
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
    SequenceLabel,
    Submission,
    SystemConfiguration,
)

CONFIGURATION = tuple(column for column in configurations.c if column.name != "id")
"""Columns that make up a configuration."""

WITHDRAWN, CORRECTED, RESTORED = "withdrawn", "corrected", "restored"
"""Kinds of events of which the newest decides whether a submission is used."""
EMBARGO = "embargo"
"""Kind of event of which the newest has the time until which a submission is not shown."""


def _last(*kinds: str) -> Select[Any]:
    """Select the newest event of some kinds of each submission."""
    newest = select(func.max(events.c.id)).where(events.c.kind.in_(kinds)).group_by(events.c.submission)
    return select(events).where(events.c.id.in_(newest))


_WITHDRAWN = _last(WITHDRAWN, CORRECTED, RESTORED).where(events.c.kind != RESTORED).subquery("withdrawn")
"""The event of each submission that withdrew or replaced it."""

_EMBARGO = _last(EMBARGO).subquery("embargoes")

_NOW = bindparam("now", callable_=lambda: time.time_ns(), type_=BigInteger)  # noqa: PLW0108 - the time of the query

NOT_WITHDRAWN = submissions.c.id.not_in(select(_WITHDRAWN.c.submission))
IN_USE = NOT_WITHDRAWN & submissions.c.id.not_in(select(_EMBARGO.c.submission).where(_EMBARGO.c.until_unix_ns > _NOW))
"""Neither withdrawn nor under embargo at the time of the query."""

_COMPLETE = case((submissions.c.complete, 1), else_=0)
_SMOKE = case((submissions.c.smoke, 1), else_=0)

_CHUNK = 1000
"""Maximum number of values in an ``IN (...)``, below the limits of all engines."""

_LABEL = (listings.c.name, listings.c.operators, listings.c.layers)
"""Columns of a ``SequenceLabel``."""

_WITHOUT_BODY = tuple(column for column in submissions.c if column.name != "body")
"""Columns of ``submissions`` without the document, which is large."""


def owner_of(system: Any) -> Any:
    """Return an SQL expression for the key that owns a name; NULL if there is none."""
    newest = select(handovers.c.key).where(handovers.c.system == system).order_by(handovers.c.id.desc()).limit(1)
    first = select(names.c.key).where(names.c.system == system)
    return func.coalesce(newest.scalar_subquery(), first.scalar_subquery())


def select_systems() -> Select[Any]:
    """Select every configuration with number and dates of its submissions and number of its sequences."""
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
            func.min(submissions.c.started_unix_ns).label("first_unix_ns"),
            func.max(submissions.c.started_unix_ns).label("last_unix_ns"),
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
    """Select every configuration that has a submission in use."""
    return select(configurations).where(configurations.c.id.in_(select(submissions.c.configuration).where(IN_USE)))


def select_submissions() -> Select[Any]:
    """Select every submission without its document, with the event of a withdrawn one, newest run first."""
    of_statement = signatures.alias()
    event = (_WITHDRAWN.c.kind, _WITHDRAWN.c.reason, _WITHDRAWN.c.recorded_unix_ns, _WITHDRAWN.c.statement)
    suite = (suites.c.name.label("suite"), submissions.c.suite.label("suite_digest"))
    key = func.coalesce(signatures.c.key, "").label("key")
    embargo = _EMBARGO.c.until_unix_ns.label("embargo_unix_ns")
    own = (column for column in _WITHOUT_BODY if column.name != "suite")
    return (
        select(*own, *CONFIGURATION, *suite, *event, key, embargo, of_statement.c.key.label("statement_key"))
        .join(configurations, submissions.c.configuration == configurations.c.id)
        .join(suites, submissions.c.suite == suites.c.digest)
        .outerjoin(_WITHDRAWN, _WITHDRAWN.c.submission == submissions.c.id)
        .outerjoin(_EMBARGO, _EMBARGO.c.submission == submissions.c.id)
        .outerjoin(signatures, signatures.c.digest == submissions.c.digest)
        .outerjoin(of_statement, of_statement.c.digest == _WITHDRAWN.c.statement)
        .order_by(submissions.c.started_unix_ns.desc(), submissions.c.digest)
    )


def select_events() -> Select[Any]:
    """Select the events of submissions with the keys of their statements, oldest first."""
    return (
        select(events, submissions.c.digest, signatures.c.key.label("statement_key"))
        .join(submissions, submissions.c.id == events.c.submission)
        .outerjoin(signatures, signatures.c.digest == events.c.statement)
        .order_by(events.c.id)
    )


def select_suites(system: str) -> Select[Any]:
    """Select the manifests of suites that a system has measured, by configuration; complete and new runs first.

    The groups are by primary keys, on which the other columns depend.
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
    """Select the submissions in use of a configuration with the columns on the machine (for ``best_first``)."""
    return select(*_WITHOUT_BODY).where(submissions.c.configuration == configuration, IN_USE)


def select_measurements() -> Select[Any]:
    """Select every result with its sequence and the label and features from the suite that was run."""
    listed = (listings.c.suite == submissions.c.suite) & (listings.c.sequence == results.c.sequence)
    return (
        select(results, sequences.c.fingerprint, *_LABEL, listings.c.features)
        .join(sequences, results.c.sequence == sequences.c.id)
        .join(submissions, results.c.submission == submissions.c.id)
        .join(listings, listed)
    )


def select_results() -> Select[Any]:
    """Select every result in use with its submission and configuration."""
    origin = (submissions.c.digest, submissions.c.started_unix_ns, submissions.c.complete, submissions.c.trust)
    return (
        select_measurements()
        .add_columns(*origin, *CONFIGURATION)
        .join(configurations, submissions.c.configuration == configurations.c.id)
        .where(IN_USE)
    )


def select_labels() -> Select[Any]:
    """Select the labels of the sequences of each suite."""
    return select(listings.c.suite, sequences.c.fingerprint, *_LABEL).join(
        sequences, listings.c.sequence == sequences.c.id
    )


def select_widths(suite: str) -> Select[Any]:
    """Select interval and latency of every result of a suite."""
    return (
        select(submissions.c.digest, sequences.c.fingerprint, results.c.latency_ns, results.c.low_ns, results.c.high_ns)
        .join(results, results.c.submission == submissions.c.id)
        .join(sequences, results.c.sequence == sequences.c.id)
        .where(submissions.c.suite == suite)
    )


def split_query(query: Select[Any], fingerprints: Collection[str] | None) -> Iterator[Select[Any]]:
    """Restrict a query over ``sequences`` to some fingerprints, in several queries if needed; None for all."""
    if fingerprints is None:
        yield query
        return
    ordered = sorted(set(fingerprints))
    for start in range(0, len(ordered), _CHUNK):
        yield query.where(sequences.c.fingerprint.in_(ordered[start : start + _CHUNK]))


def union(groups: Sequence[Collection[str] | None]) -> set[str] | None:
    """Return the fingerprints of all groups; None if a group stands for all there are."""
    named = [group for group in groups if group is not None]
    return set().union(*named) if len(named) == len(groups) else None


def configuration_id(connection: Connection, configuration: SystemConfiguration) -> int:
    """Return the id of a configuration, adding a new one."""
    row = dataclasses.asdict(configuration)
    row["instruction_set"] = " ".join((*configuration.instruction_set, *row.pop("options")))
    connection.execute(dialect.insert_or_ignore(connection, configurations), row)
    number: int = connection.execute(select(configurations.c.id).filter_by(**row)).scalar_one()
    return number


def insert_results(connection: Connection, number: int, submission: Submission) -> None:
    """Add the measurements of the submission with id ``number``."""
    rows = [to_columns(measurement) for measurement in submission.results.measurements.values()]
    if not rows:
        return
    fingerprints = [{"fingerprint": row["fingerprint"]} for row in rows]
    connection.execute(dialect.insert_or_ignore(connection, sequences), fingerprints)
    queries = split_query(select(sequences.c.fingerprint, sequences.c.id), submission.results.measurements)
    ids: dict[str, int] = {row.fingerprint: row.id for query in queries for row in connection.execute(query)}
    insert_listings(connection, submission.suite_digest, ids, submission.labels, submission.results.features)
    for row in rows:
        row |= {"submission": number, "sequence": ids[row.pop("fingerprint")]}
    connection.execute(insert(results), rows)


def insert_listings(
    connection: Connection,
    suite: str,
    ids: Mapping[str, int],
    labels: Iterable[SequenceLabel],
    features: Mapping[str, SequenceFeatures],
) -> None:
    """Add labels and features of a suite's sequences, given by their ids; existing rows stay."""
    rows = [
        {
            "suite": suite,
            "sequence": ids[label.fingerprint],
            "name": label.name,
            "operators": f" {' '.join(label.operators)} ",
            "layers": label.layers,
            "features": to_text(features.get(label.fingerprint)),
        }
        for label in labels
    ]
    if rows:
        connection.execute(dialect.insert_or_ignore(connection, listings), rows)
