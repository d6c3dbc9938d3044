"""Lengths of a decoder at which it is measured: chosen for prompts, and written as options."""

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

import click

from dlbricks.cli.networks import network_files
from dlbricks.cli.options import Command, with_options
from dlbricks.cli.output import tell
from dlbricks.cli.splitting import PAST, SEQUENCE, SplitChoice, extent_options
from dlbricks.errors import InputError


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptSpan:
    """Prompts of a decoder, and how they are answered."""

    first: int
    """Tokens of the shortest prompt."""
    last: int
    """Tokens of the longest prompt."""
    generate: int
    """Generated tokens, including the first, which the prompt gives."""
    chunk: int | None = None
    """Tokens of a prompt per call; None for all."""

    @property
    def options(self) -> tuple[str, ...]:
        """Options of ``llm estimate`` for these prompts."""
        single = self.first == self.last
        prompts = ("--prompt", str(self.first)) if single else ("--sweep", f"prompt={self.first}..{self.last}")
        chunks = ("--chunk", str(self.chunk)) if self.chunk else ()
        return (*prompts, "--generate", str(self.generate), *chunks)

    @property
    def calls(self) -> tuple[dict[str, int], ...]:
        """The outermost calls of each kind that answer these prompts: all others lie between them."""
        outermost = []
        for prompt in (self.first, self.last):
            if self.chunk == 1:
                outermost += [{PAST: past, SEQUENCE: 1} for past in (1, max(1, prompt - 1))]
                continue
            new = min(self.chunk or prompt, prompt)
            outermost += [{PAST: past, SEQUENCE: new} for past in (0, min(new, prompt - new), prompt - new)]
        if self.generate > 1:
            last = max(self.first, self.last + self.generate - 2)
            outermost += [{PAST: past, SEQUENCE: 1} for past in (self.first, last)]
        return tuple({tuple(call.items()): call for call in outermost}.values())


chunk_option = click.option(
    "--chunk", type=click.IntRange(min=1), metavar="N", help="Process the prompt in calls of N tokens."
)


def generate_option(default: int) -> Callable[[Command], Command]:
    """The option ``--generate``: number of generated tokens."""
    return click.option(
        "--generate",
        type=click.IntRange(min=1),
        default=default,
        show_default=True,
        metavar="N",
        help="Tokens generated.",
    )


def lengths_options(command: Command) -> Command:
    """Add the parameter ``prompts: PromptSpan | None`` to a command, and set the lengths of its ``choice`` for them."""

    @functools.wraps(command)
    def bundled(
        *,
        choice: SplitChoice,
        prompt: str | None,
        generate: int,
        chunk: int | None,
        **others: Any,
    ) -> Any:
        if prompt is None:
            return command(choice=choice, prompts=None, **others)
        for name in (PAST, SEQUENCE):
            if name in choice.settings.dims:
                raise InputError(f"--prompt and --dim {name} both decide lengths: leave one of them out")
        first, last = parse_span(prompt)
        refuse_uneven_chunks(last, chunk)
        chunk = chunk_for(others["models"], chunk, (last,))
        prompts = PromptSpan(first=first, last=last, generate=generate, chunk=chunk)
        choice = with_lengths(others["models"], choice, prompts)
        return command(choice=choice, prompts=prompts, **others)

    return with_options(
        cast("Command", bundled),
        click.option("--prompt", metavar="N[..M]", help="Choose a decoder's lengths for prompts of N to M tokens."),
        generate_option(64),
        chunk_option,
    )


def with_lengths(models: Sequence[str], choice: SplitChoice, prompts: PromptSpan) -> SplitChoice:
    """Choose the lengths for prompts (``points_for``), unless the user gave some.

    Args:
        models: one decoder or several.
        choice: split settings.
        prompts: those to estimate.

    Raises:
        InputError: lengths are beyond the context of a decoder, or the runtime cannot make the calls.
    """
    dims, batch = choice.settings.dims, choice.settings.batch
    if not {PAST, SEQUENCE}.isdisjoint(dims):
        if prompts.chunk and prompts.chunk < prompts.last:
            _refuse_together(models, [{**dims, PAST: prompts.chunk, SEQUENCE: prompts.chunk}], batch)
        return choice
    chosen = points_for(prompts, apart=_reads_prompts_apart(models))
    points = tuple({**others, **point} for others in choice.points or (dims,) for point in chosen)
    _check_calls(models, points, batch)
    return at_points(choice, points)


def at_points(choice: SplitChoice, points: Sequence[Mapping[str, int]]) -> SplitChoice:
    """Return a choice with other combinations of extents."""
    return replace(choice, settings=replace(choice.settings, dims=points[0]), points=tuple(points))


