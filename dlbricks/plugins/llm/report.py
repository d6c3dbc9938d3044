"""Tables of estimated and measured times of answers."""

from collections.abc import Callable, Mapping, Sequence

from rich.console import RenderableType

from dlbricks.construct.intervals import LEVEL
from dlbricks.plugins.llm.answers import CallCheck
from dlbricks.plugins.llm.generation import CallTime, Generation
from dlbricks.plugins.llm.validation import GenerationValidation
from dlbricks.report.console import rows_table, table
from dlbricks.report.results import name_of
from dlbricks.report.validation import settings_text
from dlbricks.units import counted, format_bytes, format_ns

# Share of undisturbed calls of a loop below which the machine counts as busy.
_CALM = 0.5


def _span(time: CallTime) -> str:
    return f"{format_ns(time.low_ns)} to {format_ns(time.high_ns)}"


def _rate(per_s: float) -> str:
    return f"{per_s:,.0f}" if per_s >= 100 else f"{per_s:.3g}"


def against_text(originals: Sequence[Generation], variants: Sequence[Generation]) -> str:
    """Return a line per answer, which compares a variant with the original decoder."""
    return "; ".join(
        f"{original.network} takes {format_ns(original.whole.middle_ns)} for {original.prompt} and "
        f"{original.generate} tokens, {variant.network} {format_ns(variant.whole.middle_ns)}: "
        f"{original.whole.middle_ns / variant.whole.middle_ns:.2f} times as fast"
        for original, variant in zip(originals, variants, strict=True)
    )


def _rates(generation: Generation) -> str:
    # Format tokens per second with the interval that follows from the total time.
    tokens, whole = generation.batch * generation.generate * 1e9, generation.whole
    most = _rate(tokens / whole.low_ns) if whole.low_ns > 0 else "any number of"
    return f"{_rate(generation.tokens_per_s)} ({_rate(tokens / whole.high_ns)} to {most})"


def generation_report(generation: Generation) -> list[RenderableType]:
    """Return tables of an estimated answer: first token, steps and total."""
    times = table("", ">tokens before", ">time", f">{LEVEL * 100:.0f} % interval")
    steps = [("next token", str(step.past), step.time) for step in generation.steps]
    for name, past, time in (("first token", "", generation.first_token), *steps, ("total", "", generation.whole)):
        times.add_row(name, past, format_ns(time.middle_ns), _span(time))
    weights, cache = format_bytes(generation.weight_bytes), format_bytes(generation.cache_bytes)
    return [
        f"{generation.network} on {name_of(generation.configuration)}: {prompt_text(generation)}",
        times,
        f"{_rates(generation)} tokens per second in total; weights of {weights}, a cache of {cache} at the end",
        choices_line(generation),
        _interpolated(generation.guessed),
    ]


def prompt_text(answer: Generation | GenerationValidation) -> str:
    """Return the lengths of prompt and answer, and other values of batch and chunk than the default."""
    inputs = "" if answer.batch == 1 else f", {answer.batch} at once"
    inputs += "" if answer.chunk == answer.prompt else f", processed {counted(answer.chunk, 'token')} at a time"
    return f"a prompt of {counted(answer.prompt, 'token')}, {counted(answer.generate, 'token')} generated{inputs}"


def choices_line(generation: Generation) -> str:
    """Return a sentence on the time of choosing tokens, which the estimate does not include."""
    if not generation.choices:
        return "not included: choosing tokens, and other work between calls"
    each = (f"{choice.how} {format_ns(choice.time.middle_ns)} ({_span(choice.time)})" for choice in generation.choices)
    return f"not included, after each call: choosing a token, {', or '.join(each)}; other work of the loop"


def sweep_report(answers: Sequence[Generation]) -> list[RenderableType]:
    """Return a table with a row for each prompt length."""
    columns: Mapping[str, Callable[[Generation], str]] = {
        ">prompt": lambda row: str(row.prompt),
        ">generated": lambda row: str(row.generate),
        ">first token": lambda row: format_ns(row.first_token.middle_ns),
        ">next token": lambda row: format_ns(row.steps[0].time.middle_ns) if row.steps else "",
        ">last token": lambda row: format_ns(row.steps[-1].time.middle_ns) if row.steps else "",
        ">total": lambda row: format_ns(row.whole.middle_ns),
        ">interval": lambda row: _span(row.whole),
        ">tokens/s": lambda row: _rate(row.tokens_per_s),
    }
    head = answers[0]
    inputs = f"{counted(head.batch, 'input')} at once, {LEVEL:.0%} interval of the total"
    return [
        f"{head.network} on {name_of(head.configuration)}: {inputs}",
        rows_table(answers, columns),
        _interpolated(max(answer.guessed for answer in answers)),
        choices_line(head),
    ]


def _interpolated(share: float) -> str:
    return f"up to {share:.0%} of a call's layers are interpolated between measured lengths"


def answers_report(validation: GenerationValidation) -> list[RenderableType]:
    """Return tables of estimated and measured times of an answer, for each loop."""
    items: list[RenderableType] = [
        settings_text(validation.settings),
        f"{validation.network}: {prompt_text(validation)}",
    ]
    columns: Mapping[str, Callable[[CallCheck], str]] = {
        "": lambda call: call.what,
        ">tokens before": lambda call: "" if call.past is None else str(call.past),
        ">measured": lambda call: format_ns(call.measured.middle_ns),
        ">±": lambda call: f"{(call.measured.high_ns - call.measured.low_ns) / 2 / call.measured.middle_ns:.1%}",
        ">estimated": lambda call: format_ns(call.estimated.middle_ns),
        ">90 % interval": lambda call: _span(call.estimated),
        ">error": lambda call: f"{call.error:+.1%}",
        "interval": lambda call: "inside" if call.inside else "outside",
    }
    for loop in validation.loops:
        between = f"; {format_ns(loop.between_ns)} between two calls, not estimated" if loop.between_ns else ""
        answers = f"{counted(loop.answers, 'answer')} of {format_ns(loop.answer_ns)}"
        answers += f" ({loop.disturbed} disturbed)" if loop.disturbed else ""
        items += [f"{loop.loop}, {answers}{between}", rows_table(loop.calls, columns)]
        busy = [
            call.what if call.past is None else f"{call.what} after {call.past} tokens"
            for call in loop.calls
            if call.disturbed
        ]
        if loop.calm <= _CALM:
            items.append(
                f"{1 - loop.calm:.0%} of its calls waited for a processor or shared its core: errors may come from "
                "other work on the machine; repeat when the machine is idle"
            )
        elif busy:
            items.append(
                f"{', '.join(busy)}: nearly every call waited for a processor or shared its core: the measured "
                "time is that of a busy machine; repeat when it is idle"
            )
    points, took = counted(len(validation.points), "point"), format_ns(validation.pieces_ns)
    pieces = f"{counted(validation.pieces, 'piece')} at {points} measured in {took}"
    return [*items, f"{pieces}; {_interpolated(validation.guessed)}"]
