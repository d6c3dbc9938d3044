"""Automatic mixed precision: products of matrices in half precision, parameters and their update in single.

Daydream (USENIX ATC 2020, section 5.1) divides matrix kernels by 3 and all others by 2. That was seen 17 to 32 % off on
kernel time: updates hardly gain, casts are added, and real factors of matrix kernels went from 1.9 to 5.2.
"""

import re

import numpy as np

from dlbricks.trace.types import NONE, Longs
from dlbricks.units import counted
from dlbricks.whatif.edit import NewTask, inserted, lasting
from dlbricks.whatif.gradients import GRADIENT_BYTES
from dlbricks.whatif.graph import with_columns
from dlbricks.whatif.kernels import KernelClass, Precision, classes, precisions
from dlbricks.whatif.nouns import DependencyGraph, Floats, Phase, TaskKind
from dlbricks.whatif.select import select
from dlbricks.whatif.stepping import by_step, processes, step_numbers
from dlbricks.whatif.training.launching import NewKernel, with_kernels
from dlbricks.whatif.training.matching import one_of_each_layer
from dlbricks.whatif.transform import Parameter, Transform, Values
from dlbricks.whatif.waits import launches

_FLOAT32_KERNELS = re.compile(
    r"layer_?norm|group_?norm|rms_?norm|gammabeta|softmax|nll|loss|::norm|cumsum", re.IGNORECASE
)
"""Run in single precision under autocast, whatever they are given."""
_TENSOR_FLOAT_FACTOR = 2.0
"""Of TF32 kernels: tensor cores multiply halves twice as quickly, and half the bytes move."""
_CAST_SHARE = 0.75
"""Bytes of a cast (read 4, write 2) by those of a kernel that reads and writes 4 for each value."""
_PASS_BYTES = 6
"""Read and written for each parameter that is cast."""
_UNSCALE_BYTES = 8
"""Read and written for each gradient that is unscaled."""
_QUICKEST = 0.05
"""Quantile of durations that is taken for what a kernel takes at least."""
_MOST_HALF = 0.5
"""So much of the time of matrix kernels in half precision means that the trace is of mixed precision already."""
_BY_BYTES = (KernelClass.NORMALISATION, KernelClass.ELEMENTWISE, KernelClass.REDUCTION, KernelClass.MOVEMENT)


def _apply(graph: DependencyGraph, values: Values) -> DependencyGraph:
    least = least_kernel_ns(graph)
    kept = float32_rows(graph)
    quicker = lasting(graph, *_durations(graph, values, least, kept))
    cast = with_kernels(quicker, [*_weight_casts(graph, values, least), *_activation_casts(graph, kept, least)]).graph
    scaled = _with_scaler(cast, values, least) if str(values["dtype"]) == "float16" else cast
    unknown = select(graph, kinds=(TaskKind.KERNEL,), where=lambda one: classes(one) == KernelClass.OTHER)
    note = f"amp leaves {counted(len(unknown), 'kernel')} as they were: what they do is not known"
    return with_columns(scaled, note) if len(unknown) else scaled


def least_kernel_ns(graph: DependencyGraph) -> int:
    """Give what a kernel takes however little it does, ns: a low quantile of those there are."""
    rows = select(graph, kinds=(TaskKind.KERNEL,))
    return int(np.quantile(graph.duration_ns[rows], _QUICKEST)) if len(rows) else 0


def float32_rows(graph: DependencyGraph) -> Longs:
    """Give the kernels that autocast leaves in single precision."""
    fitting = [number for number, name in enumerate(graph.names) if _FLOAT32_KERNELS.search(name)]
    by_class = classes(graph)
    named = np.isin(graph.task_name, fitting) & np.isin(by_class, (KernelClass.NORMALISATION, KernelClass.REDUCTION))
    return np.flatnonzero(named & (graph.kind == TaskKind.KERNEL) & (graph.phase != Phase.UPDATE))


