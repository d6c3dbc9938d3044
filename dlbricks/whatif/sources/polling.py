"""Waits of hosts that no call shows.

A host may wait for a device by reading memory that a kernel writes: expert parallelism learns so how many tokens come
(DeepEP's ``notify_dispatch``). Nothing of it is recorded but a gap between two calls, which ends soon after a kernel.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dlbricks.trace.types import NONE, Longs, Trace
from dlbricks.whatif.sources.devices import DeviceTasks
from dlbricks.whatif.sources.hosts import HostTasks

_SOON_NS = 60_000
"""A gap that ends so soon behind a kernel may have been a wait for it."""
_EARLY_NS = 10_000
"""Or so soon before: clocks of host and device differ."""
_LONG_NS = 200_000
"""Shorter gaps end behind a kernel by chance too often."""
_CHANCE = 1e-3
"""That all gaps behind kernels of one name end soon behind them by chance has to be less likely than this."""
_MOST = 0.8
"""So many of the gaps in which a kernel of that name is the last to end have to end soon behind it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HiddenWaits:
    """Host tasks that begin when a device task has ended, with nothing recorded in between."""

    before: Longs
    """Index of the host task whose gap is the wait."""
    after: Longs
    """Index of the host task behind it, on the same thread."""
    kernel: Longs
    """Index of the device task that is waited for."""


def hidden_waits(trace: Trace, host: HostTasks, device: DeviceTasks, gaps: Longs) -> HiddenWaits:
    """Find gaps between host calls that are waits for kernels.

    What is waited for is what ended last in the gap of all that was the last launched onto its stream by then. A
    kernel's name is believed to be waited for if nearly all such gaps end soon behind it, and if that is no chance: in
    a gap of 10 ms one of 166 kernels ends in the last 60 us.
    """
    processes = {lane.process: number for number, lane in enumerate(trace.lanes)}
    process = np.array([processes[lane.process] for lane in trace.lanes], np.int64)
    found: dict[int, list[tuple[int, int, int, bool, float]]] = defaultdict(list)
    queues = _queues(trace, device)
    for before, after in _long_gaps(host, gaps):
        since, until = int(host.end_ns[before]), int(host.start_ns[after])
        here = process[host.lane[before]]
        last = [
            tasks[at - 1]
            for lane, launched, tasks in queues
            if (at := int(np.searchsorted(launched, since, side="right"))) and process[lane] == here
        ]
        ended = [task for task in last if since < device.end_ns[task] <= until + _EARLY_NS]
        if not ended:
            continue
        task = max(ended, key=lambda one: int(device.end_ns[one]))
        soon = int(device.end_ns[task]) >= until - _SOON_NS
        name = int(trace.name[device.span[task]])
        found[name].append((before, after, int(task), soon, min(1.0, (_SOON_NS + _EARLY_NS) / (until - since))))
    rows = [row for told in found.values() for row in _believed(told)]
    columns = np.array(sorted(rows), np.int64).reshape(-1, 3).T
    return HiddenWaits(before=columns[0], after=columns[1], kernel=columns[2])


def _queues(trace: Trace, device: DeviceTasks) -> list[tuple[int, Longs, list[int]]]:
    """Give by lane when its tasks were launched, ns, and the tasks, in that order."""
    made = []
    for lane in np.unique(device.lane).tolist():
        tasks = np.flatnonzero((device.lane == lane) & (device.launch != NONE))
        launched = trace.start_ns[device.launch[tasks]]
        order = np.argsort(launched, kind="stable")
        stream = lane if lane < len(trace.lanes) else device.branches[lane - len(trace.lanes)]
        made.append((stream, launched[order], tasks[order].tolist()))
    return made


def _long_gaps(host: HostTasks, gaps: Longs) -> list[tuple[int, int]]:
    """Give the host tasks around each long gap of a thread."""
    made = []
    for lane in np.unique(host.lane[gaps > _LONG_NS]).tolist():
        rows = np.flatnonzero(host.lane == lane)
        long = np.flatnonzero(gaps[rows[:-1]] > _LONG_NS)
        made += list(zip(rows[long].tolist(), rows[long + 1].tolist(), strict=True))
    return made


def _believed(told: Sequence[tuple[int, int, int, bool, float]]) -> list[tuple[int, int, int]]:
    """Give the gaps behind kernels of one name that are waits."""
    hits = [one for one in told if one[3]]
    chance = float(np.prod([one[4] for one in hits]))
    if len(hits) < _MOST * len(told) or chance > _CHANCE:
        return []
    return [(before, after, task) for before, after, task, _, _ in hits]
