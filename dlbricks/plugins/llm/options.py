"""Options for decoders (prompts, generated tokens, variants), and the choice of lengths to measure.

A point is a pair of lengths: past tokens in the cache, and new tokens of a call.
"""

import functools
import re
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

import click

from dlbricks.cli.options import Command, at_least, with_options
from dlbricks.cli.output import tell
from dlbricks.cli.splitting import BATCH, PAST, SEQUENCE, SplitChoice, extent_options, network_files
from dlbricks.errors import InputError

WEIGHTS = ("int4", "int8")
_COUNT = at_least(1)
_RANGE = re.compile(r"([1-9][0-9]{0,8})\.\.([1-9][0-9]{0,8})")


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptSpan:
    """A range of prompts, and how the decoder answers them."""

    first: int
    """Tokens of the shortest prompt."""
    last: int
    """Tokens of the longest prompt."""
    generate: int
    """Number of generated tokens, the first one included."""
    chunk: int | None = None
    """Tokens of a prompt per call; None for the whole prompt."""

    @property
    def options(self) -> tuple[str, ...]:
        """Options of ``llm estimate`` for these prompts, as in ``--prompt 512``."""
        single = self.first == self.last
        prompts = ("--prompt", str(self.first)) if single else ("--sweep", f"prompt={self.first}..{self.last}")
        chunks = ("--chunk", str(self.chunk)) if self.chunk else ()
        return (*prompts, "--generate", str(self.generate), *chunks)

    @property
    def calls(self) -> tuple[dict[str, int], ...]:
        """Calls with the smallest and with the largest lengths: of prompts, chunks and steps."""
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


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerChoice:
    """Options on prompts and generated tokens."""

    requests: tuple[tuple[int, int], ...]
    """Pairs of the number of prompt tokens and the number of generated tokens."""
    chunk: int | None
    """Tokens of a prompt per call; None for the whole prompt."""
    extrapolate: bool
    """Whether lengths may be more than twice, or less than half, the measured lengths."""
    swept: bool = False
    """Whether --sweep requested several lengths."""

    @property
    def partial_chunk(self) -> int | None:
        """Tokens of a prompt per call; None if each prompt is processed by a single call."""
        longest = max(prompt for prompt, _ in self.requests)
        return self.chunk if self.chunk and self.chunk < longest else None


def answer_options(tokens: int, *, sweep: bool) -> Callable[[Command], Command]:
    """Add the parameter ``answer: AnswerChoice | None`` to a command; None without --prompt and --sweep."""

    def decorate(command: Command) -> Command:
        @functools.wraps(command)
        def bundled(
            *,
            prompt: int | None,
            generate: int,
            chunk: int | None,
            extrapolate: bool,
            sweep: str | None = None,
            **others: Any,
        ) -> Any:
            requests = parse_sweep(sweep, prompt, generate) if sweep else ((prompt, generate),) if prompt else ()
            for length, _ in requests:
                _refuse_uneven_chunks(length, chunk)
            answer = AnswerChoice(requests=requests, chunk=chunk, extrapolate=extrapolate, swept=bool(sweep))
            return command(answer=answer if requests else None, **others)

        swept = click.option("--sweep", metavar="NAME=A..B", help="Vary --prompt or --generate from A to B, doubling.")
        return with_options(
            cast("Command", bundled),
            click.option("--prompt", type=_COUNT, metavar="N", help="Number of tokens in the prompt of a decoder."),
            *_generate_options(tokens),
            *((swept,) if sweep else ()),
            click.option("--extrapolate", is_flag=True, help="Permit lengths beyond twice the measured ones."),
        )

    return decorate


def _generate_options(tokens: int) -> tuple[Callable[[Command], Command], ...]:
    # Return the options ``--generate`` and ``--chunk``.
    return (
        click.option(
            "--generate", type=_COUNT, default=tokens, show_default=True, metavar="N", help="Tokens to generate."
        ),
        click.option(
            "--chunk", type=_COUNT, metavar="N", help="Process the prompt in calls of N tokens [default: one]."
        ),
    )


