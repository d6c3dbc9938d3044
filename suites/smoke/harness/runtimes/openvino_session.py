"""Networks in OpenVINO: opened, bound, called and profiled as the harness does with those of onnxruntime.

``OpenvinoNetwork`` is what ``Session.inference`` holds, with the methods of ``backend.Inference``. OpenVINO is imported
where the first network is opened; a suite runs without it unless it is asked for.
"""

import ctypes
import functools
import json
import math
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ..dtypes import BY_ONNX, byte_size
from ..errors import MISSING, HarnessError
from ..machine.cpu import usable_processors
from ..session import Session, SessionSettings

HINTS: dict[str, str | int | bool] = {
    "PERFORMANCE_HINT": "LATENCY",
    "INFERENCE_PRECISION_HINT": "f32",
    "NUM_STREAMS": 1,
    "ENABLE_CPU_PINNING": False,
    "CACHE_DIR": "",
}
"""What every network is compiled with unless asked otherwise by ``--session-option``."""
THREADS = "INFERENCE_NUM_THREADS"
"""The property that says how many threads compute."""
SHARED = "EXCLUSIVE_ASYNC_REQUESTS"
"""The property that lets all networks of a process use the same threads, as many as there are processors.

By default each has an arena of its own, which further threads enter 50 us after the call of another network: longer
than many a layer, and between the layers of one network nothing is entered.
"""
_PRECISION, _DEVICE = "INFERENCE_PRECISION_HINT", "CPU"
_MOVES = frozenset({"Const", "Convert", "Input", "Output", "Reorder"})
"""Nodes that compute nothing."""
_FLOATS = frozenset({"f16", "bf16", "f32", "f64"})
_ARITHMETIC = {"bf16": "bfloat16", "f16": "float16", "f32": "float32", "i8": "int8", "u8": "int8"}
"""Element types of arithmetic by the ends of names of kernels, as in ``brgemm_avx512_i8``."""
_GRAPH, _INITIALIZER = 7, 5  # fields of ModelProto and GraphProto
_RAW, _EXTERNAL, _LOCATION = 9, 13, 14  # of TensorProto


@functools.cache
def _core() -> Any:
    """Give the library's entrance.

    Raises:
        HarnessError: it is not installed.
    """
    try:
        import openvino
    except ImportError as error:
        raise HarnessError(f"openvino cannot be imported ({error}): pip install openvino", MISSING) from error
    return openvino.Core()


def hints(settings: SessionSettings) -> dict[str, str | int | bool]:
    """Give every property that networks are compiled with, for the record."""
    shared = {SHARED: True} if 1 < settings.threads == usable_processors() else {}
    return {THREADS: settings.threads, **shared, **HINTS, **dict(settings.config)}


def check(settings: SessionSettings) -> None:
    """Refuse what OpenVINO does not have, or would ignore.

    Raises:
        HarnessError: it is not installed, an option is unknown, or there are more threads than processors.
    """
    if settings.threads > usable_processors():
        here = f"{usable_processors()} processor(s) may be used here"
        raise HarnessError(f"--threads is {settings.threads}, {here}, and OpenVINO starts no more threads than that")
    if settings.provider.lower() != "cpu" or settings.provider_options:
        raise HarnessError("--runtime openvino computes on the processor: leave --provider and its options out")
    known = {key for key, kind in _core().get_property(_DEVICE, "SUPPORTED_PROPERTIES").items() if kind == "RW"}
    if unknown := sorted({key for key, _ in settings.config} - known):
        raise HarnessError(f"unknown property '{unknown[0]}' of OpenVINO; known are: {', '.join(sorted(known))}")


def facts(settings: SessionSettings) -> dict[str, Any]:
    """Describe the runtime and all its options, as a result records them."""
    import openvino

    return {
        "name": "openvino",
        "version": str(openvino.__version__).split("-", maxsplit=1)[0],
        "build": str(openvino.__version__),
        "provider": "cpu",
        "providers": [_DEVICE],
        "provider_options": {},
        "session_options": hints(settings),
        "threads": settings.threads,
    }


