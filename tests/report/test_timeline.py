import itertools

from hypothesis import given
from hypothesis import strategies as st

from dlbricks.report.timeline import Timeline, timeline
from dlbricks.trace import kinds
from dlbricks.trace.build import TraceBuilder
from dlbricks.trace.types import NONE, Level, Trace, TraceClock
from tests.report.made_up_profile import HOST, STREAM, made_up_trace

_SPANS = st.lists(st.tuples(st.integers(0, 3_000), st.integers(0, 400), st.booleans()), min_size=1, max_size=120)


def drawn_trace(spans: list[tuple[int, int, bool]]) -> Trace:
    """Make a trace of starts and durations on a thread or a stream, however they overlap."""
    made = TraceBuilder(clock=TraceClock(name="perf_counter"))
    for start, duration, device in spans:
        level, kind = (Level.KERNEL, kinds.KERNEL) if device else (Level.LAYER, kinds.OPERATOR)
        made.add(level, kind, "one", STREAM if device else HOST, start, start + duration)
    return made.built()


def by_row(made: Timeline) -> list[list[int]]:
    """Return the blocks of each row, in their order."""
    rows: list[list[int]] = [[] for _ in range(max(made.row) + 1)]
    for block, row in enumerate(made.row):
        rows[row].append(block)
    return rows


@given(spans=_SPANS, most=st.integers(4, 200))
def test_every_span_is_drawn_once(spans: list[tuple[int, int, bool]], most: int) -> None:
    """However a trace is thinned, its blocks stand for all of its spans, each once."""
    made = timeline(drawn_trace(spans), most)
    assert sum(made.spans) == len(spans)


@given(spans=_SPANS)
def test_blocks_of_a_row_do_not_overlap(spans: list[tuple[int, int, bool]]) -> None:
    """Each block of a row ends before the next one starts, so that the page finds what is in view by halving."""
    made = timeline(drawn_trace(spans))
    for blocks in by_row(made):
        for one, other in itertools.pairwise(blocks):
            assert made.start_ns[one] + made.duration_ns[one] <= made.start_ns[other]


@given(spans=_SPANS, most=st.integers(4, 60))
def test_thinning_keeps_the_extent_of_rows(spans: list[tuple[int, int, bool]], most: int) -> None:
    """A thinned row begins and ends where the whole one does: nothing at its ends disappears."""
    whole, thinned = (timeline(drawn_trace(spans), count) for count in (10_000, most))

    def extents(made: Timeline) -> list[tuple[int, int]]:
        return [
            (made.start_ns[blocks[0]], max(made.start_ns[block] + made.duration_ns[block] for block in blocks))
            for blocks in by_row(made)
        ]

    assert extents(whole) == extents(thinned)
    assert whole.note == ""


def test_nested_spans_lie_below_each_other() -> None:
    """Call, layer, launch, each in a row of its own; what runs on the device has its own lane."""
    made = timeline(made_up_trace("MLK", calls=1, layers=2))
    assert [lane.rows for lane in made.lanes] == [3, 1]
    assert [lane.title for lane in made.lanes] == ["thread 1", "gpu 0, stream 7"]
    assert [made.row[block] for block in range(len(made.row))] == [0, 1, 1, 2, 2, 3, 3]


def test_executions_point_to_their_launches() -> None:
    """A kernel's block names the block of its launch; other blocks name none."""
    made = timeline(made_up_trace("MLK", calls=2, layers=3))
    for block, launch in enumerate(made.launch):
        kernel = made.level[block] == Level.KERNEL
        assert (launch != NONE) == kernel
        if kernel:
            assert made.level[launch] == Level.LIBRARY
            assert made.start_ns[launch] < made.start_ns[block]


def test_kernels_have_the_colour_of_their_layer() -> None:
    """The type of the outermost layer colours layer and kernel; calls and launches have none."""
    made = timeline(made_up_trace("MLK", calls=1, layers=1))
    colours = dict(zip(made.level, made.colour, strict=True))
    types = {level: None if colour == NONE else made.texts[colour] for level, colour in colours.items()}
    assert types == {Level.MODEL: None, Level.LAYER: "Conv", Level.LIBRARY: None, Level.KERNEL: "Conv"}


def test_a_thinned_timeline_says_so() -> None:
    """What is not drawn one by one is told in numbers, and so is what was done about it."""
    trace = made_up_trace("MLK", calls=20, layers=200)
    made = timeline(trace, 500)
    assert len(made.row) <= 500
    assert "grey blocks" in made.note
    assert f"of {len(trace):,} spans" in made.note


def test_spans_that_end_before_they_start_are_left_out() -> None:
    """A negative span has no place on a timeline; the rest is drawn."""
    made = TraceBuilder(clock=TraceClock(name="perf_counter"))
    made.add(Level.LAYER, kinds.OPERATOR, "good", HOST, 10, 20)
    made.add(Level.LAYER, kinds.OPERATOR, "bad", HOST, 30, 25)
    shown = timeline(made.built())
    assert [shown.texts[name] for name in shown.name] == ["good"]


def test_an_empty_trace_has_no_blocks() -> None:
    """No spans, no lanes, no length."""
    shown = timeline(TraceBuilder(clock=TraceClock(name="perf_counter")).built())
    assert (shown.row, shown.lanes, shown.length_ns) == ([], [], 0)
