"""The targets of a split: what each runtime executes. Those of plug-ins are entry points (``dlbricks.targets``)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from dlbricks.errors import MissingDependencyError, UnsupportedModelError
from dlbricks.extensions import load, offered
from dlbricks.harness.errors import HarnessError
from dlbricks.harness.options import ONNXRUNTIME
from dlbricks.model.types import Model
from dlbricks.settings import PORTABLE, TARGETS

GROUP = "dlbricks.targets"
"""Group of entry points with a ``SplitTarget``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SplitTarget:
    """A target of a split."""

    name: str
    runtime: str
    """Name of the runtime that executes it."""
    provider: str
    """Short name of the provider that executes it."""
    lower: Callable[[Model, int, Path | None], Model]
    """Makes a portable network into one of this target, for a number of threads, with a folder for synthetic weights.

    It sets ``Model.target`` and ``Model.traits``.

    Raises:
        UnsupportedModelError: the runtime cannot execute it, or it was lowered already.
        HarnessError: the runtime or provider is missing.
    """
    layers_of_nodes: Callable[[Model, Sequence[Mapping[str, Any]]], dict[str, str]] | None = None
    """Returns the layers of executed nodes (``session.Backend.executed_layers``) by name; None if nodes are layers."""


def target_of(name: str) -> SplitTarget:
    """Return a target by its name.

    Raises:
        UnsupportedModelError: there is no such target. Results and bundles name some, and a provider may be a library.
        MissingDependencyError: it is of a plug-in that is not installed.
    """
    if name in _CORE:
        return _CORE[name]
    if name not in TARGETS:
        raise UnsupportedModelError(f"there is no target '{name[:80]}': choose from {', '.join(TARGETS)}")
    point = offered(GROUP).get(name)
    if point is None:
        raise MissingDependencyError(f"target {name} needs the plug-in {name} ({GROUP}): reinstall dlbricks with it")
    return load(point, SplitTarget)


def provider_of(target: str) -> str:
    """Return the short name of the provider that executes a target; see ``target_of``."""
    return target_of(target).provider


def for_target(model: Model, target: str, *, threads: int = 1, scratch: Path | None = None) -> Model:
    """Return the graph of a network that a target splits.

    Args:
        model: as read; one that was lowered elsewhere has its target.
        target: one of ``TARGETS``.
        threads: to lower for.
        scratch: folder for synthetic weights, which serve again; None for a temporary one.

    Raises:
        UnsupportedModelError, HarnessError, MissingDependencyError: as ``target_of`` and ``SplitTarget.lower``.
    """
    return model if model.target == target else target_of(target).lower(model, threads, scratch)


def _saved_by_onnxruntime(model: Model, threads: int, scratch: Path | None, *, target: str) -> Model:
    from dlbricks.model.lowering.onnxruntime_cpu import lower

    try:
        return lower(model, target=target, threads=threads, scratch=scratch)
    except HarnessError as error:
        advice = "give a file that 'dlbricks lower' made where it works"
        raise HarnessError(f"{error}; or {advice}", error.exit_code) from error


def _onnxruntime(name: str, provider: str, lowered_for: str) -> SplitTarget:
    lower = partial(_saved_by_onnxruntime, target=lowered_for)
    return SplitTarget(name=name, runtime=ONNXRUNTIME, provider=provider, lower=lower)


_CORE = {
    PORTABLE: _onnxruntime(PORTABLE, "cpu", "onnxruntime-cpu"),  # refuses a network that was lowered already
    "onnxruntime-cpu": _onnxruntime("onnxruntime-cpu", "cpu", "onnxruntime-cpu"),
    "onnxruntime-cuda": _onnxruntime("onnxruntime-cuda", "cuda", "onnxruntime-cuda"),
}
