"""Laws of what a device did in timed calls: nothing of untimed calls, one clock, every kernel in its layer."""

from dlbricks.harness.trace.activities import Activity
from dlbricks.harness.trace.cupti import ActivityClock
from dlbricks.profile.levels import capability_of
from dlbricks.trace.build import TraceBuilder
from dlbricks.trace.cupti import Recording, gathered, merged_with_layers, trace_of
from dlbricks.trace.intervals import ancestors
from dlbricks.trace.kinds import CALL, KERNEL, OPERATOR
from dlbricks.trace.types import Lane, Level, Trace, TraceClock

UNIX = 1_000_000_000_000
"""Of a time of ``perf_counter`` 0, ns since 1970."""
CALL_NS = 1_000_000
NAMES = ("first", "second")
THREAD = 11


def recording(place: int) -> Recording:
    """Record an untimed call and a timed one, each launching a kernel in each of two layers.

    CUPTI's clock is 500 ns behind ``perf_counter`` in the first recording and 500 more in each further one.
    """
    behind = 500 * (place + 1)
    begin = 10 * CALL_NS * (place + 1)
    activities: list[Activity] = []
    for timed in (False, True):
        for layer, name in enumerate(NAMES):
            start = begin - behind - (0 if timed else CALL_NS) + 100_000 * (layer + 1)
            number = 1 + layer + 2 * timed
            launch = Activity(
                kind="runtime", name="launch", start_ns=start, end_ns=start + 5_000, correlation=number, thread=THREAD
            )
            kernel = Activity(
                kind="kernel",
                name=f"kernel of {name}",
                start_ns=start + 2 * CALL_NS * timed,
                end_ns=start + 2 * CALL_NS * timed + 7_000,
                correlation=number,
                stream=7,
                device=0,
            )
            activities += [launch, kernel]
    clock = ActivityClock(perf_counter_offset_ns=behind, unix_offset_ns=UNIX + behind, uncertainty_ns=100)
    return Recording(
        activities=tuple(activities), clock=clock, begin_ns=begin, end_ns=begin + CALL_NS, notes=("said once",)
    )


def layers(calls: int) -> Trace:
    """Make the trace of the timed calls as a runtime's profile tells them."""
    builder = TraceBuilder(clock=TraceClock(name="onnxruntime", unix_offset_ns=UNIX, resolution_ns=1_000))
    lane = Lane(process="5", name=f"thread {THREAD}")
    for place in range(calls):
        begin = 10 * CALL_NS * (place + 1)
        call = builder.add(Level.MODEL, CALL, "n", lane, begin, begin + CALL_NS, index=place)
        for layer, name in enumerate(NAMES):
            start = begin + 100_000 * (layer + 1) - 10_000
            builder.add(Level.LAYER, OPERATOR, name, lane, start, start + 50_000, parent=call, index=layer)
    return builder.built()


def test_only_timed_calls_are_kept() -> None:
    """Launches of the call that settles, and their kernels, are left out; kernels that end late are not."""
    activities, clock = gathered([recording(0), recording(1)])
    assert clock == recording(0).clock
    assert len(activities) == 2 * 4
    assert sum(one.kind == "kernel" for one in activities) == 4


def test_all_recordings_are_on_one_clock_with_numbers_of_their_own() -> None:
    """Times differ by exactly what the calls are apart, and no two calls share a correlation number."""
    activities, _ = gathered([recording(0), recording(1)])
    first, second = activities[:4], activities[4:]
    assert [late.start_ns - early.start_ns for early, late in zip(first, second, strict=True)] == [10 * CALL_NS] * 4
    assert not {one.correlation for one in first} & {one.correlation for one in second}


def test_every_kernel_lies_in_its_layer() -> None:
    """A kernel belongs to the layer in which it was launched, in its own call, however late it ran."""
    recordings = [recording(place) for place in range(3)]
    notes = [note for each in recordings for note in each.notes]
    trace = merged_with_layers(layers(3), trace_of(*gathered(recordings), process=5, notes=notes))
    rows = trace.rows(Level.KERNEL, KERNEL)
    assert len(rows) == 6
    layer_of, call_of = ancestors(trace, Level.LAYER), ancestors(trace, Level.MODEL)
    found = [(trace.names[trace.name[row]], trace.names[trace.name[layer_of[row]]]) for row in rows.tolist()]
    assert sorted(found) == sorted(3 * [(f"kernel of {name}", name) for name in NAMES])
    assert sorted(trace.column("index", call_of[rows]).tolist()) == [0, 0, 1, 1, 2, 2]
    assert trace.notes.count("said once") == 1


def test_the_capability_is_that_of_the_device_used() -> None:
    """Facts tell a capability for each device; without facts there is none."""
    system = {"gpus": [{"compute_capability": 9.0}, {"compute_capability": "12.1"}, {"compute_capability": None}]}
    assert [capability_of(system, device) for device in range(4)] == [(9, 0), (12, 1), None, None]
    assert capability_of({}, 0) is None
