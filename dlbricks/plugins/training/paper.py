"""Transforms of Daydream (USENIX ATC 2020) without back-tests; their errors are those in publications.

Transfers between ranks: bandwidth, P3 (Jayarajan et al., MLSys 2019), BlueConnect, compression. One device: batch
normalisation, graph substitution, offloading (vDNN) and encoding (Gist) of activations.
"""

import math

import numpy as np

from dlbricks.errors import InputError
from dlbricks.plugins.training.collectives import (
    BANDWIDTH,
    EFFICIENCY,
    LATENCY,
    NOT_ALL_RANKS,
    Link,
    all_reduces,
    collective_rows,
    communication_lane,
    is_transfer,
    link_of,
    operation,
    payload_bytes,
    unknown_all_reduces,
)
from dlbricks.plugins.training.data_parallel import PARAMETERS, gradients, no_gradients, sending
from dlbricks.plugins.training.one_device import RELU, kernels_named, matching_backward, passes_by_step, update_rows
from dlbricks.trace.types import NONE, Lane, Longs
from dlbricks.trace.work_classes import KernelClass
from dlbricks.units import counted
from dlbricks.whatif.edit import (
    NewEdge,
    NewKernel,
    NewTask,
    edge_like,
    inserted,
    least_kernel_ns,
    removed,
    scaled,
    with_durations,
    with_kernels,
)
from dlbricks.whatif.graph import (
    BOTH_PASSES,
    DependencyGraph,
    EdgeKind,
    Phase,
    TaskKind,
    with_columns,
    with_edges,
)
from dlbricks.whatif.select import (
    before_on_lane,
    on_device,
    one_of_each_layer,
    processes,
    select,
)
from dlbricks.whatif.simulate import Policy
from dlbricks.whatif.transform import Parameter, Transform, Values, counting, read_value
from dlbricks.whatif.work import classes

# Heading in lists.
GROUP = "paper"
_UNKNOWN = "unknown"


def _present(values: Values) -> float | None:
    """Return the bandwidth of the traced run, bytes per second; None if the user does not state it."""
    return None if values["now"] == _UNKNOWN else float(read_value(BANDWIDTH, values["now"]))


def _rewired(graph: DependencyGraph, values: Values) -> DependencyGraph:
    rows = collective_rows(graph)
    rows = rows[is_transfer(graph, rows)]
    link, now = link_of(values), _present(values)
    if now is not None:
        sent = np.maximum(0.0, graph.duration_ns[rows] - link.latency_ns)
        return with_durations(graph, rows, graph.duration_ns[rows] - sent + sent * now / values["bandwidth"])
    sizes, members = payload_bytes(graph, rows).tolist(), graph.figures("group_size")[rows].tolist()
    each = zip(rows.tolist(), sizes, members, strict=True)
    times = [link.collective_ns(operation(graph, row), size, count) for row, size, count in each]
    return with_durations(graph, rows, times)


def _no_network(graph: DependencyGraph, values: Values) -> str:
    rows = collective_rows(graph)
    if not len(rows):
        return "it has no collectives: apply data-parallel first, or give the traces of all ranks"
    transfers = rows[is_transfer(graph, rows)]
    if not len(transfers):
        return f"its collectives {NOT_ALL_RANKS}: give the traces of all ranks"
    try:
        now = _present(values)
    except InputError as error:
        return f"now: {error}"
    unknown = np.isnan(payload_bytes(graph, transfers) + graph.figures("group_size")[transfers])
    if now is None and unknown.any():
        number = counted(int(unknown.sum()), "collective")
        return f"the size or the group of {number} is not in it: give now=RATE, the bandwidth of the traced run"
    return ""


