"""Removes values that must not be disclosed from a network, such as trained weights.

A value may be disclosed in three cases. First, it decides a shape (the target of a Reshape), or the number of tokens in
a sliding-window cache. Second, it is in common use (0, 6, 1e-5, the reciprocal root of a dimension). Third, a formula
computes it (all equal, counting up or down, a triangle). All other values are removed from constants and replaced in
attributes. A layer whose values cannot be removed or replaced is left out of all benchmarks.
"""

import functools
import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import AttributeProto

from dlbricks.harness.dtypes import BY_NAME, Numbers, as_bytes, decode, encode, from_bytes
from dlbricks.model.bodies import bodies, domain_of
from dlbricks.model.schemas import attribute_defaults, canonical_attributes
from dlbricks.model.tensors import dtype_name, numbers_of, raw_values
from dlbricks.model.types import Constant, Layer, Model
from dlbricks.operators.table import operator
from dlbricks.operators.uses import Use, uses_of
from dlbricks.operators.value_rules import tells_tokens

# Integer attributes of the default domain that are values, not settings; all are optional.
_VALUE_INTEGERS = frozenset({"ignore_index"})
# Single integers up to this size reveal nothing.
_LEAST_TABLE = 64

# Magnitudes of numbers in common use.
_PLAIN_FLOATS = frozenset(
    [float(number) for number in range(33)]
    + [number / 20 for number in range(20)]
    + [number / 100 for number in (1, 2, 3, 98, 99)]
    + [number * 10.0**power for power in range(-15, 10) for number in (1, 5)]
    + [1 / 3, 2 / 3, 1 / 6, 0.125, 0.0625, 0.03125, 64.0, 127.0, 128.0, 255.0, 256.0, 0.999, 1.0 / 255]
    + [0.044715, 1.702, math.sqrt(2), math.sqrt(0.5), math.sqrt(2 / math.pi), math.pi]
    + [1.67326319217681884765625, 1.05070102214813232421875, 1.6732632423543772, 1.0507009873554805]
    + [math.inf, float(np.finfo(np.float32).max), float(np.finfo(np.float16).max), float(np.finfo(np.float64).max)]
)

_WORDS = """
    notset same_upper same_lower valid constant reflect edge wrap nearest linear cubic bilinear bicubic floor
    ceil round_prefer_floor round_prefer_ceil half_pixel half_pixel_symmetric pytorch_half_pixel align_corners
    asymmetric tf_half_pixel_for_nn tf_crop_and_resize stretch not_larger not_smaller forward reverse
    bidirectional none tanh add mul min max avg sum mean dcr crd left right zeros border reflection
    output_half_pixel relu sigmoid affine leakyrelu thresholdedrelu scaledtanh hardsigmoid elu softsign softplus
    hardswish clip gelu quickgelu fastgelu silu swiglu identity up down float int l1 l2 softmax softmax_zero
    logistic probit rbf poly average leaf branch_leq branch_lt branch_gte branch_gt branch_eq branch_neq
    branch_member to_float to_string to_int64 dense tf
    idf tfidf gated delta gated_delta circular swish rgb bgr grayscale
"""
# Strings that are settings of operators, in lower case; any other string may come from a training.
_SETTINGS = frozenset(_WORDS.split()) | {""}


_CLASSICAL = "ai.onnx.ml"

# Lists of labels and numbers that become 0, 1, 2 ...
_COUNTED = (
    "classlabels_int64s classlabels_ints cats_int64s keys_int64s values_int64s int64_vocabulary imputed_value_int64s"
)
# Single integers that become 0.
_SINGLE = frozenset({"default_int64", "replaced_value_int64"})
# Integers that decide shapes, or the form of trees in the operator TreeEnsemble, whose nodes are numbered by position.
_INTEGER_SETTINGS = (
    "aggregate_function axis inputdimensions leaf_targetids_count multi_class n_supports n_targets one_class"
    " post_transform vectors_per_class zeros nodes_missing_value_tracks_true nodes_trueleafs nodes_falseleafs"
    " nodes_truenodeids nodes_falsenodeids targets tree_roots"
)


class TrainedValuesError(Exception):
    """A layer has trained values that can be neither removed nor replaced."""


