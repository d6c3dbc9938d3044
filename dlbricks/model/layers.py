"""From a Draft with known shapes to the layers of a Model."""

from collections.abc import Mapping

import onnx

from dlbricks.errors import InputError, UnsupportedModelError
from dlbricks.model.attributes import canonical_attributes, completed
from dlbricks.model.clean import unique_names
from dlbricks.model.draft import Draft, Node
from dlbricks.model.kernels import has_schema
from dlbricks.model.nouns import Layer, Model, TensorSpec
from dlbricks.model.opsets import runtime_ceilings
from dlbricks.model.schemas import signature_interval
from dlbricks.model.skips import skip_reason


def layers_of(draft: Draft, types: Mapping[str, TensorSpec], failure: str = "") -> tuple[Layer, ...]:
    """Make the layers of a Model; those that can be no part of a benchmark carry the reason.

    Raises:
        InputError: malformed attributes.
    """
    names = unique_names(draft.nodes)
    return tuple(_layer(node, name, draft, types, failure) for node, name in zip(draft.nodes, names, strict=True))


def see_supported(draft: Draft) -> None:
    """See that every operator is known and that its version can be emitted for the installed runtime.

    A newer opset than the runtime's is fine as long as all operators used are older than its ceiling: networks are
    emitted for an opset of their own.

    Raises:
        InputError: an operator that the default domain does not have.
        UnsupportedModelError: the opset is newer than onnx knows, or an operator is newer than the runtime accepts.
    """
    opset = draft.opsets.get("", 0)
    if opset > onnx.defs.onnx_opset_version():
        newest = onnx.defs.onnx_opset_version()
        message = f"{draft.path} imports opset {opset}; the installed onnx knows {newest} at most: install a newer one"
        raise UnsupportedModelError(message)
    ceiling = runtime_ceilings()[0]
    for node in draft.nodes:
        if node.domain:
            continue
        if not has_schema("", node.op_type, opset):
            name = node.proto.name or node.op_type
            message = f"{draft.path}: operator {node.op_type} (layer '{name}') is unknown in opset {opset} of ai.onnx"
            raise InputError(message)
        oldest, _ = signature_interval("", node.op_type, opset)
        if oldest > ceiling:
            message = (
                f"{draft.path}: {node.op_type} of opset {opset} exists since opset {oldest}, but the installed"
                f" onnxruntime accepts opset {ceiling} at most: install a newer one"
            )
            raise UnsupportedModelError(message)


def _layer(node: Node, name: str, draft: Draft, types: Mapping[str, TensorSpec], failure: str) -> Layer:
    version = draft.opsets.get(node.domain, 1)
    proto = completed(node, types, version)
    return Layer(
        name=name,
        op_type=node.op_type,
        domain=node.domain,
        since_version=signature_interval(node.domain, node.op_type, version)[0],
        attributes=canonical_attributes(proto, draft.opsets),
        inputs=node.inputs,
        outputs=node.outputs,
        captured=node.captured,
        node=proto.SerializeToString(deterministic=True),
        opset=version,
        skip=skip_reason(node, types, draft, failure),
    )


def model_of(
    draft: Draft,
    types: Mapping[str, TensorSpec],
    failure: str = "",
    guesses: Mapping[str, TensorSpec] | None = None,
) -> Model:
    """Make a Model of a network whose shapes are known.

    Args:
        draft: The network, in topological order.
        types: Specification of every tensor whose shape is known; layers that use others carry a reason to skip them.
        failure: Why the others are not known, for that reason.
        guesses: What those of the others may be; layers are not made from it.
    """
    layers = layers_of(draft, types, failure)
    tensors = {entry.name: types[entry.name] for entry in draft.inputs}
    for node in draft.nodes:
        for name in node.writes:
            tensors[name] = types.get(name) or (guesses or {}).get(name) or TensorSpec(name=name, dtype="", shape=())
    return Model(
        name=draft.path.stem,
        layers=layers,
        inputs=tuple(entry.name for entry in draft.inputs),
        outputs=draft.outputs,
        tensors=tensors,
        constants=draft.constants,
        opsets=tuple(sorted(draft.opsets.items())),
        source_layers=draft.source_layers,
        folded=max(0, draft.source_layers - len(layers)),
    )
