"""Composing on an asynchronous provider, against an event-driven simulation."""

import dataclasses
from collections.abc import Sequence

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dlbricks.construct.asynchronous import LaunchShare
from dlbricks.construct.estimate import estimate
from dlbricks.construct.types import Composition, Estimate, Rule
from dlbricks.errors import InputError
from dlbricks.model.types import SequenceFeatures
from dlbricks.store.types import Calibration, QueueConstants, QueueTimes, SystemResults
from tests.construct.made_up import composition, on_device, placed, results
from tests.construct.queue_oracle import Operation, Operations, call_ns, stored

SEQUENTIAL, SIMULATE = Rule.parse("sequential"), Rule.parse("simulate")
MACHINE = QueueConstants(call_ns=12_000, launch_lag_ns=4_000, synchronise_ns=6_000, kernel_gap_ns=0)


def kernel(device_us: float, host_us: float = 6) -> Operation:
    """Enqueue a kernel."""
    return Operation(host_ns=round(1_000 * host_us), device_ns=round(1_000 * device_us))


def times(host: tuple[int, int, int], device: tuple[int, int, int], **others: int) -> QueueTimes:
    """Return times of a sequence of one kernel with their intervals: figure, low, high."""
    fields = dict(zip(("host_ns", "host_low_ns", "host_high_ns"), host, strict=True))
    fields |= dict(zip(("device_ns", "device_low_ns", "device_high_ns"), device, strict=True))
    return QueueTimes(**fields, kernels=1, synchronises=False, **others)


def composed(made: Composition, known: SystemResults) -> Estimate:
    """Compose by the default rule."""
    return estimate(made, known, SEQUENTIAL)


@pytest.mark.parametrize(
    ("kernel_us", "truth_us", "sum_us"), [(2, 618, 24), (5, 621, 324), (20, 2_022, 1_824), (100, 10_022, 9_824)]
)
def test_short_kernels_cost_their_launches_and_long_ones_hide_them(kernel_us: int, truth_us: int, sum_us: int) -> None:
    """100 kernels of 2 to 100 us; a sum of single calls without overhead is too small by up to 96 %."""
    one = [kernel(kernel_us)]
    assert call_ns(MACHINE, one * 100) == truth_us * 1_000
    known = on_device({"a": stored(MACHINE, one)}, MACHINE)
    assert composed(composition(["a"] * 100), known).total_ns == truth_us * 1_000
    calls = (call_ns(MACHINE, one), call_ns(MACHINE, [kernel(2)]))
    summed = 100 * (calls[0] - calls[1]) + calls[1]
    assert summed == sum_us * 1_000
    # what was stored before host and device were told apart: no figure, but bounds that hold the truth
    old = results({"a": calls[0]}, overhead_ns=calls[1])
    estimate = composed(composition(["a"] * 100), cuda(old))
    assert estimate.bounds_only
    assert estimate.low_ns <= truth_us * 1_000 <= estimate.high_ns


def cuda(made: SystemResults) -> SystemResults:
    """Return results of an asynchronous provider."""
    return dataclasses.replace(made, configuration=dataclasses.replace(made.configuration, provider="cuda"))


def _shares(sequence: Operations) -> list[LaunchShare]:
    """Return the shares of a sequence's launches, as its trace would show them."""
    host = sum(one.host_ns for one in sequence)
    device = sum(one.device_ns or 0 for one in sequence)
    return [LaunchShare(host=one.host_ns / host, device=(one.device_ns or 0) / device) for one in sequence]


_MICROSECONDS = st.floats(0, 3).map(lambda exponent: 10**exponent)
_KERNEL = st.builds(kernel, _MICROSECONDS, st.floats(3, 15))
_MACHINES = st.builds(
    QueueConstants,
    call_ns=st.integers(0, 50_000),
    launch_lag_ns=st.integers(3_000, 6_000),
    synchronise_ns=st.integers(3_000, 7_000),
    kernel_gap_ns=st.integers(0, 2_000),
    queue_depth=st.sampled_from([0, 8, 100, 1022]),
)
# a copy that the host waits for, and what it then computes; copies as long as a wait takes beyond the lag of a launch
_COPY = st.tuples(
    st.builds(Operation, host_ns=st.integers(3_000, 8_000), device_ns=st.integers(4_000, 200_000), waits=st.just(True)),
    st.builds(Operation, host_ns=st.integers(0, 100_000)),
).map(list)
_WORK = st.builds(Operation, host_ns=st.integers(0, 50_000)).map(lambda one: [one])


