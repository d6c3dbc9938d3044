"""The types of traces and profiles.

A trace is a table of time spans, stored by columns. Times are integer nanoseconds of one clock; sizes are bytes.
Levels, and the pair of a launch and its execution, follow XSP (IPDPS 2020, sections III-A and III-B). A profile holds
the traces of a leveled experiment, or another program's recording.
"""

import enum
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

Longs: TypeAlias = np.ndarray[Any, np.dtype[np.int64]]
Ints: TypeAlias = np.ndarray[Any, np.dtype[np.int32]]
Bytes: TypeAlias = np.ndarray[Any, np.dtype[np.int8]]
Value: TypeAlias = int | float | str | bool

# Value in a column of indices or numbers that stands for "none".
NONE = -1


class Level(enum.IntEnum):
    """Level of the software stack. A span lies inside spans of levels with smaller numbers."""

    APPLICATION = 0
    """Code that calls the network: a training step, a request, a data loader."""
    MODEL = 1
    """One call of the whole network."""
    LAYER = 2
    """An operator that the runtime executes."""
    LIBRARY = 3
    """A call of a library or driver on the host: a launch, a copy, a synchronisation."""
    KERNEL = 4
    """Work on a device: a kernel, a copy, a memset, a collective."""
    HARDWARE = 5
    """Counters and states of the hardware."""


class Role(enum.IntEnum):
    """Role of a span: it launches asynchronous work, is the execution of such work, or neither."""

    PLAIN = 0
    """The span is synchronous."""
    LAUNCH = 1
    """The span passes work to a device and returns; the work belongs to the span's layer."""
    EXECUTION = 2
    """The span is the work on the device."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lane:
    """A thread of the host or a stream of a device. Spans of a lane follow each other or contain each other."""

    process: str
    """Number or name of the process; each rank of a distributed run has its own."""
    name: str
    """Name of the thread or stream, as in ``thread 4711`` and ``stream 7``."""
    device: str = ""
    """Name of the device, as in ``gpu 0``; empty on the host."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceClock:
    """The clock of a trace."""

    name: str
    """``perf_counter``, ``onnxruntime``, ``cupti``, ``kineto`` or another name."""
    unix_offset_ns: int | None = None
    """Number to add to a time of this clock to get ns since 1970; None if unknown."""
    resolution_ns: int = 1
    """Smallest difference between two times."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attribute:
    """Values of one attribute."""

    rows: Longs
    """Rows of the spans with the attribute, ascending."""
    values: tuple[Value, ...]
    """One value for each row, all of one type."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """One row of a trace."""

    row: int
    parent: int | None
    """Row of the parent; None if it is unknown, or if the span has no parent."""
    level: Level
    role: Role
    kind: str
    name: str
    lane: Lane
    start_ns: int
    end_ns: int
    correlation: int | None
    """Number that only a launch and its executions share."""
    attributes: Mapping[str, Value]

    @property
    def duration_ns(self) -> int:
        """Time from start to end, ns."""
        return self.end_ns - self.start_ns


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Trace:
    """Table of spans, which ``trace.build`` makes: read-only columns of equal length.

    Two traces never compare equal, so results can be cached by trace.
    """

    clock: TraceClock
    names: tuple[str, ...]
    """Distinct names, to which ``name`` refers by index."""
    kinds: tuple[str, ...]
    """Distinct kinds (``trace.kinds``), to which ``kind`` refers by index."""
    lanes: tuple[Lane, ...]
    level: Bytes
    role: Bytes
    kind: Ints
    name: Ints
    lane: Ints
    start_ns: Longs
    end_ns: Longs
    parent: Longs
    """Row of the parent, or ``NONE``."""
    correlation: Longs
    """Correlation number, or ``NONE``."""
    attributes: Mapping[str, Attribute] = field(default_factory=dict)
    """Attributes by name; ``trace.kinds`` describes them."""
    device: str = ""
    """Product name of the device; empty if unknown."""
    notes: tuple[str, ...] = ()
    """Sentences on errors and ambiguities of the recording."""
    diagnostics: tuple[str, ...] = ()
    """Sentences on how the parents of spans were chosen where this was ambiguous."""

    def __len__(self) -> int:
        """Return the number of spans."""
        return len(self.start_ns)

    def __iter__(self) -> Iterator[Span]:
        """Iterate over all spans as objects; columns are far faster."""
        return (self.span(row) for row in range(len(self)))

    def span(self, row: int) -> Span:
        """Return one row as a span."""
        parent, correlation = int(self.parent[row]), int(self.correlation[row])
        attributes: dict[str, Value] = {}
        for name, attribute in self.attributes.items():
            at = int(np.searchsorted(attribute.rows, row))
            if at < len(attribute.rows) and attribute.rows[at] == row:
                attributes[name] = attribute.values[at]
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
            attributes=attributes,
        )

    @property
    def duration_ns(self) -> Longs:
        """Time from start to end of every span, ns."""
        return self.end_ns - self.start_ns

    def rows(self, level: Level, *kinds: str, role: Role | None = None) -> Longs:
        """Return the ascending rows of all spans at a level, or only those of some kinds or of a role."""
        wanted = self.level == level
        if kinds:
            wanted &= np.isin(self.kind, [index for index, kind in enumerate(self.kinds) if kind in kinds])
        if role is not None:
            wanted &= self.role == role
        return np.flatnonzero(wanted)

    def column(self, name: str, rows: Longs, missing: float = float("nan")) -> np.ndarray[Any, np.dtype[np.float64]]:
        """Return the values of a numeric attribute for some rows; ``missing`` for spans without the attribute."""
        values = np.full(len(self), missing, np.float64)
        attribute = self.attributes.get(name)
        if attribute is not None:
            values[attribute.rows] = np.asarray(attribute.values, np.float64)
        return values[rows]

    def string_column(self, name: str, rows: Longs) -> list[str]:
        """Return the values of a text attribute for some rows; an empty text for spans without the attribute."""
        text_of = self.values(name)
        return [str(text_of.get(row, "")) for row in rows.tolist()]

    def values(self, name: str) -> dict[int, Any]:
        """Return the values of an attribute, by row; empty if no span has the attribute."""
        attribute = self.attributes.get(name)
        return {} if attribute is None else dict(zip(attribute.rows.tolist(), attribute.values, strict=True))


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceReader:
    """Reads another program's recordings; packages add readers by entry points ``dlbricks.readers``."""

    recognises: Callable[[str], bool]
    """Returns whether the reader can read a file; the argument is the beginning of the file's text."""
    read: Callable[[Path], Trace]
    """Reads a file; raises ``InputError`` if the file cannot be used."""


