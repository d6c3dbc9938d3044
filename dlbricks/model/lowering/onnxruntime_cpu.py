"""Lowers a network to the graph that onnxruntime executes on this machine.

The runtime optimises the network with synthetic weights and saves the result, which runs unchanged with all
optimisations off. Shapes are observed in a run, since shape inference does not know the runtime's own operators.
"""

import math
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import onnx
import onnxruntime as ort
from google.protobuf.message import DecodeError

from dlbricks.errors import UnsupportedModelError
from dlbricks.harness.cpu import block_of, instruction_set, lowers_alike
from dlbricks.harness.dtypes import as_bytes
from dlbricks.harness.runtimes.onnxruntime import provider_names
from dlbricks.harness.session import SessionSettings, backend
from dlbricks.model.bounds import allow_run, allow_weights, check_run
from dlbricks.model.emit import end_to_end_inputs, end_to_end_network, network_bytes, write_weights
from dlbricks.model.lowering.blocked import DOMAIN, Blocking
from dlbricks.model.lowering.kernels import kernel_reason
from dlbricks.model.lowering.runtime import (
    PROVIDERS,
    RUNTIME_FAILURES,
    is_finite,
    observed_spec,
    plain_message,
    quiet_options,
    run_values,
    runtime_value,
)
from dlbricks.model.order import depth_first
from dlbricks.model.read.skim import skim
from dlbricks.model.types import Layer, LoweringTarget, Model, TensorSpec
from dlbricks.operators.costs import least_flops, shared_of
from dlbricks.operators.ranges import shaping_tensors
from dlbricks.passes.cleanup import remove_copies, remove_dead, sort
from dlbricks.passes.freeze import freeze
from dlbricks.passes.graph import SourceGraph
from dlbricks.units import format_bytes

TARGET, CUDA_TARGET = "onnxruntime-cpu", "onnxruntime-cuda"
"""Targets of onnxruntime's CPU provider and its CUDA provider."""
# Copies that the runtime inserts between providers, and would insert again into sequences of its graph.
_COPIES = frozenset({"MemcpyFromHost", "MemcpyToHost"})
LEVELS = {
    "basic": ort.GraphOptimizationLevel.ORT_ENABLE_BASIC,
    "extended": ort.GraphOptimizationLevel.ORT_ENABLE_EXTENDED,
    "all": ort.GraphOptimizationLevel.ORT_ENABLE_ALL,
}
"""Graph optimisations by the runtime's names; ``all`` adds processor-specific layouts to ``extended``."""

_OPTIMISED_FILE = "optimized.onnx"
_WEIGHTS_FILE = "optimized.weights"
# smaller weights stay in the graph, where shape inference reads them
_INLINE_BYTES = 1024
# bytes of inner tensors that one run observes at most, so that memory holds them beside the weights
_EXPOSED_BYTES = 1 << 30
# bytes of the largest tensor whose values may decide a shape; larger ones hold data
_OBSERVED_BYTES = 4096
# From this number of operations, or these bytes of weights, on, tensors that kept their names from the source are
# neither observed nor checked: a run would take minutes.
_LONG_OPERATIONS, _LARGE_BYTES = 100_000_000_000, 1 << 29
# bytes of weights that fit beside the graph into one protobuf file, whose limit is 2 GiB
_MOST_INLINE = (1 << 31) - (1 << 24)


def lower(
    model: Model,
    *,
    target: str = TARGET,
    threads: int = 1,
    keep_weights: Path | None = None,
    scratch: Path | None = None,
    level: str = "all",
) -> Model:
    """Return the network that onnxruntime would execute on this machine.

    Args:
        model: a network with target ``portable``.
        target: ``TARGET`` or ``CUDA_TARGET``, whose provider must work on this machine.
        keep_weights: folder for the lowered network with its synthetic weights, to which the constants then refer.
        scratch: folder for synthetic weights, which other calls and processes reuse; None for a temporary folder.
        level: graph optimisations, one of ``LEVELS``.

    Raises:
        UnsupportedModelError: the runtime cannot load or run the network, an output is not finite, no values can be
            generated for an input, output or constant, or the network is lowered already.
        HarnessError: the provider does not work on this machine.
    """
    return next(_lowered(model, [None], level, threads, (keep_weights, scratch), target))