@settings(max_examples=60)
@given(
    machine=_MACHINES,
    singles=st.lists(_KERNEL.map(lambda one: [one]), min_size=1, max_size=4),
    longer=st.lists(st.lists(_KERNEL, min_size=2, max_size=12), max_size=2),
    others=st.lists(st.one_of(_COPY, _WORK), max_size=2),
    order=st.lists(st.integers(0, 2**16), min_size=1, max_size=300),
    repeated=st.sampled_from([1, 1, 1, 5]),
)
def test_the_queue_is_that_of_an_event_driven_simulation(
    machine: QueueConstants,
    singles: Sequence[Operations],
    longer: Sequence[Operations],
    others: Sequence[Operations],
    order: Sequence[int],
    repeated: int,
) -> None:
    """Kernels of 1 us to 1 ms, mixed, with copies and processor work between them and full queues: within 1 %.

    Sequences of several kernels have traces.
    """
    sequences = {f"s{index}": one for index, one in enumerate([*singles, *longer, *others])}
    names = [f"s{number % len(sequences)}" for number in order] * repeated
    truth = call_ns(machine, [one for name in names for one in sequences[name]])
    known = on_device({name: stored(machine, one) for name, one in sequences.items()}, machine)
    traced = {f"s{len(singles) + index}": _shares(one) for index, one in enumerate(longer)}
    found = estimate(composition(names), known, SIMULATE, traced=traced)
    assert found.total_ns == pytest.approx(truth, rel=0.01)


