"""Brings a store of an older version to the tables of now; whoever opens it first does."""

import json
import zlib

from sqlalchemy import Connection, inspect, select, text, update

from dlbricks.store.tables import STORE_SCHEMA_VERSION, meta, metadata, submissions

OLDEST = 4
"""Version of the oldest stores that can be brought up to date."""

_FORMER = {"submissions": ("overhead_outputs_ns", "overhead_inputs_ns"), "results": ("outputs_ns", "inputs_ns")}
"""Columns by table that older versions have: states of the caches that are not measured any more."""

_ADDED = {
    "submissions": {"queue": "TEXT", "smoke": "BOOLEAN NOT NULL DEFAULT FALSE"},
    "results": {"queue": "TEXT"},
}
"""Columns by table that older versions may lack, and their types."""


def upgrade(connection: Connection) -> None:
    """Change the tables of an older store to those of now, in the transaction of the caller; else change nothing.

    Args:
        connection: in a transaction that writes; the store is of version ``OLDEST`` or newer.
    """
    version = meta.c.key == "schema_version"
    said = int(connection.execute(select(meta.c.value).where(version).with_for_update()).scalar_one())
    if said >= STORE_SCHEMA_VERSION:
        return
    metadata.create_all(connection)
    for table, added in _ADDED.items():
        there = {column["name"] for column in inspect(connection).get_columns(table)}
        changes = [f"DROP COLUMN {name}" for name in _FORMER[table] if name in there]
        changes += [f"ADD COLUMN {name} {kind}" for name, kind in added.items() if name not in there]
        for change in changes:
            connection.execute(text(f"ALTER TABLE {table} {change}"))
    bodies = connection.execute(select(submissions.c.id, submissions.c.body).where(~submissions.c.complete))
    smoke = [row.id for row in bodies if _is_smoke(row.body)]
    connection.execute(update(submissions).where(submissions.c.id.in_(smoke)).values(smoke=True))
    connection.execute(update(meta).where(version).values(value=str(STORE_SCHEMA_VERSION)))


def _is_smoke(body: bytes) -> bool:
    return bool(json.loads(zlib.decompress(body)).get("options", {}).get("smoke", False))
