"""Substitutions: layers that go take their launches with them, those that stay change their time."""

import pytest

from dlbricks.errors import InputError
from dlbricks.whatif.graph import TaskKind
from dlbricks.whatif.select import select
from tests.whatif.training.made_up import after, training


def test_one_layer_takes_over_from_another() -> None:
    """Forward and backward, on the device; launches of what stays take what they took."""
    before = training(steps=1, layers=3)
    graph = after(before, "metaflow:conv0,time=1.8x,remove=conv1")
    kept = select(graph, layer="conv0")
    assert graph.duration_ns[kept].tolist() == [10_000, 180_000] * 2
    assert not len(select(graph, layer="conv1"))
    assert len(graph) == len(before) - 4
    assert len(select(graph, kinds=(TaskKind.KERNEL,))) == len(select(before, kinds=(TaskKind.KERNEL,))) - 2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("metaflow:dense", "no layer with tasks fits 'dense'"),
        ("metaflow:conv0,remove=dense", "no layer with tasks fits 'dense'"),
        ("metaflow:conv*,remove=conv1", "conv1 cannot both stay and go"),
    ],
)
def test_what_makes_no_sense_is_refused(text: str, message: str) -> None:
    """With the name."""
    with pytest.raises(InputError, match=message):
        after(training(), text)
