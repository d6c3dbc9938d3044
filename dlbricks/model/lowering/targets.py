"""Defines the targets of a split, writes files of lowered networks, and finds the layers that a node computes.

Plug-ins add targets as entry points (``dlbricks.targets``).

A runtime fuses and renames layers. A node computes the result of a layer if the node or one of its outputs has the name
of a tensor that the layer writes, or if the node's name begins with the layer's name and a slash. A layer without such
a node was fused into the node that uses its result.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from dlbricks.errors import MissingDependencyError, UnsupportedModelError
from dlbricks.extensions import load, offered
from dlbricks.files import write_bytes
from dlbricks.harness.errors import HarnessError
from dlbricks.harness.machine import code_of
from dlbricks.harness.options import ONNXRUNTIME
from dlbricks.harness.session import SessionSettings, backend, check_settings
from dlbricks.model.emit import end_to_end_network, network_bytes
from dlbricks.model.order import depth_first, makers_of
from dlbricks.model.read.network import METADATA_KEY, METADATA_VERSION, LoweringMetadata
from dlbricks.model.tensors import value_info
from dlbricks.model.types import LoweringTarget, Model
from dlbricks.operators.assumptions import as_in
from dlbricks.settings import PORTABLE, TARGETS, usual_target

GROUP = "dlbricks.targets"
"""Group of entry points by which plug-ins add targets; each is a ``SplitTarget``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SplitTarget:
    """A runtime with an execution provider, and the function that lowers networks to it."""

    name: str
    runtime: str
    """Runtime that executes the target."""
    provider: str
    """Short name of the execution provider."""
    lower: Callable[[Model, int, Path | None], Model]
    """Lowers a network; takes the network, threads, and a folder for weights (None: temporary).

    The function sets ``Model.target`` and ``Model.traits`` of its result.

    Raises:
        UnsupportedModelError: the runtime cannot execute the network, or the network was lowered already.
        HarnessError: the runtime or provider is missing.
    """
    layers_of_nodes: Callable[[Model, Sequence[Mapping[str, Any]]], dict[str, str]] | None = None
    """Maps names of executed nodes to names of layers; None if each node is a layer."""


def target_of(name: str) -> SplitTarget:
    """Return the target called ``name``, as in ``onnxruntime-cpu``.

    Raises ``UnsupportedModelError`` if it is unknown, and ``MissingDependencyError`` if its plug-in is not installed.
    """
    if name in _CORE:
        return _CORE[name]
    if name not in TARGETS:
        raise UnsupportedModelError(f"unknown target '{name[:80]}': choose from {', '.join(TARGETS)}")
    point = offered(GROUP).get(name)
    if point is None:
        raise MissingDependencyError(f"target {name} needs the plug-in {name} ({GROUP}): reinstall dlbricks with it")
    return load(point, SplitTarget)


def provider_of(target: str) -> str:
    """Return a target's execution provider, as in ``cpu``; raises as ``target_of``."""
    return target_of(target).provider


def for_target(
    model: Model, target: str, *, threads: int = 1, scratch: Path | None = None, lowered_for: Sequence[str] = ()
) -> Model:
    """Return a network lowered for ``target``; ``model`` itself if it is for this target.

    Args:
        model: a network with target ``portable`` or ``target``.
        target: one of ``TARGETS``.
        scratch: folder for synthetic weights, which other calls reuse; None for a temporary folder.
        lowered_for: instruction set for which ``onnxruntime-cpu`` optimises (``onnxruntime_cpu.for_processor``); empty
            for this machine's.

    Raises:
        UnsupportedModelError, HarnessError, MissingDependencyError: as ``target_of`` and ``SplitTarget.lower``.
    """
    if model.target == target:
        return model
    lowered = target_of(target).lower(model, threads, scratch)
    if lowered_for and target == usual_target():
        from dlbricks.model.lowering.onnxruntime_cpu import for_processor

        lowered = for_processor(model, lowered, lowered_for, threads=threads, scratch=scratch)
    return as_in(model, lowered)


def _saved_by_onnxruntime(model: Model, threads: int, scratch: Path | None, *, target: str) -> Model:
    from dlbricks.model.lowering.onnxruntime_cpu import lower

    try:
        return lower(model, target=target, threads=threads, scratch=scratch)
    except HarnessError as error:
        advice = "run `dlbricks lower` on a machine where it works, and use its file here"
        raise HarnessError(f"{error}; or {advice}", error.exit_code) from error


def _onnxruntime(name: str, provider: str, lowered_for: str) -> SplitTarget:
    lower = partial(_saved_by_onnxruntime, target=lowered_for)
    return SplitTarget(name=name, runtime=ONNXRUNTIME, provider=provider, lower=lower)


