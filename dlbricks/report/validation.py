"""Tables and progress lines of validations, and the table of a quick answer."""

from collections.abc import Callable, Sequence

from rich.console import RenderableType

from dlbricks.api.validation import QuickAnswer, QuickSide
from dlbricks.harness.run.progress import time_left
from dlbricks.report.console import table
from dlbricks.report.results import ns_range
from dlbricks.units import counted, format_bytes, format_ns
from dlbricks.validate.measure import Position, ReportProgress
from dlbricks.validate.types import (
    REFERENCE_RELATIVE,
    ErrorFigures,
    NetworkValidation,
    Validation,
    ValidationSettings,
    ValidationSummary,
)


def validation_report(validation: Validation) -> list[RenderableType]:
    """Show estimated and measured latency of every network, statistics of the errors, and failures."""
    items: list[RenderableType] = [settings_text(validation.settings)]
    if validation.networks:
        items += [_networks(validation), *_figures(validation.summary), *_devices(validation.networks)]
    items += _energies([network.network for network in validation.networks], validation.networks)
    items += _disturbed([network.network for network in validation.networks if network.measured_disturbed])
    return [*items, *(f"{failure.network} failed: {failure.reason}" for failure in validation.failed)]


def _disturbed(names: Sequence[str]) -> list[str]:
    text = (
        f"{', '.join(names)}: every call of the whole network waited for a processor or shared its core, so the "
        "measured latency is that of a busy machine: repeat when it is idle"
    )
    return [text] if names else []


def networks_progress(advance: Callable[..., None]) -> ReportProgress:
    """Return a function that shows the progress of a network's run by ``advance`` of ``report.console.measuring``."""
    return lambda at, message: advance(message, progress_prefix(at))


def progress_prefix(at: Position) -> str:
    """State which network is measured, and the time left, which is estimated from the earlier networks."""
    if at.total == 1:
        return f"{at.model} "
    left = f", {time_left(at.elapsed_ns * (at.total - at.index) // at.index)} for the rest" if at.index else ""
    return f"{at.model} ({at.index + 1} of {at.total}{left}) "


def settings_text(settings: ValidationSettings) -> str:
    """State the system and the split settings of a validation in one line."""
    return (
        f"{settings.system}, {settings.runtime}, {settings.provider}, threads {settings.threads}; "
        f"target {settings.target}, H {settings.granularity}, splitter {settings.splitter}, composed {settings.rule}"
        + (f", batch {settings.batch}" if settings.batch else "")
    )


def _figures(summary: ValidationSummary) -> list[str]:
    count, good = summary.network_count, summary.good_references
    inside, width = f"{summary.interval_coverage:.0%} of {count}", f"{summary.interval_width:.1%}"
    width += ", too wide to judge estimates: run longer" * (summary.interval_width > 1)
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
        spread = f"{row.measured_relative:.2%}" if row.measured_relative < 1 else "unknown"
        times = (format_ns(row.measured_ns), spread, format_ns(row.estimated_ns))
        ratio = (ns_range(row.low_ns, row.high_ns), f"{row.ratio:.3f}", row.layers, row.unique_layers)
        costs = (f"{row.suite_ns / 1e9:.1f} s", f"{row.reference_ns / 1e9:.1f} s")
        listing.add_row(row.network, *times, *ratio, *costs, row.measured_verdict)
    return listing


def _energies(names: Sequence[str], calls: Sequence[NetworkValidation | QuickSide]) -> list[str]:
    # Show the energy of calls, a line for each source or reason of absence; older validations have neither
    by_source = dict[str, list[str]]()
    for name, call in zip(names, calls, strict=True):
        text = "" if call.energy_uj is None else f" {call.energy_uj / 1000:,.1f} mJ"
        by_source.setdefault(call.energy_source, []).append(name + text)
    what = "energy of a call"
    return [
        f"{what} is {source}" if source.startswith("absent") else f"{what} ({source}): {', '.join(each)}"
        for source, each in by_source.items()
        if source
    ]


def _devices(networks: Sequence[NetworkValidation]) -> list[str]:
    # Compare the estimated time of each network's kernels with the measured ones, a line for each network
    lines = []
    for row in networks:
        if (device := row.device) is not None:
            times = {"its kernels": device.measured_ns, "as a CUDA graph": device.graph_ns}
            measured = [
                f"{name} {format_ns(ns)} ({device.estimated_ns / ns - 1:+.1%})" for name, ns in times.items() if ns
            ]
            interval = f"{format_ns(device.estimated_ns)} ({ns_range(device.low_ns, device.high_ns)})"
            lines.append(f"{row.network}, device: estimated {interval}; {', '.join(measured) or 'not measured whole'}")
    return lines


_PARTS_SHOWN = 5
# Width of the interval of a measured latency, relative to it, from which a remark says why.
_WIDE = 0.2


