"""Measuring and composing together: measurements of a simulated device compose to the time of its networks."""

from collections.abc import Mapping, Sequence

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dlbricks.construct.estimate import estimate
from dlbricks.construct.types import Estimate, Rule
from dlbricks.harness.trace.device_queue import call_times, queue_constants, queue_times, traced_times
from dlbricks.store.types import QueueConstants, QueueTimes
from tests.construct.made_up import composition, on_device
from tests.harness.simulated_device import Launch, SimulatedDevice

LONG: list[Launch] = [(5_000.0, 200_000.0)]
DEVICES = st.builds(
    SimulatedDevice,
    call_ns=st.floats(1_000, 50_000),
    lag_ns=st.floats(1_000, 8_000),
    wait_ns=st.floats(1_000, 8_000),
    depth=st.sampled_from([0, 1_022]),
)
KERNEL = st.tuples(st.floats(3_000, 15_000), st.floats(0, 3).map(lambda exponent: 1_000 * 10**exponent))


def composed(
    device: SimulatedDevice, sequences: Mapping[str, list[Launch]], names: Sequence[str], *, traced: bool
) -> Estimate:
    """Measure sequences on a device as the harness does, and compose them."""
    constants = queue_constants(device.calls([]), device.calls(LONG), clock=device.clock)
    machine = msgspec.convert(constants, QueueConstants)
    times = {}
    for name, launches in sequences.items():
        device.wait()
        found = call_times(device.calls(launches), device.calls([]), device.clock)
        entry = queue_times(found, kernels=len(launches), waits=False, machine=constants)
        kernels = device.traced(device.calls(launches))[1]
        times[name] = QueueTimes(**traced_times(entry, kernels, [], 0) if traced else entry)
    return estimate(composition(names), on_device(times, machine), Rule.parse("sequential"))


@settings(max_examples=40, deadline=None)
@given(
    DEVICES,
    st.lists(st.lists(KERNEL, min_size=1, max_size=6), min_size=1, max_size=5),
    st.lists(st.integers(0, 4), min_size=1, max_size=200),
)
def test_a_network_takes_what_its_measured_sequences_compose_to(
    device: SimulatedDevice, sequences: list[list[Launch]], order: list[int]
) -> None:
    """Within 2 % if kernels were recorded, and within 3 % of the interval that calls give if not.

    Where waiting for an idle device takes longer than the launch lag, it hides when a single copy ends by as much.
    """
    by_name = {f"s{index}": launches for index, launches in enumerate(sequences)}
    names = [f"s{number % len(sequences)}" for number in order]
    truth = device.latency_ns([launch for name in names for launch in by_name[name]])
    hidden = max(0.0, 1.1 * device.wait_ns - device.lag_ns)
    assert composed(device, by_name, names, traced=True).total_ns == pytest.approx(truth, rel=0.02, abs=hidden)
    blind = composed(device, by_name, names, traced=False)
    assert blind.total_ns - blind.parts.sampling_low_ns <= truth * 1.03 + hidden
    assert blind.total_ns + blind.parts.sampling_high_ns >= truth * 0.97 - hidden


def test_launches_that_take_as_long_as_their_kernels() -> None:
    """The first kernel of ``b`` is launched after 3 us of 10.7, and the device takes 11: neither bounds the other."""
    sequences = {"a": [(3_000.0, 10_000.0)], "b": [(3_000.0, 10_000.0), (7_680.0, 1_000.0)]}
    device = SimulatedDevice(call_ns=1_000, lag_ns=1_000, wait_ns=1_000, depth=0)
    truth = device.latency_ns([launch for name in "ab" for launch in sequences[name]])
    assert composed(device, sequences, ["a", "b"], traced=True).total_ns == pytest.approx(truth, rel=0.02)
    blind = composed(device, sequences, ["a", "b"], traced=False)
    assert blind.total_ns - blind.parts.sampling_low_ns <= truth <= blind.total_ns + blind.parts.sampling_high_ns


def test_without_recorded_kernels_a_launch_bound_network_is_known_all_the_same() -> None:
    """The time of the host decides and is measured; the kernels behind it do not matter."""
    estimate = composed(SimulatedDevice(), {"a": [(6_000.0, 2_000.0)]}, ["a"] * 100, traced=False)
    assert estimate.total_ns == pytest.approx(SimulatedDevice().latency_ns([(6_000.0, 2_000.0)] * 100), rel=0.01)
