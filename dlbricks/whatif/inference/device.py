"""Another device: faster arithmetic, faster memory, or one named device in the place of another."""

from collections.abc import Mapping

import numpy as np

from dlbricks.errors import InputError
from dlbricks.profile.datasheets import gpu_peaks
from dlbricks.whatif.edit import lasting, scaled
from dlbricks.whatif.graph import with_columns
from dlbricks.whatif.inference.operators import no_work, work, work_classes
from dlbricks.whatif.inference.shares import shares
from dlbricks.whatif.kernels import KernelClass, Precision, precisions
from dlbricks.whatif.nouns import DependencyGraph, Floats, TaskKind
from dlbricks.whatif.transform import Parameter, Transform, Values

_DTYPES: Mapping[Precision, str] = {
    Precision.SINGLE: "float32",
    Precision.TENSOR_FLOAT: "tf32",
    Precision.HALF: "float16",
}
_SINGLE = "float32"
_TENSOR_FLOAT_QUICKER = 1.5
"""Times as quick as in single precision products are in TF32: halves are Daydream's 3 times as quick as single
precision (USENIX ATC 2020, section 5.1) and, by data sheets, twice as quick as TF32."""


def _peaks(name: str) -> tuple[Mapping[str, float], float]:
    """Give what is stated of a device: flops/s by element type, and bytes/s.

    Raises:
        InputError: nothing is.
    """
    found = gpu_peaks(name)
    if found.bytes_per_s is None:
        raise InputError(f"nothing is stated of a device '{name}': give compute= and bandwidth= instead")
    return found.flops_per_s, found.bytes_per_s


def _factors(graph: DependencyGraph, values: Values) -> tuple[Floats, float]:
    """Give how many times as quick arithmetic is for each task, by its precision, and memory."""
    compute = np.full(len(graph), float(values["compute"]))
    bandwidth = float(values["bandwidth"])
    if not values["to"]:
        return compute, bandwidth
    (flops, moved), (other_flops, other_moved) = (_peaks(str(values[key])) for key in ("from", "to"))
    precision = precisions(graph)
    single = other_flops.get(_SINGLE, 1.0) / flops.get(_SINGLE, other_flops.get(_SINGLE, 1.0))
    for kind, dtype in _DTYPES.items():
        if dtype in flops and dtype in other_flops:
            compute[precision == kind] *= other_flops[dtype] / flops[dtype]
        elif kind == Precision.TENSOR_FLOAT:
            compute[precision == kind] *= single / _TENSOR_FLOAT_QUICKER
    if values["tf32"] == "yes":
        products = np.isin(work_classes(graph), (KernelClass.MATRIX, KernelClass.ATTENTION))
        compute[products & (precision == Precision.SINGLE)] *= _TENSOR_FLOAT_QUICKER
    return compute, bandwidth * other_moved / moved


def _device(graph: DependencyGraph, values: Values) -> DependencyGraph:
    """Divide the arithmetic of each task by one factor, its memory by another; what is fixed and the host stay.

    The host of a device, its calls and what lies between them, is as quick as ``host`` says. Collectives and copies
    keep their times: they depend on what connects devices. Products in TF32 are in single precision where the other
    device has no TF32; whether those in single precision will be in TF32 where it has is up to the framework's settings
    (PyTorch's default until 1.11), so it is asked for.
    """
    rows = work(graph)
    compute, bandwidth = _factors(graph, values)
    parts = shares(graph, rows)
    made = lasting(graph, rows, parts.times_ns(graph, 1 / compute[rows], np.full(len(rows), 1 / bandwidth)))
    if not (graph.kind == TaskKind.KERNEL).any():
        return made
    host = float(values["host"])
    hosts = np.flatnonzero(np.isin(graph.kind, (TaskKind.CPU, TaskKind.DATA, TaskKind.SYNCHRONISATION)))
    gaps = np.array(made.gap_ns)
    gaps[hosts] = np.rint(gaps[hosts] / host)
    return with_columns(scaled(made, hosts, 1 / host), gap_ns=gaps)


def _no_device(graph: DependencyGraph, values: Values) -> str:
    reason = no_work(graph)
    if not reason and bool(values["from"]) != bool(values["to"]):
        return "one device is named: give both from= and to=, or neither"
    if reason or values["tf32"] == "no":
        return reason
    if values["tf32"] != "yes":
        return f"'{values['tf32']}' is neither yes nor no: say whether products will be in TF32"
    if not values["to"] or _DTYPES[Precision.TENSOR_FLOAT] not in _peaks(str(values["to"]))[0]:
        return "nothing is stated of TF32 on the other device: name one that has it with to="
    return ""


DEVICE = Transform(
    name="device",
    title="Another device: faster arithmetic or memory, or another model by name.",
    evidence="modelled",
    source="roofline of each task (CACM 52(4), 2009), with peaks of data sheets where devices are named",
    apply=_device,
    parameters=(
        Parameter(name="compute", kind="factor", meaning="how many times as quick arithmetic is", default="1"),
        Parameter(name="bandwidth", kind="factor", meaning="how many times as quick memory is", default="1"),
        Parameter(name="host", kind="factor", meaning="how many times as quick the host of a device is", default="1"),
        Parameter(name="from", kind="text", meaning="device of the trace, as in V100-SXM2", default=""),
        Parameter(name="to", kind="text", meaning="the other device, as in A100", default=""),
        Parameter(
            name="tf32", kind="text", meaning="yes or no: products in single precision will be in TF32", default="no"
        ),
    ),
    requires=_no_device,
)
