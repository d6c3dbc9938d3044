"""A decoder answers in a loop as one call on the whole text would, and estimates are set beside what loops took."""

import dataclasses
import functools
import json
import os
import subprocess
import sys
import time
import weakref
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from numpy.typing import NDArray
from onnxruntime.capi.onnxruntime_pybind11_state import Fail

from dlbricks.construct.estimate import estimate
from dlbricks.construct.intervals import STEP, table
from dlbricks.construct.types import Estimate, Rule
from dlbricks.errors import BenchmarkError, InputError, UnsupportedModelError
from dlbricks.harness.call_timer import InterferenceDetector
from dlbricks.harness.session import SessionSettings
from dlbricks.model.read.network import read_batched
from dlbricks.plugins.llm import loops
from dlbricks.plugins.llm.answers import EstimatedCalls, check
from dlbricks.plugins.llm.decoder_inputs import CallInputs
from dlbricks.plugins.llm.decoder_loop import (
    CallWatch,
    PlainLoop,
    TimedAnswer,
    filled,
    has_waited,
    queued_ns,
    synthetic_prompt,
)
from dlbricks.plugins.llm.generation import TokenStep, beside, chunks_of, summed
from dlbricks.plugins.llm.lengths import MeasuredPoint, Point, refuse_unreachable
from dlbricks.plugins.llm.loops import LEAST_ANSWERS, USUAL_ANSWERS, InterleavedLoop
from tests.construct.made_up import composition, results
from tests.decoders import (
    CACHE_FORMS,
    STEP_FORMS,
    WORDS,
    with_dead_layer,
    with_positions,
    write_cache_form,
    write_decoder,
    write_export,
    write_fused,
    write_hybrid,
    write_step,
)
from tests.model.written import node

PROMPT, BATCH = 5, 2


@pytest.mark.parametrize("window", [0, 3])
@pytest.mark.parametrize("shares", [True, False])
def test_a_loop_remembers_what_is_past(tmp_path: Path, window: int, *, shares: bool) -> None:
    """The logits of a step are those of the last token in a call on all tokens; with one buffer and with two."""
    folder = write_decoder(tmp_path / "decoder", layers=2 if window else 1, window=window)
    settings = json.loads((folder / "genai_config.json").read_text(encoding="utf-8"))
    settings["search"]["past_present_share_buffer"] = shares
    (folder / "genai_config.json").write_text(json.dumps(settings), encoding="utf-8")
    path = folder / "model.onnx"
    model = read_batched(path, dims={"past": PROMPT, "sequence": 1, "batch": BATCH}, batch=None)
    decoder = filled(path, model, tmp_path, batch=BATCH)
    assert decoder.shares == shares
    tokens = np.random.default_rng(0).integers(0, 512, (BATCH, PROMPT + 2), np.int64)
    loop = PlainLoop(decoder, SessionSettings(), room=PROMPT + 2)
    whole, _ = loop.call(tokens, 0, turn=0)
    loop.call(tokens[:, :PROMPT], 0, turn=0)
    for turn in (1, 2):
        past = PROMPT + turn - 1
        step, _ = loop.call(tokens[:, past : past + 1], past, turn=turn)
        np.testing.assert_allclose(step[:, 0], whole[:, past], rtol=1e-3, atol=1e-4)
    assert not np.allclose(whole[:, -1], whole[:, -2])
    assert len(loop.answer(PROMPT, 2).calls_ns) == 2


@pytest.mark.parametrize("form", ["flat", "merged", "fused", "hybrid", *CACHE_FORMS])
def test_a_loop_over_an_export_remembers_what_is_past(tmp_path: Path, form: str) -> None:
    """The same of symbolic lengths, both networks in a merged file, the runtime's MultiHeadAttention, and states."""
    path = tmp_path / "model.onnx"
    others = {"fused": write_fused, "hybrid": write_hybrid}
    others |= {one: functools.partial(write_cache_form, form=one) for one in CACHE_FORMS}
    path = others[form](path) if form in others else write_export(path, form)
    model = read_batched(path, dims={"past": PROMPT, "sequence": 1, "batch": BATCH}, batch=None)
    loop = PlainLoop(filled(path, model, tmp_path, batch=BATCH), SessionSettings(), room=PROMPT + 2)
    tokens = np.random.default_rng(0).integers(0, WORDS, (BATCH, PROMPT + 2), np.int64)
    whole, _ = loop.call(tokens, 0, turn=0)
    loop.call(tokens[:, :PROMPT], 0, turn=0)
    for turn in (1, 2):
        past = PROMPT + turn - 1
        step, _ = loop.call(tokens[:, past : past + 1], past, turn=turn)
        np.testing.assert_allclose(step[:, 0], whole[:, past], rtol=1e-3, atol=1e-4)


