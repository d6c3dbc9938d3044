"""Sketches: small, plain JSON, and a wrong answer shows in them."""

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlbricks.harness.dtypes import BY_NAME, Numbers, decode, encode
from dlbricks.harness.output_digest import SAMPLES, compare, compare_all, digest, sample_positions, tolerance

RNG = np.random.default_rng(1)


@given(st.integers(0, 10**12))
def test_sampled_places_lie_inside_and_never_change(size: int) -> None:
    """At most 64, within the tensor, a function of its size; all of them when there are few."""
    places = sample_positions(size)
    assert places == sample_positions(size)
    assert all(0 <= place < size for place in places)
    assert len(places) == min(size, SAMPLES)
    assert len(set(places)) > 0.8 * len(places) or size == 0
    assert size > SAMPLES or places == list(range(size))


@given(st.sampled_from(sorted(set(BY_NAME) - {"string"})), st.integers(0, 200))
def test_every_type_has_a_sketch_that_agrees_with_itself(dtype: str, count: int) -> None:
    """Plain JSON without NaN, also for values that are no numbers. One type has no 0, its least is 2 ** -127."""
    numbers = RNG.integers(0, 2, count)
    made = digest(encode(numbers, dtype), dtype, (count,))
    assert json.loads(json.dumps(made, allow_nan=False)) == made
    assert compare(made, made) is None
    assert made["finite"] == 1
    assert made["norm1"] == pytest.approx(numbers.sum(), rel=0, abs=count * 2.0**-127)


def test_what_is_not_finite_is_told_and_kept_out_of_norms() -> None:
    """nan and infinities are words in JSON, and a share."""
    values = np.array([1.0, math.nan, math.inf, -math.inf, -2.0], np.float32)
    made = digest(values, "float32", (5,))
    assert made["samples"] == [1.0, "nan", "inf", "-inf", -2.0]
    assert (made["finite"], made["norm1"], made["norm2"]) == (0.4, 3.0, math.sqrt(5))
    assert compare(made, made) == "value 1 is nan, but nan in the reference"
    infinite = digest(np.array([1.0, math.inf], np.float32), "float32", (2,))
    assert compare(infinite, infinite) is None
    good = digest(np.ones(5, np.float32), "float32", (5,))
    assert compare(made, good) == "40.0% of the values are finite, but 100.0% in the reference"


def test_norms_do_not_depend_on_chunks() -> None:
    """Long tensors have the norms of numpy."""
    values = RNG.standard_normal(100_001).astype(np.float32)
    made = digest(values, "float32", values.shape)
    assert made["norm1"] == pytest.approx(np.abs(values.astype(np.float64)).sum(), rel=1e-7)
    assert made["norm2"] == pytest.approx(np.linalg.norm(values.astype(np.float64)), rel=1e-7)


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16", "bfloat16", "float8e4m3fn"])
def test_rounding_is_the_same_answer_and_an_error_is_not(dtype: str) -> None:
    """A tenth of the tolerance passes; a wrong sign, a wrong scale or a wrong place does not."""
    values = RNG.standard_normal(5000)
    reference = digest(encode(values, dtype), dtype, (5000,))
    near = values * (1 + tolerance(dtype) / 10 * RNG.standard_normal(5000).clip(-2, 2))
    assert compare(digest(encode(near, dtype), dtype, (5000,)), reference) is None
    for wrong in (-values, values * 1.5, np.roll(values, 1), np.zeros(5000)):
        assert compare(digest(encode(wrong, dtype), dtype, (5000,)), reference) is not None


def test_integers_are_exact_but_for_quantised_steps() -> None:
    """int64 has no tolerance; int8 and uint8 may be one step off."""
    values = RNG.integers(0, 100, 50)
    for dtype, steps in (("int64", 0), ("bool", 0), ("int8", 1), ("uint8", 1)):
        numbers = values % 2 if dtype == "bool" else values
        reference = digest(encode(numbers, dtype), dtype, (50,))
        off = numbers.copy()
        off[7] = 1 - off[7] if dtype == "bool" else off[7] + 1
        reason = compare(digest(encode(off, dtype), dtype, (50,)), reference)
        assert (reason is None) == (steps == 1)
        off[7] = 120
        assert dtype == "bool" or compare(digest(encode(off, dtype), dtype, (50,)), reference) is not None


def test_quantised_operators_are_allowed_more() -> None:
    """Processors without dot-product instructions saturate: 5 % off is the same answer there, and only there."""
    values = RNG.standard_normal(100).astype(np.float32)
    reference, off = (digest(v, "float32", (100,)) for v in (values, values * np.float32(1.05)))
    assert compare(off, reference) is not None
    assert compare(off, reference, ["Conv", "DynamicQuantizeLinear"]) is None
    assert compare(off, reference, ["DequantizeLinear", "MatMul"]) is None
    assert compare(off, reference, ["DequantizeLinear"]) is not None


def test_shape_type_and_number_of_outputs_are_compared() -> None:
    """Each difference is named; no reference means no difference."""
    one = digest(np.ones(4, np.float32), "float32", (4,))
    two = digest(np.ones(4, np.float32), "float32", (2, 2))
    three = digest(np.ones(4, np.float64), "float64", (4,))
    assert compare(two, one) == "shape is [2, 2], but [4] in the reference"
    assert compare(three, one) == "dtype is float64, but float32 in the reference"
    assert compare_all([one], [one, one], []) == "the number of outputs is 1, but 2 in the reference"
    assert compare_all([one, two], [one, one], []) == "output 1: shape is [2, 2], but [4] in the reference"
    assert compare_all([one], None, []) is None


def _bfloat16(values: Numbers) -> Numbers:
    """Round values to the nearest of bfloat16."""
    return decode(encode(values, "bfloat16"), "bfloat16", values.size).astype(np.float32).reshape(values.shape)


@pytest.mark.parametrize("terms", [1, 9, 64, 576, 4096])
def test_products_in_bfloat16_are_not_those_of_float32(terms: int) -> None:
    """Exact comparison takes sums in any order, and neither operands nor a result of fewer digits."""
    draw = np.random.default_rng(terms)
    left, right = (draw.standard_normal(shape, np.float32) for shape in ((16, terms), (terms, 24)))
    reference, other_order = left @ right, left[:, ::-1] @ right[::-1]
    made, other, lower = (
        digest(values, "float32", values.shape)
        for values in (reference, other_order, _bfloat16(left) @ _bfloat16(right))
    )
    assert compare(other, made, exact=True) is None
    assert compare(lower, made, exact=True)
    # quantised operators have a tolerance of their own
    assert compare(lower, made, ["QuantizeLinear"], exact=True) is None
