"""Builds the SQL queries and inserts of a store, and upgrades older stores."""

import dataclasses
import json
import time
import zlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec
from sqlalchemy import BigInteger, Connection, Select, bindparam, case, func, insert, inspect, select, text, update

from dlbricks.errors import InputError
from dlbricks.model.bounds import without_collections
from dlbricks.model.types import SequenceFeatures
from dlbricks.store.records import FORMER_COLUMNS, PROVISIONAL, profile_of, to_columns, to_text
from dlbricks.store.tables import (
    STORE_SCHEMA_VERSION,
    Database,
    configurations,
    events,
    handovers,
    insert_or_ignore,
    listings,
    meta,
    metadata,
    names,
    results,
    sequences,
    signatures,
    submissions,
    suites,
)
from dlbricks.store.types import TIERS, SequenceLabel, Submission, SystemConfiguration

# Columns that make up a configuration.
CONFIGURATION = tuple(column for column in configurations.c if column.name != "id")
# Columns of a ``SequenceLabel``.
LABEL = (listings.c.name, listings.c.operators, listings.c.layers)
# All columns of submissions except the document and its profile, which are large.
WITHOUT_BODY = tuple(column for column in submissions.c if column.name not in {"body", "profile"})

# Kinds of events: the newest event of these kinds decides whether a submission is used.
WITHDRAWN, CORRECTED, RESTORED = "withdrawn", "corrected", "restored"
# Kind of event: the newest one has the time until which a submission is not shown.
EMBARGO = "embargo"

_TIER = case({name: rank for rank, name in enumerate(TIERS)}, value=submissions.c.trust, else_=0)
# Order by tier, complete before partial, newer before older; the digest makes the order total.
RANK = (_TIER.desc(), submissions.c.complete.desc(), submissions.c.started_unix_ns.desc(), submissions.c.digest)


# Select the newest event of some kinds of each submission.
def _last(*kinds: str) -> Select[Any]:
    newest = select(func.max(events.c.id)).where(events.c.kind.in_(kinds)).group_by(events.c.submission)
    return select(events).where(events.c.id.in_(newest))


# For each submission that is withdrawn or replaced, the event that did so.
_WITHDRAWN = _last(WITHDRAWN, CORRECTED, RESTORED).where(events.c.kind != RESTORED).subquery("withdrawn")
_EMBARGO = _last(EMBARGO).subquery("embargoes")
_NOW = bindparam("now", callable_=lambda: time.time_ns(), type_=BigInteger)  # noqa: PLW0108 - the time of the query

NOT_WITHDRAWN = submissions.c.id.not_in(select(_WITHDRAWN.c.submission))
# Neither withdrawn nor under embargo at the time of the query.
IN_USE = NOT_WITHDRAWN & submissions.c.id.not_in(select(_EMBARGO.c.submission).where(_EMBARGO.c.until_unix_ns > _NOW))

_COMPLETE = case((submissions.c.complete, 1), else_=0)
_SMOKE = case((submissions.c.smoke, 1), else_=0)

# maximum number of values in an IN (...), below the limits of all engines
_CHUNK = 1000


def owner_of(system: Any) -> Any:
    """Return an SQL expression for the key that owns the name ``system``; NULL if the name has no owner."""
    newest = select(handovers.c.key).where(handovers.c.system == system).order_by(handovers.c.id.desc()).limit(1)
    first = select(names.c.key).where(names.c.system == system)
    return func.coalesce(newest.scalar_subquery(), first.scalar_subquery())


def select_systems(unconfirmed: Collection[str]) -> Select[Any]:
    """Return a query for all systems and figures of their results. The tier of results in ``unconfirmed`` is -1."""
    tier = case((submissions.c.digest.in_(unconfirmed), -1), else_=_TIER)
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
            func.min(tier).label("least"),
            func.max(tier).label("most"),
            func.sum(case((submissions.c.trust.startswith(PROVISIONAL), 1), else_=0)).label("provisional"),
            func.coalesce(owner_of(configurations.c.system), "").label("key"),
        )
        .join(submissions, submissions.c.configuration == configurations.c.id)
        .outerjoin(distinct, distinct.c.configuration == configurations.c.id)
        .where(IN_USE)
        .group_by(configurations.c.id)
    )


def select_submissions() -> Select[Any]:
    """Return a query for all results and their withdrawals, without documents, newest run first."""
    of_statement = signatures.alias()
    event = (_WITHDRAWN.c.kind, _WITHDRAWN.c.reason, _WITHDRAWN.c.recorded_unix_ns, _WITHDRAWN.c.statement)
    suite = (suites.c.name.label("suite"), submissions.c.suite.label("suite_digest"))
    key = func.coalesce(signatures.c.key, "").label("key")
    embargo = _EMBARGO.c.until_unix_ns.label("embargo_unix_ns")
    own = (column for column in WITHOUT_BODY if column.name != "suite")
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


