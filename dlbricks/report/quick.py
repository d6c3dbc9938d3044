"""The table of a quick answer: a network on this machine, whole and in parts, and what would pay off."""

from collections.abc import Sequence

from rich.console import RenderableType

from dlbricks.api.quick import QuickAnswer, QuickSide
from dlbricks.report.console import table
from dlbricks.report.results import ns_range
from dlbricks.units import counted, format_bytes, format_ns

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
    listing.add_row("whole network", "1", *map(_whole, sides))
    listing.add_row("composed from its parts", "", *map(_composed, sides))
    for name, count, times in _parts(sides):
        listing.add_row(f"  {name}", count, *times)
    if any(side.products_ns for side in sides):
        listing.add_row("products at peak FLOP/s", "", *map(_products, sides))
    memory = [side.estimate.peak_memory_bytes if side.estimate else None for side in sides]
    if any(memory):
        listing.add_row("peak memory, predicted", "", *(format_bytes(each) if each else "" for each in memory))
    for text in dict.fromkeys(text for side in sides for advice in side.advice for text in advice.apply):
        listing.add_row(f"with {text}, predicted", "", *(_advised(side, text) for side in sides))
    return [
        f"{answer.network} on {answer.system}, {sides[0].runtime} {sides[0].provider}: {first}",
        listing,
        *_faster(answer),
        *_remarks(answer),
    ]


def _threads(side: QuickSide) -> str:
    return counted(side.threads, "thread")


def _whole(side: QuickSide) -> str:
    # the interval of a single visit is not known
    interval = f"({ns_range(side.low_ns, side.high_ns)})" if side.low_ns else "(no interval: too few calls)"
    return f"{format_ns(side.measured_ns)} {interval}"


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
    shown = []
    for row in own[0].rows[:_PARTS_SHOWN]:
        by_side = [
            next((each for each in side.estimate.rows if each.fingerprint == row.fingerprint), None)
            if side.estimate
            else None
            for side in sides
        ]
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
