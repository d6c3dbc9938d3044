"""Operator sets that a file uses and does not import: onnxruntime takes the newest that it knows."""

import functools
from collections.abc import Iterable, Iterator

import onnx

from dlbricks.model.bodies import body_nodes
from dlbricks.model.lowering.kernels import runtime_ceilings
from dlbricks.model.schemas import STANDARD_DOMAINS, newest_version


def complete_imports(model: onnx.ModelProto) -> None:
    """Add imports of the operator sets that calls use and the file lacks; a file without imports has version 1.

    Those of onnx get their newest version, as onnxruntime reads such files; others, of which nothing is known, 1. The
    domain ``ai.onnx`` gets its other name, the empty one: onnx's shape inference does not know that they are the same.
    """
    calls = [*_calls(model.graph.node)]
    within = [call for function in model.functions for call in _calls(function.node)]
    imports = [*model.opset_import, *(entry for function in model.functions for entry in function.opset_import)]
    for named in (*calls, *within, *imports, *model.functions):
        if named.domain == "ai.onnx":
            named.domain = ""
    if not model.opset_import:
        return
    known = {entry.domain for entry in (*model.opset_import, *model.functions)}
    for domain in sorted({call.domain for call in calls} - known):
        model.opset_import.add(domain=domain, version=_newest(domain))


def _calls(nodes: Iterable[onnx.NodeProto]) -> Iterator[onnx.NodeProto]:
    """Yield operator calls, also those in bodies."""
    for node in nodes:
        yield node
        if node.attribute:
            yield from body_nodes(node)


@functools.cache
def _newest(domain: str) -> int:
    if not domain:
        return runtime_ceilings()[0]
    if domain not in STANDARD_DOMAINS:
        return 1
    return newest_version(domain)
