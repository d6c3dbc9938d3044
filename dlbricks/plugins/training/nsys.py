"""Reads SQLite files of NVIDIA Nsight Systems (``nsys export --type sqlite``): kernels, copies, calls of CUDA, ranges.

Tables and columns are those of NVIDIA's "SQLite Export Schema Reference"; tables without rows do not exist. Times are
ns since the start of the session. Views and triggers are not read.
"""

import contextlib
import functools
import itertools
import re
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from dlbricks import limits
from dlbricks.errors import InputError
from dlbricks.harness.trace.activities import DIRECTIONS
from dlbricks.plugins.training.kineto_fields import CATEGORIES, RANGE, Meaning, direction, meaning_of, number
from dlbricks.trace import kinds
from dlbricks.trace.build import TraceBuilder
from dlbricks.trace.correlate import correlated
from dlbricks.trace.types import Lane, Level, Role, Trace, TraceClock, TraceReader

_EXPORT = "export it again with a recent version of 'nsys export --type sqlite'"
_WAYS = " ".join(f"WHEN {code} THEN 'Memcpy {short}'" for code, (short, _) in DIRECTIONS.items())
_COPIES = f"CASE copyKind {_WAYS} END"
_TEXT = "(SELECT value FROM StringIds WHERE id = {})"
# Meaning of the spans of each table; their name, in SQL or as columns of the numbers of texts; their attributes in SQL.
# Versions lack some of the columns, which are all that is in lower case.
_TABLES: Mapping[str, tuple[Meaning, Sequence[str], Mapping[str, str]]] = {
    "CUPTI_ACTIVITY_KIND_KERNEL": (
        CATEGORIES["kernel"],
        ("demangledName", "shortName"),
        {
            "grid": "gridX || ',' || gridY || ',' || gridZ", "block": "blockX || ',' || blockY || ',' || blockZ",
            "registers": "registersPerThread + 0", "shared_bytes": "staticSharedMemory + dynamicSharedMemory",
            "graph_node": "NULLIF(graphNodeId + 0, 0)",
        },
    ),
    "CUPTI_ACTIVITY_KIND_MEMCPY": (CATEGORIES["memcpy"], (_COPIES, "'Memcpy'"), {"bytes": "bytes + 0"}),
    "CUPTI_ACTIVITY_KIND_MEMSET": (CATEGORIES["memset"], ("'Memset'",), {"bytes": "bytes + 0"}),
    "CUPTI_ACTIVITY_KIND_GRAPH_TRACE": (Meaning(Level.KERNEL, kinds.GRAPH, Role.EXECUTION), ("'CUDA Graph'",), {}),
    "CUPTI_ACTIVITY_KIND_RUNTIME": (CATEGORIES["cuda_runtime"], ("nameId",), {}),
    "NVTX_EVENTS": (RANGE, ("text", "textId"), {}),
}  # fmt: skip
# Types of events of NVTX that are ranges: of a thread, and from a start to an end.
_RANGES = "eventType IN (59, 60)"
_FACTS = {"TARGET_INFO_SESSION_START_TIME": "utcEpochNs", "TARGET_INFO_GPU": "name"}
_LONGEST_TIME_NS, _LONGEST_TEXT = 1 << 61, 1 << 20
# Millions of steps of SQLite's virtual machine; reading a span takes about 50 steps.
_MOST_STEPS = 2_000
_COLUMN = re.compile(r"\b[a-z]\w*")
_VERSION = re.compile(r"(_ptsz|_ptds)?(_v\d+)?$")


def read_nsys(path: Path) -> Trace:
    """Read an export and find the parents of its spans.

    Raises ``InputError`` if the file is damaged, is not such an export, has no span, or has too many spans.
    """
    try:
        address = f"{path.resolve().as_uri()}?mode=ro&immutable=1"
        with contextlib.closing(sqlite3.connect(address, uri=True)) as database:
            trace = _trace(path, database)
    # Python raises the second if sqlite's message on a damaged file is no UTF-8
    except (sqlite3.Error, UnicodeDecodeError) as error:
        raise InputError(f"{path} cannot be read as a database ({error}): unpack it, or {_EXPORT}") from error
    if not len(trace):
        raise InputError(f"{path} holds no spans of CUDA or NVTX: record with 'nsys profile --trace=cuda,nvtx'")
    if (count := len(trace.lanes)) > limits.TRACE_LANES:
        most = f"at most {limits.TRACE_LANES:,} are read: leave some out"
        raise InputError(f"{path} has {count:,} threads and streams, {most}")
    return correlated(trace)