@pytest.mark.parametrize("form", STEP_FORMS)
def test_a_prompt_is_read_token_by_token_where_a_file_takes_one(tmp_path: Path, form: str) -> None:
    """As by the open network of the same weights where its cache grows; a cache of a fixed length is full."""
    path = write_step(tmp_path / "step" / "model.onnx", form)
    model = read_batched(path, dims={"past": PROMPT, "sequence": 1, "batch": 1}, batch=None)
    room = PROMPT + 2
    loop = PlainLoop(filled(path, model, path.parent, batch=1), SessionSettings(), room=room, chunk=1)
    assert len(loop.answer(PROMPT, 3).calls_ns) == 3
    if form != "open":
        return
    whole_path = write_export(tmp_path / "model.onnx", "flat")
    model = read_batched(whole_path, dims={"past": PROMPT, "sequence": 1, "batch": 1}, batch=None)
    tokens = np.random.default_rng(0).integers(0, WORDS, (1, PROMPT), np.int64)
    whole, _ = PlainLoop(filled(whole_path, model, tmp_path, batch=1), SessionSettings(), room=room).call(
        tokens, 0, turn=0
    )
    for past in range(PROMPT):
        step, _ = loop.call(tokens[:, past : past + 1], past, turn=past)
        np.testing.assert_allclose(step[:, 0], whole[:, past], rtol=1e-3, atol=1e-4)


@pytest.mark.parametrize("chunk", [1, 6])
def test_single_tokens_that_waited_count_as_their_neighbours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chunk: int
) -> None:
    """Else no long prompt token by token would ever count; another prompt waited if one of its calls did."""
    path = write_export(tmp_path / "model.onnx", "flat")
    model = read_batched(path, dims={"past": 12, "sequence": 1, "batch": 1}, batch=None)
    loop = PlainLoop(filled(path, model, tmp_path, batch=1), SessionSettings(), room=14, chunk=chunk)

    def timed(tokens: NDArray[np.int64], past: int, **_: int) -> tuple[NDArray[Any], int]:
        loop.waited = past == 6
        return np.zeros((1, tokens.shape[1], WORDS)), 9000 if loop.waited else 1000

    monkeypatch.setattr(loop, "call", timed)
    found = loop.answer(12, 1)
    assert (found.calls_ns, found.waited) == (((12_000,), (False,)) if chunk == 1 else ((10_000,), (True,)))


def renamed(path: Path, names: Mapping[str, str], *, without: Sequence[str] = ()) -> Path:
    """Give inputs and outputs of a network other names, and let outputs be its own no more."""
    made = onnx.load(path, load_external_data=False)
    for entry in (*made.graph.input, *made.graph.output):
        entry.name = names.get(entry.name, entry.name)
    for one in made.graph.node:
        one.input[:] = [names.get(name, name) for name in one.input]
        one.output[:] = [names.get(name, name) for name in one.output]
    kept = [entry for entry in made.graph.output if entry.name not in without]
    del made.graph.output[:]
    made.graph.output.extend(kept)
    path.write_bytes(made.SerializeToString())
    return path


def test_caches_of_any_name_are_continued(tmp_path: Path) -> None:
    """By the outputs of the same type and rank, one after the other; where there is none a line says of which."""
    path = write_export(tmp_path / "model.onnx", "flat")
    names = {"input_ids": "tokens", "logits": "result", "past_key_values.0.key": "k_cache", "present.0.key": "k_out"}
    renamed(path, {**names, "past_key_values.0.value": "v_cache", "present.0.value": "v_out"})
    dims = {"past": PROMPT, "sequence": 1, "batch": BATCH}
    model = read_batched(path, dims=dims, batch=None)
    decoder = filled(path, model, tmp_path, batch=BATCH)
    found = CallInputs(decoder.network, model)
    assert {one.name: (one.output, one.axis) for one in found.caches.values()} == {
        "k_cache": ("k_out", 2),
        "v_cache": ("v_out", 2),
    }
    loop = PlainLoop(decoder, SessionSettings(), room=PROMPT + 2)
    tokens = np.random.default_rng(0).integers(0, WORDS, (BATCH, PROMPT + 1), np.int64)
    whole, _ = loop.call(tokens, 0, turn=0)
    loop.call(tokens[:, :PROMPT], 0, turn=0)
    step, _ = loop.call(tokens[:, PROMPT:], PROMPT, turn=1)
    np.testing.assert_allclose(step[:, 0], whole[:, PROMPT], rtol=1e-3, atol=1e-4)
    renamed(path, {}, without=["v_out"])
    model = read_batched(path, dims=dims, batch=None)
    with pytest.raises(UnsupportedModelError, match="known to continue input 'v_cache'"):
        CallInputs(path, model)


