"""Times calls: prepares the caches, calls the network, and detects preemption and noisy neighbours during the call.

On a rented machine the two hardware threads of a core may belong to two guests. While the other guest works, everything
takes 1.2 to 2 times as long, in bursts of a few to a few hundred ms. Steal time, context switches and clock frequency
do not show this. Reads from the L1 cache do: timed before and after a call, they take longer.
"""

import contextlib
import gc
import itertools
import resource
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from .cache_state import (
    CURVE_BYTES,
    CURVE_CALLS,
    EMPTY_GRAPHS,
    ENDURING_CALL_NS,
    HOT_LOOP,
    LLC_WARM,
    OUTPUTS_COLD,
    READ_AFTER_WRITE,
    WEIGHTS_COLD,
    WRITTEN_IN_TURN,
    Step,
    cache_distances,
    is_of_benchmark,
)
from .cpu import cpu_facts
from .dtypes import BY_NAME, Numbers
from .network import Bound, aligned, bind_buffer
from .session import SessionSettings, backend, open_session
from .stats import INTERFERENCE_RATIO

# Number of disturbed samples in a row that are discarded; a further one is kept and marked as disturbed.
RETRIES = 2
_PAGE_WORDS = 4096 // 8
# Calls of an empty graph that warm the runtime's own code and data; after one call only, the next takes 0.5 us longer.
_WARMING_CALLS = 3
# Share of a call for which its thread may be preempted without being disturbed: each long call is interrupted briefly.
_LOST_SHARE = 0.005
# Networks of one operator each; a call of ``identity`` is call overhead only.
_GRAPHS = Path(__file__).parent / "graphs"
_BYTE = BY_NAME["uint8"].onnx
# Rows of the matrix product that keeps a device's clock up, idle time that makes it necessary, duration at the start.
_KEEPING_ROWS, _IDLE_NS, _COLD_START_NS = 1 << 15, 5_000_000, 500_000_000
# Rows that each thread reads to clear its caches.
_PARTS = 32
# Width of the threaded product, and its rows for each thread. With a quarter of the rows on a fast processor, two
# threads, one of which had lost its core to another process, were only 14 % slower, too little to detect.
_WIDTH, _ROWS = 64, 128


@dataclass(slots=True, kw_only=True)
class Timed:
    """Samples of one step of a visit."""

    samples_ns: list[int] = field(default_factory=list)
    disturbed: bool = False
    """Whether the thread was preempted, or its core shared, during a sample in ``samples_ns``."""
    thrown: int = 0
    """Number of disturbed samples that were discarded."""
    empty_ns: int | None = None
    """Duration of the empty graph's call before the sample; None if the step times none."""
    clocks_mhz: list[int] = field(default_factory=list)
    """Clock of the device after each call, MHz; empty if the device does not report it."""


