"""Times of host and device are measured each by itself: on a simulated device they are what went in."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dlbricks.harness.trace.queue_times import COPIES, Chain, Slopes, queue_constants, queue_times, slopes, traced_times
from tests.harness.simulated_device import Launch, SimulatedDevice

LONG: list[Launch] = [(5_000.0, 200_000.0)]
DEVICES = st.builds(
    SimulatedDevice,
    call_ns=st.floats(1_000, 50_000),
    lag_ns=st.floats(500, 20_000),
    wait_ns=st.floats(500, 20_000),
    depth=st.sampled_from([0, 256, 1_022]),
)
LAUNCHES = st.lists(st.tuples(st.floats(1_000, 20_000), st.floats(1_000, 1_000_000)), min_size=1, max_size=20)


def measured(device: SimulatedDevice, launches: list[Launch]) -> Slopes:
    """Give slopes of a network."""
    return slopes(device.calls(launches), device.calls(launches, COPIES), COPIES, device.clock)


def chain(device: SimulatedDevice) -> Chain:
    """Give a chain of a kernel that takes the device long."""
    return Chain(device.calls(LONG), device.calls(LONG, COPIES), COPIES, len(LONG))


@given(device=DEVICES)
@settings(deadline=None, max_examples=30)
def test_constants_are_those_of_the_device(device: SimulatedDevice) -> None:
    """Call, lag, wait and depth of the queue come out as they are."""
    found = queue_constants(device.calls([]), chain(device), clock=device.clock)
    assert found["call_ns"] == pytest.approx(device.call_ns, abs=3)
    assert found["launch_lag_ns"] == pytest.approx(device.lag_ns, abs=3)
    assert found["synchronise_ns"] == pytest.approx(device.wait_ns, abs=3)
    assert found["queue_depth"] == pytest.approx(device.depth, abs=COPIES)
    assert found["half_width_ns"] <= 10


def test_a_known_gap_is_no_part_of_the_lag() -> None:
    """Where a trace has shown the gap between kernels, the lag is that of the first launch alone."""
    device = SimulatedDevice(gap_ns=1_500)
    found = queue_constants(device.calls([]), chain(device), gap_ns=1_500, clock=device.clock)
    assert found["launch_lag_ns"] == pytest.approx(device.lag_ns, abs=3)


@given(device=DEVICES, launches=LAUNCHES)
@settings(deadline=None, max_examples=100)
def test_host_and_device_are_told_apart(device: SimulatedDevice, launches: list[Launch]) -> None:
    """Host time is what enqueueing takes. Device time is what kernels take, or bounded where the host is slower."""
    host, busy = (sum(one[part] for one in launches) for part in (0, 1))
    found = queue_times(measured(device, launches), kernels=len(launches), waits=False)
    assert found["host_ns"] == pytest.approx(host, abs=3)
    assert found["device_low_ns"] - 3 <= busy <= found["device_high_ns"] + 3
    if busy > 1.2 * host:
        assert found["device_ns"] == pytest.approx(max(host, busy), rel=0.01)
        assert found["device_low_ns"] > 0
    traced = traced_times(found, [busy] * 5, len(launches), 0)
    assert traced["device_ns"] == pytest.approx(busy, abs=1)
    assert traced["host_ns"] == found["host_ns"]


def test_what_waits_for_the_device_is_all_device() -> None:
    """Host, lag and device of a chain that waits in each copy add up to its slope."""
    found = Slopes(host=measured(SimulatedDevice(), LONG).host, total=measured(SimulatedDevice(), LONG).total)
    times = queue_times(found, kernels=1, waits=True, launch_lag_ns=4_000)
    assert times["host_ns"] == 0
    assert times["device_ns"] + 4_000 == pytest.approx(found.total.middle, abs=2)
    assert traced_times(times, [1.0], 1, 0) == times


def test_cold_constants_add_to_the_device() -> None:
    """Never less than warm."""
    found = measured(SimulatedDevice(), LONG)
    assert queue_times(found, kernels=1, waits=False, cold_ns=-5.0)["device_cold_ns"] == 200_000
    assert queue_times(found, kernels=1, waits=False, cold_ns=900.0)["device_cold_ns"] == 200_900
    assert "device_cold_ns" not in queue_times(found, kernels=1, waits=False)
