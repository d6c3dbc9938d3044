"""What verbs do for decoders: ``estimate --prompt``, ``validate --prompt``, and the lengths that ``plan`` asks for.

Heavy modules are imported by the functions, so that the program starts fast.
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from dlbricks.cli.output import present, tell
from dlbricks.cli.splitting import BATCH, PromptSpan, SplitChoice
from dlbricks.errors import CheckError, InputError
from dlbricks.estimating import SystemQuery
from dlbricks.llm.options import AnswerChoice, LoopChoice, original_models
from dlbricks.llm.prompts import chunk_for, with_lengths

if TYPE_CHECKING:
    from dlbricks.llm.generation import Generation
    from dlbricks.sequences.types import Split
    from dlbricks.validate.prepare import ValidationPlan


def show_answer(
    models: Sequence[str], choice: SplitChoice, systems: Sequence[SystemQuery], answer: AnswerChoice, *, as_json: bool
) -> None:
    """Estimate a decoder's answers to prompts, and show them; of a variant also how it compares with the decoder."""
    from dlbricks.llm.estimates import generations
    from dlbricks.llm.report import generation_report, sweep_report

    if len(systems) > 1:
        raise InputError("--prompt is for one system: give one --system and one --runtime")
    estimates = generations(models, choice, systems[0], answer)
    if (originals := original_models()) is not None:
        tell(_against(originals, choice, systems[0], answer, estimates))
    if answer.swept:
        present("sweep", {"answers": estimates}, lambda: sweep_report(estimates), as_json=as_json)
    else:
        present("generation", estimates[0], lambda: generation_report(estimates[0]), as_json=as_json)


def _against(
    originals: Sequence[str],
    choice: SplitChoice,
    where: SystemQuery,
    answer: AnswerChoice,
    variants: "Sequence[Generation]",
) -> str:
    """Return a sentence that compares a variant of a decoder with the decoder itself."""
    from dlbricks.llm.estimates import generations
    from dlbricks.units import format_ns

    try:
        before = generations(originals, choice, where, answer)
    except CheckError as error:
        return f"nothing to compare with: {error}"
    each = (
        f"{original.network} takes {format_ns(original.whole.middle_ns)} for {original.prompt} and "
        f"{original.generate} tokens, {variant.network} {format_ns(variant.whole.middle_ns)}: "
        f"{original.whole.middle_ns / variant.whole.middle_ns:.2f} times as fast"
        for original, variant in zip(before, variants, strict=True)
    )
    return "; ".join(each)


def validate_answer(
    models: Sequence[str],
    choice: SplitChoice,
    plan: "ValidationPlan",
    loop: LoopChoice,
    file: Path | None,
    *,
    as_json: bool,
) -> None:
    """Measure a generation alternately with the decoder's sequences, and show estimates and measurements."""
    from dlbricks.files import refuse_unwritable
    from dlbricks.llm.report import answers_report
    from dlbricks.llm.validation import validate_generation
    from dlbricks.model.read.decoders import refuse_no_decoder
    from dlbricks.model.read.dimensions import dimensions_of
    from dlbricks.model.read.network import find_networks
    from dlbricks.report.console import measuring

    if file is not None:
        refuse_unwritable(file)
    paths = find_networks(models)
    if len(paths) != 1:
        raise InputError(f"--prompt is for one decoder, not {len(paths)} networks")
    known = dimensions_of(paths[0])
    refuse_no_decoder(paths[0], known.short)
    if known.fixed_new > 1:
        raise InputError(
            f"{paths[0]} takes {known.fixed_new} new tokens per call, so that no loop can generate with it: 'estimate "
            "--generate 1' answers its prompt"
        )
    chunk = chunk_for(models, loop.chunk, (loop.prompt,))
    prompts = PromptSpan(first=loop.prompt, last=loop.prompt, generate=loop.generate, chunk=chunk)
    choice = with_lengths(models, choice, prompts)
    loop = replace(loop, chunk=chunk, points=choice.points or (choice.dims,))
    with measuring() as advance:
        validation = validate_generation(paths[0], plan, loop, advance)
    present("answers", validation, lambda: answers_report(validation), as_json=as_json, file=file)


def cut_at(models: Sequence[str], points: Sequence[SplitChoice], threads: int, *, choosing: bool) -> "list[Split]":
    """Split networks at several points.

    Args:
        models: the networks, as named by the user.
        points: split settings of each point.
        threads: that lowered networks are made for.
        choosing: whether to add the networks that sample a decoder's next token, each once.
    """
    from dlbricks.cli.networks import splits
    from dlbricks.model.read.network import batch_of, find_networks
    from dlbricks.suite.token_choice import token_choices

    paths, networks = find_networks(models), []
    choices: dict[tuple[str, str, int], Split] = {}
    for point in points:
        at_point = splits(models, point, threads=threads)
        networks += at_point
        for path, network in zip(paths, at_point, strict=True) if choosing else ():
            methods = token_choices(path, network.model, point.dims, threads=threads)
            batch = batch_of(network.model)
            choices |= {(str(path), method, batch): split for method, split in methods.items()}
    return [*networks, *choices.values()]


def questions_of(models: Sequence[str], choice: SplitChoice) -> list[tuple[Sequence[str], Sequence[str]]]:
    """Return the networks and the options of each command that estimates: with a prompt, one for each decoder."""
    prompts = choice.prompts
    if prompts is None:
        return [(models, ())]
    batches = {point[BATCH] for point in choice.points if BATCH in point}
    options = [*prompts.options, *(["--batch", str(min(batches))] if len(batches) > 1 and not choice.batch else [])]
    return [([model], options) for model in models]


def without_measured(models: Sequence[str], choice: SplitChoice, where: SystemQuery) -> SplitChoice:
    """Choose lengths that the system has measured in place of those for prompts, as far as they tell as much."""
    from dlbricks.llm.measured_prompts import without_measured

    return without_measured(models, choice, where)
