"""Steps of servers: names as vLLM and SGLang write them, times by hand."""

from pathlib import Path
from typing import Any

import pytest

from dlbricks.analysis.catalogue import chosen
from dlbricks.analysis.table import Table
from dlbricks.profile.open import profile_of, read_any
from dlbricks.profile.steps import DECODE, IDLE, MIXED, PREFILL, ServingStep, serving_step, with_steps
from dlbricks.trace import kinds
from dlbricks.trace.build import TraceBuilder
from dlbricks.trace.types import Lane, Level, Role, TraceClock
from tests.whatif.test_phases import served


@pytest.mark.parametrize(
    ("name", "phase", "requests", "tokens", "cached"),
    [
        ("execute_context_2(512)_generation_0(0)", PREFILL, 2, 512, None),
        ("execute_context_0(0)_generation_8(24)", DECODE, 8, 24, None),
        ("execute_context_1(100)_generation_3(3)", MIXED, 4, 103, None),
        ("execute_context_0(0)_generation_0(0)", IDLE, 0, 0, None),
        ("execute_new_1_cached_8", MIXED, 9, None, None),
        ("execute_new_0_cached_8", DECODE, 8, None, None),
        ("step[EXTEND bs=2 toks=12 c_sqsq=80 c_sqsk=120 c_sk=20]", PREFILL, 2, 12, 20),
        ("step[DECODE bs=2 g_sqsq=2 g_sqsk=30 g_sk=30]", DECODE, 2, 2, 30),
        ("step[DECODE bs=16]", DECODE, 16, 16, None),
        ("execute_34_context_2(sq24sk30sqsq1sqsk2)_generation_10(sq10sk900sqsq3sqsk4)", MIXED, 12, 34, 930),
        ("step[MIXED bs=2 c=1 g=1 c_sq=5 c_sk=8 c_sqsq=25 g_sq=1 g_sk=12 g_sqsq=1]", MIXED, 2, 6, 20),
        ("step[TARGET_VERIFY bs=4]", "target_verify", 4, None, None),
    ],
)  # fmt: skip
def test_names_of_steps_are_read(name: str, phase: str, requests: int, tokens: int | None, cached: int | None) -> None:
    """As their sources write them."""
    assert serving_step(name) == ServingStep(phase=phase, requests=requests, tokens=tokens, cached=cached)


def test_steps_without_requests_are_no_steps() -> None:
    """A server goes round with nothing to do: such a round says nothing of a step's time."""
    host = Lane(process="1", name="thread 1")
    builder = TraceBuilder(clock=TraceClock(name="test"))
    for start, tokens in ((0, 64), (1_000, 0), (1_010, 64), (2_010, 0)):
        name = f"execute_context_{min(tokens, 1)}({tokens})_generation_0(0)"
        builder.add(Level.APPLICATION, "range", name, host, start, start + (900 if tokens else 5))
    made, how = with_steps(builder.built())
    assert how.startswith("no steps are marked: 2 steps are ranges like 'execute_context_1(64)")
    rows = made.rows(Level.APPLICATION, "step")
    assert (made.end_ns[rows] - made.start_ns[rows]).tolist() == [900, 900]


@pytest.mark.parametrize("name", ["execute_model", "step 3", "step[DECODE]", "step[DECODE toks=3]", "execute_new_"])
def test_other_names_are_none(name: str) -> None:
    """Nothing is guessed."""
    assert serving_step(name) is None


def table(steps: list[tuple[str, int, int]], *, device: bool = True, streams: int = 1) -> Table:
    """Analyse steps (name, start, length), in each of which a kernel runs for half of the time."""
    builder = TraceBuilder(TraceClock(name="test"))
    main = Lane(process="0", name="main")
    builder.add(Level.LAYER, kinds.OPERATOR, "aten::mm", main, 0, 1)
    for name, start, length in steps:
        builder.add(Level.APPLICATION, kinds.RANGE, name, main, start - 1, start + 1)
        for number in range(streams if device else 0):
            lane = Lane(process="0", name=f"ranges {number}", device="gpu 0")
            begin = start + number
            builder.add(Level.APPLICATION, kinds.RANGE, name, lane, begin, start + length, role=Role.EXECUTION)
        lane = Lane(process="0", name="stream 7", device="gpu 0")
        end = start + length // 2
        builder.add(Level.KERNEL, kinds.KERNEL, "sgemm", lane, start, end, role=Role.EXECUTION)
    return chosen(["serving"])[0].compute(profile_of(builder.built(), "served"))


def row(made: Table, phase: str) -> dict[str, Any]:
    """Return the row of a phase."""
    place = made.column("phase").cells.index(phase)
    return {column.name: column.cells[place] for column in made.columns}


def test_prefill_and_decode_are_told_apart() -> None:
    """Two prompts of 100 tokens in 50 ns each; then each of 4 requests gets a token every 20 ns."""
    steps = [("step[EXTEND bs=1 toks=100]", at, 40) for at in (0, 50)]
    steps += [("step[DECODE bs=4]", 100 + 20 * number, 10) for number in range(3)]
    for streams in (1, 2):
        made = table(steps, streams=streams)
        prefill, decode = row(made, PREFILL), row(made, DECODE)
        assert (prefill["steps"], prefill["tokens"], prefill["time_ns"], prefill["busy_ns"]) == (2, 100, 40, 20)
        assert (prefill["period_ns"], prefill["tokens_per_s"]) == (50, pytest.approx(2e9))
        assert (decode["steps"], decode["requests"], decode["time_ns"], decode["period_ns"]) == (3, 4, 10, 20)
        assert decode["tokens_per_s"] == pytest.approx(0.2e9)
        assert prefill["share_percent"] == pytest.approx(100 * 100 / 140)
        assert decode["cached"] is decode["cache_ns"] is None


def test_what_the_cache_costs_is_the_slope() -> None:
    """Each step reads 50 tokens more than the one before and takes 5 ns longer: 100 ns for a thousand."""
    steps = [(f"step[DECODE bs=2 g_sk={1000 + 50 * number}]", 1000 * number, 200 + 5 * number) for number in range(9)]
    assert row(table(steps), DECODE)["cache_ns"] == 100
    assert row(table(steps[:5]), DECODE)["cache_ns"] is None
    assert row(table(steps), DECODE)["cached"] == 1200


def test_without_marks_on_devices_a_step_is_what_it_launched(tmp_path: Path) -> None:
    """Kernels of 20 us in ranges of 40, every 100 us."""
    steps = [("execute_34_context_0(sq0sk0sqsq0sqsk0)_generation_4(sq4sk900sqsq3sqsk4)", 20)] * 3
    made = chosen(["serving"])[0].compute(read_any(served(tmp_path / "s.json", steps)))
    decode = row(made, DECODE)
    assert (decode["steps"], decode["tokens"], decode["cached"], decode["time_ns"]) == (3, 4, 900, 20_000)
    assert (decode["busy_ns"], decode["period_ns"]) == (20_000, 100_000)


def test_without_marks_on_devices_the_hosts_count() -> None:
    """And that is said, as is what names do not tell; a trace of another kind has no such table."""
    made = table([("execute_new_1_cached_0", 10, 10), ("execute_new_0_cached_1", 30, 10)], device=False)
    assert row(made, DECODE)["time_ns"] == 2
    assert row(made, DECODE)["tokens_per_s"] is row(made, DECODE)["period_ns"] is None
    assert any("work launched in host ranges" in note for note in made.notes)
    assert any("have no token counts" in note for note in made.notes)
    assert "named like a step of vLLM or SGLang" in table([("step 1", 0, 10)]).unavailable
