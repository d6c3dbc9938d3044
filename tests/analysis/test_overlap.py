"""Overlap of computing and communicating: parts of a device's time add up, buses move what nccl-tests count."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from dlbricks.analysis.catalogue import chosen
from dlbricks.analysis.table import Table
from dlbricks.profile.open import profile_of
from dlbricks.trace import kinds
from dlbricks.trace.build import TraceBuilder
from dlbricks.trace.types import Lane, Level, Role, TraceClock

KINDS = (kinds.KERNEL, kinds.COLLECTIVE, kinds.COPY)
Spans = list[tuple[str, int, int]]


def table(spans: Spans, which: str, **attributes: Any) -> Table:
    """Analyse what a device ran: kind, start, length; each on a stream of its own."""
    builder = TraceBuilder(TraceClock(name="test"))
    builder.add(Level.LAYER, kinds.OPERATOR, "aten::mm", Lane(process="0", name="main"), 0, 1)
    for number, (kind, start, length) in enumerate(spans):
        lane = Lane(process="0", name=f"stream {number}", device="gpu 0")
        own: dict[str, Any] = attributes if kind == kinds.COLLECTIVE else {}
        builder.add(Level.KERNEL, kind, kind, lane, start, start + length, role=Role.EXECUTION, **own)
    return chosen([which])[0].compute(profile_of(builder.built(), "step"))


def cells(made: Table, name: str) -> list[object]:
    """Return a column."""
    return list(next(column for column in made.columns if column.name == name).cells)


@given(st.lists(st.tuples(st.sampled_from(KINDS), st.integers(0, 50), st.integers(1, 30)), min_size=1, max_size=8))
def test_parts_of_the_time_of_a_device_add_up(spans: Spans) -> None:
    """Counted moment by moment: what computes, talks, does both, only copies, and idles."""
    found = table(spans, "overlap")
    running = [
        {kind for kind, start, length in spans if start <= at < start + length}
        for at in range(min(one[1] for one in spans), max(one[1] + one[2] for one in spans))
    ]
    counted = {
        "compute_ns": sum(kinds.KERNEL in here for here in running),
        "communication_ns": sum(kinds.COLLECTIVE in here for here in running),
        "both_ns": sum({kinds.KERNEL, kinds.COLLECTIVE} <= here for here in running),
        "exposed_ns": sum(kinds.COLLECTIVE in here and kinds.KERNEL not in here for here in running),
        "copies_ns": sum(here == {kinds.COPY} for here in running),
        "idle_ns": sum(not here for here in running),
    }
    assert {name: cells(found, name) for name in counted} == {name: [value] for name, value in counted.items()}


def test_the_bus_moves_what_its_algorithm_needs() -> None:
    """An all-reduce of 8 ranks moves 2 x 7/8 of its bytes, an all-to-all 7/8, a broadcast them all."""
    for name, share in (("allreduce", 1.75), ("all_to_allv", 0.875), ("broadcast", 1.0)):
        made = table([(kinds.COLLECTIVE, 0, 1000)], "collectives", collective=name, bytes=4000, group_size=8)
        assert cells(made, "bus_bytes_per_s") == [4e9 * share]
        assert cells(made, "count") == [1]


def test_without_collectives_there_is_none() -> None:
    """And it says so."""
    assert table([(kinds.KERNEL, 0, 5)], "collectives").unavailable == "no collective was recorded"
