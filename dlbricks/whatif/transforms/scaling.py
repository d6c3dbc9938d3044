"""Transforms of times: ``batch``, ``device`` and ``threads`` use a roofline; ``scale`` and ``set-time`` use values."""

import re
from collections.abc import Mapping

import numpy as np

from dlbricks.errors import InputError
from dlbricks.trace.gpus import StatedPeaks, gpu_names, gpu_peaks, usual_name
from dlbricks.trace.types import Longs
from dlbricks.trace.work_classes import KernelClass, Precision
from dlbricks.units import counted
from dlbricks.whatif.edit import scaled, with_durations
from dlbricks.whatif.graph import (
    ON_DEVICE,
    ON_HOST,
    DependencyGraph,
    Floats,
    Phase,
    TaskKind,
    with_attributes,
    with_columns,
)
from dlbricks.whatif.select import of_name, select
from dlbricks.whatif.transform import Parameter, Transform, Values, counting, did_you_mean
from dlbricks.whatif.work import (
    PRODUCTS,
    attained_on,
    compute_tasks,
    moved_bytes,
    no_compute_tasks,
    precisions,
    rates,
    shares,
    task_classes,
    weight_shares,
)

# Attributes that grow with the batch.
_GROWING = ("flops", "read_bytes", "written_bytes", "elements", "bytes", "waves")
# Names of kernels that compute gradients of weights: of convolutions, and products of which only the second factor is
# transposed (BLAS: ``nt``). Their outputs do not grow with the batch.
_OF_WEIGHTS = re.compile(r"wgrad|_nt(_|\b)", re.IGNORECASE)
_DTYPES: Mapping[Precision, str] = {
    Precision.SINGLE: "float32",
    Precision.TENSOR_FLOAT: "tf32",
    Precision.HALF: "float16",
    Precision.EIGHT: "float8",
}
_SAME_COUNT = counting(0, "the number of tasks has changed")
# Avoids a division by zero for tasks whose whole time is fixed.
_TINY = 1e-9
# If a product takes longer than its usual time, shape and device explain a factor up to this.
_MOST_BESIDE = 4.0
# Speed-up of TF32 over single precision. Half precision is 3 times as fast as single precision (Daydream, USENIX ATC
# 2020, section 5.1), and twice as fast as TF32 (data sheets).
_TENSOR_FLOAT_QUICKER = 1.5


def with_batch_ratio(graph: DependencyGraph, ratio: float) -> DependencyGraph:
    """Return a dependency graph with the predicted times for a batch that is ``ratio`` times as large.

    Arithmetic grows with the batch; memory traffic grows, too, except for constants. The time of a layer scales as the
    larger of arithmetic and memory time. (For 17 networks on a processor, from batch 1 to 8, the median error is 4 %;
    the sum would give 9 %.) Copies grow in proportion. Fixed parts, calls to a device, and parameter updates stay.
    """
    grows = graph.phase != Phase.UPDATE
    rows = compute_tasks(graph)
    rows = rows[grows[rows]]
    moved, constant = moved_bytes(graph), graph.figures("parameter_bytes")
    held = np.where((moved > 0) & (constant <= moved), constant / np.where(moved > 0, moved, 1.0), 0.0)[rows]
    weights = weight_shares(graph)[rows]
    held = np.where(np.isnan(weights), np.nan_to_num(held), weights)
    more, less = _wave_ratios(graph, ratio)[rows], held + (1 - held) * ratio
    best, parts = rates(graph, rows), shares(graph, rows)
    computing, moving = graph.figures("flops")[rows] / best.flops_per_ns, moved[rows] / best.bytes_per_ns
    longer = np.nan_to_num(np.maximum(computing, moving))
    by_roof = np.maximum(computing * more, moving * less) / np.where(longer > 0, longer, 1.0)
    fixed = np.where(graph.kind[rows] == TaskKind.KERNEL, parts.fixed, 0.0)
    by_class = parts.arithmetic * more + parts.memory * less + parts.fixed
    larger = with_durations(graph, rows, parts.own_ns * np.where(longer > 0, fixed + (1 - fixed) * by_roof, by_class))
    larger = scaled(larger, np.flatnonzero((graph.kind == TaskKind.COPY) & grows), ratio)
    growth = np.where(grows, ratio, 1.0)
    figures = {key: graph.attributes[key] * growth for key in graph.attributes.keys() & set(_GROWING)}
    if "read_bytes" in figures:
        fetched_once = np.minimum(np.nan_to_num(constant), graph.attributes["read_bytes"])
        figures["read_bytes"] = fetched_once + (graph.attributes["read_bytes"] - fetched_once) * growth
    if ratio > 1 and (graph.kind == TaskKind.DATA).any():
        larger = with_columns(
            larger, "loading and the host are assumed to take as long as before: an upper bound of gains"
        )
    return with_attributes(larger, **figures)


