"""Finds the networks that a user names, and reads each into a Model for a batch size.

A file of a lowered network is an ONNX file without weights that states all shapes and the reasons for skipped layers;
its metadata name the target and the runtime (``model.lowering.targets``). Reading it needs no runtime.
"""

import glob
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeAlias

import numpy as np
import onnx

from dlbricks.errors import DlbricksError, InputError, UnsupportedModelError
from dlbricks.files import refuse_undecoded
from dlbricks.harness.dtypes import storage_dtype
from dlbricks.model.bounds import allow_reading, check_sizes, without_collections
from dlbricks.model.export import PROGRAM, exported, source_of
from dlbricks.model.groups import find_groups
from dlbricks.model.read.checker import complete_imports, inline_functions, naming_file_in_errors
from dlbricks.model.read.decoders import implied, in_branch, is_anonymous, unnamed_caches
from dlbricks.model.read.dimensions import bind, continued_caches, inputs_of, with_values
from dlbricks.model.read.skim import SUITE, hint, skim
from dlbricks.model.tensors import from_array, static_spec
from dlbricks.model.types import LoweringTarget, Model
from dlbricks.operators.assumptions import with_assumptions
from dlbricks.operators.costs import least_flops
from dlbricks.operators.table import operator
from dlbricks.passes.cleanup import (
    duplicate_shared_dequantize,
    duplicate_uniform_constants,
    remove_aliases,
    remove_dead,
    sort,
)
from dlbricks.passes.freeze import check_operands, check_opset, freeze
from dlbricks.passes.graph import SourceGraph, SourceNode
from dlbricks.passes.shape_inference import infer_shapes
from dlbricks.typed_json import Count, read_json
from dlbricks.units import plain

_Change: TypeAlias = Callable[[SourceGraph], SourceGraph] | None


def find_networks(paths: Sequence[str], tell: Callable[[str], object] | None = None) -> tuple[Path, ...]:
    """Return the sorted ONNX files that paths stand for: files, all ``*.onnx`` below folders, or matches of globs.

    Programs of PyTorch (``.pt2``, also below a folder without ONNX files) and Hugging Face architectures are exported
    on first use (``model.export.source_of``); ``tell`` gets a line for each.

    Raises:
        InputError: a path does not exist, a folder or pattern has no network, a name is not UTF-8, or an architecture
            cannot be exported.
        MissingDependencyError: the packages for exporting architectures are not installed.
    """
    networks: dict[Path, None] = {}
    for text in paths:
        path, source = Path(text), source_of(text)
        if source is not None:
            matches = [source]
        elif path.is_dir():
            matches = networks_below(path)
        elif path.exists():
            matches = [path]
        else:
            names = glob.glob(text, recursive=True)  # noqa: PTH207 - Path.glob refuses absolute patterns
            matches = [Path(name) for name in sorted(names) if Path(name).is_file()]
        # a misspelt path must not become an empty suite
        if not matches:
            reason = "holds no network (.onnx, .pt2)" if path.is_dir() else "does not exist"
            advice = hint(path) if path.is_dir() else ""
            raise InputError(
                f"{text} {reason}" + (f"; {advice}" if advice else ": give an ONNX file, a folder or a pattern")
            )
        files = (exported(match, tell) if source or source_of(str(match)) else match for match in matches)
        networks.update(dict.fromkeys(files))
    for path in networks:
        refuse_undecoded(str(path))
    return tuple(sorted(networks))


def networks_below(folder: Path) -> list[Path]:
    """Return the sorted ONNX files below a folder, without those of suites; if there are none, the ``.pt2`` files."""
    suites = {file.parent for file in folder.rglob(SUITE)}
    networks = (path for path in folder.rglob("*.onnx") if suites.isdisjoint(path.parents))
    return sorted(networks) or sorted(folder.rglob(f"*{PROGRAM}"))


@without_collections()
def read_model(
    path: Path,
    *,
    dims: Mapping[str, int] | None = None,
    values: Mapping[str, str] | None = None,
    change: _Change = None,
) -> Model:
    """Read an ONNX file into a Model, with constants folded; a file of ``dlbricks lower`` is read without changes.

    Args:
        path: the ONNX file; its weights may be missing and are never loaded.
        dims: extents of symbolic dimensions, by name or by ``input:axis``.
        values: values of inputs, as in ``SplitSettings.values``.
        change: function that changes the graph before shapes are inferred.

    Raises:
        InputError: the file is not a valid network, a dimension has no extent, or a value does not fit its input.
        UnsupportedModelError: the network needs more than the installed libraries support.
    """
    try:
        with naming_file_in_errors(path):
            return _read(path, dims or {}, values or {}, change)
    except DlbricksError as error:
        if str(error).isprintable():
            raise
        raise type(error)(plain(str(error))) from error


