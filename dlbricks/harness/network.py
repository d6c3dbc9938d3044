"""Loads a benchmark: opens its session, binds inputs and outputs, and copies constants."""

import hashlib
import math
import mmap
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from .dtypes import BY_NAME, Numbers, byte_size, storage_dtype
from .errors import HarnessError
from .output_digest import digest
from .session import Session, SessionSettings, backend, open_session
from .values import fill

# A warm-up call of at least this duration is not repeated.
SLOW_CALL_NS = 50_000_000
_PAGE = 4096


class Bound:
    """A session whose inputs and outputs are bound to fixed buffers, each in memory pages of its own."""

    def __init__(self, session: Session, benchmark: Mapping[str, Any], inputs: Mapping[str, Numbers]) -> None:
        """Bind every input and output to a buffer; on an accelerator, copy the inputs to the device.

        ``benchmark`` has ``inputs`` and ``outputs`` (name, dtype, shape). If ``shared`` maps an output to an input, or
        ``overwrites`` names an input, both use one buffer. Flat page-aligned inputs are not copied.
        """
        self.session = session
        self._contracts = benchmark["outputs"]
        self.inference, self.binding = session.inference, session.inference.io_binding()
        self._run = session.inference.run_with_iobinding
        self._on_device = session.device != "cpu"
        read: dict[str, Any] = {}
        for contract in benchmark["inputs"]:
            name = contract["name"]
            read[name] = session.place(name, _paged(inputs[name]))
            self._bind(self.binding.bind_input, contract, read[name])
        outputs = []
        for contract in self._contracts:
            length = byte_size(contract["dtype"], math.prod(contract["shape"]))
            buffer = read.get(benchmark.get("shared", {}).get(contract["name"]) or benchmark.get("overwrites", ""))
            if buffer is None:
                values = aligned(length)[:length].view(storage_dtype(contract["dtype"]))
                buffer = session.place(contract["name"], values)
            outputs.append(buffer)
            self._bind(self.binding.bind_output, contract, outputs[-1])
        self._names, self._inputs, self._outputs = list(read), list(read.values()), outputs
        pairs = zip(self._contracts, outputs, strict=True)
        self._own = [pair for pair in pairs if not any(pair[1] is other for other in self._inputs)]
        own = [buffer for _, buffer in self._own]
        self._buffers = [*self._inputs, *own]
        states = [read[name] for name in dict.fromkeys(benchmark.get("shared", {}).values())]
        others = [buffer for buffer in self._inputs if not any(buffer is other for other in states)]
        self.input_words, self.state_words, self.output_words = _words(others), _words(states), _words(own)
        """The buffers as 64-bit words: of plain inputs, of inputs shared with an output (state between calls), and of
        other outputs. All are empty on a device."""

    def _bind(self, bind: Any, contract: Mapping[str, Any], buffer: Any) -> None:
        bind_buffer(bind, self.session, contract, buffer)

    @property
    def output_pages(self) -> int:
        """Bytes of the outputs with buffers of their own, each rounded up to whole pages."""
        return sum(_whole_pages(buffer.nbytes) for _, buffer in self._own)

    def write_to(self, space: Numbers | None) -> None:
        """Bind the outputs with buffers of their own to ``space``; None binds them to their own buffers again.

        ``space`` has ``output_pages`` bytes and begins at a page.
        """
        begin = 0
        for contract, buffer in self._own:
            place = buffer if space is None else space[begin : begin + buffer.nbytes].view(buffer.dtype)
            self._bind(self.binding.bind_output, contract, place)
            begin += _whole_pages(buffer.nbytes)

    def places(self) -> list[tuple[str, int, int, int]]:
        """Return device, device number, address and size (bytes) of each buffer."""
        here = [("cpu", 0, array.ctypes.data, array.nbytes) for array in self._buffers if isinstance(array, np.ndarray)]
        device, number = self.session.device, self.session.device_id
        there = (buffer for buffer in self._buffers if not isinstance(buffer, np.ndarray))
        return here + [(device, number, buffer.data_ptr(), buffer.tensor_size_in_bytes()) for buffer in there]

    def refill(self, inputs: Mapping[str, Numbers]) -> None:
        """Write new values, by name, into the buffers of all inputs."""
        for contract, buffer in zip(self._names, self._inputs, strict=True):
            values = inputs[contract].reshape(-1)
            if isinstance(buffer, np.ndarray):
                buffer.reshape(-1)[:] = values
            else:
                buffer.update_inplace(values)

    def call(self) -> int:
        """Call the network once and wait for the device; return the duration in ns."""
        run, binding, clock = self._run, self.binding, time.perf_counter_ns
        start = clock()
        run(binding)
        return clock() - start

    def visit(self, calls: int) -> list[int]:
        """Call the network ``calls`` times back to back; return the duration of each call in ns."""
        return [self.call() for _ in range(calls)]

    def warm_up(self) -> list[int]:
        """Make the first calls, which allocate memory; return their durations in ns."""
        samples = self.visit(1)
        return samples + self.warm_up_again(samples[0])

    def warm_up_again(self, first_ns: int, *, layers: int = 2) -> list[int]:
        """Make a second warm-up call if it would be slower than later ones; return its duration in ns, in a list."""
        # onnxruntime's memory pattern: the first call records the sizes of the tensors between layers, the second one
        # allocates them as one block. A single layer has none, and slow calls hardly change. On a device the first
        # call also loads code and chooses algorithms.
        return self.visit(1) if self._on_device or (layers > 1 and first_ns <= SLOW_CALL_NS) else []

    def outputs(self) -> list[Numbers]:
        """Return the outputs of the last call as flat storage arrays."""
        return [buffer if isinstance(buffer, np.ndarray) else buffer.numpy() for buffer in self._outputs]

    def output_digests(self) -> list[dict[str, Any]]:
        """Return a digest of each output of the last call."""
        return [
            digest(values, contract["dtype"], contract["shape"])
            for values, contract in zip(self.outputs(), self._contracts, strict=True)
        ]


