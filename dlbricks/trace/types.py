"""The types of traces (Level, Role, Lane, TraceClock, Span, Attribute, Trace, TraceReader) and of profiles.

A trace is a table of time spans. It is stored column by column, so that a million spans are a few arrays. Times are
integer nanoseconds of one clock; sizes are bytes. Levels, and the pair of a launch and its execution, follow XSP (IPDPS
2020, sections III-A and III-B). A profile holds the traces of a leveled experiment, or another program's recording.
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
    """Level of the software stack. Spans of a level lie inside spans of levels with smaller numbers."""

    APPLICATION = 0
    """Code that calls the model: a training step, a request, a data loader."""
    MODEL = 1
    """One call of the whole network."""
    LAYER = 2
    """One operator that the framework or runtime executes."""
    LIBRARY = 3
    """A call of a library or driver on the host: a launch, a copy, a synchronisation."""
    KERNEL = 4
    """Work on a device: a kernel, a copy, a memset, a collective."""
    HARDWARE = 5
    """Counters and states of the hardware."""


class Role(enum.IntEnum):
    """Role of a span in an asynchronous activity, which has a launch on the host and an execution on a device."""

    PLAIN = 0
    """The span is not part of an asynchronous activity."""
    LAUNCH = 1
    """The span passes work to a device and returns; the layer that contains it is the layer of the work."""
    EXECUTION = 2
    """The span is the work on the device; its duration is that of the work."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lane:
    """A thread of the host or a stream of a device, on which spans follow or contain each other."""

    process: str
    """Number or name of the process on the host; each rank of a distributed run is a process of its own."""
    name: str
    """Name of the thread or stream, as in ``thread 4711`` and ``stream 7``."""
    device: str = ""
    """Name of the device, as in ``gpu 0``; empty on the host."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceClock:
    """The clock that a trace's times are read from."""

    name: str
    """``perf_counter``, ``onnxruntime``, ``cupti``, ``kineto`` or another; times of two clocks are not comparable."""
    unix_offset_ns: int | None = None
    """Number to add to a time to get ns since 1970; None if unknown."""
    resolution_ns: int = 1
    """Smallest difference between two times that the recorder distinguishes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attribute:
    """The values of one attribute, for the spans of a trace that have it."""

    rows: Longs
    """Rows of the spans that have the attribute, ascending."""
    values: tuple[Value, ...]
    """One value for each row; all values have the same type."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """One span of a trace, as an object."""

    row: int
    parent: int | None
    """Row of the parent; None if the span has none or it is unknown."""
    level: Level
    role: Role
    kind: str
    name: str
    lane: Lane
    start_ns: int
    end_ns: int
    correlation: int | None
    """Number that a launch and its executions share; no other spans of the trace have it."""
    attributes: Mapping[str, Value]

    @property
    def duration_ns(self) -> int:
        """Return the time from start to end, ns."""
        return self.end_ns - self.start_ns


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Trace:
    """Table of spans: read-only columns of equal length. ``trace.build`` has functions that make a trace.

    Two traces are equal only if they are the same object, so that results can be cached by trace.
    """

    clock: TraceClock
    names: tuple[str, ...]
    """Distinct names; ``name`` holds indices into them."""
    kinds: tuple[str, ...]
    """Distinct kinds, most of which ``trace.kinds`` lists; ``kind`` holds indices into them."""
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
    """Product name of the device that ran the kernels; empty if unknown."""
    notes: tuple[str, ...] = ()
    """Sentences on what was wrong or ambiguous in the recording, and how it was resolved."""
    diagnostics: tuple[str, ...] = ()
    """Sentences on how ambiguous parents were chosen. Most recordings have some; they help if a figure is in doubt."""

    def __len__(self) -> int:
        """Return the number of spans."""
        return len(self.start_ns)

    def __iter__(self) -> Iterator[Span]:
        """Iterate over all spans as objects: for tests and small traces only, since columns are far faster."""
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
        """Return the time from start to end of every span, ns."""
        return self.end_ns - self.start_ns

    def rows(self, level: Level, *kinds: str, role: Role | None = None) -> Longs:
        """Return the rows of all spans at a level, ascending; optionally only those of some kinds or of a role."""
        wanted = self.level == level
        if kinds:
            wanted &= np.isin(self.kind, [index for index, kind in enumerate(self.kinds) if kind in kinds])
        if role is not None:
            wanted &= self.role == role
        return np.flatnonzero(wanted)

    def column(self, name: str, rows: Longs, missing: float = float("nan")) -> np.ndarray[Any, np.dtype[np.float64]]:
        """Return the values of a numeric attribute for some rows; ``missing`` for a span without it."""
        values = np.full(len(self), missing, np.float64)
        attribute = self.attributes.get(name)
        if attribute is not None:
            values[attribute.rows] = np.asarray(attribute.values, np.float64)
        return values[rows]

    def string_column(self, name: str, rows: Longs) -> list[str]:
        """Return the values of a text attribute for some rows; an empty text for a span without it."""
        text_of = self.values(name)
        return [str(text_of.get(row, "")) for row in rows.tolist()]

    def values(self, name: str) -> dict[int, Any]:
        """Return the values of an attribute, by row; empty if no span has it."""
        attribute = self.attributes.get(name)
        return {} if attribute is None else dict(zip(attribute.rows.tolist(), attribute.values, strict=True))


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceReader:
    """Reader of another program's recordings; packages add readers through the entry points ``dlbricks.readers``."""

    recognises: Callable[[str], bool]
    """Returns whether the reader reads a file, given the beginning of the file's text."""
    read: Callable[[Path], Trace]
    """Reads a file; raises ``InputError`` if the file cannot be used."""


