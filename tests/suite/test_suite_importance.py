"""Importance: shares of predicted time, rounded down, the greatest over the networks."""

import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlbricks.model.read.network import read_model
from dlbricks.sequences.split import end_to_end
from dlbricks.sequences.types import Granularity
from dlbricks.suite.extraction import FIXED_SECONDS, LEAST, PAIR_SHARE, importances, predicted_s, rounded_down
from dlbricks.suite.generate import generate
from tests.suite.suite_samples import NETWORKS

SECONDS = st.dictionaries(st.sampled_from("abcdef"), st.floats(1e-6, 10.0), min_size=1)


@given(st.floats(0, 1))
def test_rounding_down_gives_a_power_of_two(share: float) -> None:
    """The result is a power of 2 between 2^-20 and 1, at most the share, and more than half of it."""
    made = rounded_down(share)
    assert math.frexp(made)[0] == 0.5
    assert LEAST <= made <= 1
    assert made == LEAST or made <= share < 2 * made


@given(SECONDS, SECONDS)
def test_importance_is_a_share(sequences: dict[str, float], unions: dict[str, float]) -> None:
    """What takes longer is at least as important; rounded down, shares add up to no more than all but what is tiny."""
    found = importances(sequences, unions)
    assert found.keys() == sequences.keys() | unions.keys()
    ranked = sorted(importances(sequences, {}).items(), key=lambda item: sequences[item[0]])
    assert [share for _, share in ranked] == sorted(share for _, share in ranked)
    assert sum(share for _, share in ranked) <= 1 + 1e-9 + len(ranked) * LEAST
    for name in unions.keys() - sequences.keys():
        assert found[name] == rounded_down(PAIR_SHARE * unions[name] / math.fsum(sequences.values()))


def test_a_prediction_is_arithmetic_or_bytes() -> None:
    """At 50 GFLOP/s and 20 GB/s: AlexNet moves 244 MB of weights, for which its arithmetic takes longer."""
    model = read_model(NETWORKS / "tv_alexnet.onnx")
    assert predicted_s(model, end_to_end(model)) == pytest.approx(2 * 0.714e9 / 50e9 + FIXED_SECONDS, rel=0.01)


def test_a_suite_takes_the_greatest_share_of_any_network(tmp_path: Path) -> None:
    """Each network alone gives shares of itself; together a sequence is as important as where it matters most."""
    paths = [str(NETWORKS / f"{name}.onnx") for name in ("tv_resnet18", "tv_squeezenet1_1")]
    alone = [generate([path], out=tmp_path / "alone", granularity=Granularity(1))[0] for path in paths]
    both, _ = generate(paths, out=tmp_path / "both", granularity=Granularity(1))
    shares = [{one.fingerprint: one.importance for one in suite.benchmarks} for suite in alone]
    for benchmark in both.benchmarks:
        assert benchmark.importance == max(known.get(benchmark.fingerprint, 0) for known in shares)
        assert benchmark.role == "sequence" or benchmark.importance == 1
