"""Extracts benchmarks from one network: reads, lowers and splits it, and builds one benchmark per unique sequence.

The importance of a benchmark is the share of a network's time that its sequence takes, as a roofline model of a slow
core predicts. Even rounded down to a power of 2, importances disclose roughly the depth of the network.
"""

import math
import tempfile
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import onnx
import onnx.parser

from dlbricks.errors import InputError, UnsupportedModelError
from dlbricks.model.read.checker import naming_file_in_errors
from dlbricks.model.read.decoders import PAST, logits_of, network_name
from dlbricks.model.read.dimensions import dimensions_of
from dlbricks.model.types import Model
from dlbricks.operators.assumptions import assumption_lines
from dlbricks.operators.costs import fetched_bytes, least_flops
from dlbricks.sequences.canonical import canonicalise
from dlbricks.sequences.split import network, pairs, strip_boundary_views
from dlbricks.sequences.types import LayerSequence, Split
from dlbricks.settings import SplitSettings
from dlbricks.suite.benchmarks import BuiltBenchmark, build_benchmark, group_index
from dlbricks.suite.manifest import Benchmark, NetworkReport

# Arithmetic throughput of the roofline model, for multiplications and additions.
OPERATIONS_PER_SECOND = 50e9
# Memory bandwidth of the roofline model: inputs, outputs and the parts of constants that are read count once each.
BYTES_PER_SECOND = 20e9
# Minimum time of a sequence.
FIXED_SECONDS = 2e-6
# Factor for the importance of pairs of sequences: a pair only corrects the estimate from its two parts.
PAIR_SHARE = 1 / 8
# Minimum importance: a schema requires more than 0.
LEAST = 2.0**-20


def predicted_s(model: Model, sequence: LayerSequence) -> float:
    """Return the time that a roofline model predicts for a layer sequence, seconds."""
    layers = [model.layers[index] for index in sequence.layers]
    moved = sum(model.spec(tensor).nbytes for tensor in (*sequence.inputs, *sequence.outputs))
    return _seconds(least_flops(model, layers), moved + fetched_bytes(model, layers, sequence.constants))


def seconds_of(benchmark: Benchmark) -> float:
    """Return the time that a roofline model predicts for a suite's benchmark, seconds."""
    # Suites of older versions have no kinds of layers and do not say how many bytes of the weights a call reads.
    read = benchmark.fetched_bytes if benchmark.kinds else benchmark.weight_bytes
    return _seconds(benchmark.flops or 0, read + benchmark.activation_bytes)


def _seconds(operations: int, moved_bytes: int) -> float:
    return max(operations / OPERATIONS_PER_SECOND, moved_bytes / BYTES_PER_SECOND) + FIXED_SECONDS


def importances(sequences: Mapping[str, float], unions: Mapping[str, float]) -> dict[str, float]:
    """Return the share of each sequence and pair in the predicted time of a network, rounded down to a power of 2.

    Keys are fingerprints. ``sequences`` and ``unions`` (of pairs) hold predicted seconds, summed over occurrences.
    """
    total = math.fsum(sequences.values())
    shares = {fingerprint: PAIR_SHARE * seconds / total for fingerprint, seconds in unions.items()}
    for fingerprint, seconds in sequences.items():
        shares[fingerprint] = max(seconds / total, shares.get(fingerprint, 0.0))
    return {fingerprint: rounded_down(share) for fingerprint, share in shares.items()}


def rounded_down(share: float) -> float:
    """Return the largest power of 2 that is not above ``share``, from ``LEAST`` to 1.

    >>> rounded_down(0.3)
    0.25
    """
    return math.ldexp(0.5, math.frexp(min(1.0, max(LEAST, share)))[1])


# Skip reason of sequences of views only.
FREE = "only renames memory: free, needs no benchmark"


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractionTask:
    """A network file and the settings for splitting it."""

    path: Path
    settings: SplitSettings
    only: frozenset[str] | None = None
    pairs: bool = False
    # text after the network's name in its report
    label: str = ""
    scratch: Path | None = None
    """Folder for synthetic weights, which tasks for the same network share; None for a temporary folder."""
    # whether to add benchmarks that sample a decoder's next token
    choosing: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Extraction:
    """Benchmarks of one network, and the report on it."""

    report: NetworkReport
    benchmarks: tuple[BuiltBenchmark, ...] = ()
    covered: tuple[tuple[str, int], ...] = ()
    """Fingerprint of each layer sequence with a benchmark, and the number of layers in all its occurrences."""
    # benchmarks that sample a decoder's next token
    choices: tuple[BuiltBenchmark, ...] = ()


