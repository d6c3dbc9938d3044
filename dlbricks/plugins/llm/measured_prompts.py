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


def where_measured(cut: DecoderSplits, chosen: list[MeasuredPoint], where: SystemQuery) -> list[MeasuredPoint]:
    """Return points of the decoder that the system has measured if it lacks results of those chosen for a prompt.

    The lengths are printed on stderr as options.
    """
    measured = _measured(cut, chosen, where)
    if not measured:
        return chosen
    _tell_measured(where, [point.at for point in measured])
    return measured


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
        chosen = [cut.at_each(wanted) for cut in cuts]
        measured = [_measured(cut, some, where) for cut, some in zip(cuts, chosen, strict=True)]
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


def _measured(cut: DecoderSplits, chosen: Sequence[MeasuredPoint], where: SystemQuery) -> list[MeasuredPoint]:
    """Return the points that the system has measured; none if it has measured all that were chosen."""
    results = stored([point.composition for point in chosen], where, everything=True)
    return [] if all(is_measured(point, results) for point in chosen) else measured_points(cut.at, chosen, results)


def _tell_measured(where: SystemQuery, points: Sequence[Point]) -> None:
    tell(f"lengths as measured on {where.system}: {dims_of([lengths_of(point) for point in points])}")


def _others(points: Sequence[Mapping[str, int]]) -> list[dict[str, int]]:
    """Return the extents of points without their lengths, each combination once."""
    others = ({name: value for name, value in point.items() if name not in {PAST, SEQUENCE}} for point in points)
    return list({tuple(extents.items()): extents for extents in others}.values())
