"""``estimate --prompt``: how a decoder answers a prompt, from steps that were measured at a few lengths."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from dlbricks.api import SystemQuery, stored
from dlbricks.cli.networks import as_measured, splits
from dlbricks.cli.options import PAST, SEQUENCE, AnswerChoice, SplitChoice
from dlbricks.construct.compose import compose
from dlbricks.construct.estimate import estimate
from dlbricks.construct.generation import (
    BetweenPoints,
    Generation,
    MeasuredPoint,
    TokenStep,
    call_time,
    lengths,
    summed,
)
from dlbricks.construct.rules import Rule
from dlbricks.errors import CheckError, InputError
from dlbricks.model.read.decoders import step_names
from dlbricks.model.read.dimensions import dimensions_of
from dlbricks.model.read.network import find_networks

if TYPE_CHECKING:
    from dlbricks.construct.types import Estimate
    from dlbricks.model.types import Model

_RULE = Rule(kind="sequential")


def generation(models: Sequence[str], choice: SplitChoice, where: SystemQuery, answer: AnswerChoice) -> Generation:
    """Estimate a prompt and the tokens after it.

    Args:
        models: one decoder, as the user named it.
        choice: how it was cut; its points are the lengths that were measured.
        where: the system.
        answer: how long the prompt is, and what is made of it.

    Raises:
        InputError: no decoder, no points, or lengths that lie too far out.
        CheckError: pieces are missing.
    """
    paths = find_networks(models)
    if len(paths) != 1 or not step_names(dimensions_of(paths[0]).names):
        raise InputError(f"--prompt is of one decoder with past_sequence_length and sequence_length, not {models[0]}")
    points = choice.points or (choice.dims,)
    if not any(PAST in one for one in points):
        raise InputError("--prompt needs the measured lengths, as in --dim past=0,512,2048 --dim sequence=1,256")
    cut = _Cut(str(paths[0]), as_measured(models, choice, where), where)
    known = [cut.at(one) for one in points]
    pasts = lengths(answer.prompt, answer.generate, [one[PAST] for one in points if one.get(SEQUENCE, 1) == 1])
    first, *steps = (
        cut.estimated({PAST: past, SEQUENCE: new}, known, far=answer.extrapolate)
        for past, new in ((0, answer.prompt), *((past, 1) for past in pasts))
    )
    told = [TokenStep(past=past, time=call_time(one, new=1)) for past, one in zip(pasts, steps, strict=True)]
    prompt = call_time(first, new=answer.prompt)
    whole = summed(prompt, told)
    batch = choice.batch or choice.dims.get("batch", 1)
    return Generation(
        network=first.network,
        configuration=first.configuration,
        prompt=answer.prompt,
        generate=answer.generate,
        batch=batch,
        first_token=prompt,
        steps=tuple(told),
        whole=whole,
        tokens_per_s=batch * answer.generate / whole.middle_ns * 1e9,
        weight_bytes=sum(one.spec.nbytes for one in cut.last.constants.values()),
        cache_bytes=sum(cut.last.spec(name).nbytes for name in cut.last.outputs[1:]),
        guessed=max(one.interpolated_layers / max(1, one.layers) for one in (first, *steps)),
    )


class _Cut:
    """Cuts a decoder at lengths, and asks the store for its pieces."""

    last: "Model"
    """The network at the last lengths."""

    def __init__(self, path: str, choice: SplitChoice, where: SystemQuery) -> None:
        self._path, self._choice, self._where = path, choice, where

    def at(self, point: Mapping[str, int]) -> MeasuredPoint:
        """Cut it at one point."""
        at = {PAST: 0, SEQUENCE: 1, **point}
        chosen = replace(self._choice, dims={**self._choice.dims, **at})
        made = splits([self._path], chosen, threads=self._where.threads or 1)[0]
        self.last = made.model
        return MeasuredPoint(at=at, composition=compose(made))

    def estimated(self, point: Mapping[str, int], known: Sequence[MeasuredPoint], *, far: bool) -> "Estimate":
        """Estimate a call at one point; raises CheckError where pieces are missing."""
        target = self.at(point)
        results = stored([target.composition, *(one.composition for one in known)], self._where)
        guesses = BetweenPoints(target, known, results, far=far)
        made = estimate(target.composition, results, _RULE, interpolator=guesses)
        if made.missing:
            at = ", ".join(f"{name}={value}" for name, value in target.at.items())
            raise CheckError(
                f"{len(made.missing)} pieces of {made.network} at {at} have no result, nor two measured lengths to "
                "guess them from: give --dim as the suite was generated, or measure more lengths"
            )
        return made
