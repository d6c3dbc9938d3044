"""Tables of validations."""

import itertools
from collections.abc import Callable, Sequence

from rich.console import RenderableType

from dlbricks.construct.types import Reuses
from dlbricks.harness.run.progress import time_left
from dlbricks.report.console import rows_table, table
from dlbricks.units import format_bytes, format_ns
from dlbricks.validate.measure import Position
from dlbricks.validate.types import (
    REFERENCE_RELATIVE,
    BaselineSummary,
    ErrorFigures,
    NetworkValidation,
    SequenceError,
    TypeBias,
    Validation,
    ValidationSettings,
    ValidationSummary,
)

_ROWS_SHOWN = 8
_TYPES_SHOWN = 16
_WORST_MODELS = 3
_WORST_SEQUENCES = 3


def validation_report(validation: Validation) -> list[RenderableType]:
    """Show estimated and measured latency of every network, error statistics, largest differences, failures."""
    items: list[RenderableType] = [settings_text(validation.settings)]
    if validation.networks:
        items += [_networks(validation), *_heaviest(validation), *_types(validation.summary.types)]
        items += [*_worst(validation.networks), *figures(validation.summary)]
    busy = [network.network for network in validation.networks if network.measured_disturbed]
    if busy:
        items.append(
            f"{', '.join(busy)}: every call of the whole network waited for a processor or shared its core; the "
            "machine was busy with other work, and the measured latency is that of a busy one: repeat when it is not"
        )
    items += [f"{one.network} failed: {one.reason}" for one in validation.failed]
    return items


def progress_prefix(at: Position, elapsed_s: float) -> str:
    """Describe the network at work and the estimated time for the rest.

    Args:
        at: the network at work.
        elapsed_s: total time of the networks before it.
    """
    if at.total == 1:
        return f"{at.model} "
    left = f", {time_left(round(elapsed_s / at.index * (at.total - at.index) * 1e9))} for the rest" if at.index else ""
    return f"{at.model} ({at.index + 1} of {at.total}{left}) "


def settings_text(settings: ValidationSettings) -> str:
    """Describe the system and the split of a validation."""
    return (
        f"{settings.system}, {settings.runtime}, {settings.provider}, threads {settings.threads}; "
        f"target {settings.target}, H {settings.granularity}, splitter {settings.splitter}, composed {settings.rule}"
        + (f", batch {settings.batch}" if settings.batch else "")
    )


def figures(summary: ValidationSummary) -> list[str]:
    """Format the error statistics over all networks."""
    errors = f"|error|: {_errors(summary)}, geometric mean ratio {summary.geomean_ratio:.3f}"
    intervals = (
        f"{summary.interval_coverage:.0%} of {summary.network_count} inside their interval of median width "
        f"{summary.interval_width:.1%}"
    )
    if summary.left_one_out_coverage is not None and summary.left_one_out_width is not None:
        share, width = summary.left_one_out_coverage, summary.left_one_out_width
        intervals += f"; leave-one-out: {share:.0%} inside, median width {width:.1%}"
    references = (
        f"measured latency known to {REFERENCE_RELATIVE:.1%} for {summary.good_references} of {summary.network_count}, "
        f"median {summary.reference_relative:.2%}, worst {summary.worst_reference_relative:.2%}"
        + (f"; |error| of these: {_errors(summary.good_reference_errors)}" if summary.good_references else "")
    )
    cost = (
        f"layers {summary.layers}, {summary.unique_layers} unique; parts measured in {summary.suite_ns / 1e9:.1f} s, "
        f"whole networks to the same interval in {summary.end_to_end_ns / 1e9:.1f} s: {summary.speedup:.2f} times "
        f"(whole networks as measured: {summary.reference_ns / 1e9:.1f} s)"
    )
    lines = [errors, intervals, references, cost]
    return lines + ([baseline_line(summary.baseline)] if summary.baseline else [])


def baseline_line(baseline: BaselineSummary) -> str:
    """Format the error statistics of the published recipe."""
    took_s = baseline.suite_ns / 1e9
    return f"published recipe in the same run: |error| {_errors(baseline)}; its benchmarks took {took_s:.1f} s"


def _errors(errors: ErrorFigures) -> str:
    return (
        f"median {errors.median_abs_error:.1%}, mean {errors.mean_abs_error:.1%}, "
        f"90th percentile {errors.p90_abs_error:.1%}, worst {errors.max_abs_error:.1%}; bias {errors.bias:+.1%}"
    )


