"""What is read before a call, which calls count as disturbed, and what several threads need."""

import dataclasses
import itertools
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from dlbricks.harness import call_timer
from dlbricks.harness.cache_state import (
    CURVE_BYTES,
    EMPTY_GRAPHS,
    HOT_LOOP,
    LLC_WARM,
    OUTPUTS_COLD,
    READ_AFTER_WRITE,
    READ_IN_TURN,
    WEIGHTS_COLD,
    WRITTEN_IN_TURN,
    Step,
    cache_distances,
)
from dlbricks.harness.call_timer import _GRAPHS as GRAPHS
from dlbricks.harness.call_timer import _ROWS as ROWS
from dlbricks.harness.call_timer import (
    CallTimer,
    InterferenceDetector,
    Rewriter,
    ThreadedProduct,
    _was_disturbed,
    slowness,
)
from dlbricks.harness.cpu import cpu_facts
from dlbricks.harness.dtypes import Numbers
from dlbricks.harness.network import Bound, bind_buffer, make_inputs
from dlbricks.harness.session import Session, SessionSettings, open_session
from dlbricks.harness.stats import INTERFERENCE_RATIO
from tests.harness.small_suite import benchmark, unary


@pytest.mark.parametrize("state", [LLC_WARM, WEIGHTS_COLD])
def test_a_call_in_a_state_gives_one_sample_and_the_right_answer(state: str, tmp_path: Path) -> None:
    """Whatever was read before, the answer is that of the network."""
    entry, data = benchmark("Sin", unary("Sin", (1001,)))
    inputs = make_inputs(entry, 1)
    bound = Bound(open_session(data, tmp_path, SessionSettings()), entry, inputs)
    taken = CallTimer(SessionSettings()).take(bound, Step(state=state, clear_bytes=1 << 20))
    assert [sample > 0 for sample in taken.samples_ns] == [True]
    assert np.allclose(bound.outputs()[0], np.sin(inputs["x0"]), atol=1e-6)


@pytest.mark.parametrize("state", [LLC_WARM, WEIGHTS_COLD])
def test_what_a_network_keeps_is_as_cold_as_its_constants(state: str, tmp_path: Path) -> None:
    """An input in whose buffer an output is made is touched before a call with all in the caches only."""
    entry, data = benchmark("Sin", unary("Sin", (1001,)), shared={"y0": "x0"})
    bound = Bound(open_session(data, tmp_path, SessionSettings()), entry, make_inputs(entry, 1))
    assert [len(one) for one in (bound.input_words, bound.state_words, bound.output_words)] == [0, 1, 0]
    timer, touched = CallTimer(SessionSettings()), list[int]()
    timer._touch = lambda buffers: touched.extend(one.ctypes.data for one in buffers)
    timer.take(bound, Step(state=state, clear_bytes=1 << 20))
    assert touched == ([bound.places()[0][2]] if state == LLC_WARM else [])


_OTHER = -1
"""Stands for the empty graph that is called so that the timed one finds what is not its own."""


@pytest.mark.parametrize(
    ("empty", "called"), [(None, []), (0, [_OTHER, 0]), (EMPTY_GRAPHS - 1, [_OTHER, EMPTY_GRAPHS - 1])]
)
def test_an_empty_graph_is_timed_beside_a_call(empty: int | None, called: list[int], tmp_path: Path) -> None:
    """The one that was asked for, once, after another one, told apart from the benchmark; none unless asked for."""
    entry, data = benchmark("Sin", unary("Sin", (1001,)))
    bound = Bound(open_session(data, tmp_path, SessionSettings()), entry, make_inputs(entry, 1))
    timer, calls = CallTimer(SessionSettings()), list[int]()
    timer._is_slow = lambda: False
    timer._watch = lambda: (0, 0)

    def counting(number: int, call: Callable[[], int]) -> Callable[[], int]:
        def counted() -> int:
            calls.append(number)
            return call()

        return counted

    def watched(number: int, one: Bound) -> Bound:
        words = {"input_words": one.input_words, "output_words": one.output_words}
        return cast("Bound", SimpleNamespace(call=counting(number, one.call), **words))

    timer._call_overhead = [watched(number, one) for number, one in enumerate(timer._call_overhead)]
    timer._same_code = watched(_OTHER, timer._same_code)
    taken = timer.take(bound, Step(state=WEIGHTS_COLD, clear_bytes=1 << 20, empty=empty))
    assert calls == called
    assert (taken.empty_ns is None) == (empty is None)
    assert taken.empty_ns is None or taken.empty_ns > 0
    assert len(taken.samples_ns) == 1


