"""Execution of a decoder's generation loop: by the runtime directly, or by onnxruntime-genai's generator."""

import importlib
import json
import mmap
import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from dlbricks.errors import InputError, MissingDependencyError
from dlbricks.harness.call_timer import slowness
from dlbricks.harness.dtypes import storage_dtype
from dlbricks.harness.network import bind_buffer, on_device, placed_on_processor
from dlbricks.harness.session import SessionSettings, is_device, open_session
from dlbricks.model.emit import network_bytes, open_network, write_weights
from dlbricks.model.read.call_axes import axis_keys, logits_of
from dlbricks.model.read.decoders import SETTINGS, decoder_beside, sliding_length
from dlbricks.model.read.skim import skim
from dlbricks.model.types import Model
from dlbricks.plugins.llm.call_watch import CallWatch
from dlbricks.plugins.llm.decoder_inputs import CallInputs, GrowingCache

GENAI = "onnxruntime_genai"
NEAR = 4
"""Number of neighbouring steps on each side over which the median of a step's time is taken."""
_WORDS = 1000
"""Number of tokens that prompts are made of, or all if the decoder has fewer."""
_PER_INPUT = 2
"""Rank of logits of the last token only."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TimedAnswer:
    """Times of one generation, ns."""

    calls_ns: tuple[int, ...]
    """Time of the prompt (the sum of its calls), and of each further token."""
    between_ns: int
    """Total time between the calls: binding buffers, choosing tokens."""
    waited: tuple[bool, ...]
    """For each call, whether it waited for a processor for more than 2 % of its time, or its core was shared with
    another guest before or after it; benchmarks leave out such calls, too."""

    @property
    def disturbed(self) -> bool:
        """Whether a call waited."""
        return any(self.waited)


class Loop(Protocol):
    """A generation loop."""

    def answer(self, prompt: int, generate: int) -> TimedAnswer:
        """Process a prompt of ``prompt`` tokens and generate ``generate`` tokens."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FilledDecoder:
    """A decoder with synthetic weights in a folder."""

    folder: Path
    network: Path
    model: Model
    """The network at any lengths."""
    shares: bool
    """Whether input and output of the cache are in one buffer."""
    batch: int

    @property
    def words(self) -> int:
        """Size of its vocabulary."""
        return self.model.spec(logits_of(self.model.outputs)).shape[-1]


def filled(path: Path, model: Model, folder: Path, *, batch: int) -> FilledDecoder:
    """Write a decoder with synthetic weights.

    Args:
        path: of the decoder.
        model: the network.
        folder: for the network and its weights, which may exist.
        batch: batch size.

    Raises:
        InputError: the folder cannot be written.
        UnsupportedModelError: there are no synthetic values for some of its weights.
    """
    network, blobs = open_network(path, model)
    write_weights(folder, blobs)
    made = folder / f"{path.stem}.whole.onnx"
    made.write_bytes(network_bytes(network))
    settings = decoder_beside(path)
    shares = settings is not None and settings.search.past_present_share_buffer
    return FilledDecoder(folder=folder, network=made, model=model, shares=shares, batch=batch)