def select_suites(system: str) -> Select[Any]:
    """Return a query for the manifests of a system's suites, best runs first."""
    # grouped by primary keys, which determine the other columns
    return (
        select(suites.c.manifest, *CONFIGURATION)
        .join(submissions, submissions.c.suite == suites.c.digest)
        .join(configurations, submissions.c.configuration == configurations.c.id)
        .where(configurations.c.system == system, IN_USE)
        .group_by(suites.c.digest, configurations.c.id)
        .order_by(
            *(func.max(_TIER).desc(), func.max(_COMPLETE).desc(), func.max(submissions.c.results).desc()),
            *(func.max(submissions.c.started_unix_ns).desc(), suites.c.digest),
        )
    )


def select_measurements() -> Select[Any]:
    """Return a query for all measurements, with fingerprint, name and features."""
    listed = (listings.c.suite == submissions.c.suite) & (listings.c.sequence == results.c.sequence)
    return (
        select(results, sequences.c.fingerprint, *LABEL, listings.c.features)
        .join(sequences, results.c.sequence == sequences.c.id)
        .join(submissions, results.c.submission == submissions.c.id)
        .join(listings, listed)
    )


def split_query(query: Select[Any], fingerprints: Collection[str] | None) -> Iterator[Select[Any]]:
    """Split a query into queries for a few fingerprints each; yield the query itself if ``fingerprints`` is None."""
    if fingerprints is None:
        yield query
        return
    ordered = sorted(set(fingerprints))
    for start in range(0, len(ordered), _CHUNK):
        yield query.where(sequences.c.fingerprint.in_(ordered[start : start + _CHUNK]))


def union(groups: Sequence[Collection[str] | None]) -> set[str] | None:
    """Return the union of groups of fingerprints; None (all fingerprints) if a group is None."""
    named = [group for group in groups if group is not None]
    return set().union(*named) if len(named) == len(groups) else None


def configuration_id(connection: Connection, configuration: SystemConfiguration) -> int:
    """Return the id of a configuration; a new configuration is added to the table first."""
    row = dataclasses.asdict(configuration)
    row["instruction_set"] = " ".join((*configuration.instruction_set, *row.pop("options")))
    connection.execute(insert_or_ignore(connection, configurations), row)
    number: int = connection.execute(select(configurations.c.id).filter_by(**row)).scalar_one()
    return number


def insert_results(connection: Connection, number: int, submission: Submission) -> None:
    """Add the measurements of a result; ``number`` is its id."""
    rows = [to_columns(measurement) for measurement in submission.results.measurements.values()]
    if not rows:
        return
    fingerprints = [{"fingerprint": row["fingerprint"]} for row in rows]
    # sequences first, since the tables listings and results refer to them
    connection.execute(insert_or_ignore(connection, sequences), fingerprints)
    queries = split_query(select(sequences.c.fingerprint, sequences.c.id), submission.results.measurements)
    ids: dict[str, int] = {row.fingerprint: row.id for query in queries for row in connection.execute(query)}
    _insert_listings(connection, submission.suite_digest, ids, submission.labels, submission.results.features)
    for row in rows:
        row |= {"submission": number, "sequence": ids[row.pop("fingerprint")]}
    connection.execute(insert(results), rows)


# Add labels and features of a suite's sequences; ``ids`` are by fingerprint. Existing rows stay unchanged.
def _insert_listings(
    connection: Connection,
    suite: str,
    ids: Mapping[str, int],
    labels: Iterable[SequenceLabel],
    features: Mapping[str, SequenceFeatures],
) -> None:
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
        connection.execute(insert_or_ignore(connection, listings), rows)


# Version of the oldest stores that can be upgraded.
OLDEST_VERSION = 4

# Changes since that version, by table: removed columns (cache states that are no longer measured, and labels, which
# belong to suites now), and added columns with their types. Columns of cache states were also renamed.
_CHANGES: dict[str, tuple[tuple[str, ...], dict[str, str]]] = {
    "submissions": (
        ("overhead_outputs_ns", "overhead_inputs_ns"),
        {
            "queue": "TEXT",
            "calibration": "TEXT",
            "smoke": "BOOLEAN NOT NULL DEFAULT FALSE",
            "profile": "TEXT NOT NULL DEFAULT ''",
        },
    ),
    "results": (("outputs_ns", "inputs_ns"), {"queue": "TEXT", "hot_loop_ns": "BIGINT", "outputs_cold_ns": "BIGINT"}),
    "sequences": (("features", "name", "operators", "layers"), {}),
    "events": ((), {"until_unix_ns": "BIGINT", "statement": "VARCHAR(64)"}),
}


