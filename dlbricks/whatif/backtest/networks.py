"""Networks before and after changes on a processor, stored by ``benchmarks/whatif_cpu.py``: read and checked.

A compressed file holds a network in each line, with every variant of it that was measured: the graph as read and as
optimised, with another batch, quantised, with two threads. Of each the latency of the whole, the time of its layers in
the runtime's profile, and what its layers take that were measured alone, in a run of their own, put to their places.
"""

import lzma
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta, Struct, structs

from dlbricks.errors import InputError
from dlbricks.trace.types import Lane
from dlbricks.typed_json import checked, read_json
from dlbricks.whatif.edit import GraphBuilder
from dlbricks.whatif.graph import DependencyGraph, EdgeKind, TaskKind

_HOST = Lane(process="runtime", name="host")
_LARGEST_BYTES = 1 << 30


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredLayer:
    """One layer of a variant, with the views that go with it."""

    name: str
    operator: str
    fingerprint: str
    """Of its sequence; empty for what only renames memory."""
    depends_on: tuple[int, ...]
    """Indices of earlier layers."""
    profiled_ns: int
    """Trimmed mean in the runtime's profile of the whole."""
    flops: float
    read_bytes: float
    written_bytes: float
    parameter_bytes: float
    stored_ns: float | None
    """Measured alone, at its place; None where it was not measured."""
    others_ns: float | None
    """The same from sequences of other networks, guessed where none is the same; None where nothing can be guessed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """One variant of a network."""

    name: str
    batch: int
    """Inputs per call."""
    latency_ns: float
    """Median of the calls of the whole, without the profiler."""
    call_overhead_ns: float
    """Of an empty graph."""
    steps: tuple[MeasuredLayer, ...]

    def times_ns(self) -> list[float]:
        """Give the time of each layer in the whole: as profiled, scaled to the latency without the profiler.

        Raises:
            InputError: the profile has no layers.
        """
        total = sum(step.profiled_ns for step in self.steps)
        if not total:
            raise InputError(f"the profile of {self.name} has no layers")
        return [step.profiled_ns * (self.latency_ns - self.call_overhead_ns) / total for step in self.steps]

    def graph(self, name: str, times_ns: Sequence[float] | None = None) -> DependencyGraph:
        """Make a dependency graph: a call, and behind it the layers in order on the host.

        Args:
            name: of the network.
            times_ns: of each layer, None for those that were measured; views have no operator in it.
        """
        builder = GraphBuilder(name=name)
        builder.task(TaskKind.CPU, "call overhead", _HOST, round(self.call_overhead_ns))
        passed, rows = 0.0, []
        for step, time_ns in zip(self.steps, self.times_ns() if times_ns is None else times_ns, strict=True):
            duration = round(passed + time_ns) - round(passed)
            passed += time_ns
            rows.append(
                builder.task(
                    TaskKind.CPU,
                    step.name,
                    _HOST,
                    duration,
                    layer=step.name,
                    operator=step.operator if step.fingerprint else None,
                    flops=step.flops,
                    read_bytes=step.read_bytes,
                    written_bytes=step.written_bytes,
                    parameter_bytes=step.parameter_bytes,
                )
            )
            for before in step.depends_on:
                builder.edge(EdgeKind.DATA, rows[before], rows[-1])
        return builder.built()


def read_networks(path: Path) -> dict[str, dict[str, Variant]]:
    """Read all networks of a file (``.jsonl.xz``), with their variants by name.

    Raises:
        InputError: it cannot be read, holds none, or is damaged.
    """
    try:
        with lzma.open(path) as file:
            lines = file.read(_LARGEST_BYTES).splitlines()
        made = dict(_network(line, f"{path}: line {number}") for number, line in enumerate(lines, start=1))
    except (EOFError, ValueError, lzma.LZMAError) as error:
        raise InputError(f"{path} is damaged ({error}): measure again with benchmarks/whatif_cpu.py") from error
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from error
    if not made:
        raise InputError(f"{path} has no measured networks: make some with benchmarks/whatif_cpu.py")
    return made


class _Columns(Struct):
    """The layers of a variant, column by column."""

    name: list[str]
    operator: list[str]
    fingerprint: list[str]
    depends_on: list[tuple[int, ...]]
    profiled_ns: list[int]
    flops: list[float]
    read_bytes: list[float]
    written_bytes: list[float]
    parameter_bytes: list[float]


class _Row(Struct):
    batch: int
    samples_ns: Annotated[list[float], Meta(min_length=1)]
    steps: _Columns
    call_overhead_ns: float = 0.0
    stored_ns: list[float | None] | None = None
    others_ns: list[float | None] | None = None


class _Line(Struct):
    network: str
    variants: dict[str, dict[str, Any]]
    """Those that could not be measured have no samples."""


def _network(line: bytes, where: str) -> tuple[str, dict[str, Variant]]:
    content = read_json(_Line, line, where)
    return content.network, {
        name: _variant(name, checked(_Row, row, f"{where}: {name}"))
        for name, row in content.variants.items()
        if "samples_ns" in row
    }


def _variant(name: str, row: _Row) -> Variant:
    columns = structs.asdict(row.steps)
    nothing = [None] * len(row.steps.name)
    columns |= {"stored_ns": row.stored_ns or nothing, "others_ns": row.others_ns or nothing}
    return Variant(
        name=name,
        batch=row.batch,
        latency_ns=statistics.median(row.samples_ns),
        call_overhead_ns=row.call_overhead_ns,
        steps=tuple(
            MeasuredLayer(**dict(zip(columns, values, strict=True))) for values in zip(*columns.values(), strict=True)
        ),
    )
