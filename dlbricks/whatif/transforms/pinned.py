"""Transform of host memory: batches are copied to the device from page-locked (pinned) memory.

A driver stages copies from pageable memory in small pinned pieces, which takes several times as long, and the call
returns only when that is done: behind all work that was launched before it. From pinned memory a copy runs at the rate
of the link, and a call that need not wait (PyTorch's ``non_blocking``) lets the host go on.
"""

import re

import numpy as np

from dlbricks.profile.gpus import usual_name
from dlbricks.trace.types import NONE, Longs
from dlbricks.units import parse_rate
from dlbricks.whatif.edit import with_durations
from dlbricks.whatif.efficiency_by_gpu import BY_DEVICE
from dlbricks.whatif.graph import ON_HOST, DependencyGraph, TaskKind, launches, with_columns, with_texts
from dlbricks.whatif.select import by_lane, of_name
from dlbricks.whatif.transform import Parameter, Transform, Values, counting

# Rate of copies from pinned memory by device, bytes per second: PCIe 5.0 and 3.0, of 16 lanes, as data sheets state
# the link. The first pattern found counts.
_LINKS = (
    (re.compile(r"\bG?H[12]00\b|\bH800\b|\bB[12]00\b|\bRTX 50|\bMI3"), 55e9),
    (re.compile(r"\bP4\b|\bP100\b|\bT4\b|\bV100\b|\bRTX 20"), 12e9),
)
# PCIe 4.0, and devices that are not known.
_USUAL_LINK = 25e9
_STREAM = re.compile(r"(cuda|hip)StreamSynchronize", re.IGNORECASE)


def _is_pageable(name: str) -> bool:
    """Return whether a copy to the device is from pageable memory, by its name."""
    return "pageable" in name.lower().partition("htod")[2]


def _copies(graph: DependencyGraph) -> Longs:
    return np.flatnonzero((graph.kind == TaskKind.COPY) & of_name(graph, _is_pageable))


def _waits(graph: DependencyGraph, copies: Longs) -> Longs:
    """Return the host's waits for copies: the second part of their calls, and a wait for the stream right behind."""
    launched = launches(graph)[copies]
    calls = set(launched[launched != NONE].tolist())
    ends = of_name(graph, _STREAM.match)
    waiting = []
    for rows in by_lane(graph, np.flatnonzero(np.isin(graph.kind, ON_HOST))):
        behind = NONE
        for row in rows.tolist():
            waits = behind != NONE and graph.kind[row] == TaskKind.SYNCHRONISATION
            if waits and (graph.task_name[row] == graph.task_name[behind] or ends[row]):
                waiting.append(row)
            else:
                behind = row if row in calls else NONE
    return np.array(waiting, np.int64)


def _rate(graph: DependencyGraph, values: Values) -> float:
    """Return the rate of copies from pinned memory, bytes per second: as given, else that of the device's link."""
    if values["bandwidth"] != BY_DEVICE:
        return parse_rate(values["bandwidth"])
    return next((rate for pattern, rate in _LINKS if pattern.search(usual_name(graph.device))), _USUAL_LINK)


def _pinned(graph: DependencyGraph, values: Values) -> DependencyGraph:
    copies = _copies(graph)
    durations = graph.duration_ns[copies]
    least = 1e9 * graph.figures("bytes")[copies] / _rate(graph, values)
    pinned = with_durations(graph, copies, np.fmin(durations, np.where(np.isnan(least), durations, least)))
    names = {row: graph.named(row).replace("Pageable", "Pinned") for row in copies.tolist()}
    if values["wait"] == "no":
        waits = _waits(graph, copies)
        stays = ~np.isin(graph.wait_task, waits)
        pinned = with_columns(
            with_durations(pinned, waits, np.zeros(len(waits))),
            wait_task=graph.wait_task[stays],
            wait_lane=graph.wait_lane[stays],
        )
    return with_texts(pinned, "names", "task_name", names)


def _not_pinnable(graph: DependencyGraph, values: Values) -> str:
    if values["wait"] not in ("yes", "no"):
        return f"unknown wait '{values['wait']}': write yes or no"
    return "" if len(_copies(graph)) else "none of its copies to a device is from pageable memory"


PINNED = Transform(
    name="pinned-memory",
    title="Pinned memory: copies to the device run at the rate of the link, and the host need not wait for them.",
    source="CUDA C++ Best Practices Guide, pinned memory; PCIe 3.0, 4.0 and 5.0 x16 attain some 12, 25 and 55 GB/s",
    apply=_pinned,
    parameters=(
        Parameter(
            "bandwidth",
            "text",
            "rate of copies from pinned memory, as in 25GB/s; auto: of the device's link; quicker copies stay",
            BY_DEVICE,
        ),
        Parameter("wait", "text", "yes: the host still waits for each copy, as without non_blocking", "no"),
    ),
    requires=_not_pinnable,
    ensures=counting(0, "the number of tasks has changed"),
)
