"""Loading of data by workers beside the training: what is left of it on the main thread, and what it costs there."""

import numpy as np

from dlbricks.whatif.edit import lasting
from dlbricks.whatif.graph import with_columns
from dlbricks.whatif.nouns import DependencyGraph, TaskKind
from dlbricks.whatif.select import select
from dlbricks.whatif.simulate import replay
from dlbricks.whatif.stepping import by_step
from dlbricks.whatif.transform import Parameter, Transform, Values

_HOST = (TaskKind.CPU, TaskKind.SYNCHRONISATION)


def _apply(graph: DependencyGraph, values: Values) -> DependencyGraph:
    loads = select(graph, kinds=(TaskKind.DATA,))
    before = graph.duration_ns[loads]
    fetched = np.minimum(before, round(float(values["time"])))
    quick = _slowed(lasting(graph, loads, fetched), float(values["slowdown"]))
    steps = by_step(quick, loads)
    if len(steps) < 2:
        return quick
    made = replay(quick)
    firsts = np.sort([made.start_ns[rows].min() for rows in steps])
    step_ns = float(np.median(np.diff(firsts)))
    load_ns = float(np.median([graph.duration_ns[rows].sum() for rows in steps])) / float(values["workers"])
    waits = max(0, round(load_ns - step_ns))
    if not waits:
        return quick
    first_of_step = np.array([rows[0] for rows in steps])
    note = f"{values['workers']:.0f} workers load a batch in {load_ns / 1e6:.1f} ms, longer than a step takes"
    return with_columns(lasting(quick, first_of_step, quick.duration_ns[first_of_step] + waits), note)


def _slowed(graph: DependencyGraph, factor: float) -> DependencyGraph:
    """Let host calls and what passes between them take longer."""
    rows = select(graph, kinds=_HOST)
    durations, gaps = np.array(graph.duration_ns), np.array(graph.gap_ns)
    durations[rows] = np.rint(durations[rows] * factor)
    gaps[rows] = np.rint(gaps[rows] * factor)
    return with_columns(graph, duration_ns=durations, gap_ns=gaps)


def _why_not(graph: DependencyGraph, _values: Values) -> str:
    if not len(select(graph, kinds=(TaskKind.DATA,))):
        return "nothing in it loads data on the main thread; record with the ranges of a data loader"
    return ""


DATA_LOADER = Transform(
    name="data-loader",
    title="Worker processes load data beside the training instead of the main thread.",
    evidence="back-tested",
    source="two pairs of public traces of ResNet-50 on a V100 (pytorch/kineto, tb_plugin/samples), 0 and 4 workers",
    apply=_apply,
    parameters=(
        Parameter(name="workers", kind="count", meaning="number of worker processes", default="4"),
        Parameter(name="time", kind="time", meaning="to fetch a batch that is ready", default="1.4ms"),
        Parameter(
            name="slowdown", kind="factor", meaning="of the main thread, with which workers share the processor",
            default="1.15x",
        ),
    ),
    requires=_why_not,
    ensures=lambda before, after, _values: "" if len(before) == len(after) else "tasks are gone",
)  # fmt: skip
"""Daydream has no model of this. Loading takes what it takes to fetch a ready batch (1.4 ms in both pairs) while the
workers keep up, that is while one batch in ``load / workers`` is no slower than a step; if not, the rest is waited for.

Workers slow the main thread: in the two pairs calls that launch kernels took 21 % and 10 % longer. Host tasks and what
passes between them are slowed by a factor that was fitted to the pairs: 1.19 fits the first and 1.11 the second, of
which 1.15 is the middle. Left out of the fit, the median step of a pair is missed by -4.1 % (first, by the factor of
the second) and +3.4 %. Kernels, launches' latencies and the device are not touched.
"""
