"""Traces that hypothesis draws, small, with every oddity a recorder can produce; and their equality."""

import math
from typing import Any

import numpy as np
from hypothesis import strategies as st

from dlbricks.trace.build import TraceBuilder, attribute_of, from_columns
from dlbricks.trace.kinds import COPY, KERNEL, OPERATOR, PYTHON, RUNTIME
from dlbricks.trace.types import NONE, Lane, Level, Longs, Role, Trace, TraceClock

THREADS = tuple(Lane(process=process, name=f"thread {number}") for process in ("1", "2") for number in (1, 2))
STREAMS = tuple(Lane(process="1", name=f"stream {number}", device="gpu 0") for number in (7, 20))
KINDS = {
    Level.APPLICATION: ("step", "range"),
    Level.MODEL: ("call",),
    Level.LAYER: (OPERATOR,),
    Level.LIBRARY: (RUNTIME, PYTHON),
    Level.KERNEL: (KERNEL, COPY),
    Level.HARDWARE: ("overhead",),
}
texts = st.text(st.characters(codec="utf-8"), max_size=5)
VALUES = {
    "type": st.sampled_from(["Conv", "Relu", 'a "b" \\ \n']),
    "flops": st.integers(-(2**62), 2**62),
    "occupancy": st.floats(0, 1) | st.sampled_from([math.nan, math.inf]),
    "shape": texts,
    "external_id": st.integers(0, 3),
}


@st.composite
def traces(draw: st.DrawFn, most: int = 12, span: int = 20, resolution: int | None = None) -> Trace:
    """Draw a trace: spans on threads and streams that nest, touch, overlap, are empty or run backwards."""
    resolutions = st.sampled_from([1, 1, 5]) if resolution is None else st.just(resolution)
    clock = TraceClock(
        name="drawn", unix_offset_ns=draw(st.none() | st.integers(0, 2**60)), resolution_ns=draw(resolutions)
    )
    builder = TraceBuilder(clock=clock, notes=draw(st.lists(texts, max_size=2, unique=True)))
    origin = draw(st.integers(-span, 2**60))
    for _ in range(draw(st.integers(0, most))):
        level = draw(st.sampled_from(Level))
        role = draw(st.sampled_from(Role))
        start = origin + draw(st.integers(0, span))
        chosen: dict[str, Any] = {name: draw(values) for name, values in VALUES.items() if draw(st.booleans())}
        builder.add(
            level,
            draw(st.sampled_from(KINDS[level])),
            draw(texts),
            draw(st.sampled_from(STREAMS if role == Role.EXECUTION else THREADS)),
            start,
            start + draw(st.integers(-2, span)),
            role=role,
            correlation=draw(st.none() | st.integers(0, 4)),
            **chosen,
        )
    return builder.built()


def selected(trace: Trace, rows: Longs) -> Trace:
    """Give some rows of a trace as a trace, in the order given; parents that are left out become ``NONE``."""
    place = np.full(len(trace) + 1, NONE, np.int64)
    place[rows] = np.arange(len(rows))
    attributes = {}
    for name, attribute in trace.attributes.items():
        at = place[attribute.rows]
        kept = np.flatnonzero(at != NONE)
        if len(kept):
            attributes[name] = attribute_of(at[kept], [attribute.values[index] for index in kept.tolist()])
    return from_columns(
        trace.clock,
        names=trace.names,
        kinds=trace.kinds,
        lanes=trace.lanes,
        columns={
            **{key: getattr(trace, key)[rows] for key in COLUMNS if key != "parent"},
            "parent": place[trace.parent[rows]],
        },
        attributes=attributes,
        notes=trace.notes,
    )


COLUMNS = ("level", "role", "kind", "name", "lane", "start_ns", "end_ns", "parent", "correlation")


def assert_same(one: Trace, other: Trace) -> None:
    """Both hold the same in every field, types of values included."""
    for field in ("clock", "names", "kinds", "lanes", "notes"):
        assert getattr(one, field) == getattr(other, field)
    for column in COLUMNS:
        assert getattr(one, column).tolist() == getattr(other, column).tolist()
        assert getattr(one, column).dtype == getattr(other, column).dtype
    assert set(one.attributes) == set(other.attributes)
    for name, attribute in one.attributes.items():
        assert attribute.rows.tolist() == other.attributes[name].rows.tolist()
        assert list(map(repr, attribute.values)) == list(map(repr, other.attributes[name].values))
