"""More or fewer threads of the pool that a runtime computes a layer with."""

import numpy as np

from dlbricks.whatif.edit import lasting
from dlbricks.whatif.inference.operators import no_work, work
from dlbricks.whatif.inference.shares import shares
from dlbricks.whatif.nouns import DependencyGraph, TaskKind
from dlbricks.whatif.transform import Parameter, Transform, Values


def speed(threads: float, efficiency: float) -> float:
    """Give how much faster work is on some threads than on one.

    Args:
        threads: at least 1.
        efficiency: what each thread beyond the first adds, 0 to 1.
    """
    return 1 + (threads - 1) * efficiency


def _threads(graph: DependencyGraph, values: Values) -> DependencyGraph:
    """Let arithmetic and memory scale with threads, each as it does, and let a layer on several pay their wake-up.

    A layer that would take longer on several threads stays on one, as runtimes decide by what it costs; one that took
    no longer than a wake-up was on one. The defaults suit 20 networks of onnxruntime 1.31 on one and two cores of an
    AMD EPYC of family 25; single operators there went 1.80 to 1.90 times as fast, those of 5 us stayed as they were.
    """
    before, after = float(values["from"]), float(values["threads"])
    parts = shares(graph, work(graph))
    arithmetic, memory = (
        np.full(len(parts.rows), speed(before, float(values[key])) / speed(after, float(values[key])))
        for key in ("efficiency", "memory")
    )
    wake = float(values["wake"])
    own = graph.duration_ns[parts.rows].astype(np.float64)
    woken = wake if before > 1 else 0.0
    factor = parts.arithmetic * arithmetic + parts.memory * memory + parts.fixed
    made = np.where(own > woken, (own - woken) * factor + (wake if after > 1 else 0.0), own)
    if after > before:
        made = np.minimum(made, own)
    return lasting(graph, parts.rows, np.rint(made).astype(np.int64))


def _not_on_host(graph: DependencyGraph, values: Values) -> str:
    reason = no_work(graph)
    if not reason and (graph.kind == TaskKind.KERNEL).any():
        return "its work runs on a device, which threads of the host do not compute"
    if not reason and values["threads"] == values["from"]:
        return f"it has {values['from']:.0f} threads already"
    return reason


THREADS = Transform(
    name="threads",
    title="A runtime computes each layer with more or fewer threads.",
    evidence="modelled",
    source="Amdahl 1967 for each layer by its roofline; wake-up of a pool as a cost of each layer",
    apply=_threads,
    parameters=(
        Parameter(name="threads", kind="count", meaning="threads afterwards"),
        Parameter(name="from", kind="count", meaning="threads of the trace", default="1"),
        Parameter(
            name="efficiency", kind="share", meaning="what each further thread adds to arithmetic", default="95%"
        ),
        Parameter(name="memory", kind="share", meaning="what each further thread adds to bandwidth", default="90%"),
        Parameter(name="wake", kind="time", meaning="what a layer pays for waking the others", default="2us"),
    ),
    requires=_not_on_host,
)
