"""Times of steps at their places, from latencies in two cache states."""

import dataclasses
import itertools
import math

import msgspec
from hypothesis import example, given
from hypothesis import strategies as st

from dlbricks.construct.cache_model import (
    ASSUMED_HALF_BYTES,
    HOT_LOOP_REACH,
    MAX_BYTE_RATIO,
    MAX_RUNTIME_OVERHEAD_NS,
    PREFETCHED,
    SECOND_LEVEL_REACH,
    CacheModel,
    Latencies,
    StepTime,
    cached_ns,
    lost_share,
    miss_share,
    net_latencies,
    second_level_ns,
)
from dlbricks.construct.types import Reuses
from dlbricks.plugins.openvino.runtime import UNEXPLAINED_CONSTANT_SHARE
from dlbricks.store.types import Caches, CallOverheads
from tests.construct.made_up import composition, in_states, placed, results

CURVE = ((2**20, 0.0), (2**22, 0.2), (2**24, 0.9), (2**26, 1.0))
PLAIN = Caches(curve=((2**20, 0.0), (2**24, 1.0)), written=((2**20, 0.0), (2**24, 1.0)))
LEVEL = Caches(second_level_bytes=2**20, second_level_byte_ns=0.02)
NS = st.integers(0, 10**6)
CURVES = st.sampled_from([(), CURVE])
DISTANCES = st.integers(0, 2**40)
FAR, NEAR = ((8, 2**30, 1),), ((8, 1, 1),)
TENSORS = st.lists(st.tuples(st.integers(1, 2**21), st.integers(0, 2**28), st.just(1)), max_size=4).map(tuple)
NET = Latencies(llc_warm_ns=100, weights_cold_ns=200)
OLD = ((8, 0, 3),)


def time_of(net: Latencies, caches: Caches = PLAIN, **reuses: Reuses) -> StepTime:
    """Give the time of a lone step."""
    (made,) = CacheModel(
        placed(composition(["a"]), 0, **reuses).steps, {"a": net}, dataclasses.replace(results({}), caches=caches)
    ).times()
    return made


@given(NS, NS)
def test_times_lie_between_near_and_everything_fetched(near: int, constants: int) -> None:
    """At distance 0 the near latency; at a large distance the difference as well, if it is above 0."""
    net = Latencies(llc_warm_ns=near, weights_cold_ns=constants)
    assert time_of(net, constants=NEAR, inputs=NEAR, outputs=NEAR).total_ns == near
    far = time_of(net, constants=FAR, inputs=FAR, outputs=FAR)
    assert far.weights_cold_ns == max(0, constants - near)
    assert far.total_ns == near + far.weights_cold_ns


@given(NS, NS, TENSORS)
@example(3, 0, ((1, 4409, 1),))
def test_a_step_lies_between_repeated_and_single_calls(again: int, more: int, constants: Reuses) -> None:
    """Repeated calls in a network that the second-level cache holds, single ones in one that is much larger."""
    net = Latencies(llc_warm_ns=again + more, weights_cold_ns=again + more, hot_loop_ns=again)
    assert again <= cached_ns(net, constants, LEVEL) <= again + more + 1e-6
    near, far = (((2**20, at, 1), *((size, at, 1) for size, _, _ in constants)) for at in (0, 2**40))
    assert cached_ns(net, near, LEVEL) == again
    assert math.isclose(cached_ns(net, far, LEVEL), again + more, rel_tol=1e-6)
    half = round(HOT_LOOP_REACH * LEVEL.second_level_bytes)
    assert math.isclose(cached_ns(net, ((8, half, 1),), LEVEL), again + more / 2)
    assert cached_ns(net, constants, Caches()) == again + more
    assert cached_ns(dataclasses.replace(net, hot_loop_ns=None), constants, LEVEL) == again + more


@given(NS, NS, NS)
def test_repeated_calls_lose_their_own_overhead_and_are_no_slower(near: int, again: int, over: int) -> None:
    """What is left lies between 0 and the latency of single calls."""
    known = in_states(results({"a": 7}), {"a": (near, near + 1)})
    held = msgspec.structs.replace(known.measurements["a"], hot_loop_ns=again)
    known = dataclasses.replace(known, overheads=CallOverheads(hot_loop_ns=over))
    assert net_latencies(held, known).hot_loop_ns == min(near, max(0, again - over))