def test_what_an_encoder_made_is_made_up(tmp_path: Path) -> None:
    """It is the same in all calls: its mask lets all pass, and the decoder's mask grows with the tokens."""
    path = write_export(tmp_path / "model.onnx", "flat")
    made = onnx.load(path, load_external_data=False)
    for name, dtype, shape in (
        ("encoder_hidden_states", onnx.TensorProto.FLOAT, ("batch_size", "encoder_length", 16)),
        ("encoder_attention_mask", onnx.TensorProto.INT64, ("batch_size", "encoder_length")),
    ):
        made.graph.input.append(onnx.helper.make_tensor_value_info(name, dtype, shape))
    made.graph.node.append(node("Cast", "encoder_attention_mask", "passed", to=onnx.TensorProto.FLOAT))
    made.graph.node.append(node("ReduceMean", "encoder_hidden_states", "encoded"))
    made.graph.node.append(node("ReduceMean", "passed", "share"))
    made.graph.node.append(node("Mul", "encoded share", "weighed"))
    made.graph.node.append(node("Add", "logits weighed", "answer"))
    made.graph.output[0].name = "answer"
    path.write_bytes(made.SerializeToString())
    dims = {"past": PROMPT, "sequence": 1, "batch": BATCH, "encoder_length": 7}
    model = read_batched(path, dims=dims, batch=None)
    loop = PlainLoop(filled(path, model, tmp_path, batch=BATCH), SessionSettings(), room=PROMPT + 2)
    given = loop._inputs.values(np.ones((BATCH, 2), np.int64), 3)
    assert given["encoder_hidden_states"].shape == (BATCH, 7, 16)
    assert given["encoder_attention_mask"].min() == 1
    assert given["attention_mask"].shape == (BATCH, 5)
    assert len(loop.answer(PROMPT, 2).calls_ns) == 2


def test_weights_that_no_output_depends_on_are_left_out(tmp_path: Path) -> None:
    """A loop runs without them: there are no values for them, and the runtime would not read them either."""
    path = with_dead_layer(write_decoder(tmp_path / "decoder")) / "model.onnx"
    model = read_batched(path, dims={"past": PROMPT, "sequence": 1}, batch=None)
    loop = PlainLoop(filled(path, model, tmp_path, batch=1), SessionSettings(), room=PROMPT + 2)
    assert len(loop.answer(PROMPT, 2).calls_ns) == 2


def test_a_decoder_that_the_runtime_refuses_is_one_line(tmp_path: Path) -> None:
    """Its first answer says which loop could not run, and why."""
    path = write_decoder(tmp_path / "decoder") / "model.onnx"
    model = read_batched(path, dims={"past": PROMPT, "sequence": 1}, batch=None)
    loop = PlainLoop(filled(path, model, tmp_path, batch=1), SessionSettings(), room=2)
    with pytest.raises(BenchmarkError, match=r"^cannot run the decoder \(plain loop\): .*GroupQueryAttention"):
        InterleavedLoop(lambda: loop, PROMPT, 2, 0)


def test_prompts_are_of_different_tokens(tmp_path: Path) -> None:
    """None of which lies at an end of the vocabulary; a long prompt repeats them."""
    path = write_decoder(tmp_path / "decoder") / "model.onnx"
    model = read_batched(path, dims={"past": PROMPT, "sequence": 1}, batch=None)
    decoder = filled(path, model, tmp_path, batch=2)
    tokens = synthetic_prompt(decoder, PROMPT)
    assert tokens.shape == (2, PROMPT)
    assert len(np.unique(tokens)) == tokens.size
    long = synthetic_prompt(decoder, 2 * decoder.words)
    assert 0 < long.min() < long.max() < decoder.words
    assert len(np.unique(long)) == decoder.words // 2


