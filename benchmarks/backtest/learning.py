"""Predictions of a change from other networks measured before and after it.

``Growth``, for changes that keep every layer (batch size, threads): a layer changes like the most similar layers with
the same operator in other networks, by time, FLOPs and bytes. Ratios are averaged as logarithms, weighted by
similarity. If no other network has the operator, layers of the same class of work are used.

``fitted``: parameters of a transform fitted to all networks except the predicted one.

``benchmarks/whatif_cpu.py`` measured networks before and after changes on a processor. Each line of its compressed file
is a network with all measured variants: as read, optimised, with another batch, quantised, with two threads. Each
variant has the latency of the whole, the times of its layers in the runtime's profile, and the times of its layers
measured alone.
"""

import itertools
import json
import lzma
import math
import statistics
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec
import numpy as np
from msgspec import Struct

from dlbricks.errors import InputError
from dlbricks.trace.types import Lane
from dlbricks.trace.work_classes import KernelClass, class_of_operator
from dlbricks.whatif.edit import GraphBuilder
from dlbricks.whatif.graph import DependencyGraph, EdgeKind, Floats, TaskKind
from dlbricks.whatif.simulate import run
from dlbricks.whatif.transform import Transform, apply_all, read_step

_HOST = Lane(process="runtime", name="host")


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredLayer:
    """One layer of a variant, including adjacent views."""

    name: str
    operator: str
    fingerprint: str
    """Of its sequence; empty for views."""
    depends_on: tuple[int, ...]
    """Indices of earlier layers."""
    profiled_ns: int
    """Trimmed mean in the runtime's profile of the whole network."""
    flops: float
    read_bytes: float
    written_bytes: float
    parameter_bytes: float
    stored_ns: float | None
    """Measured alone, adjusted to its place; None if not measured."""
    others_ns: float | None
    """From the same sequence in other networks, else interpolated; None if neither is possible."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """Measured variant of a network."""

    name: str
    batch: int
    """Inputs per call."""
    latency_ns: float
    """Median latency of the whole, without the profiler."""
    call_overhead_ns: float
    """Latency of an empty graph."""
    steps: tuple[MeasuredLayer, ...]

    def times_ns(self) -> list[float]:
        """Return the time of each layer in the whole: as profiled, scaled to the latency without profiler.

        Raises:
            InputError: the profile has no layers.
        """
        total = sum(step.profiled_ns for step in self.steps)
        if not total:
            raise InputError(f"the profile of {self.name} has no layers")
        return [step.profiled_ns * (self.latency_ns - self.call_overhead_ns) / total for step in self.steps]

    def graph(self, name: str, times_ns: Sequence[float] | None = None) -> DependencyGraph:
        """Build a dependency graph: a call, followed by the layers in order on the host.

        Args:
            name: name of the network.
            times_ns: time of each layer; None for the measured ones. Views have no operator in the graph.
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
    """Read all networks of a ``.jsonl.xz`` file, with their variants by name."""
    return dict(map(_network, lzma.decompress(path.read_bytes()).splitlines()))


class _Columns(Struct):
    """Layers of a variant, in columns."""

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
    samples_ns: list[float]
    steps: _Columns
    call_overhead_ns: float = 0.0
    stored_ns: list[float | None] | None = None
    others_ns: list[float | None] | None = None


def _network(line: bytes) -> tuple[str, dict[str, Variant]]:
    content = json.loads(line)
    variants = {
        name: _variant(name, msgspec.convert(row, _Row))
        for name, row in content["variants"].items()
        if "samples_ns" in row  # variants that could not be measured have none
    }
    return content["network"], variants


def _variant(name: str, row: _Row) -> Variant:
    columns = msgspec.structs.asdict(row.steps)
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


NEAREST = 8
"""Number of layers that a ratio is averaged over."""
_FEW = 3
"""With fewer layers of an operator, its class of work is used."""
_SOFT_NS = 500.0
"""Added to both times of a ratio, because profiles have microsecond resolution."""
Choices = Mapping[str, Sequence[str]]
"""Candidate values of each parameter, as on the command line."""


