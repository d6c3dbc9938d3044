"""One benchmark, ready to be timed: inputs and outputs bound once, each call timed on its own in integer ns."""

import hashlib
import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from .bits import Numbers
from .constants import aligned, own_constants
from .dtypes import BY_NAME, byte_size, storage_dtype
from .errors import HarnessError
from .session import Session, SessionSettings, open_session, provider_name
from .sketch import sketch
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
            benchmark: its ``inputs``, ``outputs``, and ``overwrites``: the input in whose buffer the output is made.
            inputs: values by name; flat ones that begin at a page are used where they lie, others are copied.
        """
        self._session = session
        self._contracts = benchmark["outputs"]
        self._run, self._binding = session.inference.run_with_iobinding, session.inference.io_binding()
        self._on_device = session.device != "cpu"
        read: dict[str, Any] = {}
        for contract in benchmark["inputs"]:
            name = contract["name"]
            read[name] = self._placed(_paged(inputs[name]))
            self._bind(self._binding.bind_input, contract, read[name])
        made = []
        for contract in self._contracts:
            length = byte_size(contract["dtype"], math.prod(contract["shape"]))
            buffer = read.get(benchmark.get("overwrites", ""))
            if buffer is None:
                buffer = self._placed(aligned(length)[:length].view(storage_dtype(contract["dtype"])))
            made.append(buffer)
            self._bind(self._binding.bind_output, contract, made[-1])
        self._inputs, self._outputs = list(read.values()), made
        own = [buffer for buffer in made if not any(buffer is other for other in self._inputs)]
        self.input_words, self.output_words = _words(self._inputs), _words(own)
        """All of the inputs, and of the outputs that are made in no input's place, as words; none on a device."""

    def _placed(self, values: Numbers) -> Any:
        """Give a buffer where the session's tensors live."""
        if not self._on_device:
            return values
        import onnxruntime

        return onnxruntime.OrtValue.ortvalue_from_numpy(values, self._session.device, self._session.device_id)

    def _bind(self, bind: Any, contract: Mapping[str, Any], buffer: Any) -> None:
        place = buffer.ctypes.data if isinstance(buffer, np.ndarray) else buffer.data_ptr()
        number, device_id = BY_NAME[contract["dtype"]].onnx, self._session.device_id
        bind(contract["name"], self._session.device, device_id, number, list(contract["shape"]), place)

    def call(self) -> int:
        """Call the network once; give the duration in ns."""
        run, binding, clock = self._run, self._binding, time.perf_counter_ns
        if self._on_device:
            start = clock()
            run(binding)
            binding.synchronize_outputs()
        else:
            start = clock()
            run(binding)
        return clock() - start

    def visit(self, calls: int) -> list[int]:
        """Call the network ``calls`` times back to back; give the duration of each call in ns."""
        return [self.call() for _ in range(calls)]

    def warm_up(self) -> list[int]:
        """Make the calls that allocate and settle; give their durations in ns."""
        samples = self.visit(1)
        return samples + self.settle(samples[0])

    def settle(self, first_ns: int, *, layers: int = 2) -> list[int]:
        """Make the call that settles after the first one, which allocated; give its duration in ns, if there is one.

        Tensors between layers lie in a block that the first call measured and the second one takes. A single layer has
        none, and where calls are slow it matters little.

        Args:
            first_ns: duration of the first call.
            layers: of the network.
        """
        return self.visit(1) if layers > 1 and first_ns <= SLOW_CALL_NS else []

    def outputs(self) -> list[Numbers]:
        """Give the storage arrays of the last call's outputs, flat."""
        return [buffer if isinstance(buffer, np.ndarray) else buffer.numpy() for buffer in self._outputs]

    def sketches(self) -> list[dict[str, Any]]:
        """Give a sketch of each output of the last call."""
        return [
            sketch(values, contract["dtype"], contract["shape"])
            for values, contract in zip(self.outputs(), self._contracts, strict=True)
        ]


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
    as_it_is = benchmark["optimization"] == "none" and provider_name(settings.provider) == provider_name("cpu")
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
