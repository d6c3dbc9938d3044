"""Defines the tables of a store in SQLAlchemy Core, and opens the databases that hold them.

::

    suites <- submissions -> configurations    names -> handovers
               ^       ^                                  |
          results     events  ---------------------> signatures
             |
         sequences

Rows are only added. Times are integer nanoseconds; documents are canonical JSON, compressed by zlib.

SQLite uses a write-ahead log and foreign keys. It takes its write lock at the start of a writing transaction, so that a
second writer waits instead of failing later.
"""

import contextlib
import os
import sqlite3
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError, SQLAlchemyError

from dlbricks.errors import InputError, MissingDependencyError
from dlbricks.store.records import COLUMNS, refusing_damage

_T = TypeVar("_T")

# Incremented with each change of the tables; ``queries.upgrade_from`` upgrades older stores.
STORE_SCHEMA_VERSION = 16

# All tables of a store.
metadata = sa.MetaData()


_DIGEST, _NAME, _TIME = sa.String(64), sa.String(255), sa.BigInteger


# Return a table with the columns ``items``, followed by columns without NULL of the types ``required``.
def _table(title: str, /, *items: Any, **required: Any) -> sa.Table:
    return sa.Table(title, metadata, *items, *_required(**required))


def _number() -> sa.Column[Any]:
    return sa.Column("id", sa.Integer, primary_key=True)


def _required(**kinds: Any) -> Iterator[sa.Column[Any]]:
    return (sa.Column(name, kind, nullable=False) for name, kind in kinds.items())


# format and schema version of the store
meta = _table("meta", sa.Column("key", _DIGEST, primary_key=True), value=sa.Text)

# registered suites
suites = _table("suites", sa.Column("digest", _DIGEST, primary_key=True), name=sa.Text, manifest=sa.LargeBinary)

# Results of one configuration may be combined. instruction_set has the instruction set extensions, and the session and
# provider options that differ from their defaults as key=value, separated by spaces.
configurations = _table(
    "configurations",
    _number(),
    *_required(system=_NAME, runtime=sa.String(511), provider=_NAME, threads=sa.Integer, instruction_set=sa.Text),
    sa.UniqueConstraint("system", "runtime", "provider", "threads", "instruction_set"),
)

# sequences that have a result
sequences = _table("sequences", _number(), sa.Column("fingerprint", _DIGEST, nullable=False, unique=True))

# Labels and features of those sequences of a suite that have a result. operators has a space before and after each
# operator, which makes whole names searchable; features is a JSON object.
listings = _table(
    "listings",
    sa.Column("suite", sa.ForeignKey("suites.digest"), primary_key=True),
    sa.Column("sequence", sa.ForeignKey("sequences.id"), primary_key=True),
    *_required(name=sa.Text, operators=sa.Text, layers=sa.BigInteger),
    sa.Column("features", sa.Text),
)

# One row per result document. body is the document; it lacks its suite's manifest if the table suites has the same
# JSON. curve, brought_in and profile (records.StoredProfile) are JSON; queue is a JSON object (QueueConstants), NULL
# without an asynchronous provider; calibration another one (Calibration), NULL without reference networks.
submissions = _table(
    "submissions",
    _number(),
    sa.Column("digest", _DIGEST, nullable=False, unique=True),
    sa.Column("configuration", sa.ForeignKey("configurations.id"), nullable=False, index=True),
    sa.Column("suite", sa.ForeignKey("suites.digest"), nullable=False),
    *_required(started_unix_ns=_TIME, received_unix_ns=_TIME, complete=sa.Boolean, smoke=sa.Boolean),
    *_required(severity=sa.String(16), trust=sa.String(32)),
    *_required(overhead_llc_warm_ns=_TIME, overhead_weights_cold_ns=_TIME, overhead_hot_loop_ns=_TIME),
    *_required(curve=sa.Text, brought_in=sa.Text, second_level_bytes=sa.BigInteger),
    *_required(second_level_byte_ns=sa.Float, drift=sa.Float, profile=sa.Text),
    sa.Column("queue", sa.Text),
    sa.Column("calibration", sa.Text),
    results=sa.Integer,
    body=sa.LargeBinary,
)

