"""Stores events of submissions (withdrawn, corrected, confirmed ...), signatures, suites, and owners of system names.

Submissions are never changed or deleted. The name of a system belongs to the key that first signed a result of the
system, until it is transferred. A plug-in (entry points ``dlbricks.store_hooks``) makes and verifies signatures. If it
is not installed, functions that need it raise ``MissingDependencyError``. They raise ``CheckError`` for an invalid
signature, and ``InputError`` for a key or file that cannot be used.
"""

import time
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, TypeVar, runtime_checkable

from sqlalchemy import Connection, Row, Table, func, insert, select, update

from dlbricks.errors import CheckError, InputError, MissingDependencyError
from dlbricks.extensions import extensions
from dlbricks.files import write_bytes, write_text
from dlbricks.limits import SIGNATURE_BYTES
from dlbricks.store.queries import CORRECTED, NOT_WITHDRAWN, RESTORED, WITHDRAWN, owner_of, select_submissions
from dlbricks.store.records import (
    CONFIRMED,
    event_of,
    is_provisional,
    join_document,
    submission_summary_of,
    trust_after,
    typed,
    unpacked,
)
from dlbricks.store.tables import (
    Database,
    configurations,
    events,
    handovers,
    insert_or_ignore,
    names,
    signatures,
    submissions,
    suites,
)
from dlbricks.store.types import (
    CopiedResult,
    NameKey,
    RegisteredSuite,
    Signed,
    Submission,
    SubmissionEvent,
    SubmissionReceipt,
    SubmissionSummary,
)
from dlbricks.typed_json import canonical_json
from dlbricks.units import format_bytes


