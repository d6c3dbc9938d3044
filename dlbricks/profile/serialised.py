"""Resolves ambiguous parents of spans by a second, serialised run.

Where several threads or streams work at once, a span may lie inside several others. XSP (IPDPS 2020, section III-A)
runs the network again serialised by environment variables: launches block, and there is one thread. There, the layer of
the n-th span of a name in a call is unambiguous, and it holds for the first run. Times of the second run are not used.
"""

import dataclasses
import os
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from dlbricks.profile.experiment import LEAST_CALLS, ExperimentPlan
from dlbricks.profile.isolated import profile_isolated
from dlbricks.profile.types import LevelRun, Profile
from dlbricks.trace.build import with_columns
from dlbricks.trace.intervals import ancestors
from dlbricks.trace.types import NONE, Level, Longs, Trace

ENVIRONMENT = {"CUDA_LAUNCH_BLOCKING": "1", "OMP_NUM_THREADS": "1"}


def with_serialised(path: Path, plan: ExperimentPlan, profile: Profile) -> Profile:
    """Run a network again serialised, at its deepest level, and assign parents to the runs of that level.

    Args:
        path: the network.
        plan: of the first run.
        profile: of the first run.

    Returns:
        The profile with the serialised runs added.

    Raises:
        BenchmarkError: the second run failed.
    """
    deepest = plan.levels[-1]
    second = dataclasses.replace(
        plan,
        levels=(deepest,),
        settings=dataclasses.replace(plan.settings, threads=1),
        calls=min(plan.calls, LEAST_CALLS),
        roofs=None,
    )
    with _environment():
        # in another process on devices, too, since drivers read their environment once
        profiled = profile_isolated(path, second, lambda _batch, _message: None, always=True)
    serialised = {run.batch: dataclasses.replace(run, serialised=True) for run in profiled.runs}
    runs: list[LevelRun] = []
    for run in profile.runs:
        if run.levels != deepest or run.batch not in serialised:
            runs.append(run)
            continue
        other = serialised[run.batch]
        runs += [dataclasses.replace(run, trace=resolve_parents(run.trace, other.trace)), other]
    return dataclasses.replace(profile, runs=tuple(runs))


@contextmanager
def _environment() -> Iterator[None]:
    before = {name: os.environ.get(name) for name in ENVIRONMENT}
    os.environ.update(ENVIRONMENT)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def resolve_parents(trace: Trace, serialised: Trace) -> Trace:
    """Assign layers to spans below layer level that have none, as in a serialised run.

    The n-th span of a level and name in a call corresponds to the n-th one in any other call; likewise layers of a
    name.

    Args:
        trace: with parents, where they are known.
        serialised: of the same network and batch size, with parents.

    Returns:
        The trace; notes count the spans that were assigned and those without a counterpart.
    """
    lost = np.flatnonzero((trace.level > Level.LAYER) & (trace.level < Level.HARDWARE) & _outside(trace))
    if not len(lost):
        return trace
    layer_of_span = _layers_by_span(serialised)
    place, layers = _places(trace), _layers_by_call(trace)
    parent, missing = trace.parent.copy(), 0
    for row in lost.tolist():
        call, level, name, number = place[row]
        layer = (
            layers.get((call, *layer_of_span[level, name, number])) if (level, name, number) in layer_of_span else None
        )
        if layer is None:
            missing += 1
        else:
            parent[row] = layer
    notes = [f"{len(lost) - missing:,} spans got their parent from a serialised run"]
    if missing:
        notes.append(f"{missing:,} spans outside of layers have no counterpart in the serialised run")
    return with_columns(trace, *notes, parent=parent)


def _outside(trace: Trace) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Mark spans outside of all layers whose parent, if any, is not below layer level."""
    above = np.where(trace.parent == NONE, np.int8(Level.APPLICATION), trace.level[trace.parent])
    return np.asarray((ancestors(trace, Level.LAYER) == NONE) & (above < Level.LAYER))


def _layers_by_span(trace: Trace) -> dict[tuple[int, str, int], tuple[str, int]]:
    """Map the n-th span of a level and name in a call to its layer: name, and number among layers of that name."""
    layer_of = ancestors(trace, Level.LAYER, outermost=True)
    place = _places(trace)
    layers: dict[tuple[int, str, int], tuple[str, int]] = {}
    for row in np.flatnonzero((trace.level > Level.LAYER) & (layer_of != NONE)).tolist():
        _, level, name, number = place[row]
        _, _, layer, which = place[int(layer_of[row])]
        layers.setdefault((level, name, number), (layer, which))
    return layers


def _layers_by_call(trace: Trace) -> dict[tuple[int, str, int], int]:
    place = _places(trace)
    return {(place[row][0], *place[row][2:]): row for row in trace.rows(Level.LAYER).tolist()}


def _places(trace: Trace) -> list[tuple[int, int, str, int]]:
    """Return call, level, name, and number among those of the same level and name in the call, of every span."""
    calls = np.sort(trace.start_ns[trace.rows(Level.MODEL)])
    call_of: Longs = np.searchsorted(calls, trace.start_ns, "right") - 1
    counts: Counter[tuple[int, int, str]] = Counter()
    places: list[tuple[int, int, str, int]] = [(NONE, 0, "", 0)] * len(trace)
    for row in np.argsort(trace.start_ns, kind="stable").tolist():
        key = (int(call_of[row]), int(trace.level[row]), trace.names[trace.name[row]])
        places[row] = (*key, counts[key])
        counts[key] += 1
    return places
