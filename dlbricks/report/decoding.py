"""Tables of what decoders take to answer prompts."""

from collections.abc import Sequence

from rich.console import RenderableType
from rich.table import Table

from dlbricks.construct.generation import CallTime, Generation, TokenStep
from dlbricks.construct.intervals import LEVEL
from dlbricks.construct.speculation import Speculation
from dlbricks.report.console import table
from dlbricks.report.results import name_of
from dlbricks.units import counted, format_bytes, format_ns


def _times(first: CallTime, steps: Sequence[TokenStep], whole: CallTime) -> Table:
    shown = table("", ">tokens before", ">time", f">{LEVEL * 100:.0f} % interval")
    rows = [("first token", "", first), *(("next token", str(one.past), one.time) for one in steps)]
    for name, past, time in (*rows, ("in all", "", whole)):
        shown.add_row(name, past, format_ns(time.middle_ns), f"{format_ns(time.low_ns)} to {format_ns(time.high_ns)}")
    return shown


def generation_report(made: Generation) -> list[RenderableType]:
    """Show how a decoder answers a prompt: the first token, steps by what is past, and all of it."""
    shown = _times(made.first_token, made.steps, made.whole)
    inputs = "" if made.batch == 1 else f", {made.batch} at once"
    inputs += "" if made.chunk == made.prompt else f", read {made.chunk} tokens at a time"
    asked = f"a prompt of {counted(made.prompt, 'token')}, {counted(made.generate, 'token')} generated{inputs}"
    memory = f"weights of {format_bytes(made.weight_bytes)}, a cache of {format_bytes(made.cache_bytes)} at the end"
    return [
        f"{made.network} on {name_of(made.configuration)}: {asked}",
        shown,
        f"{made.tokens_per_s:.3g} tokens per second in all; {memory}",
        choices_line(made),
        f"up to {made.guessed:.0%} of a call's layers were guessed from measured lengths",
    ]


def choices_line(made: Generation) -> str:
    """Say what choosing a token adds to each call, which is in none of the times."""
    if not made.choices:
        return "sampling and what else runs between the calls is not in it"
    each = (
        f"{one.how} {format_ns(one.time.middle_ns)} ({format_ns(one.time.low_ns)} to {format_ns(one.time.high_ns)})"
        for one in made.choices
    )
    return f"not in it, after each call: choosing a token, {', or '.join(each)}; what else the loop does"


def sweep_report(made: Sequence[Generation]) -> list[RenderableType]:
    """Show how a decoder answers several prompts, a row each: the first token, the first and the last of the others."""
    shown = table(">prompt", ">made", ">first token", ">next token", ">last token", ">in all", ">interval", ">tokens/s")
    for one in made:
        first, *_, last = one.steps or (None, None)
        shown.add_row(
            str(one.prompt),
            str(one.generate),
            format_ns(one.first_token.middle_ns),
            format_ns(first.time.middle_ns) if first else "",
            format_ns(last.time.middle_ns) if last else "",
            format_ns(one.whole.middle_ns),
            f"{format_ns(one.whole.low_ns)} to {format_ns(one.whole.high_ns)}",
            f"{one.tokens_per_s:.3g}",
        )
    head = made[0]
    asked = f"{counted(head.batch, 'input')} at once, interval of {LEVEL:.0%} in all"
    guessed = max(one.guessed for one in made)
    return [
        f"{head.network} on {name_of(head.configuration)}: {asked}",
        shown,
        f"up to {guessed:.0%} of a call's layers were guessed from measured lengths",
        choices_line(head),
    ]


def speculation_report(made: Speculation) -> list[RenderableType]:
    """Show how a decoder answers a prompt with tokens that another one drafts, beside what it takes alone."""
    plain = made.plain
    shown = table(">tokens before", ">drafting each", ">verifying", ">next token", ">alone")
    for one, step, alone in zip(made.rounds, made.steps, plain.steps, strict=True):
        times = (one.drafting, one.verifying, step.time, alone.time)
        shown.add_row(str(one.past), *(format_ns(time.middle_ns) for time in times))
    worth = f"from {made.worth_from:.0%} accepted on" if made.worth_from is not None else "whatever is accepted, not"
    calls = f"{counted(made.ahead, 'token')} drafted by {made.draft} and verified in a call of {made.ahead + 1}"
    asked = f"a prompt of {counted(plain.prompt, 'token')}, {counted(plain.generate, 'token')} generated"
    progress = f"{made.tokens_per_round:.3g} tokens in a round where {made.accepted:.0%} are accepted"
    whole = f"{format_ns(made.whole.middle_ns)} ({format_ns(made.whole.low_ns)} to {format_ns(made.whole.high_ns)})"
    alone_ns = format_ns(plain.whole.middle_ns)
    return [
        f"{plain.network} on {name_of(plain.configuration)}: {asked}, {calls}",
        shown,
        f"{progress}; in all {whole}, alone {alone_ns}: {made.speedup:.2f} times as fast; worth it {worth}",
        choices_line(plain),
    ]
