"""Runs the generation loop of a decoder, and detects disturbed calls.

A call is disturbed if it waited for a processor, or if other work used the same core.
"""

import contextlib
import math
import os
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from dlbricks.harness.call_timer import InterferenceDetector, slowness
from dlbricks.harness.dtypes import storage_dtype
from dlbricks.harness.network import bind_buffer
from dlbricks.harness.session import SessionSettings, backend, open_session
from dlbricks.model.emit import network_bytes, open_network, write_weights
from dlbricks.model.read.decoders import decoder_beside, logits_of
from dlbricks.model.types import Model
from dlbricks.plugins.llm.decoder_inputs import CallInputs, GrowingCache

# Neighbouring steps on each side whose median replaces the time of a disturbed step.
NEAR = 4
# Number of different tokens in prompts, or fewer if the vocabulary is smaller.
_WORDS = 1000
# Rank of logits that a decoder returns for the last token only.
_PER_INPUT = 2
# A call has waited if its share of processor time is lower; the second value is the tolerance for reading the clocks.
_BUSY, _SLACK_NS = 0.98, 20_000
_TASKS, _STAT = Path("/proc/self/task"), Path("/proc/thread-self/stat")
# Index of the processor's number among the fields after the name (``proc_pid_stat(5)``).
_PROCESSOR = 36


@dataclass(frozen=True, slots=True, kw_only=True)
class TimedAnswer:
    """Times of one generation, ns."""

    calls_ns: tuple[int, ...]
    """Time of the prompt (sum of the prompt's calls), then time of each further token."""
    between_ns: int
    """Total time between calls: binding buffers and choosing tokens."""
    waited: tuple[bool, ...]
    """Whether each call waited for a processor for more than 2 % of its time, or ran on a shared core."""

    @property
    def disturbed(self) -> bool:
        """Whether any call was disturbed."""
        return any(self.waited)


