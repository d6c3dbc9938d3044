"""Lists which benchmarks networks need at each granularity, and how often; one process reads and splits one network."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from dlbricks.errors import InputError, UnsupportedModelError
from dlbricks.model.lowering.onnxruntime_cpu import for_target
from dlbricks.model.read.checker import blamed
from dlbricks.model.read.network import read_batched
from dlbricks.model.types import Model
from dlbricks.sequences.canonical import canonicalise
from dlbricks.sequences.split import pairs, split, strip_boundary_views
from dlbricks.sequences.types import Granularity, LayerSequence, Split
from dlbricks.suite.benchmarks import counted_layers, group_index
from dlbricks.suite.extraction import predicted_s
from dlbricks.suite.workers import Crashed, Workers

Setting = tuple[str, str]
"""Granularity and composition rule; ``pairs`` needs unions of adjacent sequences as well."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchmarkUse:
    """A benchmark that a network needs."""

    fingerprint: str
    uses: int
    """Occurrences of its sequence (or union of adjacent sequences) in the network."""
    layers: int
    """Counted as for H."""
    weight_bytes: int
    predicted_ns: float
    """Time of one call, predicted from arithmetic and bytes (``suite.extraction.predicted_s``)."""


Uses = Mapping[Setting, tuple[BenchmarkUse, ...]]
"""Benchmarks of one network by setting."""


def model_uses(model: Model, settings: Sequence[Setting]) -> Uses:
    """List the benchmarks of a network at each setting, split by the splitter ``block``."""
    made: dict[Setting, tuple[BenchmarkUse, ...]] = {}
    for text in dict.fromkeys(granularity for granularity, _ in settings):
        parts = split(model, Granularity.parse(text))
        wanted = {rule for granularity, rule in settings if granularity == text}
        made |= {(text, rule): uses_of(parts, unions=rule == "pairs") for rule in sorted(wanted)}
    return made


def uses_of(parts: Split, *, unions: bool) -> tuple[BenchmarkUse, ...]:
    """List the benchmarks of a split network, each once, by fingerprint.

    Args:
        parts: the split network.
        unions: whether to add unions of adjacent sequences.
    """
    model = parts.model
    sequences = [
        strip_boundary_views(model, one)
        for one in parts.sequences
        if one.skip is None and not all(model.layers[index].is_view for index in one.layers)
    ]
    if unions:
        sequences += [union for _, _, union in pairs(parts)]
    first: dict[str, LayerSequence] = {}
    uses: Counter[str] = Counter()
    for sequence in sequences:
        fingerprint = canonicalise(model, sequence).fingerprint
        first.setdefault(fingerprint, sequence)
        uses[fingerprint] += 1
    group_of = group_index(model)
    return tuple(
        BenchmarkUse(
            fingerprint=fingerprint,
            uses=uses[fingerprint],
            layers=counted_layers(model, sequence.layers, group_of),
            weight_bytes=sum(model.spec(tensor).nbytes for tensor in sequence.constants),
            predicted_ns=1e9 * predicted_s(model, sequence),
        )
        for fingerprint, sequence in sorted(first.items())
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkOrder:
    """A network and the settings to examine."""

    path: Path
    dims: tuple[tuple[str, int], ...]
    target: str
    threads: int
    """Threads that the graph is lowered for."""
    settings: tuple[Setting, ...]
    batch: int | None = None
    """Batch size; None for that of the file and ``dims``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RefusedNetwork:
    """A valid network that is not supported."""

    path: Path
    reason: str


def gather(
    orders: Sequence[NetworkOrder], jobs: int, progress: Callable[[str, int, int], None]
) -> tuple[list[Uses], list[RefusedNetwork]]:
    """List the benchmarks of each network; unsupported networks are left out, as in a suite.

    Args:
        orders: at least one.
        jobs: number of processes.
        progress: called with a label, networks done and networks in all.

    Raises:
        InputError: a file is no valid network, or a dimension is unbound.
        UnsupportedModelError: no network is supported.
    """
    with Workers(jobs) as workers:
        made = workers.each(network_uses, orders, lambda done: progress("granularities", done, len(orders)))
    uses, refused = list[Uses](), list[RefusedNetwork]()
    for one in made:
        if isinstance(one, Crashed):
            raise InputError(f"{one.given.path} {one.reason}: leave it out")
        if isinstance(one, RefusedNetwork):
            refused.append(one)
        else:
            uses.append(one)
    if not uses:
        raise UnsupportedModelError(refused[0].reason)
    return uses, refused


def network_uses(order: NetworkOrder) -> Uses | RefusedNetwork:
    """Read a network and list its benchmarks.

    Raises:
        InputError: the file is no valid network, or a dimension is unbound.
    """
    try:
        with blamed(order.path):
            portable = read_batched(order.path, dims=dict(order.dims), batch=order.batch)
            return model_uses(for_target(portable, order.target, threads=order.threads), order.settings)
    except UnsupportedModelError as error:
        return RefusedNetwork(path=order.path, reason=str(error))