@dataclass(frozen=True, slots=True)
class SubmissionHistory:
    """Submissions of a store with events and signatures.

    The methods raise ``InputError`` for an empty reason, and unless a digest or prefix matches exactly one.
    """

    database: Database

    def submissions(self) -> tuple[SubmissionSummary, ...]:
        """Return all submissions, withdrawn ones included, newest run first."""
        return tuple(self.database.read(submission_summary_of, select_submissions()))

    def find(self, prefix: str) -> SubmissionSummary:
        """Return the stored result whose digest starts with ``prefix``."""
        # an empty prefix would match all submissions
        matching = [each for each in self.submissions() if each.digest.startswith(prefix.lower())] if prefix else []
        if len(matching) != 1:
            several = f"{len(matching)} results whose digests begin" if matching else "no result whose digest begins"
            place = self.database.place
            raise InputError(f"store {place} has {several} with '{prefix}': 'dlbricks systems --all' lists digests")
        return matching[0]

    def signature(self, digest: str) -> Signed | None:
        """Return the signature of a submission; None if it is not signed."""
        query = select(signatures.c.key, signatures.c.signature, signatures.c.content)
        return next(iter(self.database.read(_signed, query.where(signatures.c.digest == digest))), None)

    def events(self) -> dict[str, tuple[SubmissionEvent, ...]]:
        """Return the events of submissions, oldest first, by digest."""
        query = (
            select(events, submissions.c.digest, signatures.c.key.label("statement_key"))
            .join(submissions, submissions.c.id == events.c.submission)
            .outerjoin(signatures, signatures.c.digest == events.c.statement)
            .order_by(events.c.id)
        )
        by_digest: dict[str, tuple[SubmissionEvent, ...]] = {}
        for digest, event in self.database.read(lambda row: (row.digest, event_of(row)), query):
            by_digest[digest] = (*by_digest.get(digest, ()), event)
        return by_digest

    def withdraw(self, prefix: str, reason: str, *, restore: bool = False) -> tuple[SubmissionSummary, bool]:
        """Withdraw or restore a result; return the result, and whether anything changed."""
        submission = self.find(prefix)
        if (submission.withdrawn is None) == restore:
            return submission, False
        reason = checked_reason(reason)
        with self.database.writing() as connection:
            name = submission.configuration.system
            # the name may belong to another key by now
            if restore and submission.key not in {owner.key for owner in keys_of(connection, name)}:
                refuse_other_owner(connection, name, submission.key)
            self.add_event(connection, submission.digest, RESTORED if restore else WITHDRAWN, reason)
        return submission, True

    def correct(self, former: SubmissionSummary, digest: str, reason: str) -> None:
        """Record that the result ``digest`` replaces ``former``; both stay in the store."""
        self.check_correction(former, self.find(digest))
        self._append(former.digest, CORRECTED, f"{digest[:12]} replaces it: {checked_reason(reason)}")

    def set_trust(self, digest: str, tier: str, reason: str) -> None:
        """Set the trust of a result; a provisional result stays provisional."""
        self._append(digest, tier, checked_reason(reason))

    def confirm(self, prefix: str, reason: str) -> tuple[SubmissionSummary, bool]:
        """Confirm a result; return the result, and whether it was provisional."""
        submission = self.find(prefix)
        if not is_provisional(submission.trust):
            return submission, False
        self._append(submission.digest, CONFIRMED, checked_reason(reason))
        return submission, True

    def check_correction(self, former: SubmissionSummary, new: SubmissionSummary) -> None:
        """Raise ``CheckError`` unless both results have the same system and the same owner."""
        system = former.configuration.system
        with self.database.transaction() as connection:
            owners = {owner.key for owner in keys_of(connection, system)}
        # the name may have been transferred to another key between the two
        same_owner = new.key == former.key or {new.key, former.key} <= owners
        if new.configuration.system != system or not same_owner or new == former:
            raise CheckError(
                f"{new.digest[:12]} cannot replace {former.digest[:12]}: both must have the same system and key"
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
        """Add a ``SubmissionEvent`` to a submission and update its trust, in a transaction."""
        query = select(submissions.c.id, submissions.c.trust).where(submissions.c.digest == digest)
        row = connection.execute(query.with_for_update()).one_or_none()
        if row is None:
            raise InputError(f"store {self.database.place} has no submission {digest[:12]}: submit it first")
        recorded_unix_ns = time.time_ns() if recorded_unix_ns is None else recorded_unix_ns
        event = {"kind": kind, "reason": reason, "recorded_unix_ns": recorded_unix_ns, "statement": statement}
        connection.execute(insert(events).values(submission=row.id, until_unix_ns=until_unix_ns, **event))
        trust = trust_after(row.trust, kind)
        if trust != row.trust:
            connection.execute(update(submissions).where(submissions.c.id == row.id).values(trust=trust))

    def _append(self, digest: str, kind: str, reason: str) -> None:
        with self.database.writing() as connection:
            self.add_event(connection, digest, kind, reason)


def _signed(row: Row[Any]) -> Signed:
    return typed(Signed, key=row.key, signature=row.signature, content=unpacked(row.content))


def has_signature(connection: Connection, digest: str) -> bool:
    """Return whether the store has a signature of a document."""
    return connection.execute(select(signatures.c.key).where(signatures.c.digest == digest)).first() is not None


def keep_signature(connection: Connection, digest: str, signed: Signed) -> bool:
    """Store the signed content and the signature of a document; returns False if the document is signed already."""
    if has_signature(connection, digest):
        return False
    content = zlib.compress(signed.content, level=6)
    row = {"digest": digest, "key": signed.key, "signature": signed.signature, "content": content}
    connection.execute(insert(signatures).values(**row))
    return True


@dataclass(frozen=True, slots=True)
class NameOwners:
    """System names and the keys that own them."""

    database: Database

    def keys(self, system: str) -> tuple[NameKey, ...]:
        """Return the keys that have owned a name, oldest first; the last one is the owner."""
        with self.database.transaction() as connection:
            return keys_of(connection, system)

    def transfer(self, system: str, key: str, reason: str) -> None:
        """Transfer a name to another key without a signature, for instance if its owner lost the key."""
        to = NameKey(key=key, since_unix_ns=time.time_ns(), reason=checked_reason(reason))
        with self.database.writing() as connection:
            transfer_name(connection, system, to)


def checked_reason(text: str) -> str:
    """Return a reason as one line; raises ``InputError`` for an empty reason."""
    if not text.strip():
        raise InputError("the reason is empty: give one with --reason, it is stored with the result")
    return " ".join(text.split())


def refuse_other_owner(connection: Connection, system: str, key: str) -> None:
    """Raise ``CheckError`` if a result signed by ``key`` (empty if unsigned) must not use the name ``system``.

    No result may use a name that another key owns, and a signed result no name that unsigned results use.
    """
    owner = connection.execute(select(owner_of(system))).scalar_one()
    if owner == key or (owner is None and not key):
        return
    if owner is not None:
        signed = f"is signed by {key}" if key else "is not signed"
        raise CheckError(f"the name {system} belongs to key {owner}, and this result {signed}: choose another name")
    in_use = (
        select(func.count(submissions.c.id))
        .join(configurations, submissions.c.configuration == configurations.c.id)
        .where(configurations.c.system == system, NOT_WITHDRAWN)
    )
    unsigned = connection.execute(in_use).scalar_one()  # a name without an owner has no signed results
    if unsigned:
        raise CheckError(
            f"{unsigned} unsigned results use the name {system}, so a key cannot own it: choose another name, or "
            "withdraw these results first"
        )


def claim_name(connection: Connection, system: str, key: str, now_unix_ns: int) -> None:
    """Make ``key`` the owner of a name; raises the errors of ``refuse_other_owner``."""
    refuse_other_owner(connection, system, key)
    if key:
        row = {"system": system, "key": key, "since_unix_ns": now_unix_ns}
        connection.execute(insert_or_ignore(connection, names), row)
        refuse_other_owner(connection, system, key)  # another process may have claimed the name meanwhile


def keys_of(connection: Connection, system: str) -> tuple[NameKey, ...]:
    """Return the keys that have owned a name, oldest first; the last one is the owner."""
    since, statement = handovers.c.recorded_unix_ns.label("since_unix_ns"), func.coalesce(handovers.c.statement, "")
    first = select(names.c.key, names.c.since_unix_ns).where(names.c.system == system)
    later = select(handovers.c.key, since, handovers.c.reason, statement.label("statement"))
    ordered = later.where(handovers.c.system == system).order_by(handovers.c.id)
    return tuple(typed(NameKey, **row._asdict()) for query in (first, ordered) for row in connection.execute(query))


def transfer_name(connection: Connection, system: str, to: NameKey) -> None:
    """Transfer a name to a key; raises ``InputError`` if the name has no owner, or belongs to that key already."""
    owner = connection.execute(select(owner_of(system))).scalar_one()
    if owner in (None, to.key):
        raise InputError(f"the name {system} " + (f"already belongs to key {owner}" if owner else "has no owner yet"))
    row = {"system": system, "key": to.key, "reason": to.reason, "recorded_unix_ns": to.since_unix_ns}
    connection.execute(insert(handovers).values(**row, statement=to.statement or None))


@dataclass(frozen=True, slots=True)
class SuiteRegistry:
    """The registered suites of a store."""

    database: Database

    def register(self, manifest: Mapping[str, Any]) -> bool:
        """Register a suite by its verified ``suite.json``; returns False if it is registered already."""
        packed = zlib.compress(canonical_json(dict(manifest)), level=3)
        row = {"digest": manifest["digest"], "name": manifest["name"], "manifest": packed}
        with self.database.writing() as connection:
            added = insert_or_ignore(connection, suites).returning(suites.c.digest)
            return connection.execute(added, row).scalar_one_or_none() is not None

    def suites(self) -> tuple[RegisteredSuite, ...]:
        """Return the registered suites, sorted by name, with the number of their submissions."""
        query = (
            select(suites.c.digest, suites.c.name, func.count(submissions.c.id).label("submissions"))
            .outerjoin(submissions, submissions.c.suite == suites.c.digest)
            .group_by(suites.c.digest)
            .order_by(suites.c.name, suites.c.digest)
        )
        return tuple(self.database.read(lambda row: typed(RegisteredSuite, **row._asdict()), query))


def body_to_store(connection: Connection, submission: Submission) -> bytes:
    """Return a result as JSON, without the suite's manifest if the store has the same manifest.

    Manifests with equal digests may differ, for instance in an integer that is written as a float.
    """
    query = select(suites.c.manifest).where(suites.c.digest == submission.suite_digest)
    if unpacked(connection.execute(query).scalar_one()) == submission.manifest:
        return submission.body
    return join_document(submission.body, submission.manifest, digest=submission.digest)


# Stands for ``database.ResultStore``, whose module imports this module.
Store_contra = TypeVar("Store_contra", contravariant=True)
# Group of entry points with a ``StoreHook``.
HOOKS = "dlbricks.store_hooks"


@runtime_checkable
class StoreHook(Protocol[Store_contra]):
    """A plug-in that signs files, verifies signatures, and finds copied results for a store.

    Without a plug-in, a store accepts no signed results, and is read-only if keys own names. The methods raise
    ``CheckError`` for an invalid signature, and ``InputError`` for a key or a field that cannot be used.
    """

    @property
    def tables(self) -> Sequence[Table]:
        """Tables of the plug-in, which are created together with the tables of the store."""

    def receive(self, store: Store_contra, data: bytes, signature: str) -> Signed | SubmissionReceipt | None:
        """Verify a file before the store reads it; ``signature`` is empty for an unsigned file.

        If the file is a statement, the plug-in applies it and returns a receipt.
        """

    def before_add(
        self, store: Store_contra, document: dict[str, Any], exempt: tuple[str, str]
    ) -> tuple[CopiedResult, ...]:
        """Return the stored results from which a document was copied, without results of digests ``exempt``."""

    def sign(self, data: bytes, key: Path) -> str:
        """Return the signature of a file's content."""

    def signer(self, data: bytes, signature: str) -> str:
        """Return the fingerprint of the key that made a signature."""

    def statement(self, **fields: str) -> bytes:
        """Return a statement, by which the owner of a name withdraws, restores, corrects or confirms a result."""


def installed_hook() -> StoreHook[Any] | None:
    """Return the installed plug-in for stores, or None; raises ``InputError`` if several are installed."""
    hooks = extensions(HOOKS, StoreHook)  # type: ignore[type-abstract]
    if len(hooks) > 1:
        raise InputError(f"{len(hooks)} plug-ins offer {HOOKS}: uninstall all but one")
    return hooks[0] if hooks else None


def signing_hook() -> StoreHook[Any]:
    """Return the installed plug-in for stores; raises ``MissingDependencyError`` if none is installed."""
    hook = installed_hook()
    if hook is None:
        raise MissingDependencyError(f"signatures need the plug-in trust ({HOOKS}): reinstall dlbricks with it")
    return hook


def signature_path(path: Path) -> Path:
    """Return the path of a file's signature, which ends with ``.sig``."""
    return path.with_name(f"{path.name}.sig")


def read_signature(path: Path) -> str:
    """Read a signature file; raises ``InputError`` if it cannot be read, is too large or is not text."""
    try:
        # checked before reading: the file comes from others and may be huge
        if path.stat().st_size > SIGNATURE_BYTES:
            raise InputError(f"{path} is not a signature: it is larger than {format_bytes(SIGNATURE_BYTES)}")
        return path.read_text(encoding="ascii")
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is not a signature: it is not text") from error
    except OSError as error:
        raise InputError(f"cannot read signature {path}: {error.strerror or error}") from error


def signer_of(path: Path) -> str:
    """Return the fingerprint of the key that signed a file; empty for an unsigned file."""
    beside = signature_path(path)
    return signing_hook().signer(path.read_bytes(), read_signature(beside)) if beside.is_file() else ""


def signature_of(path: Path, data: bytes, key: Path | None) -> str:
    """Return the signature of a file, or an empty text for an unsigned file; with ``key``, sign the file first."""
    beside = signature_path(path)
    if key is None:
        return read_signature(beside) if beside.is_file() else ""
    signature = signing_hook().sign(data, key)
    write_text(beside, signature)
    return signature


def signed_statement(key: str | None, **fields: str) -> tuple[bytes, str]:
    """Return a statement and its signature; raises ``InputError`` without key."""
    if not key:
        raise InputError("a statement must be signed: name the owner's key with --key")
    hook = signing_hook()
    data = hook.statement(**fields)
    return data, hook.sign(data, Path(key))


def write_statement(out: Path, key: str | None, **fields: str) -> None:
    """Write a statement to ``out``, and its signature beside it."""
    data, signature = signed_statement(key, **fields)
    write_bytes(out, data)
    write_text(signature_path(out), signature)
