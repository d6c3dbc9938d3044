"""Profiles of traces that somebody else recorded: one run, no machine, no runtime. Pure."""

import numpy as np

from dlbricks.profile.nouns import LevelRun, Profile
from dlbricks.trace import kinds
from dlbricks.trace.build import from_columns
from dlbricks.trace.nouns import NONE, Level, Longs, Role, Trace

_UPDATE = "Optimizer.step#"
"""How PyTorch's profiler names what marks an update of the weights."""


def profile_of(trace: Trace, name: str) -> Profile:
    """Make a profile of a recorded trace, so that every analysis can be asked of it.

    Latencies are those of calls of the network, else of training steps, else the length of the whole trace. Where no
    step is marked, a step ends with each update of the weights. The batch is not in such a trace: it is 0.

    Args:
        trace: with parents.
        name: of what was recorded, for titles.
    """
    notes = ["a trace by itself: neither the machine nor the batch is known"]
    if not len(trace.rows(Level.MODEL, kinds.CALL)) and not len(trace.rows(Level.APPLICATION, kinds.STEP)):
        trace, note = with_steps(trace)
        notes.append(note)
    calls = trace.rows(Level.MODEL, kinds.CALL)
    if not len(calls):
        calls = trace.rows(Level.APPLICATION, kinds.STEP)
    samples = np.maximum(trace.duration_ns[calls], 0).tolist()
    if not samples and len(trace):
        samples = [int(max(trace.end_ns.max() - trace.start_ns.min(), 0))]
    run = LevelRun(batch=0, levels=levels_of(trace), samples_ns=tuple(samples), trace=trace)
    return Profile(network=name, system={}, runtime={}, runs=(run,), notes=(*notes, *trace.notes))


def levels_of(trace: Trace) -> str:
    """Give what a trace records: one of ``LEVELS``."""
    if len(trace.rows(Level.KERNEL)):
        return "MLK"
    return "ML" if len(trace.rows(Level.LAYER)) else "M"


def with_steps(trace: Trace) -> tuple[Trace, str]:
    """Mark the steps of a trace that has none, by its updates of the weights; and say how.

    A step of a process begins where the one before ended, the first one with the first span of that process's threads.
    Of several optimizers the one that is called last counts.
    """
    named = [index for index, text in enumerate(trace.names) if text.startswith(_UPDATE)]
    updates = trace.rows(Level.APPLICATION)
    updates = updates[np.isin(trace.name[updates], named) & (trace.role[updates] == Role.PLAIN)]
    if not len(updates):
        return trace, "neither calls, nor steps, nor updates of weights are marked: the whole trace counts as one call"
    process = np.array([_number(trace, lane.process) for lane in trace.lanes], np.int64)
    on_host = np.array([not lane.device for lane in trace.lanes], bool)
    found: list[tuple[int, int, int]] = []
    for one in np.unique(process[trace.lane[updates]]).tolist():
        mine = updates[process[trace.lane[updates]] == one]
        mine = mine[np.argsort(trace.end_ns[mine], kind="stable")]
        mine = mine[trace.name[mine] == trace.name[mine[-1]]]
        began = trace.start_ns[(process[trace.lane] == one) & on_host[trace.lane]].min()
        edges = [int(began), *trace.end_ns[mine].tolist()]
        found += [(int(trace.lane[row]), *edge) for row, *edge in zip(mine, edges, edges[1:], strict=False)]
    made = _with_spans(trace, found)
    return made, f"no steps are marked: {len(found)} steps were taken to end with the updates of weights"


def _number(trace: Trace, process: str) -> int:
    return next(index for index, lane in enumerate(trace.lanes) if lane.process == process)


def _with_spans(trace: Trace, steps: list[tuple[int, int, int]]) -> Trace:
    """Append steps, given by lane, start and end; what they contain keeps the parents that it has."""
    count = len(steps)
    lanes, starts, ends = (np.array(column, np.int64) for column in zip(*steps, strict=True))
    known = trace.kinds if kinds.STEP in trace.kinds else (*trace.kinds, kinds.STEP)
    none = np.full(count, NONE, np.int64)
    appended: dict[str, Longs] = {
        "level": np.full(count, Level.APPLICATION, np.int64),
        "role": np.full(count, Role.PLAIN, np.int64),
        "kind": np.full(count, known.index(kinds.STEP), np.int64),
        "name": len(trace.names) + np.arange(count),
        "lane": lanes,
        "start_ns": starts,
        "end_ns": ends,
        "parent": none,
        "correlation": none,
    }
    columns = {key: np.concatenate((getattr(trace, key), more)) for key, more in appended.items()}
    return from_columns(
        trace.clock,
        names=(*trace.names, *(f"step {number}" for number in range(count))),
        kinds=known,
        lanes=trace.lanes,
        columns=columns,
        attributes=trace.attributes,
        notes=trace.notes,
    )
