"""Networks of one layer that measure a machine's peak arithmetic rate (products) and bandwidth (copies).

They use opset 17 and IR 8, which every supported runtime reads.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import onnx
import onnxruntime as ort
from onnx import helper, numpy_helper

from dlbricks.harness.dtypes import BY_NAME, byte_size
from dlbricks.model.emit import network_bytes
from dlbricks.model.lowering.kernels import all_kernels
from dlbricks.model.lowering.runtime import RUNTIME_FAILURES, quiet_options
from dlbricks.model.types import type_text

_OPSET = 17
RESULT = "y"
_IR_VERSION = 8
COPIES = ("Identity", "Neg", "Abs", "Relu")
"""Operators that copy with little arithmetic; which is fastest depends on the machine."""
# zeros and constants would let processors skip work or clock higher
_UNIFORM = {"kind": "uniform", "low": -1.0, "high": 1.0, "density": 1.0, "values": ""}


@dataclass(frozen=True, slots=True, kw_only=True)
class RoofKernel:
    """A network of one operator that measures a peak rate or bandwidth, and the work of a call."""

    network: bytes
    inputs: tuple[dict[str, Any], ...]
    """Name, dtype, shape and generator of each input, as in a suite."""
    outputs: tuple[dict[str, Any], ...]
    operations: int
    """Number of operations in a call, 0 for a copy; a multiply-add counts as two."""
    moved_bytes: int
    """Bytes read and written by a call."""


def product(factors: tuple[str, str], size: int) -> RoofKernel:
    """Return a network that multiplies two square matrices of ``size`` rows; ``factors`` are their element types."""
    whole = BY_NAME[factors[0]].kind == "int"
    operator, written = ("MatMulInteger", "int32") if whole else ("MatMul", factors[0])
    nodes = [helper.make_node(operator, ["x0", "x1"], [RESULT], name="n0")]
    return _roof_kernel(nodes, factors, written, (size, size), operations=2 * size**3)


def quantised_product(size: int) -> RoofKernel:
    """Return a network that quantises a square matrix of ``size`` rows and multiplies it by 8-bit constants.

    Some runtimes recognise an integer product only in this form.
    """
    nodes = [
        helper.make_node("QuantizeLinear", ["x0", "scale", "zero"], ["q"]),
        helper.make_node("DequantizeLinear", ["q", "scale", "zero"], ["x"]),
        helper.make_node("DequantizeLinear", ["w", "scale"], ["v"]),
        helper.make_node("MatMul", ["x", "v"], [RESULT]),
    ]
    weights = (np.arange(size * size) % 251 - 125).astype(np.int8).reshape(size, size)
    constants = (("scale", np.float32(1 / 64)), ("zero", np.uint8(128)), ("w", weights))
    tensors = [numpy_helper.from_array(np.asarray(value), name) for name, value in constants]
    return _roof_kernel(nodes, ("float32",), "float32", (size, size), operations=2 * size**3, constants=tensors)


def copy(operator: str, elements: int) -> RoofKernel:
    """Return a network that copies ``elements`` float32 numbers by an operator of ``COPIES``."""
    nodes = [helper.make_node(operator, ["x0"], [RESULT], name="n0")]
    return _roof_kernel(nodes, ("float32",), "float32", (elements,), operations=0)


def pairs_of(dtype: str) -> tuple[tuple[str, str], ...]:
    """Return the pairs of element types for a product of ``dtype``; those for ``int8`` include ``uint8``."""
    return (("uint8", "int8"), ("int8", "int8"), ("uint8", "uint8")) if dtype == "int8" else ((dtype, dtype),)


def factor_types(provider: str, dtype: str) -> tuple[tuple[str, str], ...]:
    """Return the pairs of element types for which an execution provider has a kernel that multiplies two matrices.

    A provider without kernels in the runtime's registry gets all pairs.
    """
    pairs = pairs_of(dtype)
    listed = all_kernels()
    if listed is None:
        return tuple(pair for pair in pairs if _multiplies(provider, pair))
    kernels = [kernel for kernel in listed if kernel.provider == provider and kernel.domain == ""]
    operator, names = ("MatMulInteger", ("T1", "T2")) if dtype == "int8" else ("MatMul", ("T", "T"))
    fitting = [
        kernel.type_constraints
        for kernel in kernels
        if kernel.op_name == operator and kernel.version_range[0] <= _OPSET <= kernel.version_range[1]
    ]
    return tuple(
        pair
        for pair in pairs
        if not kernels
        or any(
            all(type_text(dtype) in types.get(name, ()) for name, dtype in zip(names, pair, strict=True))
            for types in fitting
        )
    )


def _multiplies(provider: str, pair: tuple[str, str]) -> bool:
    """Open a session; return whether a provider runs a product of two element types as one node."""
    options = quiet_options(1)
    options.add_session_config_entry("session.record_ep_graph_assignment_info", "1")
    with TemporaryDirectory() as folder:
        options.optimized_model_filepath = f"{folder}/executed.onnx"
        try:
            session = ort.InferenceSession(product(pair, 16).network, options, providers=[provider], enable_fallback=0)
        except RUNTIME_FAILURES:
            return False
        nodes = len(onnx.load(options.optimized_model_filepath).graph.node)  # with conversions, which no provider runs
    return nodes == 1 and [part.ep_name for part in session.get_provider_graph_assignment_info()] == [provider]


def _roof_kernel(
    nodes: Sequence[onnx.NodeProto],
    reads: tuple[str, ...],
    writes: str,
    shape: tuple[int, ...],
    *,
    operations: int,
    constants: Sequence[onnx.TensorProto] = (),
) -> RoofKernel:
    names = [f"x{index}" for index in range(len(reads))]
    graph = helper.make_graph(
        nodes,
        "g",
        [_typed(name, dtype, shape) for name, dtype in zip(names, reads, strict=True)],
        [_typed(RESULT, writes, shape)],
        constants,
    )
    imports = [helper.make_opsetid("", _OPSET)]
    elements = shape[0] * (shape[1] if len(shape) > 1 else 1)
    return RoofKernel(
        network=network_bytes(helper.make_model(graph, opset_imports=imports, ir_version=_IR_VERSION)),
        inputs=tuple(
            {"name": name, "dtype": dtype, "shape": list(shape), "generator": _values(dtype)}
            for name, dtype in zip(names, reads, strict=True)
        ),
        outputs=({"name": RESULT, "dtype": writes, "shape": list(shape)},),
        operations=operations,
        moved_bytes=sum(byte_size(dtype, elements) for dtype in (*reads, writes)),
    )


def _typed(name: str, dtype: str, shape: tuple[int, ...]) -> onnx.ValueInfoProto:
    return helper.make_tensor_value_info(name, BY_NAME[dtype].onnx, list(shape))


def _values(dtype: str) -> dict[str, Any]:
    if BY_NAME[dtype].kind == "float":
        return _UNIFORM
    return {**_UNIFORM, "kind": "integers", "low": -8, "high": 8}