def _lowered(  # for each number of channels per block; None for plain layout
    model: Model, blocks: Sequence[int | None], level: str, threads: int, folders: Sequence[Path | None], target: str
) -> Iterator[Model]:
    keep_weights, scratch = folders
    if model.target != "portable":
        where = f"{model.name} is lowered already, for {model.target}"
        raise UnsupportedModelError(f"{where}: give --target {model.target}")
    providers = providers_of(target)
    check_run([model.spec(name) for name in (*model.inputs, *model.outputs)], None)
    with tempfile.TemporaryDirectory(prefix="dlbricks-") as place:
        folder, weights = keep_weights or Path(place), scratch or Path(place)
        path = folder / _OPTIMISED_FILE
        has_own_weights = keep_weights is not None
        _save_optimised(model, folder, weights, threads, providers, level=level, has_own_weights=has_own_weights)
        weights = folder if (folder / _WEIGHTS_FILE).is_file() else weights
        read = [_sort_stably(remove_dead(remove_copies(sort(SourceGraph(skim(path), path)), _COPIES))) for _ in blocks]
        seen, observed = _observe_run(model, read[0], path, weights, threads, providers)
    for plain, block in zip(read, blocks, strict=True):
        graph, types = (plain, seen) if block is None else Blocking(plain, seen, block).rewritten()
        lowered = freeze(_sort_stably(graph), types)
        constants = lowered.constants
        if keep_weights is None:
            constants = {name: replace(constant, source=None) for name, constant in constants.items()}
        yield replace(
            lowered,
            layers=lowered.layers if target == TARGET else tuple(_with_kernels(lowered, graph, types)),
            constants=constants,
            name=model.name,
            target=target,
            observed=observed or None,
            source_layers=model.source_layers,
            folded=model.folded,
        )


def for_processor(
    model: Model, lowered: Model, code: Sequence[str], *, threads: int = 1, scratch: Path | None = None
) -> Model:
    """Return the graph that this release of onnxruntime executes on a processor with the instruction set ``code``.

    ``lowered`` is the graph for this machine. It is returned without ``made_for`` if the other graph cannot be derived:
    if a layout is unknown, or if ``Blocking`` does not give this machine's graph as the runtime does.
    """
    own, other = block_of(instruction_set()), block_of(code)
    made_for = LoweringTarget(runtime=ort.__version__, instruction_set=tuple(code))
    if lowers_alike(instruction_set(), code):
        return replace(lowered, made_for=made_for)
    if own is None or other is None:
        return lowered
    here, there = _lowered(model, (own, other), "extended", threads, (None, scratch), TARGET)
    # what has no blocks is optimised alike everywhere, also by what this module does not do, as quantised layers
    if not any(layer.domain == DOMAIN for each in (lowered, here, there) for layer in each.layers):
        return replace(lowered, made_for=made_for)
    return replace(there, made_for=made_for) if _calls(here) == _calls(lowered) else lowered


def _calls(model: Model) -> Counter[tuple[object, ...]]:
    # Count the calls of a network by operator, attributes, and types of operands and results.
    def types(names: Sequence[str]) -> tuple[object, ...]:
        return tuple((model.spec(name).dtype, model.spec(name).shape) if name else None for name in names)

    return Counter(
        (layer.domain, layer.op_type, layer.attributes, types(layer.inputs), types(layer.outputs))
        for layer in model.layers
    )


