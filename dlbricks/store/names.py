"""Ownership of names: a name belongs to the key that first signed a result of it, or that it was transferred to."""

import time

from sqlalchemy import Connection, func, insert, select

from dlbricks.errors import CheckError, InputError
from dlbricks.store import dialect
from dlbricks.store.damage import typed
from dlbricks.store.queries import NOT_WITHDRAWN, owner_of
from dlbricks.store.tables import configurations, handovers, names, submissions
from dlbricks.store.types import NameKey


class NameOwners:
    """The names of systems in a store, with the keys that own them."""

    __slots__ = ("_database",)

    def __init__(self, database: dialect.Database) -> None:
        """Use a database whose tables exist."""
        self._database = database

    def keys(self, system: str) -> tuple[NameKey, ...]:
        """List the keys that owned a name, oldest first; the last one is the owner."""
        with self._database.transaction() as connection:
            return keys_of(connection, system)

    def transfer(self, system: str, key: str, reason: str) -> None:
        """Transfer a name to another key by decision of the collector, for instance after the loss of a key.

        Raises:
            InputError: the name has no owner or already belongs to the key, or the reason is empty.
        """
        to = NameKey(key=key, since_unix_ns=time.time_ns(), reason=checked_reason(reason))
        with self._database.writing() as connection:
            transfer_name(connection, system, to)


def checked_reason(text: str) -> str:
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
    in_use = (
        select(func.count(submissions.c.id))
        .join(configurations, submissions.c.configuration == configurations.c.id)
        .where(configurations.c.system == system, NOT_WITHDRAWN)
    )
    unsigned = connection.execute(in_use).scalar_one()  # a name without an owner has no signed results
    if unsigned:
        raise CheckError(
            f"the name {system} has {unsigned} unsigned in use, so no key can own it: choose another name, or withdraw "
            "them first"
        )


def claim_name(connection: Connection, system: str, key: str, now_unix_ns: int) -> None:
    """Make the key that signed a result the owner of a name without one; see ``refuse_other_owner``."""
    refuse_other_owner(connection, system, key)
    if key:
        row = {"system": system, "key": key, "since_unix_ns": now_unix_ns}
        connection.execute(dialect.insert_or_ignore(connection, names), row)
        refuse_other_owner(connection, system, key)  # another process may have claimed it meanwhile


def keys_of(connection: Connection, system: str) -> tuple[NameKey, ...]:
    """Return the keys that owned a name, oldest first; the last one is the owner."""
    first = select(names.c.key, names.c.since_unix_ns).where(names.c.system == system)
    since = handovers.c.recorded_unix_ns.label("since_unix_ns")
    later = select(
        handovers.c.key, since, handovers.c.reason, func.coalesce(handovers.c.statement, "").label("statement")
    )
    rows = (
        *connection.execute(first),
        *connection.execute(later.where(handovers.c.system == system).order_by(handovers.c.id)),
    )
    return tuple(typed(NameKey, **row._asdict()) for row in rows)


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