# Events of submissions, oldest first (SubmissionEvent); statement is the digest of the owner's statement, or NULL for
# an event by the collector.
events = _table(
    "events",
    _number(),
    sa.Column("submission", sa.ForeignKey("submissions.id"), nullable=False, index=True),
    *_required(kind=sa.String(32), reason=sa.Text, recorded_unix_ns=_TIME),
    sa.Column("until_unix_ns", _TIME),
    sa.Column("statement", _DIGEST),
)

# first owner of the name of a system, by the fingerprint of its key
names = _table("names", sa.Column("system", _NAME, primary_key=True), key=_DIGEST, since_unix_ns=_TIME)

# later owners of names, oldest first; the newest row has the present owner; statement as in events
handovers = _table(
    "handovers",
    _number(),
    sa.Column("system", sa.ForeignKey("names.system"), nullable=False, index=True),
    *_required(key=_DIGEST, reason=sa.Text, recorded_unix_ns=_TIME),
    sa.Column("statement", _DIGEST),
)

# signatures of submissions and statements, by digest; content is the signed file, compressed by zlib
signatures = _table(
    "signatures", sa.Column("digest", _DIGEST, primary_key=True), key=_DIGEST, signature=sa.Text, content=sa.LargeBinary
)

# one row per sequence of a submission that has a latency (store.records)
results = _table(
    "results",
    sa.Column("submission", sa.ForeignKey("submissions.id"), primary_key=True),
    sa.Column("sequence", sa.ForeignKey("sequences.id"), primary_key=True),
    *(
        sa.Column(
            name,
            sa.String(16) if name == "verdict" else sa.BigInteger,
            nullable=name in {"hot_loop_ns", "outputs_cold_ns"},
        )
        for name in COLUMNS
        if name not in {"fingerprint", "queue"}
    ),
    sa.Column("queue", sa.Text),
    sa.Index("results_by_sequence", "sequence"),
)

Inserting: TypeAlias = Callable[[sa.Table], sqlite.Insert | postgresql.Insert]

# For each supported engine, the function that returns an INSERT with ON CONFLICT.
_INSERTS: dict[str, Inserting] = {"sqlite": sqlite.insert, "postgresql": postgresql.insert}

# Parts of engines' messages, and our message to the user.
_MEANINGS = (
    ("database is locked", "another process is writing to it; try again"),
    ("database or disk is full", "the disk is full; nothing was stored"),
    ("disk i/o error", "the disk failed to write or read (full, over quota, or defective); nothing was stored"),
    ("file is not a database", "the file is not a SQLite database; name another file"),
    ("malformed", "the file is damaged; restore it from a backup"),
    ("readonly", "it cannot be written: check permissions, and whether the disk is read-only"),
    ("unable to open", "it cannot be opened: check permissions, and whether the disk is read-only"),
    ("authorization denied", "it cannot be opened: check permissions"),
    ("decode to utf-8", "the file is damaged; restore it from a backup"),
)


def default_store_url() -> str:
    """Return ``$DLBRICKS_STORE``, by default the URL of store.sqlite in the user's data folder."""
    data = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return os.environ.get("DLBRICKS_STORE") or f"sqlite:///{Path(data) / 'dlbricks' / 'store.sqlite'}"


def parse_url(text: str) -> sa.URL:
    """Parse a database URL or the path of a SQLite file; raises ``InputError`` for other texts."""
    try:
        url = sa.make_url(text) if "://" in text else sa.URL.create("sqlite", database=text)
    except (ArgumentError, ValueError) as error:
        raise InputError(f"invalid store '{text}': expected a file, or a URL such as sqlite:///store.sqlite") from error
    if url.get_backend_name() not in _INSERTS:
        engines = ", ".join(sorted(_INSERTS))
        raise InputError(f"unsupported database '{url.get_backend_name()}' of a store: use one of {engines}")
    return url


def connect(url: sa.URL, *, create: bool, wait_s: float) -> sa.Engine:
    """Return the engine of a store; creates a SQLite file and its folders only if ``create`` is true."""
    if url.get_backend_name() == "sqlite":
        return _connect_sqlite(url, create=create, wait_s=wait_s)
    try:
        return sa.create_engine(url)
    except (NoSuchModuleError, ModuleNotFoundError) as error:
        message = f"{url.get_backend_name()} needs the package psycopg: run pip install 'dlbricks[postgresql]'"
        raise MissingDependencyError(message) from error


