"""What onnxruntime raises when it cannot load or run a network, and how its messages begin."""

import re

from onnxruntime.capi.onnxruntime_pybind11_state import (
    EPFail,
    Fail,
    InvalidArgument,
    InvalidGraph,
    InvalidProtobuf,
    RuntimeException,
)
from onnxruntime.capi.onnxruntime_pybind11_state import NotImplemented as NoKernel

RUNTIME_FAILURES = (EPFail, Fail, InvalidArgument, InvalidGraph, InvalidProtobuf, NoKernel, RuntimeException)
"""The errors."""

_NOISE = re.compile(
    r"^.*?\[ONNXRuntimeError\] : \d+ : \w+ : "
    r"|Non-zero status code returned while |Status Message: |\S*/onnxruntime_src/\S+ "
)
_LENGTH = 200


def spoken(message: str) -> str:
    """Give a message of the runtime in one line without what tells users nothing: codes, places in its sources."""
    return _NOISE.sub("", " ".join(message.split()))[:_LENGTH]
