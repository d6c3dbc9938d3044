"""Lengths at which a system has measured a decoder, to estimate prompts from, or not to measure them again."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from dlbricks.cli.networks import network_files
from dlbricks.cli.output import tell
from dlbricks.cli.splitting import PAST, SEQUENCE, SplitChoice
from dlbricks.estimating import stored
from dlbricks.model.passes.shape_inference import symbolic_inference
from dlbricks.model.read.dimensions import dimensions_of
from dlbricks.plugins.llm.decoder_splits import DecoderSplits
from dlbricks.plugins.llm.lengths import MeasuredPoint, Point
from dlbricks.plugins.llm.measured_lengths import is_measured, left_to_measure, lengths_of, measured_points
from dlbricks.plugins.llm.prompts import PromptSpan, at_points, dims_of
from dlbricks.settings import SystemQuery


def where_measured(cut: DecoderSplits, known: list[MeasuredPoint], where: SystemQuery) -> list[MeasuredPoint]:
    """Return points of the decoder that the system has measured if it lacks results of those chosen for a prompt.

    The lengths are printed on stderr as options.
    """
    found = _found(cut, known, where)
    if not found:
        return known
    _tell_found(where, [one.at for one in found])
    return found


def without_measured(
    models: Sequence[str], choice: SplitChoice, prompts: PromptSpan, where: SystemQuery
) -> SplitChoice:
    """Choose lengths that the system has measured in place of those for prompts, as far as they tell as much.

    Calls that can be told from measured lengths need no others. The lengths are printed on stderr as options.

    Args:
        models: decoders, as named by the user; of several a length counts if it was measured of all.
        choice: options on the split; the points are lengths for the prompts.
        prompts: those to estimate.
        where: the system.
    """
    paths = [path for path in network_files(models) if dimensions_of(path).short]
    symbolic_inference()  # each decoder is read in a fork
    points: list[Point] = []
    for others in _others(choice.points):
        at_others = replace(choice, settings=choice.settings.at(others))
        cuts = [DecoderSplits(path, at_others, where) for path in paths]
        wanted: list[Point] = [lengths_of(point) for point in choice.points if point.items() >= others.items()]
        known = [cut.at_each(wanted) for cut in cuts]
        found = [_found(cut, some, where) for cut, some in zip(cuts, known, strict=True)]
        common = [one for one in found[0] if all(one.at in [each.at for each in some] for some in found[1:])]
        left = left_to_measure(known[0], prompts.calls, common)
        if len(left) < len(wanted):
            wanted = [lengths_of(one.at) for one in common]
            wanted += [one for one in left if one not in wanted]
            _tell_found(where, wanted)
        points += [{**others, **one} for one in wanted]
    return at_points(choice, points)


def _found(cut: DecoderSplits, known: Sequence[MeasuredPoint], where: SystemQuery) -> list[MeasuredPoint]:
    """Return the points that the system has measured; none if it has measured all that are known."""
    results = stored([one.composition for one in known], where, everything=True)
    return [] if all(is_measured(one, results) for one in known) else measured_points(cut.at, known, results)


def _tell_found(where: SystemQuery, points: Sequence[Point]) -> None:
    tell(f"lengths as measured on {where.system}: {dims_of([lengths_of(one) for one in points])}")


def _others(points: Sequence[Mapping[str, int]]) -> list[dict[str, int]]:
    """Return the extents of points without their lengths, each combination once."""
    made = ({name: value for name, value in point.items() if name not in {PAST, SEQUENCE}} for point in points)
    return list({tuple(one.items()): one for one in made}.values())