def _durations(graph: DependencyGraph, values: Values, least: int, kept: Longs) -> tuple[Longs, Longs]:
    """Give the kernels that get quicker, and what they then take."""
    by_class, precision = classes(graph), precisions(graph)
    factors = np.ones(len(graph))
    products = np.isin(by_class, (KernelClass.MATRIX, KernelClass.ATTENTION))
    factors[products] = float(values["matrix"])
    tensor_float = products & (precision == Precision.TENSOR_FLOAT)
    factors[tensor_float] = np.minimum(factors[tensor_float], _TENSOR_FLOAT_FACTOR)
    factors[np.isin(by_class, _BY_BYTES)] = float(values["bytes"])
    factors[kept] = 1
    factors[(precision == Precision.HALF) | (graph.phase == Phase.UPDATE)] = 1
    factors[by_class == KernelClass.OPTIMISER] = 1
    rows = np.flatnonzero((graph.kind == TaskKind.KERNEL) & (factors != 1))
    before = graph.duration_ns[rows]
    after = np.maximum(before / factors[rows], _memory_bound_ns(graph)[rows])
    # a kernel does not get quicker than the quickest, nor slower than it was
    made: Longs = np.rint(np.minimum(np.maximum(after, least), before)).astype(np.int64)
    return rows, made


def _memory_bound_ns(graph: DependencyGraph) -> Floats:
    """Give what it takes to move half the bytes of each kernel, where bytes are known; 0 elsewhere."""
    nothing = np.full(len(graph), np.nan)
    moved = graph.attributes.get("read_bytes", nothing) + graph.attributes.get("written_bytes", nothing)
    rows = np.flatnonzero((graph.kind == TaskKind.KERNEL) & ~np.isnan(moved) & (graph.duration_ns > 0))
    if not len(rows):
        return np.zeros(len(graph))
    best = float((moved[rows] / graph.duration_ns[rows]).max())
    return np.nan_to_num(moved / 2 / best) if best else np.zeros(len(graph))


def _weight_casts(graph: DependencyGraph, values: Values, least: int) -> list[NewKernel]:
    """Cast the weights of each product of the forward pass once in a step; autocast then keeps them."""
    products = select(
        graph, kinds=(TaskKind.KERNEL,), phases=(Phase.FORWARD,),
        where=lambda one: (classes(one) == KernelClass.MATRIX) & (precisions(one) != Precision.HALF),
    )  # fmt: skip
    made, sizes = [], _gradient_bytes(graph)
    for rows in by_step(graph, one_of_each_layer(graph, products)):
        total_ns = _PASS_BYTES / 4 * sizes[rows[0]] / float(values["memory"]) * 1e9
        time = max(least, round(total_ns / len(rows)))
        made += [NewKernel(name="cast of weights", duration_ns=time, beside=row, before=True) for row in rows.tolist()]
    return made


def _gradient_bytes(graph: DependencyGraph) -> Floats:
    """Give for each task the bytes of all gradients of its step; 0 where they are not known."""
    sizes = graph.attributes.get(GRADIENT_BYTES)
    if sizes is None:
        return np.zeros(len(graph))
    steps = step_numbers(graph)
    keys = processes(graph) * (int(steps.max()) + 1) + steps
    made: Floats = np.bincount(keys, np.nan_to_num(sizes))[keys]
    return made


def _activation_casts(graph: DependencyGraph, kept: Longs, least: int) -> list[NewKernel]:
    """Cast what kernels in single precision give to those in half, and in the backward pass the other way round."""
    rows = kept[np.isin(graph.phase[kept], (Phase.FORWARD, Phase.BACKWARD))]
    return [
        NewKernel(
            name="cast of activations",
            duration_ns=max(least, round(_CAST_SHARE * int(graph.duration_ns[row]))),
            beside=row,
        )
        for row in rows.tolist()
    ]


def _with_scaler(graph: DependencyGraph, values: Values, least: int) -> DependencyGraph:
    """Unscale gradients before the update, and wait on the host to learn whether they are finite."""
    updates = select(graph, kinds=(TaskKind.KERNEL,), phases=(Phase.UPDATE,))
    backward = select(graph, kinds=(TaskKind.KERNEL,), phases=(Phase.BACKWARD,))
    launch = launches(graph)
    made, firsts, sizes = [], [], _gradient_bytes(graph)
    for rows in by_step(graph, np.union1d(updates, backward)):
        last = rows[graph.phase[rows] == Phase.BACKWARD]
        behind = rows[(graph.phase[rows] == Phase.UPDATE) & (rows > (last[-1] if len(last) else len(graph)))]
        if not len(last) or not len(behind):
            continue
        time = max(least, round(_UNSCALE_BYTES / 4 * sizes[rows[0]] / float(values["memory"]) * 1e9))
        made.append(NewKernel(name="unscaling of gradients", duration_ns=time, beside=int(behind[0]), before=True))
        firsts.append((int(launch[behind[0]]), int(behind[0])))
    grown = with_kernels(graph, made)
    calls = [(int(grown.places[call]), graph.lanes[graph.lane[row]]) for call, row in firsts if call != NONE]
    tasks = [
        NewTask(
            kind=TaskKind.SYNCHRONISATION,
            name="wait for finite gradients",
            duration_ns=0,
            after=call - 1,
            lane=grown.graph.lanes[grown.graph.lane[call]],
            phase=Phase.UPDATE,
        )
        for call, _ in calls
    ]
    waits = [(len(grown.graph) + number, lane) for number, (_, lane) in enumerate(calls)]
    return inserted(grown.graph, tasks, (), waits)[0]


