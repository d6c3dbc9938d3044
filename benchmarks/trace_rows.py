"""Rows of ``make bench`` about traces; called with a format and a file it writes a large trace (or reads one), timed.

Generated traces: calls of layers, each layer with launches and, on a stream of a device, their executions.
"""

import json
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
from rows import Part, Row, own_peak_mb

from dlbricks.trace.build import attribute_of, from_columns, with_attribute
from dlbricks.trace.correlate import nested
from dlbricks.trace.types import NONE, Lane, Level, Longs, Role, Trace, TraceClock

MILLION = 1_000_000
HOST, STREAM = Lane(process="1", name="thread 1"), Lane(process="1", name="stream 7", device="gpu 0")
LAUNCH_EVERY_NS, LAUNCH_NS, KERNEL_NS = 1_500, 700, 1_400


def generated(calls: int, layers: int, launches: int, *, kernels: bool = True) -> Trace:
    """Make a trace without parents whose rows stand in random order, so that nothing is won by their being sorted.

    Args:
        calls: of the network.
        layers: of each call.
        launches: of each layer.
        kernels: whether each launch has an execution.
    """
    length = launches * LAUNCH_EVERY_NS
    layer_starts = np.arange(calls * layers) * length
    launch_starts = (layer_starts[:, None] + np.arange(launches) * LAUNCH_EVERY_NS + 200).ravel()
    count = len(launch_starts)
    parts: list[tuple[Level, Role, Longs, int, int, Longs]] = [
        (Level.MODEL, Role.PLAIN, np.arange(calls) * layers * length, layers * length, 0, np.zeros(calls, np.int64)),
        (Level.LAYER, Role.PLAIN, layer_starts, length, 0, 1 + np.arange(calls * layers) % layers),
        (Level.LIBRARY, Role.LAUNCH, launch_starts, LAUNCH_NS, 0, np.full(count, layers + 1)),
        (Level.KERNEL, Role.EXECUTION, launch_starts + 3_000, KERNEL_NS, 1, layers + 2 + np.arange(count) % 30),
    ][: 4 if kernels else 3]
    numbers = [np.arange(len(starts)) if level >= Level.LIBRARY else np.full(len(starts), NONE)
               for level, _, starts, _, _, _ in parts]  # fmt: skip
    columns = {
        "level": np.concatenate([np.full(len(starts), level) for level, _, starts, _, _, _ in parts]),
        "role": np.concatenate([np.full(len(starts), role) for _, role, starts, _, _, _ in parts]),
        "kind": np.concatenate([np.full(len(starts), level - 1) for level, _, starts, _, _, _ in parts]),
        "name": np.concatenate([names for *_, names in parts]),
        "lane": np.concatenate([np.full(len(starts), lane) for _, _, starts, _, lane, _ in parts]),
        "start_ns": np.concatenate([starts for _, _, starts, _, _, _ in parts]),
        "end_ns": np.concatenate([starts + duration for _, _, starts, duration, _, _ in parts]),
        "correlation": np.concatenate(numbers),
    }
    order = np.random.default_rng(0).permutation(len(columns["level"]))
    columns = {key: column[order] for key, column in columns.items()}
    rows = np.flatnonzero(columns["level"] == Level.LAYER)
    attributes = {
        "type": attribute_of(rows, ["Conv"] * len(rows)),
        "shape": attribute_of(rows, ["float32[1,64,56,56]"] * len(rows)),
        "flops": attribute_of(rows, list(range(len(rows)))),
    }
    names = ("run", *(f"layer_{number}" for number in range(layers)), "cudaLaunchKernel",
             *(f"kernel_{number}" for number in range(30)))  # fmt: skip
    return from_columns(
        TraceClock(name="generated", unix_offset_ns=1_700_000_000_000_000_000),
        names=names,
        kinds=("call", "operator", "runtime", "kernel"),
        lanes=(HOST, STREAM),
        columns=columns,
        attributes=attributes,
    )


def correlating(_scratch: Path) -> Iterator[Row]:
    """Find the parents of a million spans of three levels from their intervals."""
    trace = generated(10, 1_000, 99, kernels=False)
    costs = []
    for _ in range(3):
        began = time.perf_counter()
        nested(trace)
        costs.append(time.perf_counter() - began)
    yield Row(
        f"spans correlated per second (interval containment, 3 levels, {len(trace):,} spans)",
        "500,000",
        f"{len(trace) / statistics.median(costs):,.0f}",
    )


def exporting(scratch: Path) -> Iterator[Row]:
    """Write a million spans in every format, each in a process of its own."""
    for form, name in (("chrome", "t.json"), ("otlp", "t.jsonl")):
        cost = _run_apart(form, scratch / name)
        yield Row(
            f"export of a trace of {cost['spans']:,} spans as {form}",
            "20 s, 2 GB peak",
            f"{cost['seconds']:.1f} s, {cost['peak_mb']:.0f} MB, file of {cost['file_mb']:.0f} MB",
        )
        (scratch / name).unlink()


