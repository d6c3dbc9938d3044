"""The short form: one row for what runs once a call, medians, kernels where their launches were; texts come back."""

import gzip
import json
import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlbricks.harness.run.files import TEXT_COLUMNS, interned, with_names
from dlbricks.harness.trace.activities import Activity
from dlbricks.harness.trace.layer_profile import ExecutedNode, ProfiledCall
from dlbricks.harness.trace.tracing import NONE, Recorded, short_form

THREAD = 7


def node(name: str, start: int, duration: int, parent: int | None = None, thread: int = THREAD) -> ExecutedNode:
    """Make a node by its times in us."""
    return ExecutedNode(
        name=name,
        operator=name.capitalize(),
        provider="cpu",
        thread=thread,
        start_ns=1000 * start,
        duration_ns=1000 * duration,
        parent=parent,
        inputs=(),
        outputs=(),
        parameter_bytes=0,
        activation_bytes=0,
        output_bytes=0,
        in_use_bytes=0,
        allocated_bytes=0,
        peak_bytes=0,
        wait_ns=None,
    )


def call(start: int, duration: int, *nodes: ExecutedNode) -> ProfiledCall:
    """Make a call by its times in us."""
    return ProfiledCall(thread=THREAD, start_ns=1000 * start, duration_ns=1000 * duration, nodes=nodes)


def looping(start: int, step: int) -> ProfiledCall:
    """Make a call of a layer twice, and of a loop that runs two nodes twice."""
    nodes = [
        node("a", start + 1, 10 * step),
        node("a", start + 30, 20 * step),
        node("loop", start + 100, 50),
        node("b", start + 101, 1 * step, 2),
        node("c", start + 110, 5, 2, thread=8),
        node("b", start + 120, 3 * step, 2),
        node("c", start + 130, 5, 2, thread=8),
    ]
    return call(start, 200, *nodes)


def test_a_row_for_what_runs_once_and_a_count_for_what_repeats() -> None:
    """Same names outside of bodies are told apart; in a body they are one row; times are medians over the calls."""
    made = short_form([looping(0, 1), looping(1000, 2), looping(2000, 3)])
    assert (made["levels"], made["calls"], made["call_ns"]) == ("ML", 3, 200_000)
    assert made["layers"] == {
        "name": ["a", "a", "loop", "b", "c"],
        "operator": ["A", "A", "Loop", "B", "C"],
        "provider": ["cpu"] * 5,
        "lane": ["host", "host", "host", "host", "host 1"],
        "parent": [NONE, NONE, NONE, 2, 2],
        "offset_ns": [1000, 30_000, 100_000, 101_000, 110_000],
        "duration_ns": [20_000, 40_000, 50_000, 3_000, 5_000],
        "count": [1, 1, 1, 2, 2],
    }
    assert "kernels" not in made
    assert "notes" not in made


def launch(correlation: int, start: int, kind: str = "runtime") -> Activity:
    """Make a launch, times in us."""
    return Activity(
        kind=kind,
        name="cudaLaunchKernel",
        start_ns=1000 * start,
        end_ns=1000 * start + 500,
        correlation=correlation,
        thread=THREAD,
    )


def kernel(correlation: int | None, start: int, name: str = "gemm", stream: int = 7) -> Activity:
    """Make a kernel of 4 us, start in us."""
    return Activity(
        kind="kernel",
        name=name,
        start_ns=1000 * start,
        end_ns=1000 * start + 4000,
        correlation=correlation,
        stream=stream,
        device=0,
    )


def test_kernels_belong_to_the_layer_that_launched_them() -> None:
    """The launch gives the layer, whichever layer runs when the kernel does; the n-th of a name is a row of its own."""
    calls = [call(start, 100, node("a", start, 20), node("b", start + 40, 20)) for start in (0, 1000)]
    activities = []
    for number, start in enumerate((0, 1000)):
        first = 10 * number
        activities += [launch(first + 1, start + 5), launch(first + 1, start + 6, "driver")]
        activities += [kernel(first + 1, start + 45), launch(first + 2, start + 8), kernel(first + 2, start + 50)]
        activities += [launch(first + 3, start + 41), kernel(first + 3, start + 60, "relu", 8)]
        activities += [launch(first + 4, start + 30), kernel(first + 4, start + 70)]
    made = short_form(calls, Recorded(calls=calls, activities=activities, shift_ns=0))
    assert made["levels"] == "MLK"
    assert made["kernels"] == {
        "name": ["gemm", "gemm", "relu", "gemm"],
        "kind": ["kernel"] * 4,
        "lane": ["gpu 0 stream 7", "gpu 0 stream 7", "gpu 0 stream 8", "gpu 0 stream 7"],
        "layer": [0, 0, 1, NONE],
        "launch_ns": [5_000, 8_000, 41_000, 30_000],
        "offset_ns": [45_000, 50_000, 60_000, 70_000],
        "duration_ns": [4_000] * 4,
    }
    assert "notes" not in made


