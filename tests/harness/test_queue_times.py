"""Times of host and device are measured each by itself: on a simulated device they are what went in."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dlbricks.harness.errors import HarnessError
from dlbricks.harness.trace.device_queue import (
    CHAIN,
    CallTimes,
    QueuedCalls,
    call_times,
    chain,
    queue_constants,
    queue_depth,
    queue_times,
    traced_constants,
    traced_times,
)
from tests.harness.simulated_device import Launch, SimulatedDevice

LONG: list[Launch] = [(5_000.0, 200_000.0)]
DEVICES = st.builds(
    SimulatedDevice,
    call_ns=st.floats(1_000, 50_000),
    lag_ns=st.floats(500, 20_000),
    wait_ns=st.floats(500, 20_000),
    depth=st.sampled_from([0, 256, 1_022]),
    other_ns=st.sampled_from([0.0, 50_000.0]),
)
LAUNCHES = st.lists(st.tuples(st.floats(1_000, 20_000), st.floats(1_000, 1_000_000)), min_size=1, max_size=20)


def measured(device: SimulatedDevice, launches: list[Launch]) -> CallTimes:
    """Give times of calls of a network."""
    return call_times(device.calls(launches), device.calls([]), device.clock)


def constants(device: SimulatedDevice) -> dict[str, int]:
    """Give what is true of a device."""
    return {"launch_lag_ns": round(device.lag_ns), "synchronise_ns": round(device.wait_ns)}


@given(device=DEVICES)
@settings(deadline=None, max_examples=30)
def test_constants_are_those_of_the_device(device: SimulatedDevice) -> None:
    """Call, lag, wait and depth of the queue come out as they are."""
    found = queue_constants(device.calls([]), device.calls([(5_000.0, 200_000.0)]), clock=device.clock)
    assert found["call_ns"] == pytest.approx(device.call_ns, abs=3)
    assert found["launch_lag_ns"] == pytest.approx(device.lag_ns, abs=3)
    assert found["synchronise_ns"] == pytest.approx(device.wait_ns, abs=3)
    assert found["queue_depth"] == pytest.approx(device.depth, abs=CHAIN)
    assert found["half_width_ns"] <= 10


@given(device=DEVICES, gap_ns=st.integers(0, 2_000))
@settings(deadline=None, max_examples=30)
def test_recorded_chains_show_gap_and_lag(device: SimulatedDevice, gap_ns: int) -> None:
    """Both as they are, however long a call takes."""
    device.gap_ns = gap_ns
    found = traced_constants(*device.traced(chain(device.calls(LONG))))
    assert found["kernel_gap_ns"] == pytest.approx(gap_ns, abs=2)
    assert found["launch_lag_ns"] == pytest.approx(device.lag_ns, abs=2)
    with pytest.raises(HarnessError, match="CUPTI records no kernels"):
        traced_constants(*device.traced(device.calls([])))


@given(gap_ns=st.integers(0, 2_000), host_ns=st.integers(5_000, 170_000))
def test_a_slow_host_makes_no_gap(gap_ns: int, host_ns: int) -> None:
    """Kernels that it launched when the device had nothing to do count for nothing; a gap of its own is none."""
    device, long, short = SimulatedDevice(gap_ns=gap_ns), (float(host_ns), 200_000.0), (float(host_ns), 2_000.0)
    found = traced_constants(*device.traced(device.calls([long] * CHAIN + [short] * CHAIN)))
    assert found["kernel_gap_ns"] == pytest.approx(gap_ns, abs=2)
    slow = device.calls([(host_ns + 200_000.0, 200_000.0)] * 2 * CHAIN)
    with pytest.raises(HarnessError, match="cannot be measured: the host launches kernels more slowly than the device"):
        traced_constants(*device.traced(slow))


@given(
    launches=st.lists(st.tuples(st.floats(1_000, 20_000), st.floats(1_000, 20_000)), min_size=1, max_size=20),
    slower=st.floats(1.3, 2),
    pattern=st.lists(st.booleans(), min_size=4, max_size=9),
)
@settings(deadline=None, max_examples=30)
def test_a_neighbour_on_the_core_does_not_count(launches: list[Launch], slower: float, pattern: list[bool]) -> None:
    """Host times are those without it, whenever it comes, unless it hardly ever goes."""
    device = SimulatedDevice()
    shared = itertools.cycle([*pattern, False, False, False])
    now = [False]

    def is_slow() -> bool:
        now[0] = next(shared)
        return now[0]

    def beside(calls: QueuedCalls) -> QueuedCalls:
        def enqueue() -> None:
            begin = device.now
            calls.enqueue()
            device.now += now[0] * (slower - 1) * (device.now - begin)

        return replace(calls, enqueue=enqueue)

    one, empty = device.calls(launches), device.calls([])
    found = call_times(beside(one), beside(empty), device.clock, is_slow)
    for made, wanted in zip(found.host, call_times(one, empty, device.clock).host, strict=True):
        assert made == pytest.approx(wanted, abs=3)


def test_a_hiccup_of_the_host_is_no_full_queue() -> None:
    """However often enqueueing takes long by chance: a queue that is never full is not said to be."""
    device = SimulatedDevice()
    several, random = chain(device.calls(LONG)), np.random.default_rng(0)

    def enqueue() -> None:
        several.enqueue()
        device.now += 10_000_000 * (random.random() < 0.5)

    assert queue_depth(replace(several, enqueue=enqueue), LONG[0][1], device.clock) == 0


@given(device=DEVICES, launches=LAUNCHES)
@example(SimulatedDevice(call_ns=1000, lag_ns=500, wait_ns=2479), [(1002, 1138)])
@settings(deadline=None, max_examples=100)
def test_host_and_device_are_told_apart(device: SimulatedDevice, launches: list[Launch]) -> None:
    """Host time is what enqueueing takes. Calls bound the device's time; recorded kernels are what they take."""
    host, busy = (sum(one[part] for one in launches) for part in (0, 1))
    device.depth = 0  # calls shorter than the queue
    found = queue_times(measured(device, launches), kernels=len(launches), waits=False, machine=constants(device))
    assert found["host_ns"] == pytest.approx(host, abs=3)
    assert found["device_low_ns"] - 5 <= busy <= found["device_high_ns"] + 5
    _, kernels = device.traced(device.calls(launches))
    traced = traced_times(found, kernels, [], 0)
    assert traced["device_ns"] == pytest.approx(busy, abs=len(launches))
    assert (traced["host_ns"], traced["kernels"], traced["traced"]) == (found["host_ns"], len(launches), 5)


