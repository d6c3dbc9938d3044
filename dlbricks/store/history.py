"""Events of submissions (withdrawn, corrected, confirmed ...), signatures, and ownership of names.

Events are appended; submissions are never changed or deleted. The name of a system belongs to the key that first signed
a result of it, or to the key that it was transferred to.
"""

import time
import zlib
from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, Engine, Row, Select, func, insert, select, update

from dlbricks.errors import CheckError, InputError
from dlbricks.store import dialect
from dlbricks.store.damage import sound, typed, unpacked
from dlbricks.store.queries import CORRECTED, NOT_WITHDRAWN, RESTORED, WITHDRAWN, owner_of, select_submissions
from dlbricks.store.ranking import CONFIRMED, is_provisional, trust_after
from dlbricks.store.rows import event_of, submission_summary_of
from dlbricks.store.statements import KEY, Statement
from dlbricks.store.tables import configurations, events, handovers, names, signatures, submissions
from dlbricks.store.types import NameKey, Signed, SubmissionEvent, SubmissionSummary


class SubmissionHistory:
    """The submissions of a store with their events and signatures."""

    __slots__ = ("_engine", "place")

    def __init__(self, engine: Engine, place: str) -> None:
        """Use an engine whose tables exist; ``place`` is its name in messages."""
        self._engine = engine
        self.place = place

    def submissions(self) -> tuple[SubmissionSummary, ...]:
        """List all submissions, including withdrawn ones, newest run first."""
        rows = self._rows(select_submissions())
        with sound(self.place):
            return tuple(submission_summary_of(row) for row in rows)

    def find(self, prefix: str) -> SubmissionSummary:
        """Return the submission whose digest starts with ``prefix``.

        Raises:
            InputError: there is none, or there are several.
        """
        found = [one for one in self.submissions() if one.digest.startswith(prefix.lower())] if prefix else []
        if len(found) != 1:
            several = f"{len(found)} runs whose digests begin" if found else "no run whose digest begins"
            raise InputError(f"store {self.place} holds {several} with '{prefix}' ('systems --all' lists digests)")
        return found[0]

    def signature(self, digest: str) -> Signed | None:
        """Return the signature of a submission or waiting result; None if it has none."""
        rows = self._rows(select_signature(digest))
        one = rows[0] if rows else None
        with sound(self.place):
            return one and typed(Signed, key=one.key, signature=one.signature, content=unpacked(one.content))

    def events(self) -> dict[str, tuple[SubmissionEvent, ...]]:
        """Return the events of submissions, oldest first, by digest of the submission."""
        query = (
            select(events, submissions.c.digest, signatures.c.key.label("said_by"))
            .join(submissions, submissions.c.id == events.c.submission)
            .outerjoin(signatures, signatures.c.digest == events.c.statement)
        )
        said: dict[str, tuple[SubmissionEvent, ...]] = {}
        for row in self._rows(query.order_by(events.c.id)):
            with sound(self.place):
                said[row.digest] = (*said.get(row.digest, ()), event_of(row))
        return said

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
        one = self.find(prefix)
        if (one.withdrawn is None) == restore:
            return one, False
        event = {"kind": RESTORED if restore else WITHDRAWN, "reason": _reason(reason)}
        with dialect.writing(self._engine) as connection:
            if restore and one.key not in {held.key for held in keys_of(connection, one.configuration.system)}:
                refuse_other_owner(connection, one.configuration.system, one.key)
            self._add_event(connection, one.digest, {**event, "recorded_unix_ns": time.time_ns()})
        return one, True

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
        self._refuse_correction(former, self.find(digest))
        event = {"kind": CORRECTED, "reason": f"{digest[:12]} replaces it: {_reason(reason)}"}
        with dialect.writing(self._engine) as connection:
            self._add_event(connection, former.digest, {**event, "recorded_unix_ns": time.time_ns()})

    def set_trust(self, digest: str, tier: str, reason: str) -> None:
        """Set the tier of trust of a submission; earlier events stay in the store.

        Args:
            digest: of the submission.
            tier: one of ``TIERS`` that is not provisional; a provisional submission stays provisional.
            reason: one line.

        Raises:
            InputError: no submission has this digest, or the reason is empty.
        """
        with dialect.writing(self._engine) as connection:
            said = {"kind": tier, "reason": _reason(reason), "recorded_unix_ns": time.time_ns()}
            self._add_event(connection, digest, said)

    def confirm(self, prefix: str, reason: str) -> tuple[SubmissionSummary, bool]:
        """Confirm a provisional submission; returns it, and False if it is not provisional.

        Raises:
            InputError: not exactly one submission matches, or the reason is empty.
        """
        one = self.find(prefix)
        if not is_provisional(one.trust):
            return one, False
        with dialect.writing(self._engine) as connection:
            said = {"kind": CONFIRMED, "reason": _reason(reason), "recorded_unix_ns": time.time_ns()}
            self._add_event(connection, one.digest, said)
        return one, True

    def keys(self, system: str) -> tuple[NameKey, ...]:
        """List the keys that owned a name, oldest first; the last one is the owner."""
        with sound(self.place), dialect.reading(self._engine) as connection:
            return keys_of(connection, system)

    def accept_statement(self, said: Statement, digest: str, signed: Signed) -> bool:
        """Apply a signed statement of a name's owner; returns False if it was applied before.

        Args:
            said: the statement.
            digest: of its file.
            signed: the file with its signature.

        Raises:
            CheckError: it is not signed by the owner of the name, or concerns a result of another system.
            InputError: the result is not in the store, or the name already belongs to the new key.
        """
        one = None if said.says == KEY else self.find(said.result)
        if one is not None and said.says == CORRECTED:
            self._refuse_correction(one, self.find(said.by))
        if one is not None and one.configuration.system != said.system:
            raise CheckError(f"{said.result[:12]} is a result of {one.configuration.system}, not of {said.system}")
        now, reason = time.time_ns(), _reason(said.reason)
        with dialect.writing(self._engine) as connection:
            if connection.execute(select(signatures.c.key).where(signatures.c.digest == digest)).scalar_one_or_none():
                return False
            held = keys_of(connection, said.system)
            if not held or held[-1].key != signed.key:
                owner = f"belongs to key {held[-1].key}" if held else "belongs to no key"
                raise CheckError(f"the name {said.system} {owner}, and the statement is signed by {signed.key}")
            if one is not None and said.says == CONFIRMED and not is_provisional(one.trust):
                raise InputError(f"{one.digest[:12]} is not provisional")
            if one is None:
                key = NameKey(key=said.by, since_unix_ns=now, reason=reason, statement=digest)
                transfer_name(connection, said.system, key)
            else:
                why = f"{said.by[:12]} replaces it: {reason}" if said.by else reason
                event = {"kind": said.says, "reason": why, "recorded_unix_ns": now, "statement": digest}
                self._add_event(connection, one.digest, event)
            return keep_signature(connection, digest, signed)

    def transfer_name(self, system: str, key: str, reason: str) -> None:
        """Transfer a name to another key by decision of the collector, for instance after the loss of a key.

        Raises:
            InputError: the name has no owner or already belongs to the key, or the reason is empty.
        """
        to = NameKey(key=key, since_unix_ns=time.time_ns(), reason=_reason(reason))
        with dialect.writing(self._engine) as connection:
            transfer_name(connection, system, to)

    def _refuse_correction(self, former: SubmissionSummary, new: SubmissionSummary) -> None:
        """Refuse a correction unless both submissions are of one system and one owner, whose key may have changed."""
        system = former.configuration.system
        same = new.key == former.key or {new.key, former.key} <= {one.key for one in self.keys(system)}
        if new.configuration.system != system or not same or new == former:
            raise CheckError(
                f"{new.digest[:12]} cannot replace {former.digest[:12]}: they are not of one system and one key"
            )

    def _add_event(self, connection: Connection, digest: str, event: Mapping[str, object]) -> None:
        """Add an event to a submission and update its tier of trust.

        Raises:
            InputError: no submission has this digest.
        """
        query = select(submissions.c.id, submissions.c.trust).where(submissions.c.digest == digest)
        held = connection.execute(query.with_for_update()).one_or_none()
        if held is None:
            raise InputError(f"store {self.place} holds no submission {digest[:12]}: submit it first")
        connection.execute(insert(events).values(submission=held.id, **event))
        trust = trust_after(held.trust, str(event["kind"]))
        if trust != held.trust:
            connection.execute(update(submissions).where(submissions.c.id == held.id).values(trust=trust))

    def _rows(self, *queries: Select[Any]) -> list[Row[Any]]:
        with sound(self.place), dialect.reading(self._engine) as connection:
            return [row for query in queries for row in connection.execute(query)]


