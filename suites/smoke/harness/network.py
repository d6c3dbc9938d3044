"""One benchmark ready to be timed: its session, with inputs and outputs bound once, and constants of its own."""

import functools
import hashlib
import math
import mmap
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime

from .dtypes import BY_NAME, BY_ONNX, Numbers, byte_size, storage_dtype
from .errors import HarnessError
from .options import ONNXRUNTIME
from .output_digest import digest
from .session import Session, SessionSettings, open_session, provider_name
from .values import fill

SLOW_CALL_NS = 50_000_000
"""A warm-up call as long as this is not repeated."""
_PAGE = 4096


class Bound:
    """A session with its inputs and outputs bound to buffers that stay where they are, each in pages of its own."""

    def __init__(self, session: Session, benchmark: Mapping[str, Any], inputs: Mapping[str, Numbers]) -> None:
        """Bind every tensor of the contracts; on an accelerator the inputs are copied to it here.

        Args:
            session: of the network.
            benchmark: its ``inputs``, ``outputs``, ``overwrites``: the input in whose buffer the output is made, and
                ``shared``: such inputs by output.
            inputs: values by name; flat ones that begin at a page are used where they lie, others are copied.
        """
        self._session = session
        self._contracts = benchmark["outputs"]
        self.inference, self.binding = session.inference, session.inference.io_binding()
        self._run = session.inference.run_with_iobinding
        self._on_device = session.device != "cpu"
        on_processor = placed_on_processor(session)
        read: dict[str, Any] = {}
        for contract in benchmark["inputs"]:
            name = contract["name"]
            read[name] = self._placed(name in on_processor, _paged(inputs[name]))
            self._bind(self.binding.bind_input, contract, read[name])
        made = []
        for contract in self._contracts:
            length = byte_size(contract["dtype"], math.prod(contract["shape"]))
            buffer = read.get(benchmark.get("shared", {}).get(contract["name"]) or benchmark.get("overwrites", ""))
            if buffer is None:
                values = aligned(length)[:length].view(storage_dtype(contract["dtype"]))
                buffer = self._placed(contract["name"] in on_processor, values)
            made.append(buffer)
            self._bind(self.binding.bind_output, contract, made[-1])
        self._names, self._inputs, self._outputs = list(read), list(read.values()), made
        own = [buffer for buffer in made if not any(buffer is other for other in self._inputs)]
        self._buffers = [*self._inputs, *own]
        kept = [read[name] for name in dict.fromkeys(benchmark.get("shared", {}).values())]
        given = [buffer for buffer in self._inputs if not any(buffer is other for other in kept)]
        self.input_words, self.state_words, self.output_words = _words(given), _words(kept), _words(own)
        """As words: inputs that others make; those that a network keeps from call to call, as its cache; outputs that
        are made in no input's place. None on a device."""

    def _placed(self, on_processor: bool, values: Numbers) -> Any:
        """Give a buffer where the session's tensors live."""
        if on_processor or not self._on_device:
            return values
        return onnxruntime.OrtValue.ortvalue_from_numpy(values, self._session.device, self._session.device_id)

    def _bind(self, bind: Any, contract: Mapping[str, Any], buffer: Any) -> None:
        here = isinstance(buffer, np.ndarray)
        place = buffer.ctypes.data if here else buffer.data_ptr()
        device, device_id = ("cpu", 0) if here else (self._session.device, self._session.device_id)
        number = BY_NAME[contract["dtype"]].onnx
        bind(contract["name"], device, device_id, number, list(contract["shape"]), place)

    def bind_as(self, binding: Any, benchmark: Mapping[str, Any], name: Callable[[str], str]) -> None:
        """Bind inputs and outputs of another session, whose names are made of those of this one, to its buffers."""
        pairs = [(binding.bind_input, *pair) for pair in zip(benchmark["inputs"], self._inputs, strict=True)]
        pairs += [(binding.bind_output, *pair) for pair in zip(self._contracts, self._outputs, strict=True)]
        for bind, contract, buffer in pairs:
            self._bind(bind, {**contract, "name": name(contract["name"])}, buffer)

    def places(self) -> list[tuple[str, int, int, int]]:
        """Give device, its number, address and size of every input and output, each buffer once."""
        here = [("cpu", 0, one.ctypes.data, one.nbytes) for one in self._buffers if isinstance(one, np.ndarray)]
        device, number = self._session.device, self._session.device_id
        there = (one for one in self._buffers if not isinstance(one, np.ndarray))
        return here + [(device, number, one.data_ptr(), one.tensor_size_in_bytes()) for one in there]

    def refill(self, inputs: Mapping[str, Numbers]) -> None:
        """Put other values into the buffers of all inputs.

        Args:
            inputs: values by name, as they were given at first.
        """
        for contract, buffer in zip(self._names, self._inputs, strict=True):
            values = inputs[contract].reshape(-1)
            if isinstance(buffer, np.ndarray):
                buffer.reshape(-1)[:] = values
            else:
                buffer.update_inplace(values)

    def call(self) -> int:
        """Call the network once, until a device has done it, for which the runtime waits; give the duration in ns."""
        run, binding, clock = self._run, self.binding, time.perf_counter_ns
        start = clock()
        run(binding)
        return clock() - start

    def visit(self, calls: int) -> list[int]:
        """Call the network ``calls`` times back to back; give the duration of each call in ns."""
        return [self.call() for _ in range(calls)]

    def warm_up(self) -> list[int]:
        """Make the calls that allocate memory; give their durations in ns."""
        samples = self.visit(1)
        return samples + self.warm_up_again(samples[0])

    def warm_up_again(self, first_ns: int, *, layers: int = 2) -> list[int]:
        """Make a second call where the first one only learnt what memory is needed; give its duration in ns.

        Tensors between layers lie in a block that the first call measured and the second one takes. A single layer has
        none, and where calls are slow it matters little. On a device the first call also loads code and makes plans.

        Args:
            first_ns: duration of the first call.
            layers: of the network.
        """
        return self.visit(1) if self._on_device or (layers > 1 and first_ns <= SLOW_CALL_NS) else []

    def outputs(self) -> list[Numbers]:
        """Give the storage arrays of the last call's outputs, flat."""
        return [buffer if isinstance(buffer, np.ndarray) else buffer.numpy() for buffer in self._outputs]

    def output_digests(self) -> list[dict[str, Any]]:
        """Give a digest of each output of the last call."""
        return [
            digest(values, contract["dtype"], contract["shape"])
            for values, contract in zip(self.outputs(), self._contracts, strict=True)
        ]