class Loop(Protocol):
    """A generation loop of a decoder."""

    def answer(self, prompt: int, generate: int) -> TimedAnswer:
        """Process a prompt and generate tokens; return the times."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FilledDecoder:
    """A decoder with synthetic weights in a folder."""

    folder: Path
    network: Path
    model: Model
    """The network, without fixed lengths."""
    shares: bool
    """Whether the input and the output of a cache share a buffer."""
    batch: int

    @property
    def words(self) -> int:
        """Size of the vocabulary."""
        return self.model.spec(logits_of(self.model.outputs)).shape[-1]


def filled(path: Path, model: Model, folder: Path, *, batch: int) -> FilledDecoder:
    """Write a decoder with synthetic weights.

    Raises:
        InputError: the folder cannot be written.
        UnsupportedModelError: a weight cannot have synthetic values.
    """
    network, blobs = open_network(path, model)
    write_weights(folder, blobs)
    whole = folder / f"{path.stem}.whole.onnx"
    whole.write_bytes(network_bytes(network))
    settings = decoder_beside(path)
    shares = settings is not None and settings.search.past_present_share_buffer
    return FilledDecoder(folder=folder, network=whole, model=model, shares=shares, batch=batch)


class CallWatch:
    """Detects whether consecutive calls waited for a processor.

    With one thread, a call that waited used less processor time than it took. With several threads, Linux also counts
    the time in which threads were ready to run but had no processor.
    """

    def __init__(self, threads: int, is_slow: Callable[[], bool] | None = None, *, computes: bool = True) -> None:
        """Prepare the watch; ``begin`` and ``end`` enclose each call.

        Args:
            computes: whether the processor computes during the whole call; False for a device.
            is_slow: returns whether cores are disturbed; None to time reads of the L1 cache.
        """
        self._several, self._is_slow, self._slow = threads > 1, is_slow or InterferenceDetector().is_slow, False
        self._computes = computes
        self._worked_ns, self._queued_ns = 0, 0
        # Total time of watching, ns.
        self.spent_ns = 0

    def begin(self) -> None:
        """Read the clocks before a call."""
        begin = time.perf_counter_ns()
        self._queued_ns = queued_ns() if self._several else 0
        self._look()
        self.spent_ns += time.perf_counter_ns() - begin
        self._worked_ns = time.process_time_ns()

    def end(self, took_ns: int) -> bool:
        """Return whether the call was disturbed: it waited for more than 2 % of its time, or shared its core."""
        worked_ns = time.process_time_ns() - self._worked_ns
        begin = time.perf_counter_ns()
        queued = queued_ns() - self._queued_ns if self._several else 0
        shared = self._look()
        self.spent_ns += time.perf_counter_ns() - begin
        return shared or (self._computes and has_waited(took_ns, worked_ns, queued))

    def _look(self) -> bool:
        # Return whether the core is shared now, or was when last checked.
        before, self._slow = self._slow, self._is_slow()
        return before or self._slow


def has_waited(took_ns: int, worked_ns: int, queued_ns: int) -> bool:
    """Return whether a call waited for a processor.

    Args:
        worked_ns: processor time of all threads, ns.
        queued_ns: total time in which threads were ready to run but had no processor, ns.

    >>> has_waited(1_000_000, 1_900_000, 90_000)
    True
    """
    most_ns = (1 - _BUSY) * took_ns + _SLACK_NS
    return took_ns - worked_ns > most_ns or queued_ns > most_ns


def queued_ns() -> int:
    """Return the total time in which threads of this process were ready but did not run, ns; 0 if unknown."""
    total = 0
    for task in _TASKS.iterdir() if _TASKS.is_dir() else ():
        with contextlib.suppress(OSError, IndexError, ValueError):  # a thread has ended
            total += int((task / "schedstat").read_bytes().split()[1])
    return total


class PlainLoop:
    """Greedy decoding with one call of the runtime per token, and with caches in bound buffers."""

    def __init__(
        self, decoder: FilledDecoder, settings: SessionSettings, *, room: int, chunk: int | None = None
    ) -> None:
        """Open the network.

        Args:
            room: capacity of the cache in tokens.
            chunk: tokens of the prompt per call; None for the whole prompt.

        Raises:
            UnsupportedModelError: the role of an input is unknown, or no output continues a cache.
        """
        self._decoder, self._room, self._chunk = decoder, room, chunk
        self._inputs = CallInputs(decoder.network, decoder.model)
        self._session = open_session(decoder.network, decoder.folder, settings)
        self._open = {output.name: output.shape for output in self._session.inference.get_outputs()}
        self._caches = {name: self._buffers(cache) for name, cache in self._inputs.caches.items()}
        self._result = self._inputs.result
        on_processor = backend(settings).device_number(settings) is None
        self._watch = CallWatch(settings.threads, slowness(settings), computes=on_processor)
        # Whether the last call was disturbed.
        self.waited = False
        # the runtime reads the buffers of inputs without owning them, so references are kept
        self._input_buffers: list[Any] = []
        # Buffers of logits by number of new tokens: a new buffer would cause page faults during a call.
        self._results: dict[int, Any] = {}

    def _buffers(self, cache: GrowingCache) -> list[Any]:
        # Allocate the buffer of a cache; two buffers if each call copies it, as it does for states.
        size, dtype = math.prod(cache.shape(self._room)), storage_dtype(cache.spec.dtype)
        shares = self._decoder.shares and (cache.slides or cache.axis is not None)
        return [self._session.place(cache.name, np.zeros(size, dtype)) for _ in range(1 if shares else 2)]

    def answer(self, prompt: int, generate: int) -> TimedAnswer:
        """Process a prompt and generate tokens; return the times."""
        begin, waited, watched = time.perf_counter_ns(), list[bool](), self._watch.spent_ns
        # a chunk divides the prompt, or is at least as long as it
        read = np.split(synthetic_prompt(self._decoder, prompt), prompt // min(self._chunk or prompt, prompt), axis=1)
        took, tokens, past = list[int](), read[0], 0
        for turn in range(1, len(read) + generate):
            logits, call_ns = self.call(tokens, past, turn=len(took))
            took.append(call_ns)
            waited.append(self.waited)
            past += tokens.shape[1]
            chosen = logits.reshape(len(logits), -1, logits.shape[-1])[:, -1].argmax(axis=-1).astype(np.int64)[:, None]
            tokens = read[turn] if turn < len(read) else chosen
        whole = time.perf_counter_ns() - begin - (self._watch.spent_ns - watched)
        prompt_ns, prompt_waited = _prompt_time(took[: len(read)], waited[: len(read)], alike=read[0].shape[1] == 1)
        calls, waits = (prompt_ns, *took[len(read) :]), (prompt_waited, *waited[len(read) :])
        return TimedAnswer(calls_ns=calls, between_ns=whole - sum(took), waited=waits)

    def call(self, tokens: NDArray[np.int64], past: int, *, turn: int) -> tuple[NDArray[Any], int]:
        """Call the network with new tokens.

        Args:
            tokens: array of shape (batch, new).
            turn: index of the call; a copied cache uses its two buffers alternately.

        Returns:
            The logits, which later calls may overwrite, and the time of the call in ns.
        """
        new, binding = tokens.shape[1], self._session.inference.io_binding()
        values = self._inputs.values(tokens, past)
        before, after = (self._room, self._room) if self._decoder.shares else (past, past + new)
        self._input_buffers = []
        for name in self._inputs.names:
            if name in self._caches:
                cache, buffers = self._inputs.caches[name], self._caches[name]
                source, sink = buffers[turn % len(buffers)], buffers[(turn + 1) % len(buffers)]
                self._bind(binding.bind_input, name, cache.spec.dtype, cache.shape(before), source)
                self._bind(binding.bind_output, cache.output, cache.spec.dtype, cache.shape(after), sink)
            else:
                value, spec = values[name], self._decoder.model.tensors.get(name)
                # numpy may not have the network's type; an input that became a constant has no spec
                dtype = value.dtype.name if spec is None else spec.dtype
                self._input_buffers.append(self._session.place(name, value))
                self._bind(binding.bind_input, name, dtype, value.shape, self._input_buffers[-1])
        shape, dtype = self._logits_shape(*tokens.shape), self._decoder.model.spec(self._result).dtype
        if new not in self._results:
            self._results[new] = self._session.place(self._result, np.empty(shape, storage_dtype(dtype)))
        logits = self._results[new]
        self._bind(binding.bind_output, self._result, dtype, shape, logits)
        self._watch.begin()
        begin = time.perf_counter_ns()
        self._session.inference.run_with_iobinding(binding)
        took_ns = time.perf_counter_ns() - begin
        self.waited = self._watch.end(took_ns)
        return logits if isinstance(logits, np.ndarray) else logits.numpy(), took_ns

    def _bind(self, bind: Any, name: str, dtype: str, shape: Sequence[int], buffer: Any) -> None:
        bind_buffer(bind, self._session, {"name": name, "dtype": dtype, "shape": shape}, buffer)

    def _logits_shape(self, batch: int, new: int) -> tuple[int, ...]:
        spec, open_ = self._decoder.model.spec(self._result), self._open[self._result]
        middle = (open_[1] if isinstance(open_[1], int) else new,) if len(open_) > _PER_INPUT else ()
        return (batch, *middle, spec.shape[-1])


def synthetic_prompt(decoder: FilledDecoder, length: int) -> NDArray[np.int64]:
    """Return distinct tokens, shape (batch, length); equal tokens would all go to the same experts.

    The tokens are from the middle of the vocabulary, since special tokens lie at its ends.
    """
    first = decoder.words // 2
    tokens = np.arange(decoder.batch * length, dtype=np.int64).reshape(decoder.batch, length)
    return first + tokens % max(1, min(first, _WORDS))


def _prompt_time(calls_ns: Sequence[int], waited: Sequence[bool], *, alike: bool) -> tuple[int, bool]:
    # Return the time of a prompt in ns, and whether it was disturbed. If neighbouring calls take about the same time
    # (``alike``), as those of single tokens do, a disturbed call gets the median of its undisturbed neighbours: among
    # hundreds of calls some are nearly always disturbed.
    times, still_waited = list[float](), False
    for index, (call_ns, late) in enumerate(zip(calls_ns, waited, strict=True)):
        near = slice(max(0, index - NEAR), index + NEAR + 1)
        calm = [other for other, slow in zip(calls_ns[near], waited[near], strict=True) if not slow]
        replaced = late and alike and bool(calm)
        times.append(statistics.median(calm) if replaced else call_ns)
        still_waited = still_waited or (late and not replaced)
    return round(sum(times)), still_waited


@contextlib.contextmanager
def on_one_core() -> Iterator[None]:
    """Keep the calling thread, and processes that it starts, on its core; without effect except on Linux.

    Two loops took 27.2 and 29.2 ms per step on one core, and 27.0 and 27.3 ms on another (``docs/decisions.md``).
    """
    if not _STAT.exists():
        yield
        return
    usual = os.sched_getaffinity(0)
    fields = _STAT.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
    os.sched_setaffinity(0, {int(fields[_PROCESSOR])})
    try:
        yield
    finally:
        os.sched_setaffinity(0, usual)
