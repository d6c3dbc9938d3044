"""The runtime's profile: whatever it writes is read as what ran, nested as it ran, and what is missing is said."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlbricks.harness.errors import HarnessError
from dlbricks.harness.trace.layer_profile import (
    NESTING_LIMIT,
    NODE,
    RUN,
    Event,
    LayerProfile,
    by_run,
    is_layer_profile,
    load_profile,
    parse_events,
    read_profile,
)
from tests.harness.profiled import SIZE, TRIPS, nested_network, profile_of

LAYERS = ["product", "relu", "outer", "branch", "sum"]
BODY = {"add": TRIPS, "sin": TRIPS, "on": TRIPS}


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a profile of two calls."""
    return profile_of(nested_network(), tmp_path_factory.mktemp("profile"))


def below(profile: LayerProfile, call: int, name: str) -> Counter[str]:
    """Count the names of the nodes directly inside the one node of a name."""
    nodes = profile.calls[call].nodes
    at = next(place for place, node in enumerate(nodes) if node.name == name)
    return Counter(node.name for node in nodes if node.parent == at)


def test_bodies_are_inside_their_nodes(path: Path) -> None:
    """Layers are the outer nodes; what If and Loop run is theirs, every iteration of it, and lies within them."""
    profile = load_profile(path)
    assert profile.notes == ()
    assert len(profile.calls) == 2
    for number, call in enumerate(profile.calls):
        assert [node.name for node in call.layers] == LAYERS
        assert below(profile, number, "branch") == {"inner": 1, "neg": 1}
        assert below(profile, number, "inner") == BODY
        assert below(profile, number, "outer") == BODY
        assert sum(node.duration_ns for node in call.layers) <= call.duration_ns
        for node in call.nodes:
            above = call if node.parent is None else call.nodes[node.parent]
            assert above.start_ns <= node.start_ns
            assert node.end_ns <= above.end_ns + 1000


def test_nodes_are_described(path: Path) -> None:
    """Operator, provider, shapes with numpy's names of types, bytes; prepacked constants are not there."""
    product, relu = load_profile(path).calls[0].layers[:2]
    size = SIZE * SIZE * 4
    assert (product.operator, product.provider, product.parent) == ("MatMul", "cpu", None)
    assert relu.inputs == relu.outputs == (f"float32[{SIZE},{SIZE}]",)
    assert (relu.parameter_bytes, relu.activation_bytes, relu.output_bytes, relu.wait_ns) == (0, size, size, None)
    assert (relu.peak_bytes or 0) >= (relu.in_use_bytes or 0) >= size


def test_threads_of_the_pool_are_waited_for(tmp_path: Path) -> None:
    """With several threads every node says how long the caller waited for them."""
    profile = load_profile(profile_of(nested_network(), tmp_path, threads=2))
    assert all(node.wait_ns is not None for call in profile.calls for node in call.nodes)


def test_nodes_on_threads_of_the_pool_belong_to_their_call(tmp_path: Path) -> None:
    """A parallel executor runs nodes elsewhere; each is found in the call that went on meanwhile."""
    profile = load_profile(profile_of(nested_network(), tmp_path, calls=3, parallel=True))
    assert profile.notes == ()
    for number, call in enumerate(profile.calls):
        assert Counter(node.name for node in call.layers) == Counter(LAYERS)
        assert below(profile, number, "outer") == BODY


@pytest.mark.parametrize("name", ['a"b', "back\\slash", 'x","args" : {', "tab\there", "ünï"])
def test_any_name_is_read(name: str, tmp_path: Path) -> None:
    """Names come as they are."""
    path = profile_of(nested_network(name), tmp_path)
    expected = [[name, *LAYERS[1:]]] * 2
    profile = load_profile(path)
    assert [[node.name for node in call.layers] for call in profile.calls] == expected
    assert profile.notes == ()


def test_releases_that_sort_by_start_are_read_alike(path: Path) -> None:
    """The order of the file does not matter, by start or by end."""
    events, _ = parse_events(path.read_text(encoding="utf-8"))
    by_start = sorted(events, key=lambda event: event["ts"])
    assert read_profile(by_start) == read_profile(events)