_CORE = {
    PORTABLE: _onnxruntime(PORTABLE, "cpu", "onnxruntime-cpu"),  # refuses a network that was lowered already
    "onnxruntime-cpu": _onnxruntime("onnxruntime-cpu", "cpu", "onnxruntime-cpu"),
    "onnxruntime-cuda": _onnxruntime("onnxruntime-cuda", "cuda", "onnxruntime-cuda"),
}


def this_machine(target: str) -> LoweringTarget:
    """Return this machine's instruction set and version of the runtime; raises ``HarnessError`` without the runtime."""
    split_target = target_of(target)
    settings = SessionSettings(provider=split_target.provider, runtime=split_target.runtime)
    check_settings(settings)
    runtime = backend(settings)
    code = code_of(runtime.device_number(settings))
    return LoweringTarget(runtime=runtime.facts(settings)["version"], instruction_set=tuple(code))


def save_lowered(model: Model, path: Path, made_for: LoweringTarget) -> None:
    """Write a lowered network to an ONNX file, without weights.

    Raises ``UnsupportedModelError`` if an input or output is not a tensor, or its shape is unknown.
    """
    network, _ = end_to_end_network(model)
    outer = {*model.inputs, *model.outputs}
    stated = [spec for name, spec in sorted(model.tensors.items()) if name not in outer and spec.dtype]
    network.graph.value_info.extend(value_info(spec) for spec in stated)
    metadata = LoweringMetadata(
        version=METADATA_VERSION,
        target=model.target,
        runtime=made_for.runtime,
        instruction_set=made_for.instruction_set,
        source_layers=model.source_layers,
        folded=model.folded,
        skipped={layer.name: layer.skip for layer in model.layers if layer.skip},
        observed=dict(sorted((model.observed or {}).items())),
        assumed=dict(sorted(model.assumed.items())),
        assumed_bodies=dict(sorted(model.assumed_bodies.items())),
    )
    network.metadata_props.add(key=METADATA_KEY, value=msgspec.json.encode(metadata).decode())
    write_bytes(path, network_bytes(network))


# onnxruntime appends this text to the name of a tensor that it keeps in blocked layout
_BLOCKED_SUFFIX = "_nchwc"


def results(executed: Model, source: Model) -> dict[str, tuple[str, ...]]:
    """Map the name of each lowered layer to the names of the original layers whose results it computes."""
    if source.target == executed.target:
        return {layer.name: (layer.name,) for layer in executed.layers}
    makers = _names_of_makers(source)
    names = {layer.name for layer in source.layers}
    layers_of = {}
    for layer in executed.layers:
        computed = [makers[tensor] for tensor in layer.outputs if tensor in makers]
        layers_of[layer.name] = tuple(dict.fromkeys(computed)) or _by_name(layer.name, makers, names)
    return layers_of


def _names_of_makers(source: Model) -> dict[str, str]:
    return {tensor: source.layers[place].name for tensor, place in makers_of(source).items()}


def _by_name(name: str, makers: Mapping[str, str], names: Collection[str]) -> tuple[str, ...]:
    blocked, plain = name.removesuffix(_BLOCKED_SUFFIX), name.partition("/")[0]
    if blocked in makers:
        return (makers[blocked],)
    return (plain,) if plain in names else ()


def origins_by_name(names: Iterable[str], source: Model) -> dict[str, tuple[str, ...]]:
    """Map names of executed layers to names of layers in ``source``; layers that the runtime added are absent."""
    makers, own = _names_of_makers(source), {layer.name for layer in source.layers}
    layers_of = {name: (name,) if name in own else _by_name(name, makers, own) for name in names}
    return {name: layers for name, layers in layers_of.items() if layers}


def origins(executed: Model, source: Model) -> dict[str, tuple[str, ...]]:
    """Map the name of each lowered layer to the names of the original layers that it computes.

    A fused layer belongs to the first executed layer that uses its result; folded layers belong to none.
    """
    computed = results(executed, source)
    if source.target == executed.target:
        return computed
    places = {layer.name: place for place, layer in enumerate(source.layers)}
    makers = makers_of(source)
    taken = {places[name] for names in computed.values() for name in names}

    def fused(place: int) -> list[int]:
        before = (makers[tensor] for tensor in source.layers[place].reads if tensor in makers)
        return [maker for maker in before if maker not in taken]

    layers_of = {}
    for layer in executed.layers:
        own = depth_first([places[name] for name in computed[layer.name]], fused)
        taken.update(own)
        layers_of[layer.name] = tuple(source.layers[place].name for place in sorted(own))
    return layers_of