def _trace(path: Path, database: sqlite3.Connection) -> Trace:
    database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST_TEXT)
    database.set_progress_handler(functools.partial(next, itertools.repeat(0, _MOST_STEPS), 1), 1_000_000)
    database.text_factory = lambda data: data.decode(errors="replace")
    database.execute("PRAGMA trusted_schema = OFF")
    tables = database.execute("SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE 'CREATE TABLE%'")
    columns = {
        table: {column for _, column, *_ in database.execute(f"PRAGMA table_info({table})")}
        for (table,) in tables.fetchall()
        if table in {*_TABLES, *_FACTS, "StringIds"}
    }
    if "StringIds" not in columns:
        raise InputError(f"{path} is not a database of Nsight Systems: {_EXPORT}")
    facts: list[Any] = []
    for table, column in _FACTS.items():
        sql = f"SELECT DISTINCT {column} FROM {table} LIMIT 2"  # noqa: S608 - names of our own
        values = database.execute(sql).fetchall() if column in columns.get(table, ()) else []
        facts.append(values[0][0] if len(values) == 1 else None)  # with two GPUs, the GPU that ran a kernel is unknown
    builder = TraceBuilder(clock=TraceClock(name="nsys", unix_offset_ns=number(facts[0])))
    for table in filter(columns.__contains__, _TABLES):
        if missing := sorted({_owner(table), "start", "end"} - columns[table]):
            raise InputError(f"{path}: the table {table} lacks the column {missing[0]}: {_EXPORT}")
        _add(database, builder, table, columns[table])
        if len(builder) > limits.PROFILE_SPANS:
            raise InputError(f"{path} has more than {limits.PROFILE_SPANS:,} spans: record fewer steps")
    return replace(builder.built(), device=facts[1] if isinstance(facts[1], str) else "")


def _owner(table: str) -> str:
    return "globalPid" if _TABLES[table][0].role == Role.EXECUTION else "globalTid"


def _add(database: sqlite3.Connection, builder: TraceBuilder, table: str, columns: set[str]) -> None:
    # Add the spans of a table, or so many that there are too many.
    usual, names, attributes = _TABLES[table]
    texts = (
        _TEXT.format(name) if name.isidentifier() and name != "text" else name
        for name in names
        if columns.issuperset(_COLUMN.findall(name))
    )
    more = {key: sql for key, sql in attributes.items() if columns.issuperset(_COLUMN.findall(sql))}
    owner, start, end, *others = (
        f'CAST("{column}" AS INTEGER)' if column in columns else "NULL"
        for column in (_owner(table), "start", "end", "correlationId", "deviceId", "streamId")
    )
    listed = (f"CAST(COALESCE({', '.join(texts)}, '', '') AS TEXT)", owner, start, end, *others, *more.values())
    source = f"FROM {table} WHERE {_RANGES if usual is RANGE else 'TRUE'}"
    timed = f"{start} BETWEEN 0 AND {end} AND {end} < {_LONGEST_TIME_NS}"
    before = len(builder)
    rows = database.execute(
        f"SELECT {', '.join(listed)} {source} AND {timed} LIMIT {limits.PROFILE_SPANS + 1 - before}"
    )
    for text, number_, begins, ends, call, device, stream, *values in rows:
        # Numbers of threads hold process and thread, those of processes the process and 0, in fields of 24 bits;
        # correlation numbers are those of a process.
        process, thread = (number_ or 0) >> 24 & 0xFFFFFF, (number_ or 0) & 0xFFFFFF
        name, lane, role = text, Lane(process=str(process), name=f"thread {thread}"), usual.role
        own: dict[str, Any] = {key: v if isinstance(v, str) else number(v) for key, v in zip(more, values, strict=True)}
        if role == Role.EXECUTION:
            lane = Lane(process=str(process), name=f"stream {stream}", device=f"gpu {device}")
            own |= {"stream": number(stream), "copy": direction(name) if usual.kind == kinds.COPY else None}
        elif usual is not RANGE:
            name = _VERSION.sub("", text)
            role = Role.LAUNCH if kinds.is_launch(name) else role
        by_name = CATEGORIES["cuda_driver"] if usual.level == Level.LIBRARY and not name.startswith("cuda") else usual
        meaning = meaning_of(name, by_name) or usual
        builder.add(
            meaning.level, meaning.kind, name, lane, begins, ends, role=role,
            correlation=None if call is None else process << 32 | call & 0xFFFFFFFF,
            **{key: value for key, value in own.items() if value is not None},
        )  # fmt: skip
    ((count,),) = database.execute(f"SELECT COUNT(*) {source}")
    if lost := count - (len(builder) - before):
        builder.notes.append(f"rows of {table} without an end, or of an impossible time, are left out: {lost:,}")


NSYS = TraceReader(recognises=lambda beginning: beginning.startswith("SQLite format 3"), read=read_nsys)
