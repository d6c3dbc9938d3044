"""Events of submissions (withdrawn, corrected, confirmed ...) and their signatures.

Events are appended; submissions are never changed or deleted.
"""

import time
import zlib
from typing import Any

from sqlalchemy import Connection, Row, insert, select, update

from dlbricks.errors import CheckError, InputError
from dlbricks.store import dialect
from dlbricks.store.damage import typed, unpacked
from dlbricks.store.names import checked_reason, keys_of, refuse_other_owner
from dlbricks.store.queries import CORRECTED, RESTORED, WITHDRAWN, select_events, select_submissions
from dlbricks.store.ranking import CONFIRMED, is_provisional, trust_after
from dlbricks.store.rows import event_of, submission_summary_of
from dlbricks.store.tables import events, signatures, submissions
from dlbricks.store.types import Signed, SubmissionEvent, SubmissionSummary


class SubmissionHistory:
    """The submissions of a store with their events and signatures."""

    __slots__ = ("_database",)

    def __init__(self, database: dialect.Database) -> None:
        """Use a database whose tables exist."""
        self._database = database

    def submissions(self) -> tuple[SubmissionSummary, ...]:
        """List all submissions, including withdrawn ones, newest run first."""
        return tuple(self._database.read(submission_summary_of, select_submissions()))

    def find(self, prefix: str) -> SubmissionSummary:
        """Return the submission whose digest starts with ``prefix``.

        Raises:
            InputError: there is none, or there are several.
        """
        matching = [each for each in self.submissions() if each.digest.startswith(prefix.lower())] if prefix else []
        if len(matching) != 1:
            several = f"{len(matching)} runs whose digests begin" if matching else "no run whose digest begins"
            place = self._database.place
            raise InputError(f"store {place} holds {several} with '{prefix}' ('systems --all' lists digests)")
        return matching[0]

    def signature(self, digest: str) -> Signed | None:
        """Return the signature of a submission or waiting result; None if it has none."""
        query = select(signatures.c.key, signatures.c.signature, signatures.c.content)
        return next(iter(self._database.read(_signed, query.where(signatures.c.digest == digest))), None)

    def events(self) -> dict[str, tuple[SubmissionEvent, ...]]:
        """Return the events of submissions, oldest first, by digest of the submission."""
        by_digest: dict[str, tuple[SubmissionEvent, ...]] = {}
        for digest, event in self._database.read(lambda row: (row.digest, event_of(row)), select_events()):
            by_digest[digest] = (*by_digest.get(digest, ()), event)
        return by_digest

    def withdraw(self, prefix: str, reason: str, *, restore: bool = False) -> tuple[SubmissionSummary, bool]:
        """Withdraw a submission from use, or restore a withdrawn one; it stays in the store.

        Args:
            prefix: of the submission's digest.
            reason: one line.
            restore: whether to restore it.

        Returns:
            The submission, and False if it already was in the requested state.

        Raises:
            InputError: not exactly one submission matches, or the reason is empty.
        """
        submission = self.find(prefix)
        if (submission.withdrawn is None) == restore:
            return submission, False
        reason = checked_reason(reason)
        with self._database.writing() as connection:
            name = submission.configuration.system
            if restore and submission.key not in {owner.key for owner in keys_of(connection, name)}:
                refuse_other_owner(connection, name, submission.key)
            self.add_event(connection, submission.digest, RESTORED if restore else WITHDRAWN, reason)
        return submission, True

    def correct(self, former: SubmissionSummary, digest: str, reason: str) -> None:
        """Replace a submission by another one of its owner; both stay in the store.

        Args:
            former: the submission to be replaced.
            digest: of the submission that replaces it.
            reason: one line.

        Raises:
            CheckError: they are not of one system and one key.
            InputError: the reason is empty.
        """
        self.check_correction(former, self.find(digest))
        self._append(former.digest, CORRECTED, f"{digest[:12]} replaces it: {checked_reason(reason)}")

    def set_trust(self, digest: str, tier: str, reason: str) -> None:
        """Set the tier of trust of a submission; earlier events stay in the store.

        Args:
            digest: of the submission.
            tier: one of ``TIERS`` that is not provisional; a provisional submission stays provisional.
            reason: one line.

        Raises:
            InputError: no submission has this digest, or the reason is empty.
        """
        self._append(digest, tier, checked_reason(reason))

    def confirm(self, prefix: str, reason: str) -> tuple[SubmissionSummary, bool]:
        """Confirm a provisional submission; returns it, and False if it is not provisional.

        Raises:
            InputError: not exactly one submission matches, or the reason is empty.
        """
        submission = self.find(prefix)
        if not is_provisional(submission.trust):
            return submission, False
        self._append(submission.digest, CONFIRMED, checked_reason(reason))
        return submission, True

    def check_correction(self, former: SubmissionSummary, new: SubmissionSummary) -> None:
        """Refuse a correction unless both submissions are of one system and one owner, whose key may have changed.

        Raises:
            CheckError: they are not.
        """
        system = former.configuration.system
        with self._database.transaction() as connection:
            owners = {owner.key for owner in keys_of(connection, system)}
        same = new.key == former.key or {new.key, former.key} <= owners
        if new.configuration.system != system or not same or new == former:
            raise CheckError(
                f"{new.digest[:12]} cannot replace {former.digest[:12]}: they are not of one system and one key"
            )

    def add_event(
        self,
        connection: Connection,
        digest: str,
        kind: str,
        reason: str,
        *,
        recorded_unix_ns: int | None = None,
        until_unix_ns: int | None = None,
        statement: str | None = None,
    ) -> None:
        """Add an event (``SubmissionEvent``) to a submission and update its tier of trust, in a transaction.

        Raises:
            InputError: no submission has this digest.
        """
        query = select(submissions.c.id, submissions.c.trust).where(submissions.c.digest == digest)
        row = connection.execute(query.with_for_update()).one_or_none()
        if row is None:
            raise InputError(f"store {self._database.place} holds no submission {digest[:12]}: submit it first")
        recorded_unix_ns = time.time_ns() if recorded_unix_ns is None else recorded_unix_ns
        event = {"kind": kind, "reason": reason, "recorded_unix_ns": recorded_unix_ns, "statement": statement}
        connection.execute(insert(events).values(submission=row.id, until_unix_ns=until_unix_ns, **event))
        trust = trust_after(row.trust, kind)
        if trust != row.trust:
            connection.execute(update(submissions).where(submissions.c.id == row.id).values(trust=trust))

    def _append(self, digest: str, kind: str, reason: str) -> None:
        with self._database.writing() as connection:
            self.add_event(connection, digest, kind, reason)


def _signed(row: Row[Any]) -> Signed:
    return typed(Signed, key=row.key, signature=row.signature, content=unpacked(row.content))


def has_signature(connection: Connection, digest: str) -> bool:
    """Return whether a document of this digest is stored with a signature."""
    return connection.execute(select(signatures.c.key).where(signatures.c.digest == digest)).first() is not None


def keep_signature(connection: Connection, digest: str, signed: Signed) -> bool:
    """Store the signature of a document with its content; returns False if there is one."""
    if has_signature(connection, digest):
        return False
    content = zlib.compress(signed.content, level=6)
    row = {"digest": digest, "key": signed.key, "signature": signed.signature, "content": content}
    connection.execute(insert(signatures).values(**row))
    return True