def chunk_for(models: Sequence[str], chunk: int | None, prompts: Sequence[int]) -> int | None:
    """Return the tokens of a prompt per call: those given, else as many as a decoder's file fixes; None for all.

    Raises:
        InputError: a file fixes a number that does not divide a prompt.
    """
    from dlbricks.model.read.dimensions import dimensions_of

    if chunk:
        return chunk
    for path in network_files(models):
        if fixed := dimensions_of(path).fixed_new:
            uneven = next((prompt for prompt in prompts if prompt % fixed), None)
            if uneven is not None:
                raise InputError(
                    f"{path} takes {fixed} new tokens per call, which do not divide a prompt of {uneven}: give "
                    f"{-(-uneven // fixed) * fixed}"
                )
            return fixed
    return None


def tell_lengths(choice: SplitChoice) -> None:
    """Print the lengths that were chosen for prompts as options on stderr."""
    points = [{name: point[name] for name in (PAST, SEQUENCE)} for point in choice.points]
    tell(f"lengths for these prompts, also for estimate and validate: {dims_of(points)}")


def refuse_uneven_chunks(prompt: int, chunk: int | None) -> None:
    """Raise InputError for a prompt that is longer than a chunk and not a multiple of it."""
    if chunk and prompt > chunk and prompt % chunk:
        raise InputError(f"--chunk {chunk} does not divide a prompt of {prompt}: give {prompt // chunk * chunk}")


def _check_calls(models: Sequence[str], points: Sequence[Mapping[str, int]], batch: int | None) -> None:
    """Raise InputError if no network is a decoder, for lengths beyond its context, and refused calls."""
    from dlbricks.model.read.decoders import implied, refuse_no_decoder
    from dlbricks.model.read.dimensions import dimensions_of
    from dlbricks.model.read.skim import skim

    paths = network_files(models)
    refuse_no_decoder(paths[0], next((short for path in paths if (short := dimensions_of(path).short)), ()))
    for path in paths:
        graph = skim(path).graph
        for point in points:
            implied(path, graph, point)
    _refuse_together(models, points, batch)


def _refuse_together(models: Sequence[str], points: Sequence[Mapping[str, int]], batch: int | None) -> None:
    """Raise InputError for calls with several new tokens behind a cache if the runtime takes these for one input."""
    from dlbricks.model.read.decoders import BATCH, ONE_INPUT
    from dlbricks.model.read.skim import skim

    if not any((batch or point.get(BATCH, 1)) > 1 and point[PAST] and point[SEQUENCE] > 1 for point in points):
        return
    for path in network_files(models):
        if any(node.op_type == "GroupQueryAttention" for node in skim(path).graph.node):
            raise InputError(f"{path}: {ONE_INPUT}: leave --chunk and --ahead out, or give a batch of 1")


def _reads_prompts_apart(models: Sequence[str]) -> bool:
    """Return whether a network for prompts is not that for steps: in a file that Optimum merged of two."""
    from dlbricks.model.read.decoders import CACHED
    from dlbricks.model.read.skim import skim

    return any(entry.name == CACHED for path in network_files(models) for entry in skim(path).graph.input)


def points_for(prompts: PromptSpan, *, apart: bool = False) -> tuple[dict[str, int], ...]:
    """Choose the lengths to measure for estimates of prompts: three, or four if prompts differ.

    Steps are measured with the shortest and with the longest past, prompts at the smallest and at the largest length.
    With chunks, the first and the last one are measured, and a prompt that is shorter than one; token by token a prompt
    is made of steps. The shortest past is one token: behind none the runtime leaves out what a
    mask of one element does, so that other pieces remain; a prompt of one token is such a call.

    Args:
        prompts: those to estimate.
        apart: whether calls behind no token are made by another network: they tell nothing of later chunks.
    """
    last, chunk = prompts.last, prompts.chunk
    first = min(max(prompts.first, 2), last)
    pasts = dict.fromkeys((1, last + prompts.generate - 1)) if prompts.generate > 1 or chunk == 1 else ()
    steps = [{PAST: past, SEQUENCE: 1} for past in pasts]
    if chunk == 1:
        lengths, chunks = [], []
    elif chunk and chunk < last:
        lengths = [first] if first < chunk else []
        begins = (0, *((chunk,) if apart else ()), last - chunk)
        chunks = [{PAST: past, SEQUENCE: chunk} for past in dict.fromkeys(begins)]
    else:
        lengths, chunks = sorted({first, last}), []
    made = [*steps, *({PAST: 0, SEQUENCE: length} for length in lengths), *chunks]
    return tuple({tuple(one.items()): one for one in made}.values())


def dims_of(points: Sequence[Mapping[str, int]]) -> str:
    """Format points as options (``cli.splitting.extent_options``), without those that no call needs."""
    from dlbricks.plugins.llm.lengths import usable_points

    return " ".join(extent_options(points, usable_points))


def parse_span(text: str) -> tuple[int, int]:
    """Parse ``512`` or ``128..4096``; raises InputError for anything else."""
    begin, dots, end = text.partition("..")
    end = end if dots else begin
    numbers = all(one.isascii() and one.isdecimal() for one in (begin, end))
    if not (numbers and 1 <= int(begin) <= int(end)):
        raise InputError(f"--prompt {text} is not a number of tokens or a range, as in 512 or 128..4096")
    return int(begin), int(end)
