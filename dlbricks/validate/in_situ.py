"""The runtime's layer profile of a whole network, and comparison of the parts' estimates with it.

Profiling adds about the same overhead to each node, so the sum of the nodes exceeds the latency of a run without
profiling by a constant per node. This constant, up to a plausible maximum, is subtracted; the remaining difference is
attributed to changes of the machine's speed, and the node times are scaled.
"""

import statistics
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from dlbricks.construct.compose import describe
from dlbricks.construct.types import Composition
from dlbricks.errors import DlbricksError
from dlbricks.harness.network import Bound
from dlbricks.harness.options import RunOptions
from dlbricks.harness.session import RUNTIME_ERRORS, open_session, session_settings
from dlbricks.harness.trace.layer_profile import RESOLUTION_NS, LayerProfile, ProfiledCall, load_profile
from dlbricks.limits import READ_SECONDS
from dlbricks.model.bounds import allow_run
from dlbricks.model.emit import end_to_end_contract, end_to_end_inputs, end_to_end_network, network_bytes, write_weights
from dlbricks.model.lowering.origins import results
from dlbricks.model.types import Layer, Model
from dlbricks.operators.costs import layer_flops
from dlbricks.sequences.split import strip_boundary_views
from dlbricks.sequences.types import LayerSequence, Split
from dlbricks.statistics import trimmed_mean
from dlbricks.validate.types import NodeProfile, NodeTimes, SequenceError, StepContext, TypeBias

# Number of sequences with the largest errors that are listed for each network.
WORST = 5
# Maximum profiling overhead of a node: 0.4 to 2.9 us were measured on networks of many small nodes.
_MOST_TIMING_NS = 3_000
# Approximate total time of the calls with and without profiling.
PROFILE_NS = 3_000_000_000
# Consecutive calls per visit; the first one is left out, since it finds the caches in another state.
VISIT_CALLS = 4
MAX_VISITS, _MIN_VISITS = 20, 2
_FAILURES: tuple[type[Exception], ...] = (DlbricksError, *RUNTIME_ERRORS)


@dataclass(frozen=True, slots=True, kw_only=True)
class StepTimes:
    """Estimated and in-situ time of one step of a composition."""

    step: int
    """Index into ``Composition.steps``."""
    estimated_ns: float
    in_situ_ns: float


def contexts(split: Split) -> tuple[StepContext, ...]:
    """Return producers, consumers and shapes of every sequence, looking through views."""
    model = split.model
    makers = {tensor: layer for layer in model.layers for tensor in layer.outputs if tensor}
    readers: dict[str, list[int]] = {}
    for index, layer in enumerate(model.layers):
        for tensor in layer.reads:
            readers.setdefault(tensor, []).append(index)
    return tuple(
        _context(model, strip_boundary_views(model, sequence), makers, readers) for sequence in split.sequences
    )


def _context(
    model: Model, sequence: LayerSequence, makers: Mapping[str, Layer], readers: Mapping[str, list[int]]
) -> StepContext:
    inside = set(sequence.layers)
    return StepContext(
        inputs=tuple(describe(model.spec(tensor)) for tensor in sequence.inputs),
        outputs=tuple(describe(model.spec(tensor)) for tensor in sequence.outputs),
        constant_bytes=sum(model.spec(tensor).nbytes for tensor in sequence.constants),
        producers=tuple(_producer(model, tensor, makers) for tensor in sequence.inputs),
        consumers=tuple(
            dict.fromkeys(name for tensor in sequence.outputs for name in _consumers(model, tensor, readers, inside))
        ),
    )


def _producer(model: Model, tensor: str, makers: Mapping[str, Layer]) -> str:
    while tensor in makers and makers[tensor].is_view:
        tensor = makers[tensor].inputs[0]
    if tensor in makers:
        return makers[tensor].op_type
    return "constant" if tensor in model.constants else "input"


def _consumers(model: Model, tensor: str, readers: Mapping[str, list[int]], inside: set[int]) -> Iterator[str]:
    """Name the operators that read a tensor outside a sequence, looking through views."""
    waiting = [tensor]
    while waiting:
        name = waiting.pop()
        if name in model.outputs:
            yield "output"
        for index in readers.get(name, ()):
            layer = model.layers[index]
            if index in inside:
                continue
            if layer.is_view:
                waiting += [output for output in layer.outputs if output]
            else:
                yield layer.op_type