def _wave_ratios(graph: DependencyGraph, ratio: float) -> Floats:
    # Return how many times longer the arithmetic of each task takes if the batch is ``ratio`` times as large.
    # Outputs of products grow with the batch, and with them the number of blocks. The time follows how often blocks
    # fill the device. Runtimes choose other kernels for larger products only if these are faster.
    waves = graph.figures("waves")
    counted = (waves > 0) & (task_classes(graph) == KernelClass.MATRIX) & ~of_name(graph, _OF_WEIGHTS.search)
    if ratio <= 1 or not counted.any():
        return np.full(len(graph), ratio)
    waves = np.where(counted, waves, 1.0)
    return np.where(counted, np.minimum(ratio, np.ceil(ratio * waves) / np.ceil(waves)), ratio)


BATCH = Transform(
    name="batch",
    synonyms=("batch-size",),
    title="Another batch size.",
    source=(
        "roofline of each layer (CACM 52(4), 2009): constants are read once, whatever the batch size; the time of "
        "products follows how often their blocks fill the device"
    ),
    apply=lambda graph, values: with_batch_ratio(graph, values["batch"] / values["from"]),
    parameters=(
        Parameter("batch", "count", "new batch size"),
        Parameter("from", "count", "present batch size; by default that of the recording or network", ""),
    ),
    requires=lambda graph, _: no_compute_tasks(graph),
    ensures=_SAME_COUNT,
)


def _stated(name: str) -> StatedPeaks:
    # Return the data-sheet peaks of a device; raise ``InputError`` for an unknown one.
    stated = gpu_peaks(name)
    if stated.bytes_per_s is None:
        hint = did_you_mean(usual_name(name), gpu_names())
        raise InputError(f"unknown device '{name}'{hint or ': set compute= and bandwidth= instead'}")
    return stated


def _rates_on(graph: DependencyGraph, name: str, *, tensor_float: bool) -> tuple[Floats, float]:
    # Return the FLOPs per ns that each task attains on a device in its precision, NaN if unknown, and the bytes per ns.
    # ``tensor_float`` is False if one of the compared devices has no TF32: then its speed-up over single precision
    # counts, not its peak.
    stated, attained, precision = _stated(name), attained_on(name), precisions(graph)
    flops_per_ns = np.full(len(graph), np.nan)
    for kind, dtype in _DTYPES.items():
        share = attained.single if kind == Precision.SINGLE else attained.tensor
        peak = stated.flops_per_s.get(dtype)
        if kind == Precision.TENSOR_FLOAT and not tensor_float:
            peak, share = stated.flops_per_s.get(_DTYPES[Precision.SINGLE]), attained.single
            share *= 1.0 if dtype not in stated.flops_per_s else _TENSOR_FLOAT_QUICKER
        flops_per_ns[precision == kind] = np.nan if peak is None else peak * share / 1e9
    return flops_per_ns, (stated.bytes_per_s or np.nan) * attained.memory / 1e9


