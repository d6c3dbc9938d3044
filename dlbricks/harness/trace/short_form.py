"""The short form of a trace for results: a row for each executed layer and each kernel, in columns.

Start (relative to the call) and duration of a row are medians over the traced calls. Nodes in a body of If, Loop or
Scan are rows with that layer as their parent; a node that runs several times in a body is one row with a count.
Durations of layers are from calls in which no kernels were recorded.
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
"""In columns of row numbers: none."""
HOST = "host"
"""Lane of the calling thread; other threads are ``host 1``, ``host 2`` and so on."""
_LAUNCHES = ("runtime", "driver")
_EXECUTIONS = ("kernel", "memcpy", "memset")

# How much too early an end may be: start and duration are truncated to whole microseconds.
_CUT_NS = 2 * RESOLUTION_NS

Key = tuple[Any, ...]
"""Identity of a row in all calls: name and occurrence, or the parent's key and the name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """Calls that were recorded by CUPTI."""

    calls: Sequence[ProfiledCall]
    activities: Sequence[Activity]
    shift_ns: int
    """Offset from times of activities to times of the profile."""


@dataclass(slots=True)
class _Layer:
    """Samples of one row of layers, over all calls."""

    place: int
    node: ExecutedNode
    parent: int
    lane: str
    offsets_ns: list[int] = field(default_factory=list)
    durations_ns: list[int] = field(default_factory=list)


@dataclass(slots=True)
class _Kernel:
    """Samples of one row of kernels, over all calls."""

    activity: Activity
    layer: int
    launches_ns: list[int] = field(default_factory=list)
    offsets_ns: list[int] = field(default_factory=list)
    durations_ns: list[int] = field(default_factory=list)


def short_form(
    calls: Sequence[ProfiledCall], recorded: Recorded | None = None, notes: Iterable[str] = ()
) -> dict[str, Any]:
    """Return the short form of the traced calls of one benchmark, with texts in its columns.

    Args:
        calls: one or more calls in which only layers were recorded.
        recorded: further calls in which kernels were recorded as well; None without kernels.
        notes: of the profiler and of CUPTI.
    """
    rows: dict[Key, _Layer] = {}
    for call in calls:
        _add_call(rows, call)
    all_notes = [*notes]
    form: dict[str, Any] = {
        "levels": TRACE_LEVELS[0] if recorded is None else TRACE_LEVELS[1],
        "calls": len(calls),
        "call_ns": _median([call.duration_ns for call in calls]),
        "layers": _layer_columns(rows, len(calls)),
    }
    if recorded is not None:
        places = {key: row.place for key, row in rows.items()}
        kernels, unplaced = _kernels(recorded, places)
        form["kernels"] = _kernel_columns(kernels)
        if unplaced:
            all_notes.append(f"{unplaced} execution(s) on the device were started in no traced call and were left out")
    return {**form, "notes": all_notes} if all_notes else form


def _keys(call: ProfiledCall) -> list[Key]:
    """Return the key of each node: its occurrences are distinguished outside of bodies, not inside."""
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
    """Return a row for each execution on the device, and the number of executions launched outside the calls."""
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
    for activity in sorted(executed, key=lambda activity: activity.start_ns):
        launch = launches.get(activity.correlation if activity.correlation is not None else NONE)
        place = NONE if launch is None else bisect_right(begins, launch.start_ns + recorded.shift_ns) - 1
        if launch is None or place < 0 or not finders[place].holds(launch.start_ns + recorded.shift_ns):
            unplaced += 1
            continue
        finders[place].add(rows, activity, launch.start_ns + recorded.shift_ns, recorded.shift_ns)
    return list(rows.values()), unplaced


class _Finder:
    """Assigns executions to the layers of one call."""

    def __init__(self, call: ProfiledCall, places: Mapping[Key, int]) -> None:
        self.call = call
        keyed = zip(_keys(call), call.nodes, strict=True)
        self._layers = [(node, places.get(key, NONE)) for key, node in keyed if node.parent is None]
        self._begins = [node.start_ns for node, _ in self._layers]
        self._seen: dict[tuple[int, str], int] = defaultdict(int)

    def holds(self, time_ns: int) -> bool:
        """Whether the call was running at a time."""
        return self.call.start_ns <= time_ns < self.call.end_ns + _CUT_NS

    def layer(self, time_ns: int) -> int:
        """Return the row of the layer that was running at a time, ``NONE`` between layers."""
        at = bisect_right(self._begins, time_ns) - 1
        if at < 0 or time_ns >= self._layers[at][0].end_ns + _CUT_NS:
            return NONE
        return self._layers[at][1]

    def add(self, rows: dict[Key, _Kernel], activity: Activity, launch_ns: int, shift_ns: int) -> None:
        """Add an execution that was launched in this call."""
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