def copy_name(tensor: str, number: int) -> str:
    """Name a tensor of a copy of a network; those of the first copy, and those left out, have their own names."""
    return f"{tensor}~{number}" if number and tensor else tensor


def placed_on_processor(session: Session) -> frozenset[str]:
    """Give the inputs and outputs that nodes on a device read from, or write to, the processor's memory.

    None where no node of the network has a kernel for the device: its network copies to it and back, so both lie there.
    """
    if session.device == "cpu" or set(dict(session.placement)) == {"CPUExecutionProvider"}:
        return frozenset()
    found: list[str] = []
    for kind in ("input", "output"):
        infos: list[Any] = getattr(session.inference, f"get_{kind}_memory_infos", list)()  # not in runtimes before 1.23
        names = [one.name for one in getattr(session.inference, f"get_{kind}s")()]
        found += [name for name, info in zip(names, infos, strict=False) if str(info.name).lower() == "cpu"]
    return frozenset(found)


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """A benchmark that has been loaded."""

    session: Session
    bound: Bound
    load_ns: int
    """Time in which the runtime opened the session."""
    placement: tuple[tuple[str, int], ...]
    """Nodes per execution provider; empty on the CPU provider."""


def prepare(
    benchmark: Mapping[str, Any],
    suite_folder: Path,
    weights: Path,
    settings: SessionSettings,
    seed: int,
    *,
    profile: Path | None = None,
) -> Prepared:
    """Open a benchmark of a suite and bind its inputs and outputs; nothing is run.

    Args:
        benchmark: its entry in ``suite.json``.
        suite_folder: where ``networks/`` lies.
        weights: folder of the weight files, already written.
        settings: of the session; the benchmark decides on the graph optimisations.
        seed: of the suite.
        profile: beginning of the path of the runtime's own profile; None for none.

    Raises:
        HarnessError: the network file is missing or is not the one that the suite was made with, or the provider
            cannot run it.
        Exception: whatever onnxruntime raises for a network that it cannot load.
    """
    path = suite_folder / benchmark["network"]
    try:
        network = path.read_bytes()
    except OSError as error:
        raise HarnessError(f"cannot read {benchmark['network']}: {error.strerror or error}") from error
    if hashlib.sha256(network).hexdigest() != benchmark["digest"]:
        raise HarnessError(f"{benchmark['network']} was changed after the suite was made")
    start = time.perf_counter_ns()
    on_processor = settings.runtime == ONNXRUNTIME and provider_name(settings.provider) == provider_name("cpu")
    as_it_is = benchmark["optimization"] == "none" and on_processor
    constants = own_constants(network, weights) if as_it_is else []
    optimized = settings.with_optimization(benchmark["optimization"])
    session = open_session(network, weights, optimized, profile=profile, constants=constants)
    load_ns = time.perf_counter_ns() - start
    bound = Bound(session, benchmark, make_inputs(benchmark, seed))
    return Prepared(session=session, bound=bound, load_ns=load_ns, placement=session.placement)


