"""Layout of tensors: convolutions on blocks of channels (NCHWc), or on rows of channels as the network has them.

On a processor onnxruntime's layout pass lets convolutions and what may stand between them work on blocks of channels,
which is what its kernels are quick with, and converts at the borders. How much quicker depends on the convolution: here
eight in a row went 0.93 to 1.43 times as fast (median 1.14) where they mix channels, and 6.5 to 30 times (median 7.6)
where each channel is for itself (depthwise); onnxruntime 1.31, one core of an AMD EPYC of family 25. In whole networks
of that machine 1.3 suits the former: each of fifteen is predicted best so by what the other fourteen took. On a GPU the
same question is whether libraries convert: then the kernels that do go.
"""

import re

import numpy as np

from dlbricks.trace.nouns import NONE, Longs
from dlbricks.whatif.edit import NewTask, inserted, lasting, removed
from dlbricks.whatif.inference.convolutions import convolutions, depthwise
from dlbricks.whatif.inference.operators import no_work, plain_name, work
from dlbricks.whatif.inference.shares import figures, rates
from dlbricks.whatif.nouns import DependencyGraph, Floats, TaskKind
from dlbricks.whatif.stepping import step_numbers
from dlbricks.whatif.transform import Parameter, Transform, Values

BLOCKED, PLAIN = "blocked", "plain"
_CONVERSION = re.compile(r"nchwtonhwc|nhwctonchw|nchw_?to_?nhwc|nhwc_?to_?nchw", re.IGNORECASE)
"""Kernels of cuDNN and others."""
_REORDER = re.compile(r"reorder(in|out)put")
_BETWEEN = re.compile(
    r".*pool|add|sum|mul|relu6?|leakyrelu|clip|tanh|sigmoid|hardsigmoid|batchnormalization|concat|resize|upsample|gelu"
)
"""May work on blocks if what they read is in blocks (onnxruntime, nchwc_transformer.cc)."""


def _conversions(graph: DependencyGraph) -> Longs:
    """Give the tasks that do nothing but convert."""
    named = [number for number, name in enumerate(graph.names) if _CONVERSION.search(name)]
    typed = [number for number, name in enumerate(graph.operators) if _REORDER.fullmatch(plain_name(name))]
    kernels = np.isin(graph.task_name, named) & (graph.kind == TaskKind.KERNEL)
    return np.flatnonzero(kernels | (np.isin(graph.operator, typed) & (graph.kind == TaskKind.CPU)))


def _factors(graph: DependencyGraph, values: Values) -> tuple[Longs, Floats]:
    """Give the convolutions and how many times as quick each is on blocks."""
    rows = convolutions(graph)
    each = np.where(depthwise(graph)[rows], float(values["depthwise"]), float(values["dense"]))
    return rows, each


def _layout(graph: DependencyGraph, values: Values) -> DependencyGraph:
    if (graph.kind == TaskKind.KERNEL).any():
        return removed(graph, _conversions(graph))
    rows, each = _factors(graph, values)
    if values["to"] == PLAIN:
        made = lasting(graph, rows, np.rint(graph.duration_ns[rows] * each).astype(np.int64))
        return removed(made, _conversions(graph))
    made = lasting(graph, rows, np.rint(graph.duration_ns[rows] / each).astype(np.int64))
    return inserted(made, _borders(graph, rows))[0]


def _borders(graph: DependencyGraph, blocked_rows: Longs) -> list[NewTask]:
    """Give a conversion wherever blocks begin and end, lane by lane and call by call, in order of execution."""
    rows, steps = work(graph), step_numbers(graph)
    best = rates(graph, rows)
    read, written = figures(graph, "read_bytes"), figures(graph, "written_bytes")
    constants = np.nan_to_num(figures(graph, "parameter_bytes"))
    is_convolution = set(blocked_rows.tolist())
    may = [bool(_BETWEEN.fullmatch(plain_name(name))) for name in graph.operators]
    made = []

    def conversion(name: str, beside: int, after: int, nbytes: float) -> NewTask:
        time_ns = round(best.fixed_ns + 2 * nbytes / best.bytes_per_ns)
        lane = graph.lanes[graph.lane[beside]]
        moves = {"read_bytes": nbytes, "written_bytes": nbytes}
        layer = graph.layers[graph.layer[beside]] if graph.layer[beside] != NONE else None
        return NewTask(
            kind=TaskKind.CPU, name=f"{name} of {graph.names[graph.task_name[beside]]}", lane=lane,
            duration_ns=time_ns, after=after, layer=layer, operator=name, attributes=moves,
        )  # fmt: skip

    for lane in np.unique(graph.lane[rows]):
        blocked, before, size = False, NONE, 0.0
        for row in rows[graph.lane[rows] == lane].tolist():
            if before != NONE and steps[row] != steps[before]:
                blocked = False
            if row in is_convolution:
                if not blocked and before != NONE and steps[row] == steps[before]:
                    made.append(conversion("ReorderInput", row, row - 1, float(read[row] - constants[row])))
                blocked = True
            elif blocked and not may[graph.operator[row]]:
                made.append(conversion("ReorderOutput", before, row - 1, size))
                blocked = False
            before = row
            size = size if np.isnan(written[row]) else float(written[row])
    return made


def _nothing_to_lay_out(graph: DependencyGraph, values: Values) -> str:
    reason = no_work(graph)
    if reason:
        return reason
    if values["to"] not in (BLOCKED, PLAIN):
        return f"'{values['to']}' is no layout: write {BLOCKED} or {PLAIN}"
    if (graph.kind == TaskKind.KERNEL).any():
        return "" if len(_conversions(graph)) else "none of its kernels converts between layouts"
    return _no_other_layout(graph, blocked=values["to"] == BLOCKED)


def _no_other_layout(graph: DependencyGraph, *, blocked: bool) -> str:
    """Say why layers on the host cannot change to blocks of channels, or back."""
    rows, some = convolutions(graph), len(_conversions(graph))
    if not len(rows):
        return "it has no convolutions, which is what layouts are for"
    if blocked and some:
        return "it works on blocks of channels already"
    if not blocked and not some:
        return "nothing in it converts from or to blocks of channels: it works on plain tensors already"
    unknown = np.isnan((figures(graph, "read_bytes") + figures(graph, "written_bytes"))[rows]).sum()
    return f"the bytes of {unknown} of {len(rows)} convolutions are not known" if unknown else ""


LAYOUT = Transform(
    name="layout",
    title="Convolutions work on blocks of channels, or no longer do; on a GPU, conversions of layout go.",
    evidence="modelled",
    source="onnxruntime's layout pass; factors measured on single operators",
    apply=_layout,
    parameters=(
        Parameter(name="to", kind="text", meaning=f"{BLOCKED} or {PLAIN}", default=BLOCKED),
        Parameter(
            name="dense",
            kind="factor",
            meaning="how many times as quick a convolution is on blocks",
            default="1.3",
        ),
        Parameter(
            name="depthwise",
            kind="factor",
            meaning="the same of one with a filter for each channel",
            default="7.6",
        ),
    ),
    requires=_nothing_to_lay_out,
)
