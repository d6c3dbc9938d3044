"""Reads files of lowered networks, which ``model.lowering.targets`` writes where the runtime and its device work.

They are ONNX files without weights in which every tensor has its shape, with metadata on the target and its runtime.
Reading one runs nothing and asks no runtime for kernels: the file contains the reasons for skipped layers.
"""

from dataclasses import dataclass, field, replace
from pathlib import Path

import onnx

from dlbricks.errors import InputError
from dlbricks.model.tensors import static_spec
from dlbricks.model.types import LoweringTarget, Model
from dlbricks.passes.freeze import freeze
from dlbricks.passes.graph import import_network
from dlbricks.typed_json import Count, read_json

METADATA_KEY = "dlbricks.lowered"
METADATA_VERSION = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class LoweringMetadata:
    """Metadata of the file."""

    version: Count
    target: str
    runtime: str
    instruction_set: tuple[str, ...]
    source_layers: Count
    folded: Count
    skipped: dict[str, str] = field(default_factory=dict)
    """Why a layer cannot be part of a benchmark, by name."""
    observed: dict[str, bytes] = field(default_factory=dict)
    """Values of tensors that decide shapes; base64 in the file."""


def lowered_model(network: onnx.ModelProto, path: Path) -> Model | None:
    """Read a lowered network from the result of ``model.read.skim``; None if it is not a lowered one.

    Raises:
        InputError: it was saved by a newer dlbricks, or is damaged.
    """
    recorded = next((entry.value for entry in network.metadata_props if entry.key == METADATA_KEY), None)
    if recorded is None:
        return None
    metadata = read_json(LoweringMetadata, recorded.encode(), f"{path}: its lowering metadata")
    if metadata.version != METADATA_VERSION:
        raise InputError(f"{path} was lowered by a newer dlbricks (version {metadata.version}): update dlbricks")
    graph = import_network(network, path)
    types = {name: constant.spec for name, constant in graph.constants.items()}
    stated = {entry.name: entry for entry in (*graph.entries, *graph.declared.values())}
    types |= {name: spec for name, entry in stated.items() if (spec := static_spec(entry)) is not None}
    model = freeze(graph, types)
    return replace(
        model,
        # reasons of this machine would be those of its own kernels
        layers=tuple(replace(layer, skip=metadata.skipped.get(layer.name)) for layer in model.layers),
        target=metadata.target,
        made_for=LoweringTarget(runtime=metadata.runtime, instruction_set=metadata.instruction_set),
        observed=metadata.observed or None,
        source_layers=metadata.source_layers,
        folded=metadata.folded,
    )
