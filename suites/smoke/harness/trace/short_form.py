"""What a result keeps of a trace: a row for each executed layer and each kernel, in columns, every name once. Pure.

Of a layer that every call executes once, a row says when it began after the call did and how long it took, each the
median over the traced calls. Nodes in a body of If, Loop or Scan are rows below that layer's; what runs more than once
in a body is one row with a count. Durations of layers are of calls in which no deeper level was recorded.
"""

import statistics
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..options import TRACE_LEVELS
from .activities import Activity
from .layer_profile import RESOLUTION_NS, ExecutedNode, ProfiledCall

NONE = -1
"""In columns of rows: there is none."""
HOST = "host"
"""Lane of the thread that makes the call; other threads have a number behind it."""
_LAUNCHES = ("runtime", "driver")
_EXECUTIONS = ("kernel", "memcpy", "memset")

_CUT_NS = 2 * RESOLUTION_NS
"""By how much something may seem to end too early: its start and its duration are cut to whole microseconds."""

Key = tuple[Any, ...]
"""What tells a row from the others in every call: name and occurrence, below the key of the row it lies in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """Calls that were made while CUPTI recorded."""

    calls: Sequence[ProfiledCall]
    activities: Sequence[Activity]
    shift_ns: int
    """To be added to a time of an activity to get one of the profile."""


@dataclass(slots=True)
class _Layer:
    """What is seen of one row of layers, over all calls."""

    place: int
    node: ExecutedNode
    parent: int
    lane: str
    offsets_ns: list[int] = field(default_factory=list)
    durations_ns: list[int] = field(default_factory=list)


@dataclass(slots=True)
class _Kernel:
    """What is seen of one row of kernels, over all calls."""

    activity: Activity
    layer: int
    launches_ns: list[int] = field(default_factory=list)
    offsets_ns: list[int] = field(default_factory=list)
    durations_ns: list[int] = field(default_factory=list)


def short_form(
    calls: Sequence[ProfiledCall], recorded: Recorded | None = None, notes: Iterable[str] = ()
) -> dict[str, Any]:
    """Give what a result keeps of the traced calls of one benchmark, texts spelled out.

    Args:
        calls: one at least, in which nothing deeper than layers was recorded.
        recorded: further calls, in which kernels were recorded, too; None where they were not.
        notes: what the profiler or CUPTI had to say.
    """
    rows: dict[Key, _Layer] = {}
    for call in calls:
        _add_call(rows, call)
    said = [*notes]
    made: dict[str, Any] = {
        "levels": TRACE_LEVELS[0] if recorded is None else TRACE_LEVELS[1],
        "calls": len(calls),
        "call_ns": _median([call.duration_ns for call in calls]),
        "layers": _layer_columns(rows, len(calls)),
    }
    if recorded is not None:
        places = {key: row.place for key, row in rows.items()}
        kernels, unplaced = _kernels(recorded, places)
        made["kernels"] = _kernel_columns(kernels)
        if unplaced:
            said.append(f"{unplaced} execution(s) on the device were started in no traced call and were left out")
    return {**made, "notes": said} if said else made


def _keys(call: ProfiledCall) -> list[Key]:
    """Give the key of each node: n-th of its name outside of bodies, all of its name in one inside."""
    seen: dict[str, int] = defaultdict(int)
    keys: list[Key] = []
    for node in call.nodes:
        if node.parent is None:
            keys.append((node.name, seen[node.name]))
            seen[node.name] += 1
        else:
            keys.append((keys[node.parent], node.name))
    return keys


def _add_call(rows: dict[Key, _Layer], call: ProfiledCall) -> None:
    keys = _keys(call)
    lanes: dict[int, str] = {call.thread: HOST}
    first: set[Key] = set()
    for key, node in zip(keys, call.nodes, strict=True):
        lane = lanes.setdefault(node.thread, f"{HOST} {len(lanes)}")
        if key not in rows:
            parent = NONE if node.parent is None else rows[keys[node.parent]].place
            rows[key] = _Layer(place=len(rows), node=node, parent=parent, lane=lane)
        rows[key].durations_ns.append(node.duration_ns)
        if key not in first:
            first.add(key)
            rows[key].offsets_ns.append(node.start_ns - call.start_ns)


def _layer_columns(rows: Mapping[Key, _Layer], calls: int) -> dict[str, list[Any]]:
    layers = list(rows.values())
    return {
        "name": [row.node.name for row in layers],
        "operator": [row.node.operator for row in layers],
        "provider": [row.node.provider.removesuffix("ExecutionProvider").lower() for row in layers],
        "lane": [row.lane for row in layers],
        "parent": [row.parent for row in layers],
        "offset_ns": [_median(row.offsets_ns) for row in layers],
        "duration_ns": [_median(row.durations_ns) for row in layers],
        "count": [max(1, round(len(row.durations_ns) / calls)) for row in layers],
    }


def _kernels(recorded: Recorded, places: Mapping[Key, int]) -> tuple[list[_Kernel], int]:
    """Give a row for each execution of a call, the n-th of its name in its layer, and how many lie in no call."""
    launches: dict[int, Activity] = {}
    for activity in recorded.activities:
        if activity.kind in _LAUNCHES and activity.correlation is not None:
            earlier = launches.get(activity.correlation)
            if earlier is None or activity.start_ns < earlier.start_ns:
                launches[activity.correlation] = activity
    finders = [_Finder(call, places) for call in recorded.calls]
    begins = [finder.call.start_ns for finder in finders]
    rows: dict[Key, _Kernel] = {}
    unplaced = 0
    executed = [activity for activity in recorded.activities if activity.kind in _EXECUTIONS]
    for activity in sorted(executed, key=lambda one: one.start_ns):
        launch = launches.get(activity.correlation if activity.correlation is not None else NONE)
        place = NONE if launch is None else bisect_right(begins, launch.start_ns + recorded.shift_ns) - 1
        if launch is None or place < 0 or not finders[place].holds(launch.start_ns + recorded.shift_ns):
            unplaced += 1
            continue
        finders[place].add(rows, activity, launch.start_ns + recorded.shift_ns, recorded.shift_ns)
    return list(rows.values()), unplaced


class _Finder:
    """Finds the layers of one call."""

    def __init__(self, call: ProfiledCall, places: Mapping[Key, int]) -> None:
        self.call = call
        keyed = zip(_keys(call), call.nodes, strict=True)
        self._layers = [(node, places.get(key, NONE)) for key, node in keyed if node.parent is None]
        self._begins = [node.start_ns for node, _ in self._layers]
        self._seen: dict[tuple[int, str], int] = defaultdict(int)

    def holds(self, time_ns: int) -> bool:
        """Whether the call was going on."""
        return self.call.start_ns <= time_ns < self.call.end_ns + _CUT_NS

    def layer(self, time_ns: int) -> int:
        """Give the row of the layer that was running, ``NONE`` between two of them."""
        at = bisect_right(self._begins, time_ns) - 1
        if at < 0 or time_ns >= self._layers[at][0].end_ns + _CUT_NS:
            return NONE
        return self._layers[at][1]

    def add(self, rows: dict[Key, _Kernel], activity: Activity, launch_ns: int, shift_ns: int) -> None:
        """Take note of an execution that was launched in this call."""
        layer = self.layer(launch_ns)
        key = (layer, activity.name, self._seen[layer, activity.name])
        self._seen[layer, activity.name] += 1
        row = rows.setdefault(key, _Kernel(activity=activity, layer=layer))
        row.launches_ns.append(launch_ns - self.call.start_ns)
        row.offsets_ns.append(activity.start_ns + shift_ns - self.call.start_ns)
        row.durations_ns.append(activity.duration_ns)


def _kernel_columns(rows: Sequence[_Kernel]) -> dict[str, list[Any]]:
    return {
        "name": [row.activity.name for row in rows],
        "kind": [row.activity.kind for row in rows],
        "lane": [f"gpu {row.activity.device or 0} stream {row.activity.stream or 0}" for row in rows],
        "layer": [row.layer for row in rows],
        "launch_ns": [_median(row.launches_ns) for row in rows],
        "offset_ns": [_median(row.offsets_ns) for row in rows],
        "duration_ns": [_median(row.durations_ns) for row in rows],
    }


def _median(values: Sequence[int]) -> int:
    return round(statistics.median(values))