def _read(path: Path, dims: Mapping[str, int], values: Mapping[str, str], change: _Change) -> Model:
    network = skim(path)
    allow_reading(len(network.graph.node))
    lowered = lowered_model(network, path)
    if lowered is not None:
        fixed = next((name for name in lowered.inputs if name in values), None)
        if fixed is not None:
            raise InputError(f"{path} is lowered: give --value {fixed}={values[fixed][:80]} to 'dlbricks lower'")
        return lowered
    complete_imports(network)
    extents = {**implied(path, network.graph, dims), **dims}
    # a value of the user selects the branch, else the lengths of the call
    called, extents = with_values(network, extents, values)
    graph = check_operands(SourceGraph(inline_functions(in_branch(called, extents), path), path))
    # aliases first: a dead Identity may be the last reader of a weight
    remove_dead(remove_aliases(sort(graph)))
    if change is not None:
        graph = change(graph)
    inputs = bind(check_opset(graph).entries, path, extents, unnamed_caches(network.graph))
    check_sizes(path, (*inputs.values(), *(constant.spec for constant in graph.constants.values())))
    inferred = infer_shapes(duplicate_uniform_constants(graph), inputs)
    # before copies are made, which the file does not have
    folded = graph.source_layers - len(graph.nodes)
    types = {**inferred.types, **continued_caches(graph, inferred.types, extents)}
    check_sizes(path, types.values())
    settled = types.keys() - inferred.unsettled  # without the copies that follow
    model = freeze(duplicate_shared_dequantize(graph, types), types, inferred.failure)
    graph.dissolve()
    model = replace(model, groups=find_groups(model), observed=inferred.observed, folded=folded)
    return with_assumptions(model, settled)


METADATA_KEY = "dlbricks.lowered"
METADATA_VERSION = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class LoweringMetadata:
    """Metadata of the ONNX file of a lowered network (``dlbricks lower``)."""

    version: Count
    target: str
    runtime: str
    instruction_set: tuple[str, ...]
    source_layers: Count
    folded: Count
    skipped: dict[str, str] = field(default_factory=dict)
    """Reasons why layers cannot be part of a benchmark, by layer name."""
    observed: dict[str, bytes] = field(default_factory=dict)
    """Values of tensors that decide shapes, by tensor name; base64 in the file."""
    assumed: dict[str, str] = field(default_factory=dict)
    """Maps a tensor to the input that decides the tensor's shape, as ``Model.assumed`` does; empty in older files."""
    assumed_bodies: dict[str, str] = field(default_factory=dict)


def lowered_model(network: onnx.ModelProto, path: Path) -> Model | None:
    """Return the model in a file of ``dlbricks lower``; None for any other network.

    Raises:
        InputError: a newer dlbricks saved the network, or the file is damaged.
    """
    recorded = next((entry.value for entry in network.metadata_props if entry.key == METADATA_KEY), None)
    if recorded is None:
        return None
    metadata = read_json(LoweringMetadata, recorded.encode(), f"{path}: its lowering metadata")
    if metadata.version != METADATA_VERSION:
        raise InputError(f"{path} was lowered by a newer dlbricks (version {metadata.version}): update dlbricks")
    graph = SourceGraph(network, path)
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
        assumed=metadata.assumed,
        assumed_bodies=metadata.assumed_bodies,
        source_layers=metadata.source_layers,
        folded=metadata.folded,
    )


def open_leading(path: Path) -> tuple[str, ...]:
    """Return the names of open batch dimensions; empty if the first input has a fixed batch size."""
    names: dict[str, None] = {}
    for entry in inputs_of(skim(path).graph):
        dims = entry.type.tensor_type.shape.dim
        if not dims:
            continue
        if dims[0].HasField("dim_value") and dims[0].dim_value >= 0:
            if not names:
                break
            continue
        name = dims[0].dim_param
        if not names or is_anonymous(name):
            names[name if name.isidentifier() and not is_anonymous(name) else f"{entry.name}:0"] = None
    return tuple(names)


