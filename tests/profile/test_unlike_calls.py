"""Calls of other shapes are other calls: each group has figures of its own, which are those of its calls alone."""

import statistics
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlbricks.analysis.calls import layer_information, model_information
from dlbricks.analysis.executions import at_batch, layers_in, model_times
from dlbricks.analysis.table import TableContent
from dlbricks.profile.open import profile_of, read_any
from dlbricks.trace import kinds
from dlbricks.trace.build import TraceBuilder, joined_traces
from dlbricks.trace.types import Lane, Level, LevelRun, Profile, Trace, TraceClock
from dlbricks.whatif.sources import graph_of_files

MIXED = Path(__file__).parents[1] / "data" / "faults" / "mixed_batches.json"
MAIN = Lane(process="1", name="thread 1")


def called(*calls: tuple[int, int, int]) -> Trace:
    """Make a trace of calls (batch, length, ns) of a network of four layers; the last one is data-dependent."""
    builder = TraceBuilder(TraceClock(name="onnxruntime"))
    at = 0
    for number, (batch, length, ns) in enumerate(calls):
        call = builder.add(Level.MODEL, kinds.CALL, "model_run", MAIN, at, at + 4 * ns, index=number)
        for place in range(4):
            shape = f"float32[{batch},{length},8]" if place < 3 else f"int64[{number},3]"
            own: dict[str, Any] = {"index": place, "shape": shape}
            start = at + place * ns
            builder.add(Level.LAYER, kinds.OPERATOR, f"layer{place}", MAIN, start, start + ns, parent=call, **own)
        at += 4 * ns + 100
    return builder.built()


def cells(content: TableContent, *names: str) -> list[tuple[object, ...]]:
    """Give some columns of a table by row."""
    columns = {column.name: column.cells for column in content[0]}
    return list(zip(*(columns[name] for name in names), strict=True))


def test_a_median_is_of_calls_of_one_batch() -> None:
    """Five calls of 1 and five of 256 have two latencies, and layers stand beside those of their own shape."""
    profile = read_any(MIXED)
    (small, big) = cells(model_information.answer(profile), "batch", "latency_ns", "samples")
    assert small == (1, 195_000, 5)
    assert big == (256, 10_842_000, 5)
    for batch, shape, latency in ((1, "float32[1,2048]", 98_000), (256, "float32[256,2048]", 5_127_000)):
        layers = cells(layer_information.answer(at_batch(profile, batch)), "shape", "latency_ns", "calls")
        assert layers[0] == (shape, latency, 5)
    note = "calls differ in the shapes of their layers (5 with first float32[1,2048]; 5 with first float32[256,2048])"
    assert f"{note}: the batch size is the first dimension of most shapes" in profile.notes
    assert graph_of_files([MIXED], batch=256).notes[0].startswith(note)


def test_of_groups_of_one_batch_the_largest_is_shown() -> None:
    """Lengths differ: nothing names the batch, and a median over both is refused."""
    profile = profile_of(called((1, 64, 10), (1, 128, 20), (1, 128, 30), (1, 128, 22)), "net")
    assert cells(model_information.answer(profile), "batch", "latency_ns", "samples") == [(None, 88, 3)]
    assert profile.notes[1] == (
        "calls differ in the shapes of their layers (3 with layer0 float32[1,128,8]; 1 with layer0 float32[1,64,8]): "
        "figures cover the first group only"
    )


@given(st.lists(st.tuples(st.integers(1, 5), st.just(7), st.integers(1, 1000)), min_size=1, max_size=30))
def test_each_batch_has_the_figures_of_its_calls(calls: list[tuple[int, int, int]]) -> None:
    """In any order of calls; what an input's values decide (the last layer) makes no other call."""
    profile = profile_of(called(*calls), "net")
    batches = sorted({batch for batch, _, _ in calls})
    if len(batches) == 1:
        assert profile.batches == (0,)
        return
    assert profile.batches == tuple(batches)
    for run in profile.runs:
        own = [4 * ns for batch, _, ns in calls if batch == run.batch]
        assert list(run.samples_ns) == own
        shown = cells(layer_information.answer(at_batch(profile, run.batch)), "shape", "latency_ns", "calls")
        assert shown[0] == (f"float32[{run.batch},7,8]", round(statistics.median(own) / 4), len(own))


def test_calls_of_more_kinds_than_are_distinguished_are_left_out() -> None:
    """And counted: a file may hold any number."""
    profile = profile_of(called(*((batch, 7, 5) for batch in range(1, 31))), "net")
    assert len(profile.runs) == 20
    assert "; 10 other calls left out)" in profile.notes[1]


def test_calls_without_layers_are_no_group() -> None:
    """Their shapes are unknown: they are shown with calls that are alike, and left out beside calls that are not."""
    builder = TraceBuilder(TraceClock(name="onnxruntime"))
    for number in range(3):
        builder.add(Level.MODEL, kinds.CALL, "model_run", MAIN, 10**6 * (number + 1), 10**6 * (number + 1) + 7)
    alike = profile_of(joined(called((1, 7, 5)), builder.built()), "net")
    assert [(run.batch, len(run.samples_ns)) for run in alike.runs] == [(0, 4)]
    unlike = profile_of(joined(called((1, 7, 5), (2, 7, 5)), builder.built()), "net")
    assert [(run.batch, len(run.samples_ns)) for run in unlike.runs] == [(1, 1), (2, 1)]
    assert "; 3 other calls left out)" in unlike.notes[1]


def joined(first: Trace, second: Trace) -> Trace:
    """Join two traces of one clock."""
    clock = TraceClock(name="test", unix_offset_ns=0)
    return joined_traces(replace(first, clock=clock), replace(second, clock=clock))


def test_a_dimension_of_any_length_is_read() -> None:
    """It is no batch; the numbers of a file may have thousands of digits."""
    huge: Any = "9" * 5000
    profile = profile_of(called((huge, 7, 5), (2, 7, 5)), "net")
    assert [run.batch for run in profile.runs] == [0]


@pytest.mark.parametrize("levels", [("M", "ML"), ("ML", "M")])
def test_layers_and_latency_are_of_one_batch(levels: tuple[str, str]) -> None:
    """Where a batch lacks a level, the batch that has most of them is shown."""
    runs = [
        LevelRun(batch=1, levels="M", samples_ns=(7,), trace=called()),
        *(LevelRun(batch=8, levels=level, samples_ns=(40,), trace=called((8, 7, 10))) for level in levels),
    ]
    profile = Profile(network="net", system={}, runtime={}, runs=tuple(runs))
    times = model_times(profile)
    assert times is not None
    assert (times.batch, layers_in(profile)[0].shapes[0]) == (8, "float32[8,7,8]")