@pytest.mark.parametrize("depth", [0, 100, 1022])
@pytest.mark.parametrize("kernel_us", [[1], [1_000], [1, 1_000], [5, 8, 2, 40]])
def test_ten_thousand_kernels(kernel_us: Sequence[float], depth: int) -> None:
    """Launch-bound, device-bound and mixed: within 1 % of the simulation."""
    machine = dataclasses.replace(MACHINE, queue_depth=depth, kernel_gap_ns=1_000)
    sequences = {str(one): [kernel(one)] for one in kernel_us}
    known = on_device({name: stored(machine, one) for name, one in sequences.items()}, machine)
    names = [*sequences] * (10_000 // len(sequences))
    truth = call_ns(machine, [one for name in names for one in sequences[name]])
    assert composed(composition(names), known).total_ns == pytest.approx(truth, rel=0.01)


@settings(max_examples=60)
@given(
    _MACHINES,
    st.lists(st.lists(_KERNEL, min_size=1, max_size=12), min_size=1, max_size=4),
    st.lists(st.integers(0, 3), min_size=1, max_size=60),
)
def test_how_long_a_sequence_takes_alone_tells_of_its_kernels(
    machine: QueueConstants, sequences: Sequence[Operations], order: Sequence[int]
) -> None:
    """Without traces: exact if the queue is never full, since the time alone determines the extra lag.

    Without that time kernels count as equal; the error is below the time of one sequence on the resource that does not
    decide. With a queue shorter than a sequence, within 3 %.
    """
    names = [f"s{index % len(sequences)}" for index in order]
    operations = [one for index in order for one in sequences[index % len(sequences)]]
    roomy = dataclasses.replace(machine, queue_depth=0)
    for there, off in ((roomy, 0.0), (machine, 0.03)):
        known = on_device({f"s{index}": stored(there, one) for index, one in enumerate(sequences)}, there)
        truth = call_ns(there, operations)
        assert composed(composition(names), known).total_ns == pytest.approx(truth, rel=off, abs=2 * len(names))
    for name, one in known.measurements.items():
        assert one.queue is not None
        equal = dataclasses.replace(one.queue, alone_ns=None)
        known.measurements[name] = msgspec.structs.replace(one, queue=equal)
    off = max(min(one.queue.host_ns, one.queue.device_ns) for one in known.measurements.values() if one.queue)
    blind = composed(composition(names), dataclasses.replace(known, queue=roomy)).total_ns
    assert abs(blind - call_ns(roomy, operations)) <= off + 1


@given(st.lists(_KERNEL, min_size=1, max_size=30), _MACHINES)
def test_what_steps_take_adds_up(operations: Operations, machine: QueueConstants) -> None:
    """Each step has the delay it causes; none is negative, and the sums name the deciding resource."""
    known = on_device({f"s{index}": stored(machine, [one]) for index, one in enumerate(operations)}, machine)
    estimate = composed(composition([f"s{index}" for index in range(len(operations))]), known)
    assert sum(row.total_ns for row in estimate.rows) == estimate.total_ns - machine.call_ns
    assert all(row.total_ns >= 0 for row in estimate.rows)
    assert estimate.queue is not None
    assert (
        estimate.total_ns
        >= machine.call_ns + max(estimate.queue.host_ns, estimate.queue.device_ns - machine.kernel_gap_ns) - 1
    )


def test_the_interval_holds_networks_whose_times_lie_in_theirs() -> None:
    """Of 300 networks with true times drawn from their intervals, 95 % are inside.

    Half of the sequences are launch-bound, so that the larger of two uncertain times counts.
    """
    random = np.random.default_rng(1)
    rough = {f"s{index}": (10_000, 10_000 + 100 * (index - 10)) for index in range(20)}
    known = on_device(
        {
            name: times(
                (host, round(0.8 * host), round(1.2 * host)), (device, round(0.8 * device), round(1.2 * device))
            )
            for name, (host, device) in rough.items()
        },
        MACHINE,
    )
    estimate = composed(composition([*rough]), known)
    low, high = estimate.total_ns - estimate.parts.sampling_low_ns, estimate.total_ns + estimate.parts.sampling_high_ns
    inside = 0
    for _ in range(300):
        factors = 1 + 0.2 / 1.96 * random.standard_normal((20, 2))
        true = [
            Operation(host_ns=round(host * by_host), device_ns=round(device * by_device))
            for (host, device), (by_host, by_device) in zip(rough.values(), factors, strict=True)
        ]
        inside += low <= call_ns(MACHINE, true) <= high
    assert 0.91 <= inside / 300 <= 0.985


def test_an_interval_is_that_of_what_decides() -> None:
    """Long kernels hide the time of launches and its uncertainty, and vice versa."""
    long = times((6_000, 1_000, 12_000), (100_000, 99_000, 101_000))
    short = times((6_000, 5_900, 6_100), (1_000, 500, 3_000))
    for one, off in ((long, 100_000), (short, 10_000)):
        parts = composed(composition(["a"] * 100), on_device({"a": one}, MACHINE)).parts
        assert 0.8 * off < parts.sampling_low_ns < 1.2 * off
        assert 0.8 * off < parts.sampling_high_ns < 1.2 * off
    exact = composed(composition(["a"]), on_device({"a": times((6_000,) * 3, (9_000,) * 3)}, MACHINE)).parts
    assert (exact.sampling_low_ns, exact.sampling_high_ns) == (0, 0)


def test_weights_come_from_device_memory() -> None:
    """Unless the footprint fits into the device's cache; a sequence without weights is as in a loop."""
    one = times((1_000,) * 3, (50_000,) * 3, device_cold_ns=80_000)
    weights = SequenceFeatures(operators=("Conv",), flops=0, weight_bytes=2**20, input_bytes=1, output_bytes=1)

    def total(features: SequenceFeatures, cache_bytes: int, far: int = 2**22) -> Estimate:
        made = placed(composition(["a"]), 0, constants=((2**20, far, 1),))
        made = dataclasses.replace(made, steps=(dataclasses.replace(made.steps[0], features=features),))
        return composed(made, on_device({"a": one}, dataclasses.replace(MACHINE, cache_bytes=cache_bytes)))

    warm, cold = (12_000 + 1_000 + 4_000 + device for device in (50_000, 80_000))
    assert total(weights, 0).total_ns == total(weights, 2**22).total_ns == cold
    assert total(weights, 2**23).total_ns == warm
    assert total(dataclasses.replace(weights, weight_bytes=0), 0).total_ns == warm
    weighted = total(weights, 0)
    assert weighted.queue is not None
    assert (weighted.queue.device_ns, weighted.queue.fetching_ns) == (80_000, 30_000)


def test_results_without_times_of_host_and_device_give_bounds_and_say_so() -> None:
    """One sequence without them is enough."""
    times_of = {"a": times((6_000,) * 3, (9_000,) * 3), "b": times((6_000,) * 3, (9_000,) * 3)}
    known = on_device(times_of, MACHINE)
    known.measurements["b"] = msgspec.structs.replace(known.measurements["b"], queue=None)
    estimate = composed(composition(["a", "b"]), known)
    assert estimate.bounds_only
    assert "no times of host and device" in estimate.evidence
    assert not composed(composition(["a", "a"]), known).bounds_only


@pytest.mark.parametrize("rule", ["pairs", "parallel"])
def test_rules_of_processors_are_refused_on_a_device(rule: str) -> None:
    """In one line with the alternative."""
    known = on_device({"a": times((6_000,) * 3, (9_000,) * 3)}, MACHINE)
    with pytest.raises(InputError, match=f"rule '{rule}' does not apply to .* cuda: use sequential"):
        estimate(composition(["a"]), known, Rule.parse(rule))


def test_what_is_missing_is_listed() -> None:
    """As on a processor, and left out of the total."""
    known = on_device({"a": times((6_000,) * 3, (9_000,) * 3)}, MACHINE)
    estimate = composed(composition(["a", "b"]), known)
    assert estimate.missing == ("b",)
    assert estimate.total_ns == composed(composition(["a"]), known).total_ns
    assert estimate.nulls == ("low_ns", "high_ns")


def test_device_and_eager_are_two_figures() -> None:
    """Kernels and the gaps between them, within 10 %; the host's launches beside them are another figure."""
    machine = dataclasses.replace(MACHINE, kernel_gap_ns=1_000)
    one = times((9_000, 8_000, 10_000), (3_000, 2_990, 3_010), traced=5)
    made = composed(composition(["a"] * 100), on_device({"a": one}, machine))
    assert made.device is not None
    assert made.eager is not None
    assert made.device.total_ns == 100 * 3_000 - 1_000
    width = (made.device.high_ns - made.device.low_ns) / made.device.total_ns
    assert 0.1 <= width < 0.102
    assert "assumed" in made.device.evidence
    assert (made.eager.total_ns, made.eager.low_ns, made.eager.high_ns) == (made.total_ns, made.low_ns, made.high_ns)
    assert made.eager.total_ns > 100 * 9_000
    assert "no whole network was called in the run" in made.eager.evidence


def test_device_times_by_calls_are_wide_and_said_so() -> None:
    """Their errors have one direction, so they add up; the reason is told."""
    one = times((9_000, 8_000, 10_000), (3_000, 0, 6_000))
    machine = dataclasses.replace(MACHINE, untraced="kernels cannot be traced: no permission")
    made = composed(composition(["a"] * 100), on_device({"a": one}, machine)).device
    assert made is not None
    assert made.low_ns == 0
    assert made.high_ns == pytest.approx(600_000, rel=0.01)
    assert made.evidence.endswith("; 100% of it is bounded by durations of calls only: " + machine.untraced)


def test_the_host_takes_what_whole_networks_showed() -> None:
    """A calibration scales the host's times only, and replaces the band of the eager figure."""
    one = times((9_000,) * 3, (3_000,) * 3, traced=5)
    known = on_device({"a": one}, MACHINE)
    found = Calibration(networks=3, host=1.2, host_spread=0.05)
    before, after = (
        composed(composition(["a"] * 100), each) for each in (known, dataclasses.replace(known, calibration=found))
    )
    assert before.device == after.device
    assert after.total_ns - before.total_ns == pytest.approx(0.2 * 9_000 * 100, abs=2)
    assert (after.high_ns - after.low_ns) / after.total_ns == pytest.approx(2 * 1.645 * 0.05, rel=0.01)
    assert after.eager is not None
    assert after.eager.evidence == "host times scaled by 1.20, as networks took longer than their parts (3)"