def _reason(text: str) -> str:
    """Return a reason as one line.

    Raises:
        InputError: it is empty.
    """
    if not text.strip():
        raise InputError("give a reason, which is stored with the result")
    return " ".join(text.split())


def refuse_other_owner(connection: Connection, system: str, key: str) -> None:
    """Refuse a result under a name that it may not use.

    Args:
        connection: in a transaction.
        system: the name.
        key: that signed the result; empty if it is not signed.

    Raises:
        CheckError: the name belongs to another key; or ``key`` would be its first owner, but unsigned results use it.
    """
    owner = connection.execute(select(owner_of(system))).scalar_one()
    if owner == key or (owner is None and not key):
        return
    if owner is not None:
        signed = f"is signed by {key}" if key else "is not signed"
        raise CheckError(f"the name {system} belongs to key {owner}, and this result {signed}: choose another name")
    unsigned = connection.execute(_in_use_under(system)).scalar_one()
    if unsigned:
        raise CheckError(
            f"the name {system} has {unsigned} unsigned in use, so no key can own it: choose another name, or withdraw "
            "them first"
        )


def claim_name(connection: Connection, system: str, key: str, now_unix_ns: int) -> None:
    """Make the key that signed a result the owner of a name without one; see ``refuse_other_owner``."""
    if key:
        row = {"system": system, "key": key, "since_unix_ns": now_unix_ns}
        refuse_other_owner(connection, system, key)
        connection.execute(dialect.insert_or_ignore(connection, names), row)
    refuse_other_owner(connection, system, key)


