"""Upgrade of a store of an older version to the current tables, when it is opened."""

import json
import zlib
from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, inspect, select, text, update

from dlbricks.errors import InputError
from dlbricks.store.dialect import Database
from dlbricks.store.queries import configuration_id, insert_listings
from dlbricks.store.summary import configuration, features_of, labels_of
from dlbricks.store.tables import (
    STORE_SCHEMA_VERSION,
    listings,
    meta,
    metadata,
    results,
    sequences,
    submissions,
    suites,
)

OLDEST = 4
"""Version of the oldest stores that can be upgraded."""

_FORMER = {
    "submissions": ("overhead_outputs_ns", "overhead_inputs_ns"),
    "results": ("outputs_ns", "inputs_ns"),
    "sequences": ("features", "name", "operators", "layers"),
}
"""Removed columns by table: cache states that are no longer measured, and labels, which belong to suites now."""

_ADDED = {
    "submissions": {"queue": "TEXT", "smoke": "BOOLEAN NOT NULL DEFAULT FALSE"},
    "results": {"queue": "TEXT", "repeated_ns": "BIGINT"},
    "sequences": {},
    "events": {"until_unix_ns": "BIGINT", "statement": "VARCHAR(64)"},
}
"""Columns by table that were added, and their types."""


def upgrade_from(version: str, database: Database) -> None:
    """Upgrade a store of an older version; refuse one that cannot be upgraded.

    Raises:
        InputError: it is newer, too old, has no version, or cannot be written.
    """
    place = database.place
    if not (version.isascii() and version.isdigit()):
        raise InputError(f"store {place} has no version: restore a copy of it")
    reads = f"(store version {version}, this one reads {STORE_SCHEMA_VERSION})"
    if int(version) < OLDEST:
        way = "name another place, run the suites again, and submit their results there"
        raise InputError(f"store {place} was made by an older dlbricks {reads}: {way}")
    if int(version) > STORE_SCHEMA_VERSION:
        raise InputError(f"store {place} was made by a newer dlbricks {reads}: update dlbricks")
    try:
        with database.transaction(writes=True) as connection:
            upgrade(connection)
    except InputError as error:
        way = f"it is of version {version}; any command of a user who may write it upgrades it"
        raise InputError(f"{error}; {way}, as in 'dlbricks systems --store {place}'") from error


def upgrade(connection: Connection) -> None:
    """Upgrade a store of version ``OLDEST`` or newer, in a writing transaction; a current store is not changed."""
    version = meta.c.key == "schema_version"
    said = int(connection.execute(select(meta.c.value).where(version).with_for_update()).scalar_one())
    if said >= STORE_SCHEMA_VERSION:
        return
    listings.drop(connection, checkfirst=True)  # its rows follow from the suites
    metadata.create_all(connection)
    for table, added in _ADDED.items():
        there = {column["name"] for column in inspect(connection).get_columns(table)}
        changes = [f"DROP COLUMN {name}" for name in _FORMER.get(table, ()) if name in there]
        changes += [f"ADD COLUMN {name} {kind}" for name, kind in added.items() if name not in there]
        for change in changes:
            connection.execute(text(f"ALTER TABLE {table} {change}"))
    late = submissions.c.started_unix_ns > submissions.c.received_unix_ns
    connection.execute(update(submissions).where(late).values(started_unix_ns=submissions.c.received_unix_ns))
    for row in connection.execute(select(submissions.c.id, submissions.c.body)).all():
        _read_again(connection, row.id, json.loads(zlib.decompress(row.body)))
    for row in connection.execute(select(suites.c.digest, suites.c.manifest)).all():
        _list(connection, row.digest, json.loads(zlib.decompress(row.manifest)))
    connection.execute(update(meta).where(version).values(value=str(STORE_SCHEMA_VERSION)))


def _read_again(connection: Connection, number: int, document: Mapping[str, Any]) -> None:
    """Set the columns of a submission that older versions lack: smoke test, completeness, and options."""
    smoke = bool(document.get("options", {}).get("smoke", False))
    changed: dict[str, object] = {"smoke": smoke}
    if "benchmarks" in document:
        complete = document["complete"] and not smoke and all(one["status"] == "ok" for one in document["benchmarks"])
        changed |= {
            "complete": complete,
            "configuration": configuration_id(connection, configuration(dict(document))),
        }
    connection.execute(update(submissions).where(submissions.c.id == number).values(**changed))


def _list(connection: Connection, suite: str, manifest: Mapping[str, Any]) -> None:
    """Add the labels and features of a suite's sequences that have a result."""
    query = (
        select(sequences.c.fingerprint, sequences.c.id)
        .join(results, results.c.sequence == sequences.c.id)
        .join(submissions, submissions.c.id == results.c.submission)
        .where(submissions.c.suite == suite)
        .distinct()
    )
    ids: dict[str, int] = {row.fingerprint: row.id for row in connection.execute(query)}
    insert_listings(connection, suite, ids, labels_of(manifest, ids), features_of(manifest, ids))
