"""Synthetic values for the operators of ``ai.onnx.ml``, which store trained values in their attributes.

Trees keep their form, which decides their run time; nodes are renumbered; features, thresholds and weights of leaves
are synthetic. Labels become 0, 1, 2 ...; coefficients, vectors, scales and offsets are synthetic.
"""

import math
from collections.abc import Mapping, Sequence

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import AttributeProto

from dlbricks.harness.dtypes import BY_NAME, as_bytes, decode, encode, from_bytes
from dlbricks.model.tensors import dtype_name, raw_values

DOMAIN = "ai.onnx.ml"

_COUNTED = (
    "classlabels_int64s classlabels_ints cats_int64s keys_int64s values_int64s int64_vocabulary imputed_value_int64s"
)
"""Lists of labels and numbers that become 0, 1, 2 ..."""
_SINGLE = frozenset({"default_int64", "replaced_value_int64"})
_SETTINGS = (
    "aggregate_function axis inputdimensions leaf_targetids_count multi_class n_supports n_targets one_class"
    " post_transform vectors_per_class zeros nodes_missing_value_tracks_true nodes_trueleafs nodes_falseleafs"
    " nodes_truenodeids nodes_falsenodeids targets tree_roots"
)
"""Integers that decide shapes, or the form of trees in the operator TreeEnsemble, whose nodes are numbered by position.
"""


class TrainedValuesError(Exception):
    """A layer must not be shared, for the reason in the message."""


def made_up_floats(count: int) -> NDArray[np.float64]:
    """Return distinct numbers between -1 and 1: fractional parts of multiples of the golden ratio."""
    golden = (math.sqrt(5) - 1) / 2
    return np.asarray(2 * ((np.arange(1, count + 1) * golden) % 1.0) - 1, np.float64)


def conceal_classical(node: onnx.NodeProto, features: int) -> None:
    """Replace trained values in the attributes of a call.

    Args:
        node: of the domain ``ai.onnx.ml``; changed in place.
        features: maximum number of features of its input.

    Raises:
        TrainedValuesError: an attribute is unknown, or cannot be replaced.
    """
    found = {attribute.name: attribute for attribute in node.attribute}
    trees = _tree_integers(found, features)
    for name, attribute in found.items():
        if name in trees:
            attribute.ints[:] = trees[name]
        elif attribute.type == AttributeProto.INTS and name in _COUNTED.split():
            attribute.ints[:] = range(len(attribute.ints))
        elif attribute.type == AttributeProto.INT and name in _SINGLE:
            attribute.i = 0
        elif attribute.type in {AttributeProto.INT, AttributeProto.INTS} and name not in _SETTINGS.split():
            raise TrainedValuesError(f"attribute '{name}' of {node.op_type} may be trained")
        elif attribute.type == AttributeProto.FLOATS:
            attribute.floats[:] = made_up_floats(len(attribute.floats))
        elif attribute.type == AttributeProto.TENSOR:
            _conceal(attribute.t, name, node.op_type)


def _tree_integers(found: Mapping[str, AttributeProto], features: int) -> dict[str, list[int]]:
    """Renumber trees and nodes, and choose features and classes."""
    made: dict[str, list[int]] = {}
    if "nodes_treeids" in found and "nodes_nodeids" in found:
        trees, nodes = found["nodes_treeids"].ints, found["nodes_nodeids"].ints
        tree_rank = {tree: rank for rank, tree in enumerate(dict.fromkeys(trees))}
        node_rank: dict[tuple[int, int], int] = {}
        sizes = dict.fromkeys(tree_rank, 0)
        for pair in zip(trees, nodes, strict=True):
            node_rank[pair] = sizes[pair[0]]
            sizes[pair[0]] += 1
        made["nodes_treeids"] = [tree_rank[tree] for tree in trees]
        for name in ("nodes_nodeids", "nodes_truenodeids", "nodes_falsenodeids"):
            made[name] = _renumbered(trees, found[name].ints, node_rank) if name in found else []
        for kind in ("class", "target"):
            if f"{kind}_treeids" in found:
                own = found[f"{kind}_treeids"].ints
                made[f"{kind}_treeids"] = [tree_rank.get(tree, 0) for tree in own]
                made[f"{kind}_nodeids"] = _renumbered(own, found[f"{kind}_nodeids"].ints, node_rank)
    for name in ("class_ids", "target_ids", "leaf_targetids"):
        if name in found:
            made[name] = _cycle(len(found[name].ints), len(set(found[name].ints)))
    if "nodes_featureids" in found:
        most = max(found["nodes_featureids"].ints, default=0) + 1
        made["nodes_featureids"] = _cycle(len(found["nodes_featureids"].ints), min(most, max(1, features)))
    return {name: values for name, values in made.items() if name in found}


def _renumbered(trees: Sequence[int], nodes: Sequence[int], ranks: Mapping[tuple[int, int], int]) -> list[int]:
    return [ranks.get(pair, 0) for pair in zip(trees, nodes, strict=True)]


def _cycle(count: int, period: int) -> list[int]:
    return [at % max(1, period) for at in range(count)]


def _conceal(tensor: onnx.TensorProto, name: str, operator: str) -> None:
    """Replace the values of a tensor; NaN, which separates sets, keeps its place."""
    dtype = dtype_name(tensor.data_type, f"attribute '{name}' of {operator}")
    elements = math.prod(tensor.dims)
    if name == "nodes_modes":
        return
    if BY_NAME[dtype].kind == "int" and name in {"keys_tensor", "values_tensor", "default_tensor"}:
        made = np.arange(elements).astype(np.float64)
    elif BY_NAME[dtype].kind == "float":
        before = decode(from_bytes(raw_values(tensor), dtype, (elements,)), dtype, elements)
        made = np.where(np.isnan(before), np.nan, made_up_floats(elements))
    else:
        raise TrainedValuesError(f"attribute '{name}' of {operator} may be trained")
    values = encode(made.astype(np.int64) if BY_NAME[dtype].kind == "int" else made, dtype)
    plain = onnx.TensorProto(data_type=tensor.data_type, dims=tensor.dims, raw_data=as_bytes(values))
    tensor.CopyFrom(plain)
