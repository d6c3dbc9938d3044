"""The backend for OpenVINO (``session.Backend``): it opens, binds, calls and profiles networks.

OpenVINO is imported at its first use, so suites for other runtimes do not need it.
"""

import ctypes
import functools
import json
import math
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from dlbricks.harness.cpu import usable_processors
from dlbricks.harness.dtypes import BY_ONNX, byte_size
from dlbricks.harness.errors import HarnessError, required
from dlbricks.harness.model_file import (
    EXTERNAL,
    GRAPH,
    INITIALIZER,
    INPUT,
    LOCATION,
    NODE,
    NODE_INPUT,
    NODE_OPERATOR,
    RAW,
    VALUE_NAME,
    contents,
    encode_field,
    external_constant,
    rewritten,
    text_of,
    wire_fields,
)
from dlbricks.harness.session import Session, SessionSettings

# Properties with which networks are compiled, unless ``--session-option`` sets others.
HINTS: dict[str, str | int | bool] = {
    "PERFORMANCE_HINT": "LATENCY",
    "INFERENCE_PRECISION_HINT": "f32",
    "NUM_STREAMS": 1,
    "ENABLE_CPU_PINNING": False,
    "CACHE_DIR": "",
}
# Property that sets the number of threads.
THREADS = "INFERENCE_NUM_THREADS"
# Property that makes all networks of a process share one set of threads, as many as there are processors. By default
# each network has its own arena of threads, and entering it after a call of another network takes 50 us, longer than
# many layers. Inside a network this time does not occur.
SHARED = "EXCLUSIVE_ASYNC_REQUESTS"
# Properties that follow from the number of threads, which results record separately; the first one has the number.
OPTIONS_OF_THREADS = (THREADS, SHARED)
# Properties that every result records.
RECORDED_OPTIONS = frozenset({THREADS, *HINTS})
# Share of a call's time that the state ``constants`` costs in addition to the cost of constants inside networks.
UNEXPLAINED_CONSTANT_SHARE = 0.06
_PRECISION, _DEVICE = "INFERENCE_PRECISION_HINT", "CPU"
_PRODUCTS = frozenset({"Convolution", "GroupConvolution", "MatMul"})
# Operators of OpenVINO between the integers of a weight and the product that reads the weight.
_SCALING = frozenset({"Multiply", "Reshape", "Subtract", "Transpose"})
_RANGES = {"i8": (-128, 127), "u8": (0, 255)}
# Types of nodes that compute nothing.
_MOVES = frozenset({"Const", "Convert", "Input", "Output", "Reorder"})
_FLOATS = frozenset({"f16", "bf16", "f32", "f64"})
# Element types of arithmetic by the suffix of a kernel's name, as in ``brgemm_avx512_i8``.
_ARITHMETIC = {"bf16": "bfloat16", "f16": "float16", "f32": "float32", "i8": "int8", "u8": "int8"}
# Parts of OpenVINO's errors besides the cause: places in its sources, headings, and advice to its developers.
_NOISE = re.compile(
    r"Exception from \S+:\d+:|Check '.*?' failed at \S+:\d+:|FrontEnd API failed with \w+:|-- "
    r"|Model wasn't fully converted\.|Failed operations detailed log:|Summary:"
    r"|(To facilitate the conversion|Install OpenVINO Tokenizers).*"
)
# Characters that are kept from the end of an error, where OpenVINO states the cause.
_SAID = 300
_OPTION = f"--session-option {_PRECISION}="


class OtherPrecisionError(HarnessError):
    """OpenVINO computes in another precision than the network states; ``statement`` is the message without advice."""

    def __init__(self, statement: str, advice: str) -> None:
        """Join statement and advice into one message."""
        super().__init__(f"{statement}: {advice}")
        self.statement = statement

    def __reduce__(self) -> tuple[Any, ...]:
        """Return class and texts for pickle."""
        return OtherPrecisionError, (self.statement, str(self).removeprefix(f"{self.statement}: "))


@functools.cache
def _core() -> Any:
    # Return OpenVINO's core object. Raises: HarnessError: OpenVINO is not installed.
    return required("openvino").Core()


