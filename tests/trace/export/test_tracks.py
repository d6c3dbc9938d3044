"""Tracks: every span is shown once, where it nests."""

from hypothesis import given
from hypothesis import strategies as st

from dlbricks.trace.build import TraceBuilder
from dlbricks.trace.export import arrows, first_fit, layout, track_name
from dlbricks.trace.types import Lane, Level, Role, Trace, TraceClock
from tests.trace.drawn import traces

LANE = Lane(process="1", name="stream 7", device="gpu 0")


@given(traces())
def test_spans_of_a_track_follow_or_contain_each_other(trace: Trace) -> None:
    """No two spans of a track cut across each other, and each track is of one lane."""
    where = layout(trace)
    written = list(zip(where.track.tolist(), where.start_ns.tolist(), where.end_ns.tolist(), strict=True))
    for one, start, end in written:
        for other, begin, finish in written:
            assert one != other or not start < begin < end < finish
    assert [where.tracks[track][0] for track in where.track.tolist()] == trace.lane.tolist()


@given(traces())
def test_times_are_those_recorded(trace: Trace) -> None:
    """Starts are exact; ends by no more than the clock's resolution, or where a span ran backwards; both are told."""
    where = layout(trace)
    for span in trace:
        start, end = int(where.start_ns[span.row]) + where.first_ns, int(where.end_ns[span.row]) + where.first_ns
        assert start == span.start_ns
        assert end <= max(span.end_ns, span.start_ns)
        assert end == span.end_ns or span.row in where.clipped
        assert end == max(span.end_ns, span.start_ns) or 0 < span.end_ns - end <= trace.clock.resolution_ns


def test_a_lane_is_one_track_until_spans_cut_across() -> None:
    """Kernels that overlap on one lane go to a second track, which says whose it is."""
    builder = TraceBuilder(clock=TraceClock(name="test"))
    for start, end in ((0, 10), (2, 5), (5, 10), (20, 30), (25, 35), (35, 36)):
        builder.add(Level.KERNEL, "kernel", "gemm", LANE, start, end, role=Role.EXECUTION)
    where = layout(builder.built())
    assert where.track.tolist() == [0, 0, 0, 0, 1, 0]
    assert [track_name(LANE, number) for _, number in where.tracks] == ["stream 7", "stream 7 (2)"]


def test_arrows_lead_from_launches_and_along_flows() -> None:
    """Each execution is pointed at by its launch; spans of one flow by the first of them."""
    builder = TraceBuilder(clock=TraceClock(name="test"))
    launch = builder.add(Level.LIBRARY, "runtime", "launch", LANE, 0, 1, role=Role.LAUNCH, flow=4)
    for start in (5, 9):
        builder.add(Level.KERNEL, "kernel", "gemm", LANE, start, start + 1, role=Role.EXECUTION, parent=launch)
    builder.add(Level.LAYER, "operator", "backward", LANE, 30, 31, flow=4)
    builder.add(Level.LAYER, "operator", "alone", LANE, 40, 41, flow=5)
    pairs = [list(map(int, pair)) for pair in zip(*arrows(builder.built()), strict=True)]
    assert pairs == [[0, 1], [0, 2], [0, 3]]


def plain(spans: list[tuple[int, int]], tolerance: int) -> tuple[list[int], list[int]]:
    """Put each span on the first track on which it nests, looked for one after another."""
    stacks: list[list[int]] = []
    numbers, written = [], []
    for start, end in spans:
        stacks = [[until for until in stack if until > start] for stack in stacks]
        number = next((at for at, stack in enumerate(stacks) if not stack or end <= stack[-1] + tolerance), len(stacks))
        stacks += [[]] * (number == len(stacks))
        kept = min([end, *stacks[number][-1:]])
        stacks[number] = [*stacks[number], kept]
        numbers.append(number)
        written.append(kept)
    return numbers, written


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), max_size=40), st.integers(0, 2))
def test_a_span_is_on_the_first_track_on_which_it_nests(drawn: list[tuple[int, int]], tolerance: int) -> None:
    """However many spans cut across each other."""
    spans = sorted(((start, start + lasting) for start, lasting in drawn), key=lambda span: (span[0], -span[1]))
    assert first_fit([start for start, _ in spans], [end for _, end in spans], tolerance) == plain(spans, tolerance)