@given(st.integers(0, 2**23))
def test_constants_and_outputs_have_curves_of_their_own(distance: int) -> None:
    """Constants follow the curve of what is read, outputs that of what is written."""
    caches = dataclasses.replace(PLAIN, memory_byte_ns=1.0, written=CURVE)
    touched = ((2**20, distance, 1),)
    time = time_of(Latencies(llc_warm_ns=0, weights_cold_ns=2**20), caches, constants=touched, outputs=touched)
    assert time.weights_cold_ns == round(2**20 * miss_share(PLAIN.curve, distance))
    assert time.outputs_ns == round(2**20 * miss_share(CURVE, distance))


@given(st.integers(0, 2**23), st.integers(0, 2**20))
def test_measured_cold_outputs_replace_a_price_by_bytes(distance: int, more: int) -> None:
    """The share by which a call is slower with outputs in memory follows the curve."""
    caches = dataclasses.replace(PLAIN, memory_byte_ns=1.0, written=CURVE)
    net = Latencies(llc_warm_ns=5, weights_cold_ns=5, outputs_cold_ns=5 + more)
    time = time_of(net, caches, outputs=((2**20, distance, 1),))
    assert time.outputs_ns == round(more * miss_share(CURVE, distance))


@given(st.integers(0, 2**25), st.integers(0, 2**25))
def test_inputs_pay_if_their_writer_wrote_to_memory(written: int, read: int) -> None:
    """By the share that was written to memory, and the share of it that has left the caches since."""
    caches = dataclasses.replace(PLAIN, memory_byte_ns=1.0, written=CURVE, fresh=PLAIN.curve)
    steps = placed(composition(["a", "b"]), 0, outputs=((2**20, written, 1),))
    steps = placed(steps, 1, inputs=((2**20, read, 1), (2**19, 2**40, 1)))  # no step wrote the second
    nets = dict.fromkeys("ab", Latencies(llc_warm_ns=0, weights_cold_ns=0))
    _, time = CacheModel(steps.steps, nets, dataclasses.replace(results({}), caches=caches)).times()
    assert time.inputs_ns == round(2**20 * miss_share(CURVE, written) * miss_share(PLAIN.curve, read))
    caches = dataclasses.replace(caches, fresh=())
    _, time = CacheModel(steps.steps, nets, dataclasses.replace(results({}), caches=caches)).times()
    assert time.inputs_ns == 0


@given(NS, NS, st.integers(1, 2**26))
def test_constants_cost_no_more_than_their_bytes_can(near: int, more: int, nbytes: int) -> None:
    """The bound includes runtime data; without a known cost of a byte there is no bound."""
    net = Latencies(llc_warm_ns=near, weights_cold_ns=near + more)
    known = dataclasses.replace(PLAIN, memory_byte_ns=0.04)
    found = time_of(net, known, constants=((nbytes, 2**30, 1),)).weights_cold_ns
    assert found == round(min(more, MAX_RUNTIME_OVERHEAD_NS + MAX_BYTE_RATIO * 0.04 * nbytes))
    assert time_of(net, constants=((nbytes, 2**30, 1),)).weights_cold_ns == more


@given(st.integers(0, 10**6), st.integers(0, 10**6), st.integers(0, 10**5))
def test_each_state_loses_its_own_call_overhead(near: int, more: int, over: int) -> None:
    """The remainder is never below 0."""
    known = in_states(results({"a": 7}), {"a": (near, near + over + more + 1)})
    overheads = CallOverheads(llc_warm_ns=over, weights_cold_ns=2 * over)
    net = net_latencies(known.measurements["a"], dataclasses.replace(known, overheads=overheads))
    assert (net.llc_warm_ns, net.weights_cold_ns) == (max(0, near - over), max(0, near + more + 1 - over))


