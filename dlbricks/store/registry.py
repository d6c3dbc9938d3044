"""Registered suites of a store, and waiting results, whose suites are not registered."""

import time
import zlib
from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, func, select

from dlbricks.fingerprint import canonical_json
from dlbricks.store import dialect
from dlbricks.store.damage import typed, unpacked
from dlbricks.store.history import keep_signature
from dlbricks.store.names import refuse_other_owner
from dlbricks.store.tables import join_document, submissions, suites, waiting
from dlbricks.store.types import RegisteredSuite, Signed, Submission, WaitingResult


class SuiteRegistry:
    """The registered suites of a store and its waiting results."""

    __slots__ = ("_database",)

    def __init__(self, database: dialect.Database) -> None:
        """Use a database whose tables exist."""
        self._database = database

    def register(self, manifest: Mapping[str, Any]) -> bool:
        """Register a suite; returns False if it is registered.

        Args:
            manifest: content of ``suite.json``, with a verified digest.
        """
        row = {
            "digest": manifest["digest"],
            "name": manifest["name"],
            "manifest": zlib.compress(canonical_json(dict(manifest)), level=3),
        }
        with self._database.writing() as connection:
            added = dialect.insert_or_ignore(connection, suites).returning(suites.c.digest)
            return connection.execute(added, row).scalar_one_or_none() is not None

    def suites(self) -> tuple[RegisteredSuite, ...]:
        """List the registered suites by name, with the number of their submissions."""
        query = (
            select(suites.c.digest, suites.c.name, func.count(submissions.c.id).label("submissions"))
            .outerjoin(submissions, submissions.c.suite == suites.c.digest)
            .group_by(suites.c.digest)
            .order_by(suites.c.name, suites.c.digest)
        )
        return tuple(self._database.read(lambda row: typed(RegisteredSuite, **row._asdict()), query))

    def add_waiting(self, document: Mapping[str, Any], digest: str, signed: Signed | None = None) -> bool:
        """Add a waiting result, whose suite is not registered; returns False if it is stored.

        Raises:
            CheckError: the name of its system belongs to another key.
        """
        row = {
            "digest": digest,
            "suite": document["suite"]["digest"],
            "suite_name": document["suite"]["name"],
            "system": document["system"]["name"],
            "received_unix_ns": time.time_ns(),
            "document": zlib.compress(canonical_json(dict(document)), level=3),
        }
        with self._database.writing() as connection:
            refuse_other_owner(connection, document["system"]["name"], signed.key if signed else "")
            if signed is not None:
                keep_signature(connection, digest, signed)
            added = dialect.insert_or_ignore(connection, waiting).returning(waiting.c.digest)
            return connection.execute(added, row).scalar_one_or_none() is not None

    def waiting(self) -> tuple[WaitingResult, ...]:
        """List the waiting results, oldest first."""
        suite = (waiting.c.suite_name.label("suite"), waiting.c.suite.label("suite_digest"))
        query = select(waiting.c.digest, *suite, waiting.c.system, waiting.c.received_unix_ns)
        ordered = query.order_by(waiting.c.received_unix_ns, waiting.c.digest)
        return tuple(self._database.read(lambda row: typed(WaitingResult, **row._asdict()), ordered))

    def waiting_document(self, digest: str) -> bytes:
        """Return a waiting result as canonical JSON."""
        query = select(waiting.c.document).where(waiting.c.digest == digest)
        (document,) = self._database.read(lambda row: unpacked(row.document), query)
        return document


def body_to_store(connection: Connection, submission: Submission) -> bytes:
    """Return a submission's document without its manifest, or with it if its JSON differs from the registered one's.

    Manifests of one digest may differ in JSON: an integer may be written as a float, and unknown fields of a newer
    version may be missing.
    """
    query = select(suites.c.manifest).where(suites.c.digest == submission.suite_digest)
    if unpacked(connection.execute(query).scalar_one()) == submission.manifest:
        return submission.body
    return join_document(submission.body, submission.manifest, digest=submission.digest)
