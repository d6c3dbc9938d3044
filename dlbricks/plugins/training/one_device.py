"""Transforms of training on one device, and pairs of forward and backward kernels."""

import re
from collections import Counter
from dataclasses import replace

import numpy as np

from dlbricks.errors import InputError
from dlbricks.trace.types import NONE, Longs
from dlbricks.units import parse_duration
from dlbricks.whatif.edit import Merge, least_kernel_ns, merged, scaled, with_durations
from dlbricks.whatif.graph import DependencyGraph, Phase, TaskKind, launches, with_columns
from dlbricks.whatif.select import by_lane, by_step, of_layer, of_name, select
from dlbricks.whatif.simulate import replay
from dlbricks.whatif.transform import Parameter, Transform, Values, counting
from dlbricks.whatif.work import memory_rate

# Pattern in names of kernels or layers.
RELU = r"relu|threshold|clamp"
# Kernels that set gradients to zero do not belong to the update.
_ZEROING = re.compile(r"fill|memset|zero", re.IGNORECASE)
# Bytes read and written per parameter by an update in single precision: parameter, gradient, states.
_STATES_BYTES = {"sgd": 12, "momentum": 20, "adam": 28}
_AUTO, _SUM = "auto", "sum"
# Operators of an update that is not fused, one by one or for lists of tensors.
_STEP_OF = re.compile(r"(?:aten::)?(?:_foreach_)?(\w+?)_?")
_OF_SGD = frozenset({"add", "mul"})
# Adam keeps two averages of each gradient, of which RMSprop has one.
_MOMENTS = 2
_FROM_TRACE = "trace"
_OF_ADAM = frozenset({"mul", "lerp", "addcmul", "sqrt", "div", "add", "addcdiv"})


def kernels_named(graph: DependencyGraph, pattern: str, phase: Phase) -> Longs:
    """Return the kernels of a phase whose name or layer matches a pattern."""
    matches = re.compile(pattern, re.IGNORECASE).search
    both = of_name(graph, matches) | of_layer(graph, matches)
    return select(graph, kinds=(TaskKind.KERNEL,), phases=(phase,), where=lambda _: both)


def matching_backward(forward: Longs, backward: Longs) -> Longs:
    """Return the first backward kernel of each forward kernel's layer; backward layers are taken in reverse order.

    Both are kernels of one step, in order; ``backward`` has at least one kernel.
    """
    count = len(forward)
    places = np.ceil((count - 1 - np.arange(count)) * len(backward) / count).astype(np.int64)
    return backward[np.minimum(places, len(backward) - 1)]


def passes_by_step(graph: DependencyGraph, forward: Longs, backward: Longs) -> tuple[tuple[Longs, Longs], ...]:
    """Return the forward and backward kernels of each step that has both kinds."""
    steps = by_step(graph, np.union1d(forward, backward))
    split = ((rows[np.isin(rows, forward)], rows[np.isin(rows, backward)]) for rows in steps)
    return tuple((first, second) for first, second in split if len(first) and len(second))


def update_rows(graph: DependencyGraph) -> Longs:
    """Return the kernels that update parameters, without those that zero gradients."""
    rows = select(
        graph, kinds=(TaskKind.KERNEL,), phases=(Phase.UPDATE,), where=lambda edited: ~of_name(edited, _ZEROING.search)
    )
    # kernels of a captured graph have no launch of their own
    launch = launches(graph)
    shared = np.bincount(launch[launch >= 0], minlength=len(graph)) > 1
    return rows[~shared[launch[rows]] | (launch[rows] < 0)]


def _fused(graph: DependencyGraph, values: Values) -> DependencyGraph:
    least = least_kernel_ns(graph)
    merges = []
    for step in by_step(graph, update_rows(graph)):
        for rows in by_lane(graph, step):
            sums = {key: float(graph.figures(key)[rows].sum()) for key in ("flops", "read_bytes", "written_bytes")}
            time = max(least, _fused_ns(graph, rows, values))
            merges.append(Merge(rows=rows, name="fused update", duration_ns=time, attributes=sums))
    return merged(graph, merges)


