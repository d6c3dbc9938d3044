"""Layer fusion off and on: several layers become one kernel that keeps in registers what they handed over in memory."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from dlbricks.trace.types import NONE, Longs
from dlbricks.whatif.edit import NewEdge, NewTask, inserted, lasting, removed
from dlbricks.whatif.graph import with_attributes
from dlbricks.whatif.inference.chains import chains, read_pattern, words_of
from dlbricks.whatif.inference.operators import no_work, work, work_classes
from dlbricks.whatif.inference.rewrite import with_names, with_operators
from dlbricks.whatif.inference.shares import figures, moved_bytes, passing_ns, rates, shares
from dlbricks.whatif.kernels import KernelClass
from dlbricks.whatif.nouns import DependencyGraph, EdgeKind, TaskKind
from dlbricks.whatif.transform import Parameter, Transform, Values
from dlbricks.whatif.waits import launches

_PATTERN = Parameter(
    name="pattern",
    kind="text",
    meaning="operators or classes of work that follow each other, as in Conv+Relu|Clip",
    default="matrix+elementwise*",
)


def fused(graph: DependencyGraph, groups: Sequence[Sequence[int]], left: float = 0.0) -> DependencyGraph:
    """Make one task of each group; it stands where the last one stood and waits for all that any of them waited for.

    The longest product of a group, or the longest of its tasks, keeps its time. Of each other one the fixed part goes,
    its arithmetic stays, and so does what it moves beside what the one before it hands over; launches and gaps of all
    but the last go.

    Args:
        graph: of tasks.
        groups: tasks in order of execution, each in one group at most.
        left: share of the memory time of a task that stays where its bytes are not known.
    """
    parts = shares(graph, work(graph))
    place = {row: index for index, row in enumerate(parts.rows.tolist())}
    read, written = figures(graph, "read_bytes"), figures(graph, "written_bytes")
    moved = moved_bytes(graph)
    durations = graph.duration_ns.astype(np.float64)
    columns = {key: np.array(values) for key, values in graph.attributes.items()}
    names, operators = {}, {}
    products = np.isin(work_classes(graph), (KernelClass.MATRIX, KernelClass.ATTENTION))
    for group in groups:
        rows, last = list(group), group[-1]
        heaviest = max(rows, key=lambda row: (products[row], durations[row]))
        total = durations[heaviest]
        for before, row in zip((None, *rows[:-1]), rows, strict=True):
            if row != heaviest:
                # the first hands over what it writes, another takes what the one before writes and writes the result
                handed = written[row] if before is None else written[before] + written[row]
                stays = (moved[row] - handed) / moved[row] if moved[row] >= handed > 0 else left
                total += durations[row] * (parts.arithmetic[place[row]] + parts.memory[place[row]] * stays)
        for key in {"flops", "parameter_bytes"} & columns.keys():
            columns[key][last] = columns[key][rows].sum()
        if "read_bytes" in columns:
            columns["read_bytes"][last] = read[rows].sum() - written[rows[:-1]].sum()
        names[last] = "+".join(graph.names[graph.task_name[row]] for row in rows)
        if graph.operator[heaviest] != NONE:
            operators[last] = graph.operators[graph.operator[heaviest]]
        durations[last] = total
    made = with_operators(with_names(with_attributes(graph, **columns), names), operators)
    made = lasting(made, np.arange(len(graph)), np.rint(durations).astype(np.int64))
    return removed(made, np.array(sorted(row for group in groups for row in group[:-1]), np.int64))


def _fuse(graph: DependencyGraph, values: Values) -> DependencyGraph:
    return fused(graph, chains(graph, read_pattern(str(values["pattern"]))), float(values["left"]))


def _nothing_to_fuse(graph: DependencyGraph, values: Values) -> str:
    reason = no_work(graph)
    if reason or chains(graph, read_pattern(str(values["pattern"]))):
        return reason
    return f"no tasks follow each other as {values['pattern']} says"


FUSE = Transform(
    name="fuse",
    title="Layers that follow each other become one.",
    evidence="modelled",
    source=(
        "Daydream removes or scales the kernels of fused layers by hand (USENIX ATC 2020, section 5); here what "
        "stays of each follows from its bytes"
    ),
    apply=_fuse,
    parameters=(
        _PATTERN,
        Parameter(
            name="left",
            kind="share",
            meaning="what stays of a layer whose bytes are not known, beside its arithmetic",
            default="0%",
        ),
    ),
    requires=_nothing_to_fuse,
    ensures=lambda before, after, _: "" if len(after) < len(before) else "no task is gone",
)


def _chosen(graph: DependencyGraph, values: Values) -> Longs:
    token = read_pattern(str(values["pattern"]))[0]
    words = words_of(graph)
    return np.array([row for row in work(graph).tolist() if words[row] & token.words], np.int64)


def _unfuse(graph: DependencyGraph, values: Values) -> DependencyGraph:
    """Let a task of its own, which reads and writes what another wrote, follow each of some tasks."""
    rows = work(graph)
    best = rates(graph, rows)
    written, launched = figures(graph, "written_bytes"), launches(graph)
    tasks: list[NewTask] = []
    edges: list[NewEdge] = []
    for row in _chosen(graph, values).tolist():
        name = f"{values['operator']} of {graph.names[graph.task_name[row]]}"
        layer = graph.layers[graph.layer[row]] if graph.layer[row] >= 0 else None
        lane, kind = graph.lanes[graph.lane[row]], TaskKind(int(graph.kind[row]))
        call = int(launched[row])
        if call >= 0:
            edge = int(np.flatnonzero((graph.edge_to == row) & (graph.edge_kind == EdgeKind.LAUNCH))[-1])
            host = graph.lanes[graph.lane[call]]
            text, lasts = graph.names[graph.task_name[call]], int(graph.duration_ns[call])
            tasks.append(
                NewTask(
                    kind=TaskKind.CPU, name=text, lane=host, duration_ns=lasts, after=call, layer=layer,
                    gap_ns=int(graph.gap_ns[call]),
                )
            )  # fmt: skip
            first = len(graph) + len(tasks) - 1
            lag = int(graph.edge_lag_ns[edge])
            edges.append(NewEdge(kind=EdgeKind.LAUNCH, first=first, second=first + 1, lag_ns=lag))
        time_ns = passing_ns(graph, rows, best, 2 * float(written[row]))
        moves = {"read_bytes": float(written[row]), "written_bytes": float(written[row])}
        tasks.append(
            NewTask(
                kind=kind, name=name, lane=lane, duration_ns=time_ns, after=row, layer=layer, attributes=moves,
                operator=str(values["operator"]),
            )
        )  # fmt: skip
    return inserted(graph, tasks, edges)[0]


def _nothing_to_unfuse(graph: DependencyGraph, values: Values) -> str:
    reason = no_work(graph)
    if reason:
        return reason
    rows = _chosen(graph, values)
    if not len(rows):
        return f"it has nothing that is {values['pattern']}"
    unknown = int(np.isnan(figures(graph, "written_bytes")[rows]).sum())
    return f"the bytes that {unknown} of {len(rows)} of these tasks write are not known" if unknown else ""


UNFUSE = Transform(
    name="unfuse",
    title="What was fused into layers becomes a layer of its own.",
    evidence="modelled",
    source="the inverse of fuse: one more task, which reads and writes what the layer wrote",
    apply=_unfuse,
    parameters=(
        replace(_PATTERN, meaning="operators or a class of work, as in FusedConv|Conv", default="matrix"),
        Parameter(name="operator", kind="text", meaning="what each becomes free of, as in Relu", default="Relu"),
    ),
    requires=_nothing_to_unfuse,
    ensures=lambda before, after, _: "" if len(after) > len(before) else "no task is new",
)
