"""Transforms: what is asked is read as it was meant, and what makes no sense is refused before and after."""

import pytest

from dlbricks.errors import InputError
from dlbricks.trace.types import Lane
from dlbricks.whatif.edit import scaled
from dlbricks.whatif.graph import DependencyGraph, GraphBuilder, TaskKind
from dlbricks.whatif.select import select
from dlbricks.whatif.simulate import replay
from dlbricks.whatif.transform import Parameter, Transform, Values, apply_all, read_step, read_value


def _faster(graph: DependencyGraph, values: Values) -> DependencyGraph:
    return scaled(graph, select(graph, kinds=(TaskKind.KERNEL,)), 1 / float(values["factor"]))


FASTER = Transform(
    name="faster",
    title="Kernels take less time.",
    evidence="modelled",
    source="none",
    apply=_faster,
    parameters=(
        Parameter(name="factor", kind="factor", meaning="how many times faster"),
        Parameter(name="note", kind="text", meaning="a note", default="none"),
    ),
    requires=lambda graph, _: "" if len(select(graph, kinds=(TaskKind.KERNEL,))) else "it has no kernels",
    ensures=lambda before, after, _: "" if len(before) == len(after) else "tasks are gone",
)
KNOWN = {"faster": FASTER}


def one(kind: TaskKind) -> DependencyGraph:
    """Give a graph of one task of 100 ns."""
    builder = GraphBuilder(name="one")
    builder.task(kind, "task", Lane(process="1", name="lane"), 100)
    return builder.built()


def test_steps_are_applied_in_order() -> None:
    """Twice two times faster is four times faster."""
    steps = [read_step("faster:2", KNOWN), read_step("faster:factor=2x,note=again", KNOWN)]
    assert replay(apply_all(one(TaskKind.KERNEL), steps).graph).makespan_ns == 25


def test_requirements_and_promises_are_checked() -> None:
    """Nothing is answered where the question makes no sense, or where the answer is not what was promised."""
    step = read_step("faster:2", KNOWN)
    with pytest.raises(InputError, match="faster cannot be applied to one: it has no kernels"):
        apply_all(one(TaskKind.CPU), [step])
    careless = Transform(
        name="careless", title="", evidence="modelled", source="", apply=_faster, ensures=lambda *_: "it does nothing"
    )
    with pytest.raises(InputError, match="careless did not do what it promises on one: it does nothing"):
        apply_all(one(TaskKind.KERNEL), [(careless, {"factor": 1.0})])


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        ("factor", "1.5x", 1.5),
        ("share", "50%", 0.5),
        ("share", "0.25", 0.25),
        ("time", "250us", 250_000),
        ("rate", "25Gbps", 25e9 / 8),
        ("rate", "900GB/s", 900e9),
        ("rate", "10 Mb/s", 10e6 / 8),
        ("size", "25MB", 25e6),
        ("size", "1MiB", 2**20),
        ("count", "8", 8),
        ("text", "layer4.*", "layer4.*"),
    ],
)
def test_values_are_read_in_their_units(kind: str, text: str, value: float | str) -> None:
    """Bits and bytes, thousands and powers of two are told apart."""
    assert read_value(Parameter(name="x", kind=kind, meaning=""), text) == value


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("slower", "there is no transform 'slower'; known are: faster"),
        ("faster", "faster needs factor, how many times faster: write faster:factor=..."),
        ("faster:0", "factor '0' is no factor: write a number above 0"),
        ("faster:2,3", "'3' of 'faster:2,3' is no KEY=VALUE"),
        ("faster:speed=2", "faster has no parameter 'speed': it takes factor, note"),
    ],
)
def test_what_cannot_be_read_is_named(text: str, message: str) -> None:
    """With what to write instead."""
    with pytest.raises(InputError) as caught:
        read_step(text, KNOWN)
    assert message in str(caught.value)
