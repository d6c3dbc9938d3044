"""Tables of answers to what-if questions, of advice, and of transforms."""

import itertools
import re
from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import RenderableType

from dlbricks.report.console import table
from dlbricks.typed_json import checked
from dlbricks.units import counted, format_ns
from dlbricks.whatif.answer import AdviceReport, Answer, PartTime
from dlbricks.whatif.evidence import GPU, PROCESSOR, PUBLISHED, backtested, errors_by_kind, evidence_of, refuted
from dlbricks.whatif.transform import Transform

# Shares from this one up are shown in whole percent: their errors are larger than a tenth of a percent.
_WHOLE_PERCENT = 0.1
_UNKNOWN_SHOWN = 5
_ADVICE_SHOWN = 10
# Widths of the columns for a parameter and its default.
_WRITTEN = 22


def whatif_report(result: Answer | AdviceReport) -> list[RenderableType]:
    """Return an answer or advice as lines and tables."""
    return answer_report(result) if isinstance(result, Answer) else advice_report(result)


def prediction_report(prediction: Mapping[str, Any]) -> list[RenderableType]:
    """Show the what-if answer and the advice in predicted timelines; raises ``InputError`` for other content."""
    answer, advice = prediction.get("answer"), prediction.get("advice")
    where = "the prediction of these timelines"
    ranking = advice_report(checked(AdviceReport, advice, where)) if advice else []
    return ["a prediction, not a measurement", *answer_report(checked(Answer, answer, where)), *ranking]


def answer_report(answer: Answer) -> list[RenderableType]:
    """Show the time before and after, gain, breakdown and unknown kernels; without transforms only the time before."""
    times = table(
        "", f">time per {answer.unit}" if answer.unit != "whole" else ">time", ">tasks", "where the time goes"
    )
    rows = (("before", answer.before), ("after", answer.after)) if answer.applied else (("now", answer.before),)
    for name, timing in rows:
        times.add_row(name, format_ns(timing.time_ns), f"{timing.tasks:,}", timing.explanation)
    steps = len(answer.before.steps_ns)
    many = f"median of {counted(steps, answer.unit)}" if steps else f"one call of {format_ns(answer.before.time_ns)}"
    threads = f", {counted(answer.threads, 'thread')}" if answer.threads else ""
    items: list[RenderableType] = [f"{answer.name}{threads}, {many}", *(f"  {step}" for step in answer.applied), times]
    items += verdict(answer) if answer.applied else []
    if answer.measured:
        off = f"the prediction is off by {answer.after.time_ns / answer.measured.time_ns - 1:+.1%}"
        items.append(f"from its own parts: {answer.measured.titles[0]}: {format_ns(answer.measured.time_ns)}; {off}")
    return [*items, *_phases_table(answer), *_unknown_lines(answer)]


def verdict(answer: Answer) -> list[str]:
    """State what is certain: the gain of a step and its interval, or where the host leaves it open, that of kernels."""
    kernels, host, unit = answer.kernels, answer.host, "run" if answer.unit == "whole" else answer.unit
    unknown = "" if kernels is None or kernels.interval else " (not validated)"
    of_kernels = "kernels as before" if kernels is None else f"kernels {_gained(kernels, answer.inputs)}{unknown}"
    lines = [_gained(answer, answer.inputs), _certainty(answer), *([] if kernels is None else [of_kernels])]
    of_host = 0 if host is None else host.interval.high_ns if host.interval else host.after_ns
    if (answer.interval or kernels) and not _has_sign(answer) and of_host >= answer.after.busy_ns and of_host:
        spans = "" if answer.gain_low is None or answer.gain_high is None else f" ({_between(answer)})"
        depends = f"whether the {unit} gains depends on the host, which this trace cannot tell{spans}"
        lines = [f"{of_kernels}; {depends}", lines[1] if answer.interval is None else f"{unit} {lines[1]}"]
    for name, part in (("kernels", kernels), ("host", host)):
        if part is not None and part.interval is not None and part.before_ns:
            times = f"{format_ns(part.interval.low_ns)} to {format_ns(part.interval.high_ns)}"
            before, after = format_ns(part.before_ns), format_ns(part.after_ns)
            lines.append(f"{name}: {before} before, {after} after ({times}), {_shorter(part.interval.source)}")
    return lines


