"""Scaling and setting the time of chosen tasks; choosing nothing, or what there is not, is refused."""

import pytest

from dlbricks.errors import InputError
from dlbricks.trace.types import Lane
from dlbricks.whatif.graph import DependencyGraph, GraphBuilder, Phase, TaskKind
from dlbricks.whatif.transform import apply_all, read_step
from dlbricks.whatif.transforms import known

HOST = Lane(process="1", name="thread 1")


def mixed() -> DependencyGraph:
    """A task of each kind, of 100, in layers a.0 and a.1 by turns, the first ones forward."""
    builder = GraphBuilder(name="mixed")
    for number, kind in enumerate(TaskKind):
        phase = Phase.FORWARD if number < 3 else Phase.BACKWARD
        builder.task(kind, f"task {kind.name}", HOST, 100, layer=f"a.{number % 2}", phase=phase)
    return builder.built()


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
    assert apply_all(mixed(), [read_step(asked, known())]).graph.duration_ns.tolist() == durations


@pytest.mark.parametrize(
    ("asked", "reason"),
    [
        ("scale:2,kind=quark", "there is no kind 'quark' of tasks: give cpu, kernel"),
        ("scale:2,phase=third", "there is no phase 'third': give forward, backward, update"),
        ("scale:2,layer=b*", "scale cannot be applied to mixed: nothing in it is of that kind, phase, layer and name"),
        ("scale:2,name=(", "is no regular expression"),
        ("scale:0", "factor '0' is no factor"),
        ("scale:-1", "factor '-1' is no factor"),
        ("scale", "scale needs factor"),
        ("set-time:soon", "'soon' is not a duration"),
    ],
)
def test_what_makes_no_sense_is_refused(asked: str, reason: str) -> None:
    """In one sentence."""
    with pytest.raises(InputError) as refused:
        apply_all(mixed(), [read_step(asked, known())])
    assert reason in str(refused.value)