def open_session(
    network: Path | bytes, weights: Path, settings: SessionSettings, *, profile: Path | None = None
) -> Session:
    """Open a network.

    Args:
        network: file, or its bytes.
        weights: folder of its external weights.
        settings: of the session.
        profile: beginning of the path of the file into which a profile is to be written; None for none.

    Raises:
        HarnessError: OpenVINO would compute it in another precision than the file states.
        RuntimeError: whatever OpenVINO raises for a network that it cannot read or compile.
    """
    data = network if isinstance(network, bytes) else network.read_bytes()
    opened = OpenvinoNetwork(_core().read_model(with_weights(data, weights)), settings, profile)
    return Session(inference=opened, device="cpu", device_id=0, placement=())


def with_weights(network: bytes, folder: Path) -> bytes:
    """Put the weights beside a network into it: OpenVINO looks for them beside a file only.

    Raises:
        OSError: a weight file cannot be read.
    """
    from ..model_file import outside, wire_fields

    def tensor(content: memoryview) -> bytes:
        found = outside(content)
        if not found:
            return bytes(content)
        kept = b"".join(bytes(raw) for key, _, raw in wire_fields(content) if key not in {_EXTERNAL, _LOCATION})
        with (folder / found[0].file).open("rb") as file:
            file.seek(found[0].offset)
            return kept + _field(_RAW, file.read(found[0].length))

    def graph(content: memoryview) -> bytes:
        parts = (
            _field(key, tensor(inner)) if key == _INITIALIZER else bytes(raw)
            for key, inner, raw in wire_fields(content)
        )
        return b"".join(parts)

    fields = wire_fields(memoryview(network))
    return b"".join(_field(key, graph(inner)) if key == _GRAPH else bytes(raw) for key, inner, raw in fields)


def _field(number: int, content: bytes) -> bytes:
    """Write a field of a protobuf message that has a length."""
    return _varint(number << 3 | 2) + _varint(len(content)) + content


def _varint(value: int) -> bytes:
    made = bytearray()
    while value > 127:
        made.append(value & 127 | 128)
        value >>= 7
    return bytes((*made, value))


