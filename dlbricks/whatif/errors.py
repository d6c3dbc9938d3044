"""How far predictions of each transform were off: in back-tests of ours, else as its authors say."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from dlbricks.whatif.transform import EVIDENCE, Transform

_TABLE = "backtest_errors.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownError:
    """How far predictions are off."""

    error: float
    """Of the time after, relative to the truth; at least 0."""
    source: str
    """What it is from."""


_DAYDREAM = "as reported of Daydream (USENIX ATC 2020)"
PUBLISHED: Mapping[str, KnownError] = {
    "fused-optimizer": KnownError(error=0.13, source=f"at most 13 %, {_DAYDREAM}"),
    "reconstruct-bn": KnownError(error=0.061, source=f"12.7 % gain predicted and 7 % measured, {_DAYDREAM}"),
    "data-parallel": KnownError(error=0.10, source=f"mostly within 10 %, {_DAYDREAM}"),
    "bandwidth": KnownError(error=0.10, source=f"mostly within 10 %, {_DAYDREAM}"),
    "p3": KnownError(error=0.162, source=f"at most 16.2 %, {_DAYDREAM}"),
}
"""By transform: the largest error that its authors, or others who modelled it so, report."""


@cache
def backtested() -> Mapping[str, KnownError]:
    """Give the errors of the transforms that were back-tested: the 90th percentile, with few cases the largest."""
    text = (files("dlbricks.whatif") / _TABLE).read_text(encoding="utf-8")
    return {
        name: KnownError(error=float(one["error"]), source=str(one["source"])) for name, one in json.loads(text).items()
    }


def errors_of(transforms: Sequence[Transform]) -> dict[str, KnownError]:
    """Give what is known of the errors of some transforms, by name; nothing of what nobody has checked."""
    measured = backtested()
    found = {one.name: measured.get(one.name, PUBLISHED.get(one.name)) for one in transforms}
    return {name: error for name, error in found.items() if error is not None}


def evidence_of(transform: Transform) -> str:
    """Give the evidence class of a transform: ``back-tested`` as soon as it was, whatever it was before."""
    return EVIDENCE[0] if transform.name in backtested() else transform.evidence


def error_together(transforms: Sequence[Transform]) -> tuple[float, str] | None:
    """Give the error of several transforms one after the other: the sum, as each may err the same way.

    Returns:
        The error and what it is from; None if nothing is known of one of them, or there is none.
    """
    errors = errors_of(transforms)
    if not transforms or any(one.name not in errors for one in transforms):
        return None
    named = dict.fromkeys(one.name for one in transforms)
    told = "; ".join(f"{name}: {errors[name].source}" if len(named) > 1 else errors[name].source for name in named)
    return sum(errors[one.name].error for one in transforms), told
