"""Whose a name is: the name of a system belongs to the key that first signed a result of it, or that it passed to."""

import zlib
from typing import Any

from sqlalchemy import Connection, Select, func, insert, select

from dlbricks.errors import CheckError, InputError
from dlbricks.store import dialect
from dlbricks.store.queries import NOT_WITHDRAWN, owner_of
from dlbricks.store.tables import configurations, handovers, names, signatures, submissions
from dlbricks.store.types import NameKey, Signed


def refuse_others(connection: Connection, system: str, key: str) -> None:
    """Refuse a result under a name of another owner; changes nothing.

    Args:
        connection: in a transaction.
        system: the name.
        key: that signed the result; empty if none did.

    Raises:
        CheckError: the name belongs to another key, or is in use and belongs to none while ``key`` is one.
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


def own(connection: Connection, system: str, key: str, now_unix_ns: int) -> None:
    """Give a name to the key that signed a result of it, unless it has one; see ``refuse_others``."""
    if key:
        row = {"system": system, "key": key, "since_unix_ns": now_unix_ns}
        refuse_others(connection, system, key)
        connection.execute(dialect.insert_or_ignore(connection, names), row)
    refuse_others(connection, system, key)


def keys_of(connection: Connection, system: str) -> tuple[NameKey, ...]:
    """Give the keys to which a name belonged, oldest first; the last one owns it."""
    first = select(names.c.key, names.c.since_unix_ns).where(names.c.system == system)
    later = select(handovers).where(handovers.c.system == system).order_by(handovers.c.id)
    return (
        *(NameKey(key=row.key, since_unix_ns=row.since_unix_ns) for row in connection.execute(first)),
        *(
            NameKey(key=row.key, since_unix_ns=row.recorded_unix_ns, reason=row.reason, statement=row.statement or "")
            for row in connection.execute(later)
        ),
    )


def pass_on(connection: Connection, system: str, to: NameKey) -> None:
    """Let a name that has an owner pass to another key.

    Raises:
        InputError: it has no owner, or is that key's already.
    """
    owner = connection.execute(select(owner_of(system))).scalar_one()
    if owner in (None, to.key):
        raise InputError(f"the name {system} " + (f"is {owner}'s already" if owner else "belongs to no key"))
    row = {"system": system, "key": to.key, "reason": to.reason, "recorded_unix_ns": to.since_unix_ns}
    connection.execute(insert(handovers).values(**row, statement=to.statement or None))


def is_there(connection: Connection, digest: str) -> bool:
    """Whether a document is a submission already."""
    found = connection.execute(select(submissions.c.id).where(submissions.c.digest == digest))
    return found.scalar_one_or_none() is not None


def keep_signature(connection: Connection, digest: str, signed: Signed) -> bool:
    """Keep the signature of a document with what was signed; False if it has one."""
    if connection.execute(select(signatures.c.key).where(signatures.c.digest == digest)).scalar_one_or_none():
        return False
    content = zlib.compress(signed.content, level=6)
    row = {"digest": digest, "key": signed.key, "signature": signed.signature, "content": content}
    connection.execute(insert(signatures).values(**row))
    return True


def select_signature(digest: str) -> Select[Any]:
    """Give key, signature and what was signed of a document."""
    return select(signatures.c.key, signatures.c.signature, signatures.c.content).where(signatures.c.digest == digest)


def _in_use_under(system: str) -> Select[Any]:
    """Count the results of a name that are in use, of a name without an owner: the unsigned ones."""
    return (
        select(func.count(submissions.c.id))
        .join(configurations, submissions.c.configuration == configurations.c.id)
        .where(configurations.c.system == system, NOT_WITHDRAWN)
    )