def parse_sweep(text: str, prompt: int | None, generate: int) -> tuple[tuple[int, int], ...]:
    """Parse ``--sweep`` to pairs of prompt tokens and generated tokens; raises ``InputError`` for an invalid text."""
    name, _, span = text.partition("=")
    match = _RANGE.fullmatch(span)
    if name not in {"prompt", "generate"} or not match:
        raise InputError(f"invalid --sweep {text}: expected prompt=A..B or generate=A..B, as in prompt=128..4096")
    first, last = map(int, match.groups())
    if first > last:
        raise InputError(f"invalid --sweep {text}: expected A of at least 1, and B of at least A")
    if name == "generate" and prompt is None:
        raise InputError("--sweep generate=A..B needs --prompt N")
    if name == "prompt" and prompt is not None:
        raise InputError("cannot use both --prompt and --sweep prompt=A..B: leave one out")
    values = [first << step for step in range(last.bit_length()) if first << step < last] + [last]
    return tuple((value, generate) if name == "prompt" else (prompt or 1, value) for value in values)


def parse_span(text: str) -> tuple[int, int]:
    """Parse ``512`` or ``128..4096``; raises ``InputError`` for other texts."""
    match = _RANGE.fullmatch(text if ".." in text else f"{text}..{text}")
    first, last = map(int, match.groups()) if match else (1, 0)
    if first > last:
        raise InputError(f"invalid --prompt {text}: expected a number of tokens or a range, as in 512 or 128..4096")
    return first, last


def lengths_options(command: Command) -> Command:
    """Add the option --prompt (a range) to a command, as parameter ``prompts``; the lengths are added to ``choice``."""

    @functools.wraps(command)
    def bundled(*, choice: SplitChoice, prompt: str | None, generate: int, chunk: int | None, **others: Any) -> Any:
        if prompt is None:
            return command(choice=choice, prompts=None, **others)
        for name in (PAST, SEQUENCE):
            if name in choice.settings.dims:
                raise InputError(f"--prompt and --dim {name} both set lengths: leave one out")
        first, last = parse_span(prompt)
        _refuse_uneven_chunks(last, chunk)
        chunk = chunk_for(others["models"], chunk, (last,))
        prompts = PromptSpan(first=first, last=last, generate=generate, chunk=chunk)
        choice = with_lengths(others["models"], choice, prompts)
        return command(choice=choice, prompts=prompts, **others)

    return with_options(
        cast("Command", bundled),
        click.option("--prompt", metavar="N[..M]", help="Measure at the lengths that prompts of N to M tokens need."),
        *_generate_options(64),
    )


def with_lengths(models: Sequence[str], choice: SplitChoice, prompts: PromptSpan) -> SplitChoice:
    """Add the lengths for prompts (``points_for``) to ``choice``, unless it has lengths.

    Raises:
        InputError: a length exceeds the context of a decoder, or the runtime cannot execute the calls.
    """
    dims, batch = choice.settings.dims, choice.settings.batch
    if not {PAST, SEQUENCE}.isdisjoint(dims):
        if prompts.chunk and prompts.chunk < prompts.last:
            _refuse_together(models, [{**dims, PAST: prompts.chunk, SEQUENCE: prompts.chunk}], batch)
        return choice
    from dlbricks.model.read.decoders import CACHED, implied, refuse_no_decoder
    from dlbricks.model.read.dimensions import dimensions_of
    from dlbricks.model.read.skim import skim

    paths = network_files(models)
    graphs = [skim(path).graph for path in paths]
    # a file that Optimum merged from two networks uses one of them for prompts and the other for steps
    apart = any(entry.name == CACHED for graph in graphs for entry in graph.input)
    points = tuple(
        {**others, **point} for others in choice.points or (dims,) for point in points_for(prompts, apart=apart)
    )
    refuse_no_decoder(paths[0], next((short for path in paths if (short := dimensions_of(path).short)), ()))
    for path, graph in zip(paths, graphs, strict=True):
        for point in points:
            implied(path, graph, point)
    _refuse_together(models, points, batch)
    return at_points(choice, points)


def at_points(choice: SplitChoice, points: Sequence[Mapping[str, int]]) -> SplitChoice:
    """Return a copy of ``choice`` with other ``points``."""
    return replace(choice, settings=replace(choice.settings, dims=points[0]), points=tuple(points))


def chunk_for(models: Sequence[str], chunk: int | None, prompts: Sequence[int]) -> int | None:
    """Return the tokens of a prompt per call: ``chunk``, or the number in a decoder's file; None for the whole prompt.

    Raises ``InputError`` if the number in the file does not divide a prompt.
    """
    from dlbricks.model.read.dimensions import dimensions_of

    if chunk:
        return chunk
    for path in network_files(models):
        if fixed := dimensions_of(path).fixed_new:
            uneven = next((prompt for prompt in prompts if prompt % fixed), None)
            if uneven is not None:
                raise InputError(
                    f"{path} takes {fixed} new tokens per call, which does not divide a prompt of {uneven}: use "
                    f"{-(-uneven // fixed) * fixed} tokens"
                )
            return fixed
    return None


