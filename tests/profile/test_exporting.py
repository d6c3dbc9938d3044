"""Export of the runs of profiles, and parents from serialised runs."""

from dataclasses import replace
from pathlib import Path

import pytest

from dlbricks.errors import InputError
from dlbricks.profile.file import SUFFIXES, WRITERS, format_of, joined_part, parts_of
from dlbricks.profile.isolated import resolve_parents
from dlbricks.profile.types import LevelRun, Profile
from dlbricks.trace.build import TraceBuilder
from dlbricks.trace.intervals import ancestors
from dlbricks.trace.kinds import CALL, KERNEL, OPERATOR, RUNTIME
from dlbricks.trace.types import Lane, Level, Role, Trace, TraceClock
from tests.trace.drawn import assert_same
from tests.trace.export.whole import NOW, whole


def profile(network: str, *runs: tuple[str, int, bool]) -> Profile:
    """Give a profile with runs of some levels and batches."""
    made = tuple(
        LevelRun(levels=levels, batch=batch, serialised=serialised, samples_ns=(1,), trace=whole())
        for levels, batch, serialised in runs
    )
    return Profile(network=network, system={}, runtime={}, runs=made)


@pytest.mark.parametrize(
    ("profiles", "names"),
    [
        ([profile("a", ("MLK", 0, False))], [""]),
        ([profile("a", ("M", 1, False), ("ML", 1, False))], ["M", "ML"]),
        ([profile("a", ("ML", 1, False), ("ML", 1, True))], ["ML", "ML, serialised"]),
        (
            [profile("a", ("M", 1, False), ("M", 2, False)), profile("b", ("ML", 1, False))],
            ["a, M, batch 1", "a, M, batch 2", "b"],
        ),
    ],
)
def test_names_say_what_differs(profiles: list[Profile], names: list[str]) -> None:
    """A part is named by what distinguishes it from the others only."""
    assert [part.name for part in parts_of(profiles)] == names


def test_every_format_has_a_suffix() -> None:
    """A file name selects any format, compressed or not; for another name the error lists the suffixes."""
    for suffix, form in SUFFIXES.items():
        assert format_of(Path(f"run.trace{suffix}")) == format_of(Path(f"run{suffix}.gz")) == form
    assert set(SUFFIXES.values()) == set(WRITERS)
    with pytest.raises(InputError, match=r"\.jsonl \(otlp\)"):
        format_of(Path("run.txt"))


def test_ranks_keep_their_distance_in_time() -> None:
    """Joined traces share one time line: a rank that starts later is later."""
    later = LevelRun(levels="M", batch=1, samples_ns=(1,), trace=whole(NOW + 5))
    both = joined_part(
        [profile("rank 0", ("M", 1, False)), Profile(network="rank 1", system={}, runtime={}, runs=(later,))]
    )
    starts = both.trace.start_ns[both.trace.rows(both.trace.span(0).level)]
    assert (starts - starts[0]).tolist() == [0, 5]


def test_notes_of_joined_traces_say_whose_they_are() -> None:
    """Notes of a rank are prefixed with it."""
    traces = [replace(whole(NOW + number), notes=("something is missing",)) for number in range(2)]
    runs = [LevelRun(levels="M", batch=1, samples_ns=(1,), trace=trace) for trace in traces]
    profiles = [
        Profile(network=f"rank {number}", system={}, runtime={}, runs=(run,)) for number, run in enumerate(runs)
    ]
    assert [note for note in joined_part(profiles).trace.notes if "missing" in note] == [
        "rank 0: something is missing",
        "rank 1: something is missing",
    ]
    assert "something is missing" in joined_part(profiles[:1]).trace.notes


LANE = Lane(process="1", name="thread 1")
OTHER = Lane(process="1", name="thread 2")
HELPER = Lane(process="1", name="thread 3")
STREAM = Lane(process="1", name="stream 7", device="gpu 0")


def run(calls: int, *, parallel: bool, launches: int = 2) -> Trace:
    """Make calls of two layers, in each of which another thread launches kernels of one name.

    In parallel both layers span the whole call, so that the layer of a launch is ambiguous.
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
    """Layers of one name and kernels of one name are matched by their number in every call."""
    made = resolve_parents(run(3, parallel=True), run(1, parallel=False))
    assert layer_lanes(made) == 3 * [LANE, LANE, OTHER, OTHER]
    assert made.notes == ("12 spans got their parent from a serialised run",)


def test_times_stay_those_of_the_first_run() -> None:
    """Only parents change."""
    before = run(2, parallel=True)
    after = resolve_parents(before, run(1, parallel=False))
    assert after.start_ns.tolist() == before.start_ns.tolist()
    assert after.end_ns.tolist() == before.end_ns.tolist()


def test_what_is_known_stays() -> None:
    """A trace without ambiguity is unchanged."""
    clear = run(2, parallel=False)
    assert_same(resolve_parents(clear, run(1, parallel=False)), clear)


def test_what_the_second_run_lacks_is_counted() -> None:
    """Launches beyond those of the serialised run have no layer, and a note counts them."""
    made = resolve_parents(run(1, parallel=True, launches=3), run(1, parallel=False, launches=1))
    assert made.notes == (
        "2 spans got their parent from a serialised run",
        "4 spans outside of layers have no counterpart in the serialised run",
    )
