"""Implementation of ``llm estimate --prompt``: a decoder's prompt and steps, from measurements at a few lengths."""

from collections.abc import Sequence
from dataclasses import replace

from dlbricks.cli.networks import as_measured, network_files
from dlbricks.cli.splitting import PAST, SEQUENCE, SplitChoice
from dlbricks.errors import InputError
from dlbricks.model.passes.shape_inference import symbolic_inference
from dlbricks.model.read.call_axes import cache_bytes
from dlbricks.model.read.decoders import BATCH, refuse_no_decoder
from dlbricks.model.read.dimensions import dimensions_of
from dlbricks.plugins.llm.decoder_splits import DecoderSplits
from dlbricks.plugins.llm.generation import (
    Generation,
    TokenStep,
    call_time,
    chunks_of,
    read_time,
    step_lengths,
    summed,
)
from dlbricks.plugins.llm.lengths import MeasuredPoint, usable_points
from dlbricks.plugins.llm.measured_prompts import where_measured
from dlbricks.plugins.llm.options import AnswerChoice
from dlbricks.plugins.llm.prompts import PromptSpan, chunk_for, with_lengths
from dlbricks.settings import SystemQuery


def generations(
    models: Sequence[str], choice: SplitChoice, where: SystemQuery, answer: AnswerChoice
) -> list[Generation]:
    """Estimate prompts and generated tokens.

    Args:
        models: one decoder, as named by the user.
        choice: options on the split; the points are the measured lengths.
        where: the system.
        answer: lengths of the prompts and of the generated tokens.

    Raises:
        InputError: it is not a decoder, there are no points, or lengths are too far from the measured ones.
        CheckError: sequences have no measurement.
    """
    answer = replace(answer, chunk=chunk_for(models, answer.chunk, [prompt for prompt, _ in answer.asked]))
    cut, measured = _opened(models, choice, where, answer)
    return [_generation(cut, measured, prompt, generate, answer) for prompt, generate in answer.asked]


def _opened(
    models: Sequence[str], choice: SplitChoice, where: SystemQuery, answer: AnswerChoice
) -> "tuple[DecoderSplits, list[MeasuredPoint]]":
    """Return a decoder, and the points at which it was measured."""
    paths = network_files(models)
    if len(paths) > 1:
        fit = next((path for path in paths if dimensions_of(path).short), paths[0])
        raise InputError(f"--prompt is for one decoder, not {len(paths)} networks: name one file, as in {fit}")
    refuse_no_decoder(paths[0], dimensions_of(paths[0]).short)
    prompts, answers = zip(*answer.asked, strict=True)
    has_lengths = not {PAST, SEQUENCE}.isdisjoint(choice.settings.dims)
    span = PromptSpan(first=min(prompts), last=max(prompts), generate=max(answers), chunk=answer.chunk)
    choice = with_lengths(models, choice, span)
    points = usable_points(choice.points or (choice.settings.dims,), answer.partial_chunk)
    if not any(PAST in point for point in points):
        raise InputError("--prompt needs the measured lengths, as in --dim past=0,512,2048 --dim sequence=1,256")
    batches = {point.get(BATCH, 1) for point in points}
    if len(batches) > 1 and choice.settings.batch is None:
        raise InputError("--dim batch has several extents: give --batch N for the prompt")
    symbolic_inference()  # each length is read in a fork
    cut = DecoderSplits(paths[0], as_measured(models, choice, where), where)
    measured = cut.at_each(points)
    return cut, measured if has_lengths else where_measured(cut, measured, where)


def _generation(
    cut: "DecoderSplits", measured: Sequence[MeasuredPoint], prompt: int, generate: int, answer: AnswerChoice
) -> Generation:
    measured_pasts = [point.at[PAST] for point in measured if point.at[SEQUENCE] == 1]
    pasts = step_lengths(prompt, generate, measured_pasts)
    read = chunks_of(prompt, answer.chunk, measured_pasts)
    points = [*read, *({PAST: past, SEQUENCE: 1} for past in pasts)]
    calls = cut.estimated(points, measured, far=answer.extrapolate)
    first = calls[0]
    times = [call_time(call) for call in calls]
    answered = read_time(prompt, answer.chunk, read, times[: len(read)])
    token_steps = [TokenStep(past=past, time=time) for past, time in zip(pasts, times[len(read) :], strict=True)]
    whole = summed(answered, token_steps)
    last = cut.model(points[-1])
    return Generation(
        network=first.network,
        configuration=first.configuration,
        prompt=prompt,
        generate=generate,
        batch=cut.batch,
        chunk=read[0][SEQUENCE],
        first_token=answered,
        steps=tuple(token_steps),
        whole=whole,
        tokens_per_s=cut.batch * generate / whole.middle_ns * 1e9,
        weight_bytes=sum(constant.spec.nbytes for constant in last.constants.values()),
        cache_bytes=cache_bytes(last),
        guessed=max(call.interpolated_layers / max(1, call.layers) for call in calls),
        choices=cut.choices(points[-1]),
    )