def extract_benchmarks(task: ExtractionTask) -> Extraction:
    """Make the benchmarks of a network file; if the file cannot be used, the report has the reason."""
    try:
        with naming_file_in_errors(task.path):
            parts = network(task.path, task.settings, scratch=task.scratch)
            if task.settings.lowered_for and parts.model.made_for is None:
                raise UnsupportedModelError(f"{task.path}: its graph on processors with other blocks is unknown")
            collected, benchmarks = _build_all(parts, task.only, unions=task.pairs)
            choices = _choices(task, parts.model, math.fsum(collected.seconds.values()))
    except InputError as error:
        return Extraction(report=NetworkReport(network=network_name(task.path) + task.label, unsupported=str(error)))
    report = NetworkReport(
        network=network_name(task.path) + task.label,
        source_layers=parts.model.source_layers,
        folded=parts.model.folded,
        layers=len(parts.model.layers),
        sequences=len(parts.sequences),
        unique_sequences=len(collected.covered),
        pairs=len(collected.benchmarks) - len(collected.covered),
        skipped=tuple(sorted(collected.skipped.items())),
        assumed=assumption_lines(parts.model),
    )
    return Extraction(report=report, benchmarks=benchmarks, covered=tuple(collected.covered.items()), choices=choices)


# Build the benchmarks of sampling a decoder's next token; importances are relative to the predicted time of the
# network's unique sequences, in seconds.
def _choices(task: ExtractionTask, model: Model, seconds: float) -> tuple[BuiltBenchmark, ...]:
    if not task.choosing:
        return ()
    networks = token_choices(task.path, model, task.settings).values()
    built = [sample for parts in networks for sample in _build_all(parts, task.only, unions=False)[1]]
    return tuple(sample.with_importance(rounded_down(seconds_of(sample.benchmark) / seconds)) for sample in built)


# Benchmarks of a split network, collected sequence by sequence.
@dataclass(slots=True)
class _Collected:
    parts: Split
    only: frozenset[str] | None
    group_of: dict[int, int]
    benchmarks: dict[str, BuiltBenchmark] = field(default_factory=dict)
    # Predicted time of one call, by fingerprint.
    seconds: dict[str, float] = field(default_factory=dict)
    # Number of layers without a benchmark, by reason.
    skipped: Counter[str] = field(default_factory=Counter)
    # Number of layers by fingerprint of their benchmark.
    covered: Counter[str] = field(default_factory=Counter)

    def add(self, sequence: LayerSequence) -> str:
        # Build the benchmark of a sequence if it is requested and new; returns its fingerprint.
        model = self.parts.model
        canonical = canonicalise(model, sequence)
        fingerprint = canonical.fingerprint
        if fingerprint not in self.seconds:
            self.seconds[fingerprint] = predicted_s(model, sequence)
            if self.only is None or fingerprint in self.only:
                self.benchmarks[fingerprint] = build_benchmark(model, canonical, group_of=self.group_of)
        return fingerprint

    def with_importances(self, uses: Counter[str], unions: Counter[str]) -> tuple[BuiltBenchmark, ...]:
        # Return the benchmarks with their importances, by the numbers of occurrences of sequences and of unions.
        shares = importances(
            {fingerprint: count * self.seconds[fingerprint] for fingerprint, count in uses.items()},
            {fingerprint: count * self.seconds[fingerprint] for fingerprint, count in unions.items()},
        )
        return tuple(built.with_importance(shares[fingerprint]) for fingerprint, built in self.benchmarks.items())


def benchmarks_from(parts: Split, *, unions: bool) -> tuple[BuiltBenchmark, ...]:
    """Make a benchmark of each unique layer sequence; with ``unions``, also of each pair of adjacent sequences."""
    return _build_all(parts, None, unions=unions)[1]


