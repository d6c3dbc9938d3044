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

import numpy as np

from .cache_state import EMPTY_GRAPHS, ENDURING_CALL_NS, HOT_LOOP, LLC_WARM, WEIGHTS_COLD, Step, cache_distances
from .cpu import cpu_facts
from .dtypes import BY_NAME, Numbers
from .network import Bound, aligned
from .session import SessionSettings, backend, open_session
from .stats import INTERFERENCE_RATIO

# Number of disturbed samples in a row that are discarded; a further one is kept and marked as disturbed.
RETRIES = 2
# Size of the blocks that are read in random order.
LEAP_BYTES = 1 << 16
# Calls of an empty graph that warm the runtime's own code and data; after one call only, the next takes 0.5 us longer.
_WARMING_CALLS = 3
_INT32 = BY_NAME["int32"].onnx
# Share of a call for which its thread may be preempted without being disturbed: each long call is interrupted briefly.
_LOST_SHARE = 0.005
# Networks of one operator each; a call of ``identity`` is call overhead only.
_GRAPHS = Path(__file__).parent / "graphs"
# Rows of the matrix product that keeps a device's clock up, idle time that makes it necessary, duration at the start.
_KEEPING_ROWS, _IDLE_NS, _COLD_START_NS = 1 << 15, 5_000_000, 500_000_000
# Rows that each thread reads to clear its caches.
_PARTS = 32
# Width of the threaded product, and its rows for each thread. With a quarter of the rows on a fast processor, two
# threads, one of which had lost its core to another process, were only 14 % slower, too little to detect.
_WIDTH, _ROWS = 64, 128


@dataclass(slots=True, kw_only=True)
class Timed:
    """The samples of one step of a visit."""

    samples_ns: list[int] = field(default_factory=list)
    disturbed: bool = False
    """Whether the thread was preempted, or its core shared, during a sample that was kept."""
    thrown: int = 0
    """Number of disturbed samples that were discarded."""
    empty_ns: int | None = None
    """Duration of the call of an empty graph just before the sample; None if the step times none."""
    clocks_mhz: list[int] = field(default_factory=list)
    """Clock of the device after each call, MHz; empty if the device does not report it."""