def _with_kernels(lowered: Model, graph: SourceGraph, types: Mapping[str, TensorSpec]) -> Iterator[Layer]:
    """Yield the layers of a lowered network that ran on a device; a layer without a CPU kernel is not skipped."""
    for node, layer in zip(graph.nodes, lowered.layers, strict=True):
        reason = kernel_reason(node.as_proto(), types, graph.opsets.get(node.domain, 1)) if layer.skip else None
        yield replace(layer, skip=None) if reason and reason == layer.skip else layer


def providers_of(target: str) -> Sequence[str]:
    """Return onnxruntime's names of the execution providers for a target such as ``onnxruntime-cuda``.

    Raises:
        HarnessError: the installed runtime lacks the provider, or the provider does not work.
    """
    settings = SessionSettings(provider=target.removeprefix("onnxruntime-"))
    backend(settings).prepare(settings)
    return provider_names(settings)


def graph_of_session(
    model: Model, outputs: Mapping[str, Sequence[TensorSpec]], *, providers: Sequence[str], threads: int = 1
) -> Model:
    """Return the network that onnxruntime executes on providers that ``lower`` does not support.

    Args:
        model: a network with target ``portable``.
        outputs: dtypes and shapes of the results of each executed node, by the node's name in the runtime's profile.
        providers: execution providers, by the runtime's names.

    Raises:
        UnsupportedModelError: the runtime cannot load the network, or does not save the optimised one.
    """
    with tempfile.TemporaryDirectory(prefix="dlbricks-") as scratch:
        _save_optimised(model, Path(scratch), Path(scratch), threads, providers)
        path = Path(scratch) / _OPTIMISED_FILE
        graph = remove_dead(sort(SourceGraph(skim(path), path)))
    types = {name: constant.spec for name, constant in graph.constants.items()} | dict(model.tensors)
    for node in graph.nodes:
        seen = outputs.get(node.name, ())
        if len(seen) == len(node.writes):
            types |= {name: replace(spec, name=name) for name, spec in zip(node.writes, seen, strict=True)}
    executed = freeze(graph, types)
    return replace(executed, name=model.name, target=f"onnxruntime {providers[0]}", source_layers=model.source_layers)


def _save_optimised(
    model: Model,
    folder: Path,
    weights: Path,
    threads: int,
    providers: Sequence[str] = tuple(PROVIDERS),
    *,
    level: str = "all",
    has_own_weights: bool = False,
) -> None:
    """Write the runtime's optimised graph to a folder.

    With ``has_own_weights`` the weights lie in a separate file. Otherwise the graph refers to files in ``weights``, and
    holds the weights that the runtime changed.
    """
    network, blobs = end_to_end_network(model)
    nbytes = sum(blob.nbytes for blob in blobs)
    allow_weights(model.name, nbytes, weights, layers=len(model.layers))
    write_weights(weights, blobs)
    folder.mkdir(parents=True, exist_ok=True)

    def save(*, apart: bool) -> None:
        options = quiet_options(threads)
        options.graph_optimization_level = LEVELS[level]
        options.optimized_model_filepath = str(folder / _OPTIMISED_FILE)
        entries = {"session.model_external_initializers_file_folder_path": str(weights)}
        if apart:
            entries["session.optimized_model_external_initializers_file_name"] = _WEIGHTS_FILE
            entries["session.optimized_model_external_initializers_min_size_in_bytes"] = str(_INLINE_BYTES)
        for key, value in entries.items():
            options.add_session_config_entry(key, value)
        with _naming(model, "optimise"):
            ort.InferenceSession(network_bytes(network), options, providers=list(providers), enable_fallback=0)

    try:
        save(apart=has_own_weights)
    except UnsupportedModelError:
        if has_own_weights or nbytes <= _MOST_INLINE:
            raise
        save(apart=True)


