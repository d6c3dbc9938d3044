"""Validations, and networks estimated from the runs of others, for a terminal."""

import itertools
from collections.abc import Sequence

from rich.console import RenderableType

from dlbricks.construct.types import Reuses
from dlbricks.harness.run.progress import time_left
from dlbricks.report.console import table
from dlbricks.units import counted, format_bytes, format_ns
from dlbricks.validate.generation import GenerationValidation
from dlbricks.validate.measure import Position
from dlbricks.validate.recompute import LeftOut, LeftOutSummary, summarise_left_out
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
    """Show estimated beside measured for every network, the figures over all, where they differ, and what failed."""
    items: list[RenderableType] = [_settings(validation.settings)]
    if validation.networks:
        items += [_networks(validation), *_heaviest(validation), *_types(validation.summary.types)]
        items += [*_worst(validation.networks), *figures(validation.summary)]
    items += [f"{one.network} failed: {one.reason}" for one in validation.failed]
    return items


def answers_report(made: GenerationValidation) -> list[RenderableType]:
    """Show how a decoder answers a prompt, estimated beside what each loop took."""
    inputs = "" if made.batch == 1 else f", {made.batch} at once"
    inputs += "" if made.chunk == made.prompt else f", read {made.chunk} tokens at a time"
    asked = f"a prompt of {counted(made.prompt, 'token')}, {counted(made.generate, 'token')} generated{inputs}"
    items: list[RenderableType] = [_settings(made.settings), f"{made.network}: {asked}"]
    for loop in made.loops:
        shown = table("", ">tokens before", ">measured", ">±", ">estimated", ">90 % interval", ">error", "")
        for one in loop.calls:
            past = "" if one.past is None else str(one.past)
            half = (one.measured.high_ns - one.measured.low_ns) / 2 / one.measured.middle_ns
            low, middle, high = (
                format_ns(time) for time in (one.estimated.low_ns, one.estimated.middle_ns, one.estimated.high_ns)
            )
            side = "inside" if one.inside else "outside"
            measured = format_ns(one.measured.middle_ns)
            shown.add_row(
                one.what, past, measured, f"{half:.1%}", middle, f"{low} to {high}", f"{one.error:+.1%}", side
            )
        between = f"; {format_ns(loop.between_ns)} between two calls, not estimated" if loop.between_ns else ""
        said = f"{counted(loop.answers, 'answer')} of {format_ns(loop.answer_ns)}"
        said += f" ({loop.disturbed} disturbed)" if loop.disturbed else ""
        items += [f"{loop.loop}, {said}{between}", shown]
    points, took = counted(len(made.points), "point"), format_ns(made.pieces_ns)
    pieces = f"{made.pieces} pieces at {points} measured in {took}"
    return [*items, f"{pieces}; up to {made.guessed:.0%} of a call's layers were guessed between measured lengths"]


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
        + (f", batch {one.batch}" if one.batch else "")
    )


def figures(one: ValidationSummary) -> list[str]:
    """Put the figures over all networks into a few lines."""
    errors = f"|error|: {_errors(one)}, geometric mean ratio {one.geomean_ratio:.3f}"
    intervals = (
        f"{one.interval_coverage:.0%} of {one.network_count} inside their interval of median width "
        f"{one.interval_width:.1%}"
    )
    if one.left_one_out_coverage is not None and one.left_one_out_width is not None:
        share, width = one.left_one_out_coverage, one.left_one_out_width
        intervals += f"; {share:.0%} inside one learned from the other networks, of median width {width:.1%}"
    references = (
        f"measured latency good to {REFERENCE_RELATIVE:.1%} for {one.good_references} of {one.network_count}, "
        f"median {one.reference_relative:.2%}, worst {one.worst_reference_relative:.2%}"
        + (f"; |error| of these: {_errors(one.good_reference_errors)}" if one.good_references else "")
    )
    cost = (
        f"layers {one.layers}, of those unique {one.unique_layers}; parts measured in {one.suite_ns / 1e9:.1f} s, "
        f"wholes to the same interval in {one.end_to_end_ns / 1e9:.1f} s: {one.speedup:.2f} times "
        f"(wholes as far as they were measured: {one.reference_ns / 1e9:.1f} s)"
    )
    lines = [errors, intervals, references, cost]
    return lines + ([baseline_line(one.baseline)] if one.baseline else [])


def baseline_line(one: BaselineSummary) -> str:
    """Put the figures of the published recipe into a line."""
    return f"published recipe in the same run: |error| {_errors(one)}; its benchmarks took {one.suite_ns / 1e9:.1f} s"


def _errors(one: ErrorFigures) -> str:
    return (
        f"median {one.median_abs_error:.1%}, mean {one.mean_abs_error:.1%}, 90th percentile {one.p90_abs_error:.1%}, "
        f"worst {one.max_abs_error:.1%}; bias {one.bias:+.1%}"
    )