def quick_report(answer: QuickAnswer) -> list[RenderableType]:
    """Show latencies by runtime and number of threads, the parts that take longest, and predicted gains."""
    sides = answer.sides
    first = ", ".join(f"{format_ns(side.measured_ns)} with {_threads(side)}" for side in sides if side.estimate)
    several = len({side.runtime for side in sides}) > 1
    names = [f"{side.runtime.split()[0]}, {_threads(side)}" if several else _threads(side) for side in sides]
    listing = table("", ">count", *(f">{name}" for name in names), keys=2)
    whole = (f"{format_ns(side.measured_ns)} ({ns_range(side.low_ns, side.high_ns)})" for side in sides)
    listing.add_row("whole network", "1", *whole)
    listing.add_row("composed from its parts", "", *map(_composed, sides))
    for name, count, times in _parts(sides):
        listing.add_row(f"  {name}", count, *times)
    if any(side.products_ns for side in sides):
        listing.add_row("products at peak FLOP/s", "", *map(_products, sides))
    memory = [sorted({*((side.estimate and side.estimate.peak_memory_bytes) or ())}) for side in sides]
    if any(memory):
        listing.add_row("peak memory, predicted", "", *(" to ".join(map(format_bytes, each)) for each in memory))
    for text in dict.fromkeys(text for side in sides for advice in side.advice for text in advice.apply):
        listing.add_row(f"with {text}, predicted", "", *(_advised(side, text) for side in sides))
    return [
        f"{answer.network} on {answer.system}, {sides[0].runtime} {sides[0].provider}: {first}",
        listing,
        *_energies(names, sides),
        *_faster(answer),
        *_disturbed([name for name, side in zip(names, sides, strict=True) if side.measured_disturbed]),
        *_remarks(answer),
    ]


def _threads(side: QuickSide) -> str:
    return counted(side.threads, "thread")


def _composed(side: QuickSide) -> str:
    composed = side.estimate
    if composed is None:
        return ""
    if composed.missing:
        return f"at least {format_ns(composed.total_ns)}" if composed.total_ns else "unknown"
    return f"{format_ns(composed.total_ns)} ({ns_range(composed.low_ns, composed.high_ns)})"


def _parts(sides: Sequence[QuickSide]) -> list[tuple[str, int, list[str]]]:
    # Return name, count and times of the parts that take longest on the first side.
    own = [side.estimate for side in sides if side.estimate]
    by_fingerprint = [{row.fingerprint: row for row in side.estimate.rows} if side.estimate else {} for side in sides]
    shown = []
    for row in own[0].rows[:_PARTS_SHOWN]:
        by_side = (rows.get(row.fingerprint) for rows in by_fingerprint)
        times = [f"{format_ns(each.total_ns)} ({each.share:.0%})" if each else "" for each in by_side]
        shown.append((f"{row.name} {row.fingerprint[:6]}", row.count, times))
    return shown


def _products(side: QuickSide) -> str:
    if side.products_ns is None or side.peak_flops_per_s is None:
        return ""
    return f"{format_ns(side.products_ns)} ({side.peak_flops_per_s / 1e9:.0f} Gflop/s)"


def _advised(side: QuickSide, text: str) -> str:
    advice = next((advice for advice in side.advice if text in advice.apply), None)
    if advice is None:
        return ""
    if advice.gain_low is None or advice.gain_high is None:
        return f"{format_ns(advice.time_ns)} ({-advice.gain:+.0%}) *"
    return f"{format_ns(advice.time_ns)} ({-advice.gain_high:+.0%} to {-advice.gain_low:+.0%})"


def _faster(answer: QuickAnswer) -> list[str]:
    lines = []
    for each in answer.ratios:
        by, low, high = each.ratio, each.low, each.high
        winner = each.first if by > 1 else each.second
        if by < 1:
            by, low, high = 1 / by, 1 / high, 1 / low
        surely = "" if low > 1 else "; the interval includes 1, so neither is surely faster"
        threads = counted(each.threads, "thread")
        lines.append(f"{threads}: {winner} is {by:.2f} times as fast ({low:.2f} to {high:.2f}){surely}")
    return lines


def _remarks(answer: QuickAnswer) -> list[str]:
    # Say what was left out, and what the predictions rest on.
    own = [side for side in answer.sides if side.estimate]
    lines = [*answer.notes]
    lines += [
        f"{_threads(side)}: {counted(missing, 'part')} of {len(composed.rows)} not measured, so nothing is predicted: "
        "give a longer --budget"
        for side in own
        if (composed := side.estimate) and (missing := len(composed.missing))
    ]
    lines += [
        f"{_threads(side)}: the measured latency lies far outside the interval of its parts: other programs or virtual "
        "machines may have slowed either: repeat"
        for side in own
        if (composed := side.estimate) and composed.high_ns and not side.measured_disturbed
        # more than twice as far from the composed latency as its interval ends
        if side.high_ns < 2 * composed.low_ns - composed.total_ns
        or side.low_ns > 2 * composed.high_ns - composed.total_ns
    ]
    if any(side.high_ns - side.low_ns > _WIDE * side.measured_ns for side in answer.sides):
        lines.append(
            "intervals are wide: other programs were running, or the budget was short; repeat, or raise --budget"
        )
    if any(side.products_ns for side in own):
        lines.append("peak: convolutions and matrix products at the highest rate that was measured here")
    lines += [f"composed latency, {_threads(side)}: {side.estimate.evidence}" for side in own if side.estimate]
    if any(not advice.checked for side in own for advice in side.advice):
        lines.append("* not validated here, so it has no interval")
    if unhelpful := dict.fromkeys(name for side in own for name in side.without_gain):
        lines.append(f"no gain is predicted of {', '.join(unhelpful)}")
    rests = dict.fromkeys((*advice.apply, advice.rests_on) for side in own for advice in side.advice)
    return [*lines, *(f"{text}: {source}" for text, source in rests)]
