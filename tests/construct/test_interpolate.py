"""Predicting sequences without measurements, on machines whose latencies follow from a formula."""

import dataclasses
import itertools
import math

import pytest

from dlbricks.construct.interpolate import OUTSIDE, Interpolator, fit
from dlbricks.model.types import SequenceFeatures
from dlbricks.store.types import SystemResults
from tests.construct.made_up import in_states, results

KIND = ("product float32",)
SIZES = (32, 64, 128, 256, 512)


def product(rows: int, depth: int, columns: int, kinds: tuple[str, ...] = KIND) -> SequenceFeatures:
    """Describe a product of matrices."""
    return SequenceFeatures(
        operators=("MatMul",),
        flops=2 * rows * depth * columns,
        work=2 * rows * depth * columns,
        weight_bytes=4 * depth * columns,
        fetched_bytes=4 * depth * columns,
        input_bytes=4 * rows * depth,
        output_bytes=4 * rows * columns,
        kinds=kinds,
        shape=(rows, depth, columns),
    )


def mover(nbytes: int, kind: str) -> SequenceFeatures:
    """Describe a layer that only moves data."""
    return SequenceFeatures(
        operators=(kind,),
        flops=0,
        weight_bytes=0,
        input_bytes=nbytes,
        output_bytes=nbytes,
        kinds=(kind,),
        shape=(nbytes,),
    )


def truth(features: SequenceFeatures) -> tuple[int, int]:
    """Return the latency on a synthetic machine: arithmetic, bytes, and lower speed for few columns."""
    near = 3000 + features.work / 60 * (1 + 16 / features.shape[-1]) + features.output_bytes / 20
    constants = near + features.weight_bytes / 10
    return round(near), round(constants)


def machine(listed: list[SequenceFeatures]) -> SystemResults:
    """Measure sequences on it."""
    names = {f"sequence{index}": one for index, one in enumerate(listed)}
    made = results({name: truth(one)[1] for name, one in names.items()})
    return dataclasses.replace(in_states(made, {name: truth(one) for name, one in names.items()}), features=names)


def fitted(listed: list[SequenceFeatures]) -> Interpolator:
    """Fit to them."""
    made = fit(machine(listed))
    assert made is not None
    return made


GRID = [product(rows, depth, columns) for rows, depth, columns in itertools.product(SIZES, repeat=3)]
MOVERS = [mover(2**power, kind) for power in range(10, 22) for kind in ("Move", "Copy")]


@pytest.fixture(scope="module")
def learned() -> Interpolator:
    """Fit to a grid of products and some layers without arithmetic."""
    return fitted(GRID + MOVERS)


@pytest.mark.parametrize("sizes", [(48, 96, 200), (100, 100, 100), (500, 40, 300), (700, 700, 700)])
def test_what_lies_between_measured_sequences_is_guessed_well(
    learned: Interpolator, sizes: tuple[int, int, int]
) -> None:
    """Both states within 10 %, and inside the interval."""
    made, wanted = learned.predict(product(*sizes)), truth(product(*sizes))
    assert made is not None
    assert (made.net.llc_warm_ns, made.net.weights_cold_ns) == pytest.approx(wanted, rel=0.1)
    assert abs(math.log(wanted[1] / made.net.weights_cold_ns)) <= math.log1p(made.relative)


def test_far_guesses_are_less_sure(learned: Interpolator) -> None:
    """The interval widens with the distance to measured sequences."""
    near, far = learned.predict(product(120, 120, 120)), learned.predict(product(1000, 1000, 1000))
    assert near is not None
    assert far is not None
    assert near.relative < far.relative


def test_what_is_out_of_reach_is_refused(learned: Interpolator) -> None:
    """Arithmetic of other kinds, sizes far outside, and sequences without features."""
    assert learned.predict(product(64, 64, 64, ("LSTM float32",))) is None
    assert learned.predict(product(64, 64, round(512 * OUTSIDE * 1.1))) is None
    assert learned.predict(dataclasses.replace(product(64, 64, 64), kinds=(), shape=())) is None


def test_moving_data_is_guessed_from_other_moves(learned: Interpolator) -> None:
    """Layers without arithmetic of unmeasured kinds are predicted, less certainly than those with neighbours."""
    unknown, known = learned.predict(mover(3000, "Shuffle")), learned.predict(mover(3000, "Move"))
    assert unknown is not None
    assert known is not None
    assert known.relative < unknown.relative


def test_other_batches_of_a_layer_follow_from_two() -> None:
    """Layers measured at batch 1 and 8 predict batch 2 and 4 within 7 %, though no other rows were measured."""
    pairs = [(depth, columns) for depth in SIZES for columns in SIZES]
    made = fitted([product(16 * batch, depth, columns) for batch in (1, 8) for depth, columns in pairs])
    for batch in (2, 4):
        for depth, columns in pairs:
            wanted = product(16 * batch, depth, columns)
            guess = made.predict(wanted)
            assert guess is not None
            assert guess.net.weights_cold_ns == pytest.approx(truth(wanted)[1], rel=0.07)


def test_nothing_is_learned_without_features() -> None:
    """Results of suites without features are not used."""
    assert fit(results({"a": 1000})) is None
    assert fit(dataclasses.replace(machine(GRID[:3]), features={})) is None


def test_one_sequence_is_enough_for_a_guess() -> None:
    """A kind with a single sequence is scaled by its rates."""
    made = fitted([product(128, 128, 128)]).predict(product(128, 128, 256))
    assert made is not None
    assert 1 < made.net.weights_cold_ns / truth(product(128, 128, 128))[1] < 4
