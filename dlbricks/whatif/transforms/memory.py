"""The transform ``mem-reuse``: the runtime gives each tensor a buffer of its own instead of that of a dead tensor."""

import numpy as np

from dlbricks.errors import InputError
from dlbricks.whatif.edit import with_durations
from dlbricks.whatif.graph import DependencyGraph
from dlbricks.whatif.transform import Parameter, Transform, Values, counting


def without_memory_reuse(graph: DependencyGraph, values: Values) -> DependencyGraph:
    """Return the graph with the times that its tasks take if no tensor reuses the buffer of a dead tensor.

    Raises ``InputError`` if the parameter ``state`` is not ``off``, since memory is reused by default.
    """
    if values["state"] != "off":
        raise InputError(f"invalid state '{values['state']}' of mem-reuse: expected off, since it is on by default")
    return with_durations(graph, np.arange(len(graph)), graph.figures("without_memory_reuse_ns"))


MEM_REUSE = Transform(
    name="mem-reuse",
    synonyms=("memory-reuse",),
    title="No tensor takes the buffer of a dead tensor (session option enable_mem_reuse of onnxruntime).",
    source="simulation of onnxruntime's memory planner (construct.memory_plan) and the miss curves of the system",
    apply=without_memory_reuse,
    parameters=(Parameter("state", "text", "whether buffers are reused, as in off"),),
    requires=lambda graph, _: (
        "" if "without_memory_reuse_ns" in graph.attributes else "it needs a network of --system with onnxruntime, cpu"
    ),
    ensures=counting(0, "the number of tasks has changed"),
    option=True,
)