def keys_of(connection: Connection, system: str) -> tuple[NameKey, ...]:
    """Return the keys that owned a name, oldest first; the last one is the owner."""
    first = select(names.c.key, names.c.since_unix_ns).where(names.c.system == system)
    later = select(handovers).where(handovers.c.system == system).order_by(handovers.c.id)
    return (
        *(typed(NameKey, key=row.key, since_unix_ns=row.since_unix_ns) for row in connection.execute(first)),
        *(
            typed(
                NameKey,
                key=row.key,
                since_unix_ns=row.recorded_unix_ns,
                reason=row.reason,
                statement=row.statement or "",
            )
            for row in connection.execute(later)
        ),
    )


def transfer_name(connection: Connection, system: str, to: NameKey) -> None:
    """Transfer a name that has an owner to another key.

    Raises:
        InputError: it has no owner, or already belongs to the key.
    """
    owner = connection.execute(select(owner_of(system))).scalar_one()
    if owner in (None, to.key):
        raise InputError(f"the name {system} " + (f"is {owner}'s already" if owner else "belongs to no key"))
    row = {"system": system, "key": to.key, "reason": to.reason, "recorded_unix_ns": to.since_unix_ns}
    connection.execute(insert(handovers).values(**row, statement=to.statement or None))


def is_stored(connection: Connection, digest: str) -> bool:
    """Return whether a submission has this digest."""
    found = connection.execute(select(submissions.c.id).where(submissions.c.digest == digest))
    return found.scalar_one_or_none() is not None


def keep_signature(connection: Connection, digest: str, signed: Signed) -> bool:
    """Store the signature of a document with its content; returns False if there is one."""
    if connection.execute(select(signatures.c.key).where(signatures.c.digest == digest)).scalar_one_or_none():
        return False
    content = zlib.compress(signed.content, level=6)
    row = {"digest": digest, "key": signed.key, "signature": signed.signature, "content": content}
    connection.execute(insert(signatures).values(**row))
    return True


def select_signature(digest: str) -> Select[Any]:
    """Select key, signature and signed content of a document."""
    return select(signatures.c.key, signatures.c.signature, signatures.c.content).where(signatures.c.digest == digest)


def _in_use_under(system: str) -> Select[Any]:
    """Count the submissions of a name that are not withdrawn; without an owner, these are unsigned."""
    return (
        select(func.count(submissions.c.id))
        .join(configurations, submissions.c.configuration == configurations.c.id)
        .where(configurations.c.system == system, NOT_WITHDRAWN)
    )
