"""Networks with another batch than their file has.

Where the file leaves the leading extent of its inputs open, the batch is bound like any other dimension. Where the file
fixes it, the extent is written anew in the inputs and in those constants that repeat it (targets of Reshape and Expand,
sizes of Resize), all shapes are inferred again, and the arithmetic tells whether the result is what was meant: outputs
and operations have to grow in proportion.
"""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import onnx

from dlbricks.errors import DlbricksError, InputError, UnsupportedModelError
from dlbricks.harness.dtypes import storage_dtype
from dlbricks.model.draft import Draft, Node, reading
from dlbricks.model.flops import layer_flops
from dlbricks.model.nouns import Constant, Model
from dlbricks.model.read import open_leading, read_model
from dlbricks.model.tensors import from_array

_EXTENTS = {"Reshape": 1, "Expand": 1, "Resize": 3}
"""Operators of the default domain that are told extents, and by which operand."""
_ASK_FOR_SHAPES = frozenset({"Shape", "Size"})


def batch_of(model: Model) -> int:
    """Give the inputs per call: the leading extent of the first input that has one; 1 if none has."""
    shapes = (model.spec(name).shape for name in model.inputs)
    return next((shape[0] for shape in shapes if shape), 1)


def read_batched(path: Path, *, dims: Mapping[str, int] | None = None, batch: int | None) -> Model:
    """Read a network for the target ``portable``, with another batch if one is asked for.

    Args:
        path: The ONNX file.
        dims: Value of each other dimension that the file leaves open; see ``read_model``.
        batch: Inputs per call, 1 or more; None for what the file and ``dims`` say.

    Returns:
        The network, as ``read_model`` gives it.

    Raises:
        InputError: as ``read_model``; or ``dims`` says something else of the batch.
        UnsupportedModelError: the network has no batch, or fixes it in more than its inputs.
    """
    if batch is None:
        return read_model(path, dims=dims)
    given = dict(dims or {})
    names = open_leading(path)
    for name in names:
        if given.setdefault(name, batch) != batch:
            raise InputError(f"--dim {name}={given[name]} and --batch {batch} contradict each other: give one of them")
    model = read_model(path, dims=given)
    if names or batch_of(model) == batch:
        return model
    before = batch_of(model)
    if before < 1 or not any(model.spec(name).shape for name in model.inputs):
        raise UnsupportedModelError(f"{path} has no batch: its inputs have no leading extent; leave --batch out")
    try:
        made = read_model(path, dims=given, change=lambda draft: _rebatched(draft, model, batch))
    except DlbricksError as error:
        raise _fixed(path, before, str(error)) from error
    reason = _mismatch(model, made, before, batch)
    if reason:
        raise _fixed(path, before, reason)
    return made


def _fixed(path: Path, before: int, reason: str) -> UnsupportedModelError:
    message = f"{path} is made for batch {before} and cannot be given another: {reason}; export it with an open batch"
    return UnsupportedModelError(message)


def _rebatched(draft: Draft, model: Model, batch: int) -> Draft:
    """Write another batch into a draft.

    Args:
        draft: As read; of ``model``.
        model: With the batch of the file, for its shapes.
        batch: The new one.
    """
    before = batch_of(model)
    inputs = tuple(_with_leading(entry, before, batch) for entry in draft.inputs)
    flowing = {
        entry.name for entry, old in zip(inputs, draft.inputs, strict=True) if entry is not old
    }  # tensors that the batch runs through
    constants, nodes = dict(draft.constants), []
    for node in draft.nodes:
        made = node
        if not flowing.isdisjoint(node.reads):
            if node.op_type not in _ASK_FOR_SHAPES:
                flowing.update(node.writes)
            made = _told_extents(node, constants, flowing, before, batch)
        nodes.append(made)
    return replace(draft, inputs=inputs, nodes=tuple(nodes), constants=constants, declared={})


def _with_leading(entry: onnx.ValueInfoProto, before: int, batch: int) -> onnx.ValueInfoProto:
    dims = entry.type.tensor_type.shape.dim
    if not dims or dims[0].dim_value != before:
        return entry
    made = onnx.ValueInfoProto()
    made.CopyFrom(entry)
    made.type.tensor_type.shape.dim[0].dim_value = batch
    return made


def _told_extents(node: Node, constants: dict[str, Constant], flowing: set[str], before: int, batch: int) -> Node:
    """Give a call whose leading extent, if a constant states it, is of the new batch."""
    position = _EXTENTS.get(node.op_type) if not node.domain else None
    if position is None or len(node.inputs) <= position or node.inputs[0] not in flowing:
        return node
    constant = constants.get(node.inputs[position])
    if constant is None or constant.values is None or constant.spec.dtype != "int64":
        return node
    extents = np.frombuffer(constant.values, storage_dtype("int64")).copy()
    if not extents.size or extents[0] <= 0 or extents[0] % before:
        return node
    extents[0] = extents[0] // before * batch
    name = f"{constant.spec.name}/batch"
    constants[name] = from_array(name, "int64", extents)
    return reading(node, {constant.spec.name: name})


def _mismatch(old: Model, new: Model, before: int, batch: int) -> str:
    """Say in what a network has not grown with its batch; empty if in nothing."""
    skipped = next((layer.skip for layer in new.layers if layer.skip), None)
    if skipped and not any(layer.skip for layer in old.layers):
        return skipped
    for name in old.outputs:
        was, is_now = old.spec(name).shape, new.spec(name).shape
        if was and was[0] == before and is_now != (batch, *was[1:]):
            return f"output '{name}' of shape {list(was)} became {list(is_now)}"
    flops, grown = (sum(layer_flops(model, layer) for layer in model.layers) for model in (old, new))
    return "" if flops * batch == grown * before else f"{flops} operations per call became {grown}"