def analysing(_scratch: Path) -> Iterator[Row]:
    """Make the fifteen tables of XSP, and all tables, of 200,000 spans with counters on every kernel."""
    from dlbricks.analysis.catalogue import ANALYSES, XSP
    from dlbricks.trace.correlate import correlated
    from dlbricks.trace.types import LEVELS, LevelRun, Profile, Roofs

    trace = correlated(generated(20, 910, 5))
    rows = trace.rows(Level.KERNEL)
    for name, value in (("flops", 10**6), ("dram_read_bytes", 10**4), ("dram_write_bytes", 10**4), ("occupancy", 0.5)):
        trace = with_attribute(trace, name, rows, [value] * len(rows))
    roofs = Roofs(device="none", flops_per_s={"float32": 1e12}, copied_bytes_per_s=1e11)
    costs: dict[int, list[float]] = {len(chosen): [] for chosen in (XSP, ANALYSES)}
    for chosen in (XSP, ANALYSES) * 3:
        runs = tuple(
            LevelRun(batch=1, levels=levels, samples_ns=(10**6,) * 20, trace=replace(trace)) for levels in LEVELS
        )
        profile = Profile(network="net", system={}, runtime={"provider": "cuda"}, runs=runs, roofs=roofs)
        began = time.perf_counter()
        for one in chosen:
            one.compute(profile)
        costs[len(chosen)].append(time.perf_counter() - began)
    fifteen, everything = (statistics.median(costs[len(chosen)]) for chosen in (XSP, ANALYSES))
    yield Row(
        f"the 15 analyses of XSP on a profile whose runs have {len(trace):,} spans",
        "3 s",
        f"{fifteen:.2f} s; all analyses: {everything:.2f} s",
    )


_KINETO = """
  {{
    "ph": "X", "cat": "cpu_op", "name": "aten::operator_{layer}", "pid": 4711, "tid": 4711,
    "ts": {at}.125, "dur": 41.250,
    "args": {{
      "External id": {number},"Sequence number": {number}, "Fwd thread id": 0, "Ev Idx": {number},
      "Input Dims": [[32, 64, 56, 56], [64], [64]], "Input type": ["float", "float", "float"]
    }}
  }},
  {{
    "ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 4711, "tid": 4711,
    "ts": {at}.500, "dur": 6.125,
    "args": {{
      "External id": {number},
      "cbid": 211, "correlation": {number}
    }}
  }},
  {{
    "ph": "s", "id": {number}, "pid": 4711, "tid": 4711, "ts": {at}.500,
    "cat": "ac2g", "name": "ac2g"
  }},
  {{
    "ph": "X", "cat": "kernel", "name": "void at::native::vectorized_elementwise_kernel<4, functor_{layer}>(int)",
    "pid": 0, "tid": 7,
    "ts": {at}.875, "dur": 9.984,
    "args": {{
      "External id": {number},      "queued": 0, "device": 0, "context": 1,      "stream": 7, "correlation": {number},
      "registers per thread": 32,      "shared memory": 0,      "blocks per SM": 18.962963,      "warps per SM": 75.85,
      "grid": [512, 1, 1],      "block": [512, 1, 1],      "est. achieved occupancy %": 75
    }}
  }},
  {{
    "ph": "f", "id": {number}, "pid": 0, "tid": 7, "ts": {at}.875,
    "cat": "ac2g", "name": "ac2g", "bp": "e"
  }},"""
"""An operator, its launch and its kernel, as PyTorch 2.3 writes them."""


def reading(scratch: Path) -> Iterator[Row]:
    """Read 100 MB as PyTorch's profiler writes them, in a process of its own."""
    path, size, number = scratch / "kineto.json", 0, 0
    with path.open("w", encoding="utf-8") as file:
        size += file.write('{"schemaVersion": 1, "deviceProperties": [], "traceEvents": [')
        while size < 100 * 10**6:
            number += 1
            size += file.write(
                _KINETO.format(number=number, layer=number % 300, at=1_712_195_495_000_000 + 50 * number)
            )
        file.write('{"ph": "M", "name": "process_name", "pid": 4711, "tid": 0, "args": {"name": "python"}}]}')
    costs = [_run_apart("read", path) for _ in range(3)]
    yield Row(
        f"reading a Kineto trace of {path.stat().st_size / 1e6:.0f} MB ({costs[0]['spans']:,} spans), correlated",
        "6 s, 1.5 GB peak",
        f"{statistics.median(one['seconds'] for one in costs):.1f} s, {max(one['peak_mb'] for one in costs):.0f} MB",
    )
    path.unlink()


PARTS: tuple[Part, ...] = (correlating, reading, exporting, analysing)


def _run_apart(form: str, path: Path) -> dict[str, float]:
    """Run ``main`` in a process of its own and return what it cost."""
    printed = subprocess.run([sys.executable, __file__, form, str(path)], check=True, capture_output=True, text=True)
    costs: dict[str, float] = json.loads(printed.stdout)
    return costs


def main() -> None:
    """Read a trace, or write one of a million spans in the format that is named, and say what it cost."""
    form, path = sys.argv[1], Path(sys.argv[2])
    spans, seconds = _read(path) if form == "read" else _write(form, path)
    costs = {"spans": spans, "seconds": seconds, "peak_mb": own_peak_mb(), "file_mb": path.stat().st_size / 1e6}
    print(json.dumps(costs))


def _read(path: Path) -> tuple[int, float]:
    from dlbricks.plugins.training.kineto import read_kineto

    began = time.perf_counter()
    trace = read_kineto(path)
    return len(trace), time.perf_counter() - began


def _write(form: str, path: Path) -> tuple[int, float]:
    from dlbricks.profile.file import WRITERS
    from dlbricks.trace.correlate import correlated
    from dlbricks.trace.export import ExportPart

    trace = correlated(generated(100, 910, 5))
    if len(trace) < MILLION:
        sys.exit(f"a trace of {len(trace):,} spans is too small")
    began = time.perf_counter()
    WRITERS[form]([ExportPart(trace=trace)], path)
    return len(trace), time.perf_counter() - began


if __name__ == "__main__":
    main()
