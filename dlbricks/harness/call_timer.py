"""Times calls: brings the caches into a state, calls, and detects when the processor was shared meanwhile."""

import contextlib
import gc
import itertools
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from .cache_state import CONSTANTS, EMPTY_GRAPHS, NEAR, REPEATED, Step, cache_distances
from .dtypes import BY_NAME, Numbers
from .interference import InterferenceDetector
from .machine.cpu import cpu_facts
from .network import Bound, aligned
from .session import SessionSettings, is_device, open_session, provider_name

RETRIES = 2
"""Disturbed samples in a row that are thrown away; the next one is kept and marked."""
LEAP_BYTES = 1 << 16
"""Bytes read in one go when memory is read here and there."""
_WARMING_CALLS = 3
"""Calls of an empty graph that bring the runtime's own code and data back; after one, a call takes 0.5 us longer."""
_INT32 = BY_NAME["int32"].onnx
_LOST_SHARE = 0.005
"""Part of a call for which the processor may be taken away: a long call is interrupted for a moment now and then."""
_GRAPHS = Path(__file__).parent / "graphs"
"""Networks of one operator each; ``identity`` does nothing, so that its call is all overhead."""
_KEEPING_ROWS, _IDLE_NS, _COLD_START_NS = 1 << 15, 5_000_000, 500_000_000
"""Rows of the product that keeps a device's clock up; idle time after which it is needed; its time at the beginning."""
_WIDTH, _ROWS = 64, 32
"""Of the product that all threads share, and its rows for each: twice the work from which on it is divided evenly."""


@dataclass(slots=True, kw_only=True)
class Timed:
    """What came of one step."""

    samples_ns: list[int] = field(default_factory=list)
    disturbed: bool = False
    """Whether the processor was taken away, or its core shared, during a sample that was kept."""
    thrown: int = 0
    """Samples thrown away for that reason."""
    empty_ns: int | None = None
    """Duration of the call of an empty graph just before the sample, if one was asked for."""
    clocks_mhz: list[int] = field(default_factory=list)
    """Clock of the device after each call, where it reports one."""


