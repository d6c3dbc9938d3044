"""The most that a file may ask for; checked before anything is allocated or expanded."""

from collections.abc import Iterable
from pathlib import Path

import onnx

from dlbricks.errors import UnsupportedModelError
from dlbricks.model.types import TensorSpec
from dlbricks.units import format_bytes

TENSOR_BYTES = 64 << 30
"""Of one tensor; the largest weights of known networks take some 10 GiB."""
CALLS = 1_000_000
"""Operator calls of a network whose functions are inlined."""
BODIES = 10
"""Bodies of If, Loop and Scan within one another."""
TERMS = 200
"""Of an expression that names a dimension, as in ``past + seq``."""


def see_sizes(path: Path, specs: Iterable[TensorSpec]) -> None:
    """See that no tensor is larger than any memory that it could be made in.

    Raises:
        UnsupportedModelError: one is; it is named.
    """
    for spec in specs:
        if max(spec.nbytes, spec.elements) > TENSOR_BYTES:
            extents = "x".join(map(str, spec.shape))
            raise UnsupportedModelError(
                f"{path}: tensor '{spec.name}' of {spec.dtype} {extents} is larger than {format_bytes(TENSOR_BYTES)}, "
                "the most that is read"
            )


def see_calls(model: onnx.ModelProto, path: Path) -> None:
    """See that functions which call functions do not expand without end.

    Raises:
        UnsupportedModelError: they call themselves, or make more calls than are read.
    """
    bodies = {(function.domain, function.name, function.overload): function.node for function in model.functions}
    counts: dict[tuple[str, str, str], int] = {}
    open_: list[tuple[str, str, str]] = list(bodies)
    waiting: set[tuple[str, str, str]] = set()
    while open_:
        key = open_[-1]
        called = [(node.domain, node.op_type, node.overload) for node in bodies[key]]
        left = [one for one in called if one in bodies and one not in counts]
        if key in counts or not left:
            counts.setdefault(key, sum(counts.get(one, 1) for one in called))
            waiting.discard(open_.pop())
        elif key in waiting and not waiting.isdisjoint(left):
            raise UnsupportedModelError(f"{path}: function {key[0]}.{key[1]} calls itself and cannot be inlined")
        else:
            waiting.add(key)
            open_ += left
    calls = sum(counts.get((node.domain, node.op_type, node.overload), 1) for node in model.graph.node)
    if calls > CALLS:
        raise UnsupportedModelError(f"{path}: its functions make {calls:,} operator calls; {CALLS:,} are read at most")