# What a run records: calls (``M``); calls and layers (``ML``); calls, layers and kernels (``MLK``). Recording makes
# calls longer, so the latency of a level comes from the run whose deepest level it is (XSP, IPDPS 2020, section III-C):
# that of calls from runs ``M``, of layers from runs ``ML``, of kernels from runs ``MLK``.
LEVELS = ("M", "ML", "MLK")


@dataclass(frozen=True, slots=True, kw_only=True)
class Roofs:
    """The limits of a roofline model: peak FLOP/s and memory bandwidth of a machine, as measured and as stated."""

    device: str
    """Device and threads, as in ``AMD EPYC, 1 thread`` or ``NVIDIA H200``."""
    flops_per_s: Mapping[str, float]
    """FLOP/s of products of large matrices, by element type (``float32``, ``float16``, ``int8`` ...)."""
    copied_bytes_per_s: float
    """Bytes read plus bytes written, per second, while a buffer much larger than the caches is copied."""
    stated_flops_per_s: Mapping[str, float] = field(default_factory=dict)
    """FLOP/s of the data sheet, or computed from clock and instruction set; empty if unknown."""
    stated_bytes_per_s: float | None = None
    source: str = ""
    """Source of the stated rates."""

    measured: bool = True
    """False if ``flops_per_s`` and ``copied_bytes_per_s`` are copies of stated rates, as in other programs' traces."""

    def ideal_intensity(self, dtype: str = "float32") -> float | None:
        """Return the FLOPs per byte at which arithmetic and memory take equally long; None if a limit is unknown."""
        flops = self.flops_per_s.get(dtype)
        return flops / self.copied_bytes_per_s if flops and self.copied_bytes_per_s else None


@dataclass(frozen=True, slots=True, kw_only=True)
class LevelRun:
    """The calls of a network that were recorded with the same levels and the same batch size."""

    batch: int
    """Inputs per call; 0 if unknown."""
    levels: str
    """Levels of detail that were recorded: one of ``LEVELS``."""
    samples_ns: tuple[int, ...]
    """Latency of each call, as the harness timed it."""
    trace: Trace
    """Trace of the calls, or of the last few calls; each call is one span of level MODEL."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """Results of leveled experiments on one network and machine, or a trace that another program recorded."""

    network: str
    system: Mapping[str, Any]
    """``name`` and facts of the machine; empty for a trace of another program."""
    runtime: Mapping[str, Any]
    """Name, version, provider, threads and options of the runtime; empty for a trace of another program."""
    runs: tuple[LevelRun, ...]
    """Recorded calls by batch size and levels; those of a batch size have the order of ``LEVELS``."""
    roofs: Roofs | None = None
    notes: tuple[str, ...] = ()
    """Sentences on what is not available, and why."""

    @property
    def batches(self) -> tuple[int, ...]:
        """Return the batch sizes of all runs, ascending."""
        return tuple(sorted({run.batch for run in self.runs}))

    @property
    def diagnostics(self) -> tuple[str, ...]:
        """Return the diagnostics of all traces, without duplicates."""
        return tuple(dict.fromkeys(text for run in self.runs for text in run.trace.diagnostics))

    @property
    def all_notes(self) -> tuple[str, ...]:
        """Return the notes of the profile and of all its traces, without duplicates."""
        return tuple(dict.fromkeys((*self.notes, *(note for run in self.runs for note in run.trace.notes))))

    def run(self, levels: str, batch: int | None = None) -> LevelRun | None:
        """Return the calls recorded with some levels and a batch size (default: the smallest); None without any."""
        wanted = (self.batches or (0,))[0] if batch is None else batch
        runs = (run for run in self.runs if run.levels == levels and run.batch == wanted)
        return next(runs, None)
