"""Steps of language model servers: prefill and decode, token throughput, and the cost of the key-value cache."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dlbricks.analysis.executions import device_rows, devices_of, kernels_in
from dlbricks.analysis.table import (
    Floats,
    TableContent,
    UnavailableError,
    analysis,
    grouped,
    medians,
    percent,
    quotient,
    ranked,
    real,
    sums,
    text,
    whole,
)
from dlbricks.profile.steps import ServingStep, serving_step
from dlbricks.profile.types import Profile
from dlbricks.trace.intervals import covered_ns
from dlbricks.trace.types import NONE, Level, Longs, Role, Trace

# fewer points leave the slope to the noise of single steps
# Least number of steps for the slope over cache size.
_FEW = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class _Steps:
    """Steps by device and start."""

    named: tuple[ServingStep, ...]
    device: Longs
    starts: Longs
    ends: Longs

    @property
    def periods_ns(self) -> Floats:
        """Return the time from the start of each step to that of the next on its device; NaN for the last."""
        periods = np.full(len(self.named), np.nan)
        follows = self.device[1:] == self.device[:-1]
        periods[:-1][follows] = np.diff(self.starts)[follows]
        return periods


@analysis("serving", "Steps of a server: prefill and decode")
def serving(profile: Profile) -> TableContent:
    """Return number, times and tokens of prefill, decode and mixed steps, and the slope over cache size."""
    kernels, notes = kernels_in(profile)
    trace = kernels.trace
    steps, caveats = _steps_of(trace)
    periods, times = steps.periods_ns, (steps.ends - steps.starts).astype(np.float64)
    busy = _busy(trace, steps)
    figures = {
        name: np.array([np.nan if (value := getattr(step, name)) is None else value for step in steps.named])
        for name in ("requests", "tokens", "cached")
    }
    names, number = grouped([step.phase for step in steps.named])
    order = ranked(np.bincount(number, weights=np.nan_to_num(periods), minlength=len(names)), names)
    # The last step of a device has no period, so its tokens must not count either.
    lasting = ~np.isnan(periods)

    def median(values: Floats) -> Floats:
        return medians(number, values, len(names))[order]

    def total(values: Floats) -> Floats:
        return sums(number[lasting], values[lasting], len(names))[order]

    spent = np.nan_to_num(total(periods))
    slopes = [_slope(figures["cached"][number == phase], times[number == phase]) for phase in order.tolist()]
    columns = (
        text("phase", [names[phase] for phase in order.tolist()]),
        whole("steps", np.bincount(number, minlength=len(names))[order]),
        real("share_percent", percent(spent, spent.sum()), "%", "Of all periods."),
        whole("requests", median(figures["requests"]), "", "Per step, median."),
        whole("tokens", median(figures["tokens"]), "", "Per step, median."),
        whole("time_ns", median(times), "ns", "From first to last work, median."),
        whole("busy_ns", median(busy), "ns", "Device-busy part of it, median."),
        whole("period_ns", median(periods), "ns", "From start to start, median."),
        real("tokens_per_s", quotient(1e9 * total(figures["tokens"]), spent), "1/s", "Over all periods of such steps."),
        whole("cached", median(figures["cached"]), "", "Cached tokens read, median."),
        whole("cache_ns", slopes, "ns", "Time added to a step per thousand cached tokens, by least squares."),
    )
    return columns, (*notes, *caveats)


def _slope(cached: Floats, times: Floats) -> float:
    """Return the increase in step time per thousand cached tokens, NaN if these do not vary."""
    finite = ~np.isnan(cached)
    if finite.sum() < _FEW or np.ptp(cached[finite]) == 0:
        return float("nan")
    apart = cached[finite] - cached[finite].mean()
    return float(1000 * (apart * times[finite]).sum() / (apart**2).sum())


def _steps_of(trace: Trace) -> tuple[_Steps, list[str]]:
    """Find the steps by name: from marks on devices, else from the work launched in host ranges.

    Raises:
        UnavailableError: no step is marked.
    """
    names = {number: step for number, name in enumerate(trace.names) if (step := serving_step(name)) is not None}
    rows = trace.rows(Level.APPLICATION)
    rows = rows[np.isin(trace.name[rows], list(names))]
    on_device = rows[trace.role[rows] == Role.EXECUTION]
    if not len(rows):
        raise UnavailableError("no range is named like a step of vLLM or SGLang")
    notes = [] if len(on_device) else ["devices have no step marks: times are of the work launched in host ranges"]
    if any(name.tokens is None for name in names.values()):
        notes.append("the names of some steps have no token counts")
    rows = on_device if len(on_device) else rows
    devices, device = devices_of(trace, rows)
    ranges: list[list[int]] = []
    last: dict[tuple[int, int], list[int]] = {}
    until: dict[int, int] = {}
    for place in np.lexsort((trace.start_ns[rows], device)).tolist():
        row, key = int(rows[place]), (int(device[place]), int(trace.name[rows[place]]))
        start, end = int(trace.start_ns[row]), int(max(trace.end_ns[row], trace.start_ns[row]))
        if key in last and start < last[key][2]:  # the same step on another stream
            last[key][2] = max(last[key][2], end)
            continue
        if end <= until.get(key[0], start - 1):  # inside a step with another name
            continue
        last[key], until[key[0]] = [key[0], start, end, key[1]], end
        ranges.append(last[key])
    if not len(on_device):
        _until_launched_work_ends(trace, ranges, [process for process, _ in devices])
    table = np.array(ranges, np.int64)
    steps = _Steps(
        named=tuple(names[number] for number in table[:, 3].tolist()),
        device=table[:, 0], starts=table[:, 1], ends=table[:, 2],
    )  # fmt: skip
    return steps, notes


def _until_launched_work_ends(trace: Trace, steps: Sequence[list[int]], processes: Sequence[str]) -> None:
    """Set start and end of each host step to those of the work it launched.

    Steps are lists of process number, start and end; one that launched nothing keeps its range.
    """
    rows = device_rows(trace)
    rows = rows[trace.parent[rows] != NONE]
    launched = trace.start_ns[trace.parent[rows]]
    order = np.argsort(launched, kind="stable")
    rows, launched = rows[order], launched[order]
    process = np.array([lane.process for lane in trace.lanes] or [""])[trace.lane[trace.parent[rows]]]
    for step in steps:
        first, behind = np.searchsorted(launched, step[1:3])
        mine = rows[first:behind][process[first:behind] == processes[step[0]]]
        if len(mine):
            step[1], step[2] = int(trace.start_ns[mine].min()), int(trace.end_ns[mine].max())


def _busy(trace: Trace, steps: _Steps) -> Floats:
    """Return the device-busy time within each step; NaN if there are several devices."""
    rows = device_rows(trace)
    if len(devices_of(trace, rows)[0]) > 1:
        return np.full(len(steps.named), np.nan)
    return covered_ns(steps.starts, steps.ends, trace.start_ns[rows], trace.end_ns[rows]).astype(np.float64)