def redact(model: Model, allowed: Collection[str] = ()) -> Model:
    """Return a network without values that may come from training.

    Constants become weights; attributes get synthetic values. A layer whose values cannot be replaced gets a reason in
    ``skip``. Layers named in ``allowed`` keep their values.
    """
    layers = tuple(layer if layer.name in allowed else _concealed_layer(model, layer) for layer in model.layers)
    uses = uses_of(model, range(len(model.layers)))
    constants = {
        name: constant
        if any(use.layer.name in allowed for use in uses.get(name, ()))
        else _concealed_constant(constant, uses.get(name, ()))
        for name, constant in model.constants.items()
    }
    return replace(model, layers=layers, constants=constants)


def _concealed_constant(constant: Constant, uses: Sequence[Use]) -> Constant:
    # Keep values that may be disclosed, replace selecting masks by ones with the same count, remove all others.
    numbers = _numbers(constant)
    if numbers is None or any(_shapes(use, constant) for use in uses):
        return constant
    if is_plain(numbers):
        return constant
    if BY_NAME[constant.spec.dtype].kind == "bool" and any(use.operator == ("", "Compress") for use in uses):
        # the count decides the shape of the result, the places do not
        count, among = int(np.count_nonzero(numbers)), max(1, numbers.size)
        spread = np.diff(np.arange(numbers.size + 1) * count // among).astype(bool)
        return replace(constant, values=as_bytes(encode(spread, "bool")), fill=None)
    return replace(constant, values=None, fill=None)


def _shapes(use: Use, constant: Constant) -> bool:
    # Return whether an operand decides the shape of the result, or how much of a cache is in use.
    if use.operator[0]:
        return use.node is None and tells_tokens(use.layer, use.position)
    shaping, is_float = use.row.shaping.get(use.position), BY_NAME[constant.spec.dtype].kind == "float"
    return shaping is not None and shaping.discloses and (shaping.scales or not is_float)


def _numbers(constant: Constant) -> Numbers | None:
    # Return the kept values in their shape; one element for a fill; None if none are kept.
    numbers = numbers_of(constant)
    return numbers if numbers is None or constant.values is None else numbers.reshape(constant.spec.shape)


def is_plain(numbers: Numbers) -> bool:
    """Return whether numbers are in common use, or follow from a formula."""
    flat = numbers.reshape(-1)
    if not flat.size:
        return True
    if numbers.dtype.kind == "c":
        return False
    equal = bool(np.all(flat == flat[0]))
    if numbers.dtype.kind == "b":
        return equal or _is_triangle(numbers)
    if numbers.dtype.kind in "iu":
        steps = np.unique(np.diff(flat)) if flat.size > 1 else np.zeros(1)
        counting = len(steps) == 1 and abs(int(steps[0])) <= 1 and abs(int(flat[0])) <= _LEAST_TABLE
        return counting or _is_list_of_triangle(flat)
    return equal and is_plain_float(float(flat[0]), str(numbers.dtype))


def is_plain_float(number: float, dtype: str = "float32", extents: Collection[int] = ()) -> bool:
    """Return whether a number is in common use, or a root or reciprocal of one of the dimensions ``extents``.

    Numbers are compared after rounding to ``dtype``; for wider types than float32, also after rounding to float32.
    """
    if math.isnan(number):
        return False
    powers = [float(extent) ** power for extent in extents if extent > 0 for power in (-1.0, -0.5, -0.25, 0.5)]
    return abs(number) in _rounded(dtype) or any(abs(number) in _forms(power, dtype) for power in powers)


@functools.cache
def _rounded(dtype: str) -> frozenset[float]:
    return frozenset(form for number in _PLAIN_FLOATS for form in _forms(number, dtype))


def _forms(number: float, dtype: str) -> tuple[float, ...]:
    # Return the number in a type, and as converted from float32 if the type is wider.
    with np.errstate(over="ignore"):
        single = float(np.float32(number))
        own = float(np.dtype(dtype).type(number)) if np.dtype(dtype).kind == "f" else number
    return (own, single) if np.dtype(dtype).itemsize >= 4 else (own,)


def _is_triangle(mask: NDArray[np.bool_]) -> bool:
    # Return whether a mask is a triangle or its complement, the same in all planes.
    if mask.ndim < 2:
        return False
    planes = mask.reshape(-1, *mask.shape[-2:])
    first = planes[0]
    if not np.all(planes == first):
        return False
    ones = np.ones_like(first)
    offsets = (-1, 0, 1)
    return any(np.array_equal(first, shape(ones, k)) for shape in (np.tril, np.triu) for k in offsets)


def _is_list_of_triangle(flat: NDArray[np.int64]) -> bool:
    # Return whether numbers are the positions in a square's triangle in row-major order, as for pairwise products.
    side = math.isqrt(2 * flat.size)
    for extent in (side, side + 1):
        for triangle, offset in ((np.tril, 0), (np.tril, -1), (np.triu, 0), (np.triu, 1)):
            if np.array_equal(flat, np.flatnonzero(triangle(np.ones((extent, extent)), offset))):
                return True
    return False


def _concealed_layer(model: Model, layer: Layer) -> Layer:
    node = onnx.NodeProto.FromString(layer.node)
    # a skipped layer is in no benchmark, so its attributes need not be shown
    if layer.skip is not None:
        return replace(layer, attributes=())
    try:
        _refuse_deciding_floats(model, layer)
        extents = {extent for name in (*layer.reads, *filter(None, layer.outputs)) for extent in model.spec(name).shape}
        changed = _conceal_node(node, dict(model.opsets), extents)
    except TrainedValuesError as error:
        return replace(layer, attributes=(), skip=f"{error}; --allow-values {layer.name} discloses them")
    if not changed:
        return layer
    attributes = canonical_attributes(node, dict(model.opsets))
    return replace(layer, node=node.SerializeToString(deterministic=True), attributes=attributes)


def _refuse_deciding_floats(model: Model, layer: Layer) -> None:
    # Refuse a layer with an uncommon float that decides the size of its result.
    for position, shaping in operator(layer.domain, layer.op_type).shaping.items():
        name = layer.inputs[position] if position < len(layer.inputs) else ""
        constant = model.constants.get(name)
        may_be_any = not shaping.identifies or shaping.arbitrary or shaping.scales
        numbers = None if constant is None or may_be_any else _numbers(constant)
        if numbers is not None and numbers.dtype.kind == "f" and not is_plain(numbers):
            raise TrainedValuesError(f"{layer.op_type} has trained values that decide the size of its result")


def _conceal_node(node: onnx.NodeProto, opsets: Mapping[str, int], extents: Collection[int]) -> bool:
    # Replace values in the attributes and bodies of a call; return whether any were.
    #
    # Raises:
    #     TrainedValuesError: one cannot be replaced.
    before: bytes = node.SerializeToString(deterministic=True)
    if domain_of(node) == _CLASSICAL:
        _conceal_classical(node, max(extents, default=1))
    defaults = attribute_defaults(domain_of(node), node.op_type, opsets.get(domain_of(node), 1))
    for attribute in list(node.attribute):
        _conceal_attribute(node, attribute, defaults.get(attribute.name), extents)
    for body in bodies(node):
        _conceal_body(body, opsets, extents)
    after: bytes = node.SerializeToString(deterministic=True)
    return before != after


def _conceal_attribute(
    node: onnx.NodeProto, attribute: AttributeProto, default: AttributeProto | None, extents: Collection[int]
) -> None:
    kind = attribute.type
    if kind == AttributeProto.FLOAT and not is_plain_float(attribute.f, extents=extents):
        attribute.f = 0.5 if default is None else default.f
    # scales of Upsample decide shapes
    elif kind == AttributeProto.FLOATS and domain_of(node) != _CLASSICAL and attribute.name != "scales":
        attribute.floats[:] = [
            number if is_plain_float(number, extents=extents) else (-0.5, 0.5)[at % 2]
            for at, number in enumerate(attribute.floats)
        ]
    elif kind == AttributeProto.STRING and attribute.name == "equation":
        attribute.s = _plain_equation(attribute.s.decode(errors="replace")).encode()
    elif kind in {AttributeProto.STRING, AttributeProto.STRINGS}:
        texts = attribute.strings if kind == AttributeProto.STRINGS else [attribute.s]
        if any(text.decode(errors="replace").lower() not in _SETTINGS for text in texts):
            raise TrainedValuesError(
                f"attribute '{attribute.name}' of {node.op_type} may hold a string of the training data"
            )
    elif kind == AttributeProto.INT and attribute.name in _VALUE_INTEGERS and abs(attribute.i) > _LEAST_TABLE:
        node.attribute.remove(attribute)
    elif kind in {AttributeProto.TENSOR, AttributeProto.TENSORS} and domain_of(node) != _CLASSICAL:
        for tensor in (attribute.t,) if kind == AttributeProto.TENSOR else attribute.tensors:
            _conceal_tensor(tensor, f"attribute '{attribute.name}' of {node.op_type}", shaping=False)
    elif kind in {AttributeProto.SPARSE_TENSOR, AttributeProto.SPARSE_TENSORS}:
        raise TrainedValuesError(f"attribute '{attribute.name}' of {node.op_type} may hold trained values")
    elif node.op_type == "TfIdfVectorizer" and attribute.name.startswith(("pool_", "ngram_")):
        raise TrainedValuesError("TfIdfVectorizer holds a vocabulary that may be secret")


def _plain_equation(text: str) -> str:
    # Rename the axes of an Einsum to ``a``, ``b`` ... in order.
    names = {letter: chr(ord("a") + at) for at, letter in enumerate(dict.fromkeys(filter(str.isalpha, text)))}
    if len(names) > 26:
        raise TrainedValuesError("Einsum has more than 26 axes")
    if any(letter not in " ,.->" and letter not in names for letter in text):
        raise TrainedValuesError("the equation of Einsum is invalid")
    return "".join(names.get(letter, letter) for letter in text if letter != " ")


def _conceal_body(body: onnx.GraphProto, opsets: Mapping[str, int], extents: Collection[int]) -> None:
    if body.sparse_initializer:
        raise TrainedValuesError("a subgraph holds sparse values that may come from training")
    for tensor in body.initializer:
        _conceal_tensor(tensor, "a subgraph", shaping=_only_shapes(body, tensor.name))
    for node in body.node:
        if node.op_type == "Constant" and domain_of(node) == "":
            _conceal_constant_node(node, shaping=_only_shapes(body, node.output[0]))
        else:
            _conceal_node(node, opsets, extents)


def _only_shapes(body: onnx.GraphProto, name: str) -> bool:
    # Return whether a tensor of a body is used to decide shapes only.
    used = [(node.op_type, at) for node in body.node for at, read in enumerate(node.input) if read == name]
    rows = [operator("", op_type).shaping.get(position) for op_type, position in used]
    return bool(rows) and all(shaping is not None and shaping.discloses for shaping in rows)


def _conceal_constant_node(node: onnx.NodeProto, *, shaping: bool) -> None:
    attribute = node.attribute[0]
    if attribute.type == AttributeProto.TENSOR:
        _conceal_tensor(attribute.t, "a subgraph", shaping=shaping)
    elif attribute.type in {AttributeProto.FLOAT, AttributeProto.FLOATS}:
        _conceal_attribute(node, attribute, None, ())
    elif attribute.type not in {AttributeProto.INT, AttributeProto.INTS} or not (
        shaping or is_plain(np.array(attribute.ints or [attribute.i], np.int64))
    ):
        raise TrainedValuesError("a subgraph holds values that may come from training")


def _conceal_tensor(tensor: onnx.TensorProto, where: str, *, shaping: bool) -> None:
    # Replace the values of a tensor in an attribute or body by synthetic ones.
    #
    # Raises:
    #     TrainedValuesError: they are integers, for which others might be invalid.
    dtype = dtype_name(tensor.data_type, where)
    if tensor.data_location == onnx.TensorProto.EXTERNAL:
        return
    elements = math.prod(tensor.dims)
    element = BY_NAME[dtype]
    if element.kind == "string":
        raise TrainedValuesError(f"{where} holds strings")
    numbers = decode(from_bytes(raw_values(tensor), dtype, (elements,)), dtype, elements)
    if (shaping and element.kind == "int") or is_plain(numbers.reshape(tuple(tensor.dims))):
        return
    if element.kind != "float" or element.bits < 8:
        raise TrainedValuesError(f"{where} holds values that may come from training")
    values = as_bytes(encode(_synthetic_floats(elements), dtype))
    plain = onnx.TensorProto(name=tensor.name, data_type=tensor.data_type, dims=tensor.dims, raw_data=values)
    tensor.CopyFrom(plain)


def _synthetic_floats(count: int) -> NDArray[np.float64]:
    # Return distinct numbers between -1 and 1: fractional parts of multiples of the golden ratio.
    golden = (math.sqrt(5) - 1) / 2
    return np.asarray(2 * ((np.arange(1, count + 1) * golden) % 1.0) - 1, np.float64)


def _conceal_classical(node: onnx.NodeProto, features: int) -> None:
    # Replaces trained values of a call of the domain `ai.onnx.ml` in place; `features` is the most that its input has.
    attributes = {attribute.name: attribute for attribute in node.attribute}
    trees = _tree_integers(attributes, features)
    for name, attribute in attributes.items():
        if name in trees:
            attribute.ints[:] = trees[name]
        elif attribute.type == AttributeProto.INTS and name in _COUNTED.split():
            attribute.ints[:] = range(len(attribute.ints))
        elif attribute.type == AttributeProto.INT and name in _SINGLE:
            attribute.i = 0
        elif attribute.type in {AttributeProto.INT, AttributeProto.INTS} and name not in _INTEGER_SETTINGS.split():
            raise TrainedValuesError(f"attribute '{name}' of {node.op_type} may hold trained values")
        elif attribute.type == AttributeProto.FLOATS:
            attribute.floats[:] = _synthetic_floats(len(attribute.floats))
        elif attribute.type == AttributeProto.TENSOR:
            _conceal_classical_tensor(attribute.t, name, node.op_type)


def _tree_integers(attributes: Mapping[str, AttributeProto], features: int) -> dict[str, list[int]]:
    # Renumber trees and nodes, and choose features and classes.
    numbers: dict[str, list[int]] = {}
    if "nodes_treeids" in attributes and "nodes_nodeids" in attributes:
        trees, nodes = attributes["nodes_treeids"].ints, attributes["nodes_nodeids"].ints
        tree_rank = {tree: rank for rank, tree in enumerate(dict.fromkeys(trees))}
        node_rank: dict[tuple[int, int], int] = {}
        sizes = dict.fromkeys(tree_rank, 0)
        for pair in zip(trees, nodes, strict=True):
            node_rank[pair] = sizes[pair[0]]
            sizes[pair[0]] += 1
        numbers["nodes_treeids"] = [tree_rank[tree] for tree in trees]
        for name in ("nodes_nodeids", "nodes_truenodeids", "nodes_falsenodeids"):
            numbers[name] = _renumbered(trees, attributes[name].ints, node_rank) if name in attributes else []
        for kind in ("class", "target"):
            if f"{kind}_treeids" in attributes:
                own = attributes[f"{kind}_treeids"].ints
                numbers[f"{kind}_treeids"] = [tree_rank.get(tree, 0) for tree in own]
                numbers[f"{kind}_nodeids"] = _renumbered(own, attributes[f"{kind}_nodeids"].ints, node_rank)
    for name in ("class_ids", "target_ids", "leaf_targetids"):
        if name in attributes:
            numbers[name] = _cycle(len(attributes[name].ints), len(set(attributes[name].ints)))
    if "nodes_featureids" in attributes:
        most = max(attributes["nodes_featureids"].ints, default=0) + 1
        numbers["nodes_featureids"] = _cycle(len(attributes["nodes_featureids"].ints), min(most, max(1, features)))
    return {name: values for name, values in numbers.items() if name in attributes}


def _renumbered(trees: Sequence[int], nodes: Sequence[int], ranks: Mapping[tuple[int, int], int]) -> list[int]:
    return [ranks.get(pair, 0) for pair in zip(trees, nodes, strict=True)]


def _cycle(count: int, period: int) -> list[int]:
    return [at % max(1, period) for at in range(count)]


def _conceal_classical_tensor(tensor: onnx.TensorProto, name: str, operator: str) -> None:
    # Replace the values of a tensor; NaN, which separates sets, keeps its place.
    dtype = dtype_name(tensor.data_type, f"attribute '{name}' of {operator}")
    elements = math.prod(tensor.dims)
    if name == "nodes_modes":
        return
    if BY_NAME[dtype].kind == "int" and name in {"keys_tensor", "values_tensor", "default_tensor"}:
        numbers = np.arange(elements).astype(np.float64)
    elif BY_NAME[dtype].kind == "float":
        before = decode(from_bytes(raw_values(tensor), dtype, (elements,)), dtype, elements)
        numbers = np.where(np.isnan(before), np.nan, _synthetic_floats(elements))
    else:
        raise TrainedValuesError(f"attribute '{name}' of {operator} may hold trained values")
    values = encode(numbers.astype(np.int64) if BY_NAME[dtype].kind == "int" else numbers, dtype)
    plain = onnx.TensorProto(data_type=tensor.data_type, dims=tensor.dims, raw_data=as_bytes(values))
    tensor.CopyFrom(plain)
