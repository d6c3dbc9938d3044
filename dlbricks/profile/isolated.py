"""Profiles networks and measures roofs in a process of its own, so that a crash or hang of the runtime is contained.

On a device it runs in the calling process, since a forked process cannot use a device that was used before; or, if
it has to be another process, in a new interpreter.

A second, serialised run resolves ambiguous parents of spans. Where several threads or streams work at once, a span may
lie inside several others. XSP (IPDPS 2020, section III-A) runs the network again serialised by environment variables:
launches block, and there is one thread. There, the layer of the n-th span of a name in a call is unambiguous, and it
holds for the first run. Times of the second run are not used.
"""

import os
import sys
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from dlbricks.errors import BenchmarkError
from dlbricks.harness.errors import HarnessError
from dlbricks.harness.machine import system_facts
from dlbricks.harness.options import ONNXRUNTIME
from dlbricks.harness.runtimes.onnxruntime import provider_name
from dlbricks.harness.session import RUNTIME_ERRORS, SessionSettings
from dlbricks.process_pool import Crashed, Workers, send_message
from dlbricks.profile.experiment import LEAST_CALLS, ExperimentPlan, OnProgress, profile_network
from dlbricks.profile.roofs import measure_roofs
from dlbricks.profile.types import LevelRun, Profile, Roofs
from dlbricks.trace.build import with_columns
from dlbricks.trace.intervals import ancestors
from dlbricks.trace.types import NONE, Level, Trace

ENVIRONMENT = {"CUDA_LAUNCH_BLOCKING": "1", "OMP_NUM_THREADS": "1"}
_Argument = TypeVar("_Argument")
_Result = TypeVar("_Result")


def profile_isolated(path: Path, plan: ExperimentPlan, on_progress: OnProgress, *, always: bool = False) -> Profile:
    """Profile a network, as ``profile_network``; ``always`` starts a process on a device, too.

    Raises:
        BenchmarkError: the process crashed, or exceeded its limit of time or memory; other errors as
            ``profile_network``.
    """
    function = partial(_profile, plan)
    profile = _isolated(function, path, plan.settings, lambda message: on_progress(*message), always=always)
    if isinstance(profile, Crashed):
        raise BenchmarkError(f"{path.stem} cannot be profiled: it {profile.reason}")
    return profile


def _profile(plan: ExperimentPlan, path: Path) -> Profile:
    return profile_network(path, plan, lambda batch, message: send_message((batch, message)))


def roofs_isolated(settings: SessionSettings, facts: Mapping[str, Any] | None = None) -> Roofs:
    """Measure the roofs of a machine; see ``measure_roofs``.

    Raises:
        BenchmarkError: the runtime failed, crashed, or took too long.
        HarnessError: the provider is missing.
    """
    roofs = _isolated(partial(_roofs, settings), system_facts() if facts is None else facts, settings)
    if isinstance(roofs, Crashed):
        raise BenchmarkError(f"roofs of this machine cannot be measured: {settings.runtime} {roofs.reason}")
    return roofs


def _roofs(settings: SessionSettings, facts: Mapping[str, Any]) -> Roofs:
    try:
        return measure_roofs(settings, facts=facts)
    except HarnessError:
        raise
    except RUNTIME_ERRORS as error:
        reason = " ".join(str(error).split())
        raise BenchmarkError(f"roofs of this machine cannot be measured: {reason}") from error


def _isolated(
    function: Callable[[_Argument], _Result],
    argument: _Argument,
    settings: SessionSettings,
    on_message: Callable[[Any], None] = lambda _: None,
    *,
    always: bool = False,
) -> _Result | Crashed[_Argument]:
    on_processor = provider_name(settings.provider) == provider_name("cpu")
    # CUDA maps more memory than it uses, so a process that uses a device has no limit
    most = None if on_processor else sys.maxsize // 2
    # threads of other runtimes, and what drivers read of the environment, belong to the process
    fresh = not on_processor or settings.runtime != ONNXRUNTIME
    with Workers(1, apart=on_processor or always, fresh=fresh, memory_bytes=most) as workers:
        (result,) = workers.each(function, [argument], lambda _: None, on_message)
    return result


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
    deepest, settings = plan.levels[-1], replace(plan.settings, threads=1)
    second = replace(plan, levels=(deepest,), settings=settings, calls=min(plan.calls, LEAST_CALLS), roofs=None)
    before = dict(os.environ)
    os.environ.update(ENVIRONMENT)
    try:
        # in another process on devices, too, since drivers read their environment once
        profiled = profile_isolated(path, second, lambda _batch, _message: None, always=True)
    finally:
        os.environ.clear()
        os.environ.update(before)
    serialised = {run.batch: replace(run, serialised=True) for run in profiled.runs}
    runs: list[LevelRun] = []
    for run in profile.runs:
        other = serialised.get(run.batch) if run.levels == deepest else None
        runs += [run] if other is None else [replace(run, trace=resolve_parents(run.trace, other.trace)), other]
    return replace(profile, runs=tuple(runs))


def resolve_parents(trace: Trace, serialised: Trace) -> Trace:
    """Assign layers to spans below layer level that have none, as in a serialised run.

    The n-th span of a level and name in a call corresponds to the n-th one in any other call; likewise layers of a
    name.

    Args:
        trace: with parents, where they could be found.
        serialised: of the same network and batch size, with parents.

    Returns:
        The trace; notes count the spans that were assigned and those without a counterpart.
    """
    above = np.where(trace.parent == NONE, np.int8(Level.APPLICATION), trace.level[trace.parent])
    outside = (ancestors(trace, Level.LAYER) == NONE) & (above < Level.LAYER)
    lost = np.flatnonzero((trace.level > Level.LAYER) & (trace.level < Level.HARDWARE) & outside)
    if not len(lost):
        return trace
    place, other_place = _places(trace), _places(serialised)
    # Spans of two runs are matched by their place in a call, since neither times nor rows agree.
    layers = {place[row]: row for row in trace.rows(Level.LAYER).tolist()}
    layer_of = ancestors(serialised, Level.LAYER, outermost=True)
    layer_of_span: dict[tuple[int, str, int], tuple[int, str, int]] = {}
    for row in np.flatnonzero((serialised.level > Level.LAYER) & (layer_of != NONE)).tolist():
        layer_of_span.setdefault(other_place[row][1:], other_place[int(layer_of[row])][1:])
    parent, missing = trace.parent.copy(), 0
    for row in lost.tolist():
        layer = layer_of_span.get(place[row][1:])
        owner = None if layer is None else layers.get((place[row][0], *layer))
        if owner is None:
            missing += 1
        else:
            parent[row] = owner
    notes = [f"{len(lost) - missing:,} spans got their parent from a serialised run"]
    if missing:
        notes.append(f"{missing:,} spans outside of layers have no counterpart in the serialised run")
    return with_columns(trace, *notes, parent=parent)


def _places(trace: Trace) -> list[tuple[int, int, str, int]]:
    """Return call, level, name, and number among those of the same level and name in the call, of every span."""
    calls = np.sort(trace.start_ns[trace.rows(Level.MODEL)])
    call_of = (np.searchsorted(calls, trace.start_ns, "right") - 1).tolist()
    counts: Counter[tuple[int, int, str]] = Counter()
    places: list[tuple[int, int, str, int]] = [(NONE, 0, "", 0)] * len(trace)
    for row in np.argsort(trace.start_ns, kind="stable").tolist():
        key = (call_of[row], int(trace.level[row]), trace.names[trace.name[row]])
        places[row] = (*key, counts[key])
        counts[key] += 1
    return places
