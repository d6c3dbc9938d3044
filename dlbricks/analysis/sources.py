"""Selects the run of a profile for an analysis: the least disturbed one that records what the analysis needs."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from dlbricks.analysis.executions import KernelTable, LayerTable, calls_of, kernels_of, layers_of
from dlbricks.analysis.table import Column, Summaries, UnavailableError, summary, text, whole
from dlbricks.profile.types import LEVELS, LevelRun, Profile
from dlbricks.trace.types import Longs
from dlbricks.units import counted

NAMES = {"M": "the call alone", "ML": "calls and layers", "MLK": "calls, layers and kernels"}
"""What runs of each of ``LEVELS`` record."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelTimes:
    """Latencies of the calls of one batch."""

    batch: int
    samples_ns: Longs
    summary: Summaries
    """Statistics of the samples, as one group."""
    unit: str
    """What was timed: ``call``, ``step`` or ``trace``."""
    notes: tuple[str, ...]

    @property
    def median_ns(self) -> float:
        """Return the median latency of the network, ns."""
        return float(self.summary.median[0])


def at_batch(profile: Profile, batch: int) -> Profile:
    """Return a profile with the runs of one batch only."""
    return replace(profile, runs=tuple(run for run in profile.runs if run.batch == batch))


def model_times(profile: Profile, batch: int | None = None) -> ModelTimes | None:
    """Return the latencies of calls; None without calls.

    Args:
        profile: the profile.
        batch: batch size; None for the smallest.
    """
    run = first_run(profile, LEVELS, batch)
    if run is None:
        return None
    calls = calls_of(run.trace) if len(run.trace) else None
    samples = np.asarray(run.samples_ns, np.int64)
    if not len(samples) and calls is not None:
        samples = calls.durations_ns
    if not len(samples):
        return None
    return ModelTimes(
        batch=run.batch,
        samples_ns=samples,
        summary=summary(samples),
        unit="call" if calls is None else calls.unit,
        notes=() if run.levels == "M" or not profile.runtime else (_disturbed("of calls", run),),
    )


def all_model_times(profile: Profile) -> list[ModelTimes]:
    """Return the latencies of every batch with calls, ascending."""
    return [times for times in (model_times(profile, batch) for batch in profile.batches) if times is not None]


def layers_in(profile: Profile, batch: int | None = None) -> tuple[LayerTable, tuple[str, ...]]:
    """Return the layers of the least disturbed run that records them, with notes.

    Raises:
        UnavailableError: there are none.
    """
    run = first_run(profile, ("ML", "MLK"), batch)
    if run is None:
        raise UnavailableError(_missing(profile, "ML"))
    layers = layers_of(run.trace)
    if not len(layers):
        raise UnavailableError(f"no layer was recorded in a run for {NAMES[run.levels]}")
    disturbed = [_disturbed("of layers", run)] if run.levels == "MLK" and profile.runtime else []
    return layers, (*disturbed, *_left_out(layers))


def kernels_in(profile: Profile, batch: int | None = None) -> tuple[KernelTable, tuple[str, ...]]:
    """Return the kernels of the run that records them, with notes.

    Raises:
        UnavailableError: there are none.
    """
    run = first_run(profile, ("MLK",), batch)
    if run is None:
        raise UnavailableError(_missing(profile, "MLK"))
    kernels = kernels_of(run.trace)
    if not len(kernels):
        raise UnavailableError("no kernel was recorded: nothing ran on a device, or device activities were not traced")
    notes = []
    if kernels.outside:
        notes.append(f"left out, started outside all calls: {kernels.outside} device activities")
    outside = int((kernels.layer < 0).sum())
    if outside:
        notes.append(f"outside layers: {outside} of {len(kernels)} kernels; their layer is empty")
    return kernels, (*notes, *_left_out(kernels.layers))


def layers_if_any(profile: Profile, batch: int | None = None) -> LayerTable | None:
    """Return the layers of ``layers_in``, or None."""
    try:
        return layers_in(profile, batch)[0]
    except UnavailableError:
        return None


def kernels_if_any(profile: Profile) -> KernelTable | None:
    """Return the kernels of ``kernels_in``, or None."""
    try:
        return kernels_in(profile)[0]
    except UnavailableError:
        return None


def identity(layers: LayerTable) -> tuple[Column, Column, Column]:
    """Return the columns that identify layers."""
    return (
        whole("index", layers.index, "", "Position in order of execution, from 0."),
        text("layer", layers.names),
        text("type", layers.types, "Operator."),
    )


def first_run(profile: Profile, levels: Sequence[str], batch: int | None = None) -> LevelRun | None:
    """Return the first run of some levels, in their order, of a batch size or else of the smallest one that has any."""
    batches = profile.batches if batch is None else (batch,)
    runs = (profile.run(level, size) for size in batches for level in levels)
    return next((run for run in runs if run is not None), None)


def _missing(profile: Profile, levels: str) -> str:
    there = ", ".join(dict.fromkeys(run.levels for run in profile.runs)) or "none"
    provider = str(profile.runtime.get("provider", ""))
    on_cpu = levels == "MLK" and provider.lower().startswith("cpu")
    what = f"needs a run that records {NAMES[levels]} (levels {levels}); there are: {there}"
    why = f"{provider} runs on the host, without kernels" if on_cpu else "; ".join(profile.notes)
    return f"{what}{'; ' if why else ''}{why}"


def _disturbed(what: str, run: LevelRun) -> str:
    return f"times {what} are from a run that recorded {NAMES[run.levels]}, so they include its overhead"


def _left_out(layers: LayerTable) -> list[str]:
    notes = []
    if layers.nested:
        notes.append(f"nested in others and included in their times: {counted(layers.nested, 'layer')}")
    if layers.outside:
        notes.append(f"left out, outside all calls: {counted(layers.outside, 'layer')}")
    if layers.calls.unit != "call":
        what = "step" if layers.calls.unit == "step" else "whole trace"
        notes.append(f"no calls of a network are marked; figures are per {what}")
    return notes