def _has_sign(part: Answer | PartTime) -> bool:
    return part.gain_low is not None and part.gain_high is not None and not part.gain_low < 0 < part.gain_high


def _certainty(answer: Answer) -> str:
    if answer.assumed:
        return f"no interval: {answer.assumed}"
    if answer.interval is not None:
        low, high = format_ns(answer.interval.low_ns), format_ns(answer.interval.high_ns)
        return f"after: {low} to {high}, {_shorter(answer.interval.source)}"
    if answer.gain_low is not None:
        return "no interval: the estimate has none"
    names = dict.fromkeys(step.partition(":")[0] for step in answer.applied)
    validated = {row.transform for row in backtested()} | set(PUBLISHED)
    unchecked = [f"{name} was not validated" for name in names if name not in validated]
    for name in names:
        if errors := refuted(name, answer.kind):
            return f"no answer for the {answer.unit}: {name} is not better than no change for {answer.kind} ({errors})"
    times = "times" if answer.unit == "whole" else f"{answer.unit}s"
    lacking = ", ".join(unchecked) or f"{times} after {', '.join(names)} were not validated for {answer.kind}"
    return f"no interval: {lacking} (see 'whatif --list')"


def _shorter(source: str) -> str:
    # A source names every run; a line has room for the number of cases and the document that lists them.
    shorter = re.sub(r"(\d+) back-tests [^(;]*\(", r"validated on \1 cases (", source)
    return shorter.replace("the estimate and validated", "an estimate, validated")


def _phases_table(answer: Answer) -> list[RenderableType]:
    if not answer.phases:
        return []
    gain = ">gain" if answer.inputs == 1 else ">gain per input"
    later = (">after", gain) if answer.applied else ()
    times = table("phase", ">steps", ">tokens", ">before" if later else ">now", *later)
    for phase in answer.phases:
        tokens = "" if phase.tokens is None else f"{phase.tokens}"
        gained = (format_ns(phase.after_ns), f"{phase.gain:.1%}") if later else ()
        times.add_row(phase.phase, f"{phase.steps}", tokens, format_ns(phase.before_ns), *gained)
    return [times]


def advice_report(report: AdviceReport) -> list[RenderableType]:
    """Show the transforms (modelled optimisations) that advice suggests, by rank, with the evidence for each."""
    head = f"{report.name}: {format_ns(report.time_ns)} now; {report.kind}"
    gains = table("", ">gain", ">at least", ">time after", "transforms")
    rests: dict[str, list[str]] = {}
    for place, advice in enumerate(report.advice[:_ADVICE_SHOWN], start=1):
        least = "unknown" if advice.gain_low is None else f"{advice.gain_low:.1%}"
        gains.add_row(place, f"{advice.gain:.1%}", least, format_ns(advice.time_ns), *(advice.apply or advice.titles))
        rests.setdefault(_shorter(advice.rests_on), []).append(f"{place}")
    left = [f"no gain: {'; '.join(report.without_gain)}"] if report.without_gain else []
    left.append(f"transforms without an answer here: {len(report.refused)} (--json has the reasons)")
    if not report.advice:
        return [head, "no applicable transform has a gain", *left]
    return [head, gains, *(f"{', '.join(places)}: {text}" for text, places in rests.items()), *left]


