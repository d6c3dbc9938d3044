"""Tables of validations."""

from rich.console import RenderableType

from dlbricks.construct.validate import Position
from dlbricks.construct.validation_nouns import Validation, ValidationSettings, ValidationSummary
from dlbricks.harness.progress import time_left
from dlbricks.report.console import table
from dlbricks.units import format_ns

_ROWS_SHOWN = 8


def validation_report(validation: Validation) -> list[RenderableType]:
    """Show estimated beside measured for every network, the figures over all, and what failed."""
    items: list[RenderableType] = [_settings(validation.settings)]
    if validation.models:
        items += [_networks(validation), *_heaviest(validation), *_figures(validation.summary)]
    items += [f"{one.model} failed: {one.reason}" for one in validation.failed]
    return items


def progress_prefix(at: Position, elapsed_s: float) -> str:
    """Say which network is at work, and how long it and those after it will take, as far as those before it tell.

    Args:
        at: the network at work.
        elapsed_s: what the networks before it took together.
    """
    if at.total == 1:
        return f"{at.model} "
    left = f", {time_left(round(elapsed_s / at.index * (at.total - at.index) * 1e9))} for the rest" if at.index else ""
    return f"{at.model} ({at.index + 1} of {at.total}{left}) "


def _settings(one: ValidationSettings) -> str:
    return (
        f"{one.system}, {one.runtime}, {one.provider}, threads {one.threads}; target {one.target}, "
        f"H {one.granularity}, splitter {one.splitter}, composed {one.rule}"
    )


def _figures(one: ValidationSummary) -> list[str]:
    errors = (
        f"|error|: median {one.median_abs_error:.1%}, 90th percentile {one.p90_abs_error:.1%}, worst "
        f"{one.max_abs_error:.1%}; geometric mean ratio {one.geomean_ratio:.3f}; "
        f"{one.interval_coverage:.0%} of {one.models} inside their interval"
    )
    cost = (
        f"layers {one.layers}, of those unique {one.unique_layers}; parts measured in {one.suite_seconds:.1f} s, "
        f"wholes in {one.end_to_end_seconds:.1f} s: {one.speedup:.2f} times"
    )
    return [errors, cost]


def _networks(validation: Validation) -> RenderableType:
    made = table(
        "network",
        ">measured",
        ">estimated",
        ">95 % interval",
        ">ratio",
        ">coverage",
        ">layers",
        ">unique",
        ">parts",
        ">whole",
        "measured is",
    )
    for one in validation.models:
        made.add_row(
            one.model,
            format_ns(one.measured_ns),
            format_ns(one.estimated_ns),
            f"{format_ns(one.low_ns)} to {format_ns(one.high_ns)}",
            f"{one.ratio:.3f}",
            f"{one.coverage:.1%}",
            str(one.layers),
            str(one.unique_layers),
            f"{one.suite_seconds:.1f} s",
            f"{one.end_to_end_seconds:.1f} s",
            one.measured_verdict,
        )
    return made


def _heaviest(validation: Validation) -> list[RenderableType]:
    """For a single network, say where its time goes."""
    if len(validation.models) != 1:
        return []
    one = validation.models[0]
    made = table("type", "sequence", ">count", ">each", ">total", ">share", "verdict", title="heaviest sequences")
    for part in one.parts[:_ROWS_SHOWN]:
        made.add_row(
            part.name,
            part.fingerprint[:12],
            str(part.count),
            format_ns(part.each_ns),
            format_ns(part.total_ns),
            f"{part.share:.1%}",
            part.verdict,
        )
    return [made]
