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

STATUS = re.compile(r"^.*?\[ONNXRuntimeError\] : \d+ : \w+ : ")
"""Begin of a message, which tells users nothing."""