class CallTimer:
    """Prepares the caches for calls of networks, and times the calls."""

    def __init__(self, settings: SessionSettings, clock_mhz: Callable[[], int | None] = lambda: None) -> None:
        """Open the empty graphs; ``clock_mhz`` returns the clock of the device, MHz, or None if it is unknown."""
        self._clock_mhz = clock_mhz
        self._nearest = self._ring = np.empty(0, np.int64)
        self._at = 0
        self._distances = cache_distances(cpu_facts()["caches"], cold=True)
        threads = settings.threads if settings.shared_pool else 1
        self._settings = own = SessionSettings(
            threads=threads, shared_pool=settings.shared_pool, runtime=settings.runtime
        )
        empties = [bound_graph("identity", own, {"x": np.ones(1, np.float32)}, (1,)) for _ in range(EMPTY_GRAPHS + 2)]
        for empty in empties:
            empty.visit(2)
        self._warm, self._same_code, *self._call_overhead = empties
        self._thread_waker = thread_waker(settings) if settings.shared_pool else None
        self._users: dict[bool, BufferUser] = {}
        self._keep_awake = ThreadedProduct(settings).run if settings.shared_pool else _nothing
        self._touch = Rewriter(settings).rewrite if settings.shared_pool else _read
        self._watch = _watch(settings.threads)
        self._is_slow = slowness(settings)
        self.keeper = ClockKeeper(settings) if backend(settings).device_number(settings) is not None else None

    def take(self, bound: Bound, step: Step, same_code: Bound | None = None) -> Timed:
        """Prepare the caches and time a call; in state ``hot_loop``, time ``step.calls`` calls.

        ``same_code`` is another benchmark with the same operators. To cache their code, it is called before cold
        calls; with a shared pool, before every call.
        """
        if not is_of_benchmark(step.state):
            return self._use_buffers(step)
        if step.state == HOT_LOOP:
            return self._back_to_back(bound, step.calls)
        taken = Timed()
        # repeating a cold call means reading much memory again; the campaign repeats the visit later instead
        retries = RETRIES if step.state in (LLC_WARM, OUTPUTS_COLD) else 0
        with no_collection():
            while True:
                self._prepare(bound, step, same_code)
                slow = self._is_slow()
                before = self._watch()
                warming_ns = sum(self._warm.visit(_WARMING_CALLS))
                self._keep_awake()
                taken.empty_ns = None if step.empty is None else self._call_overhead[step.empty].call()
                sample = bound.call()
                taken.clocks_mhz += filter(None, (self._clock_mhz(),))
                switched = _was_disturbed(warming_ns + (taken.empty_ns or 0) + sample, before, self._watch())
                shared = self._is_slow() or slow
                taken.disturbed = switched or shared
                is_last = taken.thrown == retries or sample >= ENDURING_CALL_NS
                if is_last or not switched:
                    taken.samples_ns.append(sample)
                    break
                taken.thrown += 1
        if step.state == OUTPUTS_COLD:
            bound.write_to(None)
        return taken

    def _use_buffers(self, step: Step) -> Timed:
        # Read or write buffers in turn, or read them after writing: a round to bring the caches into their state, then
        # timed calls
        size = step.distance_bytes
        self._extend_ring(size)
        if step.state == READ_AFTER_WRITE:
            return self._read_after_write(size // CURVE_BYTES // 2, step.calls)
        user = self._user(writes=step.state == WRITTEN_IN_TURN)
        user.turn_to(self._ring[: size // 8])
        user.visit(max(size // CURVE_BYTES, CURVE_CALLS))
        user.turn_to(self._ring[: size // 8])
        self._at = size // 8 % self._ring.size
        _wait(step.wait_ns)
        self._warm.visit(_WARMING_CALLS)
        self._keep_awake()
        return self._back_to_back(user, step.calls)

    def _read_after_write(self, between: int, calls: int) -> Timed:
        # Between writing and reading a buffer, ``between`` others are written, and as many read
        writer, reader = self._user(writes=True), self._user(writes=False)
        memory = self._long_untouched((between + calls + RETRIES) * CURVE_BYTES).view(np.int64)
        writer.turn_to(memory)
        reader.turn_to(memory)
        writer.visit(between)
        reader.before = writer
        try:
            return self._back_to_back(reader, calls)
        finally:
            reader.before = None

    def _user(self, *, writes: bool) -> "BufferUser":
        user = self._users[writes] = self._users.get(writes) or BufferUser(self._settings, writes=writes)
        return user

    def _back_to_back(self, bound: "Bound | BufferUser", calls: int) -> Timed:
        # Make calls back to back; drop the calls during which the core was shared, unless all are of that kind.
        # The first call is always kept: statistics ignore it (``stats.counted``).
        samples, alone, clocks, thrown = list[int](), list[int](), list[int](), 0
        if self.keeper is not None:
            self.keeper.keep()
        with no_collection():
            slow = self._is_slow()
            while len(samples) < calls:
                before = self._watch()
                sample = bound.call()
                switched = _was_disturbed(sample, before, self._watch())
                clocks += filter(None, (self._clock_mhz(),))
                shared, slow = slow, self._is_slow()
                if switched and thrown < RETRIES:
                    thrown += 1
                    continue
                samples.append(sample)
                if len(samples) == 1 or not (switched or shared or slow):
                    alone.append(sample)
        if self.keeper is not None:
            self.keeper.was_busy()
        taken = Timed(samples_ns=samples, thrown=thrown, clocks_mhz=clocks)
        if len(alone) < len(samples) and len(alone) > 1:
            taken.samples_ns, taken.thrown = alone, thrown + len(samples) - len(alone)
        else:
            taken.disturbed = len(alone) < len(samples)
        return taken

    def _prepare(self, bound: Bound, step: Step, same_code: Bound | None) -> None:
        # Bring the caches into the state of a step, for the benchmark and for an empty graph before it
        if step.state in (LLC_WARM, OUTPUTS_COLD):
            self._clear_nearest(step.clear_bytes)
        else:
            self._clear(step.clear_bytes)
            if same_code is not None:
                same_code.call()
            if step.empty is not None:
                self._same_code.call()
            self._clear_nearest(self._distances.llc_warm_bytes)
        if self._thread_waker is not None:
            self._thread_waker.visit(2)
            if same_code is not None:
                same_code.visit(2)
        if step.empty is not None:
            self._touch(self._call_overhead[step.empty].output_words)
            self._touch(self._call_overhead[step.empty].input_words)
        if step.state == OUTPUTS_COLD:
            bound.write_to(self._long_untouched(bound.output_pages))
        else:
            self._touch(bound.output_words)
        self._touch(bound.input_words)
        if step.state != WEIGHTS_COLD:  # inputs that are state stay as cold as the constants
            self._touch(bound.state_words)

    def _clear(self, nbytes: int) -> None:
        # Read `nbytes` of a ring buffer from where the last read ended
        wanted = -(-nbytes // 8)
        if wanted:
            self._extend_ring(nbytes)
        while wanted:
            part = self._ring[self._at : self._at + wanted]
            np.bitwise_or.reduce(part)
            wanted -= part.size
            self._at = (self._at + part.size) % self._ring.size

    def _long_untouched(self, nbytes: int) -> Numbers:
        # Return whole pages of the ring buffer that were touched longest ago, and count them as touched
        self._extend_ring(nbytes)
        begin, words = -(-self._at // _PAGE_WORDS) * _PAGE_WORDS, nbytes // 8
        if begin + words > self._ring.size:
            begin = 0
        self._at = begin + words
        return self._ring[begin : self._at].view(np.uint8)

    def _extend_ring(self, nbytes: int) -> None:
        if max(nbytes, self._distances.far_bytes) > self._ring.nbytes:
            self._ring, self._at = _ones(max(nbytes, self._distances.far_bytes)), 0

    def _clear_nearest(self, nbytes: int) -> None:
        # Read memory that exceeds the L2 cache several times and fits into the last-level cache
        if nbytes > self._nearest.nbytes:
            self._nearest = _ones(nbytes)
        np.bitwise_or.reduce(self._nearest)


class BufferUser:
    """Reads or writes buffers; each call uses the next buffer."""

    def __init__(self, settings: SessionSettings, *, writes: bool) -> None:
        """Open the network that reads buffers, or the one that writes them (``writes``)."""
        floats = CURVE_BYTES // 4
        shape = (floats,) if writes else (floats // _WIDTH, _WIDTH)
        values = {"x": np.ones((floats,) if writes else (1, floats // _WIDTH), np.float32)}
        values |= {} if writes else {"w": np.ones(shape, np.float32)}
        self._bound = bound_graph("abs" if writes else "gemv", settings, values, shape if writes else (1, _WIDTH))
        binding = self._bound.binding
        self._bind = binding.bind_output if writes else binding.bind_input
        self._contract: dict[str, Any] = {"name": "y" if writes else "w", "dtype": "float32", "shape": shape}
        self._buffers: Iterator[Numbers] = iter(())
        self.before: BufferUser | None = None

    def turn_to(self, memory: Numbers) -> None:
        """Divide a memory of 64-bit words into buffers, and use the first one next."""
        self._buffers = itertools.cycle(memory.view(np.float32).reshape(-1, *self._contract["shape"]))

    def call(self) -> int:
        """Call ``self.before``, if it is set; then use the next buffer, and return how long that took in ns."""
        if self.before is not None:
            self.before.call()
        bind_buffer(self._bind, self._bound.session, self._contract, next(self._buffers))
        return self._bound.call()

    def visit(self, calls: int) -> None:
        """Make ``calls`` calls, each with the next buffer."""
        for _ in range(calls):
            self.call()


class ClockKeeper:
    """Keeps the clock of an idle device high with matrix products."""

    def __init__(self, settings: SessionSettings, clock: Callable[[], int] = time.perf_counter_ns) -> None:
        """Open the network of the matrix product."""
        values = {"x": np.ones((_KEEPING_ROWS, _WIDTH), np.float32), "w": np.ones((_WIDTH, _WIDTH), np.float32)}
        self.bound = bound_graph("matmul", settings, values, (_KEEPING_ROWS, _WIDTH))
        self._clock, self._last_ns = clock, clock() - _COLD_START_NS

    def keep(self) -> None:
        """Keep the device busy for as long as it was idle, at most 0.5 s; do nothing after an idle time below 5 ms."""
        now_ns = self._clock()
        idle_ns = now_ns - self._last_ns
        while idle_ns > _IDLE_NS and self._clock() < now_ns + min(idle_ns, _COLD_START_NS):
            self.bound.call()

    def was_busy(self) -> None:
        """Record that the device was busy until now."""
        self._last_ns = self._clock()


class ThreadedProduct:
    """Two small matrix products whose work is divided evenly among the threads.

    The slowest core decides their duration. The second product reads what all threads wrote in the first: on
    physical cores without a shared cache, it takes twice as long, and networks with two threads 1.4 times as long.
    """

    def __init__(self, settings: SessionSettings) -> None:
        """Open the networks of both products."""
        rows = (max(2, settings.threads) * _ROWS, _WIDTH)
        values = {"x": np.ones(rows, np.float32), "w": np.full((_WIDTH, _WIDTH), 1 / _WIDTH, np.float32)}
        first = bound_graph("matmul", settings, values, rows)
        first.call()
        product = first.outputs()[0][: _WIDTH * _WIDTH].reshape(_WIDTH, _WIDTH)
        self._products = (first, bound_graph("matmul", settings, {**values, "w": product}, rows))

    def run(self) -> None:
        """Compute both products once."""
        for product in self._products:
            product.call()


class Rewriter:
    """Lets all threads of the pool rewrite the content of buffers, as the previous layer of a network would.

    If a single thread touched a buffer, the buffer would be in the caches of that thread's core only.
    """

    def __init__(self, settings: SessionSettings) -> None:
        """Open the network that limits bytes to 0 to 255, and so changes none."""
        # onnxruntime divides a Clip between threads above 16 KiB, an Add only above 320 KiB
        self._session = open_session(_GRAPHS / "clip.onnx", Path(), replace(settings, config=())).inference

    def rewrite(self, buffers: Sequence[Numbers]) -> None:
        """Rewrite host buffers."""
        for words in buffers:
            self.rewrite_at("cpu", 0, words.ctypes.data, words.nbytes)

    def rewrite_at(self, device: str, device_id: int, place: int, nbytes: int) -> None:
        """Rewrite the buffer at address ``place`` of a device."""
        binding = self._session.io_binding()
        binding.bind_input("x", device, device_id, _BYTE, [nbytes], place)
        binding.bind_output("y", device, device_id, _BYTE, [nbytes], place)
        self._session.run_with_iobinding(binding)


def thread_waker(settings: SessionSettings) -> Bound:
    """Return a network that wakes all threads of the pool and clears the L2 cache of each core."""
    # Without this network one thread would clear the caches, and the other cores' L2 caches would keep data of the last
    # call. Waking a thread takes longer than many layers do. The network hardly writes: constants inside networks are
    # read only, too, while a cache has to write back modified lines before it takes others.
    distances = cache_distances(cpu_facts()["caches"], cold=True, sharing=settings.sharing)
    rows = _PARTS * settings.sharing
    ones = np.ones((rows, distances.threads_bytes // (4 * rows)), np.float32)
    return bound_graph("max", settings, {"x": ones}, (rows,))


def bound_graph(
    graph: str,
    settings: SessionSettings,
    values: dict[str, Numbers],
    shape: tuple[int, ...],
    overwrites: str = "",
) -> Bound:
    """Open and bind a network of ``graphs/`` with float32 inputs; output ``y`` uses the buffer of ``overwrites``."""
    benchmark = {
        "inputs": [{"name": name, "dtype": "float32", "shape": value.shape} for name, value in values.items()],
        "outputs": [{"name": "y", "dtype": "float32", "shape": shape}],
        "overwrites": overwrites,
    }
    return Bound(open_session(_GRAPHS / f"{graph}.onnx", Path(), replace(settings, config=())), benchmark, values)


def _nothing() -> None:
    """Do nothing."""


def _read(buffers: Sequence[Numbers]) -> None:
    for words in buffers:
        np.bitwise_or.reduce(words)


def _watch(threads: int) -> Callable[[], tuple[int, int]]:
    # Return a function that reads the involuntary context switches and the CPU time of the thread, ns. With several
    # threads, the switches of all are counted, and the time is 0.
    if threads == 1 and hasattr(resource, "RUSAGE_THREAD"):
        return lambda: (resource.getrusage(resource.RUSAGE_THREAD).ru_nivcsw, time.thread_time_ns())
    return lambda: (resource.getrusage(resource.RUSAGE_SELF).ru_nivcsw, 0)


def _was_disturbed(sample_ns: int, before: tuple[int, int], after: tuple[int, int]) -> bool:
    # Return whether the thread was preempted for more than `_LOST_SHARE` of a call
    had_ns = after[1] - before[1]
    return after[0] != before[0] and sample_ns - had_ns > _LOST_SHARE * sample_ns


def slowness(settings: SessionSettings) -> Callable[[], bool]:
    """Return a function that detects interference on this thread's core, and on the cores of a shared pool."""
    # Interference matters on an accelerator, too: a neighbour makes kernel launches take up to 1.5 times as long, and
    # the launches decide the duration of short kernels.
    detectors = [InterferenceDetector()]
    if settings.shared_pool:
        detectors.append(InterferenceDetector(ThreadedProduct(settings).run))
    return lambda: sum(detector.is_slow() for detector in detectors) > 0  # each has to measure to find its minimum


def _wait(duration_ns: int) -> None:
    end = time.perf_counter_ns() + duration_ns
    while duration_ns and time.perf_counter_ns() < end:
        pass


def _ones(nbytes: int) -> Numbers:
    # as float32, too, since denormal numbers are slow
    memory = aligned(nbytes)
    memory.view(np.float32).fill(1)
    return memory.view(np.int64)


@contextlib.contextmanager
def no_collection() -> Iterator[None]:
    """Disable garbage collection inside a ``with`` statement."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


# Number of measurements after which the minimum is reset (about 45 s in a large suite), since clocks change slowly.
_WINDOW = 50_000
# Number of measurements at the start that find the minimum.
_FIRST = 200
# Runs per measurement: the first ones warm data and code, and the shortest one had no interruption.
_TIMES = 5


class InterferenceDetector:
    """Detects interference: a calibration loop takes longer than the shortest time measured so far."""

    def __init__(self, work: Callable[[], None] | None = None) -> None:
        """Measure the minimum duration of ``work`` by many runs (some ms); None reads the L1 cache."""
        self._work = work or _reads()
        self._best_ns = self._next_best_ns = self._time()
        self._count = 0
        for _ in range(_FIRST):
            self.is_slow()

    def is_slow(self) -> bool:
        """Time the loop (a few us); return whether it took at least ``INTERFERENCE_RATIO`` times its minimum."""
        taken_ns = self._time()
        self._count += 1
        self._best_ns = min(self._best_ns, taken_ns)
        self._next_best_ns = min(self._next_best_ns, taken_ns)
        if self._count == _WINDOW:
            self._best_ns, self._next_best_ns, self._count = self._next_best_ns, taken_ns, 0
        return taken_ns >= INTERFERENCE_RATIO * self._best_ns

    def _time(self) -> int:
        work, clock = self._work, time.perf_counter_ns
        times = []
        for _ in range(_TIMES):
            begin = clock()
            work()
            times.append(clock() - begin)
        return min(times)


def _reads() -> Callable[[], None]:
    read, words = np.bitwise_or.reduce, np.ones(256, np.int64)

    def work() -> None:
        read(words)
        read(words)

    return work
