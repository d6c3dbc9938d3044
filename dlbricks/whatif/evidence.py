"""How far predictions of what-if transforms were off in back-tests, by kind of trace, and intervals from these errors.

Each row compares the errors of a transform with those of the prediction that nothing changes. Where a transform is not
better than this prediction, it gives no answer.
"""

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TypeAlias

import msgspec
import numpy as np

from dlbricks.errors import InputError
from dlbricks.trace.gpus import usual_name
from dlbricks.units import counted
from dlbricks.whatif.graph import DependencyGraph, Phase
from dlbricks.whatif.select import on_device, other_runtime, unrecorded_launches
from dlbricks.whatif.transform import Transform, Values

GPU, PROCESSOR = "GPU", "processor"
# What a prediction is about: the time of a step, the sum of its kernels, and the time of its host alone.
STEP, KERNELS, HOST = "step", "kernels", "host"
# Beginning of a kind of trace if few cases of training and few of inference count together.
EITHER = "training or inference"
# Errors count as at most this for the longest time, since an error of 1 would allow any time.
_LARGEST = 0.99
_AMD = re.compile(r"\bMI\d|\bAMD\b|\bRADEON\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """The range in which a true time after a what-if change is expected."""

    low_ns: int
    high_ns: int
    source: str
    """Evidence for the width of the range."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BacktestErrors:
    """Errors of a transform's predictions in back-tests on one kind of trace. Errors are relative to the true time."""

    transform: str
    """Name of the transform; empty for times of hosts, where the errors are those of all transforms together."""
    of: str
    """What was predicted: ``step``, ``kernels`` or ``host``."""
    kind: str
    """Kind of trace as ``kind_of`` returns it, for example ``training on NVIDIA GPUs``."""
    cases: int
    error: float
    """Error that 90 % of further cases are expected not to exceed."""
    median_error: float
    unchanged_error: float
    """Median error of the prediction that nothing changes."""
    better: int
    """Number of cases in which the prediction was nearer to the truth than the prediction that nothing changes."""
    wrong_signs: int
    """Number of gains of more than 5 % that were predicted as losses, and of losses predicted as gains."""
    source: str

    @property
    def helps(self) -> bool:
        """Whether predictions beat the prediction that nothing changes in most cases, and also by the median error."""
        return 2 * self.better > self.cases and self.median_error < self.unchanged_error

    @property
    def text(self) -> str:
        """Part of a sentence: the errors of the transform, and those of the prediction that nothing changes."""
        signs = f", {counted(self.wrong_signs, 'sign')} wrong" if self.wrong_signs else ""
        errors = f"{self.of} off by {self.median_error:.1%}, 'nothing changes' by {self.unchanged_error:.1%}"
        return f"{errors}, medians of {self.cases} back-tests{signs}"


# Largest published error of the time by transform, as reported of Daydream (USENIX ATC 2020).
PUBLISHED: Mapping[str, tuple[float, str]] = {
    "bandwidth": (0.10, "mostly within 10 %, as reported of Daydream (USENIX ATC 2020)"),
    "p3": (0.162, "at most 16.2 %, as reported of Daydream (USENIX ATC 2020)"),
    "reconstruct-bn": (0.061, "12.7 % gain predicted and 7 % measured, as reported of Daydream (USENIX ATC 2020)"),
}


@cache
def backtested() -> tuple[BacktestErrors, ...]:
    """Return the errors of all back-tests, one row for each transform, kind of trace and predicted quantity."""
    rows = json.loads((files("dlbricks.whatif") / "backtest_errors.json").read_text(encoding="utf-8"))
    return msgspec.convert(rows, tuple[BacktestErrors, ...])


def evidence_on(transform: str, kind: str) -> dict[str, BacktestErrors]:
    """Return the errors of a transform on one kind of trace; keys are predicted quantities such as ``kernels``."""
    kinds = (kind, f"{EITHER} {kind.partition(' ')[2]}")
    return {row.of: row for row in backtested() if row.transform == transform and row.kind in kinds}


def errors_by_kind(transform: str) -> tuple[BacktestErrors, ...]:
    """Return the errors of a transform's predictions of steps and kernels, on all kinds of traces."""
    return tuple(row for row in backtested() if row.transform == transform and row.of != HOST)


def evidence_of(transform: Transform) -> str:
    """Return how a transform was validated: ``back-tested`` here, ``published`` by others, or only ``modelled``."""
    own = any(row.transform == transform.name for row in backtested())
    return "back-tested" if own else "published" if transform.name in PUBLISHED else "modelled"


def device_of(graph: DependencyGraph) -> str:
    """Return the kind of device of a dependency graph: ``GPU`` with device tasks or launches, else ``PROCESSOR``.

    Back-tests on processors used onnxruntime, so the name of another runtime is added if it is known.
    """
    if len(on_device(graph)) or len(unrecorded_launches(graph)):
        return GPU
    other = other_runtime(graph)
    return f"{PROCESSOR} with {other}" if other else PROCESSOR


_BACKTESTED_THREADS = 2
# End of the kind of a recording that counts as one call, since no steps were found.
_WITHOUT_STEPS = " without steps"


def kind_of(graph: DependencyGraph, values: Values | None = None) -> str:
    """Return the kind of trace for which evidence is needed: training or inference, and the kind of device.

    ``values`` are the parameters of a transform. If they name another GPU, the kind names the makers of both.
    """
    work = "training" if np.isin(graph.phase, (Phase.BACKWARD, Phase.UPDATE)).any() else "inference"
    device = device_of(graph)
    if device != GPU:
        # back-tests of other numbers of threads had two threads
        threads = max(values.get("threads", 0), values.get("from", 0)) if values and "threads" in values else 0
        return f"{work} on a {device}" + (f" with {threads:.0f} threads" if threads > _BACKTESTED_THREADS else "")
    names = [graph.device]
    if values and values.get("to"):
        names = [values["from"] or graph.device, values["to"]]
    makers = sorted({"AMD" if _AMD.search(usual_name(name)) else "NVIDIA" for name in names})
    # its time includes what no back-test had, such as the start of the program
    without = "" if graph.steps or "measured_start_ns" not in graph.attributes else _WITHOUT_STEPS
    return f"{work} {'between' if makers[1:] else 'on'} {' and '.join(makers)} GPUs{without}"


def check_evidence(transform: str, kind: str) -> None:
    """Check that back-tests do not refute a transform; without any back-tests it passes.

    If there are none of this kind, those of training and inference on the same devices count.

    Raises:
        InputError: the transform predicts neither steps nor kernels better than the prediction that nothing changes.
    """
    place = kind.partition(" ")[2].removesuffix(_WITHOUT_STEPS)
    rows = [row for of, row in evidence_on(transform, kind).items() if of != HOST]
    rows = rows or [row for row in errors_by_kind(transform) if row.kind.endswith(f" {place}")]
    if rows and not any(row.helps for row in rows):
        errors = "; ".join(row.text for row in rows)
        of = "" if rows[0].kind == kind else f" for {rows[0].kind}"
        raise InputError(f"{transform} gives no answer for {kind}: it predicts no better than no change{of} ({errors})")


def refuted(transform: str, kind: str) -> str:
    """Return the errors of predicted steps as text, if they are no smaller than those of "nothing changes"."""
    row = evidence_on(transform, kind).get(STEP)
    return "" if row is None or row.helps else row.text


def interval_of(time_ns: int, errors: Sequence[float], source: str) -> Interval:
    """Return the interval of a predicted time from the relative error of each transform, with its ``source``.

    Each error is at least 0 and relative to the true time. Errors multiply, since all may have the same sign. An error
    of 1 or more would not limit the longest time, so it counts as 0.99.
    """
    low, high = math.prod(1 + error for error in errors), math.prod(1 - min(error, _LARGEST) for error in errors)
    return Interval(low_ns=round(time_ns / low), high_ns=round(time_ns / high), source=source)


# Names of transforms, each with the kind of trace on which it was asked.
Questions: TypeAlias = Sequence[tuple[str, str]]


def errors_of(questions: Questions, of: str, *, device_alone: bool = False) -> tuple[tuple[float, ...], str] | None:
    """Return the error of each transform's prediction of a quantity such as ``kernels``, and the source of the errors.

    The error of a step is at least that of its kernels, since a step may consist of kernels only. A prediction of steps
    that back-tests refute has none, unless the kernels' errors suffice.

    Args:
        of: ``step``, ``kernels`` or ``host``.
        device_alone: whether a step is as long as its kernels, so that their errors suffice.

    Returns:
        None if there are no transforms, or if the error of any transform is unknown.
    """
    errors, sources = list[float](), dict[str, None]()
    for name, kind in questions:
        rows = evidence_on(name, kind)
        row = None if of == STEP and refuted(name, kind) else rows.get(of)
        row = row or (rows.get(KERNELS) if device_alone else None)
        published = PUBLISHED.get(name) if of == STEP else None
        if row is None and published is None:
            return None
        error, source = (row.error, row.source) if row else published or (0.0, "")
        errors.append(max([error, *(row.error for row in rows.values() if of == STEP)]))
        sources[f"{name}: {source}" if len(questions) > 1 else source] = None
    return (tuple(errors), "; ".join(sources)) if errors else None


def other_kinds_note(transform: str, kind: str) -> str:
    """Return a note on a transform that was back-tested on other kinds of traces only; empty if it was on this one."""
    kinds = dict.fromkeys(row.kind for row in errors_by_kind(transform))
    if not kinds or evidence_on(transform, kind):
        return ""
    return f"no interval: {transform} was validated for {', '.join(kinds)}; not for {kind}"
