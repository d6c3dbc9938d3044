"""Times of host and device are measured each by itself: on a simulated device they are what went in."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dlbricks.harness.trace.device_queue import (
    COPIES,
    QueuedCalls,
    Slopes,
    queue_constants,
    queue_depth,
    queue_times,
    slopes,
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


def measured(device: SimulatedDevice, launches: list[Launch]) -> Slopes:
    """Give slopes of a network."""
    return slopes(device.calls(launches), device.calls(launches, COPIES), device.clock)


def constants(device: SimulatedDevice) -> dict[str, int]:
    """Give what is true of a device."""
    return {"launch_lag_ns": round(device.lag_ns), "synchronise_ns": round(device.wait_ns)}


def chain(device: SimulatedDevice) -> tuple[QueuedCalls, QueuedCalls]:
    """Give a chain of a kernel that takes the device long."""
    return device.calls(LONG), device.calls(LONG, COPIES)


@given(device=DEVICES)
@settings(deadline=None, max_examples=30)
def test_constants_are_those_of_the_device(device: SimulatedDevice) -> None:
    """Call, lag, wait and depth of the queue come out as they are."""
    found = queue_constants(device.calls([]), *chain(device), clock=device.clock)
    assert found["call_ns"] == pytest.approx(device.call_ns, abs=3)
    assert found["launch_lag_ns"] == pytest.approx(device.lag_ns, abs=3)
    assert found["synchronise_ns"] == pytest.approx(device.wait_ns, abs=3)
    assert found["queue_depth"] == pytest.approx(device.depth, abs=COPIES)
    assert found["half_width_ns"] <= 10


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

    one, several = device.calls(launches), device.calls(launches, COPIES)
    found = slopes(beside(one), beside(several), device.clock, is_slow)
    for made, wanted in zip(found.host, slopes(one, several, device.clock).host, strict=True):
        assert made == pytest.approx(wanted, abs=3)


def test_a_hiccup_of_the_host_is_no_full_queue() -> None:
    """However often enqueueing takes long by chance: a queue that is never full is not said to be."""
    device = SimulatedDevice()
    (_, several), random = chain(device), np.random.default_rng(0)

    def enqueue() -> None:
        several.enqueue()
        device.now += 10_000_000 * (random.random() < 0.5)

    jumpy = replace(several, enqueue=enqueue)
    assert queue_depth(jumpy, measured(device, LONG), device.clock) == 0


def test_a_known_gap_is_no_part_of_the_lag() -> None:
    """Where a trace has shown the gap between kernels, the lag is that of the first launch alone."""
    device = SimulatedDevice(gap_ns=1_500)
    found = queue_constants(device.calls([]), *chain(device), gap_ns=1_500, clock=device.clock)
    assert found["launch_lag_ns"] == pytest.approx(device.lag_ns, abs=3)


def device_bound(device: SimulatedDevice, launches: list[Launch]) -> bool:
    """Whether the device never waits for the host after the first launch, and the host waits for it at the end."""
    many = launches * COPIES
    device.call(many)
    device.wait()
    begin = device.now
    hosts = list(itertools.accumulate(host for host, _ in many))
    ends = list(itertools.accumulate((busy for _, busy in many), initial=hosts[0] + device.lag_ns))
    never = all(host + device.lag_ns <= end for host, end in zip(hosts[1:], ends[1:-1], strict=True))
    device.call(many)
    return never and device.now - begin - device.call_ns - hosts[-1] > 1.2 * device.wait_ns


@given(device=DEVICES, launches=LAUNCHES)
@example(SimulatedDevice(call_ns=1000, lag_ns=500, wait_ns=2479), [(1002, 1138)])
@settings(deadline=None, max_examples=100)
def test_host_and_device_are_told_apart(device: SimulatedDevice, launches: list[Launch]) -> None:
    """Host time is what enqueueing takes. Device time is what kernels take, or bounded where the host is slower."""
    host, busy = (sum(one[part] for one in launches) for part in (0, 1))
    found = queue_times(measured(device, launches), kernels=len(launches), waits=False, machine=constants(device))
    assert found["host_ns"] == pytest.approx(host, abs=3)
    # the first launch, which no kernel hides, is taken to last as long as the others
    slack = 3 + 0.01 * busy + max(abs(one - host / len(launches)) for one, _ in launches) / COPIES
    assert busy <= found["device_high_ns"] + slack
    assert (
        found["device_low_ns"] - slack <= max(host, busy) * 1.05
    )  # what the device waits for the host looks like work
    if device_bound(device, launches):
        assert found["device_ns"] == pytest.approx(busy, abs=slack)
        assert found["device_low_ns"] - slack <= busy
        assert found["device_low_ns"] > 0 or device.wait_ns > device.lag_ns or busy < 1.05 * host
    traced = traced_times(found, [busy] * 5, len(launches), 0)
    assert traced["device_ns"] == pytest.approx(busy, abs=1)
    assert traced["host_ns"] == found["host_ns"]


def test_what_waits_for_the_device_is_all_device() -> None:
    """Host, lag and device of a chain that waits in each copy add up to its slope."""
    found = measured(SimulatedDevice(), LONG)
    times = queue_times(found, kernels=1, waits=True, machine=constants(SimulatedDevice()))
    assert times["host_ns"] == 0
    assert times["device_ns"] + 4_000 == pytest.approx(found.total.middle, abs=2)
    assert traced_times(times, [1.0], 1, 0) == times


def test_cold_constants_add_to_the_device() -> None:
    """Never less than warm."""
    found, machine = measured(SimulatedDevice(), LONG), constants(SimulatedDevice())
    assert queue_times(found, kernels=1, waits=False, machine=machine, cold_ns=-5.0)["device_cold_ns"] == 200_000
    assert queue_times(found, kernels=1, waits=False, machine=machine, cold_ns=900.0)["device_cold_ns"] == 200_900
    assert "device_cold_ns" not in queue_times(found, kernels=1, waits=False, machine=machine)
