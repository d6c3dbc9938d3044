"""Laws of serialised runs: they tell parents where parallel work hides them, and nothing else."""

from dlbricks.profile.serialised import resolved
from dlbricks.trace.build import TraceBuilder
from dlbricks.trace.intervals import ancestors
from dlbricks.trace.kinds import CALL, KERNEL, OPERATOR, RUNTIME
from dlbricks.trace.types import Lane, Level, Role, Trace, TraceClock
from tests.trace.same import assert_same

LANE = Lane(process="1", name="thread 1")
OTHER = Lane(process="1", name="thread 2")
HELPER = Lane(process="1", name="thread 3")
STREAM = Lane(process="1", name="stream 7", device="gpu 0")


def run(calls: int, *, parallel: bool, launches: int = 2) -> Trace:
    """Make calls of two layers, each of which has a further thread launch kernels of one name.

    In parallel both layers last all through the call, so that nothing tells whose a launch is.
    """
    builder = TraceBuilder(clock=TraceClock(name="made"))
    number = 0
    for call in range(calls):
        begin = 10_000 * call
        model = builder.add(Level.MODEL, CALL, "n", LANE, begin, begin + 9_000)
        for place, lane in enumerate((LANE, OTHER)):
            start = begin + 100 + (0 if parallel else 4_000 * place)
            length = 8_000 if parallel else 3_900
            layer = builder.add(Level.LAYER, OPERATOR, "same", lane, start, start + length, parent=model)
            for launch in range(launches):
                at = begin + 200 + 4_000 * place + 500 * launch
                number += 1
                launched = builder.add(
                    Level.LIBRARY, RUNTIME, "launch", HELPER, at, at + 10, role=Role.LAUNCH, correlation=number,
                    parent=None if parallel else layer,
                )  # fmt: skip
                builder.add(
                    Level.KERNEL, KERNEL, "gemm", STREAM, at + 20, at + 300, role=Role.EXECUTION, correlation=number,
                    parent=launched,
                )  # fmt: skip
    return builder.built()


def layer_lanes(trace: Trace) -> list[Lane]:
    """Give the lane of the layer of each kernel."""
    rows = trace.rows(Level.KERNEL)
    return [trace.lanes[trace.lane[row]] for row in ancestors(trace, Level.LAYER)[rows].tolist()]


def test_the_nth_launch_of_a_call_has_the_layer_of_the_nth() -> None:
    """Two layers of one name and kernels of one name are told apart by which of their name they are, in every call."""
    made = resolved(run(3, parallel=True), run(1, parallel=False))
    assert layer_lanes(made) == 3 * [LANE, LANE, OTHER, OTHER]
    assert made.notes == ("12 spans have the parent that a serialised run tells",)


def test_times_stay_those_of_the_first_run() -> None:
    """Only parents change."""
    before = run(2, parallel=True)
    after = resolved(before, run(1, parallel=False))
    assert after.start_ns.tolist() == before.start_ns.tolist()
    assert after.end_ns.tolist() == before.end_ns.tolist()


def test_what_is_known_stays() -> None:
    """A trace without ambiguity is given back as it is."""
    clear = run(2, parallel=False)
    assert_same(resolved(clear, run(1, parallel=False)), clear)


def test_what_the_second_run_lacks_is_counted() -> None:
    """Launches beyond those of the serialised run stay without a layer, and a note says how many."""
    made = resolved(run(1, parallel=True, launches=3), run(1, parallel=False, launches=1))
    assert made.notes == (
        "2 spans have the parent that a serialised run tells",
        "4 spans that lie in no layer have no counterpart in the serialised run",
    )
