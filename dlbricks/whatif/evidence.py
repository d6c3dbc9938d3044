"""Errors of transforms, by back-tests and as published, and the interval of a prediction that follows from them."""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import msgspec

from dlbricks.whatif.graph import DependencyGraph
from dlbricks.whatif.select import on_device, other_runtime, unrecorded_launches
from dlbricks.whatif.transform import EVIDENCE, Transform

GPU, PROCESSOR = "GPU", "processor"
# Part of the note on evidence that does not count.
KERNELS_ALONE = "was not validated where the host takes most of the time, only on kernels alone"
# Share of the time from which on errors of kernels alone count.
_MOST = 0.5
# Largest relative error that bounds the longest time.
_LARGEST = 0.99


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """Range in which the true time is expected."""

    low_ns: int
    high_ns: int
    source: str
    """Evidence for the width."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownError:
    """Error of the predictions of a transform, from back-tests here or as published."""

    error: float
    """Relative error of the time after; at least 0."""
    source: str
    """Origin of the error."""
    device: str = GPU
    """Kind of device it was found on, ``GPU`` or ``PROCESSOR``; it is unknown on the other."""
    kernels: bool = False
    """Whether only the time of kernels was compared; the error is unknown where the host takes most of the time."""


_DAYDREAM = "as reported of Daydream (USENIX ATC 2020)"
# Largest published error by transform, reported by its authors or others with the same model.
PUBLISHED: Mapping[str, KnownError] = {
    "fused-optimizer": KnownError(error=0.13, source=f"at most 13 %, {_DAYDREAM}"),
    "reconstruct-bn": KnownError(error=0.061, source=f"12.7 % gain predicted and 7 % measured, {_DAYDREAM}"),
    "data-parallel": KnownError(error=0.10, source=f"mostly within 10 %, {_DAYDREAM}"),
    "bandwidth": KnownError(error=0.10, source=f"mostly within 10 %, {_DAYDREAM}"),
    "p3": KnownError(error=0.162, source=f"at most 16.2 %, {_DAYDREAM}"),
}


def range_of(errors: Sequence[float]) -> tuple[float, float]:
    """Return the shortest and the longest true time relative to a prediction whose steps have these relative errors.

    Each error is at least 0 and relative to the truth. Errors compound, since all may have the same sign; one of 1 or
    more says nothing of the longest time, and counts as 0.99.
    """
    shortest = 1 / math.prod(1 + error for error in errors)
    return shortest, 1 / math.prod(1 - min(error, _LARGEST) for error in errors)


def interval_of(time_ns: int, errors: Sequence[float], source: str) -> Interval:
    """Return the interval of a prediction whose steps have these relative errors (``range_of``)."""
    low, high = (round(time_ns * factor) for factor in range_of(errors))
    return Interval(low_ns=low, high_ns=high, source=source)


@cache
def backtested() -> Mapping[str, tuple[KnownError, ...]]:
    """Return the errors of back-tested transforms, one per kind of device.

    Each is a bound that 90 % of further cases stay below.
    """
    rows = json.loads((files("dlbricks.whatif") / "backtest_errors.json").read_text(encoding="utf-8"))
    return {name: msgspec.convert(some, tuple[KnownError, ...]) for name, some in rows.items()}


def errors_of(transforms: Sequence[Transform], device: str = "") -> dict[str, KnownError]:
    """Return the known errors of some transforms by name; transforms without evidence are left out.

    Args:
        transforms: to look up.
        device: preferred kind of device; without errors for it, the first kind counts.
    """
    errors = {}
    for name in (transform.name for transform in transforms):
        some = backtested().get(name, (PUBLISHED[name],) if name in PUBLISHED else ())
        if some:
            errors[name] = next((error for error in some if error.device == device), some[0])
    return errors


def errors_on(transforms: Sequence[Transform], device: str) -> dict[str, KnownError]:
    """Return the errors of some transforms that are known on a kind of device, by name."""
    return {name: error for name, error in errors_of(transforms, device).items() if error.device == device}


def evidence_of(transform: Transform) -> str:
    """Return the evidence class of a transform: ``back-tested`` if it has back-tests, else as declared."""
    return EVIDENCE[0] if transform.name in backtested() else transform.evidence


def device_of(graph: DependencyGraph) -> str:
    """Return the kind of device of a graph: ``GPU`` if it has device tasks or launches some, else ``PROCESSOR``.

    Back-tests on a processor are of onnxruntime, so of another runtime that is known its name belongs to the kind.
    """
    if len(on_device(graph)) or len(unrecorded_launches(graph)):
        return GPU
    other = other_runtime(graph)
    return f"{PROCESSOR} with {other}" if other else PROCESSOR


def all_errors(transforms: Sequence[Transform], device: str) -> tuple[tuple[float, ...], str] | None:
    """Return the error of each of a sequence of transforms on a kind of device, and their source.

    None without transforms, or if the error of one is unknown.
    """
    errors = errors_on(transforms, device)
    if not transforms or any(transform.name not in errors for transform in transforms):
        return None
    sources = "; ".join(
        f"{name}: {error.source}" if len(errors) > 1 else error.source for name, error in errors.items()
    )
    return tuple(errors[transform.name].error for transform in transforms), sources


def of_kernels_alone(transforms: Sequence[Transform], device: str, device_share: float) -> tuple[str, ...]:
    """Return the transforms whose error is known of kernels alone, if a device has less than half of the time."""
    if device_share >= _MOST:
        return ()
    return tuple(name for name, error in errors_on(transforms, device).items() if error.kernels)


def other_device_notes(transforms: Sequence[Transform], device: str) -> tuple[str, ...]:
    """Return a note for each transform that was validated on another kind of device only."""
    elsewhere = ((name, error) for name, error in errors_of(transforms, device).items() if error.device != device)
    return tuple(f"{name} was never validated on a {device} ({error.source}): no interval" for name, error in elsewhere)