def _why_not(graph: DependencyGraph, values: Values) -> str:
    products = select(graph, kinds=(TaskKind.KERNEL,), where=lambda one: classes(one) == KernelClass.MATRIX)
    if not len(products):
        return "it has no kernel that multiplies matrices"
    half = products[precisions(graph)[products] == Precision.HALF]
    time, of_half = (int(graph.duration_ns[rows].sum()) for rows in (products, half))
    if of_half > _MOST_HALF * time:
        name = graph.names[graph.task_name[half[0]]]
        return f"{100 * of_half / time:.0f} % of its matrix time is in half precision already, as in {name}"
    if not (graph.phase == Phase.BACKWARD).any():
        return "it has no backward pass, so it is no training: ask fp16"
    if str(values["dtype"]) not in {"float16", "bfloat16"}:
        return f"'{values['dtype']}' is no half precision: write float16 or bfloat16"
    return ""


def _broken(before: DependencyGraph, after: DependencyGraph, _values: Values) -> str:
    """Updates of parameters take what they took, and no kernel takes longer."""
    was = select(before, kinds=(TaskKind.KERNEL,))
    known = np.isin(after.names, before.names)[after.task_name]
    kept = np.flatnonzero(known & (after.kind == TaskKind.KERNEL))
    if len(kept) != len(was):
        return "kernels are gone"
    change = after.duration_ns[kept] - before.duration_ns[was]
    if change[before.phase[was] == Phase.UPDATE].any():
        return "the update of the parameters has changed"
    return "a kernel takes longer than before" if (change > 0).any() else ""


AMP = Transform(
    name="amp",
    title="Automatic mixed precision: half precision for products of matrices, single for parameters.",
    evidence="modelled",
    source="Daydream (USENIX ATC 2020, section 5.1), per class of kernels as PyTorch's autocast treats them",
    apply=_apply,
    parameters=(
        Parameter(
            name="matrix", kind="factor", default="3x",
            meaning="how many times quicker products of matrices are, TF32 ones at most 2",
        ),
        Parameter(name="bytes", kind="factor", meaning="how many times quicker memory-bound kernels are", default="2x"),
        Parameter(name="memory", kind="rate", meaning="bandwidth of the device's memory, for casts", default="600GB/s"),
        Parameter(name="dtype", kind="text", meaning="float16, which scales the loss, or bfloat16", default="float16"),
    ),
    requires=_why_not,
    ensures=_broken,
)  # fmt: skip
"""Ours, class by class (``kernels``), where Daydream has 3 and 2 for all:

- Products of matrices and attention by ``matrix``; TF32 ones by 2 at most, as they are on tensor cores already; those
  of which bytes are known not below the time to move half of them at the best rate seen in the graph.
- Elementwise kernels, batch normalisation, reductions, copies by ``bytes``. Layer normalisation, softmax and losses
  stay in single precision under autocast, with casts behind them.
- Nothing gets quicker than the quickest kernels of the graph: small ones are not limited by bytes.
- The update and optimisers stay. With float16 gradients are unscaled before it, and the host waits to learn whether
  they are finite. Gradients and so collectives stay in single precision.
- Weights are cast once in a step, each cast with its launch; sizes are those of the gradients where these are known.

Not modelled: layouts that tensor cores want and that convolutions convert to; kernels chosen anew by heuristics; less
memory used. Kernels that no pattern knows keep their time.

A look from outside, no back-test: kernels of a public trace of ResNet-50 on a V100 become 2.48 times quicker. NVIDIA's
own training of that network on that GPU (DeepLearningExamples, other code and batch) became 2.27 times quicker in July
2019, and 3.24 times in 2021 with channels last.
"""
