"""Estimates prompts and answers of a decoder from measurements of calls at a few lengths."""

import contextlib
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from dlbricks.api.estimates import exactly, stored, stored_each
from dlbricks.cli.output import tell
from dlbricks.cli.splitting import PAST, SEQUENCE, SplitChoice, as_measured, network_files
from dlbricks.construct.compose import compose
from dlbricks.construct.estimate import estimate
from dlbricks.construct.types import Rule
from dlbricks.errors import CheckError, InputError, UnsupportedModelError
from dlbricks.model.lowering.targets import provider_of
from dlbricks.model.read.decoders import BATCH, cache_bytes, refuse_no_decoder
from dlbricks.model.read.dimensions import dimensions_of
from dlbricks.plugins.llm.generation import (
    CallTime,
    ChoiceTime,
    Generation,
    TokenStep,
    call_time,
    chunks_of,
    read_time,
    step_lengths,
    summed,
)
from dlbricks.plugins.llm.lengths import (
    LengthInterpolator,
    MeasuredPoint,
    Point,
    check_comparable_first_step,
    usable_points,
)
from dlbricks.plugins.llm.measured_lengths import is_measured, left_to_measure, lengths_of, measured_points
from dlbricks.plugins.llm.options import AnswerChoice, PromptSpan, at_points, chunk_for, dims_of, with_lengths
from dlbricks.process_pool import Crashed, Workers
from dlbricks.sequences.split import network
from dlbricks.sequences.types import Split
from dlbricks.settings import SplitSettings, SystemQuery
from dlbricks.suite.extraction import token_choices

if TYPE_CHECKING:
    from dlbricks.construct.types import Estimate
    from dlbricks.store.types import SystemResults

_RULE = Rule.SEQUENTIAL
# All extents of a point, sorted by name.
_Key = tuple[tuple[str, int], ...]


class DecoderSplits(contextlib.ExitStack):
    """Splits a decoder at several lengths in one worker process."""

    def __init__(self, path: Path, settings: SplitSettings) -> None:
        """Store the arguments; the decoder is read at the first split."""
        super().__init__()
        self._scratch = Path(self.enter_context(tempfile.TemporaryDirectory(prefix="dlbricks-")))
        apart = provider_of(settings.target) == "cpu"
        self._workers = self.enter_context(Workers(1, apart=apart, memory_bytes=settings.memory_bytes))
        self.path, self._settings = path, settings
        self._split_points: dict[_Key, tuple[Split, MeasuredPoint]] = {}
        self.batch = settings.batch or settings.dims.get(BATCH, 1)

    def settings_at(self, point: Point) -> SplitSettings:
        """Return the settings for splitting the decoder at a point."""
        return self._settings.at(self._whole(point))

    def split(self, point: Point) -> Split:
        """Split the decoder at a point."""
        return self._at([point])[0][0]

    def at(self, point: Point) -> MeasuredPoint:
        """Return the composition of the decoder at a point."""
        return self._at([point])[0][1]

    def at_each(self, points: Iterable[Point]) -> list[MeasuredPoint]:
        """Return the composition of the decoder at each point."""
        return [measured for _, measured in self._at(points)]

    def _whole(self, point: Point) -> dict[str, int]:
        # Complete a point by default values, extents of other dimensions, and the requested batch size.
        others = {name: value for name, value in self._settings.dims.items() if name not in {PAST, SEQUENCE, BATCH}}
        return {PAST: 0, SEQUENCE: 1, BATCH: self.batch, **others, **point}

    def _at(self, points: Iterable[Point]) -> list[tuple[Split, MeasuredPoint]]:
        # Split the decoder at those points at which it is not split yet.
        whole = [(tuple(sorted(at.items())), at) for at in map(self._whole, points)]
        missing = {key: at for key, at in whole if key not in self._split_points}
        settings = [
            replace(self._settings.at(at), batch=at[BATCH] if self._settings.batch else None) for at in missing.values()
        ]
        read = partial(network, self.path, scratch=self._scratch)
        for (key, at), result in zip(missing.items(), self._workers.each(read, settings), strict=True):
            if isinstance(result, Crashed):
                raise UnsupportedModelError(f"{self.path} {result.reason}")
            self._split_points[key] = result, MeasuredPoint(at=at, composition=compose(result))
        return [self._split_points[key] for key, _ in whole]


