"""A second run with everything in a row, and what it tells of parents that were ambiguous in the first.

Where several threads or streams work at once, a span may lie inside several others. XSP (IPDPS 2020, section III-A)
runs the network again serialised, by the environment alone: launches block, and there is one thread. Which layer the
n-th span of a name in a call belongs to is then plain, and holds for the first run. Times of the second are unused.
"""

import dataclasses
import multiprocessing
import os
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from dlbricks.errors import BenchmarkError
from dlbricks.harness.session import provider_name
from dlbricks.profile.apart import profile_apart
from dlbricks.profile.experiment import LEAST_CALLS, ExperimentPlan, profile_network
from dlbricks.profile.file import read_profile, write_profile
from dlbricks.profile.types import LevelRun, Profile
from dlbricks.trace.build import with_columns
from dlbricks.trace.intervals import ancestors
from dlbricks.trace.types import NONE, Level, Longs, Trace

ENVIRONMENT = {"CUDA_LAUNCH_BLOCKING": "1", "OMP_NUM_THREADS": "1"}


def with_serialised(path: Path, plan: ExperimentPlan, profile: Profile) -> Profile:
    """Run a network again serialised, at its deepest level, and give runs of that level the parents that it tells.

    Args:
        path: the network.
        plan: as it was run before.
        profile: what came of that.

    Returns:
        The profile with the serialised runs beside the others.

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
    serialised = {run.batch: dataclasses.replace(run, serialised=True) for run in _run_apart(path, second).runs}
    runs: list[LevelRun] = []
    for run in profile.runs:
        if run.levels != deepest or run.batch not in serialised:
            runs.append(run)
            continue
        other = serialised[run.batch]
        runs += [dataclasses.replace(run, trace=resolved(run.trace, other.trace)), other]
    return dataclasses.replace(profile, runs=tuple(runs))


def _run_apart(path: Path, plan: ExperimentPlan) -> Profile:
    """Profile in a process of its own, since drivers read their environment once; on a device in no fork."""
    if provider_name(plan.settings.provider) == provider_name("cpu"):
        with _environment():
            return profile_apart(path, plan, lambda _batch, _message: None)
    with tempfile.TemporaryDirectory(prefix="dlbricks-") as scratch:
        out = Path(scratch) / "serialised.json"
        with _environment():
            process = multiprocessing.get_context("spawn").Process(target=_child, args=(path, plan, out))
            process.start()
        process.join()
        if process.exitcode != 0 or not out.exists():
            how = f"ended with {process.exitcode}" if process.exitcode else "left no profile"
            raise BenchmarkError(f"the serialised run of {path.stem} {how}; what it wrote stands above")
        return read_profile(out)


def _child(path: Path, plan: ExperimentPlan, out: Path) -> None:
    write_profile(out, profile_network(path, plan, lambda _batch, _message: None))


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


def resolved(trace: Trace, serialised: Trace) -> Trace:
    """Return spans below layers that lie in no known layer the layer that a serialised run puts them in.

    The n-th span of a level and name in a call is the n-th in any other call; so is the n-th layer of a name.

    Args:
        trace: with parents, where they are known.
        serialised: of the same network and batch, with parents.

    Returns:
        The trace; a note says how many spans were put into a layer and how many have no counterpart.
    """
    lost = np.flatnonzero((trace.level > Level.LAYER) & (trace.level < Level.HARDWARE) & _outside(trace))
    if not len(lost):
        return trace
    found = _layers_told(serialised)
    place, layers = _places(trace), _layers_by_call(trace)
    parent, missing = trace.parent.copy(), 0
    for row in lost.tolist():
        call, level, name, number = place[row]
        layer = layers.get((call, *found[level, name, number])) if (level, name, number) in found else None
        if layer is None:
            missing += 1
        else:
            parent[row] = layer
    notes = [f"{len(lost) - missing:,} spans have the parent that a serialised run tells"]
    if missing:
        notes.append(f"{missing:,} spans that lie in no layer have no counterpart in the serialised run")
    return with_columns(trace, *notes, parent=parent)


def _outside(trace: Trace) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Flag spans without a layer above whose parent, if any, is no launch or call that will get one itself."""
    above = np.where(trace.parent == NONE, np.int8(Level.APPLICATION), trace.level[trace.parent])
    return np.asarray((ancestors(trace, Level.LAYER) == NONE) & (above < Level.LAYER))


def _layers_told(trace: Trace) -> dict[tuple[int, str, int], tuple[str, int]]:
    """Return the layer (name, which of that name) of the n-th span of a level and name in a call."""
    layer_of = ancestors(trace, Level.LAYER, outermost=True)
    place = _places(trace)
    found: dict[tuple[int, str, int], tuple[str, int]] = {}
    for row in np.flatnonzero((trace.level > Level.LAYER) & (layer_of != NONE)).tolist():
        _, level, name, number = place[row]
        _, _, layer, which = place[int(layer_of[row])]
        found.setdefault((level, name, number), (layer, which))
    return found


def _layers_by_call(trace: Trace) -> dict[tuple[int, str, int], int]:
    place = _places(trace)
    return {(place[row][0], *place[row][2:]): row for row in trace.rows(Level.LAYER).tolist()}


def _places(trace: Trace) -> list[tuple[int, int, str, int]]:
    """Return call, level, name and number (of that level and name in that call) of every span."""
    calls = np.sort(trace.start_ns[trace.rows(Level.MODEL)])
    asked: Longs = np.searchsorted(calls, trace.start_ns, "right") - 1
    counts: Counter[tuple[int, int, str]] = Counter()
    made: list[tuple[int, int, str, int]] = [(NONE, 0, "", 0)] * len(trace)
    for row in np.argsort(trace.start_ns, kind="stable").tolist():
        key = (int(asked[row]), int(trace.level[row]), trace.names[trace.name[row]])
        made[row] = (*key, counts[key])
        counts[key] += 1
    return made