def answer(*calls_ns: int, disturbed: bool = False) -> TimedAnswer:
    """Give an answer with 10 ns between two calls."""
    waited = (disturbed,) * len(calls_ns)
    return TimedAnswer(calls_ns=calls_ns, between_ns=10 * len(calls_ns), waited=waited)


def guess(total_ns: int) -> Estimate:
    """Estimate a network of one sequence of so many ns."""
    made = composition(["a"])
    return estimate(made, results({"a": total_ns}), Rule.parse("sequential"))


def calls_behind(read: Sequence[Point], *pasts: int, chunk: int | None = None) -> EstimatedCalls:
    """Give the calls of a prompt of 8 tokens, and of steps."""
    every = [*read, *({"past": past, "sequence": 1} for past in pasts)]
    targets = [MeasuredPoint(at=at, composition=composition(["a"])) for at in every]
    return EstimatedCalls(prompt=8, chunk=chunk, read=read, pasts=pasts, targets=targets)


def steps_behind(*pasts: int) -> EstimatedCalls:
    """Give the calls of a prompt of 8 tokens in one call, and of steps."""
    return calls_behind(chunks_of(8, None), *pasts)


def test_estimates_stand_beside_medians() -> None:
    """Calls that had to wait for a processor count only where there are too few others."""
    made = [guess(1000), guess(100), guess(120)]
    answers = [answer(1000, 100, 110, 120), answer(1100, 110, 120, 130), answer(900, 90, 100, 110)]
    calls = steps_behind(8, 10)
    found = check("plain loop", [*answers * 3, answer(9000, 900, 900, 900, disturbed=True)], calls, made)
    assert (found.answers, found.disturbed, found.between_ns) == (10, 1, 10)
    assert [one.what for one in found.calls] == ["first token", "next token", "next token", "in all"]
    assert found.calls[0].measured.middle_ns == 1000
    assert found.calls[0].error == pytest.approx(made[0].total_ns / 1000 - 1)
    assert found.calls[-1].measured.middle_ns == 1330
    first, *others = (beside(one, call) for one, call in zip(made, calls.targets, strict=True))
    steps = [TokenStep(past=past, time=time) for past, time in zip((8, 10), others, strict=True)]
    assert found.calls[-1].estimated == summed(first, steps)
    isa = tuple(next(row for row in table() if row.of == STEP).instruction_set.split())
    configuration = dataclasses.replace(made[1].configuration, instruction_set=isa)
    long = [made[0], dataclasses.replace(made[1], total_ns=10**9, configuration=configuration), made[2]]
    calm = check("plain loop", answers, calls, long).calls[1].estimated
    busy = check("plain loop", [*answers, *[answer(1000, 1, 1, 1, disturbed=True)] * 4], calls, long).calls[1].estimated
    assert calm == beside(long[1], calls.targets[1])
    assert busy == beside(long[1], calls.targets[1], busy=True)
    assert calm.high_ns < busy.high_ns
    few = check("plain loop", [answers[0], answer(3000, 1, 1, 1, disturbed=True)], steps_behind(8, 10), made)
    assert few.calls[0].measured.middle_ns == 2000


