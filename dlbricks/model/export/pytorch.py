"""Exports a PyTorch module as an ONNX network without weights.

``torch.export`` traces a copy of the module whose parameters and floating-point buffers are fake tensors with shape and
type only. The graph optimiser of the exporter compares and folds constants; it gets synthetic values, so that the graph
is that of a module with weights.
"""

import warnings
from collections.abc import Mapping
from copy import deepcopy
from pathlib import Path
from typing import Any

import numpy as np

from dlbricks.errors import InputError, missing_extra
from dlbricks.files import write_bytes
from dlbricks.harness.dtypes import BY_ONNX
from dlbricks.model.tensors import keeps_values

# File that weights refer to; it does not exist.
_PLACE = "weights.bin"


def export_torch(module: Any, args: Any, path: Path, *, kwargs: Mapping[str, Any], dynamic_shapes: Any = None) -> Path:
    """See ``dlbricks.export_torch``."""
    torch = _torch()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            program = _program(torch, module, args, dict(kwargs), dynamic_shapes)
        except Exception as error:
            raise InputError(f"torch cannot export {type(module).__name__}: {_reason(error)}") from error
        content = _skeleton(program)
    write_bytes(path, content)
    return path


def _torch() -> Any:
    try:
        import onnxscript  # noqa: F401
        import torch
    except ImportError as error:
        raise missing_extra(f"an export from PyTorch needs {error.name}", "torch") from error
    return torch


def _reason(error: BaseException) -> str:
    """Return the first line of the root cause of an error."""
    while error.__cause__ is not None:
        error = error.__cause__
    return next((line.strip() for line in str(error).splitlines() if line.strip()), type(error).__name__)


def _program(torch: Any, module: Any, args: Any, kwargs: dict[str, Any], dynamic_shapes: Any) -> Any:
    """Trace the module with fake weights and inputs, convert it to ONNX and optimise it."""
    from torch._subclasses.fake_tensor import FakeTensorMode
    from torch.utils._pytree import tree_map_only

    mode = FakeTensorMode(allow_non_fake_inputs=True)

    def fake(tensor: Any) -> Any:
        return _fake(torch, mode, tensor)

    inputs = args if isinstance(args, tuple) else (args,)
    program = torch.onnx.export(
        _weightless(torch, module, fake),
        tree_map_only(torch.Tensor, fake, inputs),
        kwargs=tree_map_only(torch.Tensor, fake, kwargs),
        dynamic_shapes=dynamic_shapes,
        dynamo=True,
        verbose=False,
        optimize=False,
    )
    _fill(program)
    program.optimize()
    return program


def _fake(torch: Any, mode: Any, tensor: Any) -> Any:
    """Return a tensor of the same shape and type, on the processor, without memory."""
    from torch._subclasses.fake_tensor import FakeTensor

    return FakeTensor(mode, torch.empty_like(tensor, device="meta", requires_grad=False), torch.device("cpu"))


def _weightless(torch: Any, module: Any, fake: Any) -> Any:
    """Copy a module for inference without its weights; integer buffers are shared, since they decide shapes."""
    memo: dict[int, Any] = {}
    for parameter in module.parameters():
        memo[id(parameter)] = torch.nn.Parameter(fake(parameter), requires_grad=False)
    for buffer in module.buffers():
        small = not buffer.is_floating_point() and not buffer.is_complex() and buffer.device.type != "meta"
        memo[id(buffer)] = buffer.detach().cpu() if small else fake(buffer)
    return deepcopy(module, memo).eval()


def _fill(program: Any) -> None:
    """Give each fake constant distinct synthetic values that repeat along all axes but the last."""
    import onnx_ir
    from torch._subclasses.fake_tensor import FakeTensor

    for number, value in enumerate(program.model.graph.initializers.values()):
        constant = value.const_value
        if isinstance(getattr(constant, "raw", None), FakeTensor):
            shape = tuple(constant.shape)
            drawn = np.random.default_rng(number).uniform(0.5, 1.5, shape[-1:]).astype(constant.dtype.numpy())
            tensor = onnx_ir.Tensor(np.broadcast_to(drawn, shape), dtype=constant.dtype, name=constant.name)
            tensor.meta[_PLACE] = True
            value.const_value = tensor


def _skeleton(program: Any) -> bytes:
    """Serialise a network without documentation, with weights as references to a file that does not exist."""
    import onnx_ir
    from onnx_ir.passes.common import ClearMetadataAndDocStringPass

    offset = 0
    for value in program.model.graph.initializers.values():
        constant = value.const_value
        dtype = BY_ONNX[constant.dtype.value].name
        if _PLACE in constant.meta or not keeps_values(dtype, constant.nbytes, constant.size):
            value.const_value = onnx_ir.ExternalTensor(
                _PLACE, offset, constant.nbytes, constant.dtype, shape=constant.shape, name=value.name
            )
            offset += constant.nbytes
    ClearMetadataAndDocStringPass()(program.model)
    content: bytes = onnx_ir.to_proto(program.model).SerializeToString(deterministic=True)
    return content
