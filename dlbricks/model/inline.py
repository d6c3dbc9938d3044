"""Calls of functions that the model defines itself are replaced by the functions' bodies."""

from pathlib import Path

import onnx
import onnx.inliner
from google.protobuf.message import DecodeError, EncodeError

from dlbricks.errors import InputError


def inline_functions(model: onnx.ModelProto, path: Path) -> onnx.ModelProto:
    """Inline every model-local function, nested calls, overloads and calls inside bodies included.

    A function that was written for another opset than the model's is converted to the model's by onnx's version
    converter; where that is impossible the model is refused rather than read with wrong meaning.

    Raises:
        InputError: recursive functions, or a function whose opset cannot be converted to the model's.
    """
    if not model.functions:
        return model
    try:
        inlined: onnx.ModelProto = onnx.inliner.inline_local_functions(model, convert_version=True)
    except (onnx.checker.ValidationError, RuntimeError, ValueError, DecodeError, EncodeError) as error:
        reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        message = f"{path}: its functions cannot be inlined: {reason}"
        raise InputError(message) from error
    if inlined.functions:
        left = inlined.functions[0]
        message = (
            f"{path}: function {left.domain}.{left.name} imports another opset than the model and cannot be"
            " converted: export the model with one opset"
        )
        raise InputError(message)
    return inlined
