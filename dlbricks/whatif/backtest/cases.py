"""A prediction with its measurement (``BackTest``), and error statistics per transform (``ErrorSummary``)."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

KERNELS = ", kernels"
"""Suffix of the transform name if only kernel time is compared."""
GAIN_THAT_COUNTS = 0.05
"""The sign of a larger measured gain has to be predicted correctly."""
_INSIDE = 0.9
"""Share of further cases that should stay below the reported error."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BackTest:
    """A prediction and the corresponding measurement."""

    transform: str
    """With parameters as on the command line; ``replay`` for the unmodified graph."""
    case: str
    """Network or trace."""
    before_ns: float
    """Measured time before the change."""
    predicted_ns: float
    truth_ns: float | None
    """Measured time after the change; None if it was not measured."""
    knew: str = ""
    """Information used by the prediction besides the run before."""

    @property
    def name(self) -> str:
        """Return the name of the transform, without parameters."""
        return self.transform.partition(":")[0]

    @property
    def error(self) -> float | None:
        """Return the relative error of the time after: 0.05 is 5 % too slow."""
        return None if self.truth_ns is None else self.predicted_ns / self.truth_ns - 1

    @property
    def gain(self) -> float | None:
        """Return the measured share of the time saved."""
        return None if self.truth_ns is None else 1 - self.truth_ns / self.before_ns

    @property
    def predicted_gain(self) -> float:
        """Return the predicted share of the time saved."""
        return 1 - self.predicted_ns / self.before_ns

    @property
    def gain_error(self) -> float | None:
        """Return predicted minus measured gain, as a share of the time before."""
        return None if self.gain is None else self.predicted_gain - self.gain

    @property
    def sign_is_wrong(self) -> bool:
        """Return whether a relevant gain was predicted as a loss, or the reverse."""
        return self.gain is not None and abs(self.gain) > GAIN_THAT_COUNTS and self.gain * self.predicted_gain < 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """A measured change for which the transform makes no prediction."""

    transform: str
    """As in ``BackTest``."""
    case: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BackTests:
    """Predictions with their measurements, and the changes without a prediction."""

    tests: tuple[BackTest, ...]
    refused: tuple[Refusal, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorSummary:
    """Errors of all back-tests of one transform with a measurement."""

    transform: str
    cases: int
    median_error: float
    """Median of the absolute relative errors of the time."""
    percentile_error: float
    """Bound that 90 % of further cases stay below (split conformal prediction): of n cases the 0.9 (n + 1)-th, rounded
    up; the largest of fewer than 19."""
    median_gain_error: float
    """Median of the absolute errors of the gain, as a share of the time before."""
    wrong_signs: int
    """Number of gains above 5 % predicted as losses, and the reverse."""


def summaries(tests: Sequence[BackTest], *, together: str | None = None) -> tuple[ErrorSummary, ...]:
    """Summarise back-tests by transform, in order of first appearance.

    Args:
        tests: those without a measurement are ignored.
        together: if given, summarise all of them under this name.
    """
    groups: dict[str, list[BackTest]] = {}
    for test in tests:
        if test.truth_ns is not None:
            groups.setdefault(together or test.name, []).append(test)
    return tuple(_summary(name, group) for name, group in groups.items())


def _summary(name: str, tests: Sequence[BackTest]) -> ErrorSummary:
    errors = np.abs([test.error for test in tests if test.error is not None])
    gains = np.abs([test.gain_error for test in tests if test.gain_error is not None])
    return ErrorSummary(
        transform=name,
        cases=len(tests),
        median_error=float(np.median(errors)),
        percentile_error=float(np.sort(errors)[min(len(errors), math.ceil(_INSIDE * (len(errors) + 1))) - 1]),
        median_gain_error=float(np.median(gains)),
        wrong_signs=sum(test.sign_is_wrong for test in tests),
    )