def make_inputs(benchmark: Mapping[str, Any], seed: int) -> dict[str, Numbers]:
    """Make the inputs of a benchmark from their contracts: the same numbers on every machine, each in its own pages.

    The numbers depend on the contract and the name of the input, so that a worker makes them up only once.
    """
    made = {}
    for contract in benchmark["inputs"]:
        dtype, shape, stream = contract["dtype"], contract["shape"], f"inputs/{contract['name']}"
        nbytes = byte_size(dtype, math.prod(shape)) if dtype in BY_NAME else 0
        made[contract["name"]] = fill(dtype, shape, contract["generator"], seed, stream, space=aligned(nbytes)[:nbytes])
    return made


def _paged(values: Numbers) -> Numbers:
    """Give the values flat, from the beginning of a page on."""
    flat = np.ascontiguousarray(values).reshape(-1)
    if flat.ctypes.data % _PAGE == 0:
        return flat
    made = aligned(flat.nbytes)[: flat.nbytes].view(flat.dtype)
    made[:] = flat
    return made


def _words(buffers: Sequence[Any]) -> list[Numbers]:
    """Give views of buffers by which all of their lines can be read quickly; none of what lies on a device."""
    flat = [buffer.reshape(-1).view(np.uint8) for buffer in buffers if isinstance(buffer, np.ndarray)]
    return [data[: data.size // 8 * 8].view(np.int64) if data.size >= 8 else data for data in flat if data.size]


_NUMPY_ASKS_FOR_HUGE_PAGES = 1 << 22
"""Bytes from which numpy asks for huge pages on Linux; the runtime does not, and each small page costs a lookup."""


def aligned(nbytes: int) -> Numbers:
    """Allocate uninitialised memory that begins at a page: flat, uint8, rounded up to whole words.

    Buffers of an operator that differ by a few lines modulo 4096 alias in the load and store queues of processors,
    which slows element-wise operators to a third; inside a network they lie in pages of their own.
    """
    length = -(-max(nbytes, 1) // 8) * 8
    if length >= _NUMPY_ASKS_FOR_HUGE_PAGES:
        return np.frombuffer(_small_pages(length), np.uint8)
    space = np.empty(length + _PAGE, np.uint8)
    begin = -space.ctypes.data % _PAGE
    return space[begin : begin + length]


def _small_pages(nbytes: int) -> mmap.mmap:
    """Map anonymous memory, private to the process where the system supports that.

    Raises:
        MemoryError: there is none.
    """
    try:
        if hasattr(mmap, "MAP_PRIVATE"):
            return mmap.mmap(-1, nbytes, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        return mmap.mmap(-1, nbytes)
    except OSError as error:
        raise MemoryError(f"cannot have {nbytes} bytes") from error


def own_constants(network: bytes, weights: Path) -> list[tuple[str, Any]]:
    """Copy the constants of a network that its kernels would read from shared pages.

    Args:
        network: a serialised ModelProto.
        weights: folder of its weight files.

    Returns:
        Name and ``OrtValue`` of each; they have to live as long as the session.

    Raises:
        OSError: a weight file cannot be read.
    """
    from .model_file import read_directly  # not needed where the runtime optimises

    made = []
    for one in read_directly(network):
        storage = storage_dtype(BY_ONNX[one.dtype].name)
        if storage.name != BY_ONNX[one.dtype].name or one.length == 0:
            continue  # numpy has no such numbers
        memory = aligned(one.length)[: one.length]
        memory[:] = _mapped(weights / one.file)[one.offset : one.offset + one.length]
        values = memory.view(storage).reshape(one.shape)
        made.append((one.name, onnxruntime.OrtValue.ortvalue_from_numpy(values)))
    return made


@functools.lru_cache(maxsize=256)
def _mapped(path: Path) -> Numbers:
    return np.memmap(path, np.uint8, "r")
