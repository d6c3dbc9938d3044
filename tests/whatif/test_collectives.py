"""Ranks wait for the last one; what a collective moves is told by its transfer alone."""

from pathlib import Path

import numpy as np
import pytest

from dlbricks.whatif.answer import ask
from dlbricks.whatif.collectives import collective_timings
from dlbricks.whatif.graph import DependencyGraph, TaskKind, with_attributes
from dlbricks.whatif.sources.load import graph_of_files
from tests.whatif.kineto_files import rank_file

MEGABYTE = 1_000_000.0


def ranks(folder: Path, *arrivals_us: int) -> DependencyGraph:
    """Read ranks of one collective that ends at 800 us on all."""
    return graph_of_files(
        [rank_file(folder / f"rank{rank}.json", rank, arrives_us=at) for rank, at in enumerate(arrivals_us)]
    )


def test_the_last_rank_lets_the_others_wait(tmp_path: Path) -> None:
    """As long as it is behind the one before it, each."""
    graph = ranks(tmp_path, 100, 400, 700)
    found = ask(graph, []).answer.ranks
    assert [(one.waited_ns, one.longest_ns, one.collectives) for one in found] == [
        (600_000, 600_000, 1), (300_000, 300_000, 1), (0, 0, 1),
    ]  # fmt: skip
    assert [(one.last, one.caused_ns) for one in found] == [(0, 0), (0, 0), (1, 600_000)]
    assert len({one.rank for one in found}) == 3


def test_ranks_that_come_together_have_no_last(tmp_path: Path) -> None:
    """Within 10 us nobody is late."""
    waits, _ = collective_timings(ranks(tmp_path, 500, 505))
    assert [(one.last, one.caused_ns) for one in waits] == [(0, 0), (0, 0)]
    assert [one.waited_ns for one in waits] == [5_000, 0]


def test_the_bus_moves_twice_the_bytes_of_a_sum_but_for_the_share_of_one(tmp_path: Path) -> None:
    """In the time behind the last arrival; of two ranks as many bytes as are summed; unknown without bytes."""
    graph = ranks(tmp_path, 100, 700)
    (unknown,) = collective_timings(graph)[1]
    assert (unknown.bus_bytes_per_s, unknown.skew_ns, unknown.transfer_ns) == (None, 600_000, 100_000)
    collective = graph.kind == TaskKind.COLLECTIVE
    sized = with_attributes(
        graph, bytes=np.where(collective, MEGABYTE, np.nan), group_size=np.where(collective, 2.0, np.nan)
    )
    (known,) = collective_timings(sized)[1]
    assert known.bus_bytes_per_s == pytest.approx(1e10)
    assert "AllReduce" in known.collective


def test_one_rank_alone_has_no_tables(tmp_path: Path) -> None:
    """What of its time is waiting cannot be known."""
    assert collective_timings(ranks(tmp_path, 100)) == ((), ())
