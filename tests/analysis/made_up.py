"""Profiles made up layer by layer, for tests of analyses."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from dlbricks.analysis.table import Table
from dlbricks.trace import kinds
from dlbricks.trace.build import TraceBuilder
from dlbricks.trace.types import Lane, Level, LevelRun, Profile, Role, Roofs, Trace, TraceClock

HOST = Lane(process="1", name="thread 1")
STREAM = Lane(process="1", name="stream 7", device="gpu 0")
OTHER_STREAM = Lane(process="1", name="stream 8", device="gpu 0")
ROOFS = Roofs(device="made up", flops_per_s={"float32": 1e12, "float16": 4e12}, copied_bytes_per_s=1e11)
"""Ideal intensity of float32 is 10, of float16 it is 40."""
LAUNCH_NS = 5
"""Of every launch, which begins with its layer or right after the launch before it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class K:
    """A kernel."""

    name: str = "gemm"
    at: int = 20
    """Start after the start of its layer, ns."""
    ns: int = 50
    kind: str = kinds.KERNEL
    lane: Lane = STREAM
    attributes: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class L:
    """A layer."""

    name: str
    type: str = "Conv"
    ns: int = 100
    gap: int = 10
    """Before it, ns."""
    kernels: tuple[K, ...] = ()
    attributes: dict[str, Any] = field(default_factory=dict)


def counted(flops: float, read: int, written: int, occupancy: float = 0.5) -> dict[str, Any]:
    """Return the counters of a kernel."""
    return {"flops": flops, "dram_read_bytes": read, "dram_write_bytes": written, "occupancy": occupancy}


def costs(flops: int, read: int, written: int) -> dict[str, Any]:
    """Return the costs of a layer from shapes."""
    return {"flops": flops, "read_bytes": read, "written_bytes": written, "shape": "float32[1,8]"}


def add_call(builder: TraceBuilder, layers: Sequence[L], start: int, *, tail: int = 30, stretch: float = 1) -> int:
    """Add a call with its layers, one after the other, and what they launch; give the end of the call."""
    ends = start + sum(layer.gap + round(layer.ns * stretch) for layer in layers) + tail
    model = builder.add(Level.MODEL, kinds.CALL, "net", HOST, start, ends)
    at = start
    for index, layer in enumerate(layers):
        at += layer.gap
        end = at + round(layer.ns * stretch)
        own = {"type": layer.type, "index": index, **layer.attributes}
        row = builder.add(Level.LAYER, kinds.OPERATOR, layer.name, HOST, at, end, parent=model, **own)
        for number, kernel in enumerate(layer.kernels):
            add_kernel(builder, kernel, row, at, at + number * LAUNCH_NS)
        at = end
    return ends


def add_kernel(builder: TraceBuilder, kernel: K, layer: int | None, begin: int, launch: int) -> None:
    """Add a launch in a layer and its execution."""
    row = builder.add(
        Level.LIBRARY,
        kinds.RUNTIME,
        "cudaLaunchKernel",
        HOST,
        launch,
        launch + LAUNCH_NS,
        role=Role.LAUNCH,
        parent=layer,
    )
    start = begin + kernel.at
    builder.add(
        Level.KERNEL,
        kernel.kind,
        kernel.name,
        kernel.lane,
        start,
        start + kernel.ns,
        role=Role.EXECUTION,
        parent=row,
        **kernel.attributes,
    )


def trace_of(layers: Sequence[L], calls: int = 3, **options: Any) -> Trace:
    """Make a trace of calls that are all alike."""
    builder = TraceBuilder(clock=TraceClock(name="made up"))
    start = 1000
    for _ in range(calls):
        start = add_call(builder, layers, start, **options) + 500
    return builder.built()


def without_kernels(layers: Sequence[L]) -> list[L]:
    """Return layers as a run sees them that records no kernels."""
    return [L(name=one.name, type=one.type, ns=one.ns, gap=one.gap, attributes=one.attributes) for one in layers]


def made_up(
    layers: Sequence[L],
    *,
    batch: int = 1,
    samples: Sequence[int] = (900, 1000, 1100),
    levels: str = "MLK",
    **others: Any,
) -> Profile:
    """Make a profile with a run of every level down to ``levels``, of one batch."""
    seen = {"M": [], "ML": without_kernels(layers), "MLK": layers}
    runs = [
        LevelRun(batch=batch, levels=name, samples_ns=tuple(samples), trace=trace_of(shown))
        for name, shown in seen.items()
        if len(name) <= len(levels)
    ]
    fields: dict[str, Any] = {
        "network": "net",
        "system": {"name": "here"},
        "runtime": {"provider": "cuda"},
        "roofs": ROOFS,
        **others,
    }
    return Profile(runs=tuple(runs), **fields)


def foreign(trace: Trace, levels: str = "MLK") -> Profile:
    """Make a profile of a trace that somebody else recorded."""
    run = LevelRun(batch=0, levels=levels, samples_ns=(), trace=trace)
    return Profile(network="theirs", system={}, runtime={}, runs=(run,))


def cells(table: Table, column: str) -> tuple[Any, ...]:
    """Return the cells of a column of a table that is there."""
    assert not table.unavailable, table.unavailable
    return table.column(column).cells
