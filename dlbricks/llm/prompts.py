"""Lengths of a decoder at which it is measured: chosen for prompts, and written as options."""

import functools
import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

import click

from dlbricks.cli.options import Command, with_options
from dlbricks.cli.output import tell
from dlbricks.cli.splitting import PAST, SEQUENCE, PromptSpan, SplitChoice
from dlbricks.errors import InputError

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
    """Set the lengths of a command's ``choice`` from the option ``--prompt``, if it is given."""

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
            return command(choice=choice, **others)
        for name in (PAST, SEQUENCE):
            if name in choice.dims:
                raise InputError(f"--prompt and --dim {name} both decide lengths: leave one of them out")
        first, last = parse_span(prompt)
        refuse_uneven_chunks(last, chunk)
        chunk = chunk_for(others["models"], chunk, (last,))
        prompts = PromptSpan(first=first, last=last, generate=generate, chunk=chunk)
        choice = with_lengths(others["models"], choice, prompts)
        return command(choice=replace(choice, prompts=prompts), **others)

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
    if not {PAST, SEQUENCE}.isdisjoint(choice.dims):
        if prompts.chunk and prompts.chunk < prompts.last:
            _refuse_together(models, [{**choice.dims, PAST: prompts.chunk, SEQUENCE: prompts.chunk}], choice.batch)
        return choice
    chosen = points_for(prompts, apart=_reads_prompts_apart(models))
    points = tuple({**one, **point} for one in choice.points or (choice.dims,) for point in chosen)
    _check_calls(models, points, choice.batch)
    return replace(choice, dims=points[0], points=points)


def chunk_for(models: Sequence[str], chunk: int | None, prompts: Sequence[int]) -> int | None:
    """Return the tokens of a prompt per call: those given, else as many as a decoder's file fixes; None for all.

    Raises:
        InputError: a file fixes a number that does not divide a prompt.
    """
    from dlbricks.model.read.dimensions import dimensions_of
    from dlbricks.model.read.network import find_networks

    if chunk:
        return chunk
    for path in find_networks(models):
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
    """Print the lengths that were chosen for prompts, if the user named some, as options on stderr."""
    if choice.prompts is not None:
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
    from dlbricks.model.read.network import find_networks
    from dlbricks.model.read.skim import skim

    paths = find_networks(models)
    refuse_no_decoder(paths[0], next((short for path in paths if (short := dimensions_of(path).short)), ()))
    for path in paths:
        graph = skim(path).graph
        for point in points:
            implied(path, graph, point)
    _refuse_together(models, points, batch)


def _refuse_together(models: Sequence[str], points: Sequence[Mapping[str, int]], batch: int | None) -> None:
    """Raise InputError for calls with several new tokens behind a cache if the runtime takes these for one input."""
    from dlbricks.model.read.decoders import BATCH, ONE_INPUT
    from dlbricks.model.read.network import find_networks
    from dlbricks.model.read.skim import skim

    if not any((batch or point.get(BATCH, 1)) > 1 and point[PAST] and point[SEQUENCE] > 1 for point in points):
        return
    for path in find_networks(models):
        if any(node.op_type == "GroupQueryAttention" for node in skim(path).graph.node):
            raise InputError(f"{path}: {ONE_INPUT}: leave --chunk and --ahead out, or give a batch of 1")


def _reads_prompts_apart(models: Sequence[str]) -> bool:
    """Return whether a network for prompts is not that for steps: in a file that Optimum merged of two."""
    from dlbricks.model.read.decoders import CACHED
    from dlbricks.model.read.network import find_networks
    from dlbricks.model.read.skim import skim

    return any(entry.name == CACHED for path in find_networks(models) for entry in skim(path).graph.input)


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
    """Format points as options, as in ``--dim past=0,575 --dim sequence=1,512``.

    Where combinations of these extents would measure more than the points, past and sequence are given together, as in
    ``--dim past:sequence=1:1,575:1,0:128,384:128``.
    """
    from dlbricks.llm.lengths import usable_points

    extents = {name: sorted({point[name] for point in points}) for name in points[0]}
    every = [dict(zip(extents, one, strict=True)) for one in itertools.product(*extents.values())]
    combined, needed, wanted = (
        {frozenset(one.items()) for one in some} for some in (every, usable_points(every), points)
    )
    if {PAST, SEQUENCE} <= extents.keys() and wanted not in (combined, needed):
        pairs = dict.fromkeys((point[PAST], point[SEQUENCE]) for point in points)
        given = {f"{PAST}:{SEQUENCE}": [f"{past}:{new}" for past, new in pairs]}
        given |= {name: [*map(str, values)] for name, values in extents.items() if name not in {PAST, SEQUENCE}}
    else:
        given = {name: [*map(str, values)] for name, values in extents.items()}
    return " ".join(f"--dim {name}={','.join(values)}" for name, values in given.items())


def parse_span(text: str) -> tuple[int, int]:
    """Parse ``512`` or ``128..4096``; raises InputError for anything else."""
    begin, dots, end = text.partition("..")
    end = end if dots else begin
    numbers = all(one.isascii() and one.isdecimal() for one in (begin, end))
    if not (numbers and 1 <= int(begin) <= int(end)):
        raise InputError(f"--prompt {text} is not a number of tokens or a range, as in 512 or 128..4096")
    return int(begin), int(end)
