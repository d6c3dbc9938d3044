"""Which run of a profile an analysis is of, and why there is none. Pure."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np

from dlbricks.analysis.executions import KernelTable, LayerTable, calls_of, kernels_of, layers_of
from dlbricks.analysis.statistics import Summaries, summary
from dlbricks.analysis.table import Analysis, Column, Table, text, whole
from dlbricks.profile.types import LEVELS, LevelRun, Profile
from dlbricks.trace.types import Longs
from dlbricks.units import counted

Answer: TypeAlias = "tuple[Sequence[Column], Sequence[str]] | str"
"""Columns and notes; or why there are none."""

NAMES = {"M": "the call alone", "ML": "calls and layers", "MLK": "calls, layers and kernels"}
"""What a run of each of ``LEVELS`` records."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelTimes:
    """Latencies of the calls of a batch."""

    batch: int
    samples_ns: Longs
    summary: Summaries
    """Of the samples, one group."""
    levels: str
    """Of the run that they are from."""
    unit: str
    """``call``, ``step`` or ``trace``: what was timed."""
    notes: tuple[str, ...]

    @property
    def median_ns(self) -> float:
        """Latency of the network, ns; NaN where no call was timed."""
        return float(self.summary.median[0])


def analysis(
    id_: str, title: str, levels: str, chart: str, source: str, answer: Callable[[Profile], Answer]
) -> Analysis:
    """Make an analysis of a function that gives columns and notes, or the reason why there are none."""

    def compute(profile: Profile) -> Table:
        return table_of(id_, title, answer(profile))

    return Analysis(id=id_, title=title, levels=levels, chart=chart, source=source, compute=compute)


def table_of(id_: str, title: str, answer: Answer) -> Table:
    """Make a table of an answer; notes that come twice are kept once."""
    if isinstance(answer, str):
        return Table(id=id_, title=title, unavailable=answer)
    columns, notes = answer
    return Table(id=id_, title=title, columns=tuple(columns), notes=tuple(dict.fromkeys(notes)))


def at_batch(profile: Profile, batch: int) -> Profile:
    """Give a profile with the runs of one batch only."""
    return replace(profile, runs=tuple(run for run in profile.runs if run.batch == batch))


def model_times(profile: Profile, batch: int | None = None) -> ModelTimes | None:
    """Give the latencies of calls, from the least disturbed run that there is; None without any call.

    Args:
        profile: any.
        batch: None is the smallest.
    """
    found = _least_disturbed(profile, LEVELS, batch)
    if found is None:
        return None
    calls = calls_of(found.trace) if not found.samples_ns else None
    samples = np.asarray(found.samples_ns, np.int64) if calls is None else calls.durations_ns
    if not len(samples):
        return None
    notes = () if found.levels == "M" or not profile.runtime else (_disturbed("of calls", found),)
    return ModelTimes(
        batch=found.batch,
        samples_ns=samples,
        summary=summary(samples),
        levels=found.levels,
        unit=_unit(found) if calls is None else calls.unit,
        notes=notes,
    )


def layers_in(profile: Profile, batch: int | None = None) -> tuple[LayerTable, tuple[str, ...]] | str:
    """Give the layers of the least disturbed run that records them, with notes; or why there are none."""
    found = _least_disturbed(profile, ("ML", "MLK"), batch)
    if found is None:
        return _missing(profile, "ML")
    layers = layers_of(found.trace)
    if not len(layers):
        return f"no layer was recorded, although the run was to record {NAMES[found.levels]}"
    notes = list(_left_out(layers))
    if found.levels == "MLK" and profile.runtime:
        notes.insert(0, _disturbed("of layers", found))
    return layers, tuple(notes)


def kernels_in(profile: Profile, batch: int | None = None) -> tuple[KernelTable, tuple[str, ...]] | str:
    """Give the kernels of the run that records them, with notes; or why there are none."""
    found = _least_disturbed(profile, ("MLK",), batch)
    if found is None:
        return _missing(profile, "MLK")
    kernels = kernels_of(found.trace)
    if not len(kernels):
        return "no kernel was recorded: nothing ran on a device, or its activities were not traced"
    notes = []
    if kernels.outside:
        notes.append(f"left out, since they began outside all calls: {kernels.outside} of the activities of devices")
    homeless = int((kernels.layer < 0).sum())
    if homeless:
        notes.append(f"in no layer: {homeless} of {len(kernels)} kernels; their layer is empty")
    return kernels, (*notes, *_left_out(kernels.layers))


def model_latency_ns(profile: Profile) -> float:
    """Give the latency of the network that shares of kernels are of, ns; NaN where there is none."""
    times = model_times(profile)
    return float("nan") if times is None else times.median_ns


def _least_disturbed(profile: Profile, levels: Sequence[str], batch: int | None) -> LevelRun | None:
    batches = profile.batches if batch is None else (batch,)
    for one in batches:
        for level in levels:
            found = profile.run(level, one)
            if found is not None:
                return found
    return None


def _missing(profile: Profile, levels: str) -> str:
    there = ", ".join(dict.fromkeys(run.levels for run in profile.runs)) or "none"
    reasons = "; ".join(profile.notes)
    provider = str(profile.runtime.get("provider", ""))
    on_cpu = levels == "MLK" and provider.lower().startswith("cpu")
    what = f"needs a run that records {NAMES[levels]} (levels {levels}); there are: {there}"
    why = f"{provider} runs on the host, where no kernels are launched" if on_cpu else reasons
    return f"{what}{'; ' if why else ''}{why}"


def _disturbed(what: str, run: LevelRun) -> str:
    return f"times {what} are from a run that recorded {NAMES[run.levels]}, which makes them longer"


def _unit(run: LevelRun) -> str:
    return calls_of(run.trace).unit if len(run.trace) else "call"


def _left_out(layers: LayerTable) -> list[str]:
    notes = []
    if layers.nested:
        notes.append(f"inside others, whose time holds theirs: {counted(layers.nested, 'layer')}")
    if layers.outside:
        notes.append(f"left out, since outside all calls: {counted(layers.outside, 'layer')}")
    if layers.calls.unit != "call":
        what = "step" if layers.calls.unit == "step" else "whole trace"
        notes.append(f"no calls of a network are marked; figures are per {what}")
    return notes


def identity(layers: LayerTable) -> tuple[Column, Column, Column]:
    """Make the columns that name layers."""
    return (
        whole("index", layers.index, "", "Place in order of execution, from 0."),
        text("layer", layers.names),
        text("type", layers.types, "Operator."),
    )