def exceptions() -> tuple[()]:
    """Return an empty tuple, since OpenVINO raises Python's own exceptions."""
    return ()


def usual_options(provider: str) -> dict[str, str | int | bool]:
    """Return the default properties of OpenVINO that do not depend on the number of threads."""
    del provider
    return HINTS


def hints(settings: SessionSettings) -> dict[str, str | int | bool]:
    """Return all properties with which networks are compiled."""
    shared = {SHARED: True} if 1 < settings.threads == usable_processors() else {}
    return {THREADS: settings.threads, **shared, **HINTS, **dict(settings.config)}


def check(settings: SessionSettings) -> None:
    """Raise ``HarnessError`` if OpenVINO, an option or the provider is missing, or for more threads than processors."""
    if settings.threads > usable_processors():
        raise HarnessError(
            f"--threads {settings.threads} exceeds the {usable_processors()} usable processors, but OpenVINO uses no "
            "more threads than processors: use fewer"
        )
    if settings.provider.lower() != "cpu" or settings.provider_options:
        raise HarnessError("--runtime openvino runs on the CPU only: leave --provider and its options out")
    settable = {key for key, kind in _core().get_property(_DEVICE, "SUPPORTED_PROPERTIES").items() if kind == "RW"}
    if unknown := sorted({key for key, _ in settings.config} - settable):
        raise HarnessError(f"unknown property '{unknown[0]}' of OpenVINO: choose from {', '.join(sorted(settable))}")


def facts(settings: SessionSettings) -> dict[str, Any]:
    """Return name, version and properties of OpenVINO, for the result file."""
    build = str(required("openvino").__version__)
    return {
        "name": "openvino",
        "version": build.split("-", maxsplit=1)[0],
        "build": build,
        "provider": "cpu",
        "providers": [_DEVICE],
        "provider_options": {},
        "session_options": hints(settings),
        "threads": settings.threads,
    }


def target(settings: SessionSettings) -> str:
    """Return the target for which networks are lowered."""
    del settings
    return "openvino"


def check_suite_options(settings: SessionSettings, suite: str, *, portable: bool) -> None:
    """Raise ``HarnessError`` if the properties differ from those for which the networks were lowered."""
    if not portable and (keys := sorted(key for key, _ in settings.config)):
        lowered = f"{suite} was lowered for the default properties of OpenVINO"
        raise HarnessError(f"{lowered}: leave {keys[0]} out, or use a portable suite")


def shares_threads(settings: SessionSettings) -> bool:
    """Return True: networks share threads (``SHARED``). Raises ``HarnessError`` for fewer threads than processors."""
    if settings.threads != usable_processors():
        raise HarnessError(
            f"networks of OpenVINO share all {usable_processors()} usable processors, but --threads is "
            f"{settings.threads}: limit the processors with taskset"
        )
    return True


def device_number(settings: SessionSettings) -> None:
    """Return None, since OpenVINO computes on the CPU."""
    del settings


def prepare(settings: SessionSettings) -> None:
    """Do nothing, since OpenVINO starts its threads with the first network."""
    del settings


def constants_in_place(network: bytes, weights: Path, settings: SessionSettings) -> tuple[()]:
    """Return an empty tuple, since networks in OpenVINO do not share constants."""
    del network, weights, settings
    return ()


def open_session(
    network: Path | bytes,
    weights: Path,
    settings: SessionSettings,
    *,
    profile: Path | None = None,
    constants: Sequence[tuple[str, Any]] = (),
) -> Session:
    """Open a network (``session.open_session``); ``constants`` is not used.

    Raises:
        HarnessError: OpenVINO would compute in another precision than the network has.
        RuntimeError: OpenVINO cannot read or compile the network.
    """
    del constants
    data = network if isinstance(network, bytes) else network.read_bytes()
    with _plain_errors():
        model = _core().read_model(with_weights(data, weights))
        if continues_in_integers(data):
            quantise_weights(model)
        opened = OpenvinoNetwork(model, settings, profile)
    return Session(inference=opened)


