"""Extraction of benchmarks from one network: read, lower and split it, and build one benchmark per unique sequence.

The importance of a benchmark is its share of a network's time, predicted by a roofline model of a slow core. It is used
as a ranking only: a run under a budget measures the most important benchmarks first. Importances are rounded down to
powers of 2; together with the cost of a sequence they still disclose roughly how often it occurs, and so the depth.
"""

import math
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from dlbricks.errors import InputError
from dlbricks.model.read.checker import naming_file_in_errors
from dlbricks.model.read.decoders import PAST, logits_of, network_name
from dlbricks.model.read.dimensions import dimensions_of
from dlbricks.model.types import Model
from dlbricks.operators.costs import fetched_bytes, layer_flops
from dlbricks.sequences.canonical import canonicalise
from dlbricks.sequences.network import network
from dlbricks.sequences.split import pairs, strip_boundary_views
from dlbricks.sequences.types import LayerSequence, Split
from dlbricks.settings import SplitSettings
from dlbricks.suite.benchmarks import BuiltBenchmark, build_benchmark, group_index
from dlbricks.suite.manifest import Benchmark, NetworkReport

OPERATIONS_PER_SECOND = 50e9
"""Arithmetic throughput of the roofline model."""
BYTES_PER_SECOND = 20e9
"""Memory bandwidth of the roofline model, for inputs, outputs and what is read of constants, each once."""
FIXED_SECONDS = 2e-6
"""Minimum time of a sequence."""
PAIR_SHARE = 1 / 8
"""Factor for the importance of unions of two sequences, which only correct the estimates from their parts."""
LEAST = 2.0**-20
"""Minimum importance."""


def predicted_s(model: Model, sequence: LayerSequence) -> float:
    """Predict the time of a sequence by the roofline model, in seconds.

    Args:
        model: the network.
        sequence: without views at its ends.
    """
    layers = [model.layers[index] for index in sequence.layers]
    moved = sum(model.spec(tensor).nbytes for tensor in (*sequence.inputs, *sequence.outputs))
    return _seconds(
        sum(layer_flops(model, layer) for layer in layers), moved + fetched_bytes(model, layers, sequence.constants)
    )


def seconds_of(benchmark: Benchmark) -> float:
    """Predict the time of a benchmark by the roofline model from the suite's manifest, in seconds."""
    # Suites without kinds of layers, which older versions made, do not say how much of the weights is read.
    read = benchmark.fetched_bytes if benchmark.kinds else benchmark.weight_bytes
    return _seconds(benchmark.flops, read + benchmark.activation_bytes)


def _seconds(operations: int, moved_bytes: int) -> float:
    return max(operations / OPERATIONS_PER_SECOND, moved_bytes / BYTES_PER_SECOND) + FIXED_SECONDS


def importances(sequences: Mapping[str, float], unions: Mapping[str, float]) -> dict[str, float]:
    """Return importances by fingerprint: shares of a network's predicted time, rounded down to powers of 2.

    Args:
        sequences: predicted total seconds of all occurrences of each sequence.
        unions: the same for unions of two adjacent sequences.
    """
    total = math.fsum(sequences.values())
    shares = {fingerprint: PAIR_SHARE * seconds / total for fingerprint, seconds in unions.items()}
    for fingerprint, seconds in sequences.items():
        shares[fingerprint] = max(seconds / total, shares.get(fingerprint, 0.0))
    return {fingerprint: rounded_down(share) for fingerprint, share in shares.items()}


def importances_without_counts(seconds: Mapping[str, float]) -> dict[str, float]:
    """Return importances that do not disclose counts: times of one call, scaled and rounded down to powers of 2."""
    longest = math.frexp(max(seconds.values()))[1]
    return {fingerprint: rounded_down(math.ldexp(duration, -longest)) for fingerprint, duration in seconds.items()}


