"""A decoder split at several lengths, and estimates of its calls from stored measurements."""

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from dlbricks.cli.splitting import PAST, SEQUENCE, SplitChoice
from dlbricks.construct.compose import compose
from dlbricks.construct.estimate import estimate
from dlbricks.construct.rules import Rule
from dlbricks.errors import CheckError, InputError, UnsupportedModelError
from dlbricks.estimating import stored, stored_each
from dlbricks.model.lowering.targets import provider_of
from dlbricks.model.read.decoders import BATCH
from dlbricks.plugins.llm.generation import CallTime, ChoiceTime
from dlbricks.plugins.llm.lengths import LengthInterpolator, MeasuredPoint, check_comparable_first_step
from dlbricks.process_pool import Crashed, Workers
from dlbricks.sequences.network import network
from dlbricks.sequences.types import Split
from dlbricks.settings import SystemQuery
from dlbricks.suite.token_choice import token_choices

if TYPE_CHECKING:
    from collections.abc import Iterable

    from dlbricks.construct.types import Estimate
    from dlbricks.model.types import Model
    from dlbricks.store.types import SystemResults

_RULE = Rule(kind="sequential")
_Key = tuple[tuple[str, int], ...]
"""A whole point, sorted."""


class DecoderSplits:
    """A decoder, split at several lengths in one worker process, with its measurements in the store."""

    def __init__(self, path: Path, choice: SplitChoice, where: SystemQuery) -> None:
        """Read nothing yet.

        Args:
            path: of the decoder.
            choice: options on the split, as measured; its lengths are replaced.
            where: the system.
        """
        context, apart = click.get_current_context(), provider_of(choice.settings.target) == "cpu"
        self._scratch = Path(context.with_resource(tempfile.TemporaryDirectory(prefix="dlbricks-")))
        self._workers = context.with_resource(Workers(1, apart=apart, memory_bytes=choice.memory_bytes))
        self._path, self._settings, self._where = path, choice.settings, where
        self._made: dict[_Key, Split] = {}
        self._composed: dict[_Key, MeasuredPoint] = {}
        self.batch = choice.settings.batch or choice.settings.dims.get(BATCH, 1)

    def model(self, point: Mapping[str, int]) -> "Model":
        """Return the network at a point."""
        return self._split(self._whole(point)).model

    def at(self, point: Mapping[str, int]) -> MeasuredPoint:
        """Split it at a point."""
        at = self._whole(point)
        key = tuple(sorted(at.items()))
        if key not in self._composed:
            self._composed[key] = MeasuredPoint(at=at, composition=compose(self._split(at)))
        return self._composed[key]

    def at_each(self, points: "Iterable[Mapping[str, int]]") -> list[MeasuredPoint]:
        """Split it at several points."""
        whole = [self._whole(point) for point in points]
        self._read(whole)
        return [self.at(one) for one in whole]

    def _whole(self, point: Mapping[str, int]) -> dict[str, int]:
        """Return a point with default values, extents of other dimensions, and the requested batch size."""
        others = {name: value for name, value in self._settings.dims.items() if name not in {PAST, SEQUENCE, BATCH}}
        return {PAST: 0, SEQUENCE: 1, BATCH: self.batch, **others, **point}

    def _split(self, at: Mapping[str, int]) -> Split:
        self._read([at])
        return self._made[tuple(sorted(at.items()))]

    def _read(self, points: Sequence[Mapping[str, int]]) -> None:
        """Split it at those of some whole points at which it is not split yet."""
        missing = {key: at for at in points if (key := tuple(sorted(at.items()))) not in self._made}
        if not missing:
            return
        settings = [
            replace(self._settings.at(at), batch=at[BATCH] if self._settings.batch else None) for at in missing.values()
        ]
        read = partial(network, self._path, scratch=self._scratch)
        for key, result in zip(missing, self._workers.each(read, settings, lambda _: None), strict=True):
            if isinstance(result, Crashed):
                raise UnsupportedModelError(f"{self._path} {result.reason}")
            self._made[key] = result

    def choices(self, point: Mapping[str, int]) -> tuple[ChoiceTime, ...]:
        """Estimate sampling a token after a call at a point, by the methods that were measured."""
        cut = token_choices(self._path, self.model(point), self._settings.at(self._whole(point)))
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

    def estimated(
        self, points: Sequence[Mapping[str, int]], known: Sequence[MeasuredPoint], *, far: bool
    ) -> "list[Estimate]":
        """Estimate a call at each of some points; raises CheckError if sequences have no measurement."""
        targets = self.at_each(points)
        told = [one.composition for one in known]
        found = stored_each([[target.composition, *told] for target in targets], self._where)
        return [_estimated(target, known, results, far=far) for target, results in zip(targets, found, strict=True)]


def _estimated(
    target: MeasuredPoint, known: Sequence[MeasuredPoint], results: "SystemResults", *, far: bool
) -> "Estimate":
    guesses = LengthInterpolator(target, known, results, far=far)
    made = estimate(target.composition, results, _RULE, interpolator=guesses)
    if made.missing:
        reason = next((step.skip for step in target.composition.steps if step.skip), None)
        if reason:
            raise InputError(f"a part of {made.network} cannot be measured: {reason}")
        check_comparable_first_step(target, known)
        at = ", ".join(f"{name}={value}" for name, value in target.at.items())
        raise CheckError(
            f"{len(made.missing)} sequences of {made.network} at {at} have no result and cannot be interpolated: "
            "give the --dim of the suite, or measure what lacks ('plan' with this --prompt)"
        )
    return made
