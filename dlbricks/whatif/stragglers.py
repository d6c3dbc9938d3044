"""Slowdown of a training job by stragglers, from tables of its operations.

Questions, table format and dependency model are those of "Understanding Stragglers in Large Model Training Using
What-if Analysis" (OSDI 2025). A table has the start and duration of each operation of each step and worker. A job with
pipeline and data parallelism is replayed twice: with its own times (for communication: from the last arrival of the
group to its end) and with typical times per operation type (mean of computation, median of communication). The ratio of
mean step times is the slowdown. The contribution of one type, stage or rank is the slowdown when only its operations
keep their own times.
"""

import itertools
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from dlbricks import limits
from dlbricks.errors import InputError, missing_extra
from dlbricks.suite.workers import read_apart
from dlbricks.trace.types import Lane, Longs
from dlbricks.whatif.edit import with_tasks
from dlbricks.whatif.graph import DependencyGraph, EdgeKind, Floats, Mask, TaskKind, graph_of, with_columns
from dlbricks.whatif.simulate import Edges, replay

COLUMNS = ("dp_rank", "stage", "step", "optype", "start_ts", "duration", "seq_id")
"""Columns of a table: data-parallel rank, pipeline stage, step, operation type, start (s), duration (s), and number
among operations of its type."""
_COMPUTES = ("forward-compute", "backward-compute")
_POINT_TO_POINT = ("forward-send", "forward-recv", "backward-send", "backward-recv")
_BEFORE, _EMBEDDING, _CLIP = "params-all-gather", "embedding-grads-all-reduce", "optimizer-clip-main-grad"
_REDUCED, _LAST = "grads-reduce-scatter", "optimizer"
_BEHIND = ("gc", "layernorm-grads-all-reduce", _EMBEDDING, _REDUCED, _CLIP, _LAST)
"""Operations after the last computation of a step, in order."""
_OVER_RANKS = (_BEFORE, _REDUCED, _CLIP)
_COMMUNICATES = (*_POINT_TO_POINT, *_OVER_RANKS, _EMBEDDING, "layernorm-grads-all-reduce")
_KNOWN = (*_COMPUTES, *_POINT_TO_POINT, _BEFORE, *_BEHIND)
_CLOCKS_S = 0.01
"""A group member that ends this long before the last arrival has another clock; its transfer counts as 0."""
_NS = 1e9
_LARGEST = 2**52
"""Of a rank, stage, step or number."""
_LONGEST_S = 10**10
"""Start or duration: 300 years."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Slowdown:
    """Slowdown of one job by stragglers."""

    job: str
    slowdown: float
    """Mean step time with the job's own times, divided by that with typical times."""
    steps: int
    step_ns: int
    """Mean step time with own times, without launch delays."""
    usual_ns: int
    """Mean step time with typical times."""
    by_type: Mapping[str, float]
    """Slowdown if only operations of this type take their own times."""
    by_stage: Mapping[str, float]
    by_rank: Mapping[str, float]
    """By data-parallel rank."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """Operations of a job, in columns."""

    name: str
    rank: Longs
    stage: Longs
    step: Longs
    kind: tuple[str, ...]
    number: Longs
    start_s: Floats
    length_s: Floats

    def __len__(self) -> int:
        """Return the number of operations."""
        return len(self.kind)


def read_job(path: Path) -> Job:
    """Read a table of operations from a Parquet file.

    Raises:
        InputError: the file cannot be read, is too large, has no rows, lacks a column, has values of another type or
            beyond all measure, or unknown operation types.
        MissingDependencyError: pyarrow is not installed.
    """
    columns = read_apart(_read_columns, path, f"table {path}")
    job = Job(
        name=path.stem,
        rank=columns["dp_rank"],
        stage=columns["stage"],
        step=columns["step"],
        kind=tuple(columns["optype"]),
        number=columns["seq_id"],
        start_s=columns["start_ts"],
        length_s=columns["duration"],
    )
    unknown = sorted(set(job.kind) - set(_KNOWN))
    if unknown:
        raise InputError(f"{path} has unknown operation types: {', '.join(unknown[:3])}")
    return job


def _read_columns(path: Path) -> dict[str, Any]:
    """Read the columns of a table, in a worker process: a small file may hold many rows."""
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError as error:
        raise missing_extra("Parquet needs pyarrow", "parquet") from error
    try:
        file = pq.ParquetFile(path)
        lacking = [name for name in COLUMNS if name not in file.schema_arrow.names]
        rows = file.metadata.num_rows
        if lacking or not rows:
            raise InputError(f"{path} has no {', '.join(lacking) or 'rows'}: a job's table needs {', '.join(COLUMNS)}")
        if rows > limits.JOB_OPERATIONS:
            raise InputError(f"{path} has {rows:,} rows, the limit is {limits.JOB_OPERATIONS:,}: give fewer steps")
        table = file.read(columns=list(COLUMNS), use_threads=False)
        made: dict[str, Any] = {name: _numbers(table[name], name, path) for name in COLUMNS if name != "optype"}
        made["optype"] = _texts(table["optype"].cast(pa.string()), path)
    except (OSError, pa.ArrowException) as error:
        reason = " ".join(str(error).split())[:200]
        raise InputError(f"{path} cannot be read as a table of operations: {reason}") from error
    return made


def _numbers(column: Any, name: str, path: Path) -> Any:
    """Return a column as times in seconds or whole numbers.

    Raises:
        InputError: it has other values.
    """
    import pyarrow as pa

    times = name in {"start_ts", "duration"}
    wanted = f"times of at most {_LONGEST_S:,} s" if times else "whole numbers"
    problem = InputError(f"{path}: column '{name}' has to hold {wanted}")
    if column.null_count or not (pa.types.is_integer(column.type) or pa.types.is_floating(column.type)):
        raise problem
    array = column.to_numpy().astype(np.float64)
    least, most = (0 if name == "duration" else -_LONGEST_S, _LONGEST_S) if times else (-_LARGEST, _LARGEST)
    if not ((array >= least) & (array <= most)).all() or not (times or (array == np.rint(array)).all()):
        raise problem
    return array if times else array.astype(np.int64)


def _texts(column: Any, path: Path) -> list[str]:
    if column.null_count:
        raise InputError(f"{path}: column 'optype' has to hold texts")
    made: list[str] = column.to_pylist()
    return made


def slowdown_of(job: Job) -> Slowdown:
    """Compute the slowdown of a job by stragglers, in total and by type, stage and rank.

    Raises:
        InputError: sends and receives do not pair up as in a pipeline without interleaved stages, no step ends, all
            operations take no time, or the job is too large.
    """
    _check_size(job)
    graph, task = _graph(job)
    own = np.where(_in(job, (*_POINT_TO_POINT, _EMBEDDING, *_OVER_RANKS)), _transfers_s(job), job.length_s)
    usual = _usual(job, own)
    ends = np.flatnonzero(_in(job, (_LAST,)))
    if not len(ends):
        raise InputError(f"{job.name} has no '{_LAST}', the operation that ends a step")
    _, step = np.unique(job.step[ends], return_inverse=True)

    def mean_step_s(times_s: Floats) -> float:
        durations = np.zeros(len(graph), np.int64)
        durations[task] = np.rint(times_s * _NS)
        made = replay(with_columns(graph, duration_ns=durations))
        last = np.zeros(int(step.max()) + 1)
        np.maximum.at(last, step, made.end_ns[task[ends]])
        return float(last.mean()) / _NS

    ideal = mean_step_s(usual)
    base = mean_step_s(own)
    if not ideal:
        raise InputError(f"the steps of {job.name} take no time")

    def of(values: Sequence[object]) -> dict[str, float]:
        given = np.array([str(value) for value in values])
        return {
            name: mean_step_s(np.where(given == name, own, usual)) / ideal for name in dict.fromkeys(given.tolist())
        }

    return Slowdown(
        job=job.name,
        slowdown=base / ideal,
        steps=int(step.max()) + 1,
        step_ns=round(base * _NS),
        usual_ns=round(ideal * _NS),
        by_type=of(job.kind),
        by_stage=of(job.stage.tolist()),
        by_rank=of(job.rank.tolist()),
    )


def _check_size(job: Job) -> None:
    """Check that replays, dependencies and times are within limits.

    Raises:
        InputError: they are not.
    """
    replays = 2 + sum(len(set(values)) for values in (job.kind, job.stage.tolist(), job.rank.tolist()))
    if replays * len(job) > limits.JOB_REPLAYED:
        raise InputError(
            f"{job.name} has {len(job):,} operations of {replays - 2:,} types, stages and ranks, each of which takes a "
            f"replay: give fewer steps (the limit is {limits.JOB_REPLAYED:,} operations in all replays)"
        )
    pairs = sum(len(members) ** 2 for members in _groups(job))
    if pairs > limits.JOB_DEPENDENCIES:
        raise InputError(
            f"{job.name} has {pairs:,} dependencies between members of groups, the limit is "
            f"{limits.JOB_DEPENDENCIES:,}: give fewer ranks"
        )
    if job.length_s.sum() > _LONGEST_S / 10:  # nanoseconds have 64 bits
        raise InputError(f"the operations of {job.name} take more than {_LONGEST_S // 10:,} s")


def _in(job: Job, kinds: Sequence[str]) -> Mask:
    return np.isin(np.array(job.kind), kinds)


def _groups(job: Job) -> list[list[int]]:
    """Return the rows of each communicating group: send with receive, all-reduce over ranks or stages."""
    found: dict[tuple[object, ...], list[int]] = defaultdict(list)
    towards = {"forward-send": 1, "backward-send": -1}
    rows = zip(job.kind, job.step.tolist(), job.rank.tolist(), job.stage.tolist(), job.number.tolist(), strict=True)
    for row, (kind, step, rank, stage, number) in enumerate(rows):
        way = kind.partition("-")[0]
        if kind in _POINT_TO_POINT:
            found[way, step, rank, stage + towards.get(kind, 0), number].append(row)
        elif kind == _CLIP:
            found[kind, step].append(row)
        elif kind == _EMBEDDING:
            found[kind, step, rank].append(row)
        elif kind in _OVER_RANKS:
            found[kind, step, stage, number].append(row)
    alone = [members for key, members in found.items() if key[0] in {"forward", "backward"} and len(members) != 2]
    if alone:
        row = alone[0][0]
        raise InputError(
            f"{job.name}: {job.kind[row]} {job.number[row]} of stage {job.stage[row]} in step {job.step[row]} has no "
            "partner; pipelines with interleaved stages are not supported"
        )
    return list(found.values())


def _transfers_s(job: Job) -> Floats:
    """Return the time from the last arrival of its group to its end, for each grouped operation, s."""
    made = job.length_s.copy()
    ends = job.start_s + job.length_s
    for members in _groups(job):
        transfer = ends[members] - job.start_s[members].max()
        made[members] = np.where(transfer <= -_CLOCKS_S, 0.0, np.maximum(transfer, 0.0))
    return made


def _usual(job: Job, own: Floats) -> Floats:
    """Return typical times: the mean per type of computation, the median per type of communication."""
    made = own.copy()
    for kind in set(job.kind):
        rows = _in(job, (kind,))
        made[rows] = np.median(own[rows]) if kind in _COMMUNICATES else np.mean(own[rows])
    return made


def _graph(job: Job) -> tuple[DependencyGraph, Longs]:
    """Build the graph of all steps, each starting at 0, and return it with the task of each operation.

    Every member of a group is an arrival, for which all others wait, and a transfer. The order of operations in the
    first step of the first rank applies to all ranks and steps.
    """
    order = _order(job)
    lane_of: dict[tuple[int, int, int, str], int] = {}
    lane = np.empty(len(job), np.int64)
    streams = {**dict.fromkeys(_COMPUTES, "compute"), **dict.fromkeys((_BEFORE, _REDUCED), "gradients")}
    for row in range(len(job)):
        stream = streams.get(job.kind[row], job.kind[row])
        key = (int(job.step[row]), int(job.rank[row]), int(job.stage[row]), stream)
        lane[row] = lane_of.setdefault(key, len(lane_of))
    groups = _groups(job)
    grouped = np.zeros(len(job), bool)
    for members in groups:
        grouped[members] = True
    place = np.empty(len(job), np.int64)
    place[order] = np.cumsum(grouped[order]) + np.arange(len(job))
    arrival = np.where(grouped, place - 1, place)
    count = len(job) + int(grouped.sum())
    first, second = _edges(job)
    pairs = [(one, other) for members in groups for one in members for other in members]
    lanes, names = np.empty(count, np.int64), np.zeros(count, np.int64)
    lanes[place], lanes[arrival] = lane, lane
    kinds = {kind: number for number, kind in enumerate(("arrival", *dict.fromkeys(job.kind)))}
    names[place] = [kinds[kind] for kind in job.kind]
    nothing = np.zeros(count, np.int64)
    meets = np.array(pairs, np.int64).reshape(-1, 2)
    columns = {
        "kind": np.full(count, int(TaskKind.CPU)), "phase": nothing, "lane": lanes, "task_name": names,
        "layer": nothing - 1, "operator": nothing - 1, "duration_ns": nothing, "gap_ns": nothing,
        "release_ns": nothing, "span": nothing - 1,
        "edge_from": np.concatenate([place[first], arrival[meets[:, 0]]]),
        "edge_to": np.concatenate([arrival[second], place[meets[:, 1]]]),
        "edge_kind": np.repeat([int(EdgeKind.DATA), int(EdgeKind.RENDEZVOUS)], [len(first), len(meets)]),
        "edge_lag_ns": np.zeros(len(first) + len(meets), np.int64), "wait_task": [], "wait_lane": [],
    }  # fmt: skip
    rows = tuple(
        Lane(process=f"step {step} rank {rank} stage {stage}", name=name) for step, rank, stage, name in lane_of
    )
    made = graph_of(job.name, lanes=rows, names=tuple(kinds), layers=(), operators=(), columns=columns)
    sequence = np.array(Edges(made).order(), np.int64)  # a sorted table is replayed without another sort
    moved = np.empty(count, np.int64)
    moved[sequence] = np.arange(count)
    return with_tasks(made, sequence), moved[place]


def _order(job: Job) -> Longs:
    """Return all operations in the order of the first rank and step, by start."""
    template = (job.rank == job.rank.min()) & (job.step == job.step.min())
    begun = {
        (int(job.stage[row]), job.kind[row], int(job.number[row])): float(job.start_s[row])
        for row in np.flatnonzero(template).tolist()
    }
    keys = zip(job.stage.tolist(), job.kind, job.number.tolist(), strict=True)
    starts = [begun.get(key, float(start)) for key, start in zip(keys, job.start_s.tolist(), strict=True)]
    return np.lexsort((job.number, np.array(starts), job.rank, job.step))


def _edges(job: Job) -> tuple[Longs, Longs]:
    """Return the dependencies of operations, except lane order, as pairs of rows."""
    first: list[int] = []
    second: list[int] = []
    workers: dict[tuple[int, int, int], list[int]] = defaultdict(list)
    for row in _order(job).tolist():
        workers[int(job.step[row]), int(job.rank[row]), int(job.stage[row])].append(row)
    for rows in workers.values():
        for one, other in _of_worker(job, rows):
            first.append(one)
            second.append(other)
    return np.array(first, np.int64), np.array(second, np.int64)


def _of_worker(job: Job, rows: Sequence[int]) -> Iterable[tuple[int, int]]:
    """Return the dependencies between the operations of one worker in one step, given in order."""
    by = {(job.kind[row], int(job.number[row])): row for row in rows}
    computing = [row for row in rows if job.kind[row] in _COMPUTES]
    for way in ("forward", "backward"):
        for (kind, number), row in by.items():
            computes = by.get((f"{way}-compute", number))
            if kind == f"{way}-send" and computes is not None:
                yield computes, row
            elif kind == f"{way}-recv" and computes is not None:
                yield row, computes
                before = by.get((f"{way}-compute", number - 1))
                if before is not None:
                    yield before, row
    turn = next((place for place, row in enumerate(computing) if job.kind[row] == _COMPUTES[1]), 0)
    for kind in ("backward-recv", "backward-send"):
        if turn >= 2 and (kind, 0) in by:
            yield computing[turn - 2], by[kind, 0]
    gathered = [row for row in rows if job.kind[row] == _BEFORE]
    if gathered and computing:
        yield gathered[-1], computing[0]
    behind = [computing[-1:], *([row for row in rows if job.kind[row] == kind] for kind in _BEHIND)]
    chain = [row for part in behind for row in part]
    yield from itertools.pairwise(chain)
