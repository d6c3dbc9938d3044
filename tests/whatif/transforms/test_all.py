"""All transforms: whatever is asked of whatever graph is answered or refused with a reason."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dlbricks.errors import InputError
from dlbricks.whatif.edit import GraphBuilder
from dlbricks.whatif.graph import DependencyGraph
from dlbricks.whatif.simulate import run
from dlbricks.whatif.transforms import TRANSFORMS
from tests.whatif.kineto_files import graphs
from tests.whatif.made_up import asked, networks, ranks, training

QUESTIONS = (
    "fuse", "fuse:elementwise*+matrix,left=50%", "unfuse", "fp16", "bf16", "fp8", "int8", "cuda-graphs", "batch:4",
    "batch:1,from=4",
    "streams:2", "parallel-executor:2", "kernel-swap:task,factor=2", "attention", "layout", "layout:plain", "threads:2",
    "threads:1,from=2", "device:2", "device:from=V100-SXM2,to=A100", "remove-layer:conv*", "early-exit:*0", "amp",
    "amp:dtype=bfloat16", "fused-optimizer", "fused-adam:parameters=1e3", "reconstruct-bn",
    "metaflow:conv0,remove=conv1", "data-loader", "data-parallel:4,bandwidth=1GB/s",
    "data-parallel:2,bandwidth=1GB/s,parameters=1e6",
    "bandwidth:1GB/s", "bandwidth:1GB/s,now=2GB/s", "bucket:buckets=2", "bucket:1MB", "p3:1GB/s",
    "blueconnect:2,inside_bandwidth=9GB/s,bandwidth=1GB/s", "deep-gradient-compression:bandwidth=1GB/s",
    "vdnn:1MB,layer=*", "gist", "scale:0.5", "set-time:5us",
)  # fmt: skip
"""At least one for each transform."""
STEPS = (training(steps=1, load_ns=100), training(), training(gradient=0), ranks(2), ranks(3, bytes=1e6, group_size=3))


def test_every_transform_is_asked_here() -> None:
    """By its name."""
    assert {transform.name for transform in TRANSFORMS} == {question.partition(":")[0] for question in QUESTIONS}


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