# Build one benchmark per fingerprint, and count the layers of the others by reason.
def _build_all(
    parts: Split, only: frozenset[str] | None, *, unions: bool
) -> tuple[_Collected, tuple[BuiltBenchmark, ...]]:
    model = parts.model
    collected = _Collected(parts, only, group_index(model))
    uses: Counter[str] = Counter()
    for sequence in parts.sequences:
        views = all(model.layers[index].is_view for index in sequence.layers)
        reason = FREE if views else sequence.skip
        if reason is not None:
            collected.skipped[reason] += len(sequence.layers)
            continue
        fingerprint = collected.add(strip_boundary_views(model, sequence))
        uses[fingerprint] += 1
        if fingerprint in collected.benchmarks:
            collected.covered[fingerprint] += len(sequence.layers)
    paired = Counter(collected.add(union) for _, _, union in (pairs(parts) if unions else ()))
    return collected, collected.with_importances(uses, paired)


def without(extraction: Extraction, refused: Mapping[str, str]) -> Extraction:
    """Return the extraction without the benchmarks in ``refused`` (reasons by fingerprint), which count as skipped."""
    skipped = Counter(dict(extraction.report.skipped))
    for fingerprint, layers in extraction.covered:
        if fingerprint in refused:
            skipped[refused[fingerprint]] += layers
    benchmarks = tuple(built for built in extraction.benchmarks if built.benchmark.fingerprint not in refused)
    unique = sum(fingerprint not in refused for fingerprint, _ in extraction.covered)
    report = replace(
        extraction.report,
        unique_sequences=unique,
        pairs=len(benchmarks) - unique,
        skipped=tuple(sorted(skipped.items())),
        left_out=tuple((name, refused[name]) for name, _ in extraction.covered if name in refused),
    )
    return replace(extraction, report=report, benchmarks=benchmarks)


# Sampling methods: greedy, and top-k with k = 50.
LIKELIEST, DRAWN = "the likeliest", "one of the 50 likeliest"
_OF = 50
# opset and IR version are frozen: fingerprints must not depend on the release of onnx
_HEAD = '<ir_version: 8, opset_import: ["" : 17]> choice '
# ArgMax; and inverse transform sampling over the probabilities of the greatest logits
_NETWORKS = {
    LIKELIEST: """(float[BATCH,WORDS] logits) => (int64[BATCH,1] token) {
        token = ArgMax <axis = -1, keepdims = 1> (logits)
    }""",
    DRAWN: """(float[BATCH,WORDS] logits, float[BATCH,1] number) => (int64[BATCH,1] token)
    <int64[1] count = {50}, int64 axis = {1}> {
        greatest, places = TopK <axis = -1> (logits, count)
        shares = Softmax <axis = -1> (greatest)
        sums = CumSum (shares, axis)
        below = Less (sums, number)
        below_ints = Cast <to = 7> (below)
        rank = ArgMin <axis = -1, keepdims = 1> (below_ints)
        token = GatherElements <axis = 1> (places, rank)
    }""",
}


def token_choices(path: Path, model: Model, settings: SplitSettings) -> dict[str, Split]:
    """Return, for each sampling method, a small network that chooses a token from a decoder's logits.

    The result is empty unless ``path`` is a decoder and ``settings`` set the number of past tokens.
    """
    if PAST not in settings.dims or not model.outputs:
        return {}
    name = logits_of(model.outputs)
    logits = model.spec(name)
    if logits.dtype != "float32" or len(logits.shape) not in (2, 3) or "hidden" in name:  # its head is another network
        return {}
    if not dimensions_of(path).short or logits.shape[-1] < _OF:
        return {}
    splits = {}
    alone = SplitSettings(granularity="inf", target=model.target, threads=settings.threads)
    with tempfile.TemporaryDirectory(prefix="dlbricks-") as folder:
        for name, text in _NETWORKS.items():
            sized = text.replace("BATCH", str(logits.shape[0])).replace("WORDS", str(logits.shape[-1]))
            file = Path(folder) / f"choosing {name}.onnx"
            file.write_bytes(onnx.parser.parse_model(_HEAD + sized).SerializeToString())
            splits[name] = network(file, alone)
    return splits
