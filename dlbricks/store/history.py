"""Events of submissions (withdrawn, corrected, confirmed ...): they are added, nothing is changed or deleted.

A withdrawn or corrected submission stays, with the reason; so does how far it is believed, and since when.
"""

import time
import zlib
from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, Engine, Row, Select, insert, select, update

from dlbricks.errors import CheckError, InputError
from dlbricks.store import dialect
from dlbricks.store.ownership import keep_signature, keys_of, pass_on, refuse_others, select_signature
from dlbricks.store.queries import CORRECTED, RESTORED, WITHDRAWN, select_submissions
from dlbricks.store.ranking import CONFIRMED, after, is_provisional
from dlbricks.store.rows import event_of, submission_summary_of
from dlbricks.store.statements import KEY, Statement
from dlbricks.store.tables import events, signatures, submissions
from dlbricks.store.types import NameKey, Signed, SubmissionEvent, SubmissionSummary


class SubmissionHistory:
    """The submissions of a store, their signatures, and what was said of them."""

    __slots__ = ("_engine", "place")

    def __init__(self, engine: Engine, place: str) -> None:
        """Take an engine whose tables exist; ``place`` names it in messages."""
        self._engine = engine
        self.place = place

    def submissions(self) -> tuple[SubmissionSummary, ...]:
        """List all submissions, withdrawn ones too, newest run first."""
        return tuple(submission_summary_of(row) for row in self._rows(select_submissions()))

    def find(self, prefix: str) -> SubmissionSummary:
        """Give the one submission whose digest begins so.

        Raises:
            InputError: there is none, or there are several.
        """
        found = [one for one in self.submissions() if one.digest.startswith(prefix.lower())] if prefix else []
        if len(found) != 1:
            several = f"{len(found)} runs whose digests begin" if found else "no run whose digest begins"
            raise InputError(f"store {self.place} holds {several} with '{prefix}' ('systems --all' lists digests)")
        return found[0]

    def signature(self, digest: str) -> Signed | None:
        """Give the signature of a result, of one that waits, too; None if it has none."""
        rows = self._rows(select_signature(digest))
        one = rows[0] if rows else None
        return one and Signed(key=one.key, signature=one.signature, content=zlib.decompress(one.content))

    def events(self) -> dict[str, tuple[SubmissionEvent, ...]]:
        """List what was said of submissions since they came, oldest first, by their digests."""
        query = (
            select(events, submissions.c.digest, signatures.c.key.label("said_by"))
            .join(submissions, submissions.c.id == events.c.submission)
            .outerjoin(signatures, signatures.c.digest == events.c.statement)
        )
        said: dict[str, tuple[SubmissionEvent, ...]] = {}
        for row in self._rows(query.order_by(events.c.id)):
            said[row.digest] = (*said.get(row.digest, ()), event_of(row))
        return said

    def withdraw(self, prefix: str, reason: str, *, restore: bool = False) -> tuple[SubmissionSummary, bool]:
        """Take a submission out of use, or back into it; it stays in the store, and so does what was said of it.

        Args:
            prefix: of the digest of one submission.
            reason: why, in a line.
            restore: whether to use it again.

        Returns:
            The submission, and False if it was withdrawn, or in use, already.

        Raises:
            InputError: no submission has such a digest, or several have; or there is no reason.
        """
        one = self.find(prefix)
        if (one.withdrawn is None) == restore:
            return one, False
        event = {"kind": RESTORED if restore else WITHDRAWN, "reason": _reason(reason)}
        with dialect.writing(self._engine) as connection:
            if restore and one.key not in {held.key for held in keys_of(connection, one.configuration.system)}:
                refuse_others(connection, one.configuration.system, one.key)
            self._say(connection, one.digest, {**event, "recorded_unix_ns": time.time_ns()})
        return one, True

    def correct(self, former: SubmissionSummary, digest: str, reason: str) -> None:
        """Take a submission out of use, as another one of its owner replaces it; both stay, with the reason.

        Args:
            former: that is replaced.
            digest: of the submission that replaces it.
            reason: why, in a line.

        Raises:
            CheckError: they are not of one system and one key.
            InputError: there is no reason.
        """
        self._refuse_correction(former, self.find(digest))
        event = {"kind": CORRECTED, "reason": f"{digest[:12]} replaces it: {_reason(reason)}"}
        with dialect.writing(self._engine) as connection:
            self._say(connection, former.digest, {**event, "recorded_unix_ns": time.time_ns()})

    def believe(self, digest: str, tier: str, reason: str) -> None:
        """Say how far a submission is believed from now on, and why; what was said before stays, too.

        Args:
            digest: of the submission.
            tier: one of ``TIERS`` that is not provisional; a provisional submission stays so.
            reason: in a line.

        Raises:
            InputError: no submission has this digest, or there is no reason.
        """
        with dialect.writing(self._engine) as connection:
            said = {"kind": tier, "reason": _reason(reason), "recorded_unix_ns": time.time_ns()}
            self._say(connection, digest, said)

    def confirm(self, prefix: str, reason: str) -> tuple[SubmissionSummary, bool]:
        """Say of a provisional submission that it stands; False if it does already.

        Raises:
            InputError: no submission has a digest that begins so, or several have; or there is no reason.
        """
        one = self.find(prefix)
        if not is_provisional(one.trust):
            return one, False
        with dialect.writing(self._engine) as connection:
            said = {"kind": CONFIRMED, "reason": _reason(reason), "recorded_unix_ns": time.time_ns()}
            self._say(connection, one.digest, said)
        return one, True

    def keys(self, system: str) -> tuple[NameKey, ...]:
        """List the keys to which a name belonged, oldest first; the last one owns it."""
        with dialect.reading(self._engine) as connection:
            return keys_of(connection, system)

    def state(self, said: Statement, digest: str, signed: Signed) -> bool:
        """Take in what the owner of a name says and signed; False if that was heard already.

        Args:
            said: what is said.
            digest: of its file.
            signed: the file with its signature.

        Raises:
            CheckError: it is not signed by the key that owns the name, or is of a result of another system.
            InputError: there is no such result, or the name is that key's already.
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
                pass_on(connection, said.system, key)
            else:
                why = f"{said.by[:12]} replaces it: {reason}" if said.by else reason
                event = {"kind": said.says, "reason": why, "recorded_unix_ns": now, "statement": digest}
                self._say(connection, one.digest, event)
            return keep_signature(connection, digest, signed)

    def pass_on(self, system: str, key: str, reason: str) -> None:
        """Let a name pass to another key as the collector says, as when the former one was lost.

        Raises:
            InputError: the name has no owner, is that key's already, or there is no reason.
        """
        to = NameKey(key=key, since_unix_ns=time.time_ns(), reason=_reason(reason))
        with dialect.writing(self._engine) as connection:
            pass_on(connection, system, to)

    def _refuse_correction(self, former: SubmissionSummary, new: SubmissionSummary) -> None:
        """Refuse to let a submission replace another that is not of its system and of its key, or a former key."""
        system = former.configuration.system
        same = new.key == former.key or {new.key, former.key} <= {one.key for one in self.keys(system)}
        if new.configuration.system != system or not same or new == former:
            raise CheckError(
                f"{new.digest[:12]} cannot replace {former.digest[:12]}: they are not of one system and one key"
            )

    def _say(self, connection: Connection, digest: str, event: Mapping[str, object]) -> None:
        """Add an event to a submission, and say how far it is believed from then on.

        Raises:
            InputError: no submission has this digest.
        """
        query = select(submissions.c.id, submissions.c.trust).where(submissions.c.digest == digest)
        held = connection.execute(query.with_for_update()).one_or_none()
        if held is None:
            raise InputError(f"store {self.place} holds no submission {digest[:12]}: submit it first")
        connection.execute(insert(events).values(submission=held.id, **event))
        trust = after(held.trust, str(event["kind"]))
        if trust != held.trust:
            connection.execute(update(submissions).where(submissions.c.id == held.id).values(trust=trust))

    def _rows(self, *queries: Select[Any]) -> list[Row[Any]]:
        with dialect.reading(self._engine) as connection:
            return [row for query in queries for row in connection.execute(query)]


def _reason(text: str) -> str:
    """Give a reason as one line.

    Raises:
        InputError: there is none.
    """
    if not text.strip():
        raise InputError("give a reason: whoever meets the result later has to know")
    return " ".join(text.split())
