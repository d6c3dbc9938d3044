"""Steps of servers by their names, as vLLM and SGLang write them."""

import pytest

from dlbricks.profile.open import DECODE, IDLE, MIXED, PREFILL, ServingStep, serving_step, with_steps
from dlbricks.trace.build import TraceBuilder
from dlbricks.trace.types import Lane, Level, TraceClock


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
    assert how.startswith("no steps are marked: 2 were found, which are ranges like 'execute_context_1(64)")
    rows = made.rows(Level.APPLICATION, "step")
    assert (made.end_ns[rows] - made.start_ns[rows]).tolist() == [900, 900]


@pytest.mark.parametrize("name", ["execute_model", "step 3", "step[DECODE]", "step[DECODE toks=3]", "execute_new_"])
def test_other_names_are_none(name: str) -> None:
    """Nothing is guessed."""
    assert serving_step(name) is None
