"""All analyses of one profile, in the order in which they are shown. Data, and running them."""

from collections.abc import Sequence

from dlbricks.analysis.calls import counters_of_calls, counters_of_layers, kernels_by_model, model_information
from dlbricks.analysis.device_time import critical_path, device_share, launch_bound
from dlbricks.analysis.kernels import (
    device_metrics_by_layer,
    kernel_information,
    kernel_roofline,
    kernels_by_layer,
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
from dlbricks.analysis.runs import batches, device_states, lanes, level_overhead
from dlbricks.analysis.sources import analysis
from dlbricks.analysis.table import Analysis, Table
from dlbricks.errors import InputError
from dlbricks.profile.types import Profile

_XSP = "XSP (IPDPS 2020), Table I and section III-D"

XSP: tuple[Analysis, ...] = (
    analysis("A1", "Model information", "M", "bar", _XSP, model_information),
    analysis("A2", "Layer information", "ML", "table", _XSP, layer_information),
    analysis("A3", "Layer latency", "ML", "bar", _XSP, layer_latency),
    analysis("A4", "Layer memory", "ML", "bar", _XSP, layer_memory),
    analysis("A5", "Layer types", "ML", "pie", _XSP, layer_types),
    analysis("A6", "Latency by layer type", "ML", "pie", _XSP, latency_by_type),
    analysis("A7", "Memory by layer type", "ML", "pie", _XSP, memory_by_type),
    analysis("A8", "Kernel information", "MLK", "table", _XSP, kernel_information),
    analysis("A9", "Kernel roofline", "MLK", "scatter", _XSP, kernel_roofline),
    analysis("A10", "Kernels by name", "MLK", "table", _XSP, kernels_by_name),
    analysis("A11", "Kernels by layer", "MLK", "table", _XSP, kernels_by_layer),
    analysis("A12", "Device metrics by layer", "MLK", "bar", _XSP, device_metrics_by_layer),
    analysis("A13", "Device and other time by layer", "ML", "stacked", _XSP, device_share),
    analysis("A14", "Layer roofline", "ML", "scatter", _XSP, layer_roofline),
    analysis("A15", "Kernels by model", "MLK", "table", _XSP, kernels_by_model),
)
"""The fifteen of XSP."""

BEYOND: tuple[Analysis, ...] = (
    analysis("overhead", "What each level of tracing adds", "M", "table", "XSP section III-C", level_overhead),
    analysis("stages", "Begin, middle and end", "ML", "bar", "XSP section IV-A", layer_stages),
    analysis("critical-path", "Critical path over layers", "ML", "bar", "Yang and Miller, ICDCS 1988", critical_path),
    analysis("headroom", "Headroom to the roofline", "ML", "bar", "Williams et al., CACM 52-4 (2009)", headroom),
    analysis("memory", "Memory over time", "ML", "bar", "", memory_over_time),
    analysis("batches", "Batches by layer type", "M", "table", "XSP section III-D1", batches),
    analysis("launch-bound", "Launch-bound time", "MLK", "bar", "", launch_bound),
    analysis("lanes", "Threads and streams", "ML", "table", "", lanes),
    analysis("counters", "Counters of a call", "M", "table", "", counters_of_calls),
    analysis("layer-counters", "Counters by layer", "ML", "table", "", counters_of_layers),
    analysis("environment", "Clocks, power and temperature of devices", "MLK", "table", "", device_states),
)
"""What XSP does not have."""

ANALYSES = (*XSP, *BEYOND)
"""All of one profile; those of several are ``networks.networks_table`` and ``compare.compare``."""


def chosen(ids: Sequence[str]) -> tuple[Analysis, ...]:
    """Give analyses by their ids, in the order of the catalogue; all of them for no ids.

    Raises:
        InputError: there is no such analysis.
    """
    known = {one.id.lower(): one for one in ANALYSES}
    for name in ids:
        if name.lower() not in known:
            raise InputError(f"there is no analysis '{name}': choose from {', '.join(one.id for one in ANALYSES)}")
    wanted = {name.lower() for name in ids}
    return tuple(one for key, one in known.items() if not wanted or key in wanted)


def analysed(profile: Profile, analyses: Sequence[Analysis] = ANALYSES) -> tuple[Table, ...]:
    """Make the tables of some analyses."""
    return tuple(one.compute(profile) for one in analyses)
