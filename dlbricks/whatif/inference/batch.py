"""Another batch: what the inputs make grows, what the constants are does not."""

from collections import defaultdict

import numpy as np

from dlbricks.errors import InputError
from dlbricks.trace.types import Longs
from dlbricks.whatif.edit import lasting, scaled
from dlbricks.whatif.graph import with_attributes
from dlbricks.whatif.inference.operators import no_work, work
from dlbricks.whatif.inference.shares import figures, moved_bytes, rates, shares
from dlbricks.whatif.nouns import DependencyGraph, Floats, TaskKind
from dlbricks.whatif.stepping import step_numbers
from dlbricks.whatif.transform import Parameter, Transform, Values

_GROWING = ("flops", "read_bytes", "written_bytes", "elements", "bytes")


def grown(graph: DependencyGraph, ratio: float, fill: float = 0.0) -> DependencyGraph:
    """Give the graph of a batch that is so many times as large.

    Arithmetic grows with the batch; of memory only what is no constant does. A layer takes the longer of the two,
    before and after: one that is limited by arithmetic gains nothing from constants that are fetched once. (Of 17
    networks on a processor, from batch 1 to 8, the median error is 4 % so, and 9 % with the sum of both.) What a kernel
    takes however little it does stays, and so does the host of a device. Copies grow as a whole.

    Args:
        graph: of one batch.
        ratio: of the new batch to that of the graph.
        fill: share of the arithmetic that costs nothing more, as the device was not full.
    """
    rows = work(graph)
    moved, constant = moved_bytes(graph), figures(graph, "parameter_bytes")
    held = np.where((moved > 0) & (constant <= moved), constant / np.where(moved > 0, moved, 1.0), 0.0)[rows]
    more, less = fill + (1 - fill) * ratio, np.nan_to_num(held) + (1 - np.nan_to_num(held)) * ratio
    best, parts = rates(graph, rows), shares(graph, rows)
    computing, moving = figures(graph, "flops")[rows] / best.flops_per_ns, moved[rows] / best.bytes_per_ns
    longer = np.nan_to_num(np.maximum(computing, moving))
    by_roof = np.maximum(computing * more, moving * less) / np.where(longer > 0, longer, 1.0)
    fixed = np.where(graph.kind[rows] == TaskKind.KERNEL, parts.fixed, 0.0)
    by_class = parts.arithmetic * more + parts.memory * less + parts.fixed
    factor = np.where(longer > 0, fixed + (1 - fixed) * by_roof, by_class)
    made = lasting(graph, rows, np.rint(graph.duration_ns[rows] * factor).astype(np.int64))
    copies = np.flatnonzero(graph.kind == TaskKind.COPY)
    return _with_figures(scaled(made, copies, ratio), ratio)


def _with_figures(graph: DependencyGraph, ratio: float) -> DependencyGraph:
    constants = np.nan_to_num(figures(graph, "parameter_bytes"))
    made = {}
    for key in _GROWING:
        if key in graph.attributes:
            held: Floats = np.minimum(constants, graph.attributes[key]) if key == "read_bytes" else np.zeros(len(graph))
            made[key] = held + (graph.attributes[key] - held) * ratio
    return with_attributes(graph, **made)


def between(first: DependencyGraph, second: DependencyGraph, batches: tuple[int, int], wanted: int) -> DependencyGraph:
    """Give the graph of a batch from two measured ones: each task's time is a line through its two medians.

    Args:
        first: of the one batch; the result is this graph with other times.
        second: of the other batch, with the same layers.
        batches: of the two, different.
        wanted: the batch asked for.

    Raises:
        InputError: the graphs have other tasks, the batches are equal, or a line falls below 0.
    """
    if batches[0] == batches[1]:
        raise InputError(f"two batches are needed to tell how times grow, not {batches[0]} twice")
    one, other = _medians(first), _medians(second)
    missing = sorted(one.keys() ^ other.keys())
    if missing:
        name, turn = missing[0]
        raise InputError(f"{len(missing)} tasks are in one batch only: the first is {name}, execution {turn + 1}")
    share = (wanted - batches[0]) / (batches[1] - batches[0])
    rows = work(first)
    keys = _keys(first, rows)
    made = [one[key] + share * (other[key] - one[key]) for key in keys]
    return lasting(first, rows, np.rint(made).astype(np.int64))


def _keys(graph: DependencyGraph, rows: Longs) -> list[tuple[str, int]]:
    """Give name and turn within its call of each of some tasks."""
    steps = step_numbers(graph)
    seen: dict[tuple[str, int], int] = defaultdict(int)
    made = []
    for row in rows.tolist():
        name, step = graph.names[graph.task_name[row]], int(steps[row])
        made.append((name, seen[name, step]))
        seen[name, step] += 1
    return made


def _medians(graph: DependencyGraph) -> dict[tuple[str, int], float]:
    rows = work(graph)
    times: dict[tuple[str, int], list[int]] = defaultdict(list)
    for key, row in zip(_keys(graph, rows), rows.tolist(), strict=True):
        times[key].append(int(graph.duration_ns[row]))
    return {key: float(np.median(values)) for key, values in times.items()}


def _batch(graph: DependencyGraph, values: Values) -> DependencyGraph:
    return grown(graph, float(values["batch"]) / float(values["from"]), float(values["fill"]))


BATCH = Transform(
    name="batch",
    title="Each call has more or fewer inputs.",
    evidence="modelled",
    source="roofline of each layer (CACM 52(4), 2009): constants are fetched once however large the batch is",
    apply=_batch,
    parameters=(
        Parameter(name="batch", kind="count", meaning="inputs of a call afterwards"),
        Parameter(name="from", kind="count", meaning="inputs of a call in the trace", default="1"),
        Parameter(
            name="fill",
            kind="share",
            meaning="share of the arithmetic that takes no longer, as the device is not full",
            default="0%",
        ),
    ),
    requires=lambda graph, _: no_work(graph),
    ensures=lambda before, after, _: "" if len(before) == len(after) else "tasks came or went",
)
