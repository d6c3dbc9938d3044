"""Shapes behind the runtime's own operators, found by onnxruntime's symbolic inference.

onnx's inference stops at operators that it has no schema for; this one knows those of ``com.microsoft``. It is slow and
imports sympy, so it is asked only when such an operator has left a gap.
"""

from collections.abc import Mapping

import onnx

from dlbricks.model.draft import Draft
from dlbricks.model.nouns import TensorSpec
from dlbricks.model.shapes import proto_of
from dlbricks.model.tensors import static_spec

_INT_MAX = 2**31 - 1


def infer_symbolically(draft: Draft, types: Mapping[str, TensorSpec], missing: frozenset[str]) -> dict[str, TensorSpec]:
    """Find static shapes of tensors that onnx's inference missed.

    The library's own entry point is not used: where it cannot infer everything it writes a file into the current
    folder and raises a bare Exception. What it found before that is what is wanted here.

    Args:
        draft: The network.
        types: What is known of its tensors.
        missing: Tensors that are wanted.

    Returns:
        Specifications of those that were found.
    """
    from onnxruntime.tools.symbolic_shape_infer import SymbolicShapeInference

    inference = SymbolicShapeInference(_INT_MAX, auto_merge=True, guess_output_rank=False, verbose=0)
    try:
        inference._preprocess(proto_of(draft, types))  # noqa: SLF001 - see the docstring
        while inference.run_:
            inference._infer_impl()  # noqa: SLF001
    except Exception:  # noqa: BLE001, S110 - it raises bare exceptions; what it did not find the next stage looks for
        pass
    found: dict[str, TensorSpec] = {}
    for name, entry in inference.known_vi_.items():
        if name in missing and isinstance(entry, onnx.ValueInfoProto):
            spec = static_spec(entry)
            if spec is not None and spec.dtype:
                found[name] = TensorSpec(name=name, dtype=spec.dtype, shape=spec.shape)
    return found
