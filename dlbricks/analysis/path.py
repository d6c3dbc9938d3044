"""The critical path of a call over its layers, as its times show it. Pure.

Walked from the end of a call back to its start: what finished last before a moment is what all that follows had to
wait for (the last-finisher rule, as in Yang and Miller, "Critical path analysis for the execution of parallel and
distributed programs", ICDCS 1988, with measured times in the place of messages). Where devices work, the path goes
through what they execute, and the time in which all of them idle is the host's, on behalf of the layer that launches
what comes next. What would become of the path if something were faster is a question for a replay, not for this table.
"""

import bisect

import numpy as np

from dlbricks.analysis.columns import percent, real, whole
from dlbricks.analysis.device import Kernels
from dlbricks.analysis.layer_level import identity
from dlbricks.analysis.layers import Layers
from dlbricks.analysis.sources import Answer, kernels_in, layers_in
from dlbricks.analysis.statistics import Floats, sums
from dlbricks.profile.nouns import Profile
from dlbricks.trace.nouns import NONE, Longs
from dlbricks.units import format_ns


def critical_path(profile: Profile) -> Answer:
    """Give what each layer has of the critical path of a call: time at work, and idle time before that work."""
    kernels, layers = kernels_in(profile), layers_in(profile)
    if isinstance(layers, str):
        return layers
    own, notes = layers
    if isinstance(kernels, str):
        starts = own.trace.start_ns[own.rows]
        found = walked(own, own.call, starts, starts + own.durations_ns, own.layer)
        said = "work is time in layers; idle is time before them in which no layer ran"
    else:
        own, notes = kernels[0].layers, kernels[1]
        found = _device_path(kernels[0])
        said = "work is time of devices; idle is time before it in which the path waits for the host"
    work, idle, after = found
    count = len(own)
    total = float(np.mean(own.calls.durations_ns)) if len(own.calls) else np.nan
    columns = (
        *identity(own),
        whole("path_ns", work[:count] + idle[:count], "ns", "Of the critical path: work and idle time before it."),
        whole("work_ns", work[:count], "ns", "Mean over calls of its time on the critical path."),
        whole("idle_ns", idle[:count], "ns", "Mean over calls of the time before that in which nothing ran."),
        real("share_percent", percent(work[:count] + idle[:count], total), "%", "Of the calls that were traced."),
    )
    rest = [f"from the end of the path to the end of the call: {format_ns(after)}"]
    if work[count]:
        rest.append(f"work in no layer has {format_ns(work[count] + idle[count])} of the path")
    return columns, (*notes, said, *rest)


def _device_path(kernels: Kernels) -> tuple[Floats, Floats, float]:
    of = kernels.layer[kernels.kernel]
    layers = kernels.layers
    return walked(layers, kernels.call, kernels.starts_ns, kernels.ends_ns, np.where(of == NONE, len(layers), of))


def walked(layers: Layers, call: Longs, starts: Longs, ends: Longs, layer: Longs) -> tuple[Floats, Floats, float]:
    """Walk the path of every call.

    Args:
        layers: of the run.
        call: of each interval.
        starts: of each interval, ns.
        ends: of each interval, ns.
        layer: of each interval; the number behind the last layer for none.

    Returns:
        By layer: mean over calls of the time on the path, and of the idle time before; one more entry for what lies in
        no layer. And the mean time between the end of the path and that of its call.
    """
    calls = len(layers.calls)
    steps: list[int] = []
    gaps: list[int] = []
    after = np.zeros(calls, np.int64)
    order = np.lexsort((starts, ends, call))
    order = order[ends[order] > starts[order]]
    bounds = np.searchsorted(call[order], np.arange(calls + 1)).tolist()
    begins = layers.calls.starts.tolist()
    for one in range(calls):
        mine = order[bounds[one] : bounds[one + 1]]
        found, before, last = _path(starts[mine].tolist(), ends[mine].tolist(), begins[one])
        steps += mine[found].tolist()
        gaps += before
        after[one] = max(int(layers.calls.ends[one]) - last, 0)
    on = np.array(steps, np.int64)
    groups = len(layers) + 1
    work = np.nan_to_num(sums(layer[on], (ends - starts)[on], groups)) / max(calls, 1)
    idle = np.nan_to_num(sums(layer[on], np.array(gaps, np.int64), groups)) / max(calls, 1)
    return work, idle, float(after.mean()) if calls else 0.0


def _path(starts: list[int], ends: list[int], begin: int) -> tuple[list[int], list[int], int]:
    """Walk back through intervals that are sorted by their ends.

    Returns:
        Places of the intervals on the path, the idle time before each, and the end of the path.
    """
    found, gaps = [], []
    at = len(ends) - 1
    last = ends[-1] if ends else begin
    while at >= 0:
        start = starts[at]
        following = bisect.bisect_right(ends, start, 0, at) - 1
        found.append(at)
        gaps.append(start - ends[following] if following >= 0 else max(start - begin, 0))
        at = following
    return found, gaps, last