def _on_named(graph: DependencyGraph, values: Values, rows: Longs) -> Floats:
    # Return the times of some tasks on another device, by the rates that tasks attain on both devices.
    # If a product takes longer than its usual time, half of the excess (geometrically) is due to its shape, which
    # stays, and half to the device, which changes; on chips of one kind all of it stays.
    begin, end = values["from"] or graph.device, values["to"]
    both = all(_DTYPES[Precision.TENSOR_FLOAT] in _stated(name).flops_per_s for name in (begin, end))
    (was_flops, was_bytes), (flops, nbytes) = (_rates_on(graph, name, tensor_float=both) for name in (begin, end))
    parts = shares(graph, rows)
    compute = np.nan_to_num(flops / was_flops, nan=1.0)[rows]
    computing = np.nan_to_num(graph.figures("flops") / was_flops)[rows]
    roof_ns = computing + np.nan_to_num(moved_bytes(graph) / was_bytes)[rows]
    sized = roof_ns > 0
    part = np.where(sized, computing / np.where(sized, roof_ns, 1.0), parts.arithmetic / (1 - parts.fixed + _TINY))
    products = sized & np.isin(task_classes(graph)[rows], PRODUCTS)
    if attained_on(begin) is not attained_on(end):
        excess = np.where(products, parts.own_ns / np.where(sized, roof_ns, 1.0), 1.0)
        compute = compute * np.sqrt(np.clip(excess, 1.0, _MOST_BESIDE))
    quicker = part / (compute * values["compute"]) + (1 - part) * was_bytes / (nbytes * values["bandwidth"])
    return parts.own_ns * (parts.fixed + (1 - parts.fixed) * quicker)


def _on_other_device(graph: DependencyGraph, values: Values) -> DependencyGraph:
    # Divide the arithmetic part and the memory part of each task by a factor each; fixed parts stay.
    # Host calls and gaps are divided by ``host``. Collectives and copies keep their times, since they depend on the
    # interconnect. On devices without TF32 its products run in single precision.
    rows = compute_tasks(graph)
    if values["to"]:
        times = _on_named(graph, values, rows)
    else:
        ones = np.ones(len(rows))
        times = shares(graph, rows).times_ns(ones / values["compute"], ones / values["bandwidth"])
    other = with_durations(graph, rows, times)
    if not (graph.kind == TaskKind.KERNEL).any():
        return other
    return scaled(other, np.flatnonzero(np.isin(graph.kind, ON_HOST)), 1 / values["host"], gaps=True)


def _no_device(graph: DependencyGraph, values: Values) -> str:
    reason = no_compute_tasks(graph)
    if not reason and values["to"] and not (graph.kind == TaskKind.KERNEL).any():
        return f"{values['to']} is a GPU and this ran on a processor, so set compute= and bandwidth= instead"
    if not reason and bool(values["from"] or (graph.device and values["to"])) != bool(values["to"]):
        return "from= and to= must both be set, or neither"
    if not reason and not values["to"] and all(values[key] == 1 for key in ("compute", "bandwidth", "host")):
        return "nothing would change: name a device, as in device:H100, or set compute=, bandwidth= or host="
    return reason


DEVICE = Transform(
    name="device",
    synonyms=("faster-gpu", "gpu", "hardware"),
    title="Another device: faster arithmetic or memory, or another model by name.",
    source="roofline of each task (CACM 52(4), 2009), with data-sheet peaks for named devices",
    apply=_on_other_device,
    parameters=(
        Parameter("to", "text", "new device, as in A100", ""),
        Parameter("compute", "factor", "speed-up of arithmetic", "1"),
        Parameter("bandwidth", "factor", "speed-up of memory", "1"),
        Parameter("host", "factor", "speed-up of the host of a device", "1"),
        Parameter("from", "text", "present device, as in V100-SXM2; by default the device that the trace names", ""),
    ),
    requires=_no_device,
)


def _on_threads(graph: DependencyGraph, values: Values) -> DependencyGraph:
    # Scale arithmetic and memory parts with the number of threads, and add a wake-up cost per multi-threaded layer.
    # A layer that would take longer on several threads stays on one thread, as cost models of runtimes decide. A layer
    # shorter than a wake-up was on one thread before. Defaults were fitted to 20 networks with onnxruntime 1.31 on one
    # and two cores of an AMD EPYC of family 25: two cores made single operators 1.80 to 1.90 times as fast, and left
    # operators of 5 us unchanged.
    before, after, wake = (values[key] for key in ("from", "threads", "wake"))
    parts = shares(graph, compute_tasks(graph))
    arithmetic, memory = (
        (1 + (before - 1) * values[key]) / (1 + (after - 1) * values[key]) for key in ("efficiency", "memory")
    )
    own = parts.own_ns.astype(np.float64)
    woken = wake if before > 1 else 0.0
    factor = parts.arithmetic * arithmetic + parts.memory * memory + parts.fixed
    times = np.where(own > woken, (own - woken) * factor + (wake if after > 1 else 0.0), own)
    return with_durations(graph, parts.rows, np.minimum(times, own) if after > before else times)


