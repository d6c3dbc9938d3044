"""Pieces of networks, shorter pieces in them, and what pairs of fresh processes prove."""

import random
from pathlib import Path

import pytest

from dlbricks.harness.pair import NEEDED, Confirmed, PairTimes, judge
from dlbricks.model.read.network import read_batched
from dlbricks.repro.pieces import pieces_of, shorter
from dlbricks.sequences.split import split
from dlbricks.sequences.types import Granularity
from dlbricks.sequences.units import units_of
from dlbricks.suite.benchmarks import group_index
from dlbricks.suite.extraction import benchmarks_from

NETWORKS = Path(__file__).parents[2] / "suites" / "networks"


@pytest.mark.parametrize("name", ["misc_lstm_lm", "tv_squeezenet1_1", "hf_segformer_b0"])
@pytest.mark.parametrize("length", [1, 4, 8])
def test_pieces_are_those_of_a_suite_and_shorter_ones_lie_in_them(name: str, length: int) -> None:
    """The same fingerprints as ``generate`` gives; each shorter piece has fewer units, all in the longer one."""
    parts = split(read_batched(NETWORKS / f"{name}.onnx", dims={}, batch=None), Granularity(length))
    units, groups = units_of(parts.model), group_index(parts.model)
    pieces = pieces_of(parts.model, Granularity(length), groups)
    assert {one.fingerprint for one in pieces} == {
        one.benchmark.fingerprint for one in benchmarks_from(parts, unions=False)
    }
    for piece in pieces[:8]:
        found = shorter(piece, units, groups)
        assert bool(found) == (piece.size > 1)
        for one in found:
            assert 0 < one.size < piece.size
            assert set(one.sequence.layers) < set(piece.sequence.layers)


def _pair_times(*ratios: float) -> list[PairTimes]:
    return [PairTimes(first_ns=100.0, second_ns=100.0 * ratio, ratio=ratio) for ratio in ratios]


def test_a_difference_is_proved_by_eight_pairs_or_by_ten_of_eleven() -> None:
    """Fewer pairs ask for more, two that deny it end it, and the interval leaves out as many as denied."""
    above = (1.2, 1.1, 1.3, 1.15, 1.25, 1.12, 1.18, 1.22)
    assert all(judge(_pair_times(*above[:count]), 1.05) is True for count in range(1, len(above)))
    proved = judge(_pair_times(*above), 1.05)
    assert isinstance(proved, Confirmed)
    assert (proved.low, proved.high, proved.pairs) == (1.1, 1.3, NEEDED[0])
    assert judge(_pair_times(*above, 1.04), 1.05) is True
    once = judge(_pair_times(1.04, *above, 1.21, 1.31), 1.05)
    assert isinstance(once, Confirmed)
    assert (once.low, once.high, once.pairs) == (1.1, 1.3, NEEDED[1])
    assert judge(_pair_times(1.04, 1.2, 1.05), 1.05) is False


def test_equal_sides_are_taken_for_different_as_rarely_as_is_said() -> None:
    """Pairs that come out either way by chance: 1 in 256 by the first way, and 11 in 2,048 or fewer by the second."""
    draw = random.Random(1)  # noqa: S311
    proved = 0
    for _ in range(20_000):
        made: list[float] = []
        verdict: Confirmed | bool = True
        while verdict is True:
            made.append(draw.choice((0.9, 1.1)))
            verdict = judge(_pair_times(*made), 1.0)
        proved += isinstance(verdict, Confirmed)
    assert proved / 20_000 < 1 / 256 + 11 / 2_048
