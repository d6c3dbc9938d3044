"""Tables of estimated and of measured answers of decoders."""

from collections.abc import Callable, Mapping, Sequence

from rich.console import RenderableType
from rich.table import Table

from dlbricks.construct.intervals import LEVEL
from dlbricks.plugins.llm.answers import CallCheck
from dlbricks.plugins.llm.generation import CallTime, Generation, TokenStep
from dlbricks.plugins.llm.validation import GenerationValidation
from dlbricks.report.console import rows_table, table
from dlbricks.report.results import name_of
from dlbricks.report.validation import settings_text
from dlbricks.units import counted, format_bytes, format_ns

_CALM = 0.5
"""Share of a loop's calls that were not disturbed up to which the machine counts as busy."""


def _times(first: CallTime, steps: Sequence[TokenStep], whole: CallTime) -> Table:
    shown = table("", ">tokens before", ">time", f">{LEVEL * 100:.0f} % interval")
    rows = [("first token", "", first), *(("next token", str(step.past), step.time) for step in steps)]
    for name, past, time in (*rows, ("total", "", whole)):
        shown.add_row(name, past, format_ns(time.middle_ns), f"{format_ns(time.low_ns)} to {format_ns(time.high_ns)}")
    return shown


def _rate(per_s: float) -> str:
    return f"{per_s:,.0f}" if per_s >= 100 else f"{per_s:.3g}"


def _rates(generation: Generation) -> str:
    """Format tokens per second with the interval of the total time."""
    tokens, whole = generation.batch * generation.generate * 1e9, generation.whole
    most = _rate(tokens / whole.low_ns) if whole.low_ns > 0 else "any number of"
    return f"{_rate(generation.tokens_per_s)} ({_rate(tokens / whole.high_ns)} to {most})"


def generation_report(generation: Generation) -> list[RenderableType]:
    """Show the estimated answer of a decoder: first token, steps by context length, and total."""
    shown = _times(generation.first_token, generation.steps, generation.whole)
    weights, cache = format_bytes(generation.weight_bytes), format_bytes(generation.cache_bytes)
    return [
        f"{generation.network} on {name_of(generation.configuration)}: {prompt_text(generation)}",
        shown,
        f"{_rates(generation)} tokens per second in total; weights of {weights}, a cache of {cache} at the end",
        choices_line(generation),
        f"up to {generation.guessed:.0%} of a call's layers are interpolated between measured lengths",
    ]


def prompt_text(made: Generation | GenerationValidation) -> str:
    """Describe the prompt, the number of generated tokens, and batch and chunk size if not the default."""
    inputs = "" if made.batch == 1 else f", {made.batch} at once"
    inputs += "" if made.chunk == made.prompt else f", read {counted(made.chunk, 'token')} at a time"
    return f"a prompt of {counted(made.prompt, 'token')}, {counted(made.generate, 'token')} generated{inputs}"


def choices_line(generation: Generation) -> str:
    """Describe the time to choose a token per call, which is not part of the estimate."""
    if not generation.choices:
        return "not included: sampling, and other work between calls"
    each = (
        f"{choice.how} {format_ns(choice.time.middle_ns)} "
        f"({format_ns(choice.time.low_ns)} to {format_ns(choice.time.high_ns)})"
        for choice in generation.choices
    )
    return f"not included, after each call: choosing a token, {', or '.join(each)}; other work of the loop"


def sweep_report(made: Sequence[Generation]) -> list[RenderableType]:
    """Show one row per prompt length: first token, first and last of the following tokens, and total."""
    columns: Mapping[str, Callable[[Generation], str]] = {
        ">prompt": lambda row: str(row.prompt),
        ">generated": lambda row: str(row.generate),
        ">first token": lambda row: format_ns(row.first_token.middle_ns),
        ">next token": lambda row: format_ns(row.steps[0].time.middle_ns) if row.steps else "",
        ">last token": lambda row: format_ns(row.steps[-1].time.middle_ns) if row.steps else "",
        ">total": lambda row: format_ns(row.whole.middle_ns),
        ">interval": lambda row: f"{format_ns(row.whole.low_ns)} to {format_ns(row.whole.high_ns)}",
        ">tokens/s": lambda row: _rate(row.tokens_per_s),
    }
    head = made[0]
    asked = f"{counted(head.batch, 'input')} at once, {LEVEL:.0%} interval of the total"
    guessed = max(one.guessed for one in made)
    return [
        f"{head.network} on {name_of(head.configuration)}: {asked}",
        rows_table(made, columns),
        f"up to {guessed:.0%} of a call's layers are interpolated between measured lengths",
        choices_line(head),
    ]


def _call_text(call: CallCheck) -> str:
    return call.what if call.past is None else f"{call.what} behind {call.past}"


def answers_report(validation: GenerationValidation) -> list[RenderableType]:
    """Show estimated and measured times of a decoder's answer to a prompt, per loop."""
    items: list[RenderableType] = [
        settings_text(validation.settings),
        f"{validation.network}: {prompt_text(validation)}",
    ]
    for loop in validation.loops:
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
        answers = f"{counted(loop.answers, 'answer')} of {format_ns(loop.answer_ns)}"
        answers += f" ({loop.disturbed} disturbed)" if loop.disturbed else ""
        items += [f"{loop.loop}, {answers}{between}", shown]
        busy = [_call_text(call) for call in loop.calls if call.disturbed]
        if busy and loop.calm > _CALM:
            items.append(
                f"{', '.join(busy)}: nearly every call waited for a processor or shared its core, so all count, and "
                "the measured time is that of a busy machine"
            )
        if loop.calm <= _CALM:
            items.append(
                f"{1 - loop.calm:.0%} of its calls waited for a processor or shared its core: the machine is busy with "
                "other work, and errors may be those of its hours; repeat when it is not"
            )
    points, took = counted(len(validation.points), "point"), format_ns(validation.pieces_ns)
    pieces = f"{validation.pieces} pieces at {points} measured in {took}"
    return [
        *items,
        f"{pieces}; up to {validation.guessed:.0%} of a call's layers are interpolated between measured lengths",
    ]