@given(st.integers(-(10**18), 10**18))
def test_clocks_are_brought_together(shift_ns: int) -> None:
    """Activities on another clock give the same rows, once they are shifted."""
    calls = [call(0, 100, node("a", 0, 20), node("b", 40, 20))]

    def moved(activity: Activity) -> Activity:
        return replace(activity, start_ns=activity.start_ns - shift_ns, end_ns=activity.end_ns - shift_ns)

    activities = [launch(1, 5), kernel(1, 45), launch(2, 41), kernel(2, 60)]
    expected = short_form(calls, Recorded(calls=calls, activities=activities, shift_ns=0))
    recorded = Recorded(calls=calls, activities=[moved(one) for one in activities], shift_ns=shift_ns)
    assert short_form(calls, recorded) == expected


def test_kernels_of_no_call_are_told() -> None:
    """What was started before, between or after the calls, or by nobody known, is left out and counted."""
    calls = [call(100, 100, node("a", 100, 20)), call(300, 100, node("a", 300, 20))]
    activities = [launch(1, 50), kernel(1, 110), launch(2, 250), kernel(2, 310), launch(3, 500), kernel(3, 510)]
    activities += [kernel(None, 120), kernel(9, 130)]
    made = short_form(calls, Recorded(calls=calls, activities=activities, shift_ns=0), ["before"])
    assert made["kernels"]["name"] == []
    assert made["notes"] == [
        "before",
        "executions on the device outside the traced calls are left out: 5",
    ]


TEXTS = st.lists(st.text(max_size=3), max_size=4)
ENTRIES = st.lists(
    st.fixed_dictionaries(
        {"fingerprint": st.text(max_size=2)},
        optional={
            "trace": st.one_of(
                st.just({"levels": "ML", "failed": "out of memory"}),
                st.fixed_dictionaries(
                    {"levels": st.just("MLK"), "layers": st.fixed_dictionaries(dict.fromkeys(TEXT_COLUMNS[:3], TEXTS))},
                    optional={"kernels": st.fixed_dictionaries({"name": TEXTS, "layer": st.just([0])})},
                ),
            )
        },
    ),
    max_size=4,
)


@given(ENTRIES)
def test_texts_come_back(entries: list[dict[str, Any]]) -> None:
    """Every text is kept once; spelling out the numbers gives what there was."""
    names, made = interned(entries)
    assert len(set(names)) == len(names)
    assert [with_names(entry, names) for entry in made] == entries


def test_traces_of_a_large_suite_stay_small() -> None:
    """2,776 benchmarks of four layers each, no two times alike: their traces compress to far less than 4 MB."""
    rng = random.Random(0)  # noqa: S311 - made-up times, no secret
    operators = ["Conv", "Relu", "MatMul", "Add", "Softmax", "ReorderInput", "ReorderOutput", "LayerNormalization"]
    entries = []
    for _ in range(2776):
        nodes, start = [], 0
        for place in range(4):
            nodes.append(node(f"{rng.choice(operators)}_{place}", start, rng.randrange(5000)))
            start = nodes[-1].end_ns // 1000 + rng.randrange(9)
        entries.append({"trace": short_form([call(0, start, *nodes)])})
    names, made = interned(entries)
    text = json.dumps([names, made], separators=(",", ":"))
    assert len(gzip.compress(text.encode())) < 400_000


def test_a_number_without_a_name_is_an_error() -> None:
    """A document whose names were cut does not give another layer's name."""
    _, (entry,) = interned([{"trace": {"layers": {"name": ["a", "b"]}}}])
    with pytest.raises(IndexError):
        with_names(entry, ["a"])
