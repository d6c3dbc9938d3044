"""The types of tracing (Level, Role, Lane, TraceClock, Span, Attribute, Trace, TraceReader) and of profiles.

A trace is a table of spans, stored column by column, so that a million spans are a few arrays. Times are integer
nanoseconds of one clock, sizes are bytes. Levels, and the pair of a launch and its execution, are those of XSP (IPDPS
2020, sections III-A and III-B). A profile has the traces of a leveled experiment, or of another program's recording.
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

# In columns of numbers: none.
NONE = -1


class Level(enum.IntEnum):
    """Level of the software stack; a span is contained in spans of smaller numbers."""

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
    """Part of an asynchronous activity that a span is."""

    PLAIN = 0
    """Not asynchronous: has a parent and a duration."""
    LAUNCH = 1
    """Passes work to a device and returns: determines the parent of its execution."""
    EXECUTION = 2
    """Runs on a device: determines the time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lane:
    """A thread or stream: its spans follow or contain each other."""

    process: str
    """Number or name of the process on the host; it differs between the ranks of a distributed run."""
    name: str
    """Name of the thread or stream, as in ``thread 4711`` and ``stream 7``."""
    device: str = ""
    """As in ``gpu 0``; empty on the host."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceClock:
    """The clock of a trace's times."""

    name: str
    """``perf_counter``, ``onnxruntime``, ``cupti``, ``kineto`` or another; times of two clocks are not comparable."""
    unix_offset_ns: int | None = None
    """Added to a time it gives ns since 1970; None if unknown."""
    resolution_ns: int = 1
    """Smallest difference that the recorder distinguishes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attribute:
    """One attribute of some spans of a trace."""

    rows: Longs
    """Rows of the spans that have it, ascending."""
    values: tuple[Value, ...]
    """One for each row, all of one type."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """One span: a row of a trace."""

    row: int
    parent: int | None
    """Row of the parent; None for a root, or if unknown."""
    level: Level
    role: Role
    kind: str
    name: str
    lane: Lane
    start_ns: int
    end_ns: int
    correlation: int | None
    """Correlation number: shared by a launch and its executions; unique within one trace."""
    attributes: Mapping[str, Value]

    @property
    def duration_ns(self) -> int:
        """Duration."""
        return self.end_ns - self.start_ns


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Trace:
    """Spans in read-only columns of equal length. Made by ``trace.build``.

    Traces are compared by identity, so that results can be cached by trace.
    """

    clock: TraceClock
    names: tuple[str, ...]
    """Distinct names; ``name`` holds indices of them."""
    kinds: tuple[str, ...]
    """Distinct kinds; ``kind`` holds indices of them. Known kinds are listed in ``trace.kinds``."""
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
    """By name; known ones are listed in ``trace.kinds``."""
    device: str = ""
    """Name of the device that ran the kernels, as its maker gives it; empty if unknown."""
    notes: tuple[str, ...] = ()
    """What readers and later steps found wrong or ambiguous and how they resolved it, in sentences."""
    diagnostics: tuple[str, ...] = ()
    """What finding the parents put in order: usual in recordings, of interest only where a figure is in doubt."""

    def __len__(self) -> int:
        """Return the number of spans."""
        return len(self.start_ns)

    def __iter__(self) -> Iterator[Span]:
        """Iterate over all spans; for tests and small traces, since columns are far faster."""
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
        """Time from start to end of every span."""
        return self.end_ns - self.start_ns

    def rows(self, level: Level, *kinds: str, role: Role | None = None) -> Longs:
        """Return the rows of a level, ascending; if kinds or a role are given, only those."""
        wanted = self.level == level
        if kinds:
            wanted &= np.isin(self.kind, [index for index, kind in enumerate(self.kinds) if kind in kinds])
        if role is not None:
            wanted &= self.role == role
        return np.flatnonzero(wanted)

    def column(self, name: str, rows: Longs, missing: float = float("nan")) -> np.ndarray[Any, np.dtype[np.float64]]:
        """Return a numeric attribute for some rows, ``missing`` for spans without it."""
        values = np.full(len(self), missing, np.float64)
        attribute = self.attributes.get(name)
        if attribute is not None:
            values[attribute.rows] = np.asarray(attribute.values, np.float64)
        return values[rows]

    def string_column(self, name: str, rows: Longs) -> list[str]:
        """Return a text attribute for some rows, empty for spans without it."""
        text_of = self.values(name)
        return [str(text_of.get(row, "")) for row in rows.tolist()]

    def values(self, name: str) -> dict[int, Any]:
        """Return an attribute by row; empty if no span has it."""
        attribute = self.attributes.get(name)
        return {} if attribute is None else dict(zip(attribute.rows.tolist(), attribute.values, strict=True))


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceReader:
    """Reader of another program's recordings, an extension of the group ``dlbricks.readers``."""

    recognises: Callable[[str], bool]
    """Whether it reads a file, by the beginning of its text."""
    read: Callable[[Path], Trace]
    """Reads a file; raises InputError if it is not usable."""


