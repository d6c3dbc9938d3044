"""More inputs (``batch``), another device (``device``), more ``threads``: each task by its roofline."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from dlbricks.errors import InputError
from dlbricks.profile.roofs import StatedPeaks, gpu_peaks
from dlbricks.trace.types import Longs
from dlbricks.whatif.edit import scaled, with_durations
from dlbricks.whatif.graph import ON_HOST, DependencyGraph, Floats, Mask, TaskKind, with_attributes
from dlbricks.whatif.reached import reached_on
from dlbricks.whatif.transform import Parameter, Transform, Values, counting
from dlbricks.whatif.work import (
    PRODUCTS,
    Precision,
    moved_bytes,
    no_work,
    precisions,
    rates,
    shares,
    weight_shares,
    work,
    work_classes,
)

_GROWING = ("flops", "read_bytes", "written_bytes", "elements", "bytes")
_DTYPES: Mapping[Precision, str] = {
    Precision.SINGLE: "float32",
    Precision.TENSOR_FLOAT: "tf32",
    Precision.HALF: "float16",
    Precision.EIGHT: "float8",
}
_TINY = 1e-9
_MOST_BESIDE = 4.0
"""A product that takes so many times as long as such products usually do is limited by something else in whole."""
_TENSOR_FLOAT_QUICKER = 1.5
"""Times as quick as in single precision products are in TF32: halves are Daydream's 3 times as quick as single
precision (USENIX ATC 2020, section 5.1) and, by data sheets, twice as quick as TF32."""


def grown(graph: DependencyGraph, ratio: float, fill: float = 0.0) -> DependencyGraph:
    """Give the graph of a batch that is so many times as large.

    Arithmetic grows with the batch; of memory only what is no constant does. A layer takes the longer of the two,
    before and after: one that is limited by arithmetic gains nothing from constants that are fetched once. (Of 17
    networks on a processor, from batch 1 to 8, the median error is 4 % so, and 9 % with the sum of both.) What a kernel
    takes however little it does stays, and so does the host of a device. Copies grow as a whole.

    Args:
        graph: of one batch.
        ratio: of the new batch to that of the graph.
        fill: share of the arithmetic that costs nothing more, as the device was not full.
    """
    rows = work(graph)
    moved, constant = moved_bytes(graph), graph.figures("parameter_bytes")
    held = np.where((moved > 0) & (constant <= moved), constant / np.where(moved > 0, moved, 1.0), 0.0)[rows]
    weights = weight_shares(graph)[rows]
    held = np.where(np.isnan(weights), np.nan_to_num(held), weights)
    more, less = fill + (1 - fill) * ratio, held + (1 - held) * ratio
    best, parts = rates(graph, rows), shares(graph, rows)
    computing, moving = graph.figures("flops")[rows] / best.flops_per_ns, moved[rows] / best.bytes_per_ns
    longer = np.nan_to_num(np.maximum(computing, moving))
    by_roof = np.maximum(computing * more, moving * less) / np.where(longer > 0, longer, 1.0)
    fixed = np.where(graph.kind[rows] == TaskKind.KERNEL, parts.fixed, 0.0)
    by_class = parts.arithmetic * more + parts.memory * less + parts.fixed
    made = with_durations(graph, rows, parts.own_ns * np.where(longer > 0, fixed + (1 - fixed) * by_roof, by_class))
    made = scaled(made, np.flatnonzero(graph.kind == TaskKind.COPY), ratio)
    figures = {key: graph.attributes[key] * ratio for key in graph.attributes.keys() & set(_GROWING)}
    if "read_bytes" in figures:
        fetched_once = np.minimum(np.nan_to_num(constant), graph.attributes["read_bytes"])
        figures["read_bytes"] = fetched_once + (graph.attributes["read_bytes"] - fetched_once) * ratio
    return with_attributes(made, **figures)


BATCH = Transform(
    name="batch",
    title="Each call has more or fewer inputs.",
    source="roofline of each layer (CACM 52(4), 2009): constants are fetched once however large the batch is",
    apply=lambda graph, values: grown(graph, values["batch"] / values["from"], values["fill"]),
    parameters=(
        Parameter("batch", "count", "inputs of a call afterwards"),
        Parameter("from", "count", "inputs of a call in the trace", "1"),
        Parameter("fill", "share", "share of the arithmetic that takes no longer, as the device is not full", "0%"),
    ),
    requires=lambda graph, _: no_work(graph),
    ensures=counting(0, "tasks came or went"),
)


@dataclass(frozen=True, slots=True)
class _Roofs:
    """What such kernels reach on one device."""

    flops_per_ns: Floats
    """For each task, by its precision; NaN where nothing is stated."""
    bytes_per_ns: float


def _stated(name: str) -> StatedPeaks:
    """Give what is stated of a device.

    Raises:
        InputError: nothing is.
    """
    found = gpu_peaks(name)
    if found.bytes_per_s is None:
        raise InputError(f"nothing is stated of a device '{name}': give compute= and bandwidth= instead")
    return found


def _roofs(graph: DependencyGraph, name: str, *, tensor_float: bool) -> _Roofs:
    """Give the rates that kernels of the precisions of a graph reach on a device.

    Args:
        graph: with kernels.
        name: of the device.
        tensor_float: whether both devices have TF32; else it counts by what it gains over single precision.
    """
    stated, reached, precision = _stated(name), reached_on(name), precisions(graph)
    rates_of = np.full(len(graph), np.nan)
    for kind, dtype in _DTYPES.items():
        share = reached.single if kind == Precision.SINGLE else reached.tensor
        peak = stated.flops_per_s.get(dtype)
        if kind == Precision.TENSOR_FLOAT and not tensor_float:
            peak, share = stated.flops_per_s.get(_DTYPES[Precision.SINGLE]), reached.single
            share *= 1.0 if dtype not in stated.flops_per_s else _TENSOR_FLOAT_QUICKER
        rates_of[precision == kind] = np.nan if peak is None else peak * share / 1e9
    return _Roofs(rates_of, (stated.bytes_per_s or np.nan) * reached.memory / 1e9)


def _on_named(graph: DependencyGraph, values: Values, rows: Longs) -> Floats:
    """Give the times of some tasks on another device, by what such kernels reach on both.

    Where chips differ, a product that takes longer than such products do is taken to do so half for its shape, which it
    keeps, and half for its device, which it leaves.
    """
    begin, end = values["from"] or graph.device, values["to"]
    both = all(_DTYPES[Precision.TENSOR_FLOAT] in _stated(name).flops_per_s for name in (begin, end))
    was, will = (_roofs(graph, name, tensor_float=both) for name in (begin, end))
    parts = shares(graph, rows)
    compute = np.nan_to_num(will.flops_per_ns / was.flops_per_ns, nan=1.0)[rows]
    computing = np.nan_to_num(graph.figures("flops") / was.flops_per_ns)[rows]
    roof_ns = computing + np.nan_to_num(moved_bytes(graph) / was.bytes_per_ns)[rows]
    known = roof_ns > 0
    part = np.where(known, computing / np.where(known, roof_ns, 1.0), parts.arithmetic / (1 - parts.fixed + _TINY))
    products = known & np.isin(work_classes(graph)[rows], PRODUCTS)
    if reached_on(begin) is not reached_on(end):
        beside = np.where(products, parts.own_ns / np.where(known, roof_ns, 1.0), 1.0)
        compute = compute * np.sqrt(np.clip(beside, 1.0, _MOST_BESIDE))
    if values["tf32"] == "yes":
        compute[_to_tensor_float(graph)[rows]] *= _TENSOR_FLOAT_QUICKER
    quicker = part / (compute * values["compute"])
    quicker += (1 - part) * was.bytes_per_ns / (will.bytes_per_ns * values["bandwidth"])
    made: Floats = parts.own_ns * (parts.fixed + (1 - parts.fixed) * quicker)
    return made


def _to_tensor_float(graph: DependencyGraph) -> Mask:
    made: Mask = np.isin(work_classes(graph), PRODUCTS) & (precisions(graph) == Precision.SINGLE)
    return made


def _on_other_device(graph: DependencyGraph, values: Values) -> DependencyGraph:
    """Divide the arithmetic of each task by one factor, its memory by another; what is fixed and the host stay.

    The host of a device, its calls and what lies between them, is as quick as ``host`` says. Collectives and copies
    keep their times: they depend on what connects devices. Products in TF32 are in single precision where the other
    device has no TF32; whether those in single precision will be in TF32 where it has is up to the framework's settings
    (PyTorch's default until 1.11), so it is asked for.
    """
    rows = work(graph)
    if values["to"]:
        times = _on_named(graph, values, rows)
    else:
        ones = np.ones(len(rows))
        times = shares(graph, rows).times_ns(ones / values["compute"], ones / values["bandwidth"])
    made = with_durations(graph, rows, times)
    if not (graph.kind == TaskKind.KERNEL).any():
        return made
    return scaled(made, np.flatnonzero(np.isin(graph.kind, ON_HOST)), 1 / values["host"], gaps=True)


def _no_device(graph: DependencyGraph, values: Values) -> str:
    reason = no_work(graph)
    if not reason and bool(values["from"] or (graph.device and values["to"])) != bool(values["to"]):
        return "one device is named: give both from= and to=, or neither"
    if reason or values["tf32"] == "no":
        return reason
    if values["tf32"] != "yes":
        return f"'{values['tf32']}' is neither yes nor no: say whether products will be in TF32"
    if not values["to"] or _DTYPES[Precision.TENSOR_FLOAT] not in _stated(values["to"]).flops_per_s:
        return "nothing is stated of TF32 on the other device: name one that has it with to="
    return ""


DEVICE = Transform(
    name="device",
    title="Another device: faster arithmetic or memory, or another model by name.",
    source="roofline of each task (CACM 52(4), 2009), with peaks of data sheets where devices are named",
    apply=_on_other_device,
    parameters=(
        Parameter("compute", "factor", "how many times as quick arithmetic is", "1"),
        Parameter("bandwidth", "factor", "how many times as quick memory is", "1"),
        Parameter("host", "factor", "how many times as quick the host of a device is", "1"),
        Parameter("from", "text", "device of the trace, as in V100-SXM2; as the trace names it", ""),
        Parameter("to", "text", "the other device, as in A100", ""),
        Parameter("tf32", "text", "yes or no: products in single precision will be in TF32", "no"),
    ),
    requires=_no_device,
)


def _on_threads(graph: DependencyGraph, values: Values) -> DependencyGraph:
    """Let arithmetic and memory scale with threads, each as it does, and let a layer on several pay their wake-up.

    A layer that would take longer on several threads stays on one, as runtimes decide by what it costs; one that took
    no longer than a wake-up was on one. The defaults suit 20 networks of onnxruntime 1.31 on one and two cores of an
    AMD EPYC of family 25; single operators there went 1.80 to 1.90 times as fast, those of 5 us stayed as they were.
    """
    before, after, wake = (values[key] for key in ("from", "threads", "wake"))
    parts = shares(graph, work(graph))
    arithmetic, memory = (
        (1 + (before - 1) * share) / (1 + (after - 1) * share)
        for share in (values[key] for key in ("efficiency", "memory"))
    )
    own = parts.own_ns.astype(np.float64)
    woken = wake if before > 1 else 0.0
    factor = parts.arithmetic * arithmetic + parts.memory * memory + parts.fixed
    made = np.where(own > woken, (own - woken) * factor + (wake if after > 1 else 0.0), own)
    return with_durations(graph, parts.rows, np.minimum(made, own) if after > before else made)


def _not_on_threads(graph: DependencyGraph, values: Values) -> str:
    reason = no_work(graph)
    if not reason and (graph.kind == TaskKind.KERNEL).any():
        return "its work runs on a device, which threads of the host do not compute"
    if not reason and values["threads"] == values["from"]:
        return f"it has {values['from']:.0f} threads already"
    return reason


THREADS = Transform(
    name="threads",
    title="A runtime computes each layer with more or fewer threads.",
    source="Amdahl 1967 for each layer by its roofline; wake-up of a pool as a cost of each layer",
    apply=_on_threads,
    parameters=(
        Parameter("threads", "count", "threads afterwards"),
        Parameter("from", "count", "threads of the trace", "1"),
        Parameter("efficiency", "share", "what each further thread adds to arithmetic", "95%"),
        Parameter("memory", "share", "what each further thread adds to bandwidth", "90%"),
        Parameter("wake", "time", "what a layer pays for waking the others", "2us"),
    ),
    requires=_not_on_threads,
)
