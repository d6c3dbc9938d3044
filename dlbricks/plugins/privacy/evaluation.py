"""Runs all attacks on a suite and collects their results."""

import tempfile
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from dlbricks.construct.coverage import DEFAULT_BENCHMARK_NS
from dlbricks.errors import DlbricksError, InputError
from dlbricks.harness.run.progress import silent
from dlbricks.model.lowering.onnxruntime_cpu import TARGET
from dlbricks.model.order import depth_first
from dlbricks.model.read.decoders import network_name
from dlbricks.model.read.network import find_networks
from dlbricks.model.types import Model
from dlbricks.plugins.privacy.attacks import (
    DEPTHS,
    Joining,
    Piece,
    PublicNetwork,
    Ranked,
    Tensor,
    chance_of_first,
    chance_of_right,
    depths,
    guess,
    importances_without_counts,
    joining,
    ranking,
    ranking_by_both,
    sizes,
)
from dlbricks.plugins.privacy.grid_networks import STEPS, Grid, grid_networks
from dlbricks.process_pool import Crashed, Workers
from dlbricks.sequences.canonical import canonicalise
from dlbricks.sequences.split import network, strip_boundary_views
from dlbricks.sequences.types import LayerSequence, Split
from dlbricks.settings import SplitSettings
from dlbricks.store.document import read_document, read_file
from dlbricks.suite.extraction import importances, predicted_s, seconds_of
from dlbricks.suite.generate import Progress
from dlbricks.suite.manifest import Benchmark, Suite, from_document, read_suite
from dlbricks.units import counted

# Most networks that a ranking shows.
SHOWN = 10
# A suite that holds less of every network may be of a grid: of 50 grids 79 % and more of the channels are points of it,
# and at most 67 % are points of the next coarser one.
_HELD, _ON_GRID = 0.5, 0.75


@dataclass(frozen=True, slots=True, kw_only=True)
class Identification:
    """Guess of the networks from which a suite was generated."""

    ranked: tuple[Ranked, ...]
    """Public networks that fit best, at most ``SHOWN``."""
    whole: int
    """Number of public networks that are completely in the suite."""
    first: float | None
    """Probability that a true network ranks first, with ties in random order; None if true networks are not stated."""
    among_five: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SizeGuess:
    """Guess of one size, such as channels."""

    figure: str
    guess: int
    candidates: int
    """Number of different values in the shapes of the suite."""
    chance: float | None
    """Probability that the guess is right; None if the true network is not stated, was rounded, or lacks this size."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DepthGuess:
    """Numbers of depths: those that a receiver considers (``of``), and those that fit the suite (``left``)."""

    network: str
    left: int
    of: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Leakage:
    """Results of all attacks on a suite."""

    suite: str
    zoo: int
    """Number of public networks."""
    grid: int = 0
    """Number of public sizes per doubling to which sizes were rounded; 0 for sizes that were not rounded."""
    true: tuple[str, ...]
    pieces: int
    added: int
    """Number of layer sequences that no true network has; 0 if true networks are not stated."""
    cost_ns: int
    """Estimated time of running the suite."""
    added_cost_ns: int
    identification: Identification
    with_importances: Identification
    """Ranking by layer sequences and importances."""
    sizes: tuple[SizeGuess, ...]
    depths: tuple[DepthGuess, ...]
    joining: Joining | None


def read_received(path: Path) -> Suite:
    """Read the suite's manifest in a suite or a result; raises ``InputError`` for other files."""
    if path.suffix != ".json":
        return read_suite(path)
    return from_document(read_document(read_file(path))["suite"]["manifest"], f"{path}: suite.manifest")


def read_zoo(
    paths: Sequence[str], suite: Suite, *, dims: Mapping[str, int], jobs: int = 1, progress: Progress = silent
) -> tuple[PublicNetwork, ...]:
    """Read public networks and split them with the settings of a suite; leave out those that cannot be used.

    If sizes in the suite seem rounded, the networks' sizes are rounded, too. Raises ``InputError`` if the suite's
    target is not supported, a path is missing, or no network can be used.
    """
    if suite.target.name not in {"portable", TARGET}:
        raise InputError(f"leakage needs a suite for target portable or {TARGET}, not {suite.target.name}")
    files, seen, networks = find_networks(paths), pieces_of(suite), tuple[PublicNetwork, ...]()
    settings, held = replace(suite.settings, dims=dims, batch=None), {piece.fingerprint for piece in seen}
    for steps in (0, _steps_of(seen)):
        if networks and (not steps or ranking(held, networks)[0].score >= _HELD):
            continue
        read = partial(read_public_network, settings=settings, steps=steps)
        with Workers(jobs) as workers:
            results = workers.each(read, files, lambda done: progress("zoo", done, len(files)))
        # a network whose sizes were rounded may not run, and is not lowered then
        networks = tuple(result for result in results if isinstance(result, PublicNetwork)) or networks
        if not networks:
            reasons = [result for result in results if not isinstance(result, PublicNetwork | Crashed)]
            raise InputError(f"no network of --zoo can be used: {reasons[0] if reasons else 'reading them crashes'}")
    return networks