@pytest.mark.parametrize(
    ("slow", "kept", "thrown", "disturbed"),
    [
        ([0, 0, 0, 0, 0, 0, 0, 0], 7, 0, False),
        ([1, 1, 0, 0, 0, 0, 0, 0], 6, 1, False),
        ([0, 0, 0, 1, 0, 0, 0, 1], 4, 3, False),
        ([0, 0, 0, 1, 0, 1, 0, 0], 3, 4, False),
        ([1, 1, 1, 0, 0, 1, 1, 1], 2, 5, False),
        ([1, 1, 1, 1, 0, 1, 1, 1], 7, 0, True),
    ],
)
def test_calls_on_a_shared_core_are_left_out(
    slow: list[int], kept: int, thrown: int, disturbed: bool, tmp_path: Path
) -> None:
    """As far as others remain, the first aside: the core was shared before or after them."""
    entry, data = benchmark("Sin", unary("Sin", (1000,)))
    bound = Bound(open_session(data, tmp_path, SessionSettings()), entry, make_inputs(entry, 1))
    timer = CallTimer(SessionSettings())
    timer._watch = lambda: (0, 0)
    timer._is_slow = map(bool, slow).__next__
    taken = timer.take(bound, Step(state=HOT_LOOP, calls=7))
    assert (len(taken.samples_ns), taken.thrown, taken.disturbed) == (kept, thrown, disturbed)


def test_the_clock_of_a_device_is_read_during_a_visit(tmp_path: Path) -> None:
    """After each call; what it does not tell is left out."""
    entry, data = benchmark("Sin", unary("Sin", (1000,)))
    bound = Bound(open_session(data, tmp_path, SessionSettings()), entry, make_inputs(entry, 1))
    timer = CallTimer(SessionSettings(), iter((1980, None, 1500, 1980, 1700)).__next__)
    timer._watch, timer._is_slow = lambda: (0, 0), lambda: False
    assert timer.take(bound, Step(state=HOT_LOOP, calls=5)).clocks_mhz == [1980, 1500, 1980, 1700]


def test_a_call_the_processor_was_taken_from_is_made_again(tmp_path: Path) -> None:
    """Twice; and calls back to back are as many as were asked for."""
    entry, data = benchmark("Sin", unary("Sin", (1000,)))
    bound = Bound(open_session(data, tmp_path, SessionSettings()), entry, make_inputs(entry, 1))
    timer = CallTimer(SessionSettings())
    timer._is_slow = lambda: False
    timer._watch = ((switches, 0) for switches in itertools.count()).__next__
    near, repeated = (
        timer.take(bound, Step(state=state, calls=calls)) for state, calls in ((LLC_WARM, 1), (HOT_LOOP, 7))
    )
    assert (len(near.samples_ns), near.thrown, near.disturbed) == (1, 2, True)
    assert (len(repeated.samples_ns), repeated.thrown, repeated.disturbed) == (7, 2, True)


def _small_timer() -> CallTimer:
    """Return a timer whose ring buffer has 100 pages."""
    timer = CallTimer(SessionSettings())
    timer._distances = dataclasses.replace(timer._distances, far_bytes=100 * 4096)
    return timer


def test_the_ring_is_read_in_sequence_and_all_of_it() -> None:
    """Reading goes on where it ended, begins anew at the end, and a longer way takes a longer ring."""
    timer = _small_timer()
    timer._clear(4096 * 90)
    assert (timer._ring.nbytes, timer._at) == (4096 * 100, 512 * 90)
    timer._clear(4096 * 30)
    assert timer._at == 512 * 20
    timer._clear(4096 * 101)
    assert (timer._ring.nbytes, timer._at) == (4096 * 101, 0)


def test_cold_outputs_are_written_to_the_longest_untouched_pages(tmp_path: Path) -> None:
    """Each call takes the next pages of the ring; the next call in another state writes to its own buffer again."""
    entry, data = benchmark("Sin", unary("Sin", (1001,)))
    inputs = make_inputs(entry, 1)
    bound = Bound(open_session(data, tmp_path, SessionSettings()), entry, inputs)
    timer = _small_timer()
    timer._clear(4096 * 98 + 8)
    for first in (0, 1):  # the 100th page is left out, since an output needs a whole page
        bound.outputs()[0][:] = 0
        taken = timer.take(bound, Step(state=OUTPUTS_COLD))
        assert len(taken.samples_ns) == 1
        page = timer._ring[512 * (99 if first == 0 else 0) :].view(np.float32)[:1001]
        assert np.allclose(page, np.sin(inputs["x0"]), atol=1e-6)
        assert not bound.outputs()[0].any()
    bound.call()
    assert np.allclose(bound.outputs()[0], np.sin(inputs["x0"]), atol=1e-6)


