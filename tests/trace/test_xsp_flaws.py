"""What XSP (IPDPS 2020) is known to get wrong about traces, by its authors or by its code, is not here.

Flaws that concern analyses are in ``tests/analysis``.
"""

import json
from pathlib import Path

import numpy as np

from dlbricks.profile.file import profile_bytes, profile_from
from dlbricks.trace.build import TraceBuilder, joined_traces
from dlbricks.trace.correlate import correlated
from dlbricks.trace.export import ExportPart, write_chrome
from dlbricks.trace.intervals import ancestors, union_ns
from dlbricks.trace.kinds import KERNEL, OPERATOR, RUNTIME
from dlbricks.trace.types import Lane, Level, LevelRun, Profile, Role, Trace, TraceClock

HOST, OTHER = (Lane(process="1", name=f"thread {number}") for number in (1, 2))
STREAMS = [Lane(process="1", name=f"stream {number}", device="gpu 0") for number in (7, 20)]


class Recording:
    """A call whose layers and kernels are put down one by one."""

    def __init__(self, process: str = "1") -> None:
        """Begin with an empty recording of one process."""
        self.builder = TraceBuilder(clock=TraceClock(name="cupti"))
        self.process = process
        self.count = 0

    def layer(self, name: str, start: int, end: int, lane: Lane = HOST) -> int:
        """Add a layer and give its row."""
        return self.builder.add(Level.LAYER, OPERATOR, name, lane, start, end)

    def kernel(self, name: str, launched: int, start: int, end: int, stream: Lane = STREAMS[0]) -> int:
        """Add a launch of 1 ns and its execution; give the row of the latter."""
        self.count += 1
        host = Lane(process=self.process, name="thread 1")
        device = Lane(process=self.process, name=stream.name, device=stream.device)
        self.builder.add(
            Level.LIBRARY, RUNTIME, "launch", host, launched, launched + 1, role=Role.LAUNCH, correlation=self.count
        )
        return self.builder.add(
            Level.KERNEL, KERNEL, name, device, start, end, role=Role.EXECUTION, correlation=self.count
        )

    def trace(self) -> Trace:
        """Give the correlated trace."""
        return correlated(self.builder.built())


def test_equal_stamps_keep_their_parents() -> None:
    """Containment by strict inequality loses a child that begins or ends with its parent; here it does not."""
    run = Recording()
    layer = run.layer("conv", 100, 101)
    run.kernel("gemm", 100, 150, 160)
    assert ancestors(run.trace(), Level.LAYER).tolist() == [layer] * 3


def test_a_parent_need_not_be_exactly_one_level_above() -> None:
    """A recorder that leaves a level out does not cost the spans below it their parents."""
    builder = TraceBuilder(clock=TraceClock(name="cupti"))
    call = builder.add(Level.MODEL, "call", "run", HOST, 0, 100)
    builder.add(Level.LIBRARY, RUNTIME, "launch", HOST, 10, 11, role=Role.LAUNCH, correlation=1)
    builder.add(Level.KERNEL, KERNEL, "gemm", STREAMS[0], 20, 90, role=Role.EXECUTION, correlation=1)
    assert ancestors(correlated(builder.built()), Level.MODEL).tolist() == [call] * 3


def test_nanoseconds_are_kept(tmp_path: Path) -> None:
    """A kernel of 640 ns is 640 ns in the trace, in our file and in what viewers read, not 0 or 1 us."""
    run = Recording()
    row = run.kernel("tiny", 10, 1_000_000_000_000_123, 1_000_000_000_000_763)
    runs = (LevelRun(batch=1, levels="MLK", samples_ns=(), trace=run.trace()),)
    written = profile_bytes(Profile(network="n", system={}, runtime={}, runs=runs))
    trace = profile_from(written, tmp_path).runs[0].trace
    assert trace.span(row).duration_ns == 640
    write_chrome([ExportPart(trace=trace)], tmp_path / "trace.json")
    spans = [e for e in json.loads((tmp_path / "trace.json").read_text())["traceEvents"] if e["ph"] == "X"]
    assert spans[row]["dur"] == 0.64


def test_the_first_layer_and_odd_names_keep_their_kernels() -> None:
    """Index 0, a name that starts with an underscore and a missing shape are no reason to lose a layer's kernels."""
    run = Recording()
    layers = [run.layer(name, start, start + 50) for start, name in ((0, "_first"), (100, ""))]
    kernels = [run.kernel("gemm", start + 5, start + 20, start + 30) for start in (0, 100)]
    assert ancestors(run.trace(), Level.LAYER)[kernels].tolist() == layers


def test_asynchronous_kernels_belong_to_who_launched_them() -> None:
    """A kernel that runs after its layer returned belongs to that layer, not to the one around its execution."""
    run = Recording()
    first = run.layer("conv", 0, 10)
    run.layer("relu", 10, 500)
    kernel = run.kernel("gemm", 5, 100, 400)
    assert ancestors(run.trace(), Level.LAYER)[kernel] == first


def test_overlapping_kernels_stay_visible_and_count_once() -> None:
    """Kernels on two streams keep their own times; busy time is a union, so it never exceeds the time that went by."""
    run = Recording()
    layer = run.layer("conv", 0, 100)
    rows = np.array([run.kernel("gemm", 5 + at, 20, 90, stream) for at, stream in enumerate(STREAMS)])
    trace = run.trace()
    assert int(trace.duration_ns[rows].sum()) == 140 > trace.span(layer).duration_ns
    assert union_ns(trace.start_ns[rows], trace.end_ns[rows]) == 70
    assert {trace.span(row).lane.name for row in rows.tolist()} == {"stream 7", "stream 20"}


def test_parallel_events_are_reported_not_guessed() -> None:
    """Two layers on two threads around one launch of a third: no parent is invented, and what would help is said."""
    run = Recording()
    run.layer("left", 0, 50, OTHER)
    run.layer("right", 0, 50, Lane(process="1", name="thread 3"))
    kernel = run.kernel("gemm", 10, 100, 120)
    trace = run.trace()
    assert ancestors(trace, Level.LAYER)[kernel] == -1
    assert any("CUDA_LAUNCH_BLOCKING" in note for note in trace.diagnostics)


def test_more_than_one_device_and_rank() -> None:
    """Traces of several ranks go side by side; each kernel stays with the layers of its own rank."""
    ranks = []
    for process in ("0", "1"):
        run = Recording(process)
        run.layer(f"conv of rank {process}", 0, 50, Lane(process=process, name="thread 1"))
        run.kernel("gemm", 10, 60, 70)
        ranks.append(run.trace())
    both = joined_traces(*ranks)
    layers = [both.span(int(row)).name for row in ancestors(both, Level.LAYER)[both.rows(Level.KERNEL)]]
    assert layers == ["conv of rank 0", "conv of rank 1"]
