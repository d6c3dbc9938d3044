import dataclasses
import math

from hypothesis import given
from hypothesis import strategies as st

from dlbricks.construct.missrate import MissCurve
from dlbricks.construct.nouns import CompositionStep
from dlbricks.construct.states import (
    DEAREST,
    LATENCY_NS,
    ONCE,
    Latencies,
    dearest_byte,
    net_latencies,
    step_time,
    summed,
)
from dlbricks.store.nouns import CallOverheads, SecondLevel
from tests.construct.made_up import composition, in_states, placed, results

CURVE = MissCurve(points=((2**20, 0.0), (2**24, 1.0)))
UNKNOWN = SecondLevel()
NS = st.integers(0, 10**6)
FAR, NEAR = ((8, 2**30, 1),), ((8, 1, 1),)


@given(NS, NS, NS, NS)
def test_times_lie_between_near_and_everything_fetched(near: int, constants: int, outputs: int, inputs: int) -> None:
    """All near: the near latency. All far: every difference above 0, once. Nothing is below 0."""
    net = Latencies(near_ns=near, constants_ns=constants, outputs_ns=outputs, inputs_ns=inputs)
    one = composition(["a"])
    assert (
        step_time(
            net, placed(one, 0, constants=NEAR, inputs=NEAR, outputs=NEAR).steps[0], CURVE, second_level=UNKNOWN
        ).total_ns
        == near
    )
    far = step_time(net, placed(one, 0, constants=FAR, inputs=FAR, outputs=FAR).steps[0], CURVE, second_level=UNKNOWN)
    assert far.constants_ns == max(0, constants - near)
    assert far.outputs_ns == max(0, outputs - constants)
    assert far.inputs_ns == max(0, inputs - constants)
    assert far.total_ns == near + far.constants_ns + far.outputs_ns + far.inputs_ns


@given(st.integers(0, 2**23), st.integers(0, 2**23))
def test_constants_are_forgotten_sooner_whoever_touches_memory(distance: int, brought: int) -> None:
    """What the network and what others touched counts alike, for constants ``ONCE`` times as much as for the rest."""
    net = Latencies(near_ns=0, constants_ns=10**6, outputs_ns=2 * 10**6, inputs_ns=2 * 10**6)
    touched = ((8, distance, 1),)
    step = placed(composition(["a"]), 0, constants=touched, inputs=touched, outputs=touched).steps[0]
    time = step_time(net, step, CURVE, second_level=UNKNOWN, others=lambda age: age * brought)
    assert time.constants_ns == round(10**6 * CURVE.share(ONCE * (distance + brought)))
    assert time.outputs_ns == time.inputs_ns == round(10**6 * CURVE.share(distance + brought))


@given(NS, NS, st.integers(1, 2**26))
def test_what_does_not_fit_the_caches_was_not_found_near_either(near: int, more: int, nbytes: int) -> None:
    """Large constants add no more than the share of the call in which they can have been found, small ones all."""
    net = Latencies(near_ns=near, constants_ns=near + more, outputs_ns=near + more, inputs_ns=near + more)
    step = placed(composition(["a"]), 0, constants=((nbytes, 2**30, 1),)).steps[0]
    added = step_time(net, step, CURVE, second_level=UNKNOWN).constants_ns
    assert added == round(min(more, (1 - CURVE.share(nbytes)) * (near + more)))
    assert added == (more if nbytes <= 2**20 else 0 if nbytes >= 2**24 else added)


@given(st.lists(NS, min_size=3, max_size=3).map(sorted), st.integers(0, 10**5))
def test_each_state_loses_its_own_call_overhead(rising: list[int], over: int) -> None:
    """What is left is never below 0."""
    near, constants, outputs = (value + index * over for index, value in enumerate(rising))
    known = in_states(results({"a": constants}), {"a": (near, constants, outputs, 10**7)})
    overheads = CallOverheads(near_ns=over, constants_ns=2 * over, outputs_ns=3 * over, inputs_ns=4 * over)
    net = net_latencies(known.measurements["a"], dataclasses.replace(known, overheads=overheads))
    assert (net.near_ns, net.constants_ns, net.outputs_ns) == tuple(max(0, value - over) for value in rising)
    assert net.inputs_ns == 10**7 - 4 * over


@given(NS, NS, NS)
def test_fetching_more_takes_no_less(near: int, constants: int, outputs: int) -> None:
    """Latencies rise with what is fetched, keep their weighted mean, and stay where they were if they rose already."""
    known = in_states(results({"a": constants}), {"a": (near, constants, outputs, 10**7)})
    net = net_latencies(known.measurements["a"], known)
    assert net.near_ns <= net.constants_ns <= net.outputs_ns
    assert math.isclose(2 * net.near_ns + 2 * net.constants_ns + net.outputs_ns, 2 * near + 2 * constants + outputs)
    if near <= constants <= outputs:
        assert (net.near_ns, net.constants_ns, net.outputs_ns) == (near, constants, outputs)


def test_calls_back_to_back_lose_the_overhead_of_such_calls() -> None:
    """One state only: the overheads of the other states are not its own."""
    known = dataclasses.replace(results({"a": 100}, overhead_ns=10), overheads=CallOverheads(near_ns=70))
    assert net_latencies(known.measurements["a"], known).near_ns == 90


def _sequence(nbytes: int, near_ns: int, outputs_ns: int) -> tuple[Latencies, CompositionStep]:
    """Make a sequence with one output, which costs so much more when it comes from memory."""
    net = Latencies(near_ns=near_ns, constants_ns=near_ns, outputs_ns=near_ns + outputs_ns, inputs_ns=near_ns)
    return net, placed(composition(["a"]), 0, outputs=((nbytes, 2**30, 1),)).steps[0]


def test_a_disturbed_call_is_no_fetch() -> None:
    """Six sequences pay 0.1 ns per byte; a long one whose only call was 3 ms slower pays four times that at most."""
    usual = [_sequence(2**20, 50_000 + 1000 * number, 2**20 // 10) for number in range(6)]
    long = _sequence(2**18, 6_000_000, 3_000_000)
    dearest = dearest_byte([*usual, long])
    assert math.isclose(dearest, DEAREST * (2**20 // 10) / 2**20)
    assert step_time(*long, CURVE, second_level=UNKNOWN, dearest=dearest).outputs_ns == round(
        LATENCY_NS + dearest * 2**18
    )
    assert step_time(*usual[0], CURVE, second_level=UNKNOWN, dearest=dearest).outputs_ns == 2**20 // 10


def test_few_sequences_say_nothing_of_what_a_byte_costs() -> None:
    """Nor do those of small tensors: then nothing is limited."""
    assert dearest_byte([_sequence(2**20, 50_000, 100_000)] * 5) == math.inf
    assert dearest_byte([_sequence(2**10, 50_000, 100_000)] * 50) == math.inf
    assert dearest_byte([_sequence(2**20, 50_000, -100_000)] * 50) == math.inf


def test_sums_keep_their_parts() -> None:
    """Parts add up one by one."""
    net = Latencies(near_ns=1, constants_ns=3, outputs_ns=7, inputs_ns=11)
    step = placed(composition(["a"]), 0, constants=FAR, inputs=FAR, outputs=FAR).steps[0]
    made = summed([step_time(net, step, CURVE, second_level=UNKNOWN)] * 3)
    assert (made.near_ns, made.constants_ns, made.outputs_ns, made.inputs_ns) == (3, 6, 12, 24)
