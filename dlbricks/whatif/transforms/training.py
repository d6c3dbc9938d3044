"""Training on one device: fused updates, batch normalisation, memory against time or copies, loading of data."""

import math
import re

import numpy as np

from dlbricks.errors import InputError
from dlbricks.trace.types import Longs
from dlbricks.whatif.edit import removed, scaled, with_durations
from dlbricks.whatif.graph import DependencyGraph, Phase, TaskKind, launches, with_columns
from dlbricks.whatif.launching import Merge, NewKernel, least_kernel_ns, merged, with_kernels
from dlbricks.whatif.select import (
    RELU,
    before_on_lane,
    by_lane,
    by_step,
    kernels_named,
    mirrored,
    of_name,
    one_of_each_layer,
    passes,
    select,
)
from dlbricks.whatif.simulate import replay
from dlbricks.whatif.transform import Parameter, Transform, Values, counting
from dlbricks.whatif.transforms.links import channel, link_of
from dlbricks.whatif.work import KernelClass, classes

_BOTH_PASSES = (Phase.FORWARD, Phase.BACKWARD)
_ZEROING = re.compile(r"fill|memset|zero", re.IGNORECASE)
"""Gradients set to zero before the next step: no part of the update."""
_STATES_BYTES = {"sgd": 12, "momentum": 20, "adam": 28}
"""Bytes that an update reads and writes for each parameter in single precision: parameter, gradient and states."""


def update_rows(graph: DependencyGraph) -> Longs:
    """Give the kernels that update parameters; those that zero gradients are left out."""
    rows = select(
        graph, kinds=(TaskKind.KERNEL,), phases=(Phase.UPDATE,), where=lambda one: ~of_name(one, _ZEROING.search)
    )
    # what a captured graph launches has no launch of its own to save
    launch = launches(graph)
    shared = np.bincount(launch[launch >= 0], minlength=len(graph)) > 1
    return rows[~shared[launch[rows]] | (launch[rows] < 0)]


