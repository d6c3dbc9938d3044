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
from dlbricks.whatif.edit import Merge, merged, without_queue_waits
from dlbricks.whatif.graph import DependencyGraph, EdgeKind, launches, with_texts
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
        raise InputError(f"invalid pattern '{text}': expected operators or classes joined by +, as in Conv+Relu|Clip")
    classes = {kind.name.lower() for kind in KernelClass}

    def word_of(word: str) -> str:
        return word.lower() if word.lower() in classes else plain_name(word)

    return tuple(
        Token(words=frozenset(map(word_of, part.rstrip("*").split("|"))), repeated=part.endswith("*")) for part in parts
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


def fused(graph: DependencyGraph, groups: Sequence[Sequence[int]], times_ns: Sequence[float] = ()) -> DependencyGraph:
    """Merge each group into one task at the position of its last; it inherits all dependencies.

    The longest matrix product of a group, or else its longest task, keeps its time. Of the others the fixed part is
    removed; arithmetic is kept, and memory time except that of intermediate values, or all of unknown bytes. Launches
    and gaps of all but the last are removed.

    Args:
        graph: to edit.
        groups: disjoint groups of tasks, in order of execution.
        times_ns: time of each merged task, if known.
    """
    rows = compute_tasks(graph)
    parts = shares(graph, rows)
    arithmetic, memory = np.zeros(len(graph)), np.zeros(len(graph))
    arithmetic[rows], memory[rows] = parts.arithmetic, parts.memory
    read, written, moved = graph.figures("read_bytes"), graph.figures("written_bytes"), moved_bytes(graph)
    products = np.isin(task_classes(graph), PRODUCTS)
    merges, operators = [], {}
    for number, group in enumerate(groups):
        rows = np.array(group, np.int64)
        heaviest = max(group, key=lambda row: (products[row], graph.duration_ns[row]))
        # intermediate values: those it writes, and those the previous task wrote
        handed = written[rows]
        handed[1:] += written[rows[:-1]]
        stays = np.where(moved[rows] >= handed, (moved[rows] - handed) / np.maximum(moved[rows], 1.0), 0.0)
        stays = np.where(handed > 0, stays, 0.0)
        left = graph.duration_ns[rows] * (arithmetic[rows] + memory[rows] * stays)
        total = graph.duration_ns[heaviest] + left[rows != heaviest].sum()
        sums = {key: graph.figures(key)[rows].sum() for key in ("flops", "parameter_bytes")}
        if graph.operator[heaviest] != NONE:
            operators[int(rows[-1])] = graph.operators[graph.operator[heaviest]]
        merges.append(
            Merge(
                rows=rows,
                name="+".join(graph.named(row) for row in group),
                duration_ns=times_ns[number] if times_ns else total,
                attributes={**sums, "read_bytes": read[rows].sum() - written[rows[:-1]].sum()},
            )
        )
    calls = launches(graph)[[row for group in groups for row in group[:-1]]]
    unqueued = without_queue_waits(graph, calls[calls != NONE])
    return merged(with_texts(unqueued, "operators", "operator", operators), merges)


def _groups(graph: DependencyGraph, values: Values) -> tuple[tuple[int, ...], ...]:
    return chains(graph, read_pattern(values["pattern"]))


FUSE = Transform(
    name="fuse",
    title="Layer fusion: consecutive layers become one.",
    source=(
        "Daydream removes or scales the kernels of fused layers by hand (USENIX ATC 2020, section 5); here the "
        "remaining time of each follows from its bytes"
    ),
    apply=lambda graph, values: fused(graph, _groups(graph, values)),
    parameters=(
        Parameter(
            "pattern",
            "text",
            "consecutive operators or classes of work, as in Conv+Relu|Clip",
            "matrix+elementwise*",
        ),
    ),
    requires=lambda graph, values: (
        no_compute_tasks(graph)
        or ("" if _groups(graph, values) else f"no tasks follow each other as {values['pattern']} says")
    ),
    ensures=counting(-1, "no task is gone"),
)
