"""Options of questions to decoders: what they answer, and at which lengths their pieces are measured for it."""

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

import click

from dlbricks.cli.options import Command, with_options
from dlbricks.cli.output import tell
from dlbricks.cli.splitting import PAST, SEQUENCE, SplitChoice
from dlbricks.errors import InputError


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerChoice:
    """What a decoder is to do, as the user said it."""

    asked: tuple[tuple[int, int], ...]
    """Tokens of each prompt, and tokens that are made."""
    chunk: int | None
    """Tokens of a prompt in one call; None: all of them."""
    extrapolate: bool
    """Whether lengths may lie more than one doubling outside of what was measured."""
    swept: bool
    """Whether several were asked for."""
    plot: str | None
    """File for a picture."""
    drafting: "DraftChoice | None"
    """By which decoder tokens are drafted."""

    @property
    def several(self) -> tuple[int | None, int | None]:
        """Tokens of calls that are neither a step nor a whole prompt: a chunk, drafted tokens and the one before."""
        return self.chunk, self.drafting.ahead + 1 if self.drafting else None


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftChoice:
    """How a smaller decoder is to help, as the user said it."""

    model: str
    ahead: int
    """Tokens that it drafts at once."""
    accepted: float
    """Probability that one of them is accepted."""


AHEAD = 4
"""Tokens drafted at once, where the user says nothing else."""
_chunk_option = click.option(
    "--chunk", type=click.IntRange(min=2), metavar="N", help="Let the prompt be read in calls of N tokens."
)


_ahead_option = click.option(
    "--ahead", type=click.IntRange(1, 64), metavar="N", help="Tokens drafted at once, in speculative decoding."
)