@contextmanager
def _plain_errors() -> Iterator[None]:
    # Reduce an error of OpenVINO to one line with the cause.
    try:
        yield
    except RuntimeError as error:
        cause = " ".join(_NOISE.sub("", " ".join(str(error).split())).split())
        raise RuntimeError(cause if len(cause) <= _SAID else f"...{cause[-_SAID:].partition(' ')[2]}") from error


class OpenvinoNetwork:
    """A network in OpenVINO; a network with open shapes is compiled when inputs are bound."""

    def __init__(self, model: Any, settings: SessionSettings, profile: Path | None) -> None:
        """Compile the network if its shapes are known; raises the errors of ``open_session``."""
        self._model, self._settings, self._profile = model, settings, profile
        self._requests: dict[tuple[tuple[int, ...], ...], Any] = {}
        self._events: list[dict[str, Any]] = []
        self._began_ns = time.time_ns()
        self._began_perf_ns = time.perf_counter_ns()
        self._operands: dict[str, dict[str, Any]] | None = None
        is_open = any(tensor.get_partial_shape().is_dynamic for tensor in model.inputs)
        self.compiled: Any = None if is_open else self._compile(model)

    def _compile(self, model: Any) -> Any:
        options = {**hints(self._settings), **({"PERF_COUNT": True} if self._profile else {})}
        compiled = _core().compile_model(model, _DEVICE, options)
        precision = dict(self._settings.config).get(_PRECISION)
        if precision is None:
            _check_precision(model, compiled)
        elif precision in _FLOATS and (used := compiled.get_property(_PRECISION).get_type_name()) != precision:
            raise HarnessError(
                f"OpenVINO computes in {used} here, not in the requested {precision}: use {_OPTION}{used}"
            )
        return compiled

    def io_binding(self) -> "OpenvinoBinding":
        """Return an empty binding."""
        return OpenvinoBinding()

    def request(self, shapes: tuple[tuple[int, ...], ...], inputs: Mapping[str, Any]) -> Any:
        """Return an inference request for some input shapes; a network with open shapes is compiled for new shapes."""
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
        """Return the start of the profile in ns since 1970."""
        return self._began_ns

    def _note(self, start_ns: int, duration_ns: int, nodes: Sequence[Any]) -> None:
        # Add a call and its executed nodes, one after the other, to the profile. OpenVINO reports the mean time of each
        # node over all calls; if these times add up to more than the call, they are scaled down.
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
        """Write the profile, and return its path."""
        path = Path(f"{self._profile}.json")
        path.write_text("[\n" + ",\n".join(json.dumps(event) for event in self._events) + "\n]\n", encoding="utf-8")
        return str(path)


def _operands(compiled: Any) -> dict[str, dict[str, Any]]:
    # Return sizes and shapes of each executed node's operands, in the fields of onnxruntime's profile. A node with an
    # operand of open shape is left out.
    operands = {}
    constant: set[str] = set()  # nodes that depend only on constants: they are computed once
    for node in compiled.get_runtime_model().get_ordered_ops():
        kind, read = node.get_rt_info()["layerType"].astype(str), {True: 0, False: 0}
        if any(tensor.get_partial_shape().is_dynamic for tensor in (*node.input_values(), *node.outputs())):
            continue
        for tensor in node.input_values():
            read[tensor.get_node().get_friendly_name() in constant] += _nbytes(tensor)
        if kind == "Const" or (kind != "Input" and not read[False]):
            constant.add(node.get_friendly_name())
        written = [(str(each.get_element_type().get_type_name()), each.get_shape()) for each in node.outputs()]
        operands[node.get_friendly_name()] = {
            "output_type_shape": [{_NAMES.get(name, name): list(shape)} for name, shape in written],
            "output_size": sum(map(_nbytes, node.outputs())),
            "activation_size": read[False],
            "parameter_size": read[True],
        }
    return operands