def batch_of(model: Model) -> int:
    """Return the batch size of a network: the first extent of its first input that is not a scalar, or 1."""
    shapes = (model.spec(name).shape for name in model.inputs)
    return next((shape[0] for shape in shapes if shape), 1)


def read_batched(
    path: Path, *, dims: Mapping[str, int] | None = None, values: Mapping[str, str] | None = None, batch: int | None
) -> Model:
    """Read an ONNX file as ``read_model`` does, with another batch size; None keeps that of the file.

    A fixed batch size is replaced in the inputs, and in constants of Reshape, Expand and Resize that repeat it. The
    number of operations and the sizes of outputs must be proportional to it.

    Raises:
        InputError: as ``read_model``; or ``dims`` contradicts the batch size.
        UnsupportedModelError: the network has no batch dimension, or other places fix the batch size.
    """
    if batch is None:
        return read_model(path, dims=dims, values=values)
    extents = dict(dims or {})
    names = open_leading(path)
    for name in names:
        if extents.setdefault(name, batch) != batch:
            raise InputError(
                f"--dim {name}={extents[name]} and --batch {batch} contradict each other: give one of them"
            )
    model = read_model(path, dims=extents, values=values)
    if names or batch_of(model) == batch:
        return model
    before = batch_of(model)
    if before < 1 or not any(model.spec(name).shape for name in model.inputs):
        raise UnsupportedModelError(f"{path} has no batch dimension: leave --batch out")
    try:
        changed = read_model(path, dims=extents, values=values, change=lambda graph: _rebatch(graph, before, batch))
    except DlbricksError as error:
        raise _fixed(path, before, str(error)) from error
    reason = _mismatch(model, changed, before, batch)
    follows = any(model.spec(name).shape[:1] == (before,) for name in model.outputs)
    if reason and not follows and any(layer.skip for layer in changed.layers):
        raise UnsupportedModelError(
            f"{path} has no batch: no output begins with the {before} of the first input; leave --batch out"
        )
    if reason:
        raise _fixed(path, before, reason)
    return changed


def _fixed(path: Path, before: int, reason: str) -> UnsupportedModelError:
    return UnsupportedModelError(
        f"{path} fixes its batch of {before}: {reason}; leave --batch out, or export it with an open batch"
    )


def _rebatch(graph: SourceGraph, before: int, batch: int) -> SourceGraph:
    # requires and ensures topological order
    flowing: set[str] = set()  # tensors with a batch dimension
    entries = []
    for entry in graph.entries:
        dims = entry.type.tensor_type.shape.dim
        if dims and dims[0].dim_value == before:
            entry = deepcopy(entry)  # noqa: PLW2901 - that of the file stays
            entry.type.tensor_type.shape.dim[0].dim_value = batch
            flowing.add(entry.name)
        entries.append(entry)
    graph.entries, graph.declared = tuple(entries), {}
    for node in graph.nodes:
        if flowing.isdisjoint(node.reads):
            continue
        if node.op not in {"Shape", "Size"}:
            flowing.update(node.writes)
        position = operator(node.domain, node.op).extents
        if position is not None and len(node.operands) > position and node.operands[0] in flowing:
            _scale_extents(node, node.operands[position], graph, before, batch)
    return graph


def _scale_extents(node: SourceNode, name: str, graph: SourceGraph, before: int, batch: int) -> None:
    constant = graph.constant(name)
    if constant is None or constant.values is None or constant.spec.dtype != "int64":
        return
    extents = np.frombuffer(constant.values, storage_dtype("int64")).copy()
    if extents.size and extents[0] > 0 and extents[0] % before == 0:
        extents[0] = extents[0] // before * batch
        node.read_instead({name: graph.put(from_array(f"{name}/batch", "int64", extents))})


def _mismatch(old: Model, new: Model, before: int, batch: int) -> str:
    # empty if everything has grown with the batch size
    skipped = next((layer.skip for layer in new.layers if layer.skip), None)
    if skipped and not any(layer.skip for layer in old.layers):
        return skipped
    for name in old.outputs:
        was, is_now = old.spec(name).shape, new.spec(name).shape
        if was and was[0] == before and is_now != (batch, *was[1:]):
            return f"output '{name}' has shape {list(is_now)} instead of {[batch, *was[1:]]}"
    # an operation that does not grow would be measured for the old batch
    flops, grown = (least_flops(model, model.layers) for model in (old, new))
    return "" if flops * batch == grown * before else f"operations per call changed from {flops} to {grown}"