class PlainLoop:
    """Greedy decoding with one call of the runtime per token and the cache in bound buffers.

    On a device these are there, and so are the logits until the call is over.
    """

    def __init__(
        self, decoder: FilledDecoder, settings: SessionSettings, *, room: int, chunk: int | None = None
    ) -> None:
        """Open the network.

        Args:
            decoder: the decoder.
            settings: of the session.
            room: capacity of the cache in tokens.
            chunk: tokens of a prompt per call; None for all.

        Raises:
            UnsupportedModelError: it has unknown inputs, or outputs of its caches are not known.
        """
        self._decoder, self._room, self._chunk = decoder, room, chunk
        self._inputs = CallInputs(decoder.network, decoder.model)
        self._session = open_session(decoder.network, decoder.folder, settings)
        self._on_processor = placed_on_processor(self._session)
        self._open = {output.name: output.shape for output in self._session.inference.get_outputs()}
        self._caches = {name: self._buffers(cache) for name, cache in self._inputs.caches.items()}
        self._result = self._inputs.result
        self._watch = CallWatch(settings.threads, slowness(settings), computes=not is_device(settings))
        self.waited = False
        """Whether the last call waited for a processor or had to share it."""
        self._kept: list[Any] = []
        """Buffers of the inputs of the last call."""
        self._results: dict[int, Any] = {}
        """Buffers of logits by number of new tokens; a new buffer would cause page faults during the call."""

    def _buffers(self, one: GrowingCache) -> list[Any]:
        """Allocate the buffer of a cache, or two buffers if it is copied from call to call, as states are."""
        size, dtype = one.elements(self._room), storage_dtype(one.spec.dtype)
        shares = self._decoder.shares and (one.slides or one.axis is not None)
        return [self._placed(one.name, np.zeros(size, dtype)) for _ in range(1 if shares else 2)]

    def _placed(self, name: str, values: NDArray[Any]) -> Any:
        """Return the buffer of an input or output where the runtime expects it."""
        return values if name in self._on_processor else on_device(self._session, values)

    def _shapes(self, one: GrowingCache, past: int, new: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return the shape of a cache before and after a call."""
        before, after = (self._room, self._room) if self._decoder.shares else (past, past + new)
        return one.shape(before), one.shape(after)

    def answer(self, prompt: int, generate: int) -> TimedAnswer:
        """Process a prompt and generate further tokens."""
        begin, waited, watched = time.perf_counter_ns(), list[bool](), self._watch.spent_ns
        read = _parts(made_up_prompt(self._decoder, prompt), self._chunk)
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
            past: number of tokens before them.
            turn: index of the call, which selects the buffers of a cache that is copied.

        Returns:
            The logits, which later calls may overwrite, and the time of the call in ns.
        """
        batch, new = tokens.shape
        given = self._inputs.given(tokens, past)
        binding = self._session.inference.io_binding()
        self._kept = []
        for name in self._inputs.names:
            if name in self._caches:
                one, buffers = self._inputs.caches[name], self._caches[name]
                before, after = self._shapes(one, past, new)
                self._bind(binding.bind_input, name, one.spec.dtype, before, buffers[turn % len(buffers)])
                self._bind(binding.bind_output, one.output, one.spec.dtype, after, buffers[(turn + 1) % len(buffers)])
            else:
                values = given[name]
                self._kept.append(self._placed(name, values))
                self._bind(binding.bind_input, name, self._dtype(name, values), values.shape, self._kept[-1])
        shape, dtype = self._logits_shape(batch, new), self._decoder.model.spec(self._result).dtype
        if new not in self._results:
            self._results[new] = self._placed(self._result, np.empty(shape, storage_dtype(dtype)))
        logits = self._results[new]
        self._bind(binding.bind_output, self._result, dtype, shape, logits)
        self._watch.begin()
        begin = time.perf_counter_ns()
        self._session.inference.run_with_iobinding(binding)
        took = time.perf_counter_ns() - begin
        self.waited = self._watch.end(took)
        return logits if isinstance(logits, np.ndarray) else logits.numpy(), took

    def _bind(self, bind: Any, name: str, dtype: str, shape: Sequence[int], buffer: Any) -> None:
        bind_buffer(bind, self._session, {"name": name, "dtype": dtype, "shape": shape}, buffer)

    def _dtype(self, name: str, values: NDArray[Any]) -> str:
        """Return the type of an input, whose values numpy may not have a type for."""
        known = self._decoder.model.tensors.get(name)  # none where it became a constant
        return known.dtype if known is not None else values.dtype.name

    def _logits_shape(self, batch: int, new: int) -> tuple[int, ...]:
        spec, open_ = self._decoder.model.spec(self._result), self._open[self._result]
        middle = (open_[1] if isinstance(open_[1], int) else new,) if len(open_) > _PER_INPUT else ()
        return (batch, *middle, spec.shape[-1])


class GeneratorLoop:
    """Generation by onnxruntime-genai's generator, which binds buffers and chooses tokens itself."""

    def __init__(self, decoder: FilledDecoder, original: Path, *, threads: int, chunk: int | None = None) -> None:
        """Open the decoder's folder.

        Args:
            decoder: the decoder.
            original: its original file, in the folder of the settings.
            threads: intra-op threads.
            chunk: tokens of a prompt per call; None for all.

        Raises:
            MissingDependencyError: the package is not installed.
        """
        self._genai = _genai()
        self._decoder, self._chunk, self._least = decoder, chunk, sliding_length(original)
        settings = json.loads((original.parent / SETTINGS).read_text(encoding="utf-8"))
        chosen = settings["model"]["decoder"]
        chosen["filename"] = decoder.network.name
        chosen["session_options"] = {"intra_op_num_threads": threads, "log_severity_level": 3, "provider_options": []}
        (decoder.folder / SETTINGS).write_text(json.dumps(settings), encoding="utf-8")
        self._model = self._genai.Model(str(decoder.folder))
        self._watch = CallWatch(threads)
        self._logits_bytes = logits_bytes(decoder)

    def answer(self, prompt: int, generate: int) -> TimedAnswer:
        """Process a prompt and generate further tokens; the calls include choosing these."""
        parameters = self._genai.GeneratorParams(self._model)
        most = prompt + generate
        # it gives sliding caches no more room than all others, and the runtime refuses less than a window
        room = max(most, self._least)
        parameters.set_search_options(max_length=room, min_length=most, batch_size=self._decoder.batch, do_sample=False)
        parts = _parts(made_up_prompt(self._decoder, prompt).astype(np.int32), self._chunk)
        touch_new_memory(self._logits_bytes * parts[0].shape[1])
        generator = self._genai.Generator(self._model, parameters)
        calls, waited = list[int](), list[bool]()
        for call in (
            *(partial(generator.append_tokens, part) for part in parts),
            *[generator.generate_next_token] * generate,
        ):
            self._watch.begin()
            begin = time.perf_counter_ns()
            call()
            calls.append(time.perf_counter_ns() - begin)
            waited.append(self._watch.end(calls[-1]))
        many, alike = len(parts), parts[0].shape[1] == 1
        prompt_ns, prompt_waited = _prompt_time(calls[:many], waited[:many], alike=alike)
        calls[: many + 1] = [prompt_ns + calls[many]]
        waited[: many + 1] = [prompt_waited or waited[many]]
        return TimedAnswer(calls_ns=tuple(calls), between_ns=0, waited=tuple(waited))


def logits_bytes(decoder: FilledDecoder) -> int:
    """Return the bytes of logits of one token for the batch; 0 if there are only those of the last one."""
    outputs = skim(decoder.network).graph.output
    name = logits_of([output.name for output in outputs])
    keys = next(axis_keys(output) for output in outputs if output.name == name)
    spec = decoder.model.spec(name)
    each = storage_dtype(spec.dtype).itemsize * decoder.batch * spec.shape[-1]
    return each if len(keys) > _PER_INPUT and keys[1] else 0


def touch_new_memory(nbytes: int) -> None:
    """Get so much memory, write to each page, and give it back.

    onnxruntime-genai makes the logits of a prompt anew. What a guest has not used for long its machine has to give it
    first, which takes two to three times as long as getting it from this guest again.
    """
    if nbytes:
        with mmap.mmap(-1, nbytes) as space:
            pages = np.frombuffer(space, np.uint8)[:: mmap.PAGESIZE]
            pages[...] = 1
            del pages


def made_up_prompt(decoder: FilledDecoder, length: int) -> NDArray[np.int64]:
    """Return different tokens, of shape (batch, length): of equal ones all would go to the same experts.

    They are from the middle of the vocabulary, since padding and other marks lie at its ends.
    """
    first = decoder.words // 2
    tokens = np.arange(decoder.batch * length, dtype=np.int64).reshape(decoder.batch, length)
    return first + tokens % max(1, min(first, _WORDS))


def _prompt_time(calls_ns: Sequence[int], waited: Sequence[bool], *, alike: bool) -> tuple[int, bool]:
    """Return the time of a prompt, and whether it waited.

    Args:
        calls_ns: of its calls.
        waited: whether they waited.
        alike: whether neighbouring calls take about the same time, as of single tokens; then those that waited count as
            the median of their neighbours that did not, as hundreds of calls hardly ever all have their processor.
    """
    times, left = list[float](), False
    for index, (ns, late) in enumerate(zip(calls_ns, waited, strict=True)):
        near = slice(max(0, index - NEAR), index + NEAR + 1)
        calm = [other for other, slow in zip(calls_ns[near], waited[near], strict=True) if not slow]
        mended = late and alike and bool(calm)
        times.append(statistics.median(calm) if mended else ns)
        left = left or (late and not mended)
    return round(sum(times)), left


def _parts(tokens: NDArray[Any], chunk: int | None) -> list[NDArray[Any]]:
    """Split a prompt into its calls; the chunk divides it, or is at least as long."""
    length = tokens.shape[1]
    return np.split(tokens, length // min(chunk or length, length), axis=1)


def require_generator(path: Path) -> None:
    """Check before a run that onnxruntime-genai can generate with a decoder.

    Raises:
        InputError: its settings are missing.
        MissingDependencyError: the package is not installed.
    """
    settings = path.parent / SETTINGS
    if decoder_beside(path) is None:
        reason = "is for another file" if settings.is_file() else "is missing"
        raise InputError(
            f"--generator is for decoders with settings of onnxruntime-genai, and {settings} {reason}: leave "
            "--generator out"
        )
    _genai()


def _genai() -> Any:
    try:
        return importlib.import_module(GENAI)
    except ImportError as error:
        raise MissingDependencyError(
            "onnxruntime-genai is not installed: pip install onnxruntime-genai, or leave --generator out"
        ) from error