class CallTimer:
    """Prepares the caches for calls of networks, and times the calls."""

    def __init__(self, settings: SessionSettings, clock_mhz: Callable[[], int | None] = lambda: None) -> None:
        """Open the empty graphs; ``clock_mhz`` returns the clock of the device, MHz, or None if it is unknown."""
        self._clock_mhz = clock_mhz
        self._nearest = self._ring = np.empty(0, np.int64)
        self._at = 0
        self._places = np.empty((0, 0), np.int64)
        self._leaps: Iterator[int] = iter(())
        self._llc_warm_bytes = cache_distances(cpu_facts()["caches"], cold=True).llc_warm_bytes
        threads = settings.threads if settings.shared_pool else 1
        own = SessionSettings(threads=threads, shared_pool=settings.shared_pool, runtime=settings.runtime)
        empties = [bound_graph("identity", own, {"x": np.ones(1, np.float32)}, (1,)) for _ in range(EMPTY_GRAPHS + 2)]
        for empty in empties:
            empty.visit(2)
        self._warm, self._same_code, *self._call_overhead = empties
        self._thread_waker = thread_waker(settings) if settings.shared_pool else None
        self._keep_awake = ThreadedProduct(settings).run if settings.shared_pool else _nothing
        self._touch = Rewriter(settings).rewrite if settings.shared_pool else _read
        self._watch = _watch(settings.threads)
        self._is_slow = slowness(settings)
        self._keeper = ClockKeeper(settings) if backend(settings).device_number(settings) is not None else None

    def take(self, bound: Bound, step: Step, same_code: Bound | None = None) -> Timed:
        """Prepare the caches and time a call; in state ``hot_loop``, time ``step.calls`` calls.

        ``same_code`` is another benchmark with the same operators; its call caches their code. It is called before cold
        calls, and with a shared pool, whose threads clear their caches each time, before every call.
        """
        if step.state == HOT_LOOP:
            return self._back_to_back(bound, step.calls)
        taken = Timed()
        # repeating a cold call means reading much memory again; the campaign repeats the visit later instead
        retries = RETRIES if step.own_call or step.state == LLC_WARM else 0
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
                if is_last or not (switched or (shared and step.own_call)):
                    taken.samples_ns.append(sample)
                    return taken
                taken.thrown += 1

    def _back_to_back(self, bound: Bound, calls: int) -> Timed:
        # Make calls back to back; drop the calls during which the core was shared, unless all are of that kind.
        # The first call is always kept: statistics ignore it (``stats.counted``).
        samples, alone, clocks, thrown = list[int](), list[int](), list[int](), 0
        if self._keeper is not None:
            self._keeper.keep()
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
        if self._keeper is not None:
            self._keeper.was_busy()
        taken = Timed(samples_ns=samples, thrown=thrown, clocks_mhz=clocks)
        if len(alone) < len(samples) and len(alone) > 1:
            taken.samples_ns, taken.thrown = alone, thrown + len(samples) - len(alone)
        else:
            taken.disturbed = len(alone) < len(samples)
        return taken

    def _prepare(self, bound: Bound, step: Step, same_code: Bound | None) -> None:
        # Bring the caches into the state of a step, for the benchmark and for an empty graph before it
        if step.own_call:
            bound.visit(2)
        if step.state == LLC_WARM:
            self._clear_nearest(step.clear_bytes)
        elif step.own_call:
            self._clear_in_leaps(step.clear_bytes)
        else:
            self._clear(step.clear_bytes)
            if same_code is not None:
                same_code.call()
            if step.empty is not None:
                self._same_code.call()
            self._clear_nearest(self._llc_warm_bytes)
        _wait(step.wait_ns)
        if self._thread_waker is not None:
            self._thread_waker.visit(2)
            if same_code is not None and not step.own_call:
                same_code.visit(2)
        if step.empty is not None:
            self._touch(self._call_overhead[step.empty].output_words)
            self._touch(self._call_overhead[step.empty].input_words)
        self._touch(bound.output_words)
        self._touch(bound.input_words)
        if step.state != WEIGHTS_COLD or step.own_call:  # inputs that are state stay as cold as the constants
            self._touch(bound.state_words)

    def _clear(self, nbytes: int) -> None:
        # Read `nbytes` of a ring buffer from where the last read ended
        wanted = -(-nbytes // 8)
        if wanted > self._ring.size:
            self._ring, self._at = _ones(nbytes), 0
        while wanted:
            part = self._ring[self._at : self._at + wanted]
            np.bitwise_or.reduce(part)
            wanted -= part.size
            self._at = (self._at + part.size) % self._ring.size

    def _clear_in_leaps(self, nbytes: int) -> None:
        # Read `nbytes` in blocks in random order, from where the last read ended. A sequential read that is smaller
        # than the last-level cache evicts little, since processors recognise streams.
        wanted = -(-nbytes // LEAP_BYTES)
        if wanted > len(self._places):
            self._places = _ones(wanted * LEAP_BYTES).reshape(wanted, -1)
            self._leaps = itertools.cycle(np.random.default_rng(0).permutation(wanted).tolist())
        for place in itertools.islice(self._leaps, wanted):
            np.bitwise_or.reduce(self._places[place])

    def _clear_nearest(self, nbytes: int) -> None:
        # Read memory that exceeds the L2 cache several times and fits into the last-level cache
        if nbytes > self._nearest.nbytes:
            self._nearest = _ones(nbytes)
        np.bitwise_or.reduce(self._nearest)


class ClockKeeper:
    """Keeps the clock of a device high with matrix products, since an idle device soon lowers its clock."""

    def __init__(self, settings: SessionSettings, clock: Callable[[], int] = time.perf_counter_ns) -> None:
        """Open the network of the matrix product."""
        values = {"x": np.ones((_KEEPING_ROWS, _WIDTH), np.float32), "w": np.ones((_WIDTH, _WIDTH), np.float32)}
        self._bound = bound_graph("matmul", settings, values, (_KEEPING_ROWS, _WIDTH))
        self._clock, self._last_ns = clock, clock() - _COLD_START_NS

    def keep(self) -> None:
        """Keep the device busy for as long as it was idle, at most 0.5 s; do nothing after an idle time below 5 ms."""
        now_ns = self._clock()
        idle_ns = now_ns - self._last_ns
        while idle_ns > _IDLE_NS and self._clock() < now_ns + min(idle_ns, _COLD_START_NS):
            self._bound.call()

    def was_busy(self) -> None:
        """Record that the device was busy until now."""
        self._last_ns = self._clock()


class ThreadedProduct:
    """Two small matrix products that divide evenly over the threads; the slowest core decides their duration.

    The second product reads what all threads wrote in the first, and takes twice as long if a hypervisor moves the
    virtual cores to physical cores without a shared cache. Networks with two threads then take 1.4 times as long.
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
    """Lets all threads of the pool rewrite buffers with their own content, as the previous layer of a network would.

    If a single thread touched a buffer, the buffer would be in the caches of that thread's core only.
    """

    def __init__(self, settings: SessionSettings) -> None:
        """Open the network that adds zero to a buffer in place."""
        self._session = open_session(_GRAPHS / "add.onnx", Path(), replace(settings, config=())).inference
        self._nothing = np.zeros(1, np.int32)

    def rewrite(self, buffers: Sequence[Numbers]) -> None:
        """Rewrite host buffers; up to three bytes at the end of each stay as they are."""
        for words in buffers:
            self.rewrite_at("cpu", 0, words.ctypes.data, words.nbytes)

    def rewrite_at(self, device: str, device_id: int, place: int, nbytes: int) -> None:
        """Rewrite a buffer at an address of a device; up to three bytes at its end stay as they are."""
        if nbytes < 4:
            return
        binding = self._session.io_binding()
        binding.bind_input("x", device, device_id, _INT32, [nbytes // 4], place)
        binding.bind_input("z", "cpu", 0, _INT32, [1], self._nothing.ctypes.data)
        binding.bind_output("y", device, device_id, _INT32, [nbytes // 4], place)
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
    """Open and bind a network of ``graphs/`` with float32 inputs; output ``y`` overwrites the input ``overwrites``."""
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
    """Return a function that detects interference on the calling thread's core and on the cores of a shared pool."""
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
    memory = aligned(nbytes).view(np.int64)
    memory.fill(1)
    return memory


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
    """Detects interference: whether a calibration loop takes longer than its minimum so far."""

    def __init__(self, work: Callable[[], None] | None = None) -> None:
        """Measure the minimum duration of the loop, which takes some ms; the default loop reads the L1 cache."""
        self._work = work or _reads()
        self._best_ns = self._next_best_ns = self._time()
        self._count = 0
        for _ in range(_FIRST):
            self.is_slow()

    def is_slow(self) -> bool:
        """Time the loop (a few microseconds); return whether it took ``INTERFERENCE_RATIO`` times the minimum."""
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
