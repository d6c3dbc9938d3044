"""Layer fusion: ``fuse`` and ``unfuse``.

Fused layers keep intermediate values in registers instead of memory. Chains of tasks are found by operators or classes
of work, for example ``Conv+Relu`` or ``matrix+elementwise*``.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dlbricks.errors import InputError
from dlbricks.trace.types import NONE
from dlbricks.trace.work_classes import KernelClass, plain_name
from dlbricks.whatif.edit import removed, with_durations
from dlbricks.whatif.graph import DependencyGraph, EdgeKind, with_attributes, with_texts
from dlbricks.whatif.select import by_lane, of_name, step_numbers
from dlbricks.whatif.transform import Parameter, Transform, Values, counting
from dlbricks.whatif.work import (
    PRODUCTS,
    compute_tasks,
    moved_bytes,
    no_compute_tasks,
    shares,
    task_classes,
)

# Kernels of batch normalisation in calls.
_STORED_STATISTICS = re.compile(r"\bbn_fw_inf_")
_TOKEN = re.compile(r"[\w.:|]+\*?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """Element of a pattern."""

    words: frozenset[str]
    """Accepted operators, without domain, or classes of work, in lower case."""
    repeated: bool
    """Whether one or more tasks match, as many as possible."""


def read_pattern(text: str) -> tuple[Token, ...]:
    """Parse ``Conv+Relu|Clip`` or ``matrix+elementwise*``.

    Raises:
        InputError: the pattern is malformed.
    """
    parts = [part.strip() for part in text.split("+")]
    if not all(_TOKEN.fullmatch(part) for part in parts):
        message = f"'{text}' is not a pattern of layers: join operators or classes by +, as in Conv+Relu|Clip"
        raise InputError(f"{message} or matrix+elementwise*")
    classes = {kind.name.lower() for kind in KernelClass}
    return tuple(
        Token(
            words=frozenset(
                word.lower() if word.lower() in classes else plain_name(word) for word in part.rstrip("*").split("|")
            ),
            repeated=part.endswith("*"),
        )
        for part in parts
    )


def _words_of(graph: DependencyGraph) -> list[frozenset[str]]:
    """Return the words that match each task: class of work and operator.

    Normalisation by stored statistics scales and shifts each value, and is elementwise, too.
    """
    kinds = [kind.name.lower() for kind in sorted(KernelClass)]
    plain = [*(plain_name(operator) for operator in graph.operators), "no operator"]
    pairs = zip(task_classes(graph).tolist(), graph.operator.tolist(), strict=True)
    by_value = of_name(graph, _STORED_STATISTICS.search).tolist()
    more = kinds[KernelClass.ELEMENTWISE]
    return [
        frozenset((kinds[kind], plain[operator], *([more] if affine else [])))
        for (kind, operator), affine in zip(pairs, by_value, strict=True)
    ]


def following(graph: DependencyGraph) -> list[int]:
    """Return the only consumer of each compute task; ``NONE`` if there is none or several.

    With data edges, it is the only reader. Without, it is the next task on the lane in the same step, unless that reads
    fewer bytes than the task writes.
    """
    rows = compute_tasks(graph)
    readers = np.full(len(graph), NONE, np.int64)
    fed = np.flatnonzero((graph.edge_kind == EdgeKind.DATA) & np.isin(graph.edge_from, rows))
    if len(fed):
        once = np.bincount(graph.edge_from[fed], minlength=len(graph)) == 1
        single = fed[once[graph.edge_from[fed]] & np.isin(graph.edge_to[fed], rows)]
        readers[graph.edge_from[single]] = graph.edge_to[single]
        return readers.tolist()
    read, written, step = graph.figures("read_bytes"), graph.figures("written_bytes"), step_numbers(graph)
    for lane in by_lane(graph, rows):
        first, second = lane[:-1], lane[1:]
        fits = (step[first] == step[second]) & ~(read[second] < written[first])
        readers[first[fits]] = second[fits]
    return readers.tolist()


def chains(graph: DependencyGraph, pattern: Sequence[Token]) -> tuple[tuple[int, ...], ...]:
    """Return all disjoint chains of at least two tasks that match a pattern, in order."""
    words, after = _words_of(graph), following(graph)
    taken: set[int] = {NONE}
    matches = []
    for row in compute_tasks(graph).tolist():
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
            matches.append(tuple(chain))
            taken.update(chain)
    return tuple(matches)


def fused(
    graph: DependencyGraph, groups: Sequence[Sequence[int]], left: float = 0.0, times_ns: Sequence[float] = ()
) -> DependencyGraph:
    """Merge each group into one task at the position of its last; it inherits all dependencies.

    The longest matrix product of a group, or else its longest task, keeps its time. Of the others the fixed part is
    removed; arithmetic is kept, and memory time except that of intermediate values. Launches and gaps of all but the
    last are removed.

    Args:
        graph: to edit.
        groups: disjoint groups of tasks, in order of execution.
        left: share of the memory time that remains of a task with unknown bytes.
        times_ns: time of each merged task, if known.
    """
    parts = shares(graph, compute_tasks(graph))
    place = {row: index for index, row in enumerate(parts.rows.tolist())}
    read, written, moved = graph.figures("read_bytes"), graph.figures("written_bytes"), moved_bytes(graph)
    durations = graph.duration_ns.astype(np.float64)
    columns = {key: np.array(values) for key, values in graph.attributes.items()}
    names, operators = {}, {}
    products = np.isin(task_classes(graph), PRODUCTS)
    for number, group in enumerate(groups):
        rows, last = list(group), group[-1]
        heaviest = max(rows, key=lambda row: (products[row], durations[row]))
        total = durations[heaviest]
        for before, row in zip((None, *rows[:-1]), rows, strict=True):
            if row != heaviest:
                # intermediate values: those it writes, and those the previous task wrote
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
        durations[last] = times_ns[number] if times_ns else total
    merged = with_texts(with_attributes(graph, **columns), "names", "task_name", names)
    merged = with_durations(with_texts(merged, "operators", "operator", operators), np.arange(len(graph)), durations)
    return removed(merged, np.array(sorted(row for group in groups for row in group[:-1]), np.int64))


def _groups(graph: DependencyGraph, values: Values) -> tuple[tuple[int, ...], ...]:
    return chains(graph, read_pattern(values["pattern"]))


FUSE = Transform(
    name="fuse",
    title="Layer fusion: consecutive layers become one.",
    source=(
        "Daydream removes or scales the kernels of fused layers by hand (USENIX ATC 2020, section 5); here the "
        "remaining time of each follows from its bytes"
    ),
    apply=lambda graph, values: fused(graph, _groups(graph, values), values["left"]),
    parameters=(
        Parameter(
            "pattern",
            "text",
            "consecutive operators or classes of work, as in Conv+Relu|Clip",
            "matrix+elementwise*",
        ),
        Parameter("left", "share", "share of the memory time that remains of a layer with unknown bytes", "0%"),
    ),
    requires=lambda graph, values: (
        no_compute_tasks(graph)
        or ("" if _groups(graph, values) else f"no tasks follow each other as {values['pattern']} says")
    ),
    ensures=counting(-1, "no task is gone"),
)