@pytest.mark.parametrize("state", [READ_IN_TURN, WRITTEN_IN_TURN])
def test_buffers_are_used_in_turn(state: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each call uses the buffer after that of the call before, the first one again after the last."""
    places = list[int]()

    def noted(bind: object, session: object, contract: object, buffer: Numbers) -> None:
        places.append(buffer.ctypes.data)
        bind_buffer(bind, cast("Session", session), cast("Any", contract), buffer)

    monkeypatch.setattr(call_timer, "bind_buffer", noted)
    timer = _small_timer()
    timer._is_slow, timer._watch = lambda: False, lambda: (0, 0)
    taken = timer.take(cast("Bound", None), Step(state=state, calls=4, distance_bytes=3 * CURVE_BYTES))
    assert len(taken.samples_ns) == 4
    begin = timer._ring.ctypes.data
    numbers = [(place - begin) // CURVE_BYTES for place in places]
    assert numbers == [0, 1, 2] * 5 + [0] + [0, 1, 2, 0]


def test_buffers_are_read_after_others_were_written(monkeypatch: pytest.MonkeyPatch) -> None:
    """Between writing and reading a buffer, two others are written, and two read."""
    uses = list[tuple[str, int]]()

    def noted(bind: object, session: object, contract: dict[str, Any], buffer: Numbers) -> None:
        uses.append((contract["name"], buffer.ctypes.data))
        bind_buffer(bind, cast("Session", session), contract, buffer)

    monkeypatch.setattr(call_timer, "bind_buffer", noted)
    timer = _small_timer()
    timer._is_slow, timer._watch = lambda: False, lambda: (0, 0)
    timer.take(cast("Bound", None), Step(state=READ_AFTER_WRITE, calls=3, distance_bytes=5 * CURVE_BYTES))
    begin = uses[0][1]
    numbers = [(name, (place - begin) // CURVE_BYTES) for name, place in uses]
    written, read = "y", "w"
    wanted = [(written, 0), (written, 1), (written, 2), (read, 0), (written, 3), (read, 1), (written, 4), (read, 2)]
    assert numbers == wanted


def test_what_was_lost_decides_what_is_disturbed() -> None:
    """A switch that cost next to nothing does not count, and lost time without a switch was the call's own waiting."""
    assert not _was_disturbed(10_000_000, (5, 0), (6, 9_980_000))
    assert _was_disturbed(10_000_000, (5, 0), (6, 9_000_000))
    assert not _was_disturbed(10_000_000, (5, 0), (5, 1_000_000))
    assert _was_disturbed(10_000_000, (5, 0), (6, 0))


@pytest.mark.parametrize(("shared", "wanted"), [(False, [False, True, False, True]), (True, [False, True, True, True])])
def test_a_shared_core_of_any_thread_counts(shared: bool, wanted: list[bool], monkeypatch: pytest.MonkeyPatch) -> None:
    """Where threads are shared the product of all tells, too; every pace is measured each time."""
    caller, everyone = iter([False, True, False, True]), iter([False, False, True, True])
    monkeypatch.setattr(call_timer, "ThreadedProduct", lambda settings: SimpleNamespace(run=settings.threads))
    monkeypatch.setattr(
        call_timer,
        "InterferenceDetector",
        lambda work=None: SimpleNamespace(is_slow=(everyone if work else caller).__next__),
    )
    is_slow = slowness(SessionSettings(threads=2, shared_pool=shared))
    assert [is_slow() for _ in range(4)] == wanted
    assert list(everyone) == ([] if shared else [False, False, True, True])


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_each_thread_has_as_many_rows_of_the_product(threads: int) -> None:
    """And they are products, of which the second reads what the first makes, again and again."""
    products = ThreadedProduct(SessionSettings(threads=threads))
    first, second = products._products
    for value in (1.0, 2.0):
        # both may read the same buffer x
        first.refill({"x": np.ones((max(2, threads) * ROWS, 64), np.float32), "w": np.full(64 * 64, value / 64)})
        products.run()
        for product, wanted in ((first, value), (second, 64.0 * value)):
            (made,) = product.outputs()
            assert made.size == max(2, threads) * ROWS * 64
            assert set(made.tolist()) == {wanted}


@pytest.mark.parametrize(
    ("step", "wanted"),
    [
        (Step(state=LLC_WARM), ["wake", "wake", "code", "code", "empty", "product", "timed"]),
        (Step(state=WEIGHTS_COLD), ["code", "wake", "wake", "code", "code", "empty", "product", "timed"]),
    ],
)
def test_code_is_cached_after_the_caches_of_all_threads_are_cleared(
    step: Step, wanted: list[str], tmp_path: Path
) -> None:
    """And threads have just computed when a call is timed. A benchmark's own constants stay where they are."""
    entry, data = benchmark("Sin", unary("Sin", (1001,)))
    bound = Bound(open_session(data, tmp_path, SessionSettings()), entry, make_inputs(entry, 1))
    timer, order = CallTimer(SessionSettings()), list[str]()

    class Noted:
        """Notes its calls."""

        input_words = output_words = state_words = ()

        def __init__(self, name: str) -> None:
            """Take the name to note."""
            self.name = name

        def call(self) -> int:
            """Note one."""
            order.append(self.name)
            return 1

        def visit(self, calls: int) -> list[int]:
            """Note as many."""
            return [self.call() for _ in range(calls)]

    timer._is_slow, timer._watch = lambda: False, lambda: (0, 0)
    timer._thread_waker = cast("Bound", Noted("wake"))
    timer._warm = cast("Bound", SimpleNamespace(visit=lambda _: Noted("empty").visit(1)))
    timer._keep_awake = lambda: order.append("product")
    same_code = cast("Bound", Noted("code"))
    timer.take(cast("Bound", Noted("timed")), step, same_code)
    assert order == wanted
    order.clear()
    timer._thread_waker = None
    timer.take(bound, Step(state=LLC_WARM), same_code)
    timer.take(bound, Step(state=WEIGHTS_COLD), same_code)
    assert order == ["empty", "product", "code", "empty", "product"]


_WAKER = """
from dlbricks.harness.call_timer import thread_waker
from dlbricks.harness.session import SessionSettings, backend

settings = SessionSettings(threads={threads}, shared_pool=True)
backend(settings).prepare(settings)
waker = thread_waker(settings)
waker.visit(1)
(made,), (read,) = waker.outputs(), waker.input_words
print(made.size, float(made.min()), float(made.max()), read.nbytes)
"""


@pytest.mark.parametrize("threads", [2, 3])
def test_what_clears_the_caches_of_all_threads_writes_next_to_nothing(threads: int) -> None:
    """Each thread reads as many rows, together as many bytes as are to be read. A pool is for a process of its own."""
    code = [sys.executable, "-c", _WAKER.format(threads=threads)]
    size, least, most, read = subprocess.run(code, check=True, capture_output=True, text=True).stdout.split()
    assert int(size) == 32 * threads
    assert float(least) == float(most) == 1.0
    wanted = cache_distances(cpu_facts()["caches"], cold=True, sharing=threads).threads_bytes
    assert int(read) == pytest.approx(wanted, rel=0.01)


@pytest.mark.parametrize("nbytes", [1, 3, 8, 4096, 100_003, 1 << 20])
def test_rewriting_reaches_every_byte_and_changes_none(nbytes: int) -> None:
    """In place nothing changes; into another buffer, the same network writes every byte."""
    rewriter = Rewriter(SessionSettings())
    values = np.random.default_rng(nbytes).integers(0, 256, nbytes, dtype=np.uint8)
    buffer = values.copy()
    rewriter.rewrite([buffer])
    assert np.array_equal(buffer, values)
    (written,) = rewriter._session.run(None, {"x": buffer})
    assert np.array_equal(written, values)


def test_a_small_buffer_is_divided_between_threads(tmp_path: Path) -> None:
    """If one thread rewrote 64 KiB, all of them would lie in the caches of its core."""
    session = open_session(GRAPHS / "clip.onnx", tmp_path, SessionSettings(threads=2), profile=tmp_path / "profile")
    session.inference.run(None, {"x": np.zeros(64 << 10, np.uint8)})
    events = json.loads(Path(session.inference.end_profiling()).read_text())
    (stats,) = [event["args"]["thread_scheduling_stats"] for event in events if event["cat"] == "Node"]
    assert stats["main_thread"]["block_size"]


def paced(monkeypatch: pytest.MonkeyPatch, durations_ns: list[int]) -> InterferenceDetector:
    """Give a detector that measures these durations after having begun with those of 1000 ns."""
    made = InterferenceDetector()
    made._best_ns = made._next_best_ns = 1000
    made._count = 0
    monkeypatch.setattr(made, "_time", iter(durations_ns).__next__)
    return made


def test_slow_is_against_the_best(monkeypatch: pytest.MonkeyPatch) -> None:
    """A quarter longer, from there on; a better one makes the rest slower."""
    made = paced(monkeypatch, [1000, 1249, 1250, 1800, 900, 1130])
    assert INTERFERENCE_RATIO == 1.25
    assert [made.is_slow() for _ in range(6)] == [False, False, True, True, False, True]


def test_any_work_can_be_timed() -> None:
    """Here filling some numbers, then four hundred times as many."""
    numbers = [np.ones(256), np.ones(100_000)]
    made = InterferenceDetector(lambda: numbers[0].fill(0))
    del numbers[0]
    assert made.is_slow()


def test_the_best_is_forgotten_in_the_long_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """A clock that stays slower is no shared core for ever."""
    made = paced(monkeypatch, [1500] * 3 * call_timer._WINDOW)
    verdicts = [made.is_slow() for _ in range(3 * call_timer._WINDOW)]
    assert verdicts[0]
    assert not any(verdicts[2 * call_timer._WINDOW :])
