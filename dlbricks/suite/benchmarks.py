"""Builds benchmarks: layer sequences as standalone networks.

Tensors are named by their position in the canonical form (``x0`` inputs, ``y0`` outputs, ``c0`` constants, ``t0`` other
tensors), so equal sequences give the same file.
"""

import itertools
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

import onnx
from onnx import TensorProto, helper

from dlbricks.harness.cpu import block_of
from dlbricks.model.bodies import captured
from dlbricks.model.emit import build_network, initializer, network_bytes
from dlbricks.model.types import Generator, Model, Placement, TensorSpec, WeightBlob
from dlbricks.operators.assumptions import assumed_by
from dlbricks.operators.costs import features, shared_of
from dlbricks.operators.table import operator
from dlbricks.operators.value_rules import with_full_windows
from dlbricks.operators.values import blob_file, input_generators, place_constants
from dlbricks.sequences.canonical import readable_name
from dlbricks.sequences.types import CanonicalSequence, LayerSequence
from dlbricks.suite.manifest import Benchmark, OutputDigest, TensorContract
from dlbricks.typed_json import digest_bytes, digest_json


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltBenchmark:
    """A benchmark with its network file and its weight files."""

    benchmark: Benchmark
    network: bytes
    """The serialised ModelProto, without weights."""
    weights: tuple[WeightBlob, ...]

    def with_importance(self, importance: float, block: int | None = None) -> "BuiltBenchmark":
        """Return a copy with another importance, 0 to 1, and unless None another ``block``."""
        block = self.benchmark.block if block is None else block
        return replace(self, benchmark=replace(self.benchmark, importance=importance, block=block))


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """Outputs of a benchmark that was run once, to check later runs."""

    digests: tuple[OutputDigest, ...] | None
    """One digest per output; None if outputs cannot be compared, for the reason in ``note``."""
    note: str = ""
    ran: bool = True
    """Whether the benchmark ran; suites leave out those that did not."""


def merged_weights(benchmarks: Iterable[BuiltBenchmark]) -> tuple[WeightBlob, ...]:
    """Return the weight files that benchmarks use, sorted by name; a file that several use has the largest size."""
    longest: dict[str, WeightBlob] = {}
    for built in benchmarks:
        for blob in built.weights:
            if blob.file not in longest or longest[blob.file].nbytes < blob.nbytes:
                longest[blob.file] = blob
    return tuple(longest[file] for file in sorted(longest))


def build_benchmark(
    model: Model, sequence: CanonicalSequence, *, role: str = "sequence", group_of: Mapping[int, int] | None = None
) -> BuiltBenchmark:
    """Return a layer sequence as a benchmark: a standalone network with synthetic weights and inputs.

    The benchmark has importance 1 and no reference outputs. If ``group_of`` is None, it is computed by ``group_index``.
    """
    model = with_full_windows(model, sequence.layers)
    rename = canonical_names(model, sequence)
    constants, weights = place_constants(model, sequence.layers, sequence.constants, real_values=role == "whole")
    network = build_network(
        model, sequence.layers, sequence.inputs, sequence.outputs, rename=rename, constants=constants
    )
    matrices = end_in_matrices(network) if role == "sequence" and model.target == "portable" else {}
    specs = [model.spec(tensor) for tensor in (*sequence.inputs, *sequence.outputs)]
    layers = [model.layers[index] for index in sequence.layers]
    facts = features(model, layers, inputs=sequence.inputs, outputs=sequence.outputs, constants=sequence.constants)
    benchmark = Benchmark(
        fingerprint=sequence.fingerprint,
        name=readable_name(
            [model.layers[index].op_type for index in sequence.layers if not model.layers[index].is_view]
        ),
        network=f"networks/{sequence.fingerprint}.onnx",
        digest=digest_bytes(data := network_bytes(network)),
        optimization="none" if model.target.startswith("onnxruntime-") else "all",
        role=role,
        operators=facts.operators,
        layers=counted_layers(model, sequence.layers, group_index(model) if group_of is None else group_of),
        inputs=tuple(
            _contract(model.spec(tensor), rename[tensor], generator)
            for tensor, generator in input_generators(model, sequence.layers, sequence.inputs).items()
        ),
        outputs=tuple(
            _contract(replace(spec, shape=matrices.get(rename[spec.name], spec.shape)), rename[spec.name], None)
            for spec in map(model.spec, sequence.outputs)
        ),
        weight_bytes=facts.weight_bytes,
        activation_bytes=sum(spec.nbytes for spec in specs),
        flops=facts.flops,
        importance=1.0,
        reference=None,
        reference_note="not run yet",
        assumed=role == "sequence" and any(assumed_by(model, layer) for layer in layers),
        overwrites=rename.get(overwritten(model, sequence), ""),
        shared={
            rename[after]: rename[before]
            for after, before in shared_of(model, sequence.layers).items()
            if after in sequence.outputs and before in sequence.inputs
        },
        work=facts.work,
        fetched_bytes=facts.fetched_bytes,
        kinds=facts.kinds,
        shape=facts.shape,
        block=block_of(model.made_for.instruction_set if model.made_for else ()) or 0,
    )
    return BuiltBenchmark(benchmark=benchmark, network=data, weights=weights)


