"""The types of tracing: Level, Role, Lane, TraceClock, Span, Attribute, Trace.

A trace is a table of spans kept column by column, so that a million of them are a few arrays. Times are integer
nanoseconds of one clock, sizes are bytes. Data only; knows nothing of files, runtimes or profilers.

Levels and the pair of a launch and its execution follow XSP (IPDPS 2020, sections III-A and III-B).
"""

import enum
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np

Longs: TypeAlias = np.ndarray[Any, np.dtype[np.int64]]
Ints: TypeAlias = np.ndarray[Any, np.dtype[np.int32]]
Bytes: TypeAlias = np.ndarray[Any, np.dtype[np.int8]]
Value: TypeAlias = int | float | str | bool

NONE = -1
"""In columns of numbers: there is none."""


class Level(enum.IntEnum):
    """How deep in the stack a span lies; what contains a span lies at a smaller number."""

    APPLICATION = 0
    """What calls the model: a training step, a request, a data loader."""
    MODEL = 1
    """One call of the whole network."""
    LAYER = 2
    """One operator that the framework or runtime executes."""
    LIBRARY = 3
    """A call of a library or of the driver on the host: a launch, a copy, a synchronisation."""
    KERNEL = 4
    """What runs on a device: a kernel, a copy, a memset, a collective."""
    HARDWARE = 5
    """Counters and states of the hardware itself."""


class Role(enum.IntEnum):
    """Which part of an asynchronous activity a span is."""

    PLAIN = 0
    """Begun and ended by who called it: gives parents and times."""
    LAUNCH = 1
    """Hands work to a device and returns: gives the parent of its execution."""
    EXECUTION = 2
    """Runs on a device: gives the time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lane:
    """A line of the timeline on which spans follow or contain each other: a thread, a stream."""

    process: str
    """Of the host: number or name; ranks of a distributed run differ in it."""
    name: str
    """Of the thread or stream, as in ``thread 4711`` and ``stream 7``."""
    device: str = ""
    """As in ``gpu 0``; empty on the host."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceClock:
    """What the times of a trace are read from."""

    name: str
    """``perf_counter``, ``onnxruntime``, ``cupti``, ``kineto`` or another; traces of different clocks do not mix."""
    unix_offset_ns: int | None = None
    """To be added to a time to get ns since 1970; None where it is not known."""
    resolution_ns: int = 1
    """Smallest difference that the recorder distinguishes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attribute:
    """One attribute of some spans of a trace."""

    rows: Longs
    """Of the spans that have it, ascending."""
    values: tuple[Value, ...]
    """One for each row, all of one type."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """One span, as a row of a trace reads."""

    row: int
    parent: int | None
    """Row of the parent; None for a root, or where it is not known."""
    level: Level
    role: Role
    kind: str
    name: str
    lane: Lane
    start_ns: int
    end_ns: int
    correlation: int | None
    """Shared by a launch and its executions; unique within one trace."""
    attributes: Mapping[str, Value]

    @property
    def duration_ns(self) -> int:
        """Time from start to end."""
        return self.end_ns - self.start_ns


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Trace:
    """Spans in columns of equal length; the arrays are read-only. Make one with ``trace.build``.

    A trace equals itself alone, so what was found out about one can be remembered by it.
    """

    clock: TraceClock
    names: tuple[str, ...]
    """Every name once; ``name`` points here."""
    kinds: tuple[str, ...]
    """Every kind once; ``kind`` points here. Known kinds are listed in ``trace.kinds``."""
    lanes: tuple[Lane, ...]
    level: Bytes
    role: Bytes
    kind: Ints
    name: Ints
    lane: Ints
    start_ns: Longs
    end_ns: Longs
    parent: Longs
    """Row of the parent, ``NONE`` where there is none."""
    correlation: Longs
    """``NONE`` where there is none."""
    attributes: Mapping[str, Attribute] = field(default_factory=dict)
    """By name; known ones are listed in ``trace.kinds``."""
    device: str = ""
    """What ran its kernels, as its maker names it; empty where that is not known."""
    notes: tuple[str, ...] = ()
    """What a reader or a later step found wrong or ambiguous and what it did about it, in sentences."""

    def __len__(self) -> int:
        """Give the number of spans."""
        return len(self.start_ns)

    def __iter__(self) -> Iterator[Span]:
        """Give every span in turn; for tests and small traces, columns are far quicker."""
        return (self.span(row) for row in range(len(self)))

    def span(self, row: int) -> Span:
        """Give one row as a span."""
        parent, correlation = int(self.parent[row]), int(self.correlation[row])
        found: dict[str, Value] = {}
        for name, attribute in self.attributes.items():
            at = int(np.searchsorted(attribute.rows, row))
            if at < len(attribute.rows) and attribute.rows[at] == row:
                found[name] = attribute.values[at]
        return Span(
            row=row,
            parent=None if parent == NONE else parent,
            level=Level(int(self.level[row])),
            role=Role(int(self.role[row])),
            kind=self.kinds[self.kind[row]],
            name=self.names[self.name[row]],
            lane=self.lanes[self.lane[row]],
            start_ns=int(self.start_ns[row]),
            end_ns=int(self.end_ns[row]),
            correlation=None if correlation == NONE else correlation,
            attributes=found,
        )

    @property
    def duration_ns(self) -> Longs:
        """Time from start to end of every span."""
        return self.end_ns - self.start_ns

    def rows(self, level: Level, *kinds: str, role: Role | None = None) -> Longs:
        """Give the rows of a level, of some kinds only if any are given, in the order of the table."""
        wanted = self.level == level
        if kinds:
            wanted &= np.isin(self.kind, [index for index, kind in enumerate(self.kinds) if kind in kinds])
        if role is not None:
            wanted &= self.role == role
        return np.flatnonzero(wanted)

    def column(self, name: str, rows: Longs, missing: float = float("nan")) -> np.ndarray[Any, np.dtype[np.float64]]:
        """Give an attribute of numbers for some rows, ``missing`` where a span has none."""
        made = np.full(len(self), missing, np.float64)
        attribute = self.attributes.get(name)
        if attribute is not None:
            made[attribute.rows] = np.asarray(attribute.values, np.float64)
        return made[rows]

    def texts(self, name: str, rows: Longs, missing: str = "") -> list[str]:
        """Give an attribute of texts for some rows, ``missing`` where a span has none."""
        attribute = self.attributes.get(name)
        if attribute is None:
            return [missing] * len(rows)
        known = dict(zip(attribute.rows.tolist(), attribute.values, strict=True))
        return [str(known.get(row, missing)) for row in rows.tolist()]