def test_a_prompt_is_read_in_calls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As many as there are chunks in it, behind one another; together they are the first of the answer."""
    path = write_decoder(tmp_path / "decoder") / "model.onnx"
    model = read_batched(path, dims={"past": 6, "sequence": 1}, batch=None)
    loop = PlainLoop(filled(path, model, tmp_path, batch=1), SessionSettings(), room=8, chunk=2)
    asked, call = list[tuple[int, int]](), loop.call

    def noted(tokens: NDArray[np.int64], past: int, *, turn: int) -> tuple[NDArray[Any], int]:
        asked.append((tokens.shape[1], past))
        return call(tokens, past, turn=turn)

    monkeypatch.setattr(loop, "call", noted)
    assert len(loop.answer(6, 2).calls_ns) == 2
    assert asked == [(2, 0), (2, 2), (2, 4), (1, 6)]
    made = [guess(300), guess(400), guess(100)]
    found = check("plain loop", [answer(1000, 100)], calls_behind(chunks_of(8, 4), 8, chunk=4), made)
    assert found.calls[0].estimated.middle_ns == made[0].total_ns + made[1].total_ns


def test_calls_that_waited_are_left_out_one_by_one() -> None:
    """Where each answer waited in another call, no call counts that waited, and the whole is one without waits."""
    answers = []
    for place in range(4):
        calls, waited = [1000, 100, 100, 100], [False] * 4
        calls[place], waited[place] = 9000, True
        answers.append(TimedAnswer(calls_ns=tuple(calls), between_ns=0, waited=tuple(waited)))
    found = check("plain loop", answers, steps_behind(8, 10), [guess(1000), guess(100), guess(120)])
    assert (found.disturbed, found.calm) == (4, 0.75)
    assert [one.measured.middle_ns for one in found.calls] == [1000, 100, 100, 1300]


def test_calls_on_a_shared_core_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """As benchmarks leave them out: those before or after which reads from the first level of cache are slow."""
    detector = InterferenceDetector()
    detector._best_ns = detector._next_best_ns = 1000
    detector._count = 0
    monkeypatch.setattr(detector, "_time", iter([1000, 1000, 1300, 1000, 1000, 1300]).__next__)
    watch = CallWatch(1, detector.is_slow)
    found = []
    for _ in range(3):
        watch.begin()
        found.append(watch.end(0))
    assert found == [False, True, True]
    assert watch.spent_ns > 0


def test_a_thread_that_waits_is_told_beside_one_that_works() -> None:
    """With several threads processor time alone tells nothing; with one it tells all."""
    assert not has_waited(1_000_000, 1_900_000, 30_000)
    assert has_waited(1_000_000, 1_900_000, 100_000)
    assert has_waited(1_000_000, 900_000, 0)


def test_weights_of_folded_layers_have_values(tmp_path: Path) -> None:
    """Positions that lengths alone select are in no layer at fixed lengths, and in the network that loops call."""
    path = with_positions(write_decoder(tmp_path / "decoder")) / "model.onnx"
    model = read_batched(path, dims={"past": PROMPT, "sequence": 1}, batch=None)
    assert "positions" not in model.constants
    loop = PlainLoop(filled(path, model, tmp_path, batch=1), SessionSettings(), room=PROMPT + 1)
    logits, _ = loop.call(np.ones((1, PROMPT), np.int64), 0, turn=0)
    assert np.isfinite(logits).all()


@pytest.mark.skipif(not Path("/proc/self/schedstat").is_file(), reason="the kernel does not tell")
def test_waiting_for_a_processor_is_told() -> None:
    """A process that has to share one with another is ready to run for about half of the time without running."""
    processor = {min(os.sched_getaffinity(0))}
    busy = f"import os\nos.sched_setaffinity(0, {processor})\nprint(flush=True)\nwhile True: pass"
    usual = os.sched_getaffinity(0)
    with subprocess.Popen([sys.executable, "-c", busy], stdout=subprocess.PIPE) as other:
        try:
            assert other.stdout is not None
            other.stdout.readline()
            os.sched_setaffinity(0, processor)
            before, begin = queued_ns(), time.perf_counter_ns()
            while time.perf_counter_ns() < begin + 200_000_000:
                pass
            assert queued_ns() - before > 20_000_000
        finally:
            os.sched_setaffinity(0, usual)
            other.kill()


def test_a_call_that_always_waited_says_so() -> None:
    """All of its times count then; those of other calls may be calm."""
    answers = [dataclasses.replace(answer(1000, 100, 110, 120), waited=(True, *[False] * 3)) for _ in range(4)]
    found = check("plain loop", answers, steps_behind(8, 10), [guess(1000), guess(100), guess(120)])
    assert [one.disturbed for one in found.calls] == [True, False, False, False]


def test_where_all_calls_waited_generations_differ() -> None:
    """The whole is that of the generations as they were, with an interval that says how much they differ."""
    answers = [answer(1000 + 10 * at, *[100 + at] * 3, disturbed=True) for at in range(4)]
    whole = check("plain loop", answers, steps_behind(8, 10), [guess(1000), guess(100), guess(120)]).calls[-1].measured
    assert whole.middle_ns == round((1000 + 15) + 3 * 101.5)
    assert whole.low_ns < whole.middle_ns < whole.high_ns


class Counting:
    """Answers at once, and counts."""

    def __init__(self) -> None:
        """Begin with none."""
        self.asked: list[tuple[int, int]] = []

    def answer(self, prompt: int, generate: int) -> TimedAnswer:
        """Count."""
        self.asked.append((prompt, generate))
        return answer(*[1] * generate)


class Waiting(Counting):
    """Waits for a processor in the prompts of its first answers."""

    def __init__(self, waiting: int) -> None:
        """In so many, but for a call that only warms up."""
        super().__init__()
        self.waiting = waiting

    def answer(self, prompt: int, generate: int) -> TimedAnswer:
        """Count."""
        made = super().answer(prompt, generate)
        self.waiting -= generate > 2
        return dataclasses.replace(made, waited=(self.waiting >= 0, *made.waited[1:]))


SLOW_NS = 400


class Clock:
    """Tells the time that it is set to."""

    def __init__(self) -> None:
        """Begin at zero."""
        self.now = 0

    def perf_counter_ns(self) -> int:
        """Read it."""
        return self.now

    def sleep(self, seconds: float) -> None:
        """Let it pass."""
        self.now += round(seconds * 1e9)


class Slow(Counting):
    """Answers after a while."""

    def __init__(self, clock: Clock, slow_ns: int = SLOW_NS) -> None:
        """By a clock."""
        super().__init__()
        self.clock, self.slow_ns = clock, slow_ns

    def answer(self, prompt: int, generate: int) -> TimedAnswer:
        """Wait, but for a call that only warms up."""
        self.clock.now += self.slow_ns if generate > 2 else 0
        return super().answer(prompt, generate)


def test_a_loop_answers_in_turns_with_benchmarks() -> None:
    """Once to warm up, then often enough, each time behind a call that is not counted."""
    loop = Counting()
    turns = InterleavedLoop(lambda: loop, 7, 4, touched_bytes=99, usual=0)
    while turns.between() != 99:
        pass
    assert len(turns.answers) == 1
    turns.finish()
    assert len(turns.answers) == LEAST_ANSWERS
    assert loop.asked == [(7, 2), *[(1, 1), (7, 4)] * LEAST_ANSWERS]


def test_threads_of_others_go_to_sleep_before_a_loop_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    """They look out for work for a while, and would share a core with those of the loop."""
    clock = Clock()
    monkeypatch.setattr(loops, "time", clock)
    ended: list[int] = []

    class Noting(Counting):
        """Notes when it is asked."""

        def answer(self, prompt: int, generate: int) -> TimedAnswer:
            """Note."""
            ended.append(clock.now)
            return super().answer(prompt, generate)

    turns = InterleavedLoop(Noting, 7, 4, touched_bytes=99, usual=0, pause_s=0.02)
    turns.finish()
    before_each = np.diff(ended)[::2]
    assert len(before_each) == LEAST_ANSWERS
    assert (before_each == 20_000_000).all()
    assert turns.spent_ns == 0
    before = clock.now
    while not turns.between():
        clock.now += 1
    assert clock.now - ended[-1] == 20_000_000  # before benchmarks go on
    assert ended[-1] - before >= 20_000_000


def test_loops_get_most_of_the_time_until_they_are_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """Benchmarks get a quarter of what an answer took, and as much as all have taken when there are enough."""
    clock = Clock()
    monkeypatch.setattr(loops, "time", clock)
    turns = InterleavedLoop(lambda: Slow(clock), 7, 4, touched_bytes=99, usual=2)
    waits = []
    for _ in range(3):
        begin = clock.now
        while turns.between() != 99:
            clock.now += 1
        waits.append(clock.now - begin - SLOW_NS)
    assert waits == [0, SLOW_NS // 4, 2 * SLOW_NS - SLOW_NS // 4]


def test_loops_have_enough_answers_in_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """The usual number, but fewer of those that take long."""
    clock = Clock()
    monkeypatch.setattr(loops, "time", clock)
    for slow_ns, answers in ((SLOW_NS, USUAL_ANSWERS), (15_000_000_000, 4), (50_000_000_000, LEAST_ANSWERS)):
        turns = InterleavedLoop(partial(Slow, clock, slow_ns), 7, 4, touched_bytes=99)
        turns.finish()
        assert len(turns.answers) == answers


def test_loops_that_are_loaded_again_answer_as_often_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """By the new loops; the old ones are let go before, and loading is no time of benchmarks."""
    clock = Clock()
    monkeypatch.setattr(loops, "time", clock)
    loaded: list[weakref.ref[Slow]] = []

    def load() -> Slow:
        assert all(one() is None for one in loaded)
        clock.now += 10**9
        made = Slow(clock)
        loaded.append(weakref.ref(made))
        return made

    turns = InterleavedLoop(load, 7, 4, touched_bytes=99)
    turns.finish()
    assert len(turns.answers) == USUAL_ANSWERS
    turns.again()
    assert turns.loading_ns == 10**9
    turns.finish()
    assert len(turns.answers) == 2 * USUAL_ANSWERS
    assert len(loaded) == 2


def test_more_answers_are_made_while_their_prompts_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """Until three have not, or three times the usual number has been made."""
    clock = Clock()
    monkeypatch.setattr(loops, "time", clock)
    for waiting, answers in (
        (0, USUAL_ANSWERS),
        (USUAL_ANSWERS, USUAL_ANSWERS + LEAST_ANSWERS),
        (10**6, 3 * USUAL_ANSWERS),
    ):
        turns = InterleavedLoop(partial(Waiting, waiting), 7, 4, touched_bytes=99)
        turns.finish()
        assert len(turns.answers) == answers


def test_long_answers_leave_half_of_the_time_to_benchmarks(monkeypatch: pytest.MonkeyPatch) -> None:
    """After a minute of them; three are made whatever they take."""
    clock = Clock()
    monkeypatch.setattr(loops, "time", clock)
    turns, slow_ns, second = (
        InterleavedLoop(lambda: Slow(clock, 40 * 10**9), 7, 4, touched_bytes=99),
        40 * 10**9,
        10**9,
    )
    for _ in range(200):
        turns.between()
        clock.now += second
    turns.finish()
    assert turns.spent_ns == slow_ns * len(turns.answers)
    assert 200 * second - slow_ns <= turns.spent_ns <= 200 * second + slow_ns


class Broken:
    """Cannot be run."""

    def answer(self, prompt: int, generate: int) -> TimedAnswer:
        """Fail as the runtime does."""
        raise Fail(f"[ONNXRuntimeError] : 1 : FAIL : no kernel for {prompt} and {generate} tokens")


def test_what_the_runtime_cannot_run_is_one_line() -> None:
    """It names the loop."""
    with pytest.raises(BenchmarkError, match=r"cannot run the decoder \(plain loop\): no kernel for 7 and 2 tokens"):
        InterleavedLoop(Broken, 7, 4, touched_bytes=99)


def test_lengths_that_cannot_be_told_are_refused_before_a_run() -> None:
    """A point itself, or two that differ in one length alone and are not too far."""
    known = [{"past": past, "sequence": new} for past in (0, 64) for new in (1, 8)]
    refuse_unreachable({"past": 64, "sequence": 8}, known)
    refuse_unreachable({"past": 128, "sequence": 1}, known)
    refuse_unreachable({"past": 0, "sequence": 5}, known)
    with pytest.raises(InputError, match="past=129 is more than twice or less than half a measured length"):
        refuse_unreachable({"past": 129, "sequence": 1}, known)
    with pytest.raises(InputError, match="past=3, sequence=5 needs two measured points"):
        refuse_unreachable({"past": 3, "sequence": 5}, known)


def test_a_budget_makes_as_few_answers_as_it_has_time_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """One at least, three where there is time; benchmarks have half of the time before the first one begins."""
    clock, second = Clock(), 10**9
    monkeypatch.setattr(loops, "time", clock)
    for slow, budget, answers in ((30, 20, 1), (30, 130, 2), (1, 20, 10)):
        clock.now = 0
        turns = InterleavedLoop(
            partial(Timed, clock, slow * second), 7, 4, touched_bytes=99, usual=0, budget_ns=budget * second
        )
        while clock.now < budget * second:
            turns.between()
            clock.now += second // 10
        assert turns.spent_ns <= budget * second // 2 + second // 10
        turns.finish()
        assert len(turns.answers) == answers


class Timed(Slow):
    """Says how long each call takes: as much as the others."""

    def answer(self, prompt: int, generate: int) -> TimedAnswer:
        """Wait."""
        super().answer(prompt, generate)
        return answer(*[self.slow_ns // 4] * generate)