def answer_options(command: Command) -> Command:
    """Give the command an ``answer: AnswerChoice | None``; None without ``--prompt`` and ``--sweep``."""

    @functools.wraps(command)
    def bundled(  # noqa: PLR0913  the options that the command is given
        *,
        prompt: int | None,
        generate: int,
        chunk: int | None,
        sweep: str | None,
        extrapolate: bool,
        save_plot: str | None,
        draft: str | None,
        ahead: int | None,
        accept: float,
        **others: Any,
    ) -> Any:
        if draft and (sweep or not prompt or generate < 2):
            raise InputError("--draft goes with --prompt and --generate of 2 or more, not with --sweep")
        if ahead and not draft:
            raise InputError("--ahead is of speculative decoding: give --draft DIR, the decoder that drafts")
        drafting = DraftChoice(model=draft, ahead=ahead or AHEAD, accepted=accept) if draft else None
        asked = parse_sweep(sweep, prompt, generate) if sweep else ((prompt, generate),) if prompt else ()
        for length, _ in asked:
            _see_chunks(length, chunk)
        if save_plot and not sweep:
            raise InputError("--save-plot draws a sweep: give --sweep, as in prompt=128..4096")
        answer = (
            AnswerChoice(
                asked=asked,
                chunk=chunk,
                extrapolate=extrapolate,
                swept=bool(sweep),
                plot=save_plot,
                drafting=drafting,
            )
            if asked
            else None
        )
        return command(answer=answer, **others)

    return with_options(
        cast("Command", bundled),
        click.option("--prompt", type=click.IntRange(min=1), metavar="N", help="Tokens a decoder answers."),
        click.option(
            "--generate", type=click.IntRange(min=1), default=1, show_default=True, metavar="N", help="Tokens it makes."
        ),
        _chunk_option,
        click.option("--sweep", metavar="NAME=A..B", help="Several: prompt or generate from A to B, doubling."),
        click.option("--save-plot", metavar="FILE.png", help="Draw a sweep (extra 'plot')."),
        click.option("--extrapolate", is_flag=True, help="Go more than a doubling beyond what was measured."),
        click.option("--draft", metavar="DIR", help="Let this decoder draft tokens (speculative decoding)."),
        _ahead_option,
        click.option(
            "--accept",
            type=click.FloatRange(0, 1),
            default=0.7,
            show_default=True,
            metavar="P",
            help="Share of drafted tokens that are accepted.",
        ),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class LoopChoice:
    """What a decoder is to answer, as the user said it."""

    prompt: int
    generate: int
    chunk: int | None
    """Tokens of the prompt in one call; None: all of them."""
    generator: bool
    """Whether onnxruntime-genai's generator answers, too."""
    extrapolate: bool


def loop_options(command: Command) -> Command:
    """Give the command a ``loop: LoopChoice | None``; None without ``--prompt``."""

    @functools.wraps(command)
    def bundled(*, prompt: int | None, generate: int, chunk: int | None, **others: Any) -> Any:
        asked = {name: others.pop(name) for name in ("generator", "extrapolate")}
        loop = None
        if prompt:
            _see_chunks(prompt, chunk)
            loop = LoopChoice(prompt=prompt, generate=generate, chunk=chunk, **asked)
        return command(loop=loop, **others)

    return with_options(
        cast("Command", bundled),
        click.option("--prompt", type=click.IntRange(min=1), metavar="N", help="Tokens a decoder answers, in a loop."),
        click.option(
            "--generate",
            type=click.IntRange(min=1),
            default=16,
            show_default=True,
            metavar="N",
            help="It makes.",
        ),
        _chunk_option,
        click.option("--generator", is_flag=True, help="Let onnxruntime-genai answer the prompt, too."),
        click.option("--extrapolate", is_flag=True, help="Go more than a doubling beyond the lengths of --dim."),
    )


def lengths_options(command: Command) -> Command:
    """Give the command's ``choice`` the lengths that ``--prompt`` needs, where the user asks for prompts."""

    @functools.wraps(command)
    def bundled(
        *,
        choice: SplitChoice,
        prompt: str | None,
        generate: int,
        chunk: int | None,
        ahead: int | None,
        **others: Any,
    ) -> Any:
        if prompt is None:
            return command(choice=choice, **others)
        for name in (PAST, SEQUENCE):
            if name in choice.dims:
                raise InputError(f"--prompt chooses lengths, and --dim {name} says them: leave one of them out")
        first, last = parse_span(prompt)
        _see_chunks(last, chunk)
        chosen = points_for(first, last, generate, chunk, ahead)
        _see_context(others["models"], chosen)
        tell(f"lengths for these prompts, for estimate and validate, too: {dims_of(chosen)}")
        points = tuple({**one, **point} for one in choice.points or (choice.dims,) for point in chosen)
        asked = ("--prompt", prompt) if first == last else ("--sweep", f"prompt={prompt}")
        question = (*asked, "--generate", str(generate), *(("--chunk", str(chunk)) if chunk else ()))
        return command(choice=replace(choice, dims=points[0], points=points, question=question), **others)

    return with_options(
        cast("Command", bundled),
        click.option("--prompt", metavar="N[..M]", help="Of a decoder: choose lengths for prompts of so many tokens."),
        click.option(
            "--generate",
            type=click.IntRange(min=1),
            default=64,
            show_default=True,
            metavar="N",
            help="Tokens it makes.",
        ),
        _chunk_option,
        _ahead_option,
    )


def _see_chunks(prompt: int, chunk: int | None) -> None:
    """Refuse a prompt that is no whole number of chunks, nor shorter than one; raises InputError."""
    if chunk and prompt > chunk and prompt % chunk:
        raise InputError(f"--chunk {chunk} does not divide a prompt of {prompt}: give {prompt // chunk * chunk}")


def _see_context(models: Sequence[str], points: Sequence[Mapping[str, int]]) -> None:
    """Refuse prompts and answers that are beyond the context of a decoder; raises InputError."""
    from dlbricks.model.read.decoders import implied
    from dlbricks.model.read.network import find_networks

    for path in find_networks(models):
        for point in points:
            implied(path, point)


def points_for(
    first: int, last: int, generate: int, chunk: int | None = None, ahead: int | None = None
) -> tuple[dict[str, int], ...]:
    """Choose lengths from which answers to prompts are told: three, or four where prompts differ fourfold or more.

    A step is measured with nothing and with all that is ever past before it, a prompt at its greatest length, and at
    its least where that is far away. Of a prompt in chunks the first and the last one are measured, and of calls that
    verify drafted tokens those with nothing and with all before them.

    Args:
        first: tokens of the shortest prompt.
        last: of the longest.
        generate: tokens of an answer.
        chunk: tokens of a prompt in one call; None: all.
        ahead: tokens that another decoder drafts at once; None: none does.
    """
    news = (1, ahead + 1) if ahead else (1,)
    steps = [{PAST: past, SEQUENCE: new} for new in news for past in (0, last + generate - 1)]
    if chunk and chunk < last:
        pasts = dict.fromkeys((0, last - chunk))
        made = [*steps, *({PAST: past, SEQUENCE: chunk} for past in pasts)]
    else:
        prompts = sorted({last, *([first] if 4 * first <= last else [])} - {1})
        made = [*steps, *({PAST: 0, SEQUENCE: length} for length in prompts)]
    return tuple({tuple(one.items()): one for one in made}.values())


def dims_of(points: Sequence[Mapping[str, int]]) -> str:
    """Write points as options, as in ``--dim past=0,575 --dim sequence=1,512``."""
    return " ".join(f"--dim {name}={','.join(map(str, sorted({one[name] for one in points})))}" for name in points[0])


def parse_span(text: str) -> tuple[int, int]:
    """Read ``512`` or ``128..4096``; raises InputError for anything else."""
    begin, dots, end = text.partition("..")
    end = end if dots else begin
    if not (begin.isdecimal() and end.isdecimal() and 1 <= int(begin) <= int(end)):
        raise InputError(f"--prompt {text} is no number of tokens and no range, as in 512 or 128..4096")
    return int(begin), int(end)


def parse_sweep(text: str, prompt: int | None, generate: int) -> tuple[tuple[int, int], ...]:
    """Read what ``--sweep`` asks: pairs of tokens of a prompt and tokens made of it.

    Raises:
        InputError: it names something else, or no range.
    """
    name, _, span = text.partition("=")
    begin, dots, end = span.partition("..")
    if name not in {"prompt", "generate"} or not dots or not (begin.isdecimal() and end.isdecimal()):
        raise InputError(f"--sweep is prompt=A..B or generate=A..B, as in prompt=128..4096, not {text}")
    first, last = int(begin), int(end)
    if not 1 <= first <= last:
        raise InputError(f"--sweep {text}: A is a whole number from 1 up, and B no less")
    if name == "generate" and prompt is None:
        raise InputError("--sweep generate=A..B needs --prompt N")
    values = [first << step for step in range(last.bit_length()) if first << step < last] + [last]
    return tuple((value, generate) if name == "prompt" else (prompt or 1, value) for value in values)