def _gained(part: Answer | PartTime, inputs: float) -> str:
    # Format the gain, for example ``1.93x faster (1.62x to 2.25x), saves 48 %``.
    per = " per input" if inputs != 1 else ""
    changes = _percent(abs(part.gain)) != _percent(0)
    between, slower = "", changes and part.gain < 0
    if part.gain_low is not None and part.gain_high is not None:
        reverse = "" if _has_sign(part) or not changes else f", may be {'faster' if slower else 'slower'}"
        between = f" ({_between(part, slower=slower)}{reverse})"
    if slower:
        return f"{1 - part.gain:.2f}x slower{per}{between}, costs {_percent(-part.gain)}"
    faster, saved = (" faster", _percent(part.gain)) if changes else ("", "nothing")
    return f"{_speed(part.gain):.2f}x{faster}{per}{between}, saves {saved}"


def _between(part: Answer | PartTime, *, slower: bool = False) -> str:
    speeds = (_speed(part.gain_low or 0.0), _speed(part.gain_high or 0.0))
    low, high = sorted(1 / speed for speed in speeds) if slower else speeds
    return f"{low:.2f}x to {high:.2f}x"


def _speed(gain: float) -> float:
    # Return a gain as a ratio of speeds.
    return 1 / (1 - gain) if gain < 1 else float("inf")


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %" if share >= _WHOLE_PERCENT else f"{100 * share:.1f} %"


def _unknown_lines(answer: Answer) -> list[str]:
    if not answer.unknown:
        return []
    total = sum(kernel.time_ns for kernel in answer.unknown)
    count = sum(kernel.count for kernel in answer.unknown)
    shown, rest = answer.unknown[:_UNKNOWN_SHOWN], len(answer.unknown) - _UNKNOWN_SHOWN
    return [
        f"{counted(count, 'kernel')} of unknown kind, {format_ns(total)} in all:",
        *(f"  {kernel.name} ({kernel.count}, {format_ns(kernel.time_ns)})" for kernel in shown),
        *([f"  and {counted(rest, 'name')} more"] if rest > 0 else []),
    ]


def facts_of(transforms: Sequence[Transform]) -> list[dict[str, object]]:
    """Return the properties of transforms (modelled optimisations) and the errors of their predictions, for JSON."""
    names = ("name", "synonyms", "title", "parameters", "group")
    return [
        {name: getattr(each, name) for name in names}
        | {"evidence": evidence_of(each), "source": each.source, "errors": errors_by_kind(each.name)}
        | {"error": _largest(each.name)}
        for each in transforms
    ]


def _largest(transform: str) -> dict[str, object] | None:
    # Return the largest error of all kinds of traces, for readers of JSON that know no kinds.
    rows = [(row.error, row.source, PROCESSOR if PROCESSOR in row.kind else GPU) for row in errors_by_kind(transform)]
    rows += [(*PUBLISHED[transform], GPU)] if transform in PUBLISHED else []
    return dict(zip(("error", "source", "device"), max(rows), strict=True)) if rows else None


def transforms_report(transforms: Sequence[Transform]) -> list[RenderableType]:
    """List the transforms (modelled optimisations) with evidence, error, source and parameters."""
    lines = ["Write NAME:PARAMETER=VALUE,...; values in capitals are required."]
    for group, members in itertools.groupby(transforms, lambda transform: transform.group):
        lines += ["", f"{group}:"] if group else []
        for transform in members:
            error, source = PUBLISHED.get(transform.name, (0.0, ""))
            texts = [f"±{row.error:.1%} for {row.kind}, {row.text}" for row in errors_by_kind(transform.name)]
            texts = texts or [f"±{error:.1%} of the time, {source}" if source else "error unknown"]
            lines += ["", f"{transform.name}: {transform.title}", f"  {evidence_of(transform)}"]
            lines += [f"    {text}" for text in texts]
            lines.append(f"  model: {transform.source}")
            lines += [f"  or: {', '.join(transform.synonyms)}"] if transform.synonyms else []
            for parameter in transform.parameters:
                default = parameter.kind.upper() if parameter.default is None else parameter.default
                written = f"{parameter.name}={default}"
                lines.append(f"    {written:<{_WRITTEN}} {parameter.meaning}")
    return [*lines]
