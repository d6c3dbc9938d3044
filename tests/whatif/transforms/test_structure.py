"""Chosen tasks and layers: scaled, timed, substituted, left out."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dlbricks.errors import InputError
from dlbricks.whatif.edit import GraphBuilder
from dlbricks.whatif.graph import DependencyGraph, TaskKind
from dlbricks.whatif.select import select
from dlbricks.whatif.simulate import run
from dlbricks.whatif.transform import apply_all, read_step
from dlbricks.whatif.transforms import all_transforms
from tests.whatif.kineto_files import graphs
from tests.whatif.made_up import after, asked, mixed, networks, ranks, training


@pytest.mark.parametrize(
    ("asked", "durations"),
    [
        ("scale:2", [200] * 6),
        ("scale:0.5,kind=kernel", [100, 50, 100, 100, 100, 100]),
        ("scale:0.5,kind=device", [100, 50, 50, 50, 100, 100]),
        ("scale:0.5,kind=host,layer=a.0", [50, 100, 100, 100, 50, 100]),
        ("scale:3,phase=backward", [100, 100, 100, 300, 300, 300]),
        ("scale:3,name=task c", [300, 100, 300, 300, 100, 100]),
        ("set-time:7ns,kind=data", [100, 100, 100, 100, 7, 100]),
    ],
)
def test_what_is_chosen_changes_and_nothing_else(asked: str, durations: list[int]) -> None:
    """By kind, phase, layer and name."""
    assert apply_all(mixed(), [read_step(asked, all_transforms())]).graph.duration_ns.tolist() == durations


def test_one_layer_takes_over_from_another() -> None:
    """Forward and backward, on the device; launches of what stays take what they took."""
    before = training(steps=1, layers=3)
    graph = after(before, "metaflow:conv0,time=1.8x,remove=conv1")
    kept = select(graph, layer="conv0")
    assert graph.duration_ns[kept].tolist() == [10_000, 180_000] * 2
    assert not len(select(graph, layer="conv1"))
    assert len(graph) == len(before) - 4
    assert len(select(graph, kinds=(TaskKind.KERNEL,))) == len(select(before, kinds=(TaskKind.KERNEL,))) - 2


QUESTIONS = (
    "fuse", "fuse:elementwise*+matrix", "fp16", "bf16", "fp8", "int8", "cuda-graphs",
    "batch:4", "batch:1,from=4",
    "attention", "layout", "threads:2",
    "threads:1,from=2", "device:compute=2", "device:from=V100-SXM2,to=A100", "amp",
    "amp:dtype=bfloat16", "fused-optimizer", "fused-adam:parameters=1e3", "reconstruct-bn",
    "metaflow:conv0,remove=conv1", "data-loader", "data-parallel:4,bandwidth=1GB/s",
    "data-parallel:2,bandwidth=1GB/s,parameters=1e6",
    "bandwidth:1GB/s", "bandwidth:1GB/s,now=2GB/s", "p3:1GB/s",
    "blueconnect:2,inside_bandwidth=9GB/s,bandwidth=1GB/s", "deep-gradient-compression:bandwidth=1GB/s",
    "vdnn:1MB,layer=*", "gist", "recompute:2",
    "fsdp:4,bandwidth=1GB/s,size=2MB", "tensor-parallel:2,bandwidth=1GB/s,size=1MB", "scale:0.5",
    "set-time:5us", "pinned-memory", "mem-reuse:off",
)  # fmt: skip
"""At least one for each transform."""
STEPS = (training(steps=1, load_ns=100), training(), training(gradient=0), ranks(2), ranks(3, bytes=1e6, group_size=3))


def test_every_transform_is_asked_here() -> None:
    """By its name."""
    assert set(all_transforms()) == {question.partition(":")[0] for question in QUESTIONS}


@settings(max_examples=150)
@given(
    st.one_of(graphs(), networks(), st.sampled_from(STEPS)),
    st.lists(st.sampled_from(QUESTIONS), min_size=1, max_size=3),
)
def test_questions_are_answered_or_refused(graph: DependencyGraph, questions: list[str]) -> None:
    """One after the other; what comes out can be replayed."""
    try:
        applied = asked(graph, *questions)
    except InputError as error:
        assert str(error)
        return
    assert run(applied.graph, applied.policy).makespan_ns >= 0


@pytest.mark.parametrize("question", QUESTIONS)
def test_an_empty_graph_is_refused(question: str) -> None:
    """There is nothing to ask about."""
    with pytest.raises(InputError, match="cannot be applied to nothing"):
        asked(GraphBuilder(name="nothing").built(), question)
