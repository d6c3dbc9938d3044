"""What surrounds a benchmark while it is timed: other memory, a warm runtime, and an eye on the processor."""

import contextlib
import gc
import itertools
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from .bits import Numbers
from .constants import aligned
from .cpu import cpu_facts
from .measure import Bound
from .pace import Pace
from .pool import Products, Rewriter, crowd
from .session import SessionSettings, open_session, provider_name
from .states import CONSTANTS, INPUTS, NEAR, OUTPUTS, REPEATED, Step, surroundings

RETRIES = 2
"""Samples in a row that may be thrown away because the processor was taken away meanwhile; the next one is kept."""

EMPTIES = 8
"""Empty graphs of a stage that are timed: called one after another, each is soon as far back as a benchmark."""
_WARMING_CALLS = 3
"""Calls of an empty graph by which the runtime's own code and data are brought back: after one a call still takes half
a microsecond longer."""
LEAP_BYTES = 1 << 16
"""What is read in one go before a leap to another place."""
_LOST_SHARE = 0.005
"""Part of a call for which the processor may be taken away: a long call is interrupted for a moment now and then."""
_EMPTY_GRAPH = bytes.fromhex(
    "08083a370a100a017812017922084964656e746974791201675a0f0a0178120a0a08080112040a020801620f0a0179120a0a080801"
    "12040a02080142040a001011"
)
"""A ModelProto: Identity of one float32, opset 17, IR 8."""
_FLOAT = {"dtype": "float32", "shape": (1,)}
_EMPTY = {"inputs": [{"name": "x", **_FLOAT}], "outputs": [{"name": "y", **_FLOAT}], "overwrites": ""}


@dataclass(slots=True, kw_only=True)
class Taken:
    """What came of one step."""

    samples_ns: list[int] = field(default_factory=list)
    disturbed: bool = False
    """Whether the processor was taken away or its core shared during a sample that was kept."""
    thrown: int = 0
    """Samples thrown away for such reasons."""
    empty_ns: int | None = None
    """What the call of an empty graph took just before the sample, if one was asked for."""


