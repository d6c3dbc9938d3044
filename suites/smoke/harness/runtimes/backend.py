"""The interface of a runtime other than onnxruntime.

A runtime is one module, ``NAME_session.py``, with the functions of ``Backend``, whose sessions have the methods of
``Inference``. onnxruntime's sessions have these methods already (``session.py``).
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
    """Inputs and outputs of a network in the caller's buffers, which every call reads and writes."""

    def bind_input(self, name: str, device: str, device_id: int, number: int, shape: list[int], place: int) -> None:
        """Bind an input; ``number`` is ``TensorProto.DataType``, ``place`` the address of the first byte."""

    def bind_output(self, name: str, device: str, device_id: int, number: int, shape: list[int], place: int) -> None:
        """Bind an output; see ``bind_input``."""


class Inference(Protocol):
    """An open network; it is closed when it is garbage-collected."""

    def io_binding(self) -> Any:
        """Return an empty ``Binding``."""

    def run_with_iobinding(self, binding: Any) -> None:
        """Call the network once and wait for the result."""

    def end_profiling(self) -> str:
        """Write the profile in onnxruntime's format (``harness.trace.layer_profile``); return its path."""

    def get_profiling_start_time_ns(self) -> int:
        """Return the start of the profile, ns since 1970."""


class Backend(Protocol):
    """The module of a runtime."""

    def check(self, settings: "SessionSettings") -> None:
        """Raise ``HarnessError`` if the runtime is not installed or does not have an option."""

    def facts(self, settings: "SessionSettings") -> dict[str, Any]:
        """Return name, version and all options of the runtime; see ``machine.runtime.runtime_facts``."""

    def open_session(
        self, network: Path | bytes, weights: Path, settings: "SessionSettings", *, profile: Path | None = None
    ) -> "Session":
        """Open a network; its ``inference`` is an ``Inference``. See ``session.open_session``."""

    def executed_layers(self, compiled: Any) -> Sequence[dict[str, str]]:
        """Return the executed layers, which replace the network's own, with the element type of each (``dtype``)."""


def backend(settings: "SessionSettings") -> Backend | None:
    """Return the module of a runtime; None for onnxruntime.

    Raises:
        HarnessError: there is no such runtime.
    """
    if settings.runtime == ONNXRUNTIME:
        return None
    if settings.runtime not in RUNTIMES:
        raise HarnessError(f"there is no runtime '{settings.runtime}': choose from {', '.join(RUNTIMES)}")
    return cast("Backend", importlib.import_module(f".{settings.runtime}_session", __package__))