def _networks(validation: Validation) -> RenderableType:
    with_baseline = bool(validation.settings.baseline)
    columns = [
        "network",
        ">measured",
        ">±",
        ">estimated",
        ">90 % interval",
        ">ratio",
        ">layers",
        ">unique layers",
        ">parts",
    ]
    made = table(*columns, ">whole", *((f">{validation.settings.baseline}",) if with_baseline else ()), "measured is")
    for one in validation.networks:
        published = (f"{one.baseline.ratio:.3f}" if one.baseline else "",) if with_baseline else ()
        made.add_row(
            one.network,
            format_ns(one.measured_ns),
            f"{one.measured_relative:.2%}",
            format_ns(one.estimated_ns),
            f"{format_ns(one.low_ns)} to {format_ns(one.high_ns)}",
            f"{one.ratio:.3f}",
            str(one.layers),
            str(one.unique_layers),
            f"{one.suite_ns / 1e9:.1f} s",
            f"{one.reference_ns / 1e9:.1f} s",
            *published,
            one.measured_verdict,
        )
    return made


def _heaviest(validation: Validation) -> list[RenderableType]:
    """For a single network, say where its time goes."""
    if len(validation.networks) != 1:
        return []
    one = validation.networks[0]
    made = table(
        "type", "sequence", ">count", ">each", ">total", ">share", "verdict", title="heaviest sequences", keys=2
    )
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


def _types(types: Sequence[TypeBias]) -> list[RenderableType]:
    """Set what the parts say beside the profile of the wholes, type by type."""
    if not types:
        return []
    title = "by type: estimated beside the runtime's profile of the whole (in brackets: what no sequence has)"
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
    """Name the sequences that parts and whole disagree on most, in the networks that are furthest off."""
    furthest = sorted((one for one in models if one.worst), key=lambda one: -abs(one.ratio - 1))[:_WORST_MODELS]
    if not furthest:
        return []
    title = "furthest off: error of all uses as a share of the network; context and reuse distances of one use"
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


def context_text(found: SequenceError) -> str:
    """Say what stands around a sequence.

    As in ``2 Conv > 2 float32[1,8], 2 MiB of constants > float32[1,4] > Add; constants 12 MiB ago``.
    """
    context = found.context
    constants = (f"{format_bytes(context.constant_bytes)} of constants",) if context.constant_bytes else ()
    reads = ", ".join((*_counted(context.inputs), *constants))
    writes, makers = ", ".join(_counted(context.outputs)), "+".join(_counted(context.producers))
    flow = f"{makers} > {reads} > {writes} > {'+'.join(_counted(context.consumers))}"
    ago = [
        f"{what} {format_bytes(_mean_distance(reuse))} ago"
        for what, reuse in (("constants", found.constants), ("inputs", found.inputs), ("outputs", found.outputs))
        if reuse
    ]
    return "; ".join((flow, *ago))


def _counted(names: Sequence[str]) -> list[str]:
    """Write equal names that follow each other as one, as in ``26 Gather``."""
    groups = [(name, len(list(same))) for name, same in itertools.groupby(names)]
    return [name if count == 1 else f"{count} {name}" for name, count in groups]


def _mean_distance(reuse: Reuses) -> int:
    """Average reuse distances, each byte counting the same."""
    nbytes = sum(one[0] for one in reuse)
    return round(sum(one[0] * one[1] for one in reuse) / nbytes) if nbytes else 0


def left_out_report(rows: Sequence[LeftOut], by: str) -> list[RenderableType]:
    """Show what was estimated of each network from the others beside what was measured.

    Args:
        rows: one for each network.
        by: ``network`` or ``family``.
    """
    made = table(
        "network", "left out with", ">measured", ">estimated", ">interval", ">error", ">guessed", title=f"{by} left out"
    )
    for row in sorted(rows, key=lambda row: -abs(row.error) if not row.missing else -float("inf")):
        group = row.group if row.group != row.network else ""
        if row.missing:
            unknown = f"{counted(len(row.missing), 'kind')} of sequences without a guess: {', '.join(row.missing[:3])}"
            made.add_row(row.network, group, format_ns(row.measured_ns), "refused", unknown, "", "")
            continue
        made.add_row(
            row.network,
            group,
            format_ns(row.measured_ns),
            format_ns(row.estimated_ns),
            f"{format_ns(row.low_ns)} to {format_ns(row.high_ns)}",
            f"{row.error:+.1%}",
            f"{row.interpolated:.0%}",
        )
    return [made, left_out_line(summarise_left_out(rows))]


def left_out_line(one: LeftOutSummary) -> str:
    """Put the figures over all networks into a line."""
    refused = f"; {len(one.refused)} refused, since parts of them cannot be guessed" if one.refused else ""
    if not one.network_count:
        return f"none estimated{refused}"
    return (
        f"{one.network_count} estimated: |error| median {one.median_error:.1%}, 90th percentile {one.p90_error:.1%}, "
        f"worst {one.worst_error:.1%}; bias {one.bias:+.1%}; {one.coverage:.0%} inside their interval of median width "
        f"{one.width:.1%}; {one.interpolated:.0%} of the time guessed in the middle one{refused}"
    )