def without_counts(benchmarks: Sequence[BuiltBenchmark]) -> tuple[BuiltBenchmark, ...]:
    """Replace importances by those that follow from the cost of one call, so that they do not disclose counts."""
    shares = importances_without_counts(
        {built.benchmark.fingerprint: seconds_of(built.benchmark) for built in benchmarks}
    )
    return tuple(built.with_importance(shares[built.benchmark.fingerprint]) for built in benchmarks)


def rounded_down(share: float) -> float:
    """Round down to a power of 2 between ``LEAST`` and 1.

    >>> rounded_down(0.3)
    0.25
    """
    return math.ldexp(0.5, math.frexp(min(1.0, max(LEAST, share)))[1])


FREE = "only renames memory: free, needs no benchmark"
"""Skip reason of sequences of views only."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractionTask:
    """A network to extract benchmarks from, with the settings."""

    path: Path
    settings: SplitSettings
    only: frozenset[str] | None = None
    """Fingerprints to include; None for all."""
    pairs: bool = False
    """Whether unions of adjacent sequences become benchmarks, too."""
    label: str = ""
    """Suffix of the network's name in its report."""
    scratch: Path | None = None
    """Folder of synthetic weights of a network that is lowered at several points; None for one of its own."""
    choosing: bool = False
    """Whether there are benchmarks of sampling a decoder's next token."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Extraction:
    """Result of extracting benchmarks from one network."""

    report: NetworkReport
    benchmarks: tuple[BuiltBenchmark, ...] = ()
    covered: tuple[tuple[str, int], ...] = ()
    """Fingerprint and number of covered layers of each benchmark, without unions."""
    choices: tuple[BuiltBenchmark, ...] = ()
    """Benchmarks of sampling a decoder's next token, which is not a part of the network."""


def extract_benchmarks(task: ExtractionTask) -> Extraction:
    """Read a network and build its benchmarks, without references.

    If a network cannot be used, its report has the reason.
    """
    try:
        with naming_file_in_errors(task.path):
            parts = network(task.path, task.settings, scratch=task.scratch)
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
    )
    return Extraction(report=report, benchmarks=benchmarks, covered=tuple(collected.covered.items()), choices=choices)


def _choices(task: ExtractionTask, model: Model, seconds: float) -> tuple[BuiltBenchmark, ...]:
    """Build the benchmarks of sampling a decoder's next token.

    Args:
        task: the task of the network.
        model: the network.
        seconds: predicted total time of its unique sequences, which the importances are relative to.
    """
    if not task.choosing:
        return ()
    networks = token_choices(task.path, model, task.settings).values()
    built = [sample for parts in networks for sample in _build_all(parts, task.only, unions=False)[1]]
    return tuple(sample.with_importance(rounded_down(seconds_of(sample.benchmark) / seconds)) for sample in built)


@dataclass(slots=True)
class _Collected:
    """Benchmarks of a split network, collected sequence by sequence."""

    parts: Split
    only: frozenset[str] | None
    group_of: dict[int, int]
    benchmarks: dict[str, BuiltBenchmark] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)
    """Predicted time of one call, by fingerprint."""
    skipped: Counter[str] = field(default_factory=Counter)
    """Number of layers without a benchmark, by reason."""
    covered: Counter[str] = field(default_factory=Counter)
    """Number of layers by fingerprint of their benchmark."""

    def add(self, sequence: LayerSequence) -> str:
        """Build the benchmark of a sequence if it is requested and new; returns its fingerprint."""
        model = self.parts.model
        canonical = canonicalise(model, sequence)
        fingerprint = canonical.fingerprint
        if fingerprint not in self.seconds:
            self.seconds[fingerprint] = predicted_s(model, sequence)
            if self.only is None or fingerprint in self.only:
                self.benchmarks[fingerprint] = build_benchmark(model, canonical, group_of=self.group_of)
        return fingerprint

    def with_importances(self, uses: Counter[str], unions: Counter[str]) -> tuple[BuiltBenchmark, ...]:
        """Return the benchmarks with their importances in this network.

        Args:
            uses: number of occurrences of each sequence.
            unions: number of occurrences of each union of adjacent sequences.
        """
        shares = importances(
            {fingerprint: count * self.seconds[fingerprint] for fingerprint, count in uses.items()},
            {fingerprint: count * self.seconds[fingerprint] for fingerprint, count in unions.items()},
        )
        return tuple(built.with_importance(shares[fingerprint]) for fingerprint, built in self.benchmarks.items())