def _networks(validation: Validation) -> RenderableType:
    baseline = validation.settings.baseline
    columns: dict[str, Callable[[NetworkValidation], str]] = {
        "network": lambda row: row.network,
        ">measured": lambda row: format_ns(row.measured_ns),
        ">±": lambda row: f"{row.measured_relative:.2%}",
        ">estimated": lambda row: format_ns(row.estimated_ns),
        ">90 % interval": lambda row: f"{format_ns(row.low_ns)} to {format_ns(row.high_ns)}",
        ">ratio": lambda row: f"{row.ratio:.3f}",
        ">layers": lambda row: str(row.layers),
        ">unique layers": lambda row: str(row.unique_layers),
        ">parts": lambda row: f"{row.suite_ns / 1e9:.1f} s",
        ">whole": lambda row: f"{row.reference_ns / 1e9:.1f} s",
    }
    if baseline:
        columns[f">{baseline}"] = lambda row: f"{row.baseline.ratio:.3f}" if row.baseline else ""
    columns["measured is"] = lambda row: row.measured_verdict
    return rows_table(validation.networks, columns)


def _heaviest(validation: Validation) -> list[RenderableType]:
    """Show the longest sequences of a single network."""
    if len(validation.networks) != 1:
        return []
    made = rows_table(
        validation.networks[0].parts[:_ROWS_SHOWN],
        {
            "type": lambda part: part.name,
            "sequence": lambda part: part.fingerprint[:12],
            ">count": lambda part: str(part.count),
            ">each": lambda part: format_ns(part.each_ns),
            ">total": lambda part: format_ns(part.total_ns),
            ">share": lambda part: f"{part.share:.1%}",
            "verdict": lambda part: part.verdict,
        },
        title="longest sequences",
        keys=2,
    )
    return [made]


def _types(types: Sequence[TypeBias]) -> list[RenderableType]:
    """Compare estimated with profiled time by layer type."""
    if not types:
        return []
    title = "by type: estimated, and profiled in the whole network (in brackets: not in any sequence)"
    made = table("type", ">count", ">estimated", ">in situ", ">bias", ">of the error", title=title)
    for row in types[:_TYPES_SHOWN]:
        made.add_row(
            row.type,
            str(row.count),
            format_ns(row.estimated_ns),
            format_ns(row.in_situ_ns),
            f"{row.bias:+.1%}" if row.estimated_ns else "",
            f"{row.contribution:+.2%}",
        )
    rest = types[_TYPES_SHOWN:]
    if rest:
        made.add_row(
            f"{len(rest)} more",
            str(sum(row.count for row in rest)),
            format_ns(sum(row.estimated_ns for row in rest)),
            format_ns(sum(row.in_situ_ns for row in rest)),
            "",
            f"{sum(row.contribution for row in rest):+.2%}",
        )
    return [made]


def _worst(models: Sequence[NetworkValidation]) -> list[RenderableType]:
    """Show the sequences with the largest differences, in the networks with the largest errors."""
    furthest = sorted((model for model in models if model.worst), key=lambda row: -abs(row.ratio - 1))[:_WORST_MODELS]
    if not furthest:
        return []
    title = "largest errors: of all uses as a share of the network; context and reuse distances of one use"
    made = table("network", "sequence", ">count", ">estimated", ">in situ", ">error", "context", title=title, keys=2)
    for one in furthest:
        for index, found in enumerate(one.worst[:_WORST_SEQUENCES]):
            made.add_row(
                f"{one.network} {one.ratio:.3f}" if index == 0 else "",
                f"{found.name} {found.fingerprint[:12]}",
                str(found.count),
                format_ns(found.estimated_ns),
                format_ns(found.in_situ_ns),
                f"{found.contribution:+.2%}",
                context_text(found),
            )
    return [made]


def context_text(error: SequenceError) -> str:
    """Describe the context of a sequence: producers, inputs, outputs, consumers and reuse distances.

    For example ``2 Conv > 2 float32[1,8], 2 MiB of constants > float32[1,4] > Add; constants 12 MiB ago``.
    """
    context = error.context
    constants = (f"{format_bytes(context.constant_bytes)} of constants",) if context.constant_bytes else ()
    reads = ", ".join((*_counted(context.inputs), *constants))
    writes, makers = ", ".join(_counted(context.outputs)), "+".join(_counted(context.producers))
    flow = f"{makers} > {reads} > {writes} > {'+'.join(_counted(context.consumers))}"
    ago = [
        f"{what} {format_bytes(_mean_distance(reuse))} ago"
        for what, reuse in (("constants", error.constants), ("inputs", error.inputs), ("outputs", error.outputs))
        if reuse
    ]
    return "; ".join((flow, *ago))


def _counted(names: Sequence[str]) -> list[str]:
    """Abbreviate repeated names, for example ``26 Gather``."""
    groups = [(name, len(list(same))) for name, same in itertools.groupby(names)]
    return [name if count == 1 else f"{count} {name}" for name, count in groups]


def _mean_distance(reuse: Reuses) -> int:
    """Return the byte-weighted mean of reuse distances."""
    nbytes = sum(one[0] for one in reuse)
    return round(sum(one[0] * one[1] for one in reuse) / nbytes) if nbytes else 0