def upgrade_from(version: str, database: Database) -> None:
    """Upgrade a store of an older version; raises ``InputError`` if the store is newer, too old, or read-only."""
    place = database.place
    if not (version.isascii() and version.isdigit()):
        raise InputError(f"store {place} has no valid version: restore it from a backup")
    reads = f"(store version {version}, this one reads {STORE_SCHEMA_VERSION})"
    if int(version) < OLDEST_VERSION:
        advice = "name another store, run the suites again, and submit their results to it"
        raise InputError(f"store {place} was made by an older dlbricks {reads}: {advice}")
    if int(version) > STORE_SCHEMA_VERSION:
        raise InputError(f"store {place} was made by a newer dlbricks {reads}: update dlbricks")
    try:
        with without_collections(), database.transaction(writes=True) as connection:
            _upgrade(connection)
    except InputError as error:
        advice = f"its version {version} must be upgraded, which requires a user who may write it"
        raise InputError(f"{error}; {advice}: run 'dlbricks systems --store {place}'") from error


# Upgrade a store of version ``OLDEST_VERSION`` or newer, in a writing transaction; a current one is unchanged.
def _upgrade(connection: Connection) -> None:
    # the reading of documents is not needed to open a current store
    from dlbricks.store.summary import configuration, features_of, labels_of

    version = meta.c.key == "schema_version"
    # another process may have upgraded the store since the version was read
    current = connection.execute(select(meta.c.value).where(version).with_for_update()).scalar_one()
    if int(current) >= STORE_SCHEMA_VERSION:
        return
    listings.drop(connection, checkfirst=True)  # its rows follow from the suites
    metadata.create_all(connection)
    for table, (removed, added) in _CHANGES.items():
        columns = {column["name"] for column in inspect(connection).get_columns(table)}
        renamed = {name: FORMER_COLUMNS[name] for name in sorted(columns & FORMER_COLUMNS.keys())}
        columns = columns - renamed.keys() | {*renamed.values()}
        changes = [f"RENAME COLUMN {name} TO {new}" for name, new in renamed.items()]
        changes += [f"DROP COLUMN {name}" for name in removed if name in columns]
        changes += [f"ADD COLUMN {name} {kind}" for name, kind in added.items() if name not in columns]
        for change in changes:
            connection.execute(text(f"ALTER TABLE {table} {change}"))
    # the start of a run is limited to its arrival, so that a wrong clock does not make a run the newest
    late = submissions.c.started_unix_ns > submissions.c.received_unix_ns
    connection.execute(update(submissions).where(late).values(started_unix_ns=submissions.c.received_unix_ns))
    for row in connection.execute(select(submissions.c.id, submissions.c.body)).all():
        document = msgspec.json.decode(zlib.decompress(row.body))
        measured = select(results, sequences.c.fingerprint).join(sequences).where(results.c.submission == row.id)
        changed: dict[str, object] = {"profile": profile_of(document, connection.execute(measured))}
        changed["smoke"] = bool(document.get("options", {}).get("smoke", False))
        if "benchmarks" in document:
            changed["complete"] = is_complete(document)
            changed["configuration"] = configuration_id(connection, configuration(document))
        connection.execute(update(submissions).where(submissions.c.id == row.id).values(**changed))
    for row in connection.execute(select(suites.c.digest, suites.c.manifest)).all():
        manifest = json.loads(zlib.decompress(row.manifest))
        query = (
            select(sequences.c.fingerprint, sequences.c.id)
            .join(results, results.c.sequence == sequences.c.id)
            .join(submissions, submissions.c.id == results.c.submission)
            .where(submissions.c.suite == row.digest)
            .distinct()
        )
        ids: dict[str, int] = {each.fingerprint: each.id for each in connection.execute(query)}
        _insert_listings(connection, row.digest, ids, labels_of(manifest, ids), features_of(manifest, ids))
    connection.execute(update(meta).where(version).values(value=str(STORE_SCHEMA_VERSION)))


def is_complete(document: Mapping[str, Any]) -> bool:
    """Return whether a result has a latency for every benchmark of its suite and is not from a smoke test."""
    smoke = document.get("options", {}).get("smoke", False)
    return bool(document["complete"] and not smoke and all(row["status"] == "ok" for row in document["benchmarks"]))
