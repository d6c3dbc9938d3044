"""Implementation of ``estimate --prompt``: a decoder's prompt and steps, from measurements at a few lengths."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from dlbricks.cli.decoding import AnswerChoice, DraftChoice
from dlbricks.cli.lengths import dims_of, with_lengths
from dlbricks.cli.networks import as_measured, splits
from dlbricks.cli.output import tell
from dlbricks.cli.splitting import PAST, SEQUENCE, SplitChoice
from dlbricks.construct.compose import compose
from dlbricks.construct.estimate import estimate
from dlbricks.construct.generation import (
    CallTime,
    ChoiceTime,
    Generation,
    TokenStep,
    added,
    call_time,
    chunks_of,
    step_lengths,
    summed,
)
from dlbricks.construct.lengths import LengthInterpolator, MeasuredPoint, helpful, refuse_odd_step
from dlbricks.construct.measured_lengths import is_measured, measured_points
from dlbricks.construct.rules import Rule
from dlbricks.construct.speculation import Round, Speculation, speculated
from dlbricks.errors import CheckError, InputError
from dlbricks.estimating import SystemQuery, stored
from dlbricks.model.passes.shape_inference import symbolic_inference
from dlbricks.model.read.call_axes import cache_bytes
from dlbricks.model.read.decoders import BATCH, refuse_no_decoder
from dlbricks.model.read.dimensions import dimensions_of
from dlbricks.model.read.network import batch_of, find_networks
from dlbricks.sequences.types import Split
from dlbricks.suite.token_choice import token_choices

if TYPE_CHECKING:
    from dlbricks.construct.types import Estimate
    from dlbricks.model.types import Model

_RULE = Rule(kind="sequential")


def generations(
    models: Sequence[str], choice: SplitChoice, where: SystemQuery, answer: AnswerChoice
) -> list[Generation]:
    """Estimate prompts and generated tokens.

    Args:
        models: one decoder, as named by the user.
        choice: split settings; the points are the measured lengths.
        where: the system.
        answer: lengths of the prompts and of the generated tokens.

    Raises:
        InputError: it is not a decoder, there are no points, or lengths are too far from the measured ones.
        CheckError: sequences have no measurement.
    """
    cut, known = _opened(models, choice, where, answer)
    return [_generation(cut, known, prompt, generate, answer) for prompt, generate in answer.asked]


def speculation(
    models: Sequence[str], choice: SplitChoice, where: SystemQuery, answer: AnswerChoice, drafting: DraftChoice
) -> Speculation:
    """Estimate speculative decoding with a draft model that was measured at the same lengths; see ``generations``."""
    large = _opened(models, choice, where, answer)
    plain = _generation(*large, *answer.asked[0], answer)
    if plain.batch > 1:
        raise InputError("--draft is for a batch size of 1: give --batch 1")
    small = _opened([drafting.model], choice, where, answer)

    def time(of: "tuple[_Cut, Sequence[MeasuredPoint]]", past: int, new: int) -> CallTime:
        cut, known = of
        point = {PAST: past, SEQUENCE: new}
        return call_time(cut.estimated(point, known, far=answer.extrapolate))

    rounds = [
        Round(past=one.past, drafting=time(small, one.past, 1), verifying=time(large, one.past, drafting.ahead + 1))
        for one in plain.steps
    ]
    prompt = added([time(small, one[PAST], one[SEQUENCE]) for one in chunks_of(plain.prompt, plain.chunk)])
    name = small[0].model({PAST: plain.prompt}).name
    return speculated(plain, name, prompt, rounds, ahead=drafting.ahead, accepted=drafting.accepted)


def _opened(
    models: Sequence[str], choice: SplitChoice, where: SystemQuery, answer: AnswerChoice
) -> "tuple[_Cut, list[MeasuredPoint]]":
    """Return a decoder, and the points at which it was measured."""
    paths = find_networks(models)
    if len(paths) > 1:
        fit = next((path for path in paths if dimensions_of(path).short), paths[0])
        raise InputError(f"--prompt is for one decoder, not {len(paths)} networks: name one file, as in {fit}")
    refuse_no_decoder(paths[0], dimensions_of(paths[0]).short)
    prompts, most = [one for one, _ in answer.asked], max(made for _, made in answer.asked)
    ahead = answer.drafting.ahead if answer.drafting else None
    given = not {PAST, SEQUENCE}.isdisjoint(choice.dims)
    choice = with_lengths(models, choice, (min(prompts), max(prompts)), most, answer.chunk, ahead)
    points = helpful(choice.points or (choice.dims,), *answer.several)
    if not any(PAST in one for one in points):
        raise InputError("--prompt needs the measured lengths, as in --dim past=0,512,2048 --dim sequence=1,256")
    batches = {one.get(BATCH, 1) for one in points}
    if len(batches) > 1 and choice.batch is None:
        raise InputError("--dim batch has several extents: give --batch N for the prompt")
    symbolic_inference()  # each length is read in a fork
    cut = _Cut(str(paths[0]), as_measured(models, choice, where), where)
    known = [cut.at(one) for one in points]
    return cut, known if given else _where_measured(cut, known, where)


def _where_measured(cut: "_Cut", known: list[MeasuredPoint], where: SystemQuery) -> list[MeasuredPoint]:
    """Return points of the decoder that the system has measured if it lacks results of those chosen for a prompt.

    The lengths are printed on stderr as options.
    """
    results = stored([one.composition for one in known], where, everything=True)
    if all(is_measured(one, results) for one in known):
        return known
    found = measured_points(cut.at, known, results)
    if not found:
        return known
    lengths = [{name: one.at[name] for name in (PAST, SEQUENCE)} for one in found]
    tell(f"lengths as measured on {where.system}: {dims_of(lengths)}")
    return found


def _generation(
    cut: "_Cut", known: Sequence[MeasuredPoint], prompt: int, generate: int, answer: AnswerChoice
) -> Generation:
    pasts = step_lengths(prompt, generate, [one.at[PAST] for one in known if one.at[SEQUENCE] == 1])
    read = chunks_of(prompt, min(answer.chunk or prompt, prompt))
    points = [*read, *({PAST: past, SEQUENCE: 1} for past in pasts)]
    made = [cut.estimated(point, known, far=answer.extrapolate) for point in points]
    first = made[0]
    times = [call_time(one) for one in made]
    answered = added(times[: len(read)])
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
        weight_bytes=sum(one.spec.nbytes for one in last.constants.values()),
        cache_bytes=cache_bytes(last),
        guessed=max(one.interpolated_layers / max(1, one.layers) for one in made),
        choices=cut.choices(points[-1]),
    )


def cut_at(models: Sequence[str], points: Sequence[SplitChoice], threads: int, *, choosing: bool) -> list[Split]:
    """Split networks at several points.

    Args:
        models: the networks, as named by the user.
        points: split settings of each point.
        threads: that lowered networks are made for.
        choosing: whether to add the networks that sample a decoder's next token, each once.
    """
    paths, made, choices = find_networks(models), list[Split](), dict[tuple[str, str, int], Split]()
    for point in points:
        cut = splits(models, point, threads=threads)
        made += cut
        for path, one in zip(paths, cut, strict=True) if choosing else ():
            batch = batch_of(one.model)
            found = token_choices(path, one.model, point.dims, threads=threads)
            choices |= {(str(path), how, batch): network for how, network in found.items()}
    return [*made, *choices.values()]


class _Cut:
    """A decoder, split at several lengths, with its measurements in the store."""

    def __init__(self, path: str, choice: SplitChoice, where: SystemQuery) -> None:
        self._path, self._choice, self._where = path, choice, where
        self._made: dict[tuple[tuple[str, int], ...], Split] = {}
        self.batch = choice.batch or choice.dims.get(BATCH, 1)

    def model(self, point: Mapping[str, int]) -> "Model":
        """Return the network at a point."""
        return self._split(self._whole(point)).model

    def at(self, point: Mapping[str, int]) -> MeasuredPoint:
        """Split it at a point."""
        at = self._whole(point)
        return MeasuredPoint(at=at, composition=compose(self._split(at)))

    def _whole(self, point: Mapping[str, int]) -> dict[str, int]:
        """Return a point with default values, extents of other dimensions, and the requested batch size."""
        others = {name: value for name, value in self._choice.dims.items() if name not in {PAST, SEQUENCE, BATCH}}
        return {PAST: 0, SEQUENCE: 1, BATCH: self.batch, **others, **point}

    def _split(self, at: Mapping[str, int]) -> Split:
        key = tuple(sorted(at.items()))
        if key not in self._made:
            batch = at[BATCH] if self._choice.batch else None
            chosen = replace(self._choice, dims={**self._choice.dims, **at}, batch=batch)
            (self._made[key],) = splits([self._path], chosen, threads=self._where.threads or 1)
        return self._made[key]

    def choices(self, point: Mapping[str, int]) -> tuple[ChoiceTime, ...]:
        """Estimate sampling a token after a call at a point, by the methods that were measured."""
        at = self._whole(point)
        cut = token_choices(Path(self._path), self.model(point), at, threads=self._where.threads or 1)
        composed = {how: compose(one) for how, one in cut.items()}
        if not composed:
            return ()
        results = stored([*composed.values()], self._where)
        made = {how: estimate(one, results, _RULE) for how, one in composed.items()}
        return tuple(
            ChoiceTime(how=how, time=CallTime(low_ns=one.low_ns, middle_ns=one.total_ns, high_ns=one.high_ns))
            for how, one in made.items()
            if not one.missing
        )

    def estimated(self, point: Mapping[str, int], known: Sequence[MeasuredPoint], *, far: bool) -> "Estimate":
        """Estimate a call at a point; raises CheckError if sequences have no measurement."""
        target = self.at(point)
        results = stored([target.composition, *(one.composition for one in known)], self._where)
        guesses = LengthInterpolator(target, known, results, far=far)
        made = estimate(target.composition, results, _RULE, interpolator=guesses)
        if made.missing:
            reason = next((step.skip for step in target.composition.steps if step.skip), None)
            if reason:
                raise InputError(f"a part of {made.network} cannot be measured: {reason}")
            refuse_odd_step(target, known)
            at = ", ".join(f"{name}={value}" for name, value in target.at.items())
            raise CheckError(
                f"{len(made.missing)} sequences of {made.network} at {at} have no result and cannot be interpolated: "
                "give the --dim of the suite, or measure what lacks ('plan' with this --prompt)"
            )
        return made