class CallTimer:
    """Prepares calls and times them."""

    def __init__(self, settings: SessionSettings, clock_mhz: Callable[[], int | None] = lambda: None) -> None:
        """Open the empty graphs; memory for clearing caches is taken when it is first needed.

        Args:
            settings: of the run.
            clock_mhz: reads the clock of the device, None where there is none or it does not tell.
        """
        self._clock_mhz = clock_mhz
        self._near = self._ring = np.empty(0, np.int64)
        self._at = 0
        self._places = np.empty((0, 0), np.int64)
        self._leaps: Iterator[int] = iter(())
        self._near_bytes = cache_distances(cpu_facts()["caches"], cold=True).near_bytes
        threads = settings.threads if settings.shared_pool else 1
        own = SessionSettings(threads=threads, shared_pool=settings.shared_pool, runtime=settings.runtime)
        empties = [bound_graph("identity", own, {"x": np.ones(1, np.float32)}, (1,)) for _ in range(EMPTY_GRAPHS + 2)]
        for empty in empties:
            empty.visit(2)
        self._warm, self._same_code, *self._call_overhead = empties
        self._thread_waker = thread_waker(settings) if settings.shared_pool else None
        self._touch = Rewriter(settings).rewrite if settings.shared_pool else _read
        self._watch = _watch(settings.threads)
        self._is_slow = _slowness(settings)
        self._keeper = ClockKeeper(settings) if is_device(settings) else None

    def take(self, bound: Bound, step: Step, same_code: Bound | None = None) -> Timed:
        """Make one step: prepare and call, once or, for repeated calls, as often as it says.

        Args:
            bound: the benchmark.
            step: what to do.
            same_code: a benchmark of the same operators, called before a cold call so that their code is warm.
        """
        if step.state == REPEATED:
            return self._repeated(bound, step.calls)
        taken = Timed()
        # a cold call that others have prepared costs too much to be made again at once: the campaign does that later
        retries = RETRIES if step.own_call or step.state == NEAR else 0
        with no_collection():
            while True:
                self._prepare(bound, step, same_code)
                slow = self._is_slow()
                before = self._watch()
                warming_ns = sum(self._warm.visit(_WARMING_CALLS))
                taken.empty_ns = None if step.empty is None else self._call_overhead[step.empty].call()
                sample = bound.call()
                taken.clocks_mhz += filter(None, (self._clock_mhz(),))
                switched = _was_disturbed(warming_ns + (taken.empty_ns or 0) + sample, before, self._watch())
                shared = self._is_slow() or slow
                taken.disturbed = switched or shared
                if not (switched or (shared and step.own_call)) or taken.thrown == retries:
                    taken.samples_ns.append(sample)
                    return taken
                taken.thrown += 1

    def _repeated(self, bound: Bound, calls: int) -> Timed:
        """Make calls back to back; those on a shared core are left out if there are others.

        The first call is kept in any case: statistics leave it out (``stats.counted``).
        """
        made, alone, clocks, thrown = list[int](), list[int](), list[int](), 0
        if self._keeper is not None:
            self._keeper.keep()
        with no_collection():
            slow = self._is_slow()
            while len(made) < calls:
                before = self._watch()
                sample = bound.call()
                switched = _was_disturbed(sample, before, self._watch())
                clocks += filter(None, (self._clock_mhz(),))
                shared, slow = slow, self._is_slow()
                if switched and thrown < RETRIES:
                    thrown += 1
                    continue
                made.append(sample)
                if len(made) == 1 or not (switched or shared or slow):
                    alone.append(sample)
        if self._keeper is not None:
            self._keeper.was_busy()
        taken = Timed(samples_ns=made, thrown=thrown, clocks_mhz=clocks)
        if len(alone) < len(made) and len(alone) > 1:
            taken.samples_ns, taken.thrown = alone, thrown + len(made) - len(alone)
        else:
            taken.disturbed = len(alone) < len(made)
        return taken

    def _prepare(self, bound: Bound, step: Step, same_code: Bound | None) -> None:
        """Bring the caches into the state that a step asks for, for the benchmark and for an empty graph before it."""
        if step.own_call:
            bound.visit(2)
        if step.state == NEAR:
            self._clear_near(step.clear_bytes)
        elif step.own_call:
            self._clear_in_leaps(step.clear_bytes)
        else:
            self._clear(step.clear_bytes)
            if same_code is not None:
                same_code.call()
            if step.empty is not None:
                self._same_code.call()
            self._clear_near(self._near_bytes)
        _wait(step.wait_ns)
        if self._thread_waker is not None:
            self._thread_waker.visit(2)
        if step.empty is not None:
            self._touch(self._call_overhead[step.empty].output_words)
            self._touch(self._call_overhead[step.empty].input_words)
        self._touch(bound.output_words)
        self._touch(bound.input_words)
        if step.state != CONSTANTS or step.own_call:  # what a network keeps was touched as long ago as its constants
            self._touch(bound.state_words)

    def _clear(self, nbytes: int) -> None:
        """Read so much of a ring of memory, going on where the last time ended."""
        wanted = -(-nbytes // 8)
        if wanted > self._ring.size:
            self._ring, self._at = _ones(nbytes), 0
        while wanted:
            part = self._ring[self._at : self._at + wanted]
            np.bitwise_or.reduce(part)
            wanted -= part.size
            self._at = (self._at + part.size) % self._ring.size

    def _clear_in_leaps(self, nbytes: int) -> None:
        """Read so much memory here and there, going on where the last time ended.

        Less than the last level, read front to back, hardly pushes anything out: processors recognise a stream.
        """
        wanted = -(-nbytes // LEAP_BYTES)
        if wanted > len(self._places):
            self._places = _ones(wanted * LEAP_BYTES).reshape(wanted, -1)
            self._leaps = itertools.cycle(np.random.default_rng(0).permutation(wanted).tolist())
        for place in itertools.islice(self._leaps, wanted):
            np.bitwise_or.reduce(self._places[place])

    def _clear_near(self, nbytes: int) -> None:
        """Read memory that is as large as several L2 and small enough to stay in the last level."""
        if nbytes > self._near.nbytes:
            self._near = _ones(nbytes)
        np.bitwise_or.reduce(self._near)


class ClockKeeper:
    """Keeps the clock of a device up, which falls within moments when there is nothing to do: calls a product of it."""

    def __init__(self, settings: SessionSettings, clock: Callable[[], int] = time.perf_counter_ns) -> None:
        """Open the product.

        Args:
            settings: of the run.
            clock: reads the time, ns.
        """
        values = {"x": np.ones((_KEEPING_ROWS, _WIDTH), np.float32), "w": np.ones((_WIDTH, _WIDTH), np.float32)}
        self._bound = bound_graph("matmul", settings, values, (_KEEPING_ROWS, _WIDTH))
        self._clock, self._last_ns = clock, clock() - _COLD_START_NS

    def keep(self) -> None:
        """Keep the device busy for as long as it was idle, half a second at most; not after a few idle milliseconds."""
        now_ns = self._clock()
        idle_ns = now_ns - self._last_ns
        while idle_ns > _IDLE_NS and self._clock() < now_ns + min(idle_ns, _COLD_START_NS):
            self._bound.call()

    def was_busy(self) -> None:
        """Take note that the device was busy until now."""
        self._last_ns = self._clock()


class ThreadedProduct:
    """Two small matrix products of which each thread has the same share: they last as long as on the slowest core.

    The second reads what all threads wrote in the first. Where a hypervisor moves the cores of a machine apart, so that
    they have no cache in common any more, that takes twice as long, and networks of two threads 1.4 times.
    """

    def __init__(self, settings: SessionSettings) -> None:
        """Open them."""
        rows = (max(2, settings.threads) * _ROWS, _WIDTH)
        values = {"x": np.ones(rows, np.float32), "w": np.full((_WIDTH, _WIDTH), 1 / _WIDTH, np.float32)}
        first = bound_graph("matmul", settings, values, rows)
        first.call()
        made = first.outputs()[0][: _WIDTH * _WIDTH].reshape(_WIDTH, _WIDTH)
        self._products = (first, bound_graph("matmul", settings, {**values, "w": made}, rows))

    def run(self) -> None:
        """Compute both once."""
        for one in self._products:
            one.call()


class Rewriter:
    """Writes into buffers what they hold already, each thread of the pool its share, as the layer before would have.

    Memory that one thread has touched lies in its own caches, from where all others would have to fetch their share.
    """

    def __init__(self, settings: SessionSettings) -> None:
        """Open a network that adds zero to a buffer in place."""
        self._session = open_session(_GRAPHS / "add.onnx", Path(), replace(settings, config=())).inference
        self._nothing = np.zeros(1, np.int32)

    def rewrite(self, buffers: Sequence[Numbers]) -> None:
        """Touch all of some buffers, but for less than four bytes at their end."""
        for words in buffers:
            self.rewrite_at("cpu", 0, words.ctypes.data, words.nbytes)

    def rewrite_at(self, device: str, device_id: int, place: int, nbytes: int) -> None:
        """Touch all of a buffer of a device, but for less than four bytes at its end."""
        if nbytes < 4:
            return
        binding = self._session.io_binding()
        binding.bind_input("x", device, device_id, _INT32, [nbytes // 4], place)
        binding.bind_input("z", "cpu", 0, _INT32, [1], self._nothing.ctypes.data)
        binding.bind_output("y", device, device_id, _INT32, [nbytes // 4], place)
        self._session.run_with_iobinding(binding)


def thread_waker(settings: SessionSettings) -> Bound:
    """Give a network that wakes all threads of this process and fills the second level of cache of each.

    Caches are cleared by one thread: the others' caches would keep what they had of the last call, and waking them
    takes longer than many a layer.
    """
    distances = cache_distances(cpu_facts()["caches"], cold=True, sharing=settings.sharing)
    ones = np.ones(distances.threads_bytes // 8, np.float32)  # read, and as much written
    return bound_graph("abs", settings, {"x": ones}, ones.shape)


def bound_graph(
    graph: str, settings: SessionSettings, values: dict[str, Numbers], made: tuple[int, ...], overwrites: str = ""
) -> Bound:
    """Bind a network of ``graphs/`` of float32, with one output ``y`` of a shape, perhaps in an input's place."""
    benchmark = {
        "inputs": [{"name": name, "dtype": "float32", "shape": one.shape} for name, one in values.items()],
        "outputs": [{"name": "y", "dtype": "float32", "shape": made}],
        "overwrites": overwrites,
    }
    return Bound(open_session(_GRAPHS / f"{graph}.onnx", Path(), replace(settings, config=())), benchmark, values)


def _read(buffers: Sequence[Numbers]) -> None:
    """Read all of some buffers."""
    for words in buffers:
        np.bitwise_or.reduce(words)


def _watch(threads: int) -> Callable[[], tuple[int, int]]:
    """Give a function that reads the number of involuntary context switches and the processor time used, ns.

    With several threads those of all are counted, and the time is not known: 0.
    """
    try:
        import resource
    except ImportError:  # Windows: nothing is known, and no sample is thrown away
        return lambda: (0, 0)
    if threads == 1 and hasattr(resource, "RUSAGE_THREAD"):
        return lambda: (resource.getrusage(resource.RUSAGE_THREAD).ru_nivcsw, time.thread_time_ns())
    return lambda: (resource.getrusage(resource.RUSAGE_SELF).ru_nivcsw, 0)


def _was_disturbed(sample_ns: int, before: tuple[int, int], after: tuple[int, int]) -> bool:
    """Say whether the processor was taken away during a call, for more than a share that does not count."""
    had_ns = after[1] - before[1]
    return after[0] != before[0] and sample_ns - had_ns > _LOST_SHARE * sample_ns


def _slowness(settings: SessionSettings) -> Callable[[], bool]:
    """Give a function that detects interference on the core of the calling thread and, with a shared pool, of others.

    On an accelerator there is none to look for: its calls are hardly the processor's work.
    """
    if provider_name(settings.provider) != provider_name("cpu"):
        return lambda: False
    detectors = [InterferenceDetector()]
    if settings.shared_pool:
        detectors.append(InterferenceDetector(ThreadedProduct(settings).run))
    return lambda: sum(one.is_slow() for one in detectors) > 0  # each measures, so that each knows its best


def _wait(duration_ns: int) -> None:
    """Let time pass without giving the processor away."""
    end = time.perf_counter_ns() + duration_ns
    while duration_ns and time.perf_counter_ns() < end:
        pass


def _ones(nbytes: int) -> Numbers:
    memory = aligned(nbytes).view(np.int64)
    memory.fill(1)
    return memory


@contextlib.contextmanager
def no_collection() -> Iterator[None]:
    """Keep Python from collecting garbage."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()
