"""Transforms that fuse layers: ``fuse`` merges consecutive layers, and ``attention`` merges kernels of attention.

Fused layers keep intermediate values in registers instead of memory. A pattern of operators or classes of work, for
example ``Conv+Relu`` or ``matrix+elementwise*``, finds the layers. In attention, one kernel replaces two products, the
softmax, and all kernels between them.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dlbricks.errors import InputError
from dlbricks.trace.types import NONE
from dlbricks.trace.work_classes import KernelClass, Precision, plain_name
from dlbricks.whatif.edit import Merge, merged, without_queue_waits
from dlbricks.whatif.graph import DependencyGraph, EdgeKind, Phase, launches, with_columns, with_texts
from dlbricks.whatif.select import by_lane, of_name, of_operator, step_numbers
from dlbricks.whatif.transform import Parameter, Transform, Values, counting
from dlbricks.whatif.work import (
    PRODUCTS,
    compute_tasks,
    fused_attention_ns,
    fused_single_attention_ns,
    kernels_of,
    moved_bytes,
    no_compute_tasks,
    precisions,
    shares,
    task_classes,
)

# Names of cuDNN's kernels for batch normalisation with stored statistics, as in inference.
_STORED_STATISTICS = re.compile(r"\bbn_fw_inf_")
_TOKEN = re.compile(r"[\w.:|]+\*?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """One element of a pattern for consecutive tasks, such as ``Conv`` or ``elementwise*``."""

    words: frozenset[str]
    """Names of the operators (without domain) and classes of work that the element matches, in lower case."""
    repeated: bool
    """True if the element matches one or more tasks, as many as possible; False if it matches exactly one."""


def read_pattern(text: str) -> tuple[Token, ...]:
    """Parse a pattern of operators and classes of work such as ``Conv+Relu|Clip`` or ``matrix+elementwise*``.

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
    # Return the words that match each task: its class of work and its operator.
    # Normalisation with stored statistics only scales and shifts each value, so the word ``elementwise`` matches, too.
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
    """Return for each task of a graph the number of the only computing task that reads its output, or ``NONE``.

    Data edges tell the readers. In a graph without data edges, the next task on the lane counts as the reader if it is
    in the same step and reads at least as many bytes as the task writes.
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
    """Return the chains of two or more consecutive tasks in a graph that match a pattern; chains are disjoint."""
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
    """Fuse each group of tasks into a single task, at the place of the last task and with the dependencies of all.

    The longest matrix product of a group, or else its longest task, keeps its time. The other tasks lose their fixed
    time, and the memory time of intermediate values (all memory time, if bytes are unknown); arithmetic stays. Launches
    and gaps of all tasks but the last are removed.

    Args:
        groups: disjoint groups of tasks, each in order of execution.
        times_ns: time of each merged task; if empty, it is computed as above.
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
        # bytes of intermediate values: those that a task writes, and those that the task before it wrote
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
    synonyms=("fusion", "torch-compile", "compile"),
    title="Layer fusion: one layer replaces consecutive layers.",
    source=(
        "Daydream removes or scales the kernels of fused layers by hand (USENIX ATC 2020, section 5); here the time "
        "that remains of each layer follows from its bytes"
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
        or ("" if _groups(graph, values) else f"no consecutive tasks match the pattern {values['pattern']}")
    ),
    ensures=counting(-1, "no task was removed"),
)


# For unfused products, frameworks copy queries, keys and values in kernels before and between the products; fused
# kernels read them where they lie. Backward passes keep their kernels: the prediction for a Llama's training gets no
# worse (-3.8 % instead of -4.4 %), and that of no other recorded pair changes.
#
# On devices with known peaks, the time of a fused kernel follows from its FLOPs (``whatif.work``). Otherwise the
# products keep their time, and the memory traffic between them is removed.

_SOFTMAX = re.compile(r"softmax", re.IGNORECASE)
# Names of products in single precision without TF32; names of other products do not always tell their precision.
_IN_SINGLE = re.compile(r"(?<!b)f32f32_f32f32|sgemm")
# Most tasks between the two products of an attention: scaling, mask, softmax, dropout, copies.
_MOST = 12
# Classes of the tasks between products that may work on another tensor.
_COPIES = (KernelClass.MOVEMENT, KernelClass.ELEMENTWISE)
# Number of inputs of a product.
_INPUTS = 2
# Number of queries, and of keys, in a tile of PyTorch's memory-efficient attention.
_TILE = 64
# Largest relative difference between the FLOPs of the products of one attention.
_ALIKE = 0.01
IN_SINGLE = (
    "without torch.compile, PyTorch fuses attention in single precision only where keys and values have as many heads "
    "as queries"
)
Group = tuple[int, ...]


def _lanes(graph: DependencyGraph) -> list[Group]:
    # Return all kernels in order, split by lane and step.
    steps = step_numbers(graph)
    return [
        tuple(part.tolist())
        for lane in by_lane(graph, kernels_of(graph))
        for part in np.split(lane, np.flatnonzero(np.diff(steps[lane])) + 1)
    ]