def tell_lengths(choice: SplitChoice) -> None:
    """Print on stderr the options that state the lengths at which a decoder is measured."""
    points = [{name: point[name] for name in (PAST, SEQUENCE)} for point in choice.points]
    tell(f"lengths for these prompts (use them for estimate and validate, too): {dims_of(points)}")


def _refuse_uneven_chunks(prompt: int, chunk: int | None) -> None:
    # Raise InputError for a prompt that is longer than a chunk but not a multiple of it.
    if chunk and prompt > chunk and prompt % chunk:
        raise InputError(f"--chunk {chunk} does not divide a prompt of {prompt}: use {prompt - prompt % chunk} tokens")


def _refuse_together(models: Sequence[str], points: Sequence[Mapping[str, int]], batch: int | None) -> None:
    # Raise InputError for calls with several new tokens after a cache, if the runtime would read these as one input.
    from dlbricks.model.read.decoders import ONE_INPUT
    from dlbricks.model.read.skim import skim
    from dlbricks.operators.table import operator

    if not any((batch or point.get(BATCH, 1)) > 1 and point[PAST] and point[SEQUENCE] > 1 for point in points):
        return
    for path in network_files(models):
        if any(operator(node.domain, node.op_type).grows_in_place for node in skim(path).graph.node):
            raise InputError(f"{path}: {ONE_INPUT}: leave --chunk out, or use a batch of 1")


def points_for(prompts: PromptSpan, *, apart: bool = False) -> tuple[dict[str, int], ...]:
    """Return the points to measure for estimates of prompts: three, or four if prompts differ in length.

    Two points are the steps with the fewest and the most past tokens. The others are the shortest and the longest
    prompt, or if prompts are split, the first chunk, the last chunk, and a prompt shorter than a chunk.

    The fewest past tokens are one, since sequences with an empty cache differ: the runtime omits the work on a mask.
    ``apart`` means that calls with an empty cache run another network, and cannot predict later chunks.
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
    points = [*steps, *({PAST: 0, SEQUENCE: length} for length in lengths), *chunks]
    return tuple({tuple(point.items()): point for point in points}.values())


def dims_of(points: Sequence[Mapping[str, int]]) -> str:
    """Format lengths as options, as in ``--dim past=0,512``."""
    from dlbricks.plugins.llm.lengths import usable_points

    return " ".join(extent_options(points, usable_points))


def variant_options(command: Command) -> Command:
    """Replace the ``models`` of a command by variants, if the user chooses other weights or heads."""

    @functools.wraps(command)
    def bundled(*, models: Sequence[str], weights: str | None, kv_heads: int | None, **others: Any) -> Any:
        if weights or kv_heads:
            models = _written(models, weights, kv_heads)
        return command(models=models, **others)

    return with_options(
        cast("Command", bundled),
        click.option(
            "--weights", type=click.Choice(WEIGHTS), help="Use a variant of the decoder with quantised weights."
        ),
        click.option(
            "--kv-heads",
            type=_COUNT,
            metavar="N",
            help="Use a variant of the decoder with N key-value heads per layer.",
        ),
    )


def original_models() -> tuple[str, ...] | None:
    """Return the models that the user named, or None if the command uses no variants of them."""
    options = click.get_current_context().params
    return options["models"] if options.get("weights") or options.get("kv_heads") else None


def model_arguments(models: Sequence[str]) -> list[str]:
    """Return the words that name networks in a command: ``models``, or original models with the options of variants."""
    options = click.get_current_context().params
    words = list(original_models() or models)
    for option, value in (("--weights", options.get("weights")), ("--kv-heads", options.get("kv_heads"))):
        words += [option, str(value)] if value else []
    return words


def _written(models: Sequence[str], weights: str | None, kv_heads: int | None) -> tuple[str, ...]:
    from dlbricks.model.read.dimensions import dimensions_of
    from dlbricks.plugins.llm.decoder_variants import DecoderChange, write_variant

    folder = Path(click.get_current_context().with_resource(tempfile.TemporaryDirectory(prefix="dlbricks-")))
    variants = []
    for path in network_files(models):
        if not dimensions_of(path).short:
            raise InputError(f"--weights and --kv-heads apply to decoders only, not to {path}: leave them out")
        variants.append(str(write_variant(path, DecoderChange(weights=weights, groups=kv_heads), folder)))
    return tuple(variants)
