"""Other kernels for the same work: any by name, and attention as one kernel."""

import re

import numpy as np

from dlbricks.trace.types import NONE, Longs
from dlbricks.whatif.edit import scaled
from dlbricks.whatif.inference.chains import following, words_of
from dlbricks.whatif.inference.fuse import fused
from dlbricks.whatif.inference.operators import no_work, work
from dlbricks.whatif.inference.rewrite import with_names
from dlbricks.whatif.nouns import DependencyGraph, Phase
from dlbricks.whatif.select import select
from dlbricks.whatif.transform import Parameter, Transform, Values

_SOFTMAX = re.compile(r"softmax", re.IGNORECASE)
_MOST = 12
"""Tasks between the two products of attention: scaling, mask, softmax, dropout, copies."""


def _swapped(graph: DependencyGraph, values: Values) -> Longs:
    return np.intersect1d(select(graph, name=str(values["kernel"])), work(graph))


def _swap(graph: DependencyGraph, values: Values) -> DependencyGraph:
    rows = _swapped(graph, values)
    made = scaled(graph, rows, 1 / float(values["factor"]))
    return with_names(made, dict.fromkeys(rows.tolist(), str(values["by"]))) if values["by"] else made


def _nothing_to_swap(graph: DependencyGraph, values: Values) -> str:
    reason = no_work(graph)
    if reason or len(_swapped(graph, values)):
        return reason
    return f"no kernel or layer is called '{values['kernel']}'"


KERNEL_SWAP = Transform(
    name="kernel-swap",
    title="Other kernels do the same work in another time.",
    evidence="modelled",
    source="Daydream leaves the times of new kernels to who asks (USENIX ATC 2020, section 4.3), so does this",
    apply=_swap,
    parameters=(
        Parameter(name="kernel", kind="text", meaning="found anywhere in the name, case aside (regular expression)"),
        Parameter(name="factor", kind="factor", meaning="how many times as quick the other kernel is"),
        Parameter(name="by", kind="text", meaning="name of the other kernel", default=""),
    ),
    requires=_nothing_to_swap,
)


def attentions(graph: DependencyGraph) -> tuple[tuple[int, ...], ...]:
    """Find attention that is not fused: a product, what leads to a softmax and away from it, a product."""
    words, after = words_of(graph), following(graph).tolist()
    softmax = np.array([bool(_SOFTMAX.search(name)) for name in graph.names] or [False])[graph.task_name]
    typed = np.array([bool(_SOFTMAX.search(name)) for name in (*graph.operators, "")])[graph.operator]
    softmax |= typed
    found: list[tuple[int, ...]] = []
    taken: set[int] = set()
    for row in work(graph).tolist():
        if "matrix" not in words[row] or row in taken or graph.phase[row] == Phase.BACKWARD:
            continue
        chain, at = [row], after[row]
        while at != NONE and "matrix" not in words[at] and len(chain) <= _MOST:
            chain.append(at)
            at = after[at]
        if at != NONE and "matrix" in words[at] and at not in taken and softmax[chain].any():
            found.append((*chain, at))
            taken.update(found[-1])
    return tuple(found)


def _attention(graph: DependencyGraph, values: Values) -> DependencyGraph:
    groups = attentions(graph)
    products = np.array([group[place] for group in groups for place in (0, -1)])
    return fused(scaled(graph, products, 1 / float(values["factor"])), groups)


ATTENTION = Transform(
    name="attention",
    title="One kernel computes attention, and the matrix of all pairs never reaches memory.",
    evidence="modelled",
    source="FlashAttention (NeurIPS 2022, section 3): the products stay, what they hand over in memory goes",
    apply=_attention,
    parameters=(
        Parameter(
            name="factor", kind="factor", meaning="how many times as quick its products are as the two are", default="1"
        ),
    ),
    requires=lambda graph, _: (
        no_work(graph) or ("" if attentions(graph) else "nowhere does a softmax stand between two products")
    ),
    ensures=lambda before, after, _: "" if len(after) < len(before) else "no task is gone",
)