def _fused_ns(graph: DependencyGraph, rows: Longs, values: Values) -> int:
    """Return the time of a fused update, ns: computed from bytes, but at most the time of the kernels ``rows``."""
    summed = int(graph.duration_ns[rows].sum())
    kind = _recorded(graph, rows, values) if values["optimiser"] == _AUTO else values["optimiser"]
    if kind == _SUM:
        return summed
    nbytes = parameter_count(graph, values) * _STATES_BYTES[kind]
    return min(round(1e9 * nbytes / memory_rate(graph.device)), summed)


def _recorded(graph: DependencyGraph, rows: Longs, values: Values) -> str:
    """Return the recorded optimiser; ``sum`` if the optimiser or the number of parameters is unknown."""
    if values["parameters"] == _FROM_TRACE and "gradient_bytes" not in graph.attributes:
        return _SUM
    operators = graph.operator[rows][graph.operator[rows] != NONE].tolist()
    counts: Counter[str] = Counter()
    for number in operators:
        match = _STEP_OF.fullmatch(graph.operators[number])
        counts[match[1] if match else ""] += 1
    if not operators or not counts.keys() <= _OF_ADAM:
        return _SUM
    if counts.keys() <= _OF_SGD:
        return "momentum" if counts["mul"] else "sgd"
    # before it had lerp, Adam multiplied both moments; RMSprop has one
    adam = counts["addcdiv"] and (counts["lerp"] or counts["mul"] >= _MOMENTS * counts["addcdiv"])
    return "adam" if adam else _SUM


def parameter_count(graph: DependencyGraph, values: Values) -> float:
    """Return the number of parameters: as stated by the user, or the number of gradient elements in the largest step.

    Raises ``InputError`` if both are unknown.
    """
    stated = values["parameters"]
    if stated != _FROM_TRACE:
        try:
            number = float(stated)
        except ValueError as error:
            raise InputError(f"invalid parameters '{stated}': expected their number, as in 25.6e6") from error
        if not 0 < number < float("inf"):
            raise InputError(f"invalid parameters '{stated}': expected a number above 0")
        return number
    sizes = graph.attributes.get("gradient_bytes")
    if sizes is None:
        raise InputError(
            f"{graph.name}: sizes of gradients are unknown: record it with record_shapes=True, or give "
            "parameters=NUMBER"
        )
    return max(float(sizes[step].sum()) for step in by_step(graph, np.flatnonzero(~np.isnan(sizes)))) / 4


def _nothing_to_fuse(graph: DependencyGraph, values: Values) -> str:
    if values["optimiser"] not in {_AUTO, _SUM, *_STATES_BYTES}:
        return f"invalid optimiser '{values['optimiser']}': expected one of {_AUTO}, {_SUM}, {', '.join(_STATES_BYTES)}"
    steps = by_step(graph, update_rows(graph))
    if not steps:
        return "it has no parameter update"
    return "its update is one kernel per step already" if max(len(rows) for rows in steps) == 1 else ""


def _fused_wrong(before: DependencyGraph, after: DependencyGraph, _values: Values) -> str:
    was, now = (graph.duration_ns[update_rows(graph)] for graph in (before, after))
    if now.sum() > was.sum():
        return "updates take longer than before"
    return "" if len(now) < len(was) else "no update was fused"


_OF_UPDATES = (
    Parameter(
        "optimiser",
        "text",
        "optimiser, whose bytes give the time: sgd, momentum, adam or auto (as recorded); sum: time of the old kernels",
        _AUTO,
    ),
    Parameter("parameters", "text", "parameter count of the model; trace: as recorded", _FROM_TRACE),
)
# Daydream replaces all launches and kernels of the update by one launch and one kernel with the sum of their times.
# That is an upper bound, as fused kernels read and write each value once. Reported errors are within 13 % on BERT and
# GNMT.
#
# Differences: if the optimiser is named, or its operators were recorded, the time follows from bytes moved
# (``_STATES_BYTES``); zeroing of gradients is not part of the update; host time after the update stays; updates inherit
# the dependencies of the replaced kernels. Host work of a fused optimiser between its launches is not modelled.
FUSED_OPTIMIZER = Transform(
    name="fused-optimizer",
    synonyms=("fused-optimiser",),
    title="Fused optimizer: one or a few kernels update all parameters.",
    source="Daydream (USENIX ATC 2020, section 5.2)",
    apply=_fused,
    parameters=_OF_UPDATES,
    requires=_nothing_to_fuse,
    ensures=_fused_wrong,
)
# Another name of ``fused-optimizer:adam``.
FUSED_ADAM = replace(
    FUSED_OPTIMIZER,
    name="fused-adam",
    synonyms=("adam",),
    title="Fused Adam: fused-optimizer by the bytes that Adam moves.",
    source="Daydream (USENIX ATC 2020, section 5.2), by bytes",
    parameters=(*_OF_UPDATES[1:], replace(_OF_UPDATES[0], default="adam")),
)