# Element types of products that the runtime computes as Gemm.
_PRODUCT_TYPES = frozenset({TensorProto.FLOAT, TensorProto.FLOAT16, TensorProto.BFLOAT16})


def end_in_matrices(network: onnx.ModelProto) -> dict[str, tuple[int, int]]:
    """Let products with a bias at the end of a network return matrices; return the new shapes of these outputs."""
    # onnxruntime computes MatMul and Add of three or more dimensions as Reshape, Gemm, Reshape. Within a network a
    # Reshape renames memory, but at the end of a benchmark it would copy. The runtime merges two at the beginning, so
    # the benchmark has one Reshape less than the network.
    graph, shapes = network.graph, dict[str, tuple[int, int]]()
    constants = {tensor.name: tuple(tensor.dims) for tensor in graph.initializer}
    makers = {name: node for node in graph.node for name in node.output}
    uses = Counter(name for node in graph.node for name in (*node.input, *captured(node)))
    uses.update(value.name for value in graph.output)
    for value in graph.output:
        tensor, add = value.type.tensor_type, makers[value.name]
        extents = tuple(dim.dim_value for dim in tensor.shape.dim)
        products = [makers[name] for name in add.input if name in makers and makers[name].op_type == "MatMul"]
        biases = [constants[name] for name in add.input if name in constants]
        if add.op_type != "Add" or len(products) != 1 or biases != [extents[-1:]] or len(extents) < 3:
            continue
        (product,) = products
        weight = constants.get(product.input[1], ())
        alone = uses[value.name] == uses[product.output[0]] == 1
        if not alone or len(weight) != 2 or tensor.elem_type not in _PRODUCT_TYPES:
            continue
        rows, shape = math.prod(extents[:-1]), f"c{len(graph.initializer)}"
        reshaped = f"t{sum(len(node.output) for node in graph.node)}"
        graph.initializer.append(helper.make_tensor(shape, TensorProto.INT64, (2,), (rows, weight[0])))
        node = helper.make_node("Reshape", [product.input[0], shape], [reshaped], name=f"n{len(graph.node)}")
        graph.node.insert(list(graph.node).index(product), node)
        product.input[0], shapes[value.name] = reshaped, (rows, extents[-1])
        value.CopyFrom(helper.make_tensor_value_info(value.name, tensor.elem_type, shapes[value.name]))
    return shapes


def canonical_names(model: Model, sequence: CanonicalSequence | LayerSequence) -> dict[str, str]:
    """Map each tensor of a layer sequence to its name in the benchmark, as in ``x0``."""
    names = {tensor: f"x{index}" for index, tensor in enumerate(sequence.inputs)}
    names |= {tensor: f"c{index}" for index, tensor in enumerate(sequence.constants)}
    names |= {tensor: f"y{index}" for index, tensor in enumerate(sequence.outputs)}
    inner = 0
    for index in sequence.layers:
        for tensor in model.layers[index].outputs:
            if tensor and tensor not in names:
                names[tensor] = f"t{inner}"
                inner += 1
    return names


def overwritten(model: Model, sequence: CanonicalSequence) -> str:
    """Return the input whose buffer the only output would overwrite inside a network; empty without such an input."""
    # A blocked or fused convolution adds its result to its fourth operand, in place (``MayInplace(3, 0)`` in
    # onnxruntime). In a benchmark this operand is an input, which the runtime would copy first. An operand that the
    # sequence also reads elsewhere is not overwritten: each call would use the result of the previous call, and the
    # values would grow without bound.
    if model.target != "onnxruntime-cpu" or len(sequence.outputs) != 1:
        return ""
    output = sequence.outputs[0]
    maker = next(model.layers[index] for index in sequence.layers if output in model.layers[index].outputs)
    summed = maker.inputs[_SUMMED] if len(maker.inputs) > _SUMMED else ""
    if operator(maker.domain, maker.op_type).overwrites != _SUMMED or summed not in sequence.inputs:
        return ""
    if sum(model.layers[index].reads.count(summed) for index in sequence.layers) > 1:
        return ""
    mine, theirs = model.spec(output), model.spec(summed)
    return summed if (mine.dtype, mine.shape) == (theirs.dtype, theirs.shape) else ""


def group_index(model: Model) -> dict[int, int]:
    """Map the index of each layer in a fused group to the index of the group's first layer."""
    return {layer: group[0] for group in model.groups for layer in group}


