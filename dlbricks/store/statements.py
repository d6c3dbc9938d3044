"""Statements that several queries of the store share, and the insertion of one submission's rows."""

import dataclasses
from collections.abc import Collection, Iterator, Mapping, Sequence
from operator import attrgetter
from typing import Any

from sqlalchemy import Connection, Select, func, select

from dlbricks.model.types import SequenceFeatures
from dlbricks.store import dialect
from dlbricks.store.nouns import Measurement, SequenceLabel, Submission, SystemConfiguration
from dlbricks.store.rows import CONFIGURATION, RANK, written
from dlbricks.store.tables import configurations, results, sequences, submissions, suites

_CHUNK = 1000
"""Values in one ``IN (...)``: below the limits of all engines."""

_FIGURES = tuple(field.name for field in dataclasses.fields(Measurement) if field.name != "fingerprint")
"""Columns of ``results`` that are fields of a measurement."""

_FORMER_STATES = ("outputs_ns", "inputs_ns")
"""Columns of ``results`` of states that are not measured any more; they hold what ``constants_ns`` does."""

_OF_SEQUENCE = tuple(column for column in sequences.c if column.name != "id")

_OF_MACHINE = (
    *(f"overhead_{state}_ns" for state in ("near", "constants", "outputs", "inputs", "repeated")),
    *("curve", "brought_in", "second_level_bytes", "second_level_byte_ns", "drift"),
)
"""Columns of ``submissions`` that hold what is known of the machine as a whole."""


def select_systems() -> Select[Any]:
    """Give every configuration with the count and dates of its submissions and the count of its sequences."""
    distinct = (
        select(submissions.c.configuration, func.count(results.c.sequence.distinct()).label("sequences"))
        .join(results, results.c.submission == submissions.c.id)
        .group_by(submissions.c.configuration)
        .subquery()
    )
    return (
        select(
            configurations,
            func.count(submissions.c.id).label("submissions"),
            func.min(submissions.c.started_unix_ns).label("first"),
            func.max(submissions.c.started_unix_ns).label("last"),
            func.coalesce(func.max(distinct.c.sequences), 0).label("sequences"),
        )
        .join(submissions, submissions.c.configuration == configurations.c.id)
        .outerjoin(distinct, distinct.c.configuration == configurations.c.id)
        .group_by(configurations.c.id)
    )


def select_submissions() -> Select[Any]:
    """Give every submission but its document, newest run first."""
    return (
        select(*(column for column in submissions.c if column.name != "body"), *CONFIGURATION, suites.c.name)
        .join(configurations, submissions.c.configuration == configurations.c.id)
        .join(suites, submissions.c.suite == suites.c.digest)
        .order_by(submissions.c.started_unix_ns.desc(), submissions.c.digest)
    )


def select_results() -> Select[Any]:
    """Give every result joined with all it points to."""
    return (
        select(
            results,
            *_OF_SEQUENCE,
            submissions.c.digest,
            submissions.c.started_unix_ns,
            submissions.c.complete,
            submissions.c.trust,
            *CONFIGURATION,
        )
        .join(sequences, results.c.sequence == sequences.c.id)
        .join(submissions, results.c.submission == submissions.c.id)
        .join(configurations, submissions.c.configuration == configurations.c.id)
    )


def select_ranked(configuration: int) -> Select[Any]:
    """Give what the submissions of a configuration, whose id is given, say of the machine; the best one first."""
    return (
        select(submissions.c.id, *(submissions.c[name] for name in _OF_MACHINE))
        .where(submissions.c.configuration == configuration)
        .order_by(*RANK)
    )


def select_digests(configuration: int) -> Select[Any]:
    """Give the digests of the submissions of a configuration, whose id is given; the best one first."""
    return select(submissions.c.digest).where(submissions.c.configuration == configuration).order_by(*RANK)


def select_measurements() -> Select[Any]:
    """Give every result with its sequence."""
    return select(results, *_OF_SEQUENCE).join(sequences, results.c.sequence == sequences.c.id)


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
    row = {
        "system": configuration.system,
        "runtime": configuration.runtime,
        "provider": configuration.provider,
        "threads": configuration.threads,
        "instruction_set": " ".join(configuration.instruction_set),
    }
    connection.execute(dialect.insert_or_ignore(connection, configurations), row)
    number: int = connection.execute(select(configurations.c.id).filter_by(**row)).scalar_one()
    return number


def _sequence_ids(
    connection: Connection, labels: Sequence[SequenceLabel], features: Mapping[str, SequenceFeatures]
) -> dict[str, int]:
    """Find the ids of sequences; those the store has not met yet are added."""
    numbers = _known_ids(connection, [label.fingerprint for label in labels])
    fresh = [
        {
            "fingerprint": label.fingerprint,
            "name": label.name,
            "operators": f" {' '.join(label.operators)} ",
            "layers": label.layers,
            "features": written(features[label.fingerprint]),
        }
        for label in labels
        if label.fingerprint not in numbers
    ]
    if fresh:
        connection.execute(dialect.insert_or_ignore(connection, sequences), fresh)
        numbers |= _known_ids(connection, [str(row["fingerprint"]) for row in fresh])
    return numbers


def _known_ids(connection: Connection, fingerprints: Sequence[str]) -> dict[str, int]:
    found: dict[str, int] = {}
    for chunk in _chunks(fingerprints):
        query = select(sequences.c.fingerprint, sequences.c.id).where(sequences.c.fingerprint.in_(chunk))
        found.update((name, number) for name, number in connection.execute(query))
    return found


def insert_results(connection: Connection, number: int, submission: Submission) -> None:
    """Add one row per measurement of a submission, whose id is ``number``."""
    ids = _sequence_ids(connection, submission.labels, submission.results.features)
    figures = attrgetter(*_FIGURES)
    rows = [
        (number, ids[fingerprint], *figures(measured), measured.constants_ns, measured.constants_ns)
        for fingerprint, measured in submission.results.measurements.items()
    ]
    columns = ("submission", "sequence", *_FIGURES, *_FORMER_STATES)
    dialect.insert_many(connection, results, columns, rows)
