"""What the harness asks of a runtime other than onnxruntime.

onnxruntime's session has the methods of ``Inference`` itself (``session.py``). Any other runtime is one module with the
functions of ``Backend``, ``NAME_session.py``; a suite imports it only when it is run with that runtime.
"""

import importlib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, cast

from ..errors import HarnessError
from ..options import ONNXRUNTIME, RUNTIMES

if TYPE_CHECKING:
    from ..session import Session, SessionSettings


class Binding(Protocol):
    """Inputs and outputs of a network in buffers of the caller, where every call reads and writes them."""

    def bind_input(self, name: str, device: str, device_id: int, number: int, shape: list[int], place: int) -> None:
        """Bind an input: ``number`` is ``TensorProto.DataType``, ``place`` the address of its first byte."""

    def bind_output(self, name: str, device: str, device_id: int, number: int, shape: list[int], place: int) -> None:
        """Bind an output, as an input is bound."""


class Inference(Protocol):
    """An open network; it is closed when nothing refers to it any more."""

    def io_binding(self) -> Any:
        """Give a ``Binding`` to which nothing is bound yet."""

    def run_with_iobinding(self, binding: Any) -> None:
        """Call the network once, and wait until the call is done."""

    def end_profiling(self) -> str:
        """Write calls and executed layers as onnxruntime does (``harness.trace.layer_profile``); give the path."""

    def get_profiling_start_time_ns(self) -> int:
        """Give the time since 1970 from which the profile counts."""


class Backend(Protocol):
    """The module of a runtime."""

    def check(self, settings: "SessionSettings") -> None:
        """Refuse, with ``HarnessError``, a runtime that is not installed and options that it does not have."""

    def facts(self, settings: "SessionSettings") -> dict[str, Any]:
        """Describe the runtime and all its options, as ``machine.runtime.runtime_facts`` does."""

    def open_session(
        self, network: Path | bytes, weights: Path, settings: "SessionSettings", *, profile: Path | None = None
    ) -> "Session":
        """Open a network; its ``inference`` is an ``Inference``. See ``session.open_session``."""

    def executed_layers(self, compiled: Any) -> Sequence[dict[str, str]]:
        """Say what is executed in place of the network's own layers, and in which element type (``dtype``)."""


def backend(settings: "SessionSettings") -> Backend | None:
    """Give the module of a runtime; None for onnxruntime.

    Raises:
        HarnessError: there is no such runtime.
    """
    if settings.runtime == ONNXRUNTIME:
        return None
    if settings.runtime not in RUNTIMES:
        raise HarnessError(f"there is no runtime '{settings.runtime}': choose from {', '.join(RUNTIMES)}")
    return cast("Backend", importlib.import_module(f".{settings.runtime}_session", __package__))
