"""Pieces of networks, and what pairs of fresh processes prove."""

import random
import sys
import zipfile
from pathlib import Path

import onnxruntime
import pytest

from dlbricks.harness.errors import MISSING, HarnessError
from dlbricks.model.read.network import read_batched
from dlbricks.plugins.repro.pair import PAIRS_NEEDED, Confirmed, PairTimes, Side, confirm, runtime_of
from dlbricks.plugins.repro.pieces import (
    Reproduction,
    SearchSettings,
    Slower,
    pair_files,
    pieces_of,
    write_reproduction,
)
from dlbricks.sequences.split import split
from dlbricks.sequences.types import Granularity
from dlbricks.suite.benchmarks import group_index
from dlbricks.suite.extraction import benchmarks_from
from dlbricks.suite.writing import harness_files
from tests.suite.planting import classical_networks, secrets_of, written_network

NETWORKS = Path(__file__).parents[3] / "suites" / "networks"


@pytest.mark.parametrize("name", ["misc_lstm_lm", "tv_squeezenet1_1", "hf_segformer_b0"])
@pytest.mark.parametrize("length", [1, 4, 8])
def test_pieces_are_those_of_a_suite(name: str, length: int) -> None:
    """The same fingerprints as ``generate`` gives."""
    parts = split(read_batched(NETWORKS / f"{name}.onnx", dims={}, batch=None), Granularity(length))
    pieces = pieces_of(parts.model, Granularity(length), group_index(parts.model))
    assert {one.fingerprint for one in pieces} == {
        one.benchmark.fingerprint for one in benchmarks_from(parts, unions=False)
    }


def test_no_file_holds_a_trained_value(tmp_path: Path) -> None:
    """Of networks full of secrets, none is in any byte of the files of their pieces."""
    secrets = secrets_of(11)
    networks = [written_network(secrets), *(network for _, network in classical_networks(secrets))]
    sides = (Side(python=sys.executable), Side(python=sys.executable))
    settings = SearchSettings(sides=sides, threads=1, least=0.05, budget_ns=1)
    found = Confirmed(ratio=2.0, low=2.0, high=2.0, pairs=8, first_ns=1.0, second_ns=2.0)
    path, out, written = tmp_path / "network.onnx", tmp_path / "found.pyz", 0
    held = set[bytes]()
    for network in networks:
        path.write_bytes(network.SerializeToString())
        model = split(read_batched(path, dims={}, batch=None), Granularity(1)).model
        for piece in pieces_of(model, Granularity(2), group_index(model)):
            one = Slower(
                name=piece.built.benchmark.name,
                fingerprint=piece.fingerprint,
                units=1,
                uses=1,
                slowdown=found,
                explains=1.0,
            )
            made = Reproduction(
                network="network",
                units=1,
                runtimes=("a", "b"),
                whole=PairTimes(first_ns=1.0, second_ns=2.0, ratio=2.0),
                slower=(one,),
                measured=1,
                unconfirmed=0,
                failed=(),
                spent_ns=1,
            )
            write_reproduction(out, piece, one, made, settings)
            with zipfile.ZipFile(out) as archive:
                held |= {archive.read(name) for name in archive.namelist()}
            written += 1
    assert written > len(networks)
    assert secrets.count >= 200
    assert secrets.found_in(b"\n".join(held)) == []


def _pair_times(*ratios: float) -> list[PairTimes]:
    return [PairTimes(first_ns=100.0, second_ns=100.0 * ratio, ratio=ratio) for ratio in ratios]


def test_a_difference_is_proved_by_eight_pairs_or_by_ten_of_eleven() -> None:
    """Fewer pairs ask for more, two that deny it end it, and the interval leaves out as many as denied."""
    above = (1.2, 1.1, 1.3, 1.15, 1.25, 1.12, 1.18, 1.22)
    assert all(confirm(_pair_times(*above[:count]), 1.05) is True for count in range(1, len(above)))
    proved = confirm(_pair_times(*above), 1.05)
    assert isinstance(proved, Confirmed)
    assert (proved.low, proved.high, proved.pairs) == (1.1, 1.3, PAIRS_NEEDED[0])
    assert confirm(_pair_times(*above, 1.04), 1.05) is True
    once = confirm(_pair_times(1.04, *above, 1.21, 1.31), 1.05)
    assert isinstance(once, Confirmed)
    assert (once.low, once.high, once.pairs) == (1.1, 1.3, PAIRS_NEEDED[1])
    assert confirm(_pair_times(1.04, 1.2, 1.05), 1.05) is False


def test_equal_sides_are_taken_for_different_as_rarely_as_is_said() -> None:
    """Pairs that come out either way by chance: 1 in 256 by the first way, and 11 in 2,048 or fewer by the second."""
    draw = random.Random(1)  # noqa: S311
    proved = 0
    for _ in range(20_000):
        made: list[float] = []
        verdict: Confirmed | bool = True
        while verdict is True:
            made.append(draw.choice((0.9, 1.1)))
            verdict = confirm(_pair_times(*made), 1.0)
        proved += isinstance(verdict, Confirmed)
    assert proved / 20_000 < 1 / 256 + 11 / 2_048


def test_a_side_says_its_runtime_or_what_it_lacks(tmp_path: Path) -> None:
    """Asked where the harness lies, a Python names its onnxruntime, or the one line that a run there would end with."""
    for path, data in {**harness_files(), **pair_files()}.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(data)
    side = Side(python=sys.executable)
    assert runtime_of(side, tmp_path) == f"onnxruntime {onnxruntime.__version__}"
    (tmp_path / "onnxruntime.py").write_text("")
    with pytest.raises(HarnessError, match="onnxruntime is incomplete") as refused:
        runtime_of(side, tmp_path)
    assert refused.value.exit_code == MISSING
