"""From a Draft with known shapes to the layers of a Model."""

from collections.abc import Mapping

import onnx

from dlbricks.errors import InputError
from dlbricks.model.attributes import canonical_attributes, completed
from dlbricks.model.clean import unique_names
from dlbricks.model.draft import Draft, Node
from dlbricks.model.nouns import Layer, TensorSpec
from dlbricks.model.schemas import signature_interval
from dlbricks.model.skips import skip_reason


def layers_of(draft: Draft, types: Mapping[str, TensorSpec]) -> tuple[Layer, ...]:
    """Make the layers of a Model; those that can be no part of a benchmark carry the reason.

    Raises:
        InputError: an operator that the default domain does not have, malformed attributes.
    """
    names = unique_names(draft.nodes)
    return tuple(_layer(node, name, draft, types) for node, name in zip(draft.nodes, names, strict=True))


def _layer(node: Node, name: str, draft: Draft, types: Mapping[str, TensorSpec]) -> Layer:
    version = draft.opsets.get(node.domain, 1)
    known = has_schema(node.domain, node.op_type, version)
    if not known and not node.domain:
        message = f"{draft.path}: operator {node.op_type} (layer '{name}') is unknown in opset {version} of ai.onnx"
        raise InputError(message)
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
        skip=skip_reason(node, types, draft.constants, has_schema=known),
    )


def has_schema(domain: str, op_type: str, version: int) -> bool:
    """Whether an operator is known: to onnx in that version of its set, or to the runtime."""
    return onnx.defs.has(op_type, max_inclusive_version=version, domain=domain) or domain.startswith("com.microsoft")