@pytest.mark.parametrize("off_ns", [-2_000, 0, 2_000])
@pytest.mark.parametrize("wait_ns", [700, 6_000])
def test_a_lag_that_is_off_leaves_a_short_kernel_as_it_is(off_ns: int, wait_ns: int) -> None:
    """One of 1.3 us within 10 %, though calls bound it only within some us, and say so."""
    device = SimulatedDevice(call_ns=5_000, lag_ns=2_600, wait_ns=wait_ns)
    launches = [(4_300.0, 1_300.0)]
    wrong = {**constants(device), "launch_lag_ns": 2_600 + off_ns, "half_width_ns": 2_000}
    calls = queue_times(measured(device, launches), kernels=1, waits=False, machine=wrong)
    assert "traced" not in calls
    assert calls["device_high_ns"] - calls["device_low_ns"] >= 2_000
    assert calls["device_low_ns"] <= 1_300 <= calls["device_high_ns"]
    traced = traced_times(calls, device.traced(device.calls(launches))[1], [], 0)
    for name in ("device_ns", "device_low_ns", "device_high_ns"):
        assert traced[name] == pytest.approx(1_300, rel=0.1)


def test_what_waits_for_the_device_is_all_device() -> None:
    """Lag and device of a network that waits are its enqueueing, traced or not."""
    point = (300_000.0,) * 3
    found = measured(SimulatedDevice(), LONG)
    found = replace(found, host=type(found.host)(*point))
    times = queue_times(found, kernels=1, waits=True, machine=constants(SimulatedDevice()))
    assert (times["host_ns"], times["device_ns"]) == (0, 300_000 - 4_000)
    device = SimulatedDevice()
    assert traced_times(times, device.traced(device.calls(LONG))[1], [], 0) == {**times, "traced": 0}
    plain = queue_times(measured(device, LONG), kernels=1, waits=False, machine=constants(device))
    assert traced_times(plain, device.traced(device.calls([]))[1], [], 0) == {**plain, "traced": 0}


def test_cold_constants_add_to_the_device() -> None:
    """Never less than warm; recorded cold kernels are what they take, with their gaps."""
    device = SimulatedDevice()
    found, machine = measured(device, LONG), constants(device)
    assert queue_times(found, kernels=1, waits=False, machine=machine, cold_ns=-5.0)["device_cold_ns"] == 200_000
    calls = queue_times(found, kernels=1, waits=False, machine=machine, cold_ns=900.0)
    assert calls["device_cold_ns"] == 200_900
    assert "device_cold_ns" not in queue_times(found, kernels=1, waits=False, machine=machine)
    warm, cold = (device.traced(device.calls([(5_000.0, busy)]))[1] for busy in (1_000.0, 1_500.0))
    traced = traced_times(calls, warm, cold, 200)
    assert (traced["device_ns"], traced["device_cold_ns"]) == (1_200, 1_700)
