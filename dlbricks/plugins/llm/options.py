"""Options for decoders: prompts and generated tokens, lengths to measure, and variants."""

import functools
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import click

from dlbricks.cli.networks import network_files
from dlbricks.cli.options import Command, with_options
from dlbricks.errors import InputError
from dlbricks.plugins.llm.prompts import chunk_option, generate_option, refuse_uneven_chunks

_prompt_option = click.option("--prompt", type=click.IntRange(min=1), metavar="N", help="Prompt tokens, for a decoder.")


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerChoice:
    """Options on the prompt and the generated tokens."""

    asked: tuple[tuple[int, int], ...]
    """Pairs of prompt tokens and generated tokens."""
    chunk: int | None
    """Tokens of a prompt per call; None for all."""
    extrapolate: bool
    """Whether lengths may be outside of the measured ones by more than a factor of two."""
    swept: bool
    """Whether a sweep was requested."""

    @property
    def partial_chunk(self) -> int | None:
        """New tokens of a call that reads a part of a prompt; None if every prompt is read in one call."""
        longest = max(prompt for prompt, _ in self.asked)
        return self.chunk if self.chunk and self.chunk < longest else None


def answer_options(command: Command) -> Command:
    """Add the parameter ``answer: AnswerChoice | None`` to a command; None without ``--prompt`` and ``--sweep``."""

    @functools.wraps(command)
    def bundled(
        *,
        prompt: int | None,
        generate: int,
        chunk: int | None,
        sweep: str | None,
        extrapolate: bool,
        **others: Any,
    ) -> Any:
        asked = parse_sweep(sweep, prompt, generate) if sweep else ((prompt, generate),) if prompt else ()
        for length, _ in asked:
            refuse_uneven_chunks(length, chunk)
        answer = AnswerChoice(asked=asked, chunk=chunk, extrapolate=extrapolate, swept=bool(sweep))
        return command(answer=answer if asked else None, **others)

    return with_options(
        cast("Command", bundled),
        _prompt_option,
        generate_option(1),
        chunk_option,
        click.option("--sweep", metavar="NAME=A..B", help="Several: prompt or generate from A to B, doubling."),
        click.option("--extrapolate", is_flag=True, help="Allow lengths beyond twice the measured ones."),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class LoopChoice:
    """Options of a measured generation."""

    prompt: int
    """Tokens of the prompt."""
    generate: int
    """Generated tokens, including the first."""
    chunk: int | None
    """Tokens of the prompt per call; None for all."""
    generator: bool
    """Whether to measure onnxruntime-genai's generator, too."""
    extrapolate: bool
    """Whether lengths may be beyond twice the measured ones."""
    points: tuple[Mapping[str, int], ...] = ()
    """Lengths at which sequences are measured."""


def loop_options(command: Command) -> Command:
    """Add the parameter ``loop: LoopChoice | None`` to a command; None without ``--prompt``."""

    @functools.wraps(command)
    def bundled(*, prompt: int | None, generate: int, chunk: int | None, **others: Any) -> Any:
        asked = {name: others.pop(name) for name in ("generator", "extrapolate")}
        loop = None
        if prompt:
            refuse_uneven_chunks(prompt, chunk)
            loop = LoopChoice(prompt=prompt, generate=generate, chunk=chunk, **asked)
        return command(loop=loop, **others)

    return with_options(
        cast("Command", bundled),
        _prompt_option,
        generate_option(16),
        chunk_option,
        click.option("--generator", is_flag=True, help="Measure onnxruntime-genai's generator, too."),
        click.option("--extrapolate", is_flag=True, help="Allow lengths beyond twice those of --dim."),
    )


def parse_sweep(text: str, prompt: int | None, generate: int) -> tuple[tuple[int, int], ...]:
    """Parse ``--sweep``; returns pairs of prompt tokens and generated tokens.

    Raises:
        InputError: the name is unknown, or there is no valid range.
    """
    name, _, span = text.partition("=")
    begin, dots, end = span.partition("..")
    numbers = all(one.isascii() and one.isdecimal() for one in (begin, end))
    if name not in {"prompt", "generate"} or not dots or not numbers:
        raise InputError(f"--sweep is prompt=A..B or generate=A..B, as in prompt=128..4096, not {text}")
    first, last = int(begin), int(end)
    if not 1 <= first <= last:
        raise InputError(f"--sweep {text}: A has to be a whole number from 1 up, and B at least A")
    if name == "generate" and prompt is None:
        raise InputError("--sweep generate=A..B needs --prompt N")
    if name == "prompt" and prompt is not None:
        raise InputError("--prompt and --sweep prompt=A..B both decide the prompt: leave one of them out")
    values = [first << step for step in range(last.bit_length()) if first << step < last] + [last]
    return tuple((value, generate) if name == "prompt" else (prompt or 1, value) for value in values)


WEIGHTS = ("int4", "int8")


def variant_options(command: Command) -> Command:
    """Replace ``models`` of a command by a variant with other weights or heads, if the options ask for one."""

    @functools.wraps(command)
    def bundled(*, models: Sequence[str], weights: str | None, kv_heads: int | None, **others: Any) -> Any:
        if weights or kv_heads:
            models = _written(models, weights, kv_heads)
        return command(models=models, **others)

    return with_options(
        cast("Command", bundled),
        click.option(
            "--weights", type=click.Choice(WEIGHTS), help="Use a variant of a decoder with quantised weights."
        ),
        click.option(
            "--kv-heads",
            type=click.IntRange(min=1),
            metavar="N",
            help="Use a variant of a decoder with N key-value heads.",
        ),
    )


def original_models() -> tuple[str, ...] | None:
    """Return the models that the user named if variants of them are used; else None."""
    given = click.get_current_context().params
    return given["models"] if given.get("weights") or given.get("kv_heads") else None


def model_arguments(models: Sequence[str]) -> list[str]:
    """Return the arguments that name the networks in a command: ``models``, or the originals with the options."""
    given = click.get_current_context().params
    words = list(original_models() or models)
    for option, value in (("--weights", given.get("weights")), ("--kv-heads", given.get("kv_heads"))):
        words += [option, str(value)] if value else []
    return words


def _written(models: Sequence[str], weights: str | None, kv_heads: int | None) -> tuple[str, ...]:
    from dlbricks.model.export.decoder_variants import DecoderChange, write_variant
    from dlbricks.model.read.dimensions import dimensions_of

    folder = Path(click.get_current_context().with_resource(tempfile.TemporaryDirectory(prefix="dlbricks-")))
    made = []
    for path in network_files(models):
        if not dimensions_of(path).short:
            raise InputError(f"--weights and --kv-heads are for decoders, not for {path}")
        made.append(str(write_variant(path, DecoderChange(weights=weights, groups=kv_heads), folder)))
    return tuple(made)