class Stage:
    """Prepares calls and makes them."""

    def __init__(self, settings: SessionSettings) -> None:
        """Open the empty graph; memory for clearing caches is taken when it is first needed.

        Args:
            settings: of the run; with one thread only that thread's switches count.
        """
        self._near = self._ring = np.empty(0, np.int64)
        self._at = 0
        self._places = np.empty((0, 0), np.int64)
        self._leaps: Iterator[int] = iter(())
        self._near_bytes = surroundings(cpu_facts()["caches"], cold=True).near_bytes
        ones = {"x": np.ones(1, np.float32)}
        own = SessionSettings(shared_pool=settings.shared_pool)
        empties = [Bound(open_session(_EMPTY_GRAPH, Path(), own), _EMPTY, ones) for _ in range(EMPTIES + 2)]
        for empty in empties:
            empty.visit(2)
        self._warm, self._alike, *self._empties = empties
        self._crowd = crowd(settings) if settings.shared_pool else None
        self._touch = Rewriter(settings).rewrite if settings.shared_pool else _read
        self._watch = _watch(settings.threads)
        self._is_slow = _slowness(settings)

    def take(self, bound: Bound, step: Step, alike: Bound | None = None) -> Taken:
        """Make one step: prepare and call, once or, for repeated calls, as often as it says.

        A disturbed call is made again where that costs little; one that other benchmarks have prepared is only marked.

        Args:
            bound: the benchmark.
            step: what to do.
            alike: another benchmark of the same operators, by which their code is brought back before a far call.
        """
        if step.state == REPEATED:
            return self._repeated(bound, step.calls)
        taken = Taken()
        again = RETRIES if step.own_call or step.state == NEAR else 0
        with no_collection():
            while True:
                self._prepare(bound, step, alike)
                slow = self._is_slow()
                before = self._watch()
                warming_ns = sum(self._warm.visit(_WARMING_CALLS))
                taken.empty_ns = None if step.empty is None else self._empties[step.empty].call()
                sample = bound.call()
                switched = _was_disturbed(warming_ns + (taken.empty_ns or 0) + sample, before, self._watch())
                shared = self._is_slow() or slow
                taken.disturbed = switched or shared
                # a shared core stays shared for a while: what can be made again in a later round waits for that
                if not (switched or (shared and step.own_call)) or taken.thrown == again:
                    taken.samples_ns.append(sample)
                    return taken
                taken.thrown += 1

    def _repeated(self, bound: Bound, calls: int) -> Taken:
        """Make calls back to back; those on a shared core are left out if there are others.

        The first call is kept in any case, since it counts for nothing beside others.
        """
        made, alone, thrown = list[int](), list[int](), 0
        with no_collection():
            slow = self._is_slow()
            while len(made) < calls:
                before = self._watch()
                sample = bound.call()
                switched = _was_disturbed(sample, before, self._watch())
                shared, slow = slow, self._is_slow()
                if switched and thrown < RETRIES:
                    thrown += 1
                    continue
                made.append(sample)
                if len(made) == 1 or not (switched or shared or slow):
                    alone.append(sample)
        if len(alone) == len(made):
            return Taken(samples_ns=made, thrown=thrown)
        if len(alone) > 1:
            return Taken(samples_ns=alone, thrown=thrown + len(made) - len(alone))
        return Taken(samples_ns=made, thrown=thrown, disturbed=True)

    def _prepare(self, bound: Bound, step: Step, alike: Bound | None) -> None:
        """Bring the caches into the state that a step asks for.

        An empty graph that is to be timed, too, finds what a benchmark finds in state ``constants``: another one has
        been called since its last call, and its input and output are at hand.
        """
        if step.own_call:
            bound.visit(2)
        if step.state == NEAR:
            self._clear_near(step.clear_bytes)
        elif step.own_call:
            self._clear_in_leaps(step.clear_bytes)
        else:
            self._clear(step.clear_bytes)
            if alike is not None:
                alike.call()
            if step.empty is not None:
                self._alike.call()
            self._clear_near(self._near_bytes)
        _wait(step.wait_ns)
        if self._crowd is not None:
            self._crowd.visit(2)
        if step.empty is not None:
            self._touch(self._empties[step.empty].output_words)
            self._touch(self._empties[step.empty].input_words)
        if step.state in {NEAR, CONSTANTS, INPUTS}:
            self._touch(bound.output_words)
        if step.state in {NEAR, CONSTANTS, OUTPUTS}:
            self._touch(bound.input_words)

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

        What is read front to back hardly pushes anything out as long as it is less than the last level holds:
        processors see that it is a stream and let it pass by what they keep. A network's tensors lie here and there.
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


def _read(buffers: Sequence[Numbers]) -> None:
    """Read all of some buffers."""
    for words in buffers:
        np.bitwise_or.reduce(words)


def _watch(threads: int) -> Callable[[], tuple[int, int]]:
    """Give what counts how often the processor was taken away, and for how long it was had, ns.

    With several threads those of all are counted, and how long each had its processor is not known: 0.
    """
    try:
        import resource
    except ImportError:  # Windows: nothing tells of it, and no sample is thrown away
        return lambda: (0, 0)
    if threads == 1 and hasattr(resource, "RUSAGE_THREAD"):
        return lambda: (resource.getrusage(resource.RUSAGE_THREAD).ru_nivcsw, time.thread_time_ns())
    return lambda: (resource.getrusage(resource.RUSAGE_SELF).ru_nivcsw, 0)


def _was_disturbed(sample_ns: int, before: tuple[int, int], after: tuple[int, int]) -> bool:
    """Say whether the processor was taken away during a call, for more than a share that does not count."""
    had_ns = after[1] - before[1]
    return after[0] != before[0] and sample_ns - had_ns > _LOST_SHARE * sample_ns


def _slowness(settings: SessionSettings) -> Callable[[], bool]:
    """Give what tells whether a core is shared: that of the calling thread or, with a shared pool, that of any thread.

    What an accelerator's calls take is hardly the processor's work.
    """
    if provider_name(settings.provider) != provider_name("cpu"):
        return lambda: False
    paces = [Pace(), *([Pace(Products(settings).run)] if settings.shared_pool else [])]
    return lambda: sum(pace.is_slow() for pace in paces) > 0  # each is measured, so that each knows its best


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
