"""Operator sets that a file uses and does not import: onnxruntime takes the newest that it knows."""

import functools
from collections.abc import Iterator

import onnx

from dlbricks.model.bodies import bodies
from dlbricks.model.graph import domain_of
from dlbricks.model.lowering.kernels import runtime_ceilings
from dlbricks.model.schemas import STANDARD_DOMAINS, newest_version


def complete_imports(model: onnx.ModelProto) -> None:
    """Add imports of the operator sets that calls use and the file lacks; a file without imports has version 1.

    Those of onnx get their newest version, as onnxruntime reads such files; others, of which nothing is known, 1.
    """
    if not model.opset_import:
        return
    known = {domain_of(entry) for entry in model.opset_import} | {function.domain for function in model.functions}
    for domain in sorted(set(_domains(model.graph)) - known):
        model.opset_import.add(domain=domain, version=_newest(domain))


def _domains(graph: onnx.GraphProto) -> Iterator[str]:
    for node in graph.node:
        yield domain_of(node)
        if node.attribute:
            for body in bodies(node):
                yield from _domains(body)


@functools.cache
def _newest(domain: str) -> int:
    if not domain:
        return runtime_ceilings()[0]
    if domain not in STANDARD_DOMAINS:
        return 1
    return newest_version(domain)
