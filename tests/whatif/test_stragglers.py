"""Stragglers: what a job loses by them, against sums by hand and against pipelines whose times are known."""

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dlbricks.errors import InputError
from dlbricks.whatif.stragglers import COLUMNS, read_job, slowdown_of

BEHIND = (
    "gc", "layernorm-grads-all-reduce", "embedding-grads-all-reduce", "grads-reduce-scatter",
    "optimizer-clip-main-grad", "optimizer",
)  # fmt: skip


class Table:
    """Writes down operations, one behind the other on each worker."""

    def __init__(self) -> None:
        """Begin with none."""
        self.rows: list[tuple[Any, ...]] = []

    def add(self, rank: int, stage: int, step: int, kind: str, start: float, length: float, number: int = 0) -> None:
        """One operation."""
        self.rows.append((rank, stage, step, kind, start, length, number))

    def written(self, path: Path) -> Path:
        """As Parquet."""
        columns = dict(zip(COLUMNS, zip(*self.rows, strict=True), strict=True))
        pq.write_table(pa.table({key: list(values) for key, values in columns.items()}), path)
        return path


def one_stage(path: Path, slow: float, ranks: int = 2, steps: int = 3) -> Path:
    """Return a job without a pipeline: two micro-batches of 2 s a step, of which the last rank takes ``slow`` times."""
    table = Table()
    for step in range(steps):
        for rank in range(ranks):
            length = 1.0 * (slow if rank == ranks - 1 else 1.0)
            table.add(rank, 0, step, "params-all-gather", 0.0, 0.1)
            at = 0.1
            for number in range(2):
                for kind in ("forward-compute", "backward-compute"):
                    table.add(rank, 0, step, kind, at, length, number)
                    at += length
            for kind in BEHIND:
                meets = max(0.1 + 4.0, 0.1 + 4.0 * slow) + 0.1 * BEHIND.index(kind)
                own = at + 0.1 * BEHIND.index(kind)
                waits = meets if kind in {"grads-reduce-scatter", "optimizer-clip-main-grad"} else own
                table.add(rank, 0, step, kind, own, waits + 0.1 - own)
    return table.written(path)


def test_without_a_pipeline_the_slowest_rank_sets_the_pace(tmp_path: Path) -> None:
    """A rank of three times the length: the mean of both is twice, all other times are 0.7 s."""
    found = slowdown_of(read_job(one_stage(tmp_path / "job.parquet", slow=3.0)))
    assert found.step_ns / 1e9 == pytest.approx(0.7 + 4 * 3)
    assert found.usual_ns / 1e9 == pytest.approx(0.7 + 4 * 2)
    assert found.slowdown == pytest.approx(12.7 / 8.7)
    assert found.by_rank == pytest.approx({"0": 8.7 / 8.7, "1": 12.7 / 8.7})
    assert found.by_type["gc"] == pytest.approx(1)
    assert found.steps == 3


def pipeline(path: Path, lengths: tuple[float, float], batches: int = 3) -> Path:
    """Return two stages, all forward computations before all backward ones, and transfers that take nothing."""
    table, ends = Table(), np.zeros((2, 2 * batches))
    for number in range(batches):
        for stage in range(2):
            free = ends[stage, number - 1] if number else 0.0
            start = max(free, ends[0, number] if stage else 0.0)
            ends[stage, number] = start + lengths[stage]
            table.add(0, stage, 0, "forward-compute", start, lengths[stage], number)
        table.add(0, 0, 0, "forward-send", ends[0, number], 0.0, number)
        table.add(0, 1, 0, "forward-recv", ends[0, number], 0.0, number)
    for number in range(batches):
        for stage in (1, 0):
            free = ends[stage, batches + number - 1]
            start = max(free, 0.0 if stage else ends[1, batches + number])
            ends[stage, batches + number] = start + lengths[stage]
            table.add(0, stage, 0, "backward-compute", start, lengths[stage], number)
        table.add(0, 1, 0, "backward-send", ends[1, batches + number], 0.0, number)
        table.add(0, 0, 0, "backward-recv", ends[1, batches + number], 0.0, number)
    for stage in range(2):
        for kind in BEHIND:
            table.add(0, stage, 0, kind, float(ends[stage, -1]), 0.0)
    return table.written(path)


def test_a_pipeline_waits_for_its_slowest_stage(tmp_path: Path) -> None:
    """Each batch passes both stages; the step is that of the schedule, and balanced stages are the usual."""
    found = slowdown_of(read_job(pipeline(tmp_path / "job.parquet", (1.0, 3.0))))
    assert found.step_ns / 1e9 == pytest.approx(1 + 3 * 3 + 3 * 3 + 1)
    assert found.usual_ns / 1e9 == pytest.approx(2 + 2 * 3 + 2 * 3 + 2)
    assert found.by_stage["1"] > found.by_stage["0"]
    even = slowdown_of(read_job(pipeline(tmp_path / "even.parquet", (2.0, 2.0))))
    assert even.slowdown == pytest.approx(1)
    assert all(value == pytest.approx(1) for slowdowns in (even.by_type, even.by_stage) for value in slowdowns.values())


def test_tables_that_are_none_are_refused(tmp_path: Path) -> None:
    """No table, no column, unknown operations, a send that nobody receives."""
    (tmp_path / "no.parquet").write_text("no")
    with pytest.raises(InputError, match="cannot be read as a table"):
        read_job(tmp_path / "no.parquet")
    pq.write_table(pa.table({"step": [1]}), tmp_path / "few.parquet")
    with pytest.raises(InputError, match="has no dp_rank, stage, optype"):
        read_job(tmp_path / "few.parquet")
    table = Table()
    table.add(0, 0, 0, "sing", 0.0, 1.0)
    with pytest.raises(InputError, match="unknown operation types: sing"):
        read_job(table.written(tmp_path / "sing.parquet"))
    table = Table()
    table.add(0, 0, 0, "forward-send", 0.0, 1.0)
    with pytest.raises(InputError, match="has no partner"):
        slowdown_of(read_job(table.written(tmp_path / "alone.parquet")))
