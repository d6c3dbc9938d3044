"""Extracts benchmarks from one network: reads, lowers, splits it, and makes one for each unique sequence.

The importance of a benchmark is how much of a network it may decide, guessed by a roofline with the figures of one
modest core: it only ranks, so that a run under a budget measures first what matters most. Shares are rounded down to a
power of 2; beside the cost of a sequence they still tell about how often it occurs, and so how deep a network is.
"""

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from dlbricks.errors import InputError
from dlbricks.model.costs.flops import layer_flops
from dlbricks.model.lowering.onnxruntime_cpu import for_target
from dlbricks.model.read.checker import blamed
from dlbricks.model.read.decoders import network_name
from dlbricks.model.read.network import read_batched
from dlbricks.model.types import Model
from dlbricks.sequences.canonical import canonicalise
from dlbricks.sequences.split import bare, pairs, split
from dlbricks.sequences.types import Granularity, LayerSequence, Split
from dlbricks.suite.benchmarks import BuiltBenchmark, build_benchmark, group_index
from dlbricks.suite.decoys import Statistics, statistics
from dlbricks.suite.manifest import Benchmark, NetworkReport
from dlbricks.suite.token_choice import token_choices

OPERATIONS_PER_SECOND = 50e9
"""Arithmetic that a core does."""
BYTES_PER_SECOND = 20e9
"""What it reads and writes, inputs, outputs and constants of a sequence each once."""
FIXED_SECONDS = 2e-6
"""What a sequence takes however small it is."""
PAIR_SHARE = 1 / 8
"""Part of its time that a union of two sequences counts for: it corrects what its parts give by about so much, and is
worth nothing without them."""
LEAST = 2.0**-20
"""Importance of what hardly matters."""


def predicted_s(model: Model, sequence: LayerSequence) -> float:
    """Guess how long a sequence takes, in seconds.

    Args:
        model: where it comes from.
        sequence: bare of views at its ends.
    """
    operations = sum(layer_flops(model, model.layers[index]) for index in sequence.layers)
    tensors = (*sequence.inputs, *sequence.outputs, *sequence.constants)
    return _seconds(operations, sum(model.spec(tensor).nbytes for tensor in tensors))


def seconds_of(benchmark: Benchmark) -> float:
    """Guess the same of a benchmark, from what its suite says of it."""
    return _seconds(benchmark.flops, benchmark.weight_bytes + benchmark.activation_bytes)


def _seconds(operations: int, moved_bytes: int) -> float:
    return max(operations / OPERATIONS_PER_SECOND, moved_bytes / BYTES_PER_SECOND) + FIXED_SECONDS


def importances(sequences: Mapping[str, float], unions: Mapping[str, float]) -> dict[str, float]:
    """Give each fingerprint's share of a network's predicted time, rounded down to a power of 2.

    Args:
        sequences: predicted seconds of all uses of a sequence together, for every sequence of the network.
        unions: the same for unions of two adjacent sequences.
    """
    total = math.fsum(sequences.values())
    shares = {fingerprint: PAIR_SHARE * seconds / total for fingerprint, seconds in unions.items()}
    for fingerprint, seconds in sequences.items():
        shares[fingerprint] = max(seconds / total, shares.get(fingerprint, 0.0))
    return {fingerprint: rounded_down(share) for fingerprint, share in shares.items()}


def importances_alone(seconds: Mapping[str, float]) -> dict[str, float]:
    """Give importances that tell no counts: how long one call takes, a power of 2, the longest between 1/2 and 1."""
    longest = math.frexp(max(seconds.values()))[1]
    return {fingerprint: rounded_down(math.ldexp(one, -longest)) for fingerprint, one in seconds.items()}


def rounded_down(share: float) -> float:
    """Give the largest power of 2 that is no greater, from ``LEAST`` to 1.

    >>> rounded_down(0.3)
    0.25
    """
    return math.ldexp(0.5, math.frexp(min(1.0, max(LEAST, share)))[1])


FREE = "only renames memory: free, needs no benchmark"
"""Reason why views that stand alone, in networks of nothing else, give no benchmark."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractionTask:
    """One network and what to do with it."""

    path: Path
    dims: tuple[tuple[str, int], ...]
    granularity: Granularity
    splitter: str
    target: str
    threads: int
    """Threads that the lowered graph is made for."""
    only: frozenset[str] | None
    """Fingerprints wanted; None for all."""
    decoys: bool
    """Whether decoys will be drawn from it."""
    pairs: bool = False
    """Whether unions of adjacent sequences become benchmarks too."""
    batch: int | None = None
    """Inputs per call; None for what the file and ``dims`` say."""
    label: str = ""
    """Behind the network's name in its report."""
    allow_values: frozenset[str] = frozenset()
    """Layers whose values may all leave, by name."""
    choosing: bool = False
    """Whether choosing a decoder's next token gets benchmarks, too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Extraction:
    """What one network gave."""

    report: NetworkReport
    benchmarks: tuple[BuiltBenchmark, ...] = ()
    covered: tuple[tuple[str, int], ...] = ()
    """Fingerprint of each benchmark but unions, and how many layers of the network lie in its sequences."""
    statistics: Statistics = field(default_factory=Statistics)
    choices: tuple[BuiltBenchmark, ...] = ()
    """Of choosing a decoder's next token, which is no part of the network."""