def bind_buffer(bind: Any, session: Session, contract: Mapping[str, Any], buffer: Any) -> None:
    """Call ``bind``, a method of a session's binding, to bind the input or output ``contract`` to a buffer."""
    here = isinstance(buffer, np.ndarray)
    place = buffer.ctypes.data if here else buffer.data_ptr()
    device, device_id = ("cpu", 0) if here else (session.device, session.device_id)
    bind(contract["name"], device, device_id, BY_NAME[contract["dtype"]].onnx, list(contract["shape"]), place)


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """A benchmark with an open session and bound inputs and outputs."""

    session: Session
    bound: Bound
    load_ns: int
    """Time to open the session, ns."""


def prepare(
    benchmark: Mapping[str, Any],
    suite_folder: Path,
    weights: Path,
    settings: SessionSettings,
    seed: int,
    *,
    profile: Path | None = None,
) -> Prepared:
    """Open a benchmark of a suite and bind its inputs and outputs; its weight files must exist.

    Raises:
        HarnessError: the network file is missing or was changed, or the provider cannot run it.
        Exception: any type, which the runtime raises for a network that it cannot load.
    """
    path = suite_folder / benchmark["network"]
    try:
        network = path.read_bytes()
    except OSError as error:
        raise HarnessError(f"cannot read {benchmark['network']}: {error.strerror or error}") from error
    if hashlib.sha256(network).hexdigest() != benchmark["digest"]:
        raise HarnessError(f"{benchmark['network']} was changed after the suite was generated: generate it again")
    start = time.perf_counter_ns()
    optimized = replace(settings, optimization=benchmark["optimization"])
    constants = backend(optimized).constants_in_place(network, weights, optimized)
    session = open_session(network, weights, optimized, profile=profile, constants=constants)
    load_ns = time.perf_counter_ns() - start
    bound = Bound(session, benchmark, make_inputs(benchmark, seed))
    return Prepared(session=session, bound=bound, load_ns=load_ns)


def make_inputs(benchmark: Mapping[str, Any], seed: int) -> dict[str, Numbers]:
    """Generate the inputs of a benchmark, each in memory pages of its own.

    The values depend only on seed, type, shape, generator and name of the input.
    """
    inputs = {}
    for contract in benchmark["inputs"]:
        dtype, shape, stream = contract["dtype"], contract["shape"], f"inputs/{contract['name']}"
        nbytes = byte_size(dtype, math.prod(shape)) if dtype in BY_NAME else 0
        inputs[contract["name"]] = fill(
            dtype, shape, contract["generator"], seed, stream, space=aligned(nbytes)[:nbytes]
        )
    return inputs


def _paged(values: Numbers) -> Numbers:
    # Return the values in a flat array that begins at a page
    flat = np.ascontiguousarray(values).reshape(-1)
    if flat.ctypes.data % _PAGE == 0:
        return flat
    paged = aligned(flat.nbytes)[: flat.nbytes].view(flat.dtype)
    paged[:] = flat
    return paged


def _whole_pages(nbytes: int) -> int:
    return -(-nbytes // _PAGE) * _PAGE


def _words(buffers: Sequence[Any]) -> list[Numbers]:
    # Return the host buffers as arrays of 64-bit words, which numpy reads quickly
    flat = [buffer.reshape(-1).view(np.uint8) for buffer in buffers if isinstance(buffer, np.ndarray)]
    return [data[: data.size // 8 * 8].view(np.int64) if data.size >= 8 else data for data in flat if data.size]


# From this size on numpy asks for huge pages on Linux. onnxruntime does not, so that its buffers have more TLB misses.
_NUMPY_ASKS_FOR_HUGE_PAGES = 1 << 22


def aligned(nbytes: int) -> Numbers:
    """Allocate a flat uint8 array that begins at a page; its size is rounded up to whole 64-bit words.

    Element-wise operators are three times slower if addresses of buffers differ by a few cache lines modulo 4096 (4K
    aliasing). Inside a network, each tensor has pages of its own.
    """
    length = -(-max(nbytes, 1) // 8) * 8
    if length >= _NUMPY_ASKS_FOR_HUGE_PAGES:
        return np.frombuffer(_small_pages(length), np.uint8)
    space = np.empty(length + _PAGE, np.uint8)
    begin = -space.ctypes.data % _PAGE
    return space[begin : begin + length]


def _small_pages(nbytes: int) -> mmap.mmap:
    # Map anonymous memory without huge pages, private to the process if the system supports that
    try:
        return mmap.mmap(-1, nbytes, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    except OSError as error:
        raise MemoryError(f"cannot allocate {nbytes} bytes") from error