def _steps_of(seen: Sequence[Piece]) -> int:
    # Return the fewest points per doubling of a grid that most channels of a suite lie on; 0 if there is none.
    shapes = [shape for piece in seen for _, shape in (*piece.inputs, *piece.outputs) if shape]
    channels = [shape[1 if len(shape) == 4 else -1] for shape in shapes]
    lie = {steps: sum(size == Grid(steps=steps).below(size) for size in channels) for steps in STEPS}
    return next((steps for steps in STEPS if lie[steps] > _ON_GRID * len(channels)), 0)


def evaluate(suite: Suite, zoo: Sequence[PublicNetwork], true: Collection[str] = ()) -> Leakage:
    """Run all attacks on a suite.

    ``zoo`` comes from ``read_zoo``. ``true`` names the networks from which the suite was generated; it shows how often
    attacks are right. Raises ``InputError`` if the zoo lacks a true network.
    """
    names, seen = {public.network for public in zoo}, pieces_of(suite)
    for name in true:
        if name not in names:
            raise InputError(f"--true {name} is not in --zoo: choose from {', '.join(sorted(names)[:5])} ...")
    own = [public for public in zoo if public.network in true]
    real = {fingerprint for public in own for fingerprint in public.pieces}
    added = sum(piece.fingerprint not in real for piece in seen) if own else 0
    held = {piece.fingerprint: piece.importance for piece in seen}
    attacked = own or [public for public in zoo if public.pieces.keys() <= held.keys()]
    return Leakage(
        suite=suite.name,
        zoo=len(zoo),
        grid=zoo[0].grid,
        true=tuple(sorted(true)),
        pieces=len(seen),
        added=added,
        cost_ns=len(seen) * DEFAULT_BENCHMARK_NS,
        added_cost_ns=added * DEFAULT_BENCHMARK_NS,
        identification=_identified(ranking(held, zoo), true),
        with_importances=_identified(ranking_by_both(seen, zoo), true),
        # a grid shows points around a size instead of the size
        sizes=_sizes(seen, [public for public in own if not public.grid]),
        depths=tuple(
            _depth(public, held, [other for other in zoo if other.pieces.keys() <= held.keys()]) for public in attacked
        ),
        joining=joining(seen, own) if own else None,
    )


def _depth(public: PublicNetwork, held: Mapping[str, float], complete: Sequence[PublicNetwork]) -> DepthGuess:
    elsewhere = {fingerprint for other in complete if other is not public for fingerprint in other.pieces}
    return DepthGuess(network=public.network, left=len(depths(public, held, elsewhere)), of=len(DEPTHS))


def _identified(ranked: Sequence[Ranked], true: Collection[str]) -> Identification:
    return Identification(
        ranked=tuple(ranked[:SHOWN]),
        whole=sum(entry.score >= 1 - 1e-9 for entry in ranked),
        first=chance_of_first(ranked, true) if true else None,
        among_five=chance_of_first(ranked, true, among=5) if true else None,
    )


def _sizes(seen: Sequence[Piece], own: Sequence[PublicNetwork]) -> tuple[SizeGuess, ...]:
    truths = [sizes(public.pieces.values()) for public in own]
    return tuple(
        SizeGuess(
            figure=figure,
            guess=guess(values),
            candidates=len(values),
            chance=max((chance_of_right(values, truth[figure]) for truth in truths if figure in truth), default=None),
        )
        for figure, values in sizes(seen).items()
    )