def extract_benchmarks(task: ExtractionTask) -> Extraction:
    """Read a network and make its benchmarks; references are not run here.

    A network that cannot be used gives a report that says why.
    """
    try:
        with blamed(task.path):
            portable = read_batched(task.path, dims=dict(task.dims), batch=task.batch)
            model = for_target(portable, task.target, threads=task.threads)
            parts = split(model, task.granularity, task.splitter, allowed=task.allow_values)
            made, benchmarks = _gathered(parts, task.only, unions=task.pairs)
            choices = _choices(task, model, math.fsum(made.seconds.values()))
    except InputError as error:
        return Extraction(report=NetworkReport(network=network_name(task.path) + task.label, unsupported=str(error)))
    report = NetworkReport(
        network=network_name(task.path) + task.label,
        source_layers=portable.source_layers,
        folded=portable.folded,
        layers=len(model.layers),
        sequences=len(parts.sequences),
        unique_sequences=len(made.covered),
        pairs=len(made.benchmarks) - len(made.covered),
        skipped=tuple(sorted(made.skipped.items())),
    )
    return Extraction(
        report=report,
        benchmarks=benchmarks,
        covered=tuple(made.covered.items()),
        statistics=statistics(portable) if task.decoys else Statistics(),
        choices=choices,
    )


def _choices(task: ExtractionTask, model: Model, seconds: float) -> tuple[BuiltBenchmark, ...]:
    """Make the benchmarks of choosing a decoder's next token, as important as their share of a step's pieces.

    Args:
        task: what is done with the network.
        model: the network.
        seconds: predicted for its different sequences together.
    """
    if not task.choosing:
        return ()
    found = token_choices(task.path, model, dict(task.dims), threads=task.threads).values()
    built = [one for parts in found for one in _gathered(parts, task.only, unions=False)[1]]
    return tuple(
        replace(one, benchmark=replace(one.benchmark, importance=rounded_down(seconds_of(one.benchmark) / seconds)))
        for one in built
    )


@dataclass(slots=True)
class _Found:
    """What a split gives, gathered sequence by sequence."""

    parts: Split
    only: frozenset[str] | None
    group_of: dict[int, int]
    benchmarks: dict[str, BuiltBenchmark] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)
    """Predicted for one call, by fingerprint."""
    skipped: Counter[str] = field(default_factory=Counter)
    """Layers by reason."""
    covered: Counter[str] = field(default_factory=Counter)
    """Layers by fingerprint of their benchmark."""

    def add(self, sequence: LayerSequence) -> str:
        """Make the benchmark of a bare sequence if it is wanted and new; gives the fingerprint."""
        model = self.parts.model
        canonical = canonicalise(model, sequence)
        fingerprint = canonical.fingerprint
        if fingerprint not in self.seconds:
            self.seconds[fingerprint] = predicted_s(model, sequence)
            if self.only is None or fingerprint in self.only:
                self.benchmarks[fingerprint] = build_benchmark(model, canonical, group_of=self.group_of)
        return fingerprint

    def weighed(self, uses: Counter[str], unions: Counter[str]) -> tuple[BuiltBenchmark, ...]:
        """Give the benchmarks with their importance in this network.

        Args:
            uses: how often each sequence occurs.
            unions: how often each union of adjacent sequences does.
        """
        shares = importances(
            {fingerprint: count * self.seconds[fingerprint] for fingerprint, count in uses.items()},
            {fingerprint: count * self.seconds[fingerprint] for fingerprint, count in unions.items()},
        )
        return tuple(
            replace(made, benchmark=replace(made.benchmark, importance=shares[fingerprint]))
            for fingerprint, made in self.benchmarks.items()
        )


def benchmarks_from(parts: Split, *, unions: bool) -> tuple[BuiltBenchmark, ...]:
    """Make one benchmark for each different sequence that can be measured, with its importance in this network.

    Args:
        parts: a network, split.
        unions: whether unions of adjacent sequences get benchmarks, too.
    """
    return _gathered(parts, None, unions=unions)[1]


def _gathered(parts: Split, only: frozenset[str] | None, *, unions: bool) -> tuple[_Found, tuple[BuiltBenchmark, ...]]:
    """Make one benchmark per fingerprint; count layers of sequences without one by reason, others by fingerprint."""
    model = parts.model
    made = _Found(parts, only, group_index(model))
    uses: Counter[str] = Counter()
    for sequence in parts.sequences:
        views = all(model.layers[index].is_view for index in sequence.layers)
        reason = FREE if views else sequence.skip
        if reason is not None:
            made.skipped[reason] += len(sequence.layers)
            continue
        fingerprint = made.add(bare(model, sequence))
        uses[fingerprint] += 1
        if fingerprint in made.benchmarks:
            made.covered[fingerprint] += len(sequence.layers)
    paired = Counter(made.add(union) for _, _, union in (pairs(parts) if unions else ()))
    return made, made.weighed(uses, paired)


def without(extraction: Extraction, refused: Mapping[str, str]) -> Extraction:
    """Take out the benchmarks that did not run, and count their layers among the skipped ones.

    Args:
        extraction: what a network gave.
        refused: reason by fingerprint, of any network.
    """
    skipped = Counter(dict(extraction.report.skipped))
    for fingerprint, layers in extraction.covered:
        if fingerprint in refused:
            skipped[refused[fingerprint]] += layers
    benchmarks = tuple(one for one in extraction.benchmarks if one.benchmark.fingerprint not in refused)
    unique = sum(fingerprint not in refused for fingerprint, _ in extraction.covered)
    report = replace(
        extraction.report,
        unique_sequences=unique,
        pairs=len(benchmarks) - unique,
        skipped=tuple(sorted(skipped.items())),
    )
    return replace(extraction, report=report, benchmarks=benchmarks)
