"""Outputs from behind the second level of cache: nothing where nothing is known, never more than their bytes."""

from hypothesis import given
from hypothesis import strategies as st

from dlbricks.construct.missrate import MissCurve
from dlbricks.construct.second_level import REACH, latecomers_ns
from dlbricks.construct.states import Latencies, step_time
from dlbricks.store.nouns import SecondLevel
from tests.construct.made_up import composition, placed

LEVEL = SecondLevel(nbytes=2**20, byte_ns=0.02)
TENSORS = st.lists(st.tuples(st.integers(1, 2**21), st.integers(0, 2**28), st.just(1)), max_size=4)


@given(TENSORS, TENSORS)
def test_no_more_than_all_bytes_of_the_outputs(
    inputs: list[tuple[int, int, int]], outputs: list[tuple[int, int, int]]
) -> None:
    """Nothing below 0, nothing without a size, nothing of what state near could not hold there either."""
    found = latecomers_ns(inputs, outputs, LEVEL)
    touched = sum(nbytes for nbytes, _, _ in (*inputs, *outputs))
    assert 0 <= found <= sum(nbytes for nbytes, _, _ in outputs) * LEVEL.byte_ns
    assert touched < REACH * LEVEL.nbytes or found == 0
    assert latecomers_ns(inputs, outputs, SecondLevel()) == 0


@given(st.integers(0, 2**28), st.integers(0, 2**28))
def test_the_further_the_dearer(one: int, other: int) -> None:
    """Half of it at one and a half times the size; what is written over an input is there."""
    near, far = (latecomers_ns((), ((2**16, distance, 1),), LEVEL) for distance in sorted((one, other)))
    assert near <= far
    assert latecomers_ns((), ((2**16, 0, 1),), LEVEL) == 0
    half, whole = (latecomers_ns((), ((2**16, round(reach), 1),), LEVEL) for reach in (REACH * 2**20, 2**40))
    assert abs(half / whole - 0.5) < 1e-6


def test_a_step_pays_for_its_outputs() -> None:
    """Beside what the miss curve says, which is nothing here."""
    net = Latencies(near_ns=10_000, constants_ns=10_000, outputs_ns=10_000, inputs_ns=10_000)
    step = placed(composition(["a"]), 0, outputs=((2**16, 2**26, 1),)).steps[0]
    curve = MissCurve(points=((2**27, 0.0), (2**28, 1.0)))
    assert step_time(net, step, curve, second_level=SecondLevel()).total_ns == 10_000
    assert step_time(net, step, curve, second_level=LEVEL).outputs_ns == round(latecomers_ns((), step.outputs, LEVEL))
