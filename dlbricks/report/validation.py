"""Tables and progress lines of validations."""

from rich.console import RenderableType

from dlbricks.harness.run.progress import time_left
from dlbricks.report.console import table
from dlbricks.report.results import ns_range
from dlbricks.units import format_ns
from dlbricks.validate.measure import Position
from dlbricks.validate.types import (
    REFERENCE_RELATIVE,
    ErrorFigures,
    Validation,
    ValidationSettings,
    ValidationSummary,
)


def validation_report(validation: Validation) -> list[RenderableType]:
    """Show estimated and measured latency of every network, statistics of the errors, and failures."""
    items: list[RenderableType] = [settings_text(validation.settings)]
    if validation.networks:
        items += [_networks(validation), *_figures(validation.summary)]
    busy = [network.network for network in validation.networks if network.measured_disturbed]
    if busy:
        items.append(
            f"{', '.join(busy)}: every call of the whole network waited for a processor or shared its core, so the "
            "measured latency is that of a busy machine: repeat when it is idle"
        )
    return [*items, *(f"{failure.network} failed: {failure.reason}" for failure in validation.failed)]


def progress_prefix(at: Position) -> str:
    """Describe which network is measured, and the time left, estimated from the earlier networks."""
    if at.total == 1:
        return f"{at.model} "
    left = f", {time_left(at.elapsed_ns * (at.total - at.index) // at.index)} for the rest" if at.index else ""
    return f"{at.model} ({at.index + 1} of {at.total}{left}) "


def settings_text(settings: ValidationSettings) -> str:
    """Describe the system and the split of a validation in one line."""
    return (
        f"{settings.system}, {settings.runtime}, {settings.provider}, threads {settings.threads}; "
        f"target {settings.target}, H {settings.granularity}, splitter {settings.splitter}, composed {settings.rule}"
        + (f", batch {settings.batch}" if settings.batch else "")
    )


def _figures(summary: ValidationSummary) -> list[str]:
    count, good = summary.network_count, summary.good_references
    inside, width = f"{summary.interval_coverage:.0%} of {count}", f"{summary.interval_width:.1%}"
    intervals = f"{inside} inside their interval; median width of the intervals {width}"
    cost = (
        f"layers {summary.layers}, {summary.unique_layers} unique; parts measured in {summary.suite_ns / 1e9:.1f} s, "
        f"whole networks need {summary.end_to_end_ns / 1e9:.1f} s for the same interval ({summary.speedup:.2f} times; "
        f"they were measured in {summary.reference_ns / 1e9:.1f} s)"
    )
    return [
        f"|error|: {_errors(summary)}, geometric mean ratio {summary.geomean_ratio:.3f}",
        intervals,
        f"whole networks measured to ±{REFERENCE_RELATIVE:.1%} or better: {good} of {count} networks; "
        f"median {summary.reference_relative:.2%}, worst {summary.worst_reference_relative:.2%}"
        + (f"; |error| of these: {_errors(summary.good_reference_errors)}" if good else ""),
        cost,
    ]


def _errors(errors: ErrorFigures) -> str:
    return (
        f"median {errors.median_abs_error:.1%}, mean {errors.mean_abs_error:.1%}, "
        f"90th percentile {errors.p90_abs_error:.1%}, worst {errors.max_abs_error:.1%}; bias {errors.bias:+.1%}"
    )


def _networks(validation: Validation) -> RenderableType:
    columns = ("network", ">measured", ">±", ">estimated", ">90 % interval", ">ratio", ">layers", ">unique layers")
    listing = table(*columns, ">parts", ">whole", "measured is")
    for row in validation.networks:
        times = (format_ns(row.measured_ns), f"{row.measured_relative:.2%}", format_ns(row.estimated_ns))
        ratio = (ns_range(row.low_ns, row.high_ns), f"{row.ratio:.3f}", row.layers, row.unique_layers)
        costs = (f"{row.suite_ns / 1e9:.1f} s", f"{row.reference_ns / 1e9:.1f} s")
        listing.add_row(row.network, *times, *ratio, *costs, row.measured_verdict)
    return listing
