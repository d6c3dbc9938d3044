"""The transform to channels-last tensors on GPUs."""

import re

import numpy as np

from dlbricks.trace.gpus import gpu_peaks
from dlbricks.trace.types import Longs
from dlbricks.trace.work_classes import Precision
from dlbricks.whatif.edit import NewKernel, removed_beside, with_durations, with_kernels
from dlbricks.whatif.graph import DependencyGraph, Floats, Mask, Phase, TaskKind, with_columns
from dlbricks.whatif.select import of_name
from dlbricks.whatif.transform import Transform, Values
from dlbricks.whatif.transforms.number_formats import convolutions
from dlbricks.whatif.work import memory_rate, moved_bytes, no_compute_tasks, precisions

# - Kernels that convert between layouts for convolutions are gone.
# - Batch normalisation in training is cuDNN's for single precision and PyTorch's own for bfloat16. In the plain layout
#   both run one block for each channel. In the channels-last layout they reach a share of the memory bandwidth that
#   hardly depends on the shape; it was measured on training steps of DenseNet-121, VGG-16 and ResNet-50 on an H200.
# - PyTorch computes depthwise convolutions of half precision in kernels of its own in the plain layout, and in cuDNN's
#   in the channels-last layout (aten/src/ATen/native/Convolution.cpp), which are taken to reach the same share of the
#   memory bandwidth as cuDNN's normalisation.
# - Convolutions without tensor cores (single precision without TF32) work on plain tensors, so that inputs and results
#   of each are converted. Where a network has convolutions on tensor cores, no conversion is left.

# Kernels of cuDNN and other libraries. Those that fold channels (``nchwToFoldedNhwc``) are needed in either layout.
_CONVERSION = re.compile(r"nchw_?to_?nhwc|nhwc_?to_?nchw", re.IGNORECASE)
_LIBRARY_NORM = re.compile(r"cudnn::bn_(fw_tr|bw)_", re.IGNORECASE)
_LIBRARY_CALLS = re.compile(r"cudnn::bn_fw_inf_", re.IGNORECASE)
_OWN_NORM = re.compile(r"\bbatch_norm_(collect_statistics|transform_input|backward)_kernel")
_DEPTHWISE = re.compile(r"\bconv_depthwise2d_")
_PLAIN_CONVOLUTION = re.compile(r"f32f32_f32f32_f32_nchwkcrs|f32f32_f32f32_f32_nhwckrsc_nchw")
# Share of the memory bandwidth of cuDNN's normalisation, for inputs and results read and written once.
_LIBRARY_FORWARD, _LIBRARY_BACKWARD = 0.40, 0.48
# The same share of PyTorch's normalisation: it reads its input twice, and needs divisions (Welford's algorithm).
_OWN_FORWARD, _OWN_BACKWARD = 0.163, 0.294
# Factors on the time of PyTorch's in the plain layout, forward and backward, where bytes are unknown.
_OWN_FACTORS = (0.55, 0.3)
OTHER_CALLS = (
    "calls in single precision: cuDNN normalises channels-last tensors in other kernels, whose time is not predicted"
)


def _conversions(graph: DependencyGraph) -> Longs:
    return np.flatnonzero((graph.kind == TaskKind.KERNEL) & of_name(graph, _CONVERSION.search))


def _changed_kernels(graph: DependencyGraph) -> tuple[Mask, Floats]:
    """Return a mask of the kernels whose times change, and the new times, ns."""
    # No kernel gets shorter than the shortest of its kind.
    kernels, backward = graph.kind == TaskKind.KERNEL, graph.phase == Phase.BACKWARD
    moved = moved_bytes(graph)
    rate = (gpu_peaks(graph.device).bytes_per_s or np.nan) / 1e9
    times: Floats = graph.duration_ns.astype(np.float64)
    changed = np.zeros(len(graph), bool)
    half = kernels & (precisions(graph) == Precision.HALF)
    own = half & of_name(graph, _OWN_NORM.search)
    shares = (
        (kernels & of_name(graph, _LIBRARY_NORM.search), _LIBRARY_FORWARD, _LIBRARY_BACKWARD),
        (own, _OWN_FORWARD, _OWN_BACKWARD),
        (half & of_name(graph, _DEPTHWISE.search), _LIBRARY_FORWARD, _LIBRARY_BACKWARD),
    )
    for of_kind, forward_share, backward_share in shares:
        rows = np.flatnonzero(of_kind & (moved * rate > 0))
        if len(rows):
            by_bytes = moved[rows] / (rate * np.where(backward[rows], backward_share, forward_share))
            times[rows] = np.maximum(by_bytes, times[rows].min())
            changed[rows] = True
    unknown = own & ~changed
    times[unknown] *= np.where(backward[unknown], *_OWN_FACTORS[::-1])
    return changed | unknown, times


def _new_conversions(graph: DependencyGraph) -> list[NewKernel]:
    """Return layout conversions around convolutions that work on plain tensors."""
    convolves = convolutions(graph)
    if (convolves & (precisions(graph) != Precision.SINGLE)).any():
        return []
    read, written = graph.figures("read_bytes"), graph.figures("written_bytes")
    constants = np.nan_to_num(graph.figures("parameter_bytes"))
    rate = memory_rate(graph.device) / 1e9 if gpu_peaks(graph.device).bytes_per_s else np.nan
    return [
        NewKernel(name="transpose to another layout", duration_ns=round(2 * nbytes / rate), next_to=row, before=before)
        for row in np.flatnonzero(convolves & of_name(graph, _PLAIN_CONVOLUTION.search)).tolist()
        for nbytes, before in ((read[row] - constants[row], True), (written[row], False))
        if nbytes > 0 and np.isfinite(rate)
    ]


def _laid_out(graph: DependencyGraph, _: Values) -> DependencyGraph:
    needless = _conversions(graph)
    changed, times = _changed_kernels(graph)
    grown = with_kernels(with_durations(graph, np.flatnonzero(changed), times[changed]), _new_conversions(graph))
    calls = (graph.kind == TaskKind.KERNEL) & of_name(graph, _LIBRARY_CALLS.search)
    return with_columns(removed_beside(grown.graph, grown.places[needless]), *([OTHER_CALLS] if calls.any() else []))


def _nothing_to_lay_out(graph: DependencyGraph, _: Values) -> str:
    reason = no_compute_tasks(graph)
    if reason:
        return reason
    if not (graph.kind == TaskKind.KERNEL).any():
        return "it has no kernels of a device: on a processor the runtime chooses layouts itself"
    return "" if len(_conversions(graph)) else "none of its kernels converts between layouts"


LAYOUT = Transform(
    name="layout",
    synonyms=("channels-last",),
    title="Channels-last tensors on a GPU.",
    source="shares of the memory bandwidth measured on training steps of an H200, in both layouts",
    apply=_laid_out,
    requires=_nothing_to_lay_out,
)
