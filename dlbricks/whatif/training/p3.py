"""P3: gradients in slices, those first that the next step needs first.

Jayarajan et al., MLSys 2019; Daydream (USENIX ATC 2020, section 5.3) inserts pushes and pulls on a channel that takes
what is of the best priority.
"""

import math
from collections.abc import Sequence

import numpy as np

from dlbricks.trace.types import Longs
from dlbricks.whatif.edit import NewEdge, NewTask, inserted, removed
from dlbricks.whatif.graph import with_columns
from dlbricks.whatif.nouns import DependencyGraph, EdgeKind, Phase, TaskKind
from dlbricks.whatif.scheduling import Policy
from dlbricks.whatif.select import select
from dlbricks.whatif.stepping import processes
from dlbricks.whatif.training.data_parallel import PARAMETERS, channel, gradients, why_no_gradients
from dlbricks.whatif.training.links import BANDWIDTH, LATENCY, link_of
from dlbricks.whatif.training.optimiser import update_rows
from dlbricks.whatif.transform import Parameter, Transform, Values

PUSH, PULL = "push of gradients", "pull of parameters"
_PRIORITY = "priority"


def _apply(graph: DependencyGraph, values: Values) -> DependencyGraph:
    link = link_of(values)
    steps = gradients(graph, values)
    tasks: list[NewTask] = []
    edges: list[NewEdge] = []
    for number, step in enumerate(steps):
        following = steps[number + 1].rows[0] if number + 1 < len(steps) else len(graph)
        forward = _next_forward(graph, int(step.rows[-1]), int(following))
        up, down = (channel(graph, int(step.rows[0]), name) for name in (PUSH, PULL))
        for place, (row, size) in enumerate(zip(step.rows.tolist(), step.sizes_bytes.tolist(), strict=True)):
            rank = len(step.rows) - 1 - place
            needs = [int(forward[rank * len(forward) // len(step.rows)])] if len(forward) else []
            slices = max(1, math.ceil(size / float(values["size"])))
            time = link.transfer_ns(size / slices)
            for _ in range(slices):
                push = len(graph) + len(tasks)
                for name, lane in ((PUSH, up), (PULL, down)):
                    tasks.append(
                        NewTask(
                            kind=TaskKind.COLLECTIVE, name=name, lane=lane, duration_ns=time, after=row,
                            attributes={"bytes": size / slices, "group_size": 2.0, _PRIORITY: float(rank)},
                        )
                    )  # fmt: skip
                edges.append(NewEdge(kind=EdgeKind.GRADIENT, first=row, second=push))
                edges.append(NewEdge(kind=EdgeKind.GRADIENT, first=push, second=push + 1))
                edges += [NewEdge(kind=EdgeKind.GRADIENT, first=push + 1, second=need) for need in needs]
    grown, _ = inserted(graph, tasks, edges)
    served = removed(grown, update_rows(grown))
    return with_columns(served, "parameter servers update the parameters: the update of the trace is left out")


def _next_forward(graph: DependencyGraph, behind: int, before: int) -> Longs:
    """Give the forward kernels of the next step of the same rank.

    Args:
        graph: with phases.
        behind: the last gradient of this step.
        before: the first gradient of the next step.
    """
    rows = select(graph, kinds=(TaskKind.KERNEL,), phases=(Phase.FORWARD,))
    same: Longs = rows[(rows > behind) & (rows < before) & (processes(graph)[rows] == processes(graph)[behind])]
    return same


def _policy(graph: DependencyGraph, _values: Values) -> Policy:
    names: Sequence[str] = (PUSH, PULL)
    lanes = tuple(number for number, lane in enumerate(graph.lanes) if lane.name in names)
    return Policy(free_lanes=lanes, priority=np.nan_to_num(graph.attributes[_PRIORITY]))


def _broken(before: DependencyGraph, after: DependencyGraph, values: Values) -> str:
    wanted = 2 * sum(float(step.sizes_bytes.sum()) for step in gradients(before, values))
    sent = float(after.attributes["bytes"][after.kind == TaskKind.COLLECTIVE].sum())
    return "" if abs(sent - wanted) <= 1e-6 * wanted else "not all gradients are sent and fetched"


def _why_not(graph: DependencyGraph, values: Values) -> str:
    if not float(values["size"]):
        return "slices of 0 bytes hold nothing"
    return why_no_gradients(graph, values)


P3 = Transform(
    name="p3",
    title="Gradients go to parameter servers in slices, those first that are needed first.",
    evidence="published",
    source="P3 (MLSys 2019); Daydream (USENIX ATC 2020, section 5.3)",
    apply=_apply,
    parameters=(
        BANDWIDTH,
        Parameter(name="size", kind="size", meaning="of a slice", default="200kB"),
        LATENCY,
        PARAMETERS,
    ),
    requires=_why_not,
    ensures=_broken,
    policy=_policy,
)
"""Daydream: each gradient in slices; of each slice a push and then a pull of its bytes by the bandwidth; the channel
takes the slice of the layer that the next forward pass needs first, and that layer waits for its own pull only. Errors
of at most 16.2 %; at high bandwidth it is too optimistic, as servers take time, too.

Slices are of 50,000 parameters, as in P3. Servers update, so the update leaves the worker. Gradients are matched with
forward kernels by their place: the last gradient belongs to the first of the forward pass. Pushes and pulls use the
two directions of the link.
"""