def _nbytes(tensor: Any) -> int:
    bits: int = tensor.get_element_type().bitwidth * math.prod(tensor.get_shape())
    return -(-bits // 8)


def _event(category: str, name: str, start_us: int, duration_us: int, arguments: Mapping[str, Any]) -> dict[str, Any]:
    times = {"ts": start_us, "dur": duration_us}
    return {"cat": category, "pid": 0, "tid": 0, **times, "ph": "X", "name": name, "args": dict(arguments)}


class OpenvinoBinding:
    """Inputs and outputs of a network in buffers of the caller."""

    def __init__(self) -> None:
        """Create a binding without tensors."""
        self._inputs: dict[str, Any] = {}
        self._outputs: dict[str, Any] = {}
        self.request: Any = None
        self.call: Callable[[], Any] | None = None

    def bind_input(self, name: str, device: str, device_id: int, number: int, shape: list[int], place: int) -> None:
        """Bind an input to memory at address ``place``; ``number`` is the input's type in ``TensorProto.DataType``."""
        del device, device_id
        self._bind(self._inputs, name, _tensor(number, shape, place))

    def bind_output(self, name: str, device: str, device_id: int, number: int, shape: list[int], place: int) -> None:
        """Bind an output to memory; see ``bind_input``."""
        del device, device_id
        self._bind(self._outputs, name, _tensor(number, shape, place))

    def _bind(self, tensors: dict[str, Any], name: str, tensor: Any) -> None:
        tensors[name] = tensor
        if self.request is not None:
            self.request.set_tensor(name, tensor)

    def prepare(self, network: OpenvinoNetwork) -> Callable[[], Any]:
        """Set the tensors of an inference request; return a function that executes the request.

        Raises:
            HarnessError: a tensor in OpenVINO has another type or shape.
            RuntimeError: OpenVINO has no tensor of this name.
        """
        from openvino._pyopenvino import InferRequest

        shapes = tuple(tuple(tensor.shape) for tensor in self._inputs.values())
        with _plain_errors():
            self.request = network.request(shapes, self._inputs)
            for name, tensor in (*self._inputs.items(), *self._outputs.items()):
                wanted = self.request.get_tensor(name)
                if wanted.element_type != tensor.element_type:
                    both = f"type {wanted.element_type} in OpenVINO, but {tensor.element_type} in the network"
                    raise HarnessError(f"tensor '{name}' has {both}")
                if wanted.size and list(wanted.shape) != list(tensor.shape):
                    both = f"shape {list(wanted.shape)} in OpenVINO, but {list(tensor.shape)} in the network"
                    raise HarnessError(f"tensor '{name}' has {both}: OpenVINO does not follow ONNX")
                self.request.set_tensor(name, tensor)
        # the public method also builds a dictionary of outputs in Python, which takes 1 us
        self.call = functools.partial(InferRequest.infer, self.request, {}, True, False)
        return self.call


def _tensor(number: int, shape: Sequence[int], place: int) -> Any:
    # Return a tensor on memory of the caller. Raises: HarnessError: OpenVINO has no such element type.
    import openvino

    name = BY_ONNX[number].name
    kind = getattr(openvino.Type, _TYPES.get(name, name), None)
    if kind is None:
        raise HarnessError(f"OpenVINO does not support the element type {name}")
    nbytes = byte_size(name, math.prod(shape))
    if not nbytes:
        return openvino.Tensor(kind, list(shape))
    memory = memoryview((ctypes.c_uint8 * nbytes).from_address(place))
    return openvino.Tensor(np.frombuffer(memory, np.uint8), list(shape), kind)


# OpenVINO's names of element types, by the names in ``dtypes``.
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
_NAMES = {theirs: own for own, theirs in _TYPES.items()}


def executed_layers(compiled: Any) -> list[dict[str, str]]:
    """Return the nodes that OpenVINO executes, in order.

    A node has ``name``, ``inputs`` (names of nodes, separated by commas), ``dtype`` (type of the arithmetic, if the
    name of the kernel has it) and OpenVINO's own fields, such as ``layerType`` and ``outputLayouts``.
    """
    nodes = []
    for node in compiled.get_runtime_model().get_ordered_ops():
        info = {key: value.astype(str) for key, value in node.get_rt_info().items() if hasattr(value, "astype")}
        read = ",".join(value.get_node().get_friendly_name() for value in node.input_values())
        kind = _ARITHMETIC.get(info.get("primitiveType", "").rpartition("_")[2].lower())
        dtype = {} if kind is None or info.get("layerType") in _MOVES else {"dtype": kind}
        nodes.append({**info, **dtype, "name": node.get_friendly_name(), "inputs": read})
    return nodes


def _check_precision(model: Any, compiled: Any) -> None:
    # Check that OpenVINO computes a network in the precision that the network states. Raises: OtherPrecisionError:
    # OpenVINO uses another precision.
    stated = {output.get_element_type().get_type_name() for node in model.get_ops() for output in node.outputs()}
    used = {node["runtimePrecision"] for node in executed_layers(compiled) if node["layerType"] not in _MOVES}
    lost, gained = (stated - used) & _FLOATS or stated & _FLOATS, (used - stated) & _FLOATS
    if lost and gained:
        instead = f"OpenVINO computes in {', '.join(sorted(gained))}"
        statement = f"{instead}, but the network states {', '.join(sorted(lost))}"
        raise OtherPrecisionError(statement, f"permit that with {_OPTION}{HINTS[_PRECISION]}")


def quantise_weights(model: Any) -> None:
    """Quantise an 8-bit weight a second time, which changes no value and takes no time."""
    # OpenVINO computes in integers only if a network quantises something. Without this a sequence would compute in
    # float32 what the whole network computes in integers, several times slower.
    from openvino import opset8

    for floats in model.get_ordered_ops():
        weight = floats.input_value(0) if floats.get_type_name() == "Convert" else None
        if weight is None or weight.get_node().get_type_name() != "Constant":
            continue
        kind = weight.get_element_type().get_type_name()
        if kind not in _RANGES or math.prod(weight.get_shape()) == 1 or not _enters_products(floats):
            continue
        low, high = (opset8.constant(np.float32(limit)) for limit in _RANGES[kind])
        readers = list(floats.output(0).get_target_inputs())
        again = opset8.convert(opset8.fake_quantize(floats, low, high, low, high, 256), kind)
        for reader in readers:
            reader.replace_source_output(opset8.convert(again, "f32").output(0))
        return


def _enters_products(floats: Any) -> bool:
    # Return whether only products read a scaled weight: recurrent layers need constants.
    waiting, enters = [floats], False
    while waiting:
        for reader in waiting.pop().output(0).get_target_inputs():
            kind = reader.get_node().get_type_name()
            if kind in _SCALING:
                waiting.append(reader.get_node())
            elif kind not in _PRODUCTS:
                return False
            enters = enters or kind in _PRODUCTS
    return enters


def with_weights(network: bytes, folder: Path) -> bytes:
    """Return a network that includes its external weights; raises ``OSError`` if one cannot be read."""

    def inline(tensor: memoryview) -> bytes:
        constant = external_constant(tensor)
        if constant is None:
            return bytes(tensor)
        rest = b"".join(
            tensor[begin:end] for key, _, begin, end in wire_fields(tensor) if key not in {EXTERNAL, LOCATION}
        )
        with (folder / constant.file).open("rb") as file:
            file.seek(constant.offset)
            return rest + encode_field(RAW, file.read(constant.length))

    return rewritten(memoryview(network), {GRAPH: lambda graph: rewritten(graph, {INITIALIZER: inline})})


def continues_in_integers(network: bytes) -> bool:
    """Return whether a network dequantises an input but quantises nothing, as in a part of a quantised network."""
    graph = next(contents(memoryview(network), GRAPH))
    inputs = {text_of(value, VALUE_NAME) for value in contents(graph, INPUT)}
    nodes = [(text_of(node, NODE_OPERATOR), text_of(node, NODE_INPUT)) for node in contents(graph, NODE)]
    if any(operator == "QuantizeLinear" for operator, _ in nodes):
        return False
    return any(operator == "DequantizeLinear" and name in inputs for operator, name in nodes)