# Time to fetch a ready batch, ns: in both pairs of traces.
_FETCH_NS = 1_400_000


def _fetched(graph: DependencyGraph, values: Values) -> DependencyGraph:
    loads = select(graph, kinds=(TaskKind.DATA,))
    # what workers had ready was fetched in less than the usual time
    ready = select(graph, kinds=(TaskKind.DATA,), name="MultiProcessing", where=lambda of: of.duration_ns < _FETCH_NS)
    if values["time"] != _FROM_TRACE:
        fetch_ns = parse_duration(str(values["time"]))
    elif len(ready):
        fetch_ns = round(float(np.median(graph.duration_ns[ready])))
    else:
        fetch_ns = _FETCH_NS
        graph = with_columns(
            graph, "the time to fetch a ready batch is assumed to be 1.4 ms: set the true time, as in time=0.8ms"
        )
    quick = with_durations(graph, loads, np.minimum(graph.duration_ns[loads], fetch_ns))
    hosts = select(graph, kinds=(TaskKind.CPU, TaskKind.SYNCHRONISATION))
    quick = scaled(quick, hosts, values["slowdown"], gaps=True)
    steps = by_step(quick, loads)
    if len(steps) < 2:
        return quick
    schedule = replay(quick)
    step_ns = float(np.median(np.diff(np.sort([schedule.start_ns[rows].min() for rows in steps]))))
    each_ns = float(np.median([graph.duration_ns[rows].sum() for rows in steps]))
    load_ns = each_ns * min(1.0, values["slowdown"] / values["workers"])
    waits = max(0, round(load_ns - step_ns))
    if not waits:
        return quick
    firsts = np.array([rows[0] for rows in steps])
    note = f"{values['workers']:.0f} workers load a batch in {load_ns / 1e6:.1f} ms, longer than a step"
    return with_columns(with_durations(quick, firsts, quick.duration_ns[firsts] + waits), note)


# Not modelled by Daydream. Loading is replaced by fetching a ready batch as long as ``load *
# slowdown / workers`` does not exceed a step; the rest is waited for. Each worker makes whole batches.
#
# Workers slow the main thread and each other: in the two pairs, launching calls took 21 % and 10 % longer. Host tasks
# and gaps are scaled by a factor fitted to the pairs: 1.19 for the first and 1.11 for the second, of which 1.15 is the
# middle. Kernels and launch latencies are unchanged.
DATA_LOADER = Transform(
    name="data-loader",
    synonyms=("dataloader", "loader", "num-workers"),
    title="Data loading by worker processes instead of the main thread.",
    source="two pairs of public traces of ResNet-50 on a V100 (pytorch/kineto, tb_plugin/samples), 0 and 4 workers",
    apply=_fetched,
    parameters=(
        Parameter("workers", "count", "number of worker processes", "4"),
        Parameter("time", "text", "time to fetch a ready batch; trace: as recorded, else 1.4 ms", _FROM_TRACE),
        Parameter(
            "slowdown", "factor", "slowdown of the main thread and of workers, which share the processor", "1.15x"
        ),
    ),
    requires=lambda graph, _values: (
        ""
        if (graph.kind == TaskKind.DATA).any()
        else "it has no data loading on the main thread; record it with data loader ranges"
    ),
    ensures=counting(0, "tasks are gone"),
)
