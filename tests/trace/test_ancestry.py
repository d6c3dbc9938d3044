"""Ancestors against walking up by hand; spans of two runs matched as a person would."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlbricks.errors import InputError
from dlbricks.trace.ancestry import ancestors, circular, matched
from dlbricks.trace.build import TraceBuilder, with_columns
from dlbricks.trace.correlate import correlated
from dlbricks.trace.types import Lane, Level, Role, Trace, TraceClock
from tests.trace.drawn import traces

HOST, STREAM = Lane(process="1", name="thread 1"), Lane(process="1", name="stream 7", device="gpu 0")


@given(traces(), st.sampled_from(Level), st.booleans())
def test_ancestors_are_those_of_walking_up(trace: Trace, level: Level, outermost: bool) -> None:
    """The first, or the last, span of a level on the way up, the span itself included."""
    trace = correlated(trace)
    expected = []
    for span in trace:
        at, met = span, []
        while True:
            met += [at.row] if at.level == level else []
            if at.parent is None:
                break
            at = trace.span(at.parent)
        expected.append((met[-1] if outermost else met[0]) if met else -1)
    assert ancestors(trace, level, outermost=outermost).tolist() == expected


@pytest.mark.parametrize("parents", [[1, 0, 0], [1, 2, 0], [0, -1, -1]])
def test_circles_are_told(parents: list[int]) -> None:
    """Parents that go round are an error of one line, not an endless loop."""
    builder = TraceBuilder(clock=TraceClock(name="test"))
    for row in range(3):
        builder.add(Level.LIBRARY, "runtime", str(row), HOST, row, 9)
    trace = with_columns(builder.built(), parent=parents)
    with pytest.raises(InputError, match="circle"):
        ancestors(trace, Level.LAYER)
    with pytest.raises(InputError, match="circle"):
        matched(trace, trace)
    assert len(circular(trace.parent))


def run(*layers: tuple[str, ...], late: int = 0) -> Trace:
    """Give a call whose layers launch the named kernels, on a device that runs behind by ``late``."""
    builder = TraceBuilder(clock=TraceClock(name="test"))
    call = builder.add(Level.MODEL, "call", "run", HOST, 0, 10_000)
    number = 0
    for place, (name, *kernels) in enumerate(layers):
        layer = builder.add(Level.LAYER, "operator", name, HOST, place * 100, place * 100 + 90, parent=call)
        for kernel in kernels:
            start, number = place * 100 + number, number + 1
            launch = builder.add(
                Level.LIBRARY, "runtime", "launch", HOST, start, start + 1, role=Role.LAUNCH, parent=layer
            )
            end = start + late + 50
            builder.add(Level.KERNEL, "kernel", kernel, STREAM, end, end + 5, role=Role.EXECUTION, parent=launch)
    return builder.built()


def pairs(a: Trace, b: Trace, level: Level) -> list[tuple[str, int, int]]:
    """Give what matched at a level: name, and which of its name it is in either run."""

    def number(trace: Trace, row: int) -> int:
        alike = [span for span in trace if span.name == trace.span(row).name and span.level == level]
        return [span.row for span in alike].index(row)

    rows = zip(*(side.tolist() for side in matched(a, b)), strict=True)
    return [(a.span(x).name, number(a, x), number(b, y)) for x, y in rows if a.level[x] == level]


def test_two_kernels_of_one_name_in_a_layer_stay_apart() -> None:
    """The n-th of a name in its layer is the n-th there in another run, and none is lost because the first lacks it."""
    first = run(("conv", "gemm", "gemm"), ("conv", "gemm"))
    second = run(("conv", "copy", "gemm", "gemm", "gemm"), ("conv", "gemm"), late=7)
    assert pairs(first, second, Level.KERNEL) == [("gemm", 0, 0), ("gemm", 1, 1), ("gemm", 2, 3)]
    assert pairs(second, first, Level.KERNEL) == [("gemm", 0, 0), ("gemm", 1, 1), ("gemm", 3, 2)]


def test_layers_of_one_name_are_matched_in_order() -> None:
    """Layers match by name and occurrence; where kernels were not recorded, layers match all the same."""
    with_kernels = run(("conv", "gemm"), ("relu", "max"), ("conv", "gemm"))
    without = with_columns(with_kernels, level=np.where(with_kernels.level > 2, 5, with_kernels.level))
    assert pairs(with_kernels, without, Level.LAYER) == [("conv", 0, 0), ("relu", 0, 0), ("conv", 1, 1)]


@given(traces())
def test_a_run_matches_itself(trace: Trace) -> None:
    """Every span of a run is its own partner."""
    trace = correlated(trace)
    first, second = matched(trace, trace)
    assert first.tolist() == second.tolist() == list(range(len(trace)))


@given(traces(), traces())
def test_partners_are_alike_and_single(a: Trace, b: Trace) -> None:
    """Partners share level and name, and nobody has two."""
    a, b = correlated(a), correlated(b)
    first, second = matched(a, b)
    assert len(set(first.tolist())) == len(set(second.tolist())) == len(first)
    for x, y in zip(first.tolist(), second.tolist(), strict=True):
        assert (a.span(x).name, a.span(x).level) == (b.span(y).name, b.span(y).level)
