"""A prediction with its measurement (``BackTest``), and error statistics per transform (``ErrorSummary``)."""

import json
import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from rich.console import RenderableType

from dlbricks.files import write_text
from dlbricks.report.console import table
from dlbricks.units import format_ns

KERNELS, HOST = ", kernels", ", host"
"""Suffixes of the transform name if only the time of kernels, or of the host without its device, is compared."""
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
    kind: str = ""
    """Kind of trace, as in ``dlbricks.whatif.evidence``."""

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

    def __str__(self) -> str:
        """Return the refusal as a sentence."""
        return f"no prediction of {self.transform}, {self.case}: {self.reason}"


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
    kind: str
    """Kind of trace; empty if several are summarised."""
    median_error: float
    """Median of the absolute relative errors of the time."""
    unchanged_error: float
    """Median of these errors if nothing is predicted to change."""
    better: int
    """Cases in which the prediction is nearer to the truth than the time before."""
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
    groups: dict[tuple[str, str], list[BackTest]] = {}
    for test in tests:
        if test.truth_ns is not None:
            groups.setdefault((test.name, test.kind) if together is None else (together, ""), []).append(test)
    return tuple(_summary(name, kind, group) for (name, kind), group in groups.items())


def _summary(name: str, kind: str, tests: Sequence[BackTest]) -> ErrorSummary:
    unchanged = np.array([abs(test.before_ns / test.truth_ns - 1) for test in tests if test.truth_ns])
    errors = np.abs([test.error for test in tests if test.error is not None])
    gains = np.abs([test.gain_error for test in tests if test.gain_error is not None])
    return ErrorSummary(
        transform=name,
        kind=kind,
        cases=len(tests),
        unchanged_error=float(np.median(unchanged)),
        better=int((errors < unchanged).sum()),
        median_error=float(np.median(errors)),
        percentile_error=float(np.sort(errors)[min(len(errors), math.ceil(_INSIDE * (len(errors) + 1))) - 1]),
        median_gain_error=float(np.median(gains)),
        wrong_signs=sum(test.sign_is_wrong for test in tests),
    )


def write_tests(tests: Sequence[BackTest], path: Path) -> None:
    """Write back-tests as JSON."""
    write_text(path, json.dumps([asdict(test) for test in tests], indent=2, ensure_ascii=False) + "\n")


def read_tests(path: Path) -> list[BackTest]:
    """Read what ``write_tests`` wrote."""
    return [BackTest(**test) for test in json.loads(path.read_text(encoding="utf-8"))]


SUMMARY_COLUMNS = (
    "transform", "kind of trace", ">cases", ">median error", ">if nothing changes", ">9 of 10 below",
    ">median error of the gain", ">wrong signs",
)  # fmt: skip
BACKTEST_COLUMNS = (
    "transform", "case", ">before", ">predicted", ">measured", ">error", ">gain predicted", ">gain measured", "knew",
)  # fmt: skip


def report(backtests: BackTests) -> list[RenderableType]:
    """Show summaries, every back-test, and every change without a prediction."""
    over = table(*SUMMARY_COLUMNS)
    for summary in summaries(backtests.tests):
        over.add_row(*summary_cells(summary))
    each = table(*BACKTEST_COLUMNS)
    for test in backtests.tests:
        each.add_row(*backtest_cells(test))
    return [over, each, *(str(refusal) for refusal in backtests.refused)]


def summary_cells(summary: ErrorSummary) -> tuple[str, ...]:
    """Format a summary as cells."""
    return (
        summary.transform,
        summary.kind,
        str(summary.cases),
        f"{summary.median_error:.1%}",
        f"{summary.unchanged_error:.1%}",
        f"{summary.percentile_error:.1%}",
        f"{100 * summary.median_gain_error:.1f} points",
        str(summary.wrong_signs),
    )


def backtest_cells(test: BackTest) -> tuple[str, ...]:
    """Format a back-test as cells; missing measurements are empty."""
    return (
        test.transform,
        test.case,
        format_ns(test.before_ns),
        format_ns(test.predicted_ns),
        "" if test.truth_ns is None else format_ns(test.truth_ns),
        "" if test.error is None else f"{test.error:+.2%}",
        f"{test.predicted_gain:+.1%}",
        "" if test.gain is None else f"{test.gain:+.1%}",
        test.knew,
    )
