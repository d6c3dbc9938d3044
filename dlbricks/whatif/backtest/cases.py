"""One prediction beside the truth (``BackTest``), and how far those of a transform were off (``ErrorSummary``)."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

KERNELS = ", kernels"
"""Behind the name of a transform where the time of kernels alone is compared."""
GAIN_THAT_COUNTS = 0.05
"""Of a measured gain beyond this the sign has to be right."""
_INSIDE = 0.9
"""So many further cases shall err less than what is told of a transform."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BackTest:
    """One prediction, and what was measured without it."""

    transform: str
    """With parameters as a user would write them; ``replay`` where nothing is changed."""
    case: str
    """Network or trace."""
    before_ns: float
    """Measured; what the prediction starts from."""
    predicted_ns: float
    truth_ns: float | None
    """Measured; None where nobody measured it."""
    knew: str = ""
    """What the prediction knew beside the run before."""

    @property
    def name(self) -> str:
        """Name of the transform, without parameters."""
        return self.transform.partition(":")[0]

    @property
    def error(self) -> float | None:
        """Of the time, relative to the truth: 0.05 is 5 % too slow."""
        return None if self.truth_ns is None else self.predicted_ns / self.truth_ns - 1

    @property
    def gain(self) -> float | None:
        """Share of the time that was saved, as measured."""
        return None if self.truth_ns is None else 1 - self.truth_ns / self.before_ns

    @property
    def predicted_gain(self) -> float:
        """Share of the time that was predicted to be saved."""
        return 1 - self.predicted_ns / self.before_ns

    @property
    def gain_error(self) -> float | None:
        """Predicted less measured gain, as a share of the time before."""
        return None if self.gain is None else self.predicted_gain - self.gain

    @property
    def sign_is_wrong(self) -> bool:
        """Whether a gain or loss that counts was predicted to be the other."""
        return self.gain is not None and abs(self.gain) > GAIN_THAT_COUNTS and self.gain * self.predicted_gain < 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorSummary:
    """Of all back-tests of one transform whose truth is known."""

    transform: str
    cases: int
    median_error: float
    """Of the absolute errors of the time."""
    percentile_error: float
    """The same of which nine of ten further cases stay below, as split conformal prediction has it: of n cases the
    0.9 (n + 1)-th, rounded up, so of fewer than 19 the largest."""
    median_gain_error: float
    """Of the absolute errors of the gain, as a share of the time before."""
    wrong_signs: int
    """Gains of more than 5 % that were predicted to be losses, and the other way round."""


def summaries(tests: Sequence[BackTest], *, together: str | None = None) -> tuple[ErrorSummary, ...]:
    """Sum up back-tests by the name of the transform, in the order in which the names are met.

    Args:
        tests: those without a truth are left out.
        together: name under which all of them are summed up instead.
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
