"""One benchmark, ready to be timed: inputs and outputs bound once, each call timed on its own in integer ns."""

import gc
import hashlib
import math
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from .bits import Numbers
from .dtypes import BY_NAME, byte_size, storage_dtype
from .errors import HarnessError
from .session import Session, SessionSettings, open_session
from .sketch import sketch
from .values import fill

SLOW_CALL_NS = 50_000_000
"""A warm-up call as long as this is not repeated."""
_ALIGNMENT = 64


class Bound:
    """A session with its inputs and outputs bound to buffers that stay where they are."""

    def __init__(self, session: Session, benchmark: Mapping[str, Any], inputs: Mapping[str, Numbers]) -> None:
        """Bind every tensor of the contracts; on an accelerator the inputs are copied to it here."""
        self._session = session
        self._contracts = benchmark["outputs"]
        self._binding = session.inference.io_binding()
        self._buffers: list[Any] = []
        for contract in benchmark["inputs"]:
            self._bind(self._binding.bind_input, contract, _aligned(inputs[contract["name"]]))
        self._inputs, self._buffers = self._buffers, []
        for contract in self._contracts:
            length = byte_size(contract["dtype"], math.prod(contract["shape"]))
            storage = storage_dtype(contract["dtype"])
            self._bind(self._binding.bind_output, contract, _aligned(np.zeros(length // storage.itemsize, storage)))

    def _bind(self, bind: Any, contract: Mapping[str, Any], values: Numbers) -> None:
        if self._session.device == "cpu":
            self._buffers.append(values)
            place = values.ctypes.data
        else:
            import onnxruntime

            device = (self._session.device, self._session.device_id)
            on_device = onnxruntime.OrtValue.ortvalue_from_numpy(values, *device)
            self._buffers.append(on_device)
            place = on_device.data_ptr()
        number = BY_NAME[contract["dtype"]].onnx
        device_id = self._session.device_id
        bind(contract["name"], self._session.device, device_id, number, list(contract["shape"]), place)

    def visit(self, calls: int) -> list[int]:
        """Call the network ``calls`` times back to back; give the duration of each call in ns."""
        run, binding, clock = self._session.inference.run_with_iobinding, self._binding, time.perf_counter_ns
        samples = [0] * calls
        collecting = gc.isenabled()
        gc.disable()
        try:
            if self._session.device == "cpu":
                for call in range(calls):
                    start = clock()
                    run(binding)
                    samples[call] = clock() - start
            else:
                for call in range(calls):
                    start = clock()
                    run(binding)
                    binding.synchronize_outputs()
                    samples[call] = clock() - start
        finally:
            if collecting:
                gc.enable()
        return samples

    def warm_up(self) -> list[int]:
        """Make the calls that allocate and settle: two, or one when it is slow; give their durations in ns."""
        samples = self.visit(1)
        return samples if samples[0] > SLOW_CALL_NS else samples + self.visit(1)

    def outputs(self) -> list[Numbers]:
        """Give the storage arrays of the last call's outputs, flat."""
        return [buffer if isinstance(buffer, np.ndarray) else buffer.numpy() for buffer in self._buffers]

    def sketches(self) -> list[dict[str, Any]]:
        """Give a sketch of each output of the last call."""
        return [
            sketch(values, contract["dtype"], contract["shape"])
            for values, contract in zip(self.outputs(), self._contracts, strict=True)
        ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """A benchmark that has been loaded."""

    bound: Bound
    load_ns: int
    """Time in which the runtime opened the session."""
    placement: tuple[tuple[str, int], ...]
    """Nodes per execution provider; empty on the CPU provider."""


def prepare(
    benchmark: Mapping[str, Any], suite_folder: Path, weights: Path, settings: SessionSettings, seed: int
) -> Prepared:
    """Open a benchmark of a suite and bind its inputs and outputs; nothing is run.

    Args:
        benchmark: its entry in ``suite.json``.
        suite_folder: where ``networks/`` lies.
        weights: folder of the weight files, already written.
        settings: of the session; the benchmark decides on the graph optimisations.
        seed: of the suite.

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
    session = open_session(network, weights, settings.with_optimization(benchmark["optimization"]))
    load_ns = time.perf_counter_ns() - start
    return Prepared(
        bound=Bound(session, benchmark, make_inputs(benchmark, seed)), load_ns=load_ns, placement=session.placement
    )


def make_inputs(benchmark: Mapping[str, Any], seed: int) -> dict[str, Numbers]:
    """Make the inputs of a benchmark from their contracts: the same numbers on every machine."""
    return {
        contract["name"]: fill(
            contract["dtype"],
            contract["shape"],
            contract["generator"],
            seed,
            f"{benchmark['fingerprint']}/{contract['name']}",
        )
        for contract in benchmark["inputs"]
    }


def _aligned(values: Numbers) -> Numbers:
    """Give a flat copy that begins at a multiple of 64 bytes, as the runtime's own tensors do."""
    flat = np.ascontiguousarray(values).reshape(-1)
    space = np.empty(flat.nbytes + _ALIGNMENT, np.uint8)
    begin = -space.ctypes.data % _ALIGNMENT
    made = space[begin : begin + flat.nbytes].view(flat.dtype)
    made[:] = flat
    return made