def _opened(path: Path, choice: SplitChoice) -> DecoderSplits:
    # Return a decoder whose worker process ends with the command.
    splits = DecoderSplits(path, choice.settings)
    return click.get_current_context().with_resource(splits)


def generations(
    models: Sequence[str], choice: SplitChoice, where: SystemQuery, answer: AnswerChoice
) -> list[Generation]:
    """Estimate the time of prompts and of generated tokens.

    Args:
        choice: options for splitting the decoder; ``points`` are the measured lengths.

    Raises:
        InputError: the network is not a decoder, ``points`` is empty, or lengths are too far from the measured ones.
        CheckError: sequences have no measurement.
    """
    answer = replace(answer, chunk=chunk_for(models, answer.chunk, [prompt for prompt, _ in answer.requests]))
    paths = network_files(models)
    if len(paths) > 1:
        fit = next((path for path in paths if dimensions_of(path).short), paths[0])
        raise InputError(f"--prompt needs exactly one decoder, not {len(paths)} networks: name one file, as in {fit}")
    refuse_no_decoder(paths[0], dimensions_of(paths[0]).short)
    prompts, answers = zip(*answer.requests, strict=True)
    has_lengths = not {PAST, SEQUENCE}.isdisjoint(choice.settings.dims)
    span = PromptSpan(first=min(prompts), last=max(prompts), generate=max(answers), chunk=answer.chunk)
    choice = with_lengths(models, choice, span)
    points = usable_points(choice.points or (choice.settings.dims,), answer.partial_chunk)
    if not any(PAST in point for point in points):
        raise InputError("--prompt needs the measured lengths, as in --dim past=0,512,2048 --dim sequence=1,256")
    if choice.settings.batch is None and len({point.get(BATCH, 1) for point in points}) > 1:
        raise InputError("--dim batch has several values, but a prompt has a single batch size: add --batch N")
    splits = _opened(paths[0], as_measured(models, choice, where))
    chosen = splits.at_each(points)
    where = exactly(where, stored([point.composition for point in chosen], where, tell=tell).configuration)
    measured = [] if has_lengths else _measured(splits, chosen, where)
    if measured:
        _tell_measured(where, [point.at for point in measured])
    return [_generation(splits, measured or chosen, where, *request, answer) for request in answer.requests]


def _generation(
    splits: DecoderSplits,
    measured: Sequence[MeasuredPoint],
    where: SystemQuery,
    prompt: int,
    generate: int,
    answer: AnswerChoice,
) -> Generation:
    measured_pasts = [point.at[PAST] for point in measured if point.at[SEQUENCE] == 1]
    pasts = step_lengths(prompt, generate, measured_pasts)
    read = chunks_of(prompt, answer.chunk, measured_pasts)
    targets = splits.at_each([*read, *({PAST: past, SEQUENCE: 1} for past in pasts)])
    sources = [point.composition for point in measured]
    results = stored_each([[target.composition, *sources] for target in targets], where)
    calls = [
        _estimated(target, measured, each, far=answer.extrapolate)
        for target, each in zip(targets, results, strict=True)
    ]
    times = [call_time(call) for call in calls]
    first_token = read_time(prompt, answer.chunk, read, times[: len(read)])
    steps = [TokenStep(past=past, time=time) for past, time in zip(pasts, times[len(read) :], strict=True)]
    whole = summed(first_token, steps)
    last = splits.split(targets[-1].at).model
    return Generation(
        network=calls[0].network,
        configuration=calls[0].configuration,
        prompt=prompt,
        generate=generate,
        batch=splits.batch,
        chunk=read[0][SEQUENCE],
        first_token=first_token,
        steps=tuple(steps),
        whole=whole,
        tokens_per_s=splits.batch * generate / whole.middle_ns * 1e9,
        weight_bytes=sum(constant.spec.nbytes for constant in last.constants.values()),
        cache_bytes=cache_bytes(last),
        guessed=max(call.interpolated_layers / max(1, call.layers) for call in calls),
        choices=_choices(splits, targets[-1].at, where),
    )