# What a run records: calls (``M``); calls and layers (``ML``); calls, layers and kernels (``MLK``). Recording makes
# calls longer, so the latency of a level comes from the run whose deepest level it is (XSP, IPDPS 2020, section III-C):
# that of calls from runs ``M``, of layers from runs ``ML``, of kernels from runs ``MLK``.
LEVELS = ("M", "ML", "MLK")


@dataclass(frozen=True, slots=True, kw_only=True)
class Roofs:
    """Limits of a roofline model: peak FLOP/s and memory bandwidth, as measured and as stated."""

    device: str
    """Device and threads, as in ``AMD EPYC, 1 thread`` or ``NVIDIA H200``."""
    flops_per_s: Mapping[str, float]
    """FLOP/s in products of large matrices, by element type."""
    copied_bytes_per_s: float
    """Bytes read plus bytes written, per second, in copies of a large buffer."""
    stated_flops_per_s: Mapping[str, float] = field(default_factory=dict)
    """FLOP/s of the data sheet, or computed from clock and instruction set; empty if unknown."""
    stated_bytes_per_s: float | None = None
    source: str = ""
    """Source of the stated rates."""

    measured: bool = True
    """Whether the rates were measured; False if the stated rates stand in for them."""

    def ideal_intensity(self, dtype: str = "float32") -> float | None:
        """Return the FLOPs per byte at which arithmetic and memory take equally long; None if a limit is unknown."""
        flops = self.flops_per_s.get(dtype)
        return flops / self.copied_bytes_per_s if flops and self.copied_bytes_per_s else None


@dataclass(frozen=True, slots=True, kw_only=True)
class LevelRun:
    """Calls that were recorded with the same levels and batch size."""

    batch: int
    """Inputs per call; 0 if unknown."""
    levels: str
    """Recorded levels, one of ``LEVELS``."""
    samples_ns: tuple[int, ...]
    """Latency of each call."""
    trace: Trace
    """Trace of all calls, or of the last ones; each call is a span of level MODEL."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """Leveled experiments on one network and machine, or a recording by another program."""

    network: str
    system: Mapping[str, Any]
    """``name`` and facts of the machine; empty for another program's recording."""
    runtime: Mapping[str, Any]
    """Name, version, provider, threads and options of the runtime; empty for another program's recording."""
    runs: tuple[LevelRun, ...]
    """Runs by batch size, for each size in the order of ``LEVELS``."""
    roofs: Roofs | None = None
    notes: tuple[str, ...] = ()
    """Sentences on what is not available, and why."""
    prediction: Mapping[str, Any] | None = None
    """Results of ``whatif`` (``answer``, ``advice``) for timelines that it predicted; None for a recording."""

    @property
    def batches(self) -> tuple[int, ...]:
        """Batch sizes of all runs, ascending."""
        return tuple(sorted({run.batch for run in self.runs}))

    @property
    def diagnostics(self) -> tuple[str, ...]:
        """Diagnostics of all traces, without repetitions."""
        return tuple(dict.fromkeys(text for run in self.runs for text in run.trace.diagnostics))

    @property
    def all_notes(self) -> tuple[str, ...]:
        """Notes of the profile and of all traces, without repetitions."""
        return tuple(dict.fromkeys((*self.notes, *(note for run in self.runs for note in run.trace.notes))))

    def run(self, levels: str, batch: int | None = None) -> LevelRun | None:
        """Return the run with these levels and batch size (by default the smallest); None if there is none."""
        wanted = (self.batches or (0,))[0] if batch is None else batch
        runs = (run for run in self.runs if run.levels == levels and run.batch == wanted)
        return next(runs, None)
