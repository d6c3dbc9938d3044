"""Waits, loads and steps that a trace states, in files whose true figures are known."""

import json
from pathlib import Path

import numpy as np
import pytest

from dlbricks.analysis.catalogue import chosen
from dlbricks.analysis.table import Cell, summary
from dlbricks.profile.open import read_any
from dlbricks.whatif.answer import Answer, advise, ask
from dlbricks.whatif.sources import graph_of_files
from dlbricks.whatif.transform import read_step
from dlbricks.whatif.transforms import all_transforms

KNOWN = all_transforms()
DATA = Path(__file__).parent.parent / "data" / "faults"


def answered(name: str, *steps: str) -> Answer:
    """What a file's time would become."""
    return ask(graph_of_files([DATA / f"{name}.json"]), [read_step(step, KNOWN) for step in steps]).answer


def analysed(name: str, which: str, column: str) -> tuple[Cell, ...]:
    """One column of an analysis of a file."""
    return chosen([which])[0].compute(read_any(DATA / f"{name}.json")).column(column).cells


@pytest.mark.parametrize(("kernel", "gain"), [("A", 0.3125), ("U", 0.0)])
def test_a_wait_is_of_the_stream_that_it_names(kernel: str, gain: float) -> None:
    """Stream 9 waits for A, whatever the thread launches in between: 800 us become 550; U hides behind A."""
    found = answered("t23_unrelated_kernel", f"scale:0.5,kind=kernel,name={kernel}")
    assert found.gain == pytest.approx(gain, abs=0.002)


def test_a_call_waits_for_what_was_launched_before_the_record() -> None:
    """885 of 1,000 us are that kernel."""
    name = "f2_sync_waits_for_kernel_launched_before_trace"
    found = answered(name, "scale:0.5,kind=kernel")
    assert found.gain == pytest.approx(0.4425, abs=0.001)
    assert found.before.explanation.startswith("kernels 88 %")


@pytest.mark.parametrize("name", ["f5_pin_memory_thread_hides_loader", "f5b_without_pin_memory_thread"])
def test_a_call_of_another_thread_hides_no_load(name: str) -> None:
    """With and without the thread that pins memory; what was assumed of a fetch is said."""
    found = answered(name, "data-loader:4")
    assert found.before.explanation.startswith("host 100 %: loading 80, ")
    assert found.gain == pytest.approx(0.631, abs=0.001)
    assert any("assumed to be 1.4 ms" in note for note in found.notes)


def test_a_fetch_takes_what_the_trace_shows(tmp_path: Path) -> None:
    """Two of three batches were ready and took 0.8 ms: so would the third, without an assumption."""
    text = (DATA / "f5b_without_pin_memory_thread.json").read_text().replace('"dur": 8000', '"dur": 800', 2)
    (tmp_path / "trace.json").write_text(text)
    graph = graph_of_files([tmp_path / "trace.json"])
    shown, stated, other = (
        ask(graph, [read_step(f"data-loader:4{time}", KNOWN)]).answer for time in ("", ",time=0.8ms", ",time=1.3ms")
    )
    assert shown.after.makespan_ns == stated.after.makespan_ns == other.after.makespan_ns - 500_000
    assert not any("assumed" in note for note in shown.notes)


def test_an_empty_last_step_counts_nowhere() -> None:
    """The copy of 900 us is all of one step."""
    name = "f1_two_steps_one_without_device"
    assert answered(name).before.time_ns == 900_000
    assert advise(graph_of_files([DATA / f"{name}.json"]), KNOWN)[0].time_ns == 900_000
    assert analysed(name, "A1", "latency_ns") == analysed(name, "A15", "latency_ns") == (900_000,)
    assert analysed(name, "A15", "busy_ns") == (900_000,)
    assert "1 step without work, which all figures leave out" in answered(name).notes


@pytest.mark.parametrize("empty", [0, 2, 3])
def test_a_step_without_work_and_calls_counts_nowhere(tmp_path: Path, empty: int) -> None:
    """Of four steps of 500 us, in which a kernel takes 300 us, one is empty: it is not the median of equals."""
    events: list[dict[str, object]] = []
    for number in range(4):
        start = 500 * number
        named = {"ph": "X", "pid": 1, "tid": 1}
        events.append(named | {"cat": "user_annotation", "name": f"ProfilerStep#{number}", "ts": start, "dur": 500})
        if number != empty:
            args = {"correlation": number + 1, "stream": 7, "device": 0}
            launch = {"cat": "cuda_runtime", "name": "cudaLaunchKernel", "ts": start + 10, "dur": 5, "args": args}
            kernel = {"cat": "kernel", "name": "gemm", "tid": 7, "pid": 0, "ts": start + 30, "dur": 300, "args": args}
            sync = {"correlation": number + 90}
            wait = {"cat": "cuda_runtime", "name": "cudaDeviceSynchronize", "ts": start + 40, "dur": 300, "args": sync}
            events += [named | launch, named | kernel, named | wait]
    (tmp_path / "trace.json").write_text(json.dumps({"schemaVersion": 1, "traceEvents": events}))
    profile = read_any(tmp_path / "trace.json")
    assert "1 step without work, which all figures leave out" in profile.all_notes
    assert len(profile.runs[0].samples_ns) == 3
    before = ask(graph_of_files([tmp_path / "trace.json"]), []).answer.before
    assert before.explanation.startswith("kernels 60 %")


def test_what_was_queued_before_the_record_is_of_no_step() -> None:
    """Two kernels of 1 ms a step, of four that were queued before."""
    name = "f11_queue_from_before"
    assert (analysed(name, "A15", "kernels"), analysed(name, "A15", "busy_ns")) == ((2,), (2_000_000,))
    assert analysed(name, "A1", "latency_ns") == (answered(name).before.time_ns,) == (2_000_000,)


def test_a_device_behind_its_host_is_never_idle() -> None:
    """10 ms a step, as the device takes; what waits in its queue is no idle time."""
    name = "t01_host_ahead"
    assert analysed(name, "A1", "latency_ns") == (answered(name).before.time_ns,) == (10_000_000,)
    assert analysed(name, "launch-bound", "idle_ns") == (0, 0)
    assert analysed(name, "launch-bound", "queued_ns") == (13_670_000, 13_585_000)


def test_an_interval_of_three_steps_covers_them() -> None:
    """And is not below them all."""
    found = summary(np.array([10, 10, 20]))
    assert (found.median[0], found.high[0]) == (10, 20)
    assert 5 < found.low[0] < 10