# What a run records: calls; calls and layers; calls, layers and kernels. The latency of a level comes from the run
# whose deepest level it is (XSP, IPDPS 2020, section III-C): the runtime's profiler makes calls longer, so model
# latencies come from runs ``M``, those of layers from runs ``ML``, those of kernels from runs ``MLK``.
LEVELS = ("M", "ML", "MLK")


@dataclass(frozen=True, slots=True, kw_only=True)
class Roofs:
    """Peak rates of a machine, measured and, where known, stated by its maker."""

    device: str
    """As in ``AMD EPYC, 1 thread`` or ``NVIDIA H200``."""
    flops_per_s: Mapping[str, float]
    """Measured with products of large matrices, by element type (``float32``, ``float16``, ``int8`` ...)."""
    copied_bytes_per_s: float
    """Measured by copying a buffer much larger than the caches; bytes read plus bytes written."""
    stated_flops_per_s: Mapping[str, float] = field(default_factory=dict)
    """From the data sheet, or computed from clock and instruction set; empty if unknown."""
    stated_bytes_per_s: float | None = None
    source: str = ""
    """Of the stated rates."""

    measured: bool = True
    """Whether rates are measured; in traces of other programs they are the stated ones."""

    def ideal_intensity(self, dtype: str = "float32") -> float | None:
        """Return the arithmetic intensity, flops per byte, at which both roofs meet; None if one was not measured."""
        flops = self.flops_per_s.get(dtype)
        return flops / self.copied_bytes_per_s if flops and self.copied_bytes_per_s else None


@dataclass(frozen=True, slots=True, kw_only=True)
class LevelRun:
    """All calls at one level with one batch size."""

    batch: int
    """Inputs per call; 0 if unknown."""
    levels: str
    """One of ``LEVELS``."""
    samples_ns: tuple[int, ...]
    """Latency of each call, timed by the harness."""
    trace: Trace
    """Of all of these calls or the last few; level MODEL has a span per call."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """Results of leveled experiments on one network and machine, or a trace recorded by another program."""

    network: str
    system: Mapping[str, Any]
    """``name`` and facts of the machine; empty for a trace of another program."""
    runtime: Mapping[str, Any]
    """Likewise its name, version, provider, threads and options."""
    runs: tuple[LevelRun, ...]
    """Of every level and batch size, in the order of ``LEVELS`` within each batch size."""
    roofs: Roofs | None = None
    notes: tuple[str, ...] = ()
    """What is not available, and why."""

    @property
    def batches(self) -> tuple[int, ...]:
        """Batch sizes, ascending."""
        return tuple(sorted({run.batch for run in self.runs}))

    @property
    def diagnostics(self) -> tuple[str, ...]:
        """Those of its traces, each once."""
        return tuple(dict.fromkeys(text for run in self.runs for text in run.trace.diagnostics))

    @property
    def all_notes(self) -> tuple[str, ...]:
        """Its own notes and those of its traces, each once."""
        return tuple(dict.fromkeys((*self.notes, *(note for run in self.runs for note in run.trace.notes))))

    def run(self, levels: str, batch: int | None = None) -> LevelRun | None:
        """Return the run of a level, of the smallest batch size unless one is given; None if there is none."""
        wanted = (self.batches or (0,))[0] if batch is None else batch
        runs = (run for run in self.runs if run.levels == levels and run.batch == wanted)
        return next(runs, None)
