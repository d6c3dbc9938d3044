"""The backend for tract (``backend.Backend``): opens, binds and calls networks. tract has one thread.

Inputs are converted to tract's tensors at the first call. Outputs are tract's tensors, too, and are copied to the bound
buffers within the call.
"""

import ctypes
import math
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ..dtypes import BY_ONNX, Numbers, byte_size
from ..errors import MISSING, HarnessError
from ..model_file import wire_fields
from ..session import Session, SessionSettings
from .whole_network import with_weights

_GRAPH, _OUTPUT, _NAME = 7, 12, 1  # fields of ModelProto, GraphProto and ValueInfoProto


def _tract() -> Any:
    try:
        import tract
    except ImportError as error:
        raise HarnessError(f"tract cannot be imported ({error}): pip install tract", MISSING) from error
    return tract


def check(settings: SessionSettings) -> None:
    """Refuse settings that tract does not support.

    Raises:
        HarnessError: it is not installed, or there are several threads or any options.
    """
    _tract()
    if settings.threads != 1:
        raise HarnessError("tract computes with one thread: leave --threads out")
    if settings.provider.lower() != "cpu" or settings.provider_options or settings.config:
        raise HarnessError("tract has no providers and no options: leave them out")


def facts(settings: SessionSettings) -> dict[str, Any]:
    """Return name and version of the runtime, as a result records them."""
    version = str(_tract().version())
    named = {"name": "tract", "version": version, "build": version, "threads": settings.threads}
    return {**named, "provider": "cpu", "providers": ["cpu"], "provider_options": {}, "session_options": {}}


def open_session(
    network: Path | bytes, weights: Path, settings: SessionSettings, *, profile: Path | None = None
) -> Session:
    """Open a network.

    Args:
        network: path of the ONNX file, or its content.
        weights: folder of its external weights.
        settings: of the session; not used.
        profile: must be None.

    Raises:
        HarnessError: a profile is requested, or tract cannot read or prepare the network.
    """
    del settings
    tract = _tract()
    if profile is not None:
        raise HarnessError("tract writes no profiles")
    data = network if isinstance(network, bytes) else network.read_bytes()
    with tempfile.TemporaryDirectory(prefix="dlbricks-") as scratch:
        path = Path(scratch) / "network.onnx"
        path.write_bytes(with_weights(data, weights))
        try:
            model = tract.onnx().load(path)
            names = [model.input_name(place) for place in range(model.input_count())]
            made = _output_names(data)  # tract names outputs after their nodes
            state = model.into_model().into_runnable().spawn_state()
        except tract.TractError as error:
            raise HarnessError(f"tract: {' '.join(str(error).split())}") from error
    return Session(inference=TractNetwork(tract, state, names, made), device="cpu", device_id=0, placement=())


def _output_names(network: bytes) -> list[str]:
    """Return the names of a network's outputs, in their order."""
    graph = next(content for key, content, _ in wire_fields(memoryview(network)) if key == _GRAPH)
    infos = [content for key, content, _ in wire_fields(graph) if key == _OUTPUT]
    return [bytes(text).decode() for one in infos for key, text, _ in wire_fields(one) if key == _NAME]


class TractNetwork:
    """A network in tract (``backend.Inference``, without profiles)."""

    def __init__(self, tract: Any, state: Any, inputs: Sequence[str], outputs: Sequence[str]) -> None:
        """Store the network with the names of its inputs and outputs in tract's order."""
        self._tract, self._state, self._inputs, self._outputs = tract, state, inputs, outputs

    def io_binding(self) -> "TractBinding":
        """Return an empty binding."""
        return TractBinding()

    def run_with_iobinding(self, binding: "TractBinding") -> None:
        """Call the network once and wait for it.

        Raises:
            HarnessError: tract fails.
        """
        try:
            if not binding.tensors:
                binding.tensors = [self._tract.Tensor.from_numpy(binding.read[name]) for name in self._inputs]
            for tensor, name in zip(self._state.run(binding.tensors), self._outputs, strict=True):
                address, nbytes = binding.made[name]
                ctypes.memmove(address, tensor._parts()[2], nbytes)  # noqa: SLF001 - to_numpy would copy once more
        except self._tract.TractError as error:
            raise HarnessError(f"tract: {' '.join(str(error).split())}") from error


class TractBinding:
    """Inputs and outputs of a network in the caller's buffers (``backend.Binding``)."""

    def __init__(self) -> None:
        """Start without bound tensors."""
        self.read: dict[str, Numbers] = {}
        self.made: dict[str, tuple[int, int]] = {}
        self.tensors: list[Any] = []

    def bind_input(self, name: str, device: str, device_id: int, number: int, shape: list[int], place: int) -> None:
        """Bind an input to memory: ``number`` is ``TensorProto.DataType``."""
        del device, device_id
        kind = BY_ONNX[number]
        if kind.name != kind.storage or not math.prod(shape):
            raise HarnessError(f"tract: no tensors of {kind.name}, and no empty ones")
        memory = memoryview((ctypes.c_uint8 * byte_size(kind.name, math.prod(shape))).from_address(place))
        self.read[name] = np.frombuffer(memory, kind.storage).reshape(shape)

    def bind_output(self, name: str, device: str, device_id: int, number: int, shape: list[int], place: int) -> None:
        """Bind an output to memory; see ``bind_input``."""
        del device, device_id
        self.made[name] = (place, byte_size(BY_ONNX[number].name, math.prod(shape)))


def executed_layers(compiled: Any) -> Sequence[dict[str, str]]:
    """Return nothing: tract does not report what it executes."""
    del compiled
    return ()