class OpenvinoNetwork:
    """A network in OpenVINO; compiled when it is first bound, for the shapes that it is bound to."""

    def __init__(self, model: Any, settings: SessionSettings, profile: Path | None) -> None:
        """Compile it, if its shapes are known.

        Raises:
            HarnessError, RuntimeError: see ``open_session``.
        """
        self._model, self._settings, self._profile = model, settings, profile
        self._requests: dict[tuple[tuple[int, ...], ...], Any] = {}
        self._events: list[dict[str, Any]] = []
        self._began_ns = time.time_ns()
        self._began_perf_ns = time.perf_counter_ns()
        self._operands: dict[str, dict[str, Any]] | None = None
        self.compiled: Any = None if model.is_dynamic() else self._compile(model)

    def _compile(self, model: Any) -> Any:
        options = {**hints(self._settings), **({"PERF_COUNT": True} if self._profile else {})}
        compiled = _core().compile_model(model, _DEVICE, options)
        if _PRECISION not in dict(self._settings.config):
            _check_precision(model, compiled)
        return compiled

    def io_binding(self) -> "OpenvinoBinding":
        """Give a binding to which nothing is bound yet."""
        return OpenvinoBinding()

    def request(self, shapes: tuple[tuple[int, ...], ...], inputs: Mapping[str, Any]) -> Any:
        """Give a request for inputs of these shapes; one for each where the network leaves shapes open."""
        if self.compiled is not None:
            return self.compiled.create_infer_request()
        if shapes not in self._requests:
            model = self._model.clone()
            model.reshape({name: list(tensor.shape) for name, tensor in inputs.items()})
            self._requests[shapes] = self._compile(model).create_infer_request()
        return self._requests[shapes]

    def run_with_iobinding(self, binding: "OpenvinoBinding") -> None:
        """Call the network once and wait for it."""
        call = binding.call or binding.prepare(self)
        if self._profile is None:
            call()
            return
        start_ns = time.perf_counter_ns()
        call()
        self._note(start_ns - self._began_perf_ns, time.perf_counter_ns() - start_ns, binding.request.profiling_info)

    def get_profiling_start_time_ns(self) -> int:
        """Give the time to which the stamps of the profile refer, since 1970."""
        return self._began_ns

    def _note(self, start_ns: int, duration_ns: int, nodes: Sequence[Any]) -> None:
        """Keep a call and what it executed, one node after the other, as onnxruntime writes them.

        OpenVINO tells of each node the mean of all calls so far; where these exceed a call they are shortened evenly.
        """
        if self._operands is None:
            self._operands = {} if self.compiled is None else _operands(self.compiled)
        operands = self._operands
        ran = [node for node in nodes if str(node.status) == "Status.EXECUTED"]
        took_us = [1e6 * node.real_time.total_seconds() for node in ran]
        scale = min(1.0, duration_ns / 1000 / max(1.0, sum(took_us)))
        ends = [start_ns / 1000 + scale * sum(took_us[: place + 1]) for place in range(len(ran))]
        begin = start_ns // 1000
        self._events.append(_event("Session", "model_run", begin, (start_ns + duration_ns) // 1000 - begin, {}))
        for node, end in zip(ran, ends, strict=True):
            own = operands.get(node.node_name, {})
            arguments = {"op_name": node.node_type, "provider": _DEVICE, "kernel": node.exec_type, **own}
            self._events.append(_event("Node", f"{node.node_name}_kernel_time", begin, int(end) - begin, arguments))
            begin = int(end)

    def end_profiling(self) -> str:
        """Write the profile; give its path."""
        path = Path(f"{self._profile}.json")
        path.write_text("[\n" + ",\n".join(json.dumps(one) for one in self._events) + "\n]\n", encoding="utf-8")
        return str(path)


def _operands(compiled: Any) -> dict[str, dict[str, Any]]:
    """Give by the names of executed nodes what each reads and gives, as onnxruntime writes it into its profile."""
    found = {}
    constant: set[str] = set()  # what follows from constants alone is computed once
    for node in compiled.get_runtime_model().get_ordered_ops():
        kind, read = node.get_rt_info()["layerType"].astype(str), {True: 0, False: 0}
        for one in node.input_values():
            read[one.get_node().get_friendly_name() in constant] += _nbytes(one)
        if kind == "Const" or (kind != "Input" and not read[False]):
            constant.add(node.get_friendly_name())
        found[node.get_friendly_name()] = {
            "output_type_shape": [{_type_name(one): list(one.get_shape())} for one in node.outputs()],
            "output_size": sum(map(_nbytes, node.outputs())),
            "activation_size": read[False],
            "parameter_size": read[True],
        }
    return found


def _nbytes(tensor: Any) -> int:
    bits: int = tensor.get_element_type().bitwidth * math.prod(tensor.get_shape())
    return -(-bits // 8)


def _type_name(tensor: Any) -> str:
    told = str(tensor.get_element_type().get_type_name())
    return _NAMES.get(told, told)


def _event(category: str, name: str, start_us: int, duration_us: int, arguments: Mapping[str, Any]) -> dict[str, Any]:
    times = {"ts": start_us, "dur": duration_us}
    return {"cat": category, "pid": 0, "tid": 0, **times, "ph": "X", "name": name, "args": dict(arguments)}


class OpenvinoBinding:
    """Inputs and outputs of a network, each in a buffer of the caller."""

    def __init__(self) -> None:
        """Begin with nothing bound."""
        self._inputs: dict[str, Any] = {}
        self._outputs: dict[str, Any] = {}
        self.request: Any = None
        self.call: Callable[[], Any] | None = None

    def bind_input(self, name: str, device: str, device_id: int, number: int, shape: list[int], place: int) -> None:
        """Bind an input to memory: ``number`` is ``TensorProto.DataType``."""
        del device, device_id
        self._inputs[name] = _tensor(number, shape, place)

    def bind_output(self, name: str, device: str, device_id: int, number: int, shape: list[int], place: int) -> None:
        """Bind an output to memory, as an input is bound."""
        del device, device_id
        self._outputs[name] = _tensor(number, shape, place)

    def prepare(self, network: OpenvinoNetwork) -> Callable[[], Any]:
        """Give the tensors to a request; gives what calls it.

        Raises:
            HarnessError: OpenVINO takes or gives a tensor of another type.
            RuntimeError: it has no tensor of that name or shape.
        """
        from openvino._pyopenvino import InferRequest

        shapes = tuple(tuple(tensor.shape) for tensor in self._inputs.values())
        self.request = network.request(shapes, self._inputs)
        for name, tensor in (*self._inputs.items(), *self._outputs.items()):
            wanted = self.request.get_tensor(name).element_type
            if wanted != tensor.element_type:
                raise HarnessError(f"OpenVINO has {wanted} for '{name}' where the network has {tensor.element_type}")
            self.request.set_tensor(name, tensor)
        # what the library's own method does besides is Python: a dictionary of the outputs, 1 us
        self.call = functools.partial(InferRequest.infer, self.request, {}, True, False)
        return self.call


def _tensor(number: int, shape: Sequence[int], place: int) -> Any:
    """Give a tensor that lies in memory of others.

    Raises:
        HarnessError: OpenVINO has no such element type.
    """
    import openvino

    name = BY_ONNX[number].name
    kind = getattr(openvino.Type, _TYPES.get(name, name), None)
    if kind is None:
        raise HarnessError(f"OpenVINO has no tensors of {name}")
    nbytes = byte_size(name, math.prod(shape))
    if not nbytes:
        return openvino.Tensor(kind, list(shape))
    memory = memoryview((ctypes.c_uint8 * nbytes).from_address(place))
    return openvino.Tensor(np.frombuffer(memory, np.uint8), list(shape), kind)


_TYPES = {
    "bool": "boolean",
    "bfloat16": "bf16",
    "float16": "f16",
    "float32": "f32",
    "float64": "f64",
    "float8e4m3fn": "f8e4m3",
    "float8e5m2": "f8e5m2",
    **{f"{sign}int{bits}": f"{sign or 'i'}{bits}" for sign in ("", "u") for bits in (4, 8, 16, 32, 64)},
}
"""OpenVINO's names of element types by those of ``dtypes``."""
_NAMES = {theirs: own for own, theirs in _TYPES.items()}


def executed_layers(compiled: Any) -> list[dict[str, str]]:
    """Give what OpenVINO executes, in its order.

    Returns:
        Of each node: ``name``, ``inputs`` (names of nodes, commas between them), ``dtype`` (of its arithmetic, if its
        kernel's name tells; ``runtimePrecision`` is that of what it reads) and what OpenVINO tells, such as
        ``layerType``, ``originalLayersNames``, ``outputLayouts``, ``outputPrecisions``, ``primitiveType``.
    """
    found = []
    for node in compiled.get_runtime_model().get_ordered_ops():
        told = {key: value.astype(str) for key, value in node.get_rt_info().items() if hasattr(value, "astype")}
        read = ",".join(one.get_node().get_friendly_name() for one in node.input_values())
        kind = _ARITHMETIC.get(told.get("primitiveType", "").rpartition("_")[2].lower())
        dtype = {} if kind is None or told.get("layerType") in _MOVES else {"dtype": kind}
        found.append({**told, **dtype, "name": node.get_friendly_name(), "inputs": read})
    return found


def _check_precision(model: Any, compiled: Any) -> None:
    """Refuse a network that OpenVINO computes in another precision than it states.

    Raises:
        HarnessError: it does.
    """
    stated = {output.get_element_type().get_type_name() for node in model.get_ops() for output in node.outputs()}
    used = {one["runtimePrecision"] for one in executed_layers(compiled) if one["layerType"] not in _MOVES}
    lost, gained = (stated - used) & _FLOATS or stated & _FLOATS, (used - stated) & _FLOATS
    if lost and gained:
        said = f"OpenVINO computes in {', '.join(sorted(gained))} what the network states in {', '.join(sorted(lost))}"
        raise HarnessError(f"{said}: ask for one of them by --session-option {_PRECISION}=, as in {min(lost)}")