@given(NS, NS)
def test_openvino_fetches_a_share_of_each_call_unexplained(near: int, more: int) -> None:
    """Constants add what exceeds that share of the call."""
    net, far = (
        Latencies(llc_warm_ns=near, weights_cold_ns=near + more),
        placed(composition(["a"]), 0, constants=FAR).steps,
    )
    known = results({})
    known = dataclasses.replace(
        known, configuration=dataclasses.replace(known.configuration, runtime="openvino 2026.4.1"), caches=PLAIN
    )
    (made,) = CacheModel(far, {"a": net}, known).times()
    assert made.weights_cold_ns == round(max(0.0, more - UNEXPLAINED_CONSTANT_SHARE * near))


def test_calls_back_to_back_lose_the_overhead_of_such_calls() -> None:
    """With one state only, its own overhead is subtracted."""
    known = dataclasses.replace(results({"a": 100}, overhead_ns=10), overheads=CallOverheads(llc_warm_ns=70))
    assert net_latencies(known.measurements["a"], known) == Latencies(llc_warm_ns=90, weights_cold_ns=90)


@given(st.integers(1, 2**26), st.integers(0, 2**30), st.integers(1, 4))
def test_inputs_of_the_network_come_from_as_far_as_the_inference_before(nbytes: int, distance: int, age: int) -> None:
    """With three steps, an input of age three was last touched an inference ago; a younger one was just written.

    Part of it is fetched while the step computes.
    """
    caches = dataclasses.replace(PLAIN, memory_byte_ns=0.5)
    known = dataclasses.replace(results({}), caches=caches)
    made = placed(composition(["a", "b", "c"]), 1, inputs=((nbytes, distance, age),))
    time = CacheModel(made.steps, dict.fromkeys("abc", NET), known).times()[1]
    missed = nbytes * miss_share(PLAIN.curve, distance) if age >= 3 else 0
    assert time.inputs_ns == round(max(0.0, 0.5 * missed - PREFETCHED * NET.llc_warm_ns))
    assert time.total_ns == NET.llc_warm_ns + time.inputs_ns


def test_time_passes_between_steps() -> None:
    """No time between adjacent steps, the time of all other steps for age one inference, also across its end."""
    made = composition(["a", "b", "c"])
    nets = {name: dataclasses.replace(NET, weights_cold_ns=time) for name, time in zip("abc", (2, 4, 8), strict=True)}
    model = CacheModel(made.steps, nets, results({}))
    assert [model.elapsed_ns(2, age) for age in (0, 1, 2, 3)] == [0, 0, 4, 6]
    assert (model.elapsed_ns(0, 1), model.elapsed_ns(0, 2)) == (0, 8)


def test_time_between_uses_is_that_of_the_estimate() -> None:
    """Steps without constants count with their latency in state llc_warm, not with constants from memory."""
    made = placed(composition(["a", "b", "c"]), 0, constants=OLD)
    known = dataclasses.replace(results({}), caches=Caches(brought_in=((1, 1),)))
    model = CacheModel(made.steps, dict.fromkeys("abc", NET), known)
    assert model.elapsed_ns(0, 3) == 2 * NET.llc_warm_ns
    assert [one.total_ns for one in model.times()] == [100, 100, 100]


def test_others_evict_constants() -> None:
    """The more bytes others bring in, the larger the share of a constant from memory."""
    made = placed(composition(["a", "b", "c"]), 0, constants=OLD)
    times = []
    for others in ((), ((1, 10_000),), ((1, 1_000_000_000),)):
        known = dataclasses.replace(results({}), caches=Caches(brought_in=others))
        times.append(CacheModel(made.steps, dict.fromkeys("abc", NET), known).times()[0].total_ns)
    assert times == sorted(times)
    assert (times[0], times[-1]) == (100, 200)


@given(CURVES, DISTANCES, DISTANCES)
def test_miss_share_never_falls_with_distance(curve: tuple[tuple[int, float], ...], one: int, other: int) -> None:
    """Shares are between 0 and 1 and do not fall with the distance."""
    near, far = sorted((one, other))
    assert 0 <= miss_share(curve, near) <= miss_share(curve, far) <= 1


def test_measured_points_are_kept_and_joined_in_octaves() -> None:
    """Measured points keep their share; between two of them it is linear in the logarithm."""
    assert [miss_share(CURVE, distance) for distance, _ in CURVE] == [share for _, share in CURVE]
    assert miss_share(CURVE, 2**23) == (0.2 + 0.9) / 2
    assert (miss_share(CURVE, 1), miss_share(CURVE, 2**40)) == (0.0, 1.0)