def attentions(graph: DependencyGraph) -> tuple[Group, ...]:
    """Return the kernels of each unfused attention in a graph's forward passes: product, softmax, second product.

    A group also has all kernels between the two products, even those that work on other tensors, such as copies for the
    second product. If a kernel reads fewer bytes than the previous kernel wrote, it works on another tensor.
    """
    kinds, softmax = task_classes(graph), of_name(graph, _SOFTMAX.search) | of_operator(graph, _SOFTMAX.search)
    matrix, copies, backward = kinds == KernelClass.MATRIX, np.isin(kinds, _COPIES), graph.phase == Phase.BACKWARD
    flops, read, written = (graph.figures(key) for key in ("flops", "read_bytes", "written_bytes"))
    groups: list[Group] = []
    taken: set[int] = set()
    for lane in _lanes(graph):
        for place in np.flatnonzero((matrix & ~backward)[list(lane)]).tolist():
            row = lane[place]
            if row in taken:
                continue
            chain, carried = [row], written[row]
            other: set[int] = set()  # layers of products between, such as that of the values in onnxruntime
            for at in lane[place + 1 :]:
                unlike = abs(flops[at] - flops[row]) > _ALIKE * min(flops[at], flops[row])
                if matrix[at] and unlike and graph.layer[at] not in {NONE, graph.layer[row]} and softmax[chain].any():
                    other.add(int(graph.layer[at]))
                    chain = [task for task in chain if graph.layer[task] not in other]
                if graph.layer[at] in other:
                    continue
                aside = read[at] < carried
                of_product = graph.operator[at] == graph.operator[row] != NONE
                if backward[at] or (aside and not (copies[at] or of_product)):
                    break
                chain.append(at)
                if matrix[at] or len(chain) > _MOST + 1:
                    break
                carried = carried if aside else written[at]
            work = flops[[row, chain[-1]]]
            alike = not work.max() > (1 + _ALIKE) * work.min()  # also true for unknown FLOPs
            if len(chain) > 1 and matrix[chain[-1]] and softmax[chain].any() and alike:
                groups.append(tuple(chain))
                taken.update(chain)
    return tuple(groups)


def _with_copies(graph: DependencyGraph, groups: tuple[Group, ...]) -> tuple[Group, ...]:
    # Extend the groups by the copies that the operator of the first product makes of its inputs, and by that of the
    # result.
    kinds, written = task_classes(graph), graph.figures("written_bytes")
    places = {row: (lane, place) for lane in _lanes(graph) for place, row in enumerate(lane)}
    wider = []
    for group in groups:
        lane, first = places[group[0]]
        begin = first
        while begin > max(0, first - _INPUTS) and kinds[lane[begin - 1]] in _COPIES:
            if graph.operator[lane[begin - 1]] != graph.operator[group[0]]:
                break
            begin -= 1
        behind = lane[places[group[-1]][1] + 1 :][:1]
        copied = behind and kinds[behind[0]] == KernelClass.MOVEMENT and written[behind[0]] == written[group[-1]]
        wider.append((*lane[begin:first], *group, *(behind if copied else ())))
    return tuple(wider)


def _padding(flops: float, read: float) -> float:
    # Return the factor by which FLOPs grow when sequences are padded to whole tiles. The product that writes the
    # attention matrices has 2 * matrices * length**2 * width FLOPs, and reads 8 * matrices * length * width bytes.
    length = 4 * flops / read if read > 0 else np.nan
    return (float(np.ceil(round(length, 3) / _TILE)) * _TILE / length) ** 2 if length > 0 else 1.0


def _fused_ns(graph: DependencyGraph, groups: tuple[Group, ...]) -> list[float]:
    # Return the time of each fused kernel, ns, by the FLOPs of its group; NaN if unknown.
    flops, read, written = (graph.figures(key) for key in ("flops", "read_bytes", "written_bytes"))
    precision, single = precisions(graph), of_name(graph, _IN_SINGLE.search)
    matrix = task_classes(graph) == KernelClass.MATRIX
    times = []
    for group in groups:
        products = [row for row in group if matrix[row]]
        work = np.array([flops[products].sum()])
        if (precision[list(group)] == Precision.HALF).any():
            times.append(float(fused_attention_ns(graph.device, work)[0]))
        elif single[products].all():
            wide = max(products, key=lambda row: float(written[row]))
            padded = work * _padding(float(flops[wide]), float(read[wide]))
            times.append(float(fused_single_attention_ns(graph.device, padded)[0]))
        else:
            times.append(np.nan)
    return times


def _attending(graph: DependencyGraph, _: Values) -> DependencyGraph:
    groups = attentions(graph)
    times = _fused_ns(graph, groups)
    if np.isnan(times).any():
        return fused(graph, groups)
    attending = fused(graph, _with_copies(graph, groups), times_ns=times)
    single = of_name(graph, _IN_SINGLE.search)[[group[-1] for group in groups]].any()
    return with_columns(attending, *([IN_SINGLE] if single else []))


ATTENTION = Transform(
    name="attention",
    synonyms=("flash-attention", "sdpa"),
    title="Fused attention (FlashAttention): one kernel, without the attention matrix in memory.",
    source="FlashAttention (NeurIPS 2022, section 3) saves memory traffic between products; known GPUs: time by FLOPs",
    apply=_attending,
    requires=lambda graph, _: (
        ("" if len(kernels_of(graph)) else "it has no kernels, and fused attention is modelled for GPUs only")
        or ("" if attentions(graph) else "it has no softmax between two matrix products")
    ),
    ensures=counting(-1, "no task was removed"),
)