def benchmarks_from(parts: Split, *, unions: bool) -> tuple[BuiltBenchmark, ...]:
    """Build a benchmark of each unique sequence that can be measured, with its importance in this network.

    Args:
        parts: a split network.
        unions: whether unions of adjacent sequences become benchmarks, too.
    """
    return _build_all(parts, None, unions=unions)[1]


def _build_all(
    parts: Split, only: frozenset[str] | None, *, unions: bool
) -> tuple[_Collected, tuple[BuiltBenchmark, ...]]:
    """Build one benchmark per fingerprint, and count the layers of the others by reason."""
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
    """Remove the benchmarks that did not run, and count their layers as skipped.

    Args:
        extraction: of a network.
        refused: reasons by fingerprint, of all networks.
    """
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


LIKELIEST, DRAWN = "the likeliest", "one of the 50 likeliest"
"""Sampling methods: greedy, and top-k with k = 50."""
_OF = 50
_OPSET, _IR_VERSION = 17, 8


def token_choices(path: Path, model: Model, settings: SplitSettings) -> dict[str, Split]:
    """Return the networks that sample a token from the logits of a decoder's step, by method, each as one sequence.

    Args:
        path: of the decoder's network.
        model: the network.
        settings: of its split; without the number of past tokens it is not a step of a decoder.
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
        for name, content in _networks(logits.shape[0], logits.shape[-1]).items():
            file = Path(folder) / f"choosing {name}.onnx"
            file.write_bytes(content.SerializeToString())
            splits[name] = network(file, alone)
    return splits


def _networks(batch: int, words: int) -> dict[str, onnx.ModelProto]:
    """Return both networks: ArgMax; and inverse transform sampling over the probabilities of the top 50 logits."""
    inputs = {"logits": (batch, words)}
    likeliest = [helper.make_node("ArgMax", ["logits"], ["token"], axis=-1, keepdims=1)]
    drawn = [
        helper.make_node("TopK", ["logits", "count"], ["greatest", "places"], axis=-1),
        helper.make_node("Softmax", ["greatest"], ["shares"], axis=-1),
        helper.make_node("CumSum", ["shares", "axis"], ["sums"]),
        helper.make_node("Less", ["sums", "number"], ["below"]),
        helper.make_node("Cast", ["below"], ["below_ints"], to=TensorProto.INT64),
        helper.make_node("ArgMin", ["below_ints"], ["rank"], axis=-1, keepdims=1),
        helper.make_node("GatherElements", ["places", "rank"], ["token"], axis=1),
    ]
    constants = {"count": np.array([_OF]), "axis": np.array(1)}
    return {
        LIKELIEST: _network(likeliest, inputs, {}, batch),
        DRAWN: _network(drawn, {**inputs, "number": (batch, 1)}, constants, batch),
    }


def _network(
    nodes: list[onnx.NodeProto], inputs: Mapping[str, tuple[int, int]], constants: Mapping[str, np.ndarray], batch: int
) -> onnx.ModelProto:
    graph = helper.make_graph(
        nodes,
        "choice",
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in inputs.items()],
        [helper.make_tensor_value_info("token", TensorProto.INT64, (batch, 1))],
        [numpy_helper.from_array(value, name) for name, value in constants.items()],
    )
    network: onnx.ModelProto = helper.make_model(
        graph, opset_imports=[helper.make_opsetid("", _OPSET)], ir_version=_IR_VERSION
    )
    return network
