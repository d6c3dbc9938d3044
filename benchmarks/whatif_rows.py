"""Rows of ``make bench`` about what-if; called with ``million``, or ``path`` and a trace, it does that once, timed.

``DLBRICKS_TRACES`` names a folder of public traces (docs/evidence.md), ``HTA_PYTHON`` a Python that has HTA
(``HolisticTraceAnalysis==0.5.0``, ``pandas<3``), to be measured beside us on the same files.
"""

import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np
from rows import Part, Row, own_peak_mb

from dlbricks.trace.types import NONE, Lane
from dlbricks.whatif.explain import explain, step_paths
from dlbricks.whatif.graph import EdgeKind, TaskKind, graph_of
from dlbricks.whatif.simulate import replay
from dlbricks.whatif.sources import graph_of_files

MILLION = 1_000_000
FILES = (
    "05_resnet50_ddp/v100x1_rank0.json.gz",
    "07_dlrm_hw_pair/a100x8_rank3.json.gz",
    "06_compiled_perparam_allreduce_v100x2/rank1.json.gz",
)
HTA = """
import json, logging, resource, sys, time
logging.disable(logging.CRITICAL)
from hta.trace_analysis import TraceAnalysis
began, busy = time.perf_counter(), time.process_time()
made = TraceAnalysis(trace_files={0: sys.argv[1]}, trace_dir="/tmp")
_, fine = made.critical_path_analysis(rank=0, annotation="ProfilerStep", instance_id=1)
assert fine
costs = {"seconds": time.perf_counter() - began, "processor_s": time.process_time() - busy}
print(json.dumps({**costs, "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6}))
"""


def simulating(_scratch: Path) -> Iterator[Row]:
    """Replay a million tasks on four lanes, half of them launched by the others, and find the critical path."""
    (costs,) = _in_turns([sys.executable, __file__, "million"])
    replayed, explained = (statistics.median(cost[key] for cost in costs) for key in ("seconds", "explained"))
    yield Row(
        f"replay of {MILLION:,} tasks; with the critical path",
        "3 s, 1 GB peak",
        f"{replayed:.2f} s; {explained:.2f} s, {max(cost['peak_mb'] for cost in costs):.0f} MB",
    )


def paths(_scratch: Path) -> Iterator[Row]:
    """Go from the file of a trace to the critical path of every step; HTA to that of one step."""
    folder = os.environ.get("DLBRICKS_TRACES", "")
    for name in FILES:
        path = Path(folder) / name
        if not folder or not path.is_file():
            continue
        commands = [[sys.executable, __file__, "path", str(path)]]
        if "HTA_PYTHON" in os.environ:
            commands.append([os.environ["HTA_PYTHON"], "-c", HTA, str(path)])
        ours, *others = (_told(costs) for costs in _in_turns(*commands))
        theirs = "".join(f" (HTA 0.5.0, one step: {other})" for other in others)
        yield Row(
            f"{name} to the critical path of every step", "4 times faster than HTA, half the memory", ours + theirs
        )


def _in_turns(*commands: list[str]) -> tuple[list[Mapping[str, float]], ...]:
    """Give what each command said in five runs of its own process, one after the other in every round."""
    rounds = [
        [subprocess.run(command, check=True, capture_output=True, text=True).stdout for command in commands]
        for _ in range(5)
    ]
    return tuple([json.loads(text.splitlines()[-1]) for text in said] for said in zip(*rounds, strict=True))


def _told(costs: list[Mapping[str, float]]) -> str:
    seconds, processor = (statistics.median(cost[key] for cost in costs) for key in ("seconds", "processor_s"))
    return f"{seconds:.2f} s ({processor:.2f} s of a processor), {max(cost['peak_mb'] for cost in costs):.0f} MB"


PARTS: tuple[Part, ...] = (simulating, paths)


def main() -> None:
    """Do what is asked once and say what it cost."""
    made = _million() if sys.argv[1] == "million" else _path(Path(sys.argv[2]))
    print(json.dumps({**made, "peak_mb": own_peak_mb()}))


def _million() -> dict[str, float]:
    half = MILLION // 2
    number = np.arange(MILLION)
    device = number % 2 == 1
    nothing = np.zeros(MILLION, np.int64)
    random = np.random.default_rng(0)
    hosts = [Lane(process="1", name=f"thread {one}") for one in range(2)]
    streams = [Lane(process="1", name=f"stream {one}", device="gpu 0") for one in range(2)]
    graph = graph_of(
        "generated",
        lanes=(*hosts, *streams),
        names=("launch", "kernel"),
        layers=(),
        operators=(),
        columns={
            "kind": np.where(device, TaskKind.KERNEL, TaskKind.CPU),
            "phase": nothing,
            "lane": np.where(device, 2, 0) + number // 1_000 % 2,
            "task_name": device,
            "layer": nothing + NONE,
            "operator": nothing + NONE,
            "duration_ns": random.integers(1_000, 10_000, MILLION),
            "gap_ns": np.where(device, 0, random.integers(0, 5_000, MILLION)),
            "release_ns": nothing,
            "span": nothing + NONE,
            "edge_from": number[::2],
            "edge_to": number[1::2],
            "edge_kind": np.full(half, EdgeKind.LAUNCH),
            "edge_lag_ns": np.full(half, 5_000),
            "wait_task": number[1_000::1_000],
            "wait_lane": 2 + number[1_000::1_000] // 1_000 % 2,
        },
    )
    began = time.perf_counter()
    made = replay(graph)
    seconds = time.perf_counter() - began
    explain(graph, made)
    return {"seconds": seconds, "explained": time.perf_counter() - began}


def _path(path: Path) -> dict[str, float]:
    began, busy = time.perf_counter(), time.process_time()
    graph = graph_of_files([path])
    made = step_paths(graph, replay(graph))
    assert len(made) == len(graph.steps) > 1
    return {"seconds": time.perf_counter() - began, "processor_s": time.process_time() - busy}


if __name__ == "__main__":
    main()