def conclusion(leakage: Leakage) -> str:
    """Return a sentence on what a receiver learns."""
    first = leakage.identification
    if leakage.true and first.first is not None:
        identified = f"ranks a true network first in {100 * first.first:.0f} of 100 cases"
    elif first.whole:
        identified = f"finds {first.whole} public network{'s' if first.whole > 1 else ''} completely in the suite"
    else:
        best = first.ranked[0]
        identified = f"finds at most {100 * best.score:.0f} % of a public network in the suite ({best.network})"
    read = [size for size in leakage.sizes if size.candidates == 1]
    figures = f", and reads {', '.join(f'{size.figure} {size.guess}' for size in read)}" if read else ""
    knows = f"makes the grid of {leakage.grid} points per doubling around" if leakage.grid else "knows"
    return f"A receiver who {knows} the {counted(leakage.zoo, 'network')} of the zoo {identified}{figures}."


def pieces_of(suite: Suite) -> tuple[Piece, ...]:
    """Return what a suite discloses about its layer sequences."""
    return tuple(_piece(benchmark) for benchmark in suite.benchmarks if benchmark.role == "sequence")


def _piece(benchmark: Benchmark) -> Piece:
    return Piece(
        fingerprint=benchmark.fingerprint,
        operators=benchmark.operators,
        inputs=tuple((tensor.dtype, tensor.shape) for tensor in benchmark.inputs),
        outputs=tuple((tensor.dtype, tensor.shape) for tensor in benchmark.outputs),
        weight_bytes=benchmark.weight_bytes,
        seconds=seconds_of(benchmark),
        importance=benchmark.importance,
    )


def read_public_network(path: Path, settings: SplitSettings, steps: int = 0) -> PublicNetwork | str:
    """Split a public network, with sizes rounded to ``steps`` per doubling; if this fails, return the reason."""
    uses, cores, edges = Counter[str](), dict[str, tuple[Model, LayerSequence, float]](), set[tuple[str, str]]()
    try:
        splits = _grid_of(path, settings, steps) if steps else [network(path, settings)]
    except DlbricksError as error:
        return str(error)
    for parts in splits:
        name_of: dict[int, str] = {}
        for number, sequence in enumerate(parts.sequences):
            if sequence.skip or all(parts.model.layers[index].is_view for index in sequence.layers):
                continue
            core = strip_boundary_views(parts.model, sequence)
            name_of[number] = canonicalise(parts.model, core).fingerprint
            uses[name_of[number]] += 1
            if name_of[number] not in cores:
                cores[name_of[number]] = parts.model, core, predicted_s(parts.model, core)
        edges |= {
            (name_of[before], name_of[number])
            for number, waits in enumerate(parts.depends_on)
            if number in name_of
            for before in _sources(waits, parts.depends_on, name_of)
        }
    seconds = {name: cost for name, (_, _, cost) in cores.items()}
    # a grid tells no counts
    uses = Counter(dict.fromkeys(cores, 1)) if steps else uses
    costs = {name: count * seconds[name] for name, count in uses.items()}
    shares = importances_without_counts(seconds) if steps else importances(costs, {})
    return PublicNetwork(
        network=network_name(path),
        pieces={name: _public(model, core, name, shares[name], cost) for name, (model, core, cost) in cores.items()},
        uses=uses,
        edges=frozenset(edges),
        grid=steps,
    )


def _grid_of(path: Path, settings: SplitSettings, steps: int) -> list[Split]:
    grid, on_grid = grid_networks(path, settings, Grid(steps=steps)), settings.without_extents()
    if not grid.networks:
        raise InputError(grid.unsupported or f"{path}: none of its sizes are consistent on the grid")
    with tempfile.TemporaryDirectory(prefix="dlbricks-") as folder:
        place = Path(folder) / path.name
        return [network(place, on_grid) for data in grid.networks if place.write_bytes(data)]


def _sources(waits: Sequence[int], depends_on: Sequence[Sequence[int]], name_of: Mapping[int, str]) -> set[int]:
    # Return the sequences that dependencies lead to, looking through sequences of views only.
    passed = depth_first(waits, lambda number: () if number in name_of else depends_on[number])
    return {number for number in passed if number in name_of}


def _public(model: Model, core: LayerSequence, fingerprint: str, importance: float, seconds: float) -> Piece:
    def tensors(names: Sequence[str]) -> tuple[Tensor, ...]:
        return tuple((model.spec(name).dtype, model.spec(name).shape) for name in names)

    return Piece(
        fingerprint=fingerprint,
        operators=tuple(model.layers[index].op_type for index in core.layers),
        inputs=tensors(core.inputs),
        outputs=tensors(core.outputs),
        weight_bytes=sum(model.spec(name).nbytes for name in core.constants),
        seconds=seconds,
        importance=importance,
    )
