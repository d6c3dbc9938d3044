"""All transforms of inference: whatever is asked of whatever graph is answered or refused with a reason."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dlbricks.errors import InputError
from dlbricks.whatif.graph import DependencyGraph, GraphBuilder
from dlbricks.whatif.simulate import run
from dlbricks.whatif.transform import EVIDENCE
from dlbricks.whatif.transforms import TRANSFORMS
from tests.whatif.drawn_graphs import graphs
from tests.whatif.inference.made import networks
from tests.whatif.inference.test_host import asked

QUESTIONS = (
    "fuse", "fuse:elementwise*+matrix,left=50%", "unfuse", "fp16", "int8", "cuda-graphs", "batch:4", "batch:1,from=4",
    "streams:2", "parallel-executor:2", "kernel-swap:task,factor=2", "attention", "layout", "layout:plain", "threads:2",
    "threads:1,from=2", "device:2", "device:from=V100-SXM2,to=A100", "remove-layer:conv*", "early-exit:*0",
)  # fmt: skip
"""At least one for each transform."""


def test_every_transform_is_asked_here() -> None:
    """Each has a name of its own, a known class of evidence and a source."""
    names = [transform.name for transform in TRANSFORMS]
    assert len(set(names)) == len(names)
    assert {question.partition(":")[0] for question in QUESTIONS} <= set(names)
    assert all(transform.evidence in EVIDENCE and transform.source for transform in TRANSFORMS)


@settings(max_examples=60)
@given(st.one_of(graphs(), networks()), st.lists(st.sampled_from(QUESTIONS), min_size=1, max_size=3))
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
