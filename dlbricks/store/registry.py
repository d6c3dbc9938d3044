"""Suites that a store knows, and results of others, which are kept apart until somebody registers theirs."""

import time
import zlib
from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, delete, func, select

from dlbricks.fingerprint import canonical_json
from dlbricks.store import dialect
from dlbricks.store.history import SubmissionHistory
from dlbricks.store.ownership import keep_signature, refuse_others
from dlbricks.store.tables import join_document, submissions, suites, waiting
from dlbricks.store.types import RegisteredSuite, Signed, Submission, WaitingResult


class SuiteRegistry(SubmissionHistory):
    """The suites of a store, and what waits for one."""

    __slots__ = ()

    def register(self, manifest: Mapping[str, Any]) -> bool:
        """Hold results against a suite from now on; False if that is so already.

        Args:
            manifest: content of ``suite.json``, whose digest was compared.
        """
        row = {
            "digest": manifest["digest"],
            "name": manifest["name"],
            "manifest": zlib.compress(canonical_json(dict(manifest)), level=3),
        }
        with dialect.writing(self._engine) as connection:
            added = dialect.insert_or_ignore(connection, suites).returning(suites.c.digest)
            return connection.execute(added, row).scalar_one_or_none() is not None

    def suites(self) -> tuple[RegisteredSuite, ...]:
        """List the suites that results are held against, by name, each with the count of its submissions."""
        query = (
            select(suites.c.digest, suites.c.name, func.count(submissions.c.id).label("submissions"))
            .outerjoin(submissions, submissions.c.suite == suites.c.digest)
            .group_by(suites.c.digest)
            .order_by(suites.c.name, suites.c.digest)
        )
        return tuple(
            RegisteredSuite(digest=row.digest, name=row.name, submissions=row.submissions) for row in self._rows(query)
        )

    def keep_apart(self, document: Mapping[str, Any], digest: str, signed: Signed | None = None) -> bool:
        """Keep a result whose suite nobody has registered; no answer rests on it. False if it is there already.

        Raises:
            CheckError: its name belongs to another key.
        """
        row = {
            "digest": digest,
            "suite": document["suite"]["digest"],
            "suite_name": document["suite"]["name"],
            "system": document["system"]["name"],
            "received_unix_ns": time.time_ns(),
            "document": zlib.compress(canonical_json(dict(document)), level=3),
        }
        with dialect.writing(self._engine) as connection:
            refuse_others(connection, document["system"]["name"], signed.key if signed else "")
            if signed is not None:
                keep_signature(connection, digest, signed)
            added = dialect.insert_or_ignore(connection, waiting).returning(waiting.c.digest)
            return connection.execute(added, row).scalar_one_or_none() is not None

    def waiting(self) -> tuple[WaitingResult, ...]:
        """List the results that wait until their suite is registered, oldest first."""
        columns = (column for column in waiting.c if column.name != "document")
        return tuple(
            WaitingResult(
                digest=row.digest,
                suite=row.suite_name,
                suite_digest=row.suite,
                system=row.system,
                received_unix_ns=row.received_unix_ns,
            )
            for row in self._rows(select(*columns).order_by(waiting.c.received_unix_ns, waiting.c.digest))
        )

    def waiting_document(self, digest: str) -> bytes:
        """Give a result that waits, as canonical JSON."""
        (row,) = self._rows(select(waiting.c.document).where(waiting.c.digest == digest))
        return zlib.decompress(row.document)


def delete_waiting(connection: Connection, digest: str) -> None:
    """Forget a kept document, which has become a submission."""
    connection.execute(delete(waiting).where(waiting.c.digest == digest))


def body_beside(connection: Connection, submission: Submission) -> bytes:
    """Give what to keep of a document: with its manifest if the registered one of its digest is written otherwise.

    Numbers may be whole in one and not in the other, and a newer suite may have fields that were left out.
    """
    kept = connection.execute(select(suites.c.manifest).where(suites.c.digest == submission.suite_digest)).scalar_one()
    if zlib.decompress(kept) == submission.manifest:
        return submission.body
    return join_document(submission.body, submission.manifest, digest=submission.digest)
