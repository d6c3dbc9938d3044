"""Export of the runs of profiles."""

from dataclasses import replace
from pathlib import Path

import pytest

from dlbricks.errors import InputError
from dlbricks.profile.file import SUFFIXES, WRITERS, format_of, joined_part, parts_of
from dlbricks.trace.types import LevelRun, Profile
from tests.trace.export.whole import NOW, whole


def profile(network: str, *runs: tuple[str, int]) -> Profile:
    """Give a profile with runs of some levels and batches."""
    made = tuple(LevelRun(levels=levels, batch=batch, samples_ns=(1,), trace=whole()) for levels, batch in runs)
    return Profile(network=network, system={}, runtime={}, runs=made)


@pytest.mark.parametrize(
    ("profiles", "names"),
    [
        ([profile("a", ("MLK", 0))], [""]),
        ([profile("a", ("M", 1), ("ML", 1))], ["M", "ML"]),
        (
            [profile("a", ("M", 1), ("M", 2)), profile("b", ("ML", 1))],
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
    both = joined_part([profile("rank 0", ("M", 1)), Profile(network="rank 1", system={}, runtime={}, runs=(later,))])
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