def test_a_profile_that_breaks_off_gives_what_is_whole(path: Path, tmp_path: Path) -> None:
    """Wherever it is cut: the calls before that, and a note."""
    text = path.read_text(encoding="utf-8")
    whole = load_profile(path)
    cut = tmp_path / "cut.json"
    shares = [int(len(text) * share) for share in (0.3, 0.6, 0.9, 0.999)]
    brackets = [at + 1 for at, one in enumerate(text) if one == "]"][:-1]
    for place in (*shares, *brackets[len(brackets) // 4 :: 5]):
        cut.write_text(text[:place])
        profile = load_profile(cut)
        assert profile.calls == whole.calls[: len(profile.calls)]
        assert len(profile.calls) < 2
        assert any("is truncated" in note for note in profile.notes)


def test_the_limit_of_events_is_told(path: Path) -> None:
    """As the runtime writes it: an event of its own; nodes of the call that is not whole are left out."""
    events, _ = parse_events(path.read_text(encoding="utf-8"))
    last = max(place for place, event in enumerate(events) if event["name"] == "model_run")
    args = {"max_num_events": "1000000", "dropped_event_count": "1040010"}
    cut = {
        "cat": "Session",
        "pid": 1,
        "tid": 1,
        "dur": 0,
        "ts": 9,
        "ph": "X",
        "name": "profile_truncated",
        "args": args,
    }
    profile = read_profile([*events[: last - 3], cut])
    assert len(profile.calls) == 1
    limit, lost = profile.notes
    assert "limit of 1000000 events and lacks 1040010" in limit
    assert "belong to no complete call" in lost


def test_events_of_other_kinds_are_named(path: Path) -> None:
    """What is not read is counted, so that nobody takes it for not there."""
    events, _ = parse_events(path.read_text(encoding="utf-8"))
    others = [{"cat": category, "name": "enqueue", "ts": 1, "dur": 1, "tid": 1} for category in ("Api", "Kernel")]
    profile = read_profile([*events, *others])
    assert profile.notes == ()
    assert profile.diagnostics == ("events of unknown kinds (Api, Kernel) are left out: 2",)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is not a profile of onnxruntime"),
        ("{}", "is not a profile of onnxruntime"),
        ('{"traceEvents": [{"cat": "cpu_op", "name": "aten::conv2d"}]}', "is not a profile of onnxruntime"),
        ('[{"cat" : "Session","name" :"model_run","ts" :"soon","dur" :1,"tid" :1}]', "is damaged"),
        ('[{"cat" : "Session","name" :"model_run","ts" :1e999,"dur" :1,"tid" :1}]', "is damaged"),
        ('[{"cat" : "Session","name" :"model_run","ts" :[],"dur" :1,"tid" :1}]', "is damaged"),
    ],
)
def test_other_files_are_one_line(text: str, message: str, tmp_path: Path) -> None:
    """Which file, what is wrong, what to do."""
    path = tmp_path / "some.json"
    path.write_text(text)
    with pytest.raises(HarnessError, match=message) as error:
        load_profile(path)
    assert str(path) in str(error.value)
    with pytest.raises(HarnessError, match="cannot read"):
        load_profile(tmp_path)


def test_profiles_are_told_from_other_traces(path: Path) -> None:
    """By their beginning."""
    assert is_layer_profile(path.read_text(encoding="utf-8")[:1000])
    assert not is_layer_profile('[{"ph": "X", "cat": "cpu_op", "name": "aten::add"}]')
    assert not is_layer_profile('{"schemaVersion": 1, "traceEvents": []}')


NODE_NS, EXECUTION_NS = 1_200, 300
"""What writing down an event takes at least."""

Tree = list[Any]
"""A body: for each of its nodes, the bodies it runs."""


