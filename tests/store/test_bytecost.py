"""What was not measured is filled in by what a byte costs: round trips with made-up states."""

from hypothesis import given
from hypothesis import strategies as st

from dlbricks.harness.cache_state import CONSTANTS, INPUTS, LARGE_BYTES, NEAR, OUTPUTS
from dlbricks.harness.stats import Summary
from dlbricks.model.types import SequenceFeatures
from dlbricks.store.bytecost import usual_byte_ns, with_unmeasured
from dlbricks.store.nouns import CallOverheads, Measurement

OVER = CallOverheads(near_ns=1000, constants_ns=3000, outputs_ns=4000, inputs_ns=5000, repeated_ns=900)
SIZES = st.integers(LARGE_BYTES, 2**27)


def _summary(latency_ns: int) -> Summary:
    return Summary(latency_ns=latency_ns, low_ns=0, high_ns=2 * latency_ns, samples=1)


def _features(input_bytes: int, output_bytes: int) -> SequenceFeatures:
    return SequenceFeatures(
        operators=("Relu",), flops=1, weight_bytes=0, input_bytes=input_bytes, output_bytes=output_bytes
    )


def _states(features: SequenceFeatures, byte_ns: float) -> dict[str, Summary]:
    """Make up the states of a call of 50 us whose inputs and outputs cost so much a byte."""
    return {
        NEAR: _summary(51_000),
        CONSTANTS: _summary(53_000),
        OUTPUTS: _summary(54_000 + round(byte_ns * features.output_bytes)),
        INPUTS: _summary(55_000 + round(byte_ns * features.input_bytes)),
    }


@given(st.lists(st.tuples(SIZES, SIZES), min_size=3, max_size=9), st.sampled_from([0.0, 0.02, 0.5]))
def test_what_a_byte_costs_is_found_again(sizes: list[tuple[int, int]], byte_ns: float) -> None:
    """From three sequences on, with two states each; what others cost does not enter then."""
    measured = [(_states(features, byte_ns), features) for features in (_features(*size) for size in sizes)]
    assert abs(usual_byte_ns(measured, OVER, 7.0) - byte_ns) < 1e-5


def test_few_and_small_ones_say_nothing() -> None:
    """Then a streamed byte stands for it; a cost below zero is none."""
    large, small = _features(LARGE_BYTES, LARGE_BYTES), _features(LARGE_BYTES - 1, LARGE_BYTES - 1)
    assert usual_byte_ns([(_states(large, 0.1), large)] * 2, OVER, 0.04) == 0.04
    assert usual_byte_ns([(_states(small, 0.1), small)] * 9, OVER, 0.04) == 0.04
    assert usual_byte_ns([({NEAR: _summary(51_000)}, large)] * 9, OVER, 0.04) == 0.04
    assert usual_byte_ns([(_states(large, -0.01), large)] * 9, OVER, 0.04) == 0.0


@given(st.integers(0, LARGE_BYTES), st.integers(0, LARGE_BYTES))
def test_unmeasured_states_are_those_of_the_bytes(input_bytes: int, output_bytes: int) -> None:
    """With the overhead of their own state; measured ones stay, and so does what was called back to back only."""
    features = _features(input_bytes, output_bytes)
    full = _states(features, 0.1)
    one = Measurement(
        fingerprint="a",
        near_ns=51_000,
        constants_ns=53_000,
        outputs_ns=53_000,
        inputs_ns=53_000,
        latency_ns=53_000,
        low_ns=0,
        high_ns=90_000,
        samples=2,
        verdict="stable",
        wall_ns=1,
    )
    few = {NEAR: full[NEAR], CONSTANTS: full[CONSTANTS]}
    filled = with_unmeasured(one, few, features, OVER, 0.1)
    assert (filled.outputs_ns, filled.inputs_ns) == (full[OUTPUTS].latency_ns, full[INPUTS].latency_ns)
    assert (filled.near_ns, filled.constants_ns) == (one.near_ns, one.constants_ns)
    assert with_unmeasured(one, full, features, OVER, 0.1) == one
    assert with_unmeasured(one, {NEAR: full[NEAR]}, features, OVER, 0.1) == one