def _fused(graph: DependencyGraph, values: Values) -> DependencyGraph:
    least, count = least_kernel_ns(graph), int(values["launches"])
    merges = []
    for step in by_step(graph, update_rows(graph)):
        for rows in by_lane(graph, step):
            each = max(least, _fused_ns(graph, rows, values, least) // count)
            merges.append(Merge(rows=rows, name="fused update", durations_ns=[each] * min(count, len(rows))))
    return merged(graph, merges)[0]


def _fused_ns(graph: DependencyGraph, rows: Longs, values: Values, least: int) -> int:
    """Give what the fused kernels of a step take together."""
    summed, optimiser = int(graph.duration_ns[rows].sum()), values["optimiser"]
    if optimiser == "sum":
        return summed
    nbytes = parameter_count(graph, values) * _STATES_BYTES[optimiser]
    time: int = round(1e9 * nbytes / values["memory"])
    if time > summed:
        raise InputError(
            f"{graph.name}: fused, {optimiser} would take {time / 1e6:.3g} ms at that bandwidth, longer than the "
            f"{summed / 1e6:.3g} ms of its kernels now: give the memory's bandwidth, or ask fused-optimizer:sum"
        )
    return max(time, least)


def parameter_count(graph: DependencyGraph, values: Values) -> float:
    """Give the number of parameters: as said, or by the gradients of the step that has most.

    Raises:
        InputError: neither says.
    """
    said = values["parameters"]
    if said != "trace":
        try:
            number = float(said)
        except ValueError as error:
            raise InputError(f"parameters '{said}' is no number: write one, as in 25.6e6") from error
        if not 0 < number < float("inf"):
            raise InputError(f"a model cannot have {said} parameters")
        return number
    sizes = graph.attributes.get("gradient_bytes")
    if sizes is None:
        raise InputError(
            f"{graph.name} does not say how large its gradients are: record it with record_shapes=True, or give "
            "parameters=NUMBER"
        )
    return max(float(sizes[step].sum()) for step in by_step(graph, np.flatnonzero(~np.isnan(sizes)))) / 4


def _nothing_to_fuse(graph: DependencyGraph, values: Values) -> str:
    if values["optimiser"] not in {"sum", *_STATES_BYTES}:
        return f"'{values['optimiser']}' is none of sum, {', '.join(_STATES_BYTES)}"
    steps = by_step(graph, update_rows(graph))
    if not steps:
        return "no kernel of it updates parameters"
    most = max(len(rows) for rows in steps)
    return f"its update is {most} kernels in a step already" if most <= values["launches"] else ""


def _fused_wrong(before: DependencyGraph, after: DependencyGraph, _values: Values) -> str:
    was, now = (one.duration_ns[update_rows(one)] for one in (before, after))
    if now.sum() > was.sum():
        return "updates take longer than before"
    return "" if len(now) < len(was) else "no update was fused"


_OF_UPDATES = (
    Parameter(
        "optimiser",
        "text",
        "sum (fused kernels take as long as those they replace), or by bytes: sgd, momentum, adam",
        "sum",
    ),
    Parameter("launches", "count", "fused kernels in a step", "1"),
    Parameter("parameters", "text", "how many the model has; trace: as recorded", "trace"),
    Parameter("memory", "rate", "bandwidth of the device's memory, by bytes", "600GB/s"),
)
FUSED_OPTIMIZER = Transform(
    name="fused-optimizer",
    title="One kernel, or a few, update all parameters.",
    evidence="published",
    source="Daydream (USENIX ATC 2020, section 5.2)",
    apply=_fused,
    parameters=_OF_UPDATES,
    requires=_nothing_to_fuse,
    ensures=_fused_wrong,
)
"""Daydream: all launches and kernels of the update go, one launch and one kernel come, which takes the sum of those
that went: an upper bound, as fused kernels read and write each value once. Reported within 13 % on BERT and GNMT.

Besides: by bytes where the optimiser is named, as each value then moves once (``_STATES_BYTES``); gradients set to zero
are no part of it; what the host does behind the update stays; and updates wait for whatever gradients and collectives
the replaced kernels waited for. What a fused optimiser does on the host between its launches is not modelled.
"""
FUSED_ADAM = Transform(
    name="fused-adam",
    title="Adam in one kernel: fused-optimizer by the bytes that Adam moves.",
    source="Daydream (USENIX ATC 2020, section 5.2), by bytes",
    apply=lambda graph, values: _fused(graph, {**values, "optimiser": "adam"}),
    parameters=_OF_UPDATES[1:],
    requires=lambda graph, values: _nothing_to_fuse(graph, {**values, "optimiser": "adam"}),
    ensures=_fused_wrong,
)
"""As ``fused-optimizer:adam``: 28 bytes for each parameter, at the bandwidth of the memory."""


def _batch_norms(graph: DependencyGraph, phase: Phase) -> Longs:
    """Give the kernels of batch normalisations in a phase, helpers for counting batches left out."""
    rows = kernels_named(graph, r"batch_?norm|bn_(fw|bw)", phase)
    return np.setdiff1d(rows, kernels_named(graph, rf"{RELU}|add<long>|AddFunctor<long>|OnSelf_add<long>", phase))


def _activations_behind_norms(graph: DependencyGraph) -> Longs:
    """Give the activations right behind a batch normalisation, and their backward kernels."""
    forward, backward = (kernels_named(graph, RELU, phase) for phase in _BOTH_PASSES)
    fused = np.isin(before_on_lane(graph), _batch_norms(graph, Phase.FORWARD))
    pairs = passes(graph, forward, backward)
    return np.concatenate(
        [forward[fused[forward]], *(np.unique(mirrored(first, second)[fused[first]]) for first, second in pairs)]
    )


def _restructured(graph: DependencyGraph, values: Values) -> DependencyGraph:
    rows = np.union1d(*(_batch_norms(graph, phase) for phase in _BOTH_PASSES))
    return removed(scaled(graph, rows, 1 / values["factor"]), _activations_behind_norms(graph))


def _no_batch_norm(graph: DependencyGraph, _values: Values) -> str:
    missing = [phase.name.lower() for phase in _BOTH_PASSES if not len(_batch_norms(graph, phase))]
    return f"it has no batch normalisation in a {missing[0]} pass" if missing else ""


def _restructured_wrong(before: DependencyGraph, after: DependencyGraph, _values: Values) -> str:
    if len(_activations_behind_norms(after)) and len(before) == len(after):
        return "activations behind batch normalisations are still there"
    was, now = (sum(len(_batch_norms(one, phase)) for phase in Phase) for one in (before, after))
    return "" if was == now else "batch normalisations are gone"


RECONSTRUCT_BN = Transform(
    name="reconstruct-bn",
    title="Batch normalisation restructured: half the passes over the data, activations fused into convolutions.",
    evidence="published",
    source="Daydream (USENIX ATC 2020, section 5.2); Jung et al. (MLSys 2019)",
    apply=_restructured,
    parameters=(Parameter("factor", "factor", "by how much less data normalisations move", "2x"),),
    requires=_no_batch_norm,
    ensures=_restructured_wrong,
)
"""Daydream: kernels of activations that are fused into convolutions go, those of batch normalisation shrink by the data
that they no longer move. It predicted 12.7 % where about 7 % were measured: new kernels, copies and allocations are not
in the model. So read the result as an upper bound of the gain.

Only activations right next to a batch normalisation go, with their launches: those behind a sum of branches stay.
"""
OFFLOAD, PREFETCH = "offload of activations", "prefetch of activations"
ENCODE, DECODE = "encoding of activations", "decoding of activations"


def _products(graph: DependencyGraph, values: Values, phase: Phase) -> Longs:
    return select(graph, phases=(phase,), layer=values["layer"], where=lambda one: classes(one) == KernelClass.MATRIX)


def _offloaded(graph: DependencyGraph, values: Values) -> DependencyGraph:
    link = link_of(values)
    forward = one_of_each_layer(graph, _products(graph, values, Phase.FORWARD))
    kernels: list[NewKernel] = []

    def copy(name: str, beside: int, behind: int, ahead_of: int) -> None:
        lane = channel(graph, beside, name)
        kernels.append(
            NewKernel(
                name=name, duration_ns=time, beside=behind, lane=lane, kind=TaskKind.COPY, after=(behind,),
                ahead_of=(ahead_of,),
            )
        )  # fmt: skip

    for layers, back in passes(graph, forward, _products(graph, values, Phase.BACKWARD)):
        if len(layers) < 2:
            continue
        time = link.transfer_ns(values["size"] / (len(layers) - 1))
        backward = mirrored(layers, back).tolist()
        for place, (here, following) in enumerate(zip(layers.tolist()[:-1], layers.tolist()[1:], strict=True)):
            copy(OFFLOAD, here, here, following)
            begins, needs = backward[place + 1], backward[place]
            if begins < needs:
                copy(PREFETCH, here, begins, needs)
    return with_kernels(graph, kernels).graph


def _nothing_to_offload(graph: DependencyGraph, values: Values) -> str:
    if not passes(graph, *(_products(graph, values, phase) for phase in _BOTH_PASSES)):
        return f"no layer that fits '{values['layer']}' has kernels in a forward and in a backward pass"
    return "" if values["size"] else "activations of 0 bytes need no moving"


VDNN = Transform(
    name="vdnn",
    title="Activations of the forward pass wait in the host's memory for the backward pass.",
    source="vDNN (MICRO 2016); Daydream (USENIX ATC 2020, section 5.3)",
    apply=_offloaded,
    parameters=(
        Parameter("size", "size", "of all activations that are moved, in a step"),
        Parameter("layer", "text", "glob of layers whose inputs are moved", "*[Cc]onv*"),
        Parameter("bandwidth", "rate", "between host and device, each way", "12GB/s"),
        Parameter("latency", "time", "of one copy", "10us"),
    ),
    requires=_nothing_to_offload,
    ensures=counting(1, "nothing is moved"),
)
"""A copy to the host behind each layer of the forward pass, on a stream of its own; the next of these layers waits for
it, as vDNN frees the memory then. A copy back before the layer's backward kernels, begun with those of the layer behind
it. The last layer keeps its input. Layers of both passes are matched by their places; the size, which a trace does not
tell, is spread evenly over the layers.
"""


def _encoded(graph: DependencyGraph, values: Values) -> DependencyGraph:
    share, least = values["factor"], least_kernel_ns(graph)
    kernels: list[NewKernel] = []
    for forward, backward in passes(graph, *(kernels_named(graph, RELU, phase) for phase in _BOTH_PASSES)):
        for row, back in zip(forward.tolist(), mirrored(forward, backward).tolist(), strict=True):
            first, second = (max(least, math.ceil(share * int(graph.duration_ns[one]))) for one in (row, back))
            kernels.append(NewKernel(name=ENCODE, duration_ns=first, beside=row))
            kernels.append(NewKernel(name=DECODE, duration_ns=second, beside=back, before=True))
    return with_kernels(graph, kernels).graph


def _nothing_to_encode(graph: DependencyGraph, _values: Values) -> str:
    found = passes(graph, *(kernels_named(graph, RELU, phase) for phase in _BOTH_PASSES))
    return "" if found else "it has no activations (ReLU) in a forward and in a backward pass"


GIST = Transform(
    name="gist",
    title="Activations are encoded behind the forward pass and decoded before the backward pass.",
    source="Gist (ISCA 2018); Daydream (USENIX ATC 2020, section 5.3)",
    apply=_encoded,
    parameters=(
        Parameter("factor", "factor", "what encoding or decoding takes by what the activation itself takes", "1x"),
    ),
    requires=_nothing_to_encode,
    ensures=counting(1, "nothing is encoded"),
)
"""Daydream: kernels that encode behind each activation (ReLU) of the forward pass and decode before its backward
kernel, as long as similar elementwise kernels: here the activation itself, which reads and writes the same data. Each
has its launch. What less memory allows, a larger batch, is another question.
"""


def _fetched(graph: DependencyGraph, values: Values) -> DependencyGraph:
    loads = select(graph, kinds=(TaskKind.DATA,))
    quick = with_durations(graph, loads, np.minimum(graph.duration_ns[loads], round(values["time"])))
    hosts = select(graph, kinds=(TaskKind.CPU, TaskKind.SYNCHRONISATION))
    quick = scaled(quick, hosts, values["slowdown"], gaps=True)
    steps = by_step(quick, loads)
    if len(steps) < 2:
        return quick
    made = replay(quick)
    step_ns = float(np.median(np.diff(np.sort([made.start_ns[rows].min() for rows in steps]))))
    load_ns = float(np.median([graph.duration_ns[rows].sum() for rows in steps])) / values["workers"]
    waits = max(0, round(load_ns - step_ns))
    if not waits:
        return quick
    firsts = np.array([rows[0] for rows in steps])
    note = f"{values['workers']:.0f} workers load a batch in {load_ns / 1e6:.1f} ms, longer than a step takes"
    return with_columns(with_durations(quick, firsts, quick.duration_ns[firsts] + waits), note)


DATA_LOADER = Transform(
    name="data-loader",
    title="Worker processes load data beside the training instead of the main thread.",
    evidence="back-tested",
    source="two pairs of public traces of ResNet-50 on a V100 (pytorch/kineto, tb_plugin/samples), 0 and 4 workers",
    apply=_fetched,
    parameters=(
        Parameter("workers", "count", "number of worker processes", "4"),
        Parameter("time", "time", "to fetch a batch that is ready", "1.4ms"),
        Parameter("slowdown", "factor", "of the main thread, with which workers share the processor", "1.15x"),
    ),
    requires=lambda graph, _values: (
        ""
        if (graph.kind == TaskKind.DATA).any()
        else "nothing in it loads data on the main thread; record with the ranges of a data loader"
    ),
    ensures=counting(0, "tasks are gone"),
)
"""Daydream has no model of this. Loading takes what it takes to fetch a ready batch (1.4 ms in both pairs) while the
workers keep up, that is while one batch in ``load / workers`` is no slower than a step; if not, the rest is waited for.

Workers slow the main thread: in the two pairs calls that launch kernels took 21 % and 10 % longer. Host tasks and what
passes between them are slowed by a factor that was fitted to the pairs: 1.19 fits the first and 1.11 the second, of
which 1.15 is the middle. Kernels, launches' latencies and the device are not touched.
"""


def _steps(graph: DependencyGraph, values: Values) -> list[tuple[Longs, Longs]]:
    """Give what each step of each rank computes again, and for each of these kernels the backward one of its place."""
    layer = None if values["layer"] == "*" else values["layer"]
    chosen = select(graph, kinds=(TaskKind.KERNEL,), phases=(Phase.FORWARD,), layer=layer)
    both = (select(graph, kinds=(TaskKind.KERNEL,), phases=(phase,)) for phase in (Phase.FORWARD, Phase.BACKWARD))
    made = []
    for forward, backward in passes(graph, *both):
        again = np.isin(forward, chosen)
        if again.any():
            made.append((forward[again], mirrored(forward, backward)[again]))
    return made


def _recomputed(graph: DependencyGraph, values: Values) -> DependencyGraph:
    kernels: list[NewKernel] = []
    for again, backward in _steps(graph, values):
        for part in np.array_split(np.arange(len(again)), min(int(values["segments"]), len(again))):
            begins = int(backward[part[-1]])
            kernels += [
                NewKernel(name=graph.named(row), duration_ns=int(graph.duration_ns[row]), beside=begins, before=True)
                for row in again[part].tolist()
            ]
    return with_kernels(graph, kernels).graph


def _nothing_again(graph: DependencyGraph, values: Values) -> str:
    if _steps(graph, values):
        return ""
    return f"no layer that fits '{values['layer']}' has kernels in a forward pass with a backward pass behind it"


def _as_often(before: DependencyGraph, after: DependencyGraph, values: Values) -> str:
    """Say where kernels were lost: the device works longer by what is computed again, to the ns."""
    again = sum(int(before.duration_ns[rows].sum()) for rows, _ in _steps(before, values))
    kernels = [int(one.duration_ns[one.kind == TaskKind.KERNEL].sum()) for one in (before, after)]
    return "" if kernels[1] - kernels[0] == again else "not all of the forward pass is computed again"


RECOMPUTE = Transform(
    name="recompute",
    title="Activations are not kept: the backward pass computes them again (activation checkpointing).",
    evidence="modelled",
    source="Chen et al., Training Deep Nets with Sublinear Memory Cost (2016); torch.utils.checkpoint",
    apply=_recomputed,
    parameters=(
        Parameter("segments", "count", "pieces of the forward pass, each computed again before its backward pass", "8"),
        Parameter("layer", "text", "glob of layers that are computed again", "*"),
    ),
    requires=_nothing_again,
    ensures=_as_often,
)
"""The kernels of each segment of the forward pass run once more, each with a launch, ahead of the first backward kernel
of that segment; segments have equally many kernels. Kernels of both passes are matched by their places. Collectives are
not repeated. What less memory allows, a larger batch, is another question.
"""
