"""Everything that differs between database engines: opening, pragmas, insert-or-ignore, what their errors mean.

No other module of the store may know which engine it talks to. SQLite runs with a write-ahead log, foreign keys on, and
takes its write lock when a writing transaction begins, so that a second writer waits instead of failing half-way.
"""

import contextlib
import os
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from operator import itemgetter
from pathlib import Path
from typing import TypeAlias

from sqlalchemy import URL, Connection, Engine, Table, create_engine, event, insert, make_url
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError, SQLAlchemyError

from dlbricks.errors import InputError, MissingDependencyError

Inserting: TypeAlias = Callable[[Table], sqlite.Insert | postgresql.Insert]
"""Makes an ``INSERT`` that can have an ``ON CONFLICT``."""

INSERTS: dict[str, Inserting] = {"sqlite": sqlite.insert, "postgresql": postgresql.insert}
"""Engines a store can live in, each with its ``INSERT`` that knows ``ON CONFLICT DO NOTHING``."""

EXTRAS = {"postgresql": "psycopg"}
"""Package that an engine needs in addition to SQLAlchemy; dlbricks[postgresql] brings it."""

_MEANINGS = (
    ("database is locked", "another process has been writing to it all the while; try again"),
    ("database or disk is full", "the disk is full; nothing of this was stored"),
    ("disk i/o error", "the disk refused to write or read (full, quota, or broken); nothing of this was stored"),
    ("file is not a database", "the file is no SQLite database; name another file"),
    ("malformed", "the file is damaged; restore a copy of it"),
    ("readonly", "it cannot be written: no permission, or a read-only place"),
    ("unable to open", "it cannot be opened: no permission, or a read-only place"),
    ("authorization denied", "it cannot be opened: no permission"),
    ("decode to utf-8", "the file is damaged; restore a copy of it"),
)
"""Part of an engine's message, and what it means for the user."""


def default_store_url() -> str:
    """Give ``$DLBRICKS_STORE``, else the SQLite file in the user's data folder (``$XDG_DATA_HOME`` is obeyed)."""
    named = os.environ.get("DLBRICKS_STORE")
    if named:
        return named
    data = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return f"sqlite:///{Path(data) / 'dlbricks' / 'store.sqlite'}"


def parse_url(text: str) -> URL:
    """Read a database URL; a text without ``://`` is the path of a SQLite file.

    Raises:
        InputError: neither, or an engine that stores cannot live in.
    """
    try:
        url = make_url(text) if "://" in text else URL.create("sqlite", database=text)
    except (ArgumentError, ValueError) as error:
        message = f"'{text}' is no store: give a file, or a URL such as sqlite:///store.sqlite"
        raise InputError(message) from error
    if url.get_backend_name() not in INSERTS:
        message = f"a store cannot live in {url.get_backend_name()}: use one of {', '.join(sorted(INSERTS))}"
        raise InputError(message)
    return url


def connect(url: URL, *, create: bool, wait_s: float) -> Engine:
    """Make the engine of a store; a SQLite file is created only if ``create``, its folders too.

    Raises:
        InputError: the place cannot hold a store, or holds none and ``create`` is not set.
        MissingDependencyError: the engine needs a package that is not installed.
    """
    backend = url.get_backend_name()
    if backend == "sqlite":
        return _connect_sqlite(url, create=create, wait_s=wait_s)
    try:
        return create_engine(url)
    except (NoSuchModuleError, ModuleNotFoundError) as error:
        message = f"a store in {backend} needs the package {EXTRAS[backend]}: pip install '{EXTRAS[backend]}'"
        raise MissingDependencyError(message) from error


def insert_or_ignore(connection: Connection, table: Table) -> sqlite.Insert | postgresql.Insert:
    """Give an ``INSERT`` into ``table`` that passes over rows whose key is there already."""
    return INSERTS[connection.dialect.name](table).on_conflict_do_nothing()


def insert_many(connection: Connection, table: Table, names: Sequence[str], rows: Sequence[tuple[object, ...]]) -> None:
    """Add many rows; the values go to the driver as they are, which SQLAlchemy would look at one by one.

    Args:
        connection: in a transaction.
        table: whose columns need no conversion on the way.
        names: of the columns.
        rows: one value per name.
    """
    compiled = insert(table).compile(dialect=connection.dialect, column_keys=list(names))
    if not rows:
        return
    if compiled.positional:
        ordered = itemgetter(*(names.index(name) for name in compiled.positiontup or ()))
        connection.exec_driver_sql(str(compiled), [ordered(row) for row in rows])
    else:
        connection.exec_driver_sql(str(compiled), [dict(zip(names, row, strict=True)) for row in rows])


@contextlib.contextmanager
def reading(engine: Engine) -> Iterator[Connection]:
    """Open a transaction that only reads; database errors become one line.

    Raises:
        InputError: the engine refused.
    """
    with _translated(engine.url), engine.connect() as connection, connection.begin():
        yield connection


@contextlib.contextmanager
def writing(engine: Engine) -> Iterator[Connection]:
    """Open a transaction that writes: all of it is stored, or nothing.

    Raises:
        InputError: the engine refused.
    """
    with _translated(engine.url), engine.connect() as connection:
        connection.execution_options(dlbricks_writes=True)
        with connection.begin():
            yield connection


@contextlib.contextmanager
def _translated(url: URL) -> Iterator[None]:
    try:
        yield
    except SQLAlchemyError as error:
        cause = error.orig if isinstance(error, DBAPIError) and error.orig is not None else error
        lines = str(cause).splitlines() or [type(cause).__name__]
        meaning = next((meaning for part, meaning in _MEANINGS if part in lines[0].lower()), None)
        said = f"{meaning} ({lines[0]})" if meaning else lines[0]
        message = f"store {place_of(url)}: {said}"
        raise InputError(message) from error
    except UnicodeDecodeError as error:  # SQLite quotes damaged bytes, and the driver fails to read its message
        raise InputError(f"store {place_of(url)}: the file is damaged; restore a copy of it") from error


def place_of(url: URL) -> str:
    """Name the place of a store for messages; passwords are hidden."""
    if url.get_backend_name() == "sqlite" and url.database:
        return url.database
    return url.render_as_string(hide_password=True)


def _connect_sqlite(url: URL, *, create: bool, wait_s: float) -> Engine:
    in_memory = url.database in (None, "", ":memory:")
    if not in_memory:
        _check_place(Path(str(url.database)), create=create)
    engine = create_engine(url, connect_args={"timeout": wait_s})

    @event.listens_for(engine, "connect")
    def prepare(connection: sqlite3.Connection, _record: object) -> None:
        connection.isolation_level = None  # transactions begin below, not when the driver thinks fit
        connection.execute("PRAGMA foreign_keys=ON")
        if create and not in_memory:
            _keep_log(connection, wait_s)

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        writes = connection.get_execution_options().get("dlbricks_writes", False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine


def _keep_log(connection: sqlite3.Connection, wait_s: float) -> None:
    """Switch the file to a write-ahead log; SQLite does not wait for others by itself here, so this does."""
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
            raise InputError(f"store {path} is a folder: name a file in it, as in {path / 'store.sqlite'}")
        if not path.exists():
            if not create:
                raise InputError(f"there is no store at {path}: dlbricks submit makes it")
            path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        message = f"store {path}: {error.strerror or error}"
        raise InputError(message) from error
