"""Layers that follow each other as one, or apart again: ``fuse``, ``unfuse``, ``attention``.

Several layers become one kernel that keeps in registers what they handed over in memory. Chains of tasks are found by
what they do: ``Conv+Relu`` or ``matrix+elementwise*``.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dlbricks.errors import InputError
from dlbricks.trace.types import NONE, Longs
from dlbricks.whatif.edit import NewEdge, NewTask, inserted, layer_beside, removed, scaled, task_like, with_durations
from dlbricks.whatif.graph import DependencyGraph, EdgeKind, Phase, launches, with_attributes, with_texts
from dlbricks.whatif.select import by_lane, of_name, of_operator, step_numbers
from dlbricks.whatif.transform import Parameter, Transform, Values, counting
from dlbricks.whatif.work import (
    PRODUCTS,
    KernelClass,
    moved_bytes,
    no_work,
    passing,
    plain_name,
    shares,
    work,
    work_classes,
)

_TOKEN = re.compile(r"[\w.:|]+\*?")
_SOFTMAX = re.compile(r"softmax", re.IGNORECASE)
_MOST = 12
"""Tasks between the two products of attention: scaling, mask, softmax, dropout, copies."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """One place of a pattern."""

    words: frozenset[str]
    """Any of them fits: an operator without its domain, or the name of a class of work, in lower case."""
    repeated: bool
    """Whether one or more tasks fit, as many as there are."""


def read_pattern(text: str) -> tuple[Token, ...]:
    """Read ``Conv+Relu|Clip`` or ``matrix+elementwise*``.

    Raises:
        InputError: it is no pattern.
    """
    parts = [part.strip() for part in text.split("+")]
    if not all(_TOKEN.fullmatch(part) for part in parts):
        message = f"'{text}' is no pattern of layers: join operators or classes by +, as in Conv+Relu|Clip"
        raise InputError(f"{message} or matrix+elementwise*")
    known = {kind.name.lower() for kind in KernelClass}
    return tuple(
        Token(
            words=frozenset(
                word.lower() if word.lower() in known else plain_name(word) for word in part.rstrip("*").split("|")
            ),
            repeated=part.endswith("*"),
        )
        for part in parts
    )


def _words_of(graph: DependencyGraph) -> list[frozenset[str]]:
    """Give for each task what a token may call it."""
    kinds = [kind.name.lower() for kind in sorted(KernelClass)]
    plain = [*(plain_name(operator) for operator in graph.operators), "no operator"]
    pairs = zip(work_classes(graph).tolist(), graph.operator.tolist(), strict=True)
    return [frozenset((kinds[kind], plain[operator])) for kind, operator in pairs]


def _following(graph: DependencyGraph) -> list[int]:
    """Give the only consumer of each task of the network; ``NONE`` where there is none or several.

    Where edges say which layer feeds which, it is the only one that the task feeds. Elsewhere it is the next on its
    lane within the same call, unless its bytes are known and it reads less than the task writes.
    """
    rows = work(graph)
    made = np.full(len(graph), NONE, np.int64)
    fed = np.flatnonzero((graph.edge_kind == EdgeKind.DATA) & np.isin(graph.edge_from, rows))
    if len(fed):
        once = np.bincount(graph.edge_from[fed], minlength=len(graph)) == 1
        single = fed[once[graph.edge_from[fed]] & np.isin(graph.edge_to[fed], rows)]
        made[graph.edge_from[single]] = graph.edge_to[single]
        return made.tolist()
    read, written, step = graph.figures("read_bytes"), graph.figures("written_bytes"), step_numbers(graph)
    for lane in by_lane(graph, rows):
        first, second = lane[:-1], lane[1:]
        fits = (step[first] == step[second]) & ~(read[second] < written[first])
        made[first[fits]] = second[fits]
    return made.tolist()


def chains(graph: DependencyGraph, pattern: Sequence[Token]) -> tuple[tuple[int, ...], ...]:
    """Find every chain of at least two tasks that fits a pattern, the first one first; no task is in two."""
    words, after = _words_of(graph), _following(graph)
    taken: set[int] = {NONE}
    found = []
    for row in work(graph).tolist():
        chain: list[int] = []
        at = row
        for token in pattern:
            count = len(chain)
            while at not in taken and words[at] & token.words and (token.repeated or len(chain) == count):
                chain.append(at)
                at = after[at]
            if len(chain) == count:
                chain = []
                break
        if len(chain) > 1:
            found.append(tuple(chain))
            taken.update(chain)
    return tuple(found)


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
    read, written, moved = graph.figures("read_bytes"), graph.figures("written_bytes"), moved_bytes(graph)
    durations = graph.duration_ns.astype(np.float64)
    columns = {key: np.array(values) for key, values in graph.attributes.items()}
    names, operators = {}, {}
    products = np.isin(work_classes(graph), PRODUCTS)
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
        names[last] = "+".join(graph.named(row) for row in rows)
        if graph.operator[heaviest] != NONE:
            operators[last] = graph.operators[graph.operator[heaviest]]
        durations[last] = total
    made = with_texts(with_attributes(graph, **columns), "names", "task_name", names)
    made = with_durations(with_texts(made, "operators", "operator", operators), np.arange(len(graph)), durations)
    return removed(made, np.array(sorted(row for group in groups for row in group[:-1]), np.int64))


def _groups(graph: DependencyGraph, values: Values) -> tuple[tuple[int, ...], ...]:
    return chains(graph, read_pattern(values["pattern"]))


FUSE = Transform(
    name="fuse",
    title="Layers that follow each other become one.",
    source=(
        "Daydream removes or scales the kernels of fused layers by hand (USENIX ATC 2020, section 5); here what "
        "stays of each follows from its bytes"
    ),
    apply=lambda graph, values: fused(graph, _groups(graph, values), values["left"]),
    parameters=(
        Parameter(
            "pattern",
            "text",
            "operators or classes of work that follow each other, as in Conv+Relu|Clip",
            "matrix+elementwise*",
        ),
        Parameter("left", "share", "what stays of a layer whose bytes are not known, beside its arithmetic", "0%"),
    ),
    requires=lambda graph, values: (
        no_work(graph) or ("" if _groups(graph, values) else f"no tasks follow each other as {values['pattern']} says")
    ),
    ensures=counting(-1, "no task is gone"),
)


def _chosen(graph: DependencyGraph, values: Values) -> Longs:
    token = read_pattern(values["pattern"])[0]
    words = _words_of(graph)
    return np.array([row for row in work(graph).tolist() if words[row] & token.words], np.int64)


def _unfused(graph: DependencyGraph, values: Values) -> DependencyGraph:
    """Let a task of its own, which reads and writes what another wrote, follow each of some tasks."""
    takes_ns = passing(graph, work(graph))
    written, launched = graph.figures("written_bytes"), launches(graph)
    tasks: list[NewTask] = []
    edges: list[NewEdge] = []
    for row in _chosen(graph, values).tolist():
        call, operator, nbytes = int(launched[row]), values["operator"], float(written[row])
        made = layer_beside(graph, row, operator, takes_ns(2 * nbytes), (nbytes, nbytes))
        if call != NONE:
            edge = int(np.flatnonzero((graph.edge_to == row) & (graph.edge_kind == EdgeKind.LAUNCH))[-1])
            first, lag = len(graph) + len(tasks), int(graph.edge_lag_ns[edge])
            edges.append(NewEdge(kind=EdgeKind.LAUNCH, first=first, second=first + 1, lag_ns=lag))
            tasks.append(task_like(graph, call, layer=made.layer, gap_ns=int(graph.gap_ns[call])))
        tasks.append(made)
    return inserted(graph, tasks, edges).graph


def _nothing_to_unfuse(graph: DependencyGraph, values: Values) -> str:
    reason = no_work(graph)
    if reason:
        return reason
    rows = _chosen(graph, values)
    if not len(rows):
        return f"it has nothing that is {values['pattern']}"
    unknown = int(np.isnan(graph.figures("written_bytes")[rows]).sum())
    return f"the bytes that {unknown} of {len(rows)} of these tasks write are not known" if unknown else ""


UNFUSE = Transform(
    name="unfuse",
    title="What was fused into layers becomes a layer of its own.",
    source="the inverse of fuse: one more task, which reads and writes what the layer wrote",
    apply=_unfused,
    parameters=(
        Parameter("pattern", "text", "operators or a class of work, as in FusedConv|Conv", "matrix"),
        Parameter("operator", "text", "what each becomes free of, as in Relu", "Relu"),
    ),
    requires=_nothing_to_unfuse,
    ensures=counting(1, "no task is new"),
)


def attentions(graph: DependencyGraph) -> tuple[tuple[int, ...], ...]:
    """Find attention that is not fused: a product, what leads to a softmax and away from it, a product."""
    words, after = _words_of(graph), _following(graph)
    softmax = of_name(graph, _SOFTMAX.search) | of_operator(graph, _SOFTMAX.search)
    found: list[tuple[int, ...]] = []
    taken: set[int] = {NONE}
    for row in work(graph).tolist():
        if "matrix" not in words[row] or row in taken or graph.phase[row] == Phase.BACKWARD:
            continue
        chain, at = [row], after[row]
        while at != NONE and "matrix" not in words[at] and len(chain) <= _MOST:
            chain.append(at)
            at = after[at]
        if at not in taken and "matrix" in words[at] and softmax[chain].any():
            found.append((*chain, at))
            taken.update(found[-1])
    return tuple(found)


def _attending(graph: DependencyGraph, values: Values) -> DependencyGraph:
    groups = attentions(graph)
    products = np.array([group[place] for group in groups for place in (0, -1)])
    return fused(scaled(graph, products, 1 / values["factor"]), groups)


ATTENTION = Transform(
    name="attention",
    title="One kernel computes attention, and the matrix of all pairs never reaches memory.",
    source="FlashAttention (NeurIPS 2022, section 3): the products stay, what they hand over in memory goes",
    apply=_attending,
    parameters=(Parameter("factor", "factor", "how many times as quick its products are as the two are", "1"),),
    requires=lambda graph, _: (
        no_work(graph) or ("" if attentions(graph) else "nowhere does a softmax stand between two products")
    ),
    ensures=counting(-1, "no task is gone"),
)