def _sort_stably(graph: SourceGraph) -> SourceGraph:
    """Order nodes depth first from the outputs, and name Reorder nodes by their results.

    Otherwise order and names differ between runs: the runtime adds ReorderOutput nodes in the order of a hash table.
    """
    makers = {name: index for index, node in enumerate(graph.nodes) for name in node.writes}

    def makers_among(names: Sequence[str]) -> list[int]:
        return [makers[name] for name in names if name in makers]

    order = depth_first(makers_among(graph.output_names), lambda index: makers_among(graph.nodes[index].reads))
    graph.nodes = [graph.nodes[index] for index in order]
    for node in graph.nodes:
        if node.domain == DOMAIN and node.op.startswith("Reorder"):
            node.name = f"{node.op}_{node.results[0]}"
    return graph


@contextmanager
def _naming(model: Model, what: str) -> Iterator[None]:
    """Convert the runtime's errors to one line that names the network."""
    try:
        yield
    except RUNTIME_FAILURES as error:
        reason = f"{plain_message(str(error))} (--target portable splits the network as it is)"
        raise UnsupportedModelError(f"onnxruntime cannot {what} {model.name}: {reason}") from error


def _observe_run(
    model: Model, graph: SourceGraph, path: Path, weights: Path, threads: int, providers: Sequence[str]
) -> tuple[dict[str, TensorSpec], dict[str, bytes]]:
    """Run the lowered network; return dtype and shape of each tensor, and the computed values that decide shapes.

    If that would take long (a prompt of thousands of tokens), only layers that lead to unknown shapes are run.
    """
    types = {name: constant.spec for name, constant in graph.constants.items()}
    types |= {name: model.spec(name) for name in model.inputs}
    shaping = shaping_tensors(((node.domain, node.op, node.operands) for node in graph.nodes), graph.constants)
    # a cache with free room has a buffer of its own here, and only the part in use is written
    checked = set(model.outputs) - set(shared_of(model, range(len(model.layers))))
    observed: dict[str, bytes] = {}
    feeds = {name: runtime_value(model.spec(name), array) for name, array in end_to_end_inputs(model)}
    arithmetic = least_flops(model, model.layers)
    large = sum(constant.spec.nbytes for constant in graph.constants.values()) > _LARGE_BYTES
    unchanged: dict[str, TensorSpec] = {}
    if arithmetic > _LONG_OPERATIONS or large:
        # tensors that kept their names kept their shapes, unless a layer in blocked layout writes them
        left = (name for node in graph.nodes if node.domain != DOMAIN for name in node.writes)
        unchanged = {name: model.tensors[name] for name in left if name in model.tensors and model.tensors[name].dtype}
    types |= unchanged
    written = [name for node in graph.nodes for name in node.writes]
    inner = [name for name in written if name not in unchanged or name in shaping]
    exposed = sum(spec.nbytes for spec in model.tensors.values()) * len(inner) / max(1, len(written))
    size = max(1, math.ceil(len(inner) / max(1, math.ceil(exposed / _EXPOSED_BYTES))))
    for start in range(0, len(inner), size):
        names = inner[start : start + size]
        allow_run(arithmetic)
        with _naming(model, "run"):
            values = run_values(_with_outputs(path, names), weights, names, feeds, threads=threads, providers=providers)
        for name, value in zip(names, values, strict=True):
            types[name] = observed_spec(name, value)
            if name in checked and not is_finite(value):
                raise UnsupportedModelError(f"output '{name}' of {model.name} is not finite with synthetic weights")
            if name in shaping and types[name].nbytes <= _OBSERVED_BYTES:
                observed[name] = as_bytes(value.numpy())
    return types, observed


def _with_outputs(path: Path, names: Sequence[str]) -> bytes:
    """Return the network of a file, serialised, with ``names`` as additional outputs."""
    try:
        network = onnx.load(path, load_external_data=False)
    except DecodeError as error:
        size = format_bytes(path.stat().st_size)
        raise UnsupportedModelError(f"the network optimised by onnxruntime has {size}, the limit is 2 GiB") from error
    present = {entry.name for entry in network.graph.output}
    for name in names:
        if name not in present:
            network.graph.output.add(name=name)
    return network_bytes(network)