# Only pure transfer times may be scaled. A collective recorded on one rank is mostly waiting (one all-to-all takes 10
# us on the last rank to arrive, 7.6 ms on the first), so such traces are refused. With all ranks, or modelled
# collectives, times follow from sizes: latency and bytes over the links of a ring. If sizes are unknown and the present
# bandwidth is given, the time beyond the latency is scaled.
BANDWIDTH_OF_LINKS = Transform(
    name="bandwidth",
    group=GROUP,
    title="Other bandwidth of the links between ranks.",
    source="Daydream (USENIX ATC 2020, section 5.3); alpha-beta model of collectives",
    apply=_rewired,
    parameters=(
        BANDWIDTH,
        LATENCY,
        EFFICIENCY,
        Parameter(
            "now",
            "text",
            "bandwidth of the traced run, as in 10Gbps: scales times instead of computing them from sizes",
            _UNKNOWN,
        ),
    ),
    requires=_no_network,
    ensures=counting(0, "tasks are gone"),
)
PUSH, PULL = "push of gradients", "pull of parameters"
_PRIORITY = "priority"


def _sliced(graph: DependencyGraph, values: Values) -> DependencyGraph:
    link = link_of(values)
    steps = gradients(graph, values)
    tasks: list[NewTask] = []
    edges: list[NewEdge] = []

    def after(first: int, *seconds: int) -> None:
        edges.extend(NewEdge(kind=EdgeKind.GRADIENT, first=first, second=second) for second in seconds)

    for number, step in enumerate(steps):
        following = steps[number + 1].rows[0] if number + 1 < len(steps) else len(graph)
        forward = _next_forward(graph, int(step.rows[-1]), int(following))
        up, down = (communication_lane(graph, int(step.rows[0]), name) for name in (PUSH, PULL))
        for place, (row, size) in enumerate(zip(step.rows.tolist(), step.sizes_bytes.tolist(), strict=True)):
            rank = len(step.rows) - 1 - place
            needs = [int(forward[rank * len(forward) // len(step.rows)])] if len(forward) else []
            slices = max(1, math.ceil(size / values["size"]))
            time = link.transfer_ns(size / slices)
            figures = {"bytes": size / slices, "group_size": 2.0, _PRIORITY: float(rank)}
            for _ in range(slices):
                push = len(graph) + len(tasks)
                tasks += [
                    NewTask(
                        kind=TaskKind.COLLECTIVE, name=name, lane=lane, duration_ns=time, after=row, attributes=figures
                    )
                    for name, lane in ((PUSH, up), (PULL, down))
                ]
                after(row, push)
                after(push, push + 1)
                after(push + 1, *needs)
    grown = inserted(graph, tasks, edges).graph
    served = removed(grown, update_rows(grown))
    return with_columns(served, "parameter servers update the parameters, so the worker's update is removed")


def _next_forward(graph: DependencyGraph, behind: int, before: int) -> Longs:
    """Return the forward kernels after task ``behind`` and before task ``before``, on the rank of ``behind``."""
    rows = select(graph, kinds=(TaskKind.KERNEL,), phases=(Phase.FORWARD,))
    return rows[(rows > behind) & (rows < before) & (processes(graph)[rows] == processes(graph)[behind])]


def _needed_first(graph: DependencyGraph, _values: Values) -> Policy:
    lanes = tuple(number for number, lane in enumerate(graph.lanes) if lane.name in (PUSH, PULL))
    return Policy(free_lanes=lanes, priority=np.nan_to_num(graph.attributes[_PRIORITY]))


# Daydream sends each gradient in slices, each by a push and then a pull. The channel prefers slices of layers that the
# next forward pass needs first; each layer waits for its own pull only. Reported errors are at most 16.2 %; at high
# bandwidth the model is optimistic, because servers take time.
#
# A slice has 50,000 parameters, as in P3. Servers update parameters, so the update is removed from the worker.
# Gradients are matched with forward kernels by position: the last gradient belongs to the first forward kernel. Pushes
# and pulls use the two directions of the link.
P3 = Transform(
    name="p3",
    group=GROUP,
    title="Parameter servers with priorities (P3): gradient slices in the order of the next forward pass.",
    source="P3 (MLSys 2019); Daydream (USENIX ATC 2020, section 5.3)",
    apply=_sliced,
    parameters=(BANDWIDTH, Parameter("size", "size", "size of a slice", "200kB"), LATENCY, PARAMETERS),
    requires=lambda graph, values: no_gradients(graph, values) if values["size"] else "the slice size is 0",
    ensures=sending(2, PUSH, PULL),
    policy=_needed_first,
)
# After the first stage, the reduce-scatter inside nodes, which replaces the all-reduce.
_STAGES = ("reduce-scatter between nodes", "all-gather between nodes", "all-gather inside nodes")


def _staged(graph: DependencyGraph, values: Values) -> DependencyGraph:
    rows, inside = all_reduces(graph), values["inside"]
    rate = values["inside_bandwidth"] * values["efficiency"]
    inner, outer = Link(bytes_per_s=rate, latency_ns=values["latency"]), link_of(values)
    sizes, members = payload_bytes(graph, rows), graph.figures("group_size")[rows]
    tasks: list[NewTask] = []
    edges: list[NewEdge] = []
    firsts = []
    last_stage: dict[int, int] = {}
    for row, size, count in zip(rows.tolist(), sizes.tolist(), members.tolist(), strict=True):
        between_ns, inside_ns = outer.half_ns(size / inside, count / inside), inner.half_ns(size, inside)
        firsts.append(inside_ns)
        lane = graph.lanes[graph.lane[row]]
        between = Lane(process=lane.process, name=f"{lane.name} between nodes", device=lane.device)
        stages = zip(_STAGES, (between, between, lane), (between_ns, between_ns, inside_ns), strict=True)
        last_stage[row] = row
        for name, place, time in stages:
            number = len(graph) + len(tasks)
            edges.append(NewEdge(kind=EdgeKind.GRADIENT, first=last_stage[row], second=number))
            tasks.append(NewTask(kind=TaskKind.COLLECTIVE, name=name, lane=place, duration_ns=time, after=row))
            last_stage[row] = number
    moved = np.isin(graph.edge_from, rows)
    edges += [
        edge_like(graph, edge, first=last_stage[int(graph.edge_from[edge])]) for edge in np.flatnonzero(moved).tolist()
    ]
    return inserted(with_edges(with_durations(graph, rows, firsts), ~moved), tasks, edges).graph


def _no_stages(graph: DependencyGraph, values: Values) -> str:
    reason = unknown_all_reduces(graph)
    if reason:
        return reason
    members, inside = graph.figures("group_size")[all_reduces(graph)], values["inside"]
    odd = members[(members % inside != 0) | (members <= inside)]
    if len(odd):
        return f"{odd[0]:.0f} ranks cannot be divided into two or more nodes of {inside:.0f} each"
    return ""


def _first_come(graph: DependencyGraph, _values: Values) -> Policy:
    """Return a policy for each channel: stages of all-reduces are served in the order in which they arrive."""
    lanes = np.unique(graph.lane[select(graph, kinds=(TaskKind.COLLECTIVE,), name="|".join(_STAGES))])
    return Policy(free_lanes=tuple(int(lane) for lane in lanes))


# Each all-reduce becomes four stages: reduce-scatter inside each node, then of each part between nodes, then the two
# all-gathers in reverse. Links between nodes carry one part in ``inside`` of the bytes. The stages of one all-reduce
# are sequential; those of several overlap on different channels, first come, first served.
BLUECONNECT = Transform(
    name="blueconnect",
    group=GROUP,
    title="Hierarchical all-reduces: stages inside and between nodes, on separate channels.",
    source="BlueConnect (MLSys 2019); Daydream (USENIX ATC 2020, section 5.3)",
    apply=_staged,
    parameters=(
        Parameter("inside", "count", "ranks in each node"),
        Parameter("inside_bandwidth", "rate", "bandwidth of the links inside a node"),
        BANDWIDTH,
        LATENCY,
        EFFICIENCY,
    ),
    requires=_no_stages,
    ensures=lambda before, after, _values: (
        "" if len(after) == len(before) + len(_STAGES) * len(all_reduces(before)) else "a stage is missing"
    ),
    policy=_first_come,
)
COMPRESS, RESTORE = "compression of gradients", "restoring of gradients"
# Reads or writes per gradient during compression: momentum 3, residual 3, threshold and mask 2.
_PASSES = 8
# Bytes sent per byte of a gradient, because its index is sent, too.
_WITH_INDEX = 2


def _compressed(graph: DependencyGraph, values: Values) -> DependencyGraph:
    rows, memory, least = all_reduces(graph), values["memory"], least_kernel_ns(graph)
    sizes, members = payload_bytes(graph, rows), graph.figures("group_size")[rows]
    link, sent = link_of(values), _WITH_INDEX * values["share"] * sizes
    kernels, times = [], []
    for row, size, part, count in zip(rows.tolist(), sizes.tolist(), sent.tolist(), members.tolist(), strict=True):
        times.append(link.half_ns(part * count, count))
        compress_ns, restore_ns = (
            max(least, round(1e9 * nbytes / memory)) for nbytes in (_PASSES * size, size + part * count)
        )
        source, targets = _source(graph, row), _targets(graph, row)
        kernels.append(NewKernel(name=COMPRESS, duration_ns=compress_ns, next_to=source, ahead_of=(row,)))
        if targets:
            kernels.append(
                NewKernel(
                    name=RESTORE,
                    duration_ns=restore_ns,
                    next_to=targets[0],
                    before=True,
                    after=(row,),
                    ahead_of=targets,
                )
            )
    return with_kernels(with_durations(graph, rows, times), kernels).graph


def _source(graph: DependencyGraph, row: int) -> int:
    """Return the last device task before an all-reduce, or ``NONE``."""
    sources = graph.edge_from[(graph.edge_to == row) & (graph.edge_kind != EdgeKind.LAUNCH)]
    return int(np.intersect1d(sources, on_device(graph)).max(initial=NONE))


def _targets(graph: DependencyGraph, row: int) -> list[int]:
    """Return the device tasks that wait for an all-reduce."""
    targets = graph.edge_to[graph.edge_from == row]
    return sorted(int(target) for target in targets[np.isin(targets, on_device(graph))])


def _no_compression(graph: DependencyGraph, values: Values) -> str:
    reason = unknown_all_reduces(graph)
    if not reason and any(_source(graph, row) == NONE for row in all_reduces(graph).tolist()):
        reason = "the kernel that makes the gradients of an all-reduce is unknown"
    return reason or ("" if values["share"] else "the share sent is 0")


# Daydream inserts kernels that compress and decompress, and scales communication by the ratio. Here sparse gradients
# are exchanged by an all-gather of values and indices, since they cannot be summed on the way. Its time grows with the
# number of ranks, so with many ranks and a large share it is slower than the all-reduce. Compression reads and writes
# each gradient 8 times, decompression writes it once. Accuracy is out of scope.
COMPRESSION = Transform(
    name="deep-gradient-compression",
    group=GROUP,
    title="Deep gradient compression: only the largest gradients are sent.",
    source="Deep gradient compression (ICLR 2018); Daydream (USENIX ATC 2020, section 5.3)",
    apply=_compressed,
    parameters=(
        Parameter("share", "share", "share of the gradients that is sent", "0.1%"),
        BANDWIDTH,
        LATENCY,
        EFFICIENCY,
        Parameter("memory", "rate", "bandwidth of the device's memory", "600GB/s"),
    ),
    requires=_no_compression,
    ensures=lambda before, after, _: (
        "" if len(all_reduces(after)) == len(all_reduces(before)) else "all-reduces are gone"
    ),
)


def _batch_norms(graph: DependencyGraph, phase: Phase) -> Longs:
    """Return the batch normalisations of a phase, without the kernels that count batches."""
    rows = kernels_named(graph, r"batch_?norm|bn_(fw|bw)", phase)
    return np.setdiff1d(rows, kernels_named(graph, rf"{RELU}|add<long>|AddFunctor<long>|OnSelf_add<long>", phase))


def _activations_behind_norms(graph: DependencyGraph) -> Longs:
    """Return the activations that directly follow a batch normalisation, and their backward kernels."""
    forward, backward = (kernels_named(graph, RELU, phase) for phase in BOTH_PASSES)
    fused = np.isin(before_on_lane(graph), _batch_norms(graph, Phase.FORWARD))
    pairs = passes_by_step(graph, forward, backward)
    backwards = (np.unique(matching_backward(first, second)[fused[first]]) for first, second in pairs)
    return np.concatenate([forward[fused[forward]], *backwards])


def _restructured(graph: DependencyGraph, values: Values) -> DependencyGraph:
    rows = np.union1d(*(_batch_norms(graph, phase) for phase in BOTH_PASSES))
    return removed(scaled(graph, rows, 1 / values["factor"]), _activations_behind_norms(graph))


def _no_batch_norm(graph: DependencyGraph, _values: Values) -> str:
    missing = [phase.name.lower() for phase in BOTH_PASSES if not len(_batch_norms(graph, phase))]
    return f"it has no batch normalisation in a {missing[0]} pass" if missing else ""


def _restructured_wrong(before: DependencyGraph, after: DependencyGraph, _values: Values) -> str:
    if len(_activations_behind_norms(after)) and len(before) == len(after):
        return "activations after batch normalisations remain"
    was, now = (sum(len(_batch_norms(graph, phase)) for phase in Phase) for graph in (before, after))
    return "" if was == now else "batch normalisations are gone"


# Daydream removes activation kernels that are fused into convolutions, and scales batch normalisation by the bytes
# saved. It predicted 12.7 % where about 7 % were measured, since new kernels, copies and allocations are not modelled;
# so the result is an upper bound of the gain.
#
# Only activations directly after a batch normalisation are removed, with their launches; those after the sum of two
# branches stay.
RECONSTRUCT_BN = Transform(
    name="reconstruct-bn",
    group=GROUP,
    title="Restructured batch normalisation: half the memory passes, activations fused into convolutions.",
    source="Daydream (USENIX ATC 2020, section 5.2); Jung et al. (MLSys 2019)",
    apply=_restructured,
    parameters=(Parameter("factor", "factor", "reduction of the bytes moved by normalisations", "2x"),),
    requires=_no_batch_norm,
    ensures=_restructured_wrong,
)
OFFLOAD, PREFETCH = "offload of activations", "prefetch of activations"
ENCODE, DECODE = "encoding of activations", "decoding of activations"


def _products(graph: DependencyGraph, values: Values, phase: Phase) -> Longs:
    return select(
        graph, phases=(phase,), layer=values["layer"], where=lambda edited: classes(edited) == KernelClass.MATRIX
    )


def _offloaded(graph: DependencyGraph, values: Values) -> DependencyGraph:
    link = link_of(values)
    forward = one_of_each_layer(graph, _products(graph, values, Phase.FORWARD))
    kernels: list[NewKernel] = []

    def copy(name: str, next_to: int, behind: int, ahead_of: int) -> None:
        lane = communication_lane(graph, next_to, name)
        kernels.append(
            NewKernel(
                name=name, duration_ns=time, next_to=behind, lane=lane, kind=TaskKind.COPY, after=(behind,),
                ahead_of=(ahead_of,),
            )
        )  # fmt: skip

    for layers, back in passes_by_step(graph, forward, _products(graph, values, Phase.BACKWARD)):
        if len(layers) < 2:
            continue
        time = link.transfer_ns(values["size"] / (len(layers) - 1))
        backward = matching_backward(layers, back).tolist()
        for place, (here, following) in enumerate(zip(layers.tolist()[:-1], layers.tolist()[1:], strict=True)):
            copy(OFFLOAD, here, here, following)
            begins, needs = backward[place + 1], backward[place]
            if begins < needs:
                copy(PREFETCH, here, begins, needs)
    return with_kernels(graph, kernels).graph


def _nothing_to_offload(graph: DependencyGraph, values: Values) -> str:
    if not passes_by_step(graph, *(_products(graph, values, phase) for phase in BOTH_PASSES)):
        return f"no layer that matches '{values['layer']}' has forward and backward kernels"
    return "" if values["size"] else "the size of the activations is 0"


# After each layer of the forward pass a copy to the host runs on a stream of its own; the next of these layers waits
# for it, since vDNN frees the memory then. A copy back runs before the layer's backward kernels, started with those of
# the following layer. The last layer keeps its input. Layers of both passes are matched by position; the size, which
# traces do not tell, is divided evenly among layers.
VDNN = Transform(
    name="vdnn",
    group=GROUP,
    title="Activation offloading (vDNN) to host memory between forward and backward pass.",
    source="vDNN (MICRO 2016); Daydream (USENIX ATC 2020, section 5.3)",
    apply=_offloaded,
    parameters=(
        Parameter("size", "size", "bytes of offloaded activations per step"),
        Parameter("layer", "text", "layers whose inputs are offloaded (glob)", "*[Cc]onv*"),
        Parameter("bandwidth", "rate", "bandwidth between host and device, each way", "12GB/s"),
        Parameter("latency", "time", "latency of one copy", "10us"),
    ),
    requires=_nothing_to_offload,
    ensures=counting(1, "nothing is moved"),
)


def _encoded(graph: DependencyGraph, values: Values) -> DependencyGraph:
    share, least = values["factor"], least_kernel_ns(graph)
    kernels: list[NewKernel] = []
    for forward, backward in passes_by_step(graph, *(kernels_named(graph, RELU, phase) for phase in BOTH_PASSES)):
        for row, back in zip(forward.tolist(), matching_backward(forward, backward).tolist(), strict=True):
            first, second = (max(least, math.ceil(share * int(graph.duration_ns[kernel]))) for kernel in (row, back))
            kernels.append(NewKernel(name=ENCODE, duration_ns=first, next_to=row))
            kernels.append(NewKernel(name=DECODE, duration_ns=second, next_to=back, before=True))
    return with_kernels(graph, kernels).graph


def _nothing_to_encode(graph: DependencyGraph, _values: Values) -> str:
    passes = passes_by_step(graph, *(kernels_named(graph, RELU, phase) for phase in BOTH_PASSES))
    return "" if passes else "it has no activations (ReLU) with forward and backward kernels"


# Daydream inserts a kernel that encodes after each activation (ReLU) of the forward pass, and one that decodes before
# its backward kernel, as long as similar elementwise kernels: here the activation itself, which moves the same data.
# Each has a launch. Larger batches that fit into memory are not modelled.
GIST = Transform(
    name="gist",
    group=GROUP,
    title="Activation compression (Gist) between forward and backward pass.",
    source="Gist (ISCA 2018); Daydream (USENIX ATC 2020, section 5.3)",
    apply=_encoded,
    parameters=(Parameter("factor", "factor", "time to encode or decode, relative to the activation kernel", "1x"),),
    requires=_nothing_to_encode,
    ensures=counting(1, "nothing is encoded"),
)
_NONE = "none"


def _of(graph: DependencyGraph, layer: str) -> Longs:
    """Return the device tasks of the layers that match ``layer``; without a device, all tasks of these layers."""
    rows, device = select(graph, layer=layer), on_device(graph)
    if layer == _NONE:
        return np.empty(0, np.int64)
    return np.intersect1d(rows, device) if len(device) else rows


def _substituted(graph: DependencyGraph, values: Values) -> DependencyGraph:
    staying, gone = (_of(graph, values[key]) for key in ("layer", "remove"))
    return removed(scaled(graph, staying, values["time"]), gone)


def _nothing_to_substitute(graph: DependencyGraph, values: Values) -> str:
    staying, gone = (_of(graph, values[key]) for key in ("layer", "remove"))
    if not len(staying):
        return f"no layer with tasks matches '{values['layer']}'"
    if values["remove"] != _NONE and not len(gone):
        return f"no layer with tasks matches '{values['remove']}'"
    both = np.intersect1d(staying, gone)
    return f"{graph.layers[graph.layer[both[0]]]} matches both layer and remove" if len(both) else ""


# One substitution, for example two convolutions with the same input merged into one with twice the channels. The new
# layer's time has to be known, for example from a stored measurement or the ratio of work.
METAFLOW = Transform(
    name="metaflow",
    group=GROUP,
    title="Graph substitution: some layers are removed, one takes over their work.",
    source="MetaFlow (MLSys 2019); Daydream (USENIX ATC 2020, section 5.3)",
    apply=_substituted,
    parameters=(
        Parameter("layer", "text", "layers that take over the work (glob)"),
        Parameter("time", "factor", "new time of these layers relative to their present time", "1x"),
        Parameter("remove", "text", "layers to remove, with their launches (glob)", _NONE),
    ),
    requires=_nothing_to_substitute,
    ensures=lambda before, after, values: (
        "" if len(after) <= len(before) and not len(_of(after, values["remove"])) else "a layer was not removed"
    ),
)