def counted_layers(model: Model, layers: Sequence[int], group_of: Mapping[int, int]) -> int:
    """Return how many layers count towards the granularity: a fused group counts once, a view never."""
    return len({group_of.get(index, index) for index in layers if not model.layers[index].is_view})


def _contract(spec: TensorSpec, name: str, generator: Generator | None) -> TensorContract:
    return TensorContract(name=name, dtype=spec.dtype, shape=spec.shape, generator=generator)


# Position of the operand that the runtime's convolutions add their result to.
_SUMMED = 3
# All supported runtimes read these versions. They are frozen: the fingerprints of fixed benchmarks depend on them.
_OPSET = 17
_IR_VERSION = 8
_UNIT = Generator(kind="uniform", low=-1.0, high=1.0)
_WEIGHTS = Generator(kind="uniform", low=-0.0625, high=0.0625)
_NAMES = {"overhead": "Empty", "nodes": "Empty_nodes", "curve": "curve"}
# 64 nodes more than the empty network: enough for their cost to exceed the noise of a call.
_NODES = 65


def anchors() -> tuple[BuiltBenchmark, ...]:
    """Return the fixed benchmarks of every suite, which measure drift, call overhead and caches of the machine.

    The three anchors are a matrix product (33 M multiplications), a convolution (29 M) and a negation of 8 MiB. The
    empty graph with 1 node measures the call overhead. The graph with 65 nodes measures the cost per node. The curve
    benchmark reads a constant of 2 MiB to measure the caches.
    """
    megabytes = (8, 2**18)  # of floats
    window: dict[str, int | list[int]] = {
        "kernel_shape": [3, 3],
        "pads": [1, 1, 1, 1],
        "strides": [1, 1],
        "dilations": [1, 1],
        "group": 1,
    }
    return (
        _fixed("MatMul", (64, 512), (512, 1024), (64, 1024)),
        _fixed("Conv", (1, 64, 28, 28), (64, 64, 3, 3), (1, 64, 28, 28), attributes=window),
        _fixed("Neg", megabytes, None, megabytes),
        _fixed("Identity", (1,), None, (1,), role="overhead"),
        _fixed("Identity", (1,), None, (1,), role="nodes", nodes=_NODES),
        _fixed("MatMul", (1, 1024), (1024, 512), (1, 512), role="curve"),
    )


# Build a benchmark of a chain of equal nodes, with a weight of that shape if there is one.
def _fixed(
    kind: str,
    shape: tuple[int, ...],
    weight: tuple[int, ...] | None,
    result: tuple[int, ...],
    *,
    attributes: Mapping[str, int | list[int]] = MappingProxyType({}),
    role: str = "anchor",
    nodes: int = 1,
) -> BuiltBenchmark:
    blob = WeightBlob(
        file=blob_file("float32", _WEIGHTS), dtype="float32", nbytes=4 * math.prod(weight or (0,)), generator=_WEIGHTS
    )
    spec = TensorSpec(name="c0", dtype="float32", shape=weight or ())
    initializers = [initializer(spec, spec.name, Placement(file=blob.file, offset=0))] if weight else []
    names = ["x0", *(f"t{index}" for index in range(1, nodes)), "y0"]
    chain = [
        onnx.NodeProto(op_type=kind, input=[read, *(["c0"] if weight else [])], output=[written], name=f"n{index}")
        for index, (read, written) in enumerate(itertools.pairwise(names))
    ]
    for node in chain:
        node.attribute.extend(helper.make_attribute(name, value) for name, value in attributes.items())
    values = [
        helper.make_tensor_value_info(name, TensorProto.FLOAT, extents)
        for name, extents in (("x0", shape), ("y0", result))
    ]
    graph = helper.make_graph(chain, "g", values[:1], values[1:], initializers)
    network = network_bytes(
        helper.make_model(graph, opset_imports=[helper.make_opsetid("", _OPSET)], ir_version=_IR_VERSION)
    )
    digest = digest_bytes(network)
    fingerprint = digest_json(["anchor", kind, digest])
    benchmark = Benchmark(
        fingerprint=fingerprint,
        name=_NAMES.get(role, f"Anchor_{kind}"),
        network=f"networks/{fingerprint}.onnx",
        digest=digest,
        optimization="all" if nodes == 1 else "none",
        role=role,
        operators=(kind,) * nodes,
        layers=nodes,
        inputs=(TensorContract(name="x0", dtype="float32", shape=shape, generator=_UNIT),),
        outputs=(TensorContract(name="y0", dtype="float32", shape=result, generator=None),),
        weight_bytes=blob.nbytes,
        activation_bytes=4 * (math.prod(shape) + math.prod(result)),
        flops=2 * math.prod(result) * math.prod(weight[1:] if kind == "Conv" else weight[:1]) if weight else 0,
        importance=1.0,
        reference=None,
        reference_note="not run yet",
        overwrites="",
    )
    return BuiltBenchmark(benchmark=benchmark, network=network, weights=(blob,) if weight else ())
