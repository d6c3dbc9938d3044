"""Catalogue of the analyses of one profile, in display order."""

from collections.abc import Sequence

from dlbricks.analysis.device_time import collectives, critical_path, device_share, lanes, launch_bound, overlap
from dlbricks.analysis.kernels import (
    device_metrics_by_layer,
    kernel_information,
    kernel_roofline,
    kernels_by_layer,
    kernels_by_model,
    kernels_by_name,
)
from dlbricks.analysis.layers import (
    headroom,
    latency_by_type,
    layer_information,
    layer_latency,
    layer_memory,
    layer_roofline,
    layer_stages,
    layer_types,
    memory_by_type,
    memory_over_time,
)
from dlbricks.analysis.runs import (
    batches,
    counters_of_calls,
    counters_of_layers,
    device_states,
    level_overhead,
    model_information,
)
from dlbricks.analysis.serving import serving
from dlbricks.analysis.table import Analysis
from dlbricks.errors import InputError
from dlbricks.extensions import extensions

_XSP = "XSP (IPDPS 2020), Table I and section III-D"

XSP: tuple[Analysis, ...] = (
    Analysis("A1", "Model information", "M", "bar", _XSP, model_information),
    Analysis("A2", "Layer information", "ML", "table", _XSP, layer_information),
    Analysis("A3", "Layer latency", "ML", "bar", _XSP, layer_latency),
    Analysis("A4", "Layer memory", "ML", "bar", _XSP, layer_memory),
    Analysis("A5", "Layer types", "ML", "pie", _XSP, layer_types),
    Analysis("A6", "Latency by layer type", "ML", "pie", _XSP, latency_by_type),
    Analysis("A7", "Memory by layer type", "ML", "pie", _XSP, memory_by_type),
    Analysis("A8", "Kernel information", "MLK", "table", _XSP, kernel_information),
    Analysis("A9", "Kernel roofline", "MLK", "scatter", _XSP, kernel_roofline),
    Analysis("A10", "Kernels by name", "MLK", "table", _XSP, kernels_by_name),
    Analysis("A11", "Kernels by layer", "MLK", "table", _XSP, kernels_by_layer),
    Analysis("A12", "Device metrics by layer", "MLK", "bar", _XSP, device_metrics_by_layer),
    Analysis("A13", "Device and other time by layer", "ML", "stacked", _XSP, device_share),
    Analysis("A14", "Layer roofline", "ML", "scatter", _XSP, layer_roofline),
    Analysis("A15", "Kernels by model", "MLK", "table", _XSP, kernels_by_model),
)
"""The fifteen analyses of XSP."""

BEYOND: tuple[Analysis, ...] = (
    Analysis("overhead", "Overhead of each tracing level", "M", "table", "XSP section III-C", level_overhead),
    Analysis("stages", "Begin, middle and end", "ML", "bar", "XSP section IV-A", layer_stages),
    Analysis("critical-path", "Critical path over layers", "ML", "bar", "Yang and Miller, ICDCS 1988", critical_path),
    Analysis("headroom", "Headroom to the roofline", "ML", "bar", "Williams et al., CACM 52-4 (2009)", headroom),
    Analysis("memory", "Memory over time", "ML", "bar", "", memory_over_time),
    Analysis("batches", "Batches by layer type", "M", "table", "XSP section III-D1", batches),
    Analysis("launch-bound", "Launch-bound time", "MLK", "bar", "", launch_bound),
    Analysis("overlap", "Compute, communication and both", "MLK", "table", "", overlap),
    Analysis("collectives", "Collectives and the bus", "MLK", "table", "nccl-tests", collectives),
    Analysis("serving", "Steps of a server: prefill and decode", "MLK", "table", "", serving),
    Analysis("lanes", "Threads and streams", "ML", "table", "", lanes),
    Analysis("counters", "Counters of a call", "M", "table", "", counters_of_calls),
    Analysis("layer-counters", "Counters by layer", "ML", "table", "", counters_of_layers),
    Analysis("environment", "Clocks, power and temperature of devices", "MLK", "table", "", device_states),
)
"""Further analyses."""

ANALYSES = (*XSP, *BEYOND)
"""All analyses of one profile; those of several profiles are ``comparison.networks_table`` and ``comparison.compare``.
"""


def chosen(ids: Sequence[str]) -> tuple[Analysis, ...]:
    """Return the analyses with these ids, in catalogue order, those of extensions last; all without ids.

    Raises:
        InputError: an id is unknown, or an extension uses the id of another analysis.
    """
    analyses = {analysis.id.lower(): analysis for analysis in ANALYSES}
    for analysis in extensions("dlbricks.analyses", Analysis):
        if analyses.setdefault(analysis.id.lower(), analysis) is not analysis:
            raise InputError(f"an extension: there is an analysis '{analysis.id}' already, give it another id")
    for name in ids:
        if name.lower() not in analyses:
            known_ids = ", ".join(analysis.id for analysis in analyses.values())
            raise InputError(f"unknown analysis '{name}': choose from {known_ids}")
    wanted = {name.lower() for name in ids}
    return tuple(analysis for key, analysis in analyses.items() if not wanted or key in wanted)