def _not_on_threads(graph: DependencyGraph, values: Values) -> str:
    reason = no_compute_tasks(graph)
    if not reason and (graph.kind == TaskKind.KERNEL).any():
        return "it runs on a device, not on host threads"
    if not reason and values["threads"] == values["from"]:
        same = "the number of threads is already" if graph.threads else "threads and from are both"
        return f"{same} {values['from']:.0f}"
    beyond = not reason and graph.cores and values["threads"] > graph.cores
    return f"the system has {counted(graph.cores or 0, 'core')}: ask for at most as many threads" if beyond else reason


THREADS = Transform(
    name="threads",
    option=True,
    title="Another number of threads within each layer.",
    source="Amdahl 1967 for each layer by its roofline; plus the wake-up of the thread pool as a cost per layer",
    apply=_on_threads,
    parameters=(
        Parameter("threads", "count", "new number of threads"),
        Parameter("from", "count", "present number of threads; by default that of the recording or results", ""),
        Parameter("efficiency", "share", "arithmetic rate that each further thread adds", "95%"),
        Parameter("memory", "share", "memory bandwidth that each further thread adds", "90%"),
        Parameter("wake", "time", "wake-up cost per layer", "2us"),
    ),
    requires=_not_on_threads,
)


# Parameters that select tasks; an omitted parameter does not restrict the selection.
_SELECTION = (
    Parameter("kind", "text", "only tasks of this kind: cpu, kernel, copy, collective, data, host, device or all", ""),
    Parameter("phase", "text", "only tasks of this phase: forward, backward or update", ""),
    Parameter("layer", "text", "only layers whose names match a glob pattern, as in 'layer4.*'", ""),
    Parameter("name", "text", "only tasks in whose names a regular expression is found", ""),
)
_KINDS: Mapping[str, tuple[TaskKind, ...]] = {
    **{kind.name.lower(): (kind,) for kind in TaskKind}, "device": ON_DEVICE, "host": ON_HOST, "all": (), "": (),
}  # fmt: skip
_PHASES: Mapping[str, tuple[Phase, ...]] = {
    **{phase.name.lower(): (phase,) for phase in Phase if phase != Phase.NONE}, "": (),
}  # fmt: skip


def _selected(graph: DependencyGraph, values: Values) -> Longs:
    # Return the tasks that the parameters of ``_SELECTION`` select; raise ``InputError`` for invalid parameters.
    kind, phase = values["kind"].lower(), values["phase"].lower()
    for noun, value, known_values in (("kind of tasks", kind, _KINDS), ("phase", phase, _PHASES)):
        if value not in known_values:
            raise InputError(f"unknown {noun} '{value}': choose from {', '.join(filter(None, known_values))}")
    layer, name = (values[key] or None for key in ("layer", "name"))
    return select(graph, kinds=_KINDS[kind], phases=_PHASES[phase], layer=layer, name=name)


def _none_selected(graph: DependencyGraph, values: Values) -> str:
    return "" if len(_selected(graph, values)) else "it has no tasks of this kind, phase, layer and name"


# The user states the effect of an optimisation by the parameters of these two; nothing is predicted.
SCALE = Transform(
    name="scale",
    title="Multiplies the durations of the selected tasks.",
    source="Daydream (USENIX ATC 2020), section 4.3: the primitives select and shrink",
    apply=lambda graph, values: scaled(graph, _selected(graph, values), values["factor"]),
    parameters=(Parameter("factor", "factor", "factor on durations, as in 0.5"), *_SELECTION),
    requires=_none_selected,
    ensures=_SAME_COUNT,
)
SET_TIME = Transform(
    name="set-time",
    title="Sets the duration of each selected task to a time that was measured or computed elsewhere.",
    source=SCALE.source,
    apply=lambda graph, values: with_durations(graph, _selected(graph, values), values["time"]),
    parameters=(Parameter("time", "time", "duration of each task, as in 250us"), *_SELECTION),
    requires=_none_selected,
    ensures=_SAME_COUNT,
)