def _estimated(
    target: MeasuredPoint, measured: Sequence[MeasuredPoint], results: "SystemResults", *, far: bool
) -> "Estimate":
    # Estimate a call; raises CheckError if sequences have no measurement.
    call = estimate(
        target.composition, results, _RULE, interpolator=LengthInterpolator(target, measured, results, far=far)
    )
    if call.missing:
        reason = next((step.skip for step in target.composition.steps if step.skip), None)
        if reason:
            raise InputError(f"a part of {call.network} cannot be measured: {reason}")
        check_comparable_first_step(target, measured)
        at = ", ".join(f"{name}={value}" for name, value in target.at.items())
        raise CheckError(
            f"{call.network} at {at} lacks results of sequences that cannot be interpolated ({len(call.missing)}): use "
            "the --dim of the suite, or measure them ('llm plan' with this --prompt writes the suite)"
        )
    return call


def _choices(splits: DecoderSplits, point: Point, where: SystemQuery) -> tuple[ChoiceTime, ...]:
    # Estimate the time to choose a token after a call at this point, for each method that was measured.
    samples = token_choices(splits.path, splits.split(point).model, splits.settings_at(point))
    composed = {how: compose(sample) for how, sample in samples.items()}
    if not composed:
        return ()
    results = stored([*composed.values()], where)
    times = {how: estimate(composition, results, _RULE) for how, composition in composed.items()}
    return tuple(
        ChoiceTime(how=how, time=CallTime(low_ns=time.low_ns, middle_ns=time.total_ns, high_ns=time.high_ns))
        for how, time in times.items()
        if not time.missing
    )


def without_measured(
    models: Sequence[str], choice: SplitChoice, prompts: PromptSpan, where: SystemQuery
) -> SplitChoice:
    """Replace the points of ``choice`` by points that a system has measured, if these suffice for the prompts.

    The new lengths are printed on stderr as options.

    Args:
        models: decoders; a point counts only if it was measured for all of them.
        choice: options for splitting the decoder; ``points`` are the lengths for the prompts.
    """
    paths = [path for path in network_files(models) if dimensions_of(path).short]
    points: list[Point] = []
    extents = ({name: size for name, size in point.items() if name not in {PAST, SEQUENCE}} for point in choice.points)
    for others in {tuple(extent.items()): extent for extent in extents}.values():
        at_others = replace(choice, settings=choice.settings.at(others))
        decoders = [_opened(path, at_others) for path in paths]
        wanted: list[Point] = [lengths_of(point) for point in choice.points if point.items() >= others.items()]
        chosen = [splits.at_each(wanted) for splits in decoders]
        measured = [_measured(splits, some, where) for splits, some in zip(decoders, chosen, strict=True)]
        common = [
            point for point in measured[0] if all(point.at in [each.at for each in some] for some in measured[1:])
        ]
        left = left_to_measure(chosen[0], prompts.calls, common)
        if len(left) < len(wanted):
            wanted = [lengths_of(point.at) for point in common]
            wanted += [point for point in left if point not in wanted]
            _tell_measured(where, wanted)
        points += [{**others, **point} for point in wanted]
    return at_points(choice, points)


def _measured(splits: DecoderSplits, chosen: Sequence[MeasuredPoint], where: SystemQuery) -> list[MeasuredPoint]:
    # Return the points that the system has measured; none if it has measured all chosen ones.
    results = stored([point.composition for point in chosen], where, everything=True)
    return [] if all(is_measured(point, results) for point in chosen) else measured_points(splits.at, chosen, results)


def _tell_measured(where: SystemQuery, points: Sequence[Point]) -> None:
    tell(f"using the lengths measured on {where.system}: {dims_of([lengths_of(point) for point in points])}")