def written(tree: Tree, clock: list[int], draw: Any) -> list[dict[str, Any]]:
    """Let a body run: give its events in the order in which they end, times cut to microseconds."""
    events = []
    begin = clock[0]
    for bodies in tree:
        clock[0] += draw()
        start = clock[0]
        for body in bodies:
            events += written(body, clock, draw)
        clock[0] += draw()
        events.append(_event("Node", f"{len(bodies)}_kernel_time", start, clock[0]))
        clock[0] += NODE_NS + draw()
    events.append(_event("Session", "SequentialExecutor::Execute", begin, clock[0]))
    clock[0] += EXECUTION_NS + draw()
    return events


def _event(category: str, name: str, start_ns: int, end_ns: int) -> dict[str, Any]:
    duration = (end_ns - start_ns) // 1000
    return {"cat": category, "name": name, "ts": start_ns // 1000, "dur": duration, "tid": 1, "args": {}}


def shape_of(tree: Tree) -> list[Any]:
    """Give the numbers of nodes in the bodies of each node, iterations of one node put together."""
    return [sorted(map(repr, (shape for body in bodies for shape in shape_of(body)))) for bodies in tree]


def found_shape(profile: LayerProfile, parent: int | None = None) -> list[Any]:
    """Give the same of what was read."""
    nodes = profile.calls[0].nodes
    return [sorted(map(repr, found_shape(profile, place))) for place, node in enumerate(nodes) if node.parent == parent]


TREES: st.SearchStrategy[Tree] = st.recursive(
    st.lists(st.just([]), min_size=1, max_size=3),
    lambda body: st.lists(st.lists(body, max_size=2), min_size=1, max_size=3),
    max_leaves=8,
)


@given(TREES, st.data())
def test_nesting_survives_whole_microseconds(tree: Tree, data: st.DataObject) -> None:
    """However short nodes are and wherever the ticks fall, each is found where it ran, in either order of the file."""
    clock = [data.draw(st.integers(0, 5_000))]
    begin = clock[0]
    events = written(tree, clock, lambda: data.draw(st.integers(0, 2_000)))
    events.append(_event("Session", "model_run", begin, clock[0]))
    expected = shape_of(tree)
    assert found_shape(read_profile(events)) == expected
    assert found_shape(read_profile(sorted(events, key=lambda event: event["ts"]))) == expected


def event(kind: str, start: int, duration: int, thread: int) -> Event:
    """Make an event."""
    return Event(kind=kind, place=0, thread=thread, start=start, duration=duration, raw={})


TIMES = st.lists(st.tuples(st.integers(-5, 20), st.integers(-2, 20)))
"""Starts and durations, us."""


@given(TIMES, TIMES)
def test_nodes_of_the_pool_go_to_the_first_call_around_them(
    calls: list[tuple[int, int]], nodes: list[tuple[int, int]]
) -> None:
    """Whatever calls overlap: as if each node were held against each call."""
    runs = [event(RUN, start, duration, 1) for start, duration in sorted(calls)]
    events = [event(NODE, start, duration, 2) for start, duration in nodes]
    around = [[run for run in runs if run.start <= one.start and one.end <= run.end + 1] for one in events]
    first = [next(iter(held), None) for held in around]
    expected = {id(run): [one for one, held in zip(events, first, strict=True) if held is run] for run in runs}
    found, lost = by_run(runs, events)
    assert {key: [*map(id, value)] for key, value in found.items()} == {
        key: [*map(id, value)] for key, value in expected.items()
    }
    assert lost == sum(not held for held in around)


def test_events_that_contain_each_other_without_end_are_damage(tmp_path: Path) -> None:
    """One line says so; time would grow with the square of their number."""
    path = tmp_path / "profile.json"
    kinds = (("Session", "SequentialExecutor::Execute"), ("Node", "n_kernel_time"))
    events = [{"cat": "Session", "name": RUN, "ts": 0, "dur": 10**6}]
    events += [
        {"cat": kinds[depth % 2][0], "name": kinds[depth % 2][1], "ts": 0, "dur": 10**6 - depth}
        for depth in range(NESTING_LIMIT)
    ]
    path.write_text(json.dumps(events[:-1]))
    assert len(load_profile(path).calls) == 1
    path.write_text(json.dumps(events))
    with pytest.raises(HarnessError, match=f"nested more than {NESTING_LIMIT} levels deep"):
        load_profile(path)
