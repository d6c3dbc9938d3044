"""Suites that a store knows, and results of others, which are kept apart until somebody registers theirs."""

import zlib
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Row, Select, delete, func, select

from dlbricks.fingerprint import canonical_json
from dlbricks.store import dialect
from dlbricks.store.tables import join_document, submissions, suites, waiting
from dlbricks.store.types import RegisteredSuite, Submission, WaitingResult


def insert_suite(connection: Connection, manifest: Mapping[str, Any]) -> bool:
    """Register a suite by its manifest; False if it is known already."""
    row = {
        "digest": manifest["digest"],
        "name": manifest["name"],
        "manifest": zlib.compress(canonical_json(dict(manifest)), level=3),
    }
    added = dialect.insert_or_ignore(connection, suites).returning(suites.c.digest)
    return connection.execute(added, row).scalar_one_or_none() is not None


def insert_waiting(connection: Connection, document: Mapping[str, Any], digest: str, received_unix_ns: int) -> bool:
    """Keep a document whose suite nobody has registered; False if it is there already."""
    row = {
        "digest": digest,
        "suite": document["suite"]["digest"],
        "suite_name": document["suite"]["name"],
        "system": document["system"]["name"],
        "received_unix_ns": received_unix_ns,
        "document": zlib.compress(canonical_json(dict(document)), level=3),
    }
    added = dialect.insert_or_ignore(connection, waiting).returning(waiting.c.digest)
    return connection.execute(added, row).scalar_one_or_none() is not None


def delete_waiting(connection: Connection, digest: str) -> None:
    """Forget a kept document, which has become a submission."""
    connection.execute(delete(waiting).where(waiting.c.digest == digest))


def select_waiting() -> Select[Any]:
    """Give all documents of unregistered suites but their content, oldest first."""
    columns = (column for column in waiting.c if column.name != "document")
    return select(*columns).order_by(waiting.c.received_unix_ns, waiting.c.digest)


def select_registered() -> Select[Any]:
    """Give all registered suites with the count of their submissions."""
    return (
        select(suites.c.digest, suites.c.name, func.count(submissions.c.id).label("submissions"))
        .outerjoin(submissions, submissions.c.suite == suites.c.digest)
        .group_by(suites.c.digest)
        .order_by(suites.c.name, suites.c.digest)
    )


def registered_of(rows: Sequence[Row[Any]]) -> tuple[RegisteredSuite, ...]:
    """Read the rows of ``select_registered``."""
    return tuple(RegisteredSuite(digest=row.digest, name=row.name, submissions=row.submissions) for row in rows)


def waiting_of(rows: Sequence[Row[Any]]) -> tuple[WaitingResult, ...]:
    """Read the rows of ``select_waiting``."""
    return tuple(
        WaitingResult(
            digest=row.digest,
            suite=row.suite_name,
            suite_digest=row.suite,
            system=row.system,
            received_unix_ns=row.received_unix_ns,
        )
        for row in rows
    )


def body_beside(connection: Connection, submission: Submission) -> bytes:
    """Give what to keep of a document: with its manifest if the registered one of its digest is written otherwise.

    Numbers may be whole in one and not in the other, and a newer suite may have fields that were left out.
    """
    kept = connection.execute(select(suites.c.manifest).where(suites.c.digest == submission.suite_digest)).scalar_one()
    if zlib.decompress(kept) == submission.manifest:
        return submission.body
    return join_document(submission.body, submission.manifest, digest=submission.digest)