def read_durations(calls: Iterable[ProfiledCall], *, warm_up: int, visit: int) -> dict[str, tuple[int, ...]]:
    """Collect the durations of each node that is not inside a subgraph of control flow.

    Args:
        calls: of a profile of onnxruntime (``harness.trace.layer_profile``).
        warm_up: number of warm-up calls at the beginning, which are left out.
        visit: number of consecutive calls of a visit; the first of each is left out, if there are several.

    Returns:
        Durations in us by name of the node, in the order of first execution.
    """
    seen: dict[str, list[int]] = {}
    for call in calls:
        for node in call.layers:
            seen.setdefault(node.name, []).append(node.duration_ns // RESOLUTION_NS)
    return {
        name: tuple(
            duration
            for index, duration in enumerate(durations[warm_up:])
            if visit == 1 or index % visit or len(durations) <= warm_up + 1
        )
        for name, durations in seen.items()
    }


def assign_nodes(lowered: Model, split: Model, durations_us: Mapping[str, Sequence[int]]) -> tuple[NodeProfile, ...]:
    """Map each node of the lowered network to layers of the network that was split.

    A fused node is mapped to the layer that produces its result; a node that the runtime inserted to none
    (``model.lowering.origins``).

    Args:
        lowered: the profiled network, whose nodes have the names of its layers.
        split: the network whose layers are estimated.
        durations_us: by name of the node.
    """
    layers_of = results(lowered, split)
    return tuple(
        NodeProfile(
            layer=layer.name,
            operator=layer.op_type,
            layers=layers_of[layer.name],
            # a median would be too coarse, since durations are whole microseconds
            mean_us=trimmed_mean(durations_us[layer.name]),
        )
        for layer in lowered.layers
        if layer.name in durations_us
    )


def undisturbed_times(profile: NodeTimes, total_ns: float) -> tuple[float, ...]:
    """Return the time of each node in the network without profiling, ns.

    The overhead per node is the difference between the sum of the nodes and the latency without profiling, divided by
    the number of nodes and limited to ``_MOST_TIMING_NS``. The node times without it are scaled to ``total_ns``.

    Args:
        profile: with at least one node.
        total_ns: total time of the nodes in the measured network.
    """
    means = [1e3 * node.mean_us for node in profile.nodes]
    # a sum of nodes below the latency is no overhead, and a larger one than the limit is another speed
    excess = min(max(0.0, (sum(means) - profile.undisturbed_ns) / len(means)), _MOST_TIMING_NS)
    undisturbed = [max(0.0, mean - excess) for mean in means]
    total = sum(undisturbed)
    return tuple(total_ns * mean / total if total else total_ns / len(means) for mean in undisturbed)


def compare_steps(
    composition: Composition, estimated_ns: Sequence[float], profile: NodeTimes, total_ns: float
) -> tuple[tuple[StepTimes, ...], dict[str, float]]:
    """Compare the estimate of every step with the time of its nodes.

    Args:
        composition: of the network.
        estimated_ns: of each step, without call overhead.
        profile: of the network.
        total_ns: end-to-end latency, without call overhead.

    Returns:
        The steps, and the time of nodes that belong to none, by operator. A node of several steps counts for the last
        one, which produces its result.
    """
    step_of = {layer: index for index, step in enumerate(composition.steps) for layer in step.layers}
    in_situ: dict[int, float] = defaultdict(float)
    added: dict[str, float] = defaultdict(float)
    for node, time_ns in zip(profile.nodes, undisturbed_times(profile, total_ns), strict=True):
        steps = [step_of[layer] for layer in node.layers if layer in step_of]
        if steps:
            in_situ[max(steps)] += time_ns
        else:
            added[node.operator] += time_ns
    times = tuple(
        StepTimes(step=index, estimated_ns=estimated, in_situ_ns=in_situ.get(index, 0.0))
        for index, estimated in enumerate(estimated_ns)
    )
    return times, dict(added)


def type_biases(
    composition: Composition, times: Sequence[StepTimes], added_ns: Mapping[str, float], measured_ns: int
) -> tuple[TypeBias, ...]:
    """Add up estimated and in-situ times by type of sequence.

    Args:
        composition: of the network.
        times: from ``compare_steps``.
        added_ns: from ``compare_steps``.
        measured_ns: end-to-end latency.
    """
    sums: dict[str, list[float]] = defaultdict(lambda: [0, 0.0, 0.0])
    for time in times:
        row = sums[composition.steps[time.step].name]
        row[:] = row[0] + 1, row[1] + time.estimated_ns, row[2] + time.in_situ_ns
    for operator, time_ns in added_ns.items():
        sums[f"({operator})"][2] += time_ns
    rows = [
        bias_of(name, round(count), estimated, seen, (estimated - seen) / max(1, measured_ns))
        for name, (count, estimated, seen) in sums.items()
    ]
    return tuple(sorted(rows, key=lambda row: (-row.in_situ_ns, row.type)))


def bias_of(name: str, count: int, estimated_ns: float, in_situ_ns: float, contribution: float) -> TypeBias:
    """Return the row of one type."""
    return TypeBias(
        type=name,
        count=count,
        estimated_ns=round(estimated_ns),
        in_situ_ns=round(in_situ_ns),
        bias=estimated_ns / in_situ_ns - 1 if in_situ_ns > 0 else 0.0,
        contribution=contribution,
    )


def worst_sequences(
    composition: Composition, contexts: Sequence[StepContext], times: Sequence[StepTimes], measured_ns: int
) -> tuple[SequenceError, ...]:
    """Return the sequences with the largest total errors, with the context of the occurrence of largest error.

    Args:
        composition: of the network.
        contexts: of its steps.
        times: from ``compare_steps``.
        measured_ns: end-to-end latency.
    """
    uses: dict[str, list[StepTimes]] = defaultdict(list)
    for time in times:
        uses[composition.steps[time.step].fingerprint].append(time)
    off = {name: sum(time.estimated_ns - time.in_situ_ns for time in same) for name, same in uses.items()}
    chosen = sorted(off, key=lambda name: (-abs(off[name]), name))[:WORST]
    errors = []
    for name in chosen:
        furthest = max(uses[name], key=lambda time: abs(time.estimated_ns - time.in_situ_ns)).step
        step = composition.steps[furthest]
        errors.append(
            SequenceError(
                fingerprint=name,
                name=step.name,
                count=len(uses[name]),
                estimated_ns=round(sum(time.estimated_ns for time in uses[name])),
                in_situ_ns=round(sum(time.in_situ_ns for time in uses[name])),
                contribution=off[name] / max(1, measured_ns),
                layers=step.layers,
                context=contexts[furthest],
                constants=step.constants,
                inputs=step.inputs,
                outputs=step.outputs,
            )
        )
    return tuple(errors)


def profile_network(lowered: Model, split: Model, options: RunOptions, weights: Path) -> NodeTimes | None:
    """Run a lowered network alternately with and without profiling; None if it cannot be run or has no node times.

    Args:
        lowered: the graph that the runtime executes.
        split: the network whose layers are estimated, the same or the portable one.
        options: of the run, with provider and threads.
        weights: folder of weight files.
    """
    arithmetic = sum(layer_flops(lowered, layer) for layer in lowered.layers)
    allow_run(4 * _MIN_VISITS * VISIT_CALLS * arithmetic, READ_SECONDS + 4 * options.threads * PROFILE_NS / 1e9)
    try:
        network, blobs = end_to_end_network(lowered)
        write_weights(weights, blobs)
        with tempfile.TemporaryDirectory(prefix="dlbricks-") as scratch:
            undisturbed_ns, taken, warm_up = _run(lowered, network_bytes(network), options, weights, Path(scratch))
    except _FAILURES:
        return None
    durations = read_durations(taken.calls, warm_up=warm_up, visit=VISIT_CALLS)
    nodes = assign_nodes(lowered, split, durations)
    return NodeTimes(undisturbed_ns=undisturbed_ns, nodes=nodes) if nodes else None


def _run(
    model: Model, network: bytes, options: RunOptions, weights: Path, scratch: Path
) -> tuple[int, LayerProfile, int]:
    """Return the median latency without profiling, the profile, and its number of warm-up calls."""
    settings = session_settings(options).with_optimization("none")
    contracts = end_to_end_contract(model)
    inputs = dict(end_to_end_inputs(model))
    plain = Bound(open_session(network, weights, settings), contracts, inputs)
    session = open_session(network, weights, settings, profile=scratch / "profile")
    profiled = Bound(session, contracts, inputs)
    plain.warm_up()
    warm_up = profiled.warm_up()
    call_ns = max(1, plain.visit(1)[0])
    visits = min(MAX_VISITS, max(_MIN_VISITS, round(PROFILE_NS / (2 * VISIT_CALLS * call_ns))))
    # alternately, so that both meet the same speed of the machine
    samples: list[int] = []
    for _ in range(1 if options.smoke else visits):
        samples += plain.visit(VISIT_CALLS)[1:]
        profiled.visit(VISIT_CALLS)
    path = Path(session.inference.end_profiling())
    return round(statistics.median(samples)), load_profile(path), len(warm_up)