def test_without_points_a_curve_is_assumed() -> None:
    """Half at the assumed distance, nearly 0 far below, nearly 1 far above."""
    assert miss_share((), ASSUMED_HALF_BYTES) == 0.5
    assert miss_share((), ASSUMED_HALF_BYTES // 8) < 0.01
    assert miss_share((), ASSUMED_HALF_BYTES * 8) > 0.99


_LOST = st.lists(st.tuples(st.integers(1, 10**8), st.floats(0, 1)), max_size=4).map(
    lambda points: tuple(
        zip(itertools.accumulate(time for time, _ in points), sorted(share for _, share in points), strict=True)
    )
)


@given(_LOST, st.floats(0, 1e10), st.floats(0, 1e10))
def test_more_is_lost_in_more_time(lost: tuple[tuple[int, float], ...], one: float, other: float) -> None:
    """Shares do not fall with time; 0 at time 0, measured shares at measured times, 0 without measurements."""
    early, late = sorted((one, other))
    assert 0 <= lost_share(early, lost) <= lost_share(late, lost) + 1e-9 <= 1 + 1e-9
    assert lost_share(0, lost) == 0
    assert all(math.isclose(lost_share(time, lost), share, abs_tol=1e-12) for time, share in lost)
    assert lost or lost_share(late, lost) == 0


def test_what_others_evict_adds_little_within_the_cache() -> None:
    """Others evict by chance: of a network far smaller than the cache a share is lost, not all at a threshold."""
    curve = ((2**21, 0.0), (2**24, 0.1), (2**25, 1.0))
    made = placed(composition(["a", "b", "c"]), 0, constants=((64, 2**23, 3),))
    times = []
    for others in ((), ((100, 2**24 - 2**21),)):
        busy = dataclasses.replace(results({}), caches=Caches(curve=curve, brought_in=others))
        times.append(CacheModel(made.steps, dict.fromkeys("abc", NET), busy).times()[0])
    alone, shared = ((time.total_ns - NET.llc_warm_ns) / (NET.weights_cold_ns - NET.llc_warm_ns) for time in times)
    assert alone < shared < alone + 0.2


@given(TENSORS, TENSORS)
def test_outputs_from_the_last_level_cost_no_more_than_all_their_bytes(inputs: Reuses, outputs: Reuses) -> None:
    """At least 0; 0 without a cache size, and for what does not fit in state llc_warm either."""
    found = second_level_ns(inputs, outputs, LEVEL)
    touched = sum(nbytes for nbytes, _, _ in (*inputs, *outputs))
    assert 0 <= found <= sum(nbytes for nbytes, _, _ in outputs) * LEVEL.second_level_byte_ns
    assert touched < SECOND_LEVEL_REACH * LEVEL.second_level_bytes or found == 0
    assert second_level_ns(inputs, outputs, Caches()) == 0


@given(st.integers(0, 2**28), st.integers(0, 2**28))
def test_outputs_cost_more_with_distance(one: int, other: int) -> None:
    """Half at one and a half times the cache size; nothing for outputs written over an input."""
    near, far = (second_level_ns((), ((2**16, distance, 1),), LEVEL) for distance in sorted((one, other)))
    assert near <= far
    assert second_level_ns((), ((2**16, 0, 1),), LEVEL) == 0
    half, end = (second_level_ns((), ((2**16, round(at), 1),), LEVEL) for at in (SECOND_LEVEL_REACH * 2**20, 2**40))
    assert abs(half / end - 0.5) < 1e-6


def test_a_step_pays_for_its_outputs() -> None:
    """In addition to the miss curve, which is 0 here."""
    output = ((2**16, 2**26, 1),)
    caches = dataclasses.replace(LEVEL, curve=((2**27, 0.0), (2**28, 1.0)))
    net = Latencies(llc_warm_ns=10_000, weights_cold_ns=10_000)
    assert time_of(net, caches, outputs=output).outputs_ns == round(second_level_ns((), output, LEVEL))