def insert_or_ignore(connection: sa.Connection, table: sa.Table) -> sqlite.Insert | postgresql.Insert:
    """Return an ``INSERT`` into ``table`` that skips rows whose key exists."""
    return _INSERTS[connection.dialect.name](table).on_conflict_do_nothing()


@dataclass(frozen=True, slots=True)
class Database:
    """Database of an open store; methods raise ``InputError`` for database errors and damaged rows."""

    engine: sa.Engine
    place: str
    verifies: bool = False
    """Whether a plug-in verifies signatures. If not, a store in which keys own names is read-only."""

    def read(self, convert: Callable[[sa.Row[Any]], _T], *queries: sa.Select[Any]) -> list[_T]:
        """Return the rows of all queries, each converted by ``convert``."""
        with self.transaction() as connection:
            return [convert(row) for query in queries for row in connection.execute(query)]

    def rows(self, *queries: sa.Select[Any]) -> list[sa.Row[Any]]:
        """Return the rows of all queries."""
        return self.read(lambda row: row, *queries)

    @contextlib.contextmanager
    def transaction(self, *, writes: bool = False) -> Iterator[sa.Connection]:
        """Open a transaction, which may write only if ``writes`` is true."""
        with refusing_damage(self.place), _translated(self.engine.url), self.engine.connect() as connection:
            connection.execution_options(dlbricks_writes=writes)
            with connection.begin():
                yield connection

    @contextlib.contextmanager
    def writing(self) -> Iterator[sa.Connection]:
        """Open a writing transaction; raises ``MissingDependencyError`` if keys own names and no plug-in verifies."""
        with self.transaction(writes=True) as connection:
            if not self.verifies and connection.execute(sa.select(names.c.system).limit(1)).first() is not None:
                message = f"in store {self.place} keys own system names: install the plug-in trust to write to it"
                raise MissingDependencyError(message)
            yield connection


# Turn an error of the database into one line for the user.
@contextlib.contextmanager
def _translated(url: sa.URL) -> Iterator[None]:
    try:
        yield
    except SQLAlchemyError as error:
        cause = error.orig if isinstance(error, DBAPIError) and error.orig is not None else error
        line = (str(cause).splitlines() or [type(cause).__name__])[0]
        meaning = next((meaning for part, meaning in _MEANINGS if part in line.lower()), None)
        raise InputError(f"store {place_of(url)}: {f'{meaning} ({line})' if meaning else line}") from error
    except UnicodeDecodeError as error:  # the driver cannot decode SQLite's message, which quotes damaged bytes
        raise InputError(f"store {place_of(url)}: the file is damaged; restore it from a backup") from error


def place_of(url: sa.URL) -> str:
    """Return the path of a store, or its URL without the password, for messages."""
    if url.get_backend_name() == "sqlite" and url.database:
        return url.database
    return url.render_as_string(hide_password=True)


def _connect_sqlite(url: sa.URL, *, create: bool, wait_s: float) -> sa.Engine:
    # each connection to :memory: has a database of its own, which has no file to create and no log
    in_memory = url.database in (None, "", ":memory:")
    if not in_memory:
        _check_place(Path(str(url.database)), create=create)
    engine = sa.create_engine(url, connect_args={"timeout": wait_s})

    @sa.event.listens_for(engine, "connect")
    def prepare(connection: sqlite3.Connection, _record: object) -> None:
        connection.isolation_level = None  # transactions are begun explicitly below
        connection.execute("PRAGMA foreign_keys=ON")
        if create and not in_memory:
            _switch_to_log(connection, wait_s)

    @sa.event.listens_for(engine, "begin")
    def begin(connection: sa.Connection) -> None:
        writes = connection.get_execution_options().get("dlbricks_writes", False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine


# Switch the file to a write-ahead log; SQLite does not wait for locks here, so this function does.
def _switch_to_log(connection: sqlite3.Connection, wait_s: float) -> None:
    give_up = time.monotonic() + wait_s
    while connection.execute("PRAGMA journal_mode").fetchone() != ("wal",):
        try:
            connection.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > give_up:
                raise
            time.sleep(0.02)


def _check_place(path: Path, *, create: bool) -> None:
    try:
        if path.is_dir():
            raise InputError(f"store {path} is a folder: name a file in it, such as {path / 'store.sqlite'}")
        if not path.exists():
            if not create:
                raise InputError(f"store {path} does not exist: 'dlbricks submit' creates it")
            path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"store {path}: {error.strerror or error}") from error