GrownLayer = tuple[str, Floats, float]
"""Operator; logarithms of time, FLOPs, bytes moved and constants; logarithm of the ratio of times."""


def grown_layers(before: Variant, after: Variant) -> list[GrownLayer]:
    """Pair the layers that both variants of a network have."""
    times = {step.name: time for step, time in zip(after.steps, after.times_ns(), strict=True)}
    own = zip(before.steps, before.times_ns(), strict=True)
    return [
        (step.operator, _place(step, time_ns), math.log((times[step.name] + _SOFT_NS) / (time_ns + _SOFT_NS)))
        for step, time_ns in own
        if step.fingerprint and step.name in times
    ]


class Growth:
    """Predicts the time of a layer after a change from its nearest neighbours in other networks."""

    def __init__(self, layers: Sequence[GrownLayer]) -> None:
        """Collect the layers of networks."""
        self._places = np.array([place for _, place, _ in layers])
        self._grown = np.array([grown for _, _, grown in layers])
        self._rows: dict[str | KernelClass, list[int]] = defaultdict(list)
        for row, (operator, _, _) in enumerate(layers):
            self._rows[operator].append(row)
            self._rows[class_of_operator(operator)].append(row)

    def time_ns(self, step: MeasuredLayer, time_ns: float) -> float:
        """Predict the time after the change from the time before; at least 0."""
        if not step.fingerprint or not len(self._grown):
            return time_ns
        keys: Sequence[str | KernelClass] = (step.operator, class_of_operator(step.operator))
        rows = next((self._rows[key] for key in keys if len(self._rows.get(key, ())) >= _FEW), range(len(self._grown)))
        distances = np.linalg.norm(self._places[rows] - _place(step, time_ns), axis=1)
        nearest = np.argsort(distances, kind="stable")[:NEAREST]
        weights = 1 / (0.1 + distances[nearest])
        ratio = math.exp(float(np.average(self._grown[rows][nearest], weights=weights)))
        return max(0.0, (time_ns + _SOFT_NS) * ratio - _SOFT_NS)


def _place(step: MeasuredLayer, time_ns: float) -> Floats:
    amounts = (time_ns, step.flops, step.read_bytes + step.written_bytes, step.parameter_bytes)
    made: Floats = np.log(np.array([1 + amount for amount in amounts]))
    return made


def predicted(graph: DependencyGraph, asked: str, known: Mapping[str, Transform]) -> float | None:
    """Return the time predicted by a transform, ns; None if it cannot be applied."""
    transform, values = read_step(asked, known)
    if transform.requires(graph, values):
        return None
    applied = apply_all(graph, [(transform, values)])
    return float(run(applied.graph, applied.policy).makespan_ns)


def fitted(
    asked: str,
    choices: Choices,
    graphs: Mapping[str, DependencyGraph],
    truth_ns: Mapping[str, float],
    known: Mapping[str, Transform],
) -> dict[str, tuple[str, float]]:
    """Predict each network with the parameters that fit all others best.

    The criterion is the mean absolute logarithm of the error; the first of equal choices counts.

    Args:
        asked: the transform with its fixed parameters.
        choices: candidates for its other parameters.
        graphs: before the change, by network.
        truth_ns: measured times after it, by network.
        known: transforms by name.

    Returns:
        The transform with the chosen parameters and the predicted time in ns, by network. Networks to which the
        transform cannot be applied are left out; empty for a single network.
    """
    begin = f"{asked}," if ":" in asked else f"{asked}:"
    pairs = itertools.product(*([f"{key}={value}" for value in values] for key, values in choices.items()))
    texts = tuple(begin + ",".join(one) for one in pairs)
    tried = {name: [predicted(graph, text, known) for text in texts] for name, graph in graphs.items()}
    times = {name: np.array(row, np.float64) for name, row in tried.items() if None not in row}
    errors = {name: np.abs(np.log(row / truth_ns[name])) for name, row in times.items()}
    made = {}
    for name, row in times.items() if len(times) > 1 else ():
        best = int(np.mean([errors[other] for other in times if other != name], axis=0).argmin())
        made[name] = texts[best], float(row[best])
    return made
