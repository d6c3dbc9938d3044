"""Estimate, validate, plan and generate for prompts of language models.

Each command has the options of the command without ``llm``, and does the same without a prompt.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from dlbricks.cli.estimates import estimate_options, show_estimates
from dlbricks.cli.options import ManyOptionsCommand
from dlbricks.cli.output import present, tell
from dlbricks.cli.planning import plan_options, show_plan
from dlbricks.cli.splitting import BATCH, SplitChoice, as_measured, extent_options, models_argument, network_files
from dlbricks.cli.suite import generate_options, show_generated
from dlbricks.cli.validation import show_validation, validate_options
from dlbricks.errors import CheckError, InputError
from dlbricks.plugins.llm.options import (
    AnswerChoice,
    PromptSpan,
    answer_options,
    chunk_for,
    dims_of,
    lengths_options,
    model_arguments,
    original_models,
    tell_lengths,
    variant_options,
    with_lengths,
)
from dlbricks.settings import SystemQuery

if TYPE_CHECKING:
    from dlbricks.validate.measure import ValidationPlan


@click.group(short_help="Estimate, validate, plan and generate for prompts of language models.")
def llm() -> None:
    """Estimate, validate, plan and generate for decoders, for given lengths of a prompt and its answer.

    For example, 'llm plan' has the options of 'plan', and does the same as 'plan' if no prompt is given.
    """


@llm.command(
    cls=ManyOptionsCommand,
    basic="--weights --prompt --generate --chunk --sweep --dim --batch --system --provider --threads --runtime --json",
    short_help="Estimate how long a decoder takes for prompts and answers.",
)
@models_argument
@variant_options
@answer_options(1, sweep=True)
@estimate_options
def estimate(
    *,
    models: Sequence[str],
    choice: SplitChoice,
    systems: Sequence[SystemQuery],
    answer: AnswerChoice | None,
    as_json: bool,
    **others: Any,
) -> None:
    """Estimate a decoder's time to first token, time per token and total time.

    --prompt 512 --generate 128 estimates these times from calls that were measured at the lengths of --dim, as in --dim
    past=0,512,2048 --dim sequence=1,256. By default, the lengths that the system has results for are used and printed
    (docs/language-models.md). --weights int4 and --kv-heads 2 estimate a variant of the decoder, and compare it with
    the decoder itself if the system has measured it.
    """
    if answer is None:
        show_estimates(models=models, choice=choice, systems=systems, as_json=as_json, **others)
    else:
        show_answer(models, choice, systems, answer, as_json=as_json)


@llm.command(
    cls=ManyOptionsCommand,
    basic="--weights --prompt --generate --chunk --target --dim --batch --provider --threads --budget -o --json",
    short_help="Compare estimated and measured times of a decoder's answers.",
)
@models_argument
@variant_options
@answer_options(16, sweep=False)
@validate_options
def validate(*, models: Sequence[str], choice: SplitChoice, answer: AnswerChoice | None, **others: Any) -> None:
    """Run a decoder in a loop, alternating with measurements of its sequences, and compare the loop with the estimates.

    --prompt 512 --generate 64 measures the sequences at the lengths of --dim, as in --dim past=0,1024 --dim
    sequence=1,256. By default, the lengths that 'llm generate' chooses are used (docs/language-models.md). The outputs
    of calls with at most 10^11 operations are checked to be finite.
    """
    from dlbricks.api.validation import plan_of

    if answer is None:
        show_validation(models=models, choice=choice, **others)
        return
    for name in ("rule", "resume", "keep"):
        if others[name]:
            raise InputError(f"cannot use both --{name} and --prompt: leave one out")
    network_files(models, choice.settings)
    plan = plan_of(choice.settings, others["run_options"])
    file = Path(others["out"]) if others["out"] else None
    validate_answer(models, choice, plan, answer, file, as_json=others["as_json"])


@llm.command(
    cls=ManyOptionsCommand,
    basic="--weights --prompt --generate --chunk --dim --batch --system --provider --threads --runtime -o --json",
    short_help="Write a suite of the decoders' sequences that a system has not measured.",
)
@models_argument
@variant_options
@plan_options
@lengths_options
def plan(
    *, models: Sequence[str], choice: SplitChoice, where: SystemQuery, prompts: PromptSpan | None, **others: Any
) -> None:
    """Write the smallest suite of the decoders' sequences that a system has not measured.

    --prompt 128..4096 chooses the lengths that estimates of such prompts need, except those that the system has results
    for (docs/language-models.md).
    """
    from dlbricks.plugins.llm.estimates import without_measured

    choice = as_measured(models, choice, where)
    if prompts is not None:
        choice = without_measured(models, choice, prompts, where)
    extents = extent_options(choice.points or (choice.settings.dims,))
    estimates: list[Sequence[Sequence[str]]] = [(("llm", "estimate", *model_arguments(models)), extents, ())]
    if prompts is not None:
        batches = {point[BATCH] for point in choice.points if BATCH in point}
        several = len(batches) > 1 and not choice.settings.batch
        # an estimate is of a single batch size: of several measured ones the smallest
        question = [*prompts.options, *(["--batch", str(min(batches))] if several else [])]
        extents = dims_of(choice.points).split()
        estimates = [(("llm", "estimate", *model_arguments([model])), extents, question) for model in models]
    show_plan(models, choice, where, estimates, **others)


@llm.command(
    cls=ManyOptionsCommand,
    basic="--weights --prompt --generate --chunk --target --dim --batch -o --pack --name --threads --json",
    short_help="Write a suite of decoders, split at the lengths that prompts need.",
)
@models_argument
@variant_options
@generate_options
@lengths_options
def generate(*, models: Sequence[str], choice: SplitChoice, prompts: PromptSpan | None, **others: Any) -> None:
    """Split decoders into unique layer sequences and write a suite of benchmarks.

    --prompt 128..4096 chooses the lengths that estimates of such prompts need (docs/language-models.md).
    """
    if prompts is not None:
        tell_lengths(choice)
    show_generated(models, choice, **others)


def show_answer(
    models: Sequence[str], choice: SplitChoice, systems: Sequence[SystemQuery], answer: AnswerChoice, *, as_json: bool
) -> None:
    """Estimate answers of a decoder and show them; compare a variant with the original decoder."""
    from dlbricks.plugins.llm.estimates import generations
    from dlbricks.plugins.llm.report import against_text, generation_report, sweep_report

    if len(systems) > 1 or not systems[0].system:
        raise InputError("--prompt works for one system: give one --system and one --runtime")
    estimates = generations(models, choice, systems[0], answer)
    if (originals := original_models()) is not None:
        try:
            tell(against_text(generations(originals, choice, systems[0], answer), estimates))
        except CheckError as error:
            tell(f"cannot compare with the original decoder: {error}")
    if answer.swept:
        present("sweep", {"answers": estimates}, lambda: sweep_report(estimates), as_json=as_json)
    else:
        present("generation", estimates[0], lambda: generation_report(estimates[0]), as_json=as_json)


def validate_answer(
    models: Sequence[str],
    choice: SplitChoice,
    plan: "ValidationPlan",
    answer: AnswerChoice,
    file: Path | None,
    *,
    as_json: bool,
) -> None:
    """Validate the estimate of an answer, and show estimated and measured times."""
    from dlbricks.files import refuse_unwritable, write_text
    from dlbricks.model.read.decoders import refuse_no_decoder
    from dlbricks.model.read.dimensions import dimensions_of
    from dlbricks.plugins.llm.report import answers_report
    from dlbricks.plugins.llm.validation import validate_generation
    from dlbricks.report.console import measuring, to_json

    if file is not None:
        refuse_unwritable(file, b"{", replace=plan.options.force)
    paths = network_files(models)
    if len(paths) != 1:
        raise InputError(f"--prompt needs exactly one decoder, not {len(paths)} networks: name one")
    dimensions = dimensions_of(paths[0])
    refuse_no_decoder(paths[0], dimensions.short)
    if dimensions.fixed_new > 1:
        raise InputError(
            f"{paths[0]} takes {dimensions.fixed_new} new tokens per call, so it cannot generate: estimate its "
            "prompt with 'llm estimate --generate 1'"
        )
    ((prompt, generate),) = answer.requests
    chunk = chunk_for(models, answer.chunk, (prompt,))
    choice = with_lengths(models, choice, PromptSpan(first=prompt, last=prompt, generate=generate, chunk=chunk))
    with measuring() as advance:
        validation = validate_generation(
            paths[0],
            plan,
            prompt,
            generate,
            chunk=chunk,
            points=choice.points or (choice.settings.dims,),
            extrapolate=answer.extrapolate,
            progress=advance,
        )
    if file is not None:
        write_text(file, to_json("answers", validation))
    present("answers", validation, lambda: answers_report(validation), as_json=as_json)
