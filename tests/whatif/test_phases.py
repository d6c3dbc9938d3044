"""Prefill and decode of a server: each gains by itself, and only named steps are told."""

import io
import json
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from dlbricks.report.whatif import answer_report
from dlbricks.whatif.answer import Answer, ask
from dlbricks.whatif.sources import graph_of_files
from dlbricks.whatif.transform import read_step
from dlbricks.whatif.transforms import all_transforms


def served(path: Path, steps: list[tuple[str, int]], period_us: int = 100) -> Path:
    """Write a trace of a server's steps (name, kernel us); the host launches a kernel and waits for it in each."""
    events: list[dict[str, Any]] = []

    def event(category: str, name: str, tid: int, start: int, length: int, **args: int) -> None:
        events.append({
            "ph": "X", "cat": category, "name": name, "pid": 0 if category == "kernel" else 1, "tid": tid,
            "ts": start, "dur": length, "args": args,
        })  # fmt: skip

    for number, (name, length) in enumerate(steps):
        at = number * period_us
        event("user_annotation", name, 1, at, length + 20)
        event("cpu_op", "aten::mm", 1, at + 1, 6)
        event("cuda_runtime", "cudaLaunchKernel", 1, at + 2, 4, correlation=number + 1)
        event("kernel", "sgemm", 7, at + 10, length, correlation=number + 1, stream=7, device=0)
        event("cuda_runtime", "cudaDeviceSynchronize", 1, at + 8, length + 6)
    path.write_text(json.dumps({"schemaVersion": 1, "baseTimeNanoseconds": 0, "traceEvents": events}))
    return path


def answered(path: Path, text: str) -> Answer:
    """Ask one thing."""
    return ask(graph_of_files([path]), [read_step(text, all_transforms())]).answer


STEPS = [
    ("execute_context_1(512)_generation_0(0)", 60),
    *(("execute_context_0(0)_generation_4(4)", 20 + number) for number in range(3)),
]


def test_prefill_and_decode_gain_by_themselves(tmp_path: Path) -> None:
    """The kernel's half is saved of 80 us and of 41 us, whatever the order."""
    answer = answered(served(tmp_path / "s.json", STEPS), "scale:0.5,kind=kernel")
    decode, prefill = answer.phases
    assert (prefill.phase, prefill.steps, prefill.tokens, prefill.before_ns) == ("prefill", 1, 512, 80_000)
    assert (decode.phase, decode.steps, decode.tokens, decode.before_ns) == ("decode", 3, 4, 41_000)
    assert prefill.gain == pytest.approx(30 / 80)
    assert decode.gain == pytest.approx(10.5 / 41)
    assert len(answer_report(answer)) == len(answer_report(answered(served(tmp_path / "n.json", [
        ("step 1", 20), ("step 2", 20)]), "scale:0.5,kind=kernel"))) + 1  # fmt: skip


def test_gains_of_another_batch_are_per_input(tmp_path: Path) -> None:
    """Of each phase as of the whole: one step more for each one there was gains nothing."""
    answer = answered(served(tmp_path / "s.json", STEPS), "batch:2")
    for one in answer.phases:
        assert one.gain == pytest.approx(1 - one.after_ns / 2 / one.before_ns)
    assert max(one.gain for one in answer.phases) >= answer.gain >= min(one.gain for one in answer.phases)
    shown = Console(width=200, record=True, file=io.StringIO())
    for item in answer_report(answer):
        shown.print(item)
    assert shown.export_text().count("gain per input") == 1


def test_steps_of_other_names_have_no_phases(tmp_path: Path) -> None:
    """Nothing is guessed of training."""
    answer = answered(served(tmp_path / "n.json", [("train step", 20), ("train step", 30)]), "scale:0.5")
    assert answer.phases == ()
