"""Tables of back-tests: for each transform how far predictions were off, and each prediction beside the truth."""

from collections.abc import Sequence

from rich.console import RenderableType

from dlbricks.report.console import table
from dlbricks.units import format_ns
from dlbricks.whatif.backtest.nouns import BackTest, Summary, summaries

SUMMARY_COLUMNS = (
    "transform", ">cases", ">median error", ">90th percentile", ">median error of the gain", ">wrong signs",
)  # fmt: skip
BACKTEST_COLUMNS = (
    "transform", "case", ">before", ">predicted", ">measured", ">error", ">gain predicted", ">gain measured", "knew",
)  # fmt: skip


def backtests_report(tests: Sequence[BackTest]) -> list[RenderableType]:
    """Show summaries and every back-test."""
    over = table(
        "transform", ">cases", ">median error", ">90th percentile", ">median error of the gain", ">wrong signs"
    )
    for one in summaries(tests):
        over.add_row(*summary_cells(one))
    made = table(*BACKTEST_COLUMNS)
    for test in tests:
        made.add_row(*backtest_cells(test))
    return [over, made]


def summary_cells(one: Summary) -> tuple[str, ...]:
    """Give a summary as texts."""
    return (
        one.transform,
        str(one.cases),
        f"{one.median_error:.1%}",
        f"{one.percentile_error:.1%}",
        f"{100 * one.median_gain_error:.1f} points",
        str(one.wrong_signs),
    )


def backtest_cells(test: BackTest) -> tuple[str, ...]:
    """Give a back-test as texts; what nobody measured stays empty."""
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
