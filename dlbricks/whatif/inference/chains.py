"""Finding chains of tasks that follow each other, by what they do: ``Conv+Relu`` or ``matrix+elementwise*``."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from dlbricks.errors import InputError
from dlbricks.trace.types import NONE, Longs
from dlbricks.whatif.inference.operators import plain_name, work, work_classes
from dlbricks.whatif.inference.shares import figures
from dlbricks.whatif.kernels import KernelClass
from dlbricks.whatif.nouns import DependencyGraph, EdgeKind
from dlbricks.whatif.stepping import step_numbers

_TOKEN = re.compile(r"[\w.:|]+\*?")


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


def words_of(graph: DependencyGraph) -> list[frozenset[str]]:
    """Give for each task what a token may call it."""
    kinds = [kind.name.lower() for kind in sorted(KernelClass)]
    plain = [plain_name(operator) for operator in graph.operators]
    made = {}
    found = []
    for kind, operator in zip(work_classes(graph).tolist(), graph.operator.tolist(), strict=True):
        if (kind, operator) not in made:
            made[kind, operator] = frozenset([kinds[kind], *(() if operator == NONE else (plain[operator],))])
        found.append(made[kind, operator])
    return found


def following(graph: DependencyGraph) -> Longs:
    """Give for each task of the network the one that alone takes what it makes; ``NONE`` where there is none.

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
        return made
    read, written = figures(graph, "read_bytes"), figures(graph, "written_bytes")
    step = step_numbers(graph)
    for lane in np.unique(graph.lane[rows]):
        same = rows[graph.lane[rows] == lane]
        first, second = same[:-1], same[1:]
        fits = (step[first] == step[second]) & ~(read[second] < written[first])
        made[first[fits]] = second[fits]
    return made


def chains(graph: DependencyGraph, pattern: Sequence[Token]) -> tuple[tuple[int, ...], ...]:
    """Find every chain of at least two tasks that fits a pattern, the first one first; no task is in two.

    Args:
        graph: of tasks.
        pattern: at least one token; each fits at least one task.
    """
    words, after = words_of(graph), following(graph).tolist()
    taken: set[int] = set()
    found = []
    for row in work(graph).tolist():
        chain = _chain(row, pattern, words, lambda task: after[task] if after[task] not in taken else NONE)
        if row not in taken and len(chain) > 1:
            found.append(tuple(chain))
            taken.update(chain)
    return tuple(found)


def _chain(
    row: int, pattern: Sequence[Token], words: Sequence[frozenset[str]], after: Callable[[int], int]
) -> list[int]:
    chain: list[int] = []
    at = row
    for token in pattern:
        count = len(chain)
        while at != NONE and words[at] & token.words and (token.repeated or len(chain) == count):
            chain.append(at)
            at = after(at)
        if len(chain) == count:
            return []
    return chain
