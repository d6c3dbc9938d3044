"""Error, minutes and reuse as H goes 1, 2, 4, 8, inf: what ``-H auto`` chooses by.

``python benchmarks/granularity.py`` measures twelve different networks, about six minutes on a quiet machine. Each has
one interleaved run, of the whole and of its parts at every granularity, in both targets, with and without unions of
neighbours: all are set beside the same latency and have seen the same minutes. What a benchmark cost counts for every
setting that needs it. ``suites/results/granularity.json.xz`` keeps estimates and costs; ``--from FILE`` writes the
tables again without measuring.
"""

import argparse
import dataclasses
import json
import lzma
import math
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import onnxruntime
from archives import DATA, NETWORKS, RESULTS, ROOT, write_csv

from dlbricks.construct.compose import compose
from dlbricks.construct.estimate import estimate
from dlbricks.construct.granularity import (
    TABLE,
    GranularityRow,
    SettingEvidence,
    TargetEvidence,
    evidence_text,
    fit_cost,
    tabulate,
)
from dlbricks.construct.network_uses import BenchmarkUse, Setting, uses_of
from dlbricks.construct.rules import Rule
from dlbricks.construct.types import Composition
from dlbricks.errors import BenchmarkError, DlbricksError
from dlbricks.files import write_bytes, write_text
from dlbricks.harness.errors import HarnessError
from dlbricks.harness.machine.facts import system_facts, system_name
from dlbricks.harness.options import RunOptions
from dlbricks.model.lowering.onnxruntime_cpu import TARGET, lower
from dlbricks.model.read.network import read_model
from dlbricks.model.types import Model
from dlbricks.sequences.split import split
from dlbricks.sequences.types import Granularity
from dlbricks.store.summary import measurements
from dlbricks.store.types import SystemResults
from dlbricks.suite.benchmarks import BuiltBenchmark, anchors
from dlbricks.suite.extraction import benchmarks_from
from dlbricks.suite.writing import SuiteHead, merge_benchmarks, target_here
from dlbricks.typed_json import read_json
from dlbricks.validate.measure import END_TO_END_MIN_VISITS, run_benchmarks
from dlbricks.validate.prepare import end_to_end_benchmark
from dlbricks.validate.types import REFERENCE_RELATIVE

KEPT = RESULTS / "granularity.json.xz"
EVIDENCE = ROOT / "dlbricks" / "construct" / TABLE
PAGE = "accuracy-granularity"
CHOSEN = (
    "tv_squeezenet1_1",
    "tv_resnet18",
    "tv_mobilenet_v3_small",
    "tv_efficientnet_b0",
    "tv_googlenet",
    "tv_convnext_tiny",
    "timm_levit_128",
    "timm_mobilevit_s",
    "hf_distilbert",
    "hf_t5_small_enc",
    "misc_dlrm",
    "int8_tv_resnet18",
)
"""Plain, branching, depth-wise, attentive and quantised networks, and one of tables."""
SMOKE = ("misc_lstm_lm", "tv_squeezenet1_1")
LIMITS = ("1", "2", "4", "8", "inf")
SETTINGS: tuple[Setting, ...] = tuple(
    (limit, rule) for limit in LIMITS for rule in ("sequential", "pairs") if (limit, rule) != ("inf", "pairs")
)
"""At H = inf a network that hangs together has no neighbours."""
END_TO_END_MAX_TIME_NS = 12_000_000_000
SHORT = 16
"""Digits of fingerprints that are kept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingRun:
    """One network at one setting."""

    target: str
    granularity: str
    rule: str
    estimated_ns: int
    low_ns: int
    high_ns: int
    uses: Mapping[str, int]
    """By fingerprint."""

    @property
    def setting(self) -> Setting:
        """Granularity and rule."""
        return self.granularity, self.rule


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """One benchmark."""

    layers: int
    weight_bytes: int
    predicted_ns: float
    wall_ns: int


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkRun:
    """One network at every setting, in one run."""

    network: str
    measured_ns: int
    measured_relative: float
    """Half width of its 95 % interval."""
    seconds: float
    """What all of it took."""
    settings: tuple[SettingRun, ...]
    costs: Mapping[str, Cost]
    """By fingerprint."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """What is kept of a measurement."""

    evidence: str
    """Machine, runtime and threads."""
    networks: tuple[NetworkRun, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """A network split at one granularity."""

    target: str
    granularity: str
    composition: Composition
    """With pairs."""
    uses: Mapping[str, tuple[BenchmarkUse, ...]]
    """By rule."""
    benchmarks: tuple[BuiltBenchmark, ...]


def measure(path: Path, weights: Path, options: RunOptions) -> NetworkRun:
    """Measure a network end to end and by parts at every setting.

    Raises:
        BenchmarkError: a part gave no latency.
    """
    began = time.perf_counter()
    portable = read_model(path)
    models = {"portable": portable, TARGET: lower(portable)}
    cuts = [cut(target, model, limit) for target, model in models.items() for limit in LIMITS]
    whole = end_to_end_benchmark(portable)
    kept = (*anchors(), *merge_benchmarks(built for one in cuts for built in one.benchmarks), whole)
    head = SuiteHead(
        name="granularity",
        granularity=",".join(LIMITS),
        splitter="block",
        target=target_here(TARGET),
        seed=0,
    )
    document = run_benchmarks(head, kept, options, weights=weights)
    measured = measurements(document, roles=("whole",)).measurements[whole.benchmark.fingerprint]
    results = measurements(document)
    return NetworkRun(
        network=path.stem,
        measured_ns=measured.latency_ns,
        measured_relative=round((measured.high_ns - measured.low_ns) / 2 / measured.latency_ns, 5),
        settings=tuple(
            setting_run(one, rule, results) for one in cuts for rule in one.uses if (one.granularity, rule) in SETTINGS
        ),
        costs={
            use.fingerprint[:SHORT]: Cost(
                layers=use.layers,
                weight_bytes=use.weight_bytes,
                predicted_ns=round(use.predicted_ns, 1),
                wall_ns=results.measurements[use.fingerprint].wall_ns,
            )
            for one in cuts
            for uses in one.uses.values()
            for use in uses
        },
        seconds=round(time.perf_counter() - began, 2),
    )


def cut(target: str, model: Model, limit: str) -> Cut:
    """Split a network at one granularity."""
    parts = split(model, Granularity.parse(limit))
    return Cut(
        target=target,
        granularity=limit,
        composition=compose(parts, pairs=True),
        uses={rule: uses_of(parts, unions=rule == "pairs") for rule in ("sequential", "pairs")},
        benchmarks=benchmarks_from(parts, unions=True),
    )


def setting_run(one: Cut, rule: str, results: SystemResults) -> SettingRun:
    """Estimate a network at one setting.

    Raises:
        BenchmarkError: a part gave no latency.
    """
    lost = [use.fingerprint for use in one.uses[rule] if use.fingerprint not in results.measurements]
    if lost:
        raise BenchmarkError(f"no latency of {len(lost)} benchmarks at H {one.granularity}, {one.target}: {lost[0]}")
    made = estimate(one.composition, results, Rule.parse(rule), interleaved=True)
    return SettingRun(
        target=one.target,
        granularity=one.granularity,
        rule=rule,
        estimated_ns=made.total_ns,
        low_ns=made.low_ns,
        high_ns=made.high_ns,
        uses={use.fingerprint[:SHORT]: use.uses for use in one.uses[rule]},
    )


def learned(kept: Kept) -> tuple[TargetEvidence, ...]:
    """Make the table of the package."""
    return tuple(target_evidence(kept, target) for target in ("portable", TARGET))


def target_evidence(kept: Kept, target: str) -> TargetEvidence:
    """Gather ratios, and fit what benchmarks cost."""
    walls: dict[str, tuple[BenchmarkUse, int]] = {}
    for use, wall_ns in (measured for one in kept.networks for measured in benchmarks_of(one, target)):
        walls.setdefault(use.fingerprint, (use, wall_ns))
    return TargetEvidence(
        target=target,
        evidence=f"{len(kept.networks)} networks on {kept.evidence}",
        cost=fit_cost([use for use, _ in walls.values()], [wall_ns for _, wall_ns in walls.values()]),
        settings=tuple(
            SettingEvidence(granularity=granularity, rule=rule, ratios=tuple(ratio for _, ratio, _ in rows))
            for (granularity, rule), rows in by_setting(kept, target).items()
        ),
    )


def benchmarks_of(one: NetworkRun, target: str) -> list[tuple[BenchmarkUse, int]]:
    """Give the benchmarks of a network in one target and what each took, ns."""
    names = {name for run in one.settings if run.target == target for name in run.uses}
    return [(use_of(name, 1, one.costs[name]), one.costs[name].wall_ns) for name in sorted(names)]


def use_of(name: str, uses: int, cost: Cost) -> BenchmarkUse:
    """Make of what is kept what it was made from."""
    return BenchmarkUse(
        fingerprint=name,
        uses=uses,
        layers=cost.layers,
        weight_bytes=cost.weight_bytes,
        predicted_ns=cost.predicted_ns,
    )


Row = tuple[NetworkRun, float, SettingRun]
"""Network, ratio, and what is known of it at a setting."""


def by_setting(kept: Kept, target: str) -> dict[Setting, list[Row]]:
    """Give the networks at each setting."""
    rows: dict[Setting, list[Row]] = {setting: [] for setting in SETTINGS}
    for one in kept.networks:
        for run in one.settings:
            if run.target == target:
                rows[run.setting].append((one, run.estimated_ns / one.measured_ns, run))
    return rows


def chosen_rows(kept: Kept, evidence: TargetEvidence) -> tuple[tuple[GranularityRow, ...], GranularityRow]:
    """Give the rows of the measured networks, and the one that is chosen for them."""
    uses = [
        {
            run.setting: tuple(use_of(name, count, one.costs[name]) for name, count in run.uses.items())
            for run in one.settings
            if run.target == evidence.target
        }
        for one in kept.networks
    ]
    table = tabulate(uses, evidence)
    return table.rows, table.chosen


def took_s(rows: Sequence[Row]) -> float:
    """Say what the benchmarks of a setting took; what networks share counts once."""
    walls = {name: one.costs[name].wall_ns for one, _, run in rows for name in run.uses}
    return sum(walls.values()) / 1e9


def table(kept: Kept, evidence: TargetEvidence) -> list[dict[str, object]]:
    """Give the rows of a target: error, time and reuse at each setting; times in s, errors as shares."""
    rows, chosen = chosen_rows(kept, evidence)
    made: list[dict[str, object]] = []
    for row, measured in zip(rows, by_setting(kept, evidence.target).values(), strict=True):
        ratios = np.array([ratio for _, ratio, _ in measured])
        errors = np.abs(ratios - 1)
        inside = np.mean([run.low_ns <= one.measured_ns <= run.high_ns for one, _, run in measured])
        made.append(
            {
                "target": evidence.target,
                "H": row.granularity,
                "composed": row.rule if row.composed else "not",
                "benchmarks": row.benchmarks,
                "uses": row.uses,
                "took_s": round(took_s(measured), 1),
                "predicted_s": round(row.cost_ns / 1e9, 1),
                "mean_error": round(row.error, 4),
                "standard_error": round(row.standard_error, 4),
                "median_error": round(float(np.median(errors)), 4),
                "worst_error": round(float(errors.max()), 4),
                "bias": round(float(np.expm1(np.log(ratios).mean())), 4),
                "inside": round(float(inside), 4),
                "chosen": row == chosen,
            }
        )
    return made


def write(kept: Kept, evidence_file: Path, data: Path) -> None:
    """Write the table of the package, and that of the docs."""
    evidence = learned(kept)
    write_text(evidence_file, evidence_text(evidence))
    write_csv(PAGE, [row for one in evidence for row in table(kept, one)], data)


def kept_bytes(kept: Kept) -> bytes:
    """Write what is kept: the same content gives the same bytes."""
    text = json.dumps(dataclasses.asdict(kept), separators=(",", ":"), sort_keys=True)
    return lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME)


def read(path: Path) -> Kept:
    """Read what ``kept_bytes`` wrote."""
    return read_json(Kept, lzma.decompress(path.read_bytes()), str(path))


def main() -> None:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("networks", nargs="*", help="only these of suites/networks, into a scratch folder")
    parser.add_argument("--from", dest="source", type=Path, help="measure nothing: write again what FILE has")
    parser.add_argument("--smoke", action="store_true", help="one visit each, of two networks, into a scratch folder")
    options = parser.parse_args()
    if options.source:
        write(read(options.source), EVIDENCE, DATA)
        return
    names = options.networks or (SMOKE if options.smoke else CHOSEN)
    scratch = Path(tempfile.mkdtemp(prefix="dlbricks-")) if names != CHOSEN or options.smoke else None
    kept_file, evidence_file, data = (
        (scratch / KEPT.name, scratch / TABLE, scratch) if scratch else (KEPT, EVIDENCE, DATA)
    )
    run = RunOptions(
        smoke=options.smoke,
        end_to_end_min_visits=END_TO_END_MIN_VISITS,
        end_to_end_target_relative=REFERENCE_RELATIVE,
        end_to_end_max_time_ns=END_TO_END_MAX_TIME_NS,
    )
    runs: list[NetworkRun] = []
    evidence = f"{system_name(system_facts())}, onnxruntime {onnxruntime.__version__}, one thread"
    began = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="dlbricks-") as weights:
        for name in names:
            try:
                runs.append(measure(NETWORKS / f"{name}.onnx", Path(weights), run))
            except (DlbricksError, HarnessError) as error:
                print(f"{name} is left out: {error}", flush=True)
                continue
            last = runs[-1]
            errors = [abs(math.log(one.estimated_ns / last.measured_ns)) for one in last.settings]
            print(
                f"{name}: {last.seconds:.0f} s, {len(last.costs)} benchmarks, known to {last.measured_relative:.2%}, "
                f"off by {min(errors):.1%} to {max(errors):.1%}; {time.perf_counter() - began:.0f} s in all",
                flush=True,
            )
            write_bytes(kept_file, kept_bytes(Kept(evidence=evidence, networks=tuple(runs))))
    write(read(kept_file), evidence_file, data)
    print(f"{kept_file}, {evidence_file} and {data / PAGE}.csv are written, in {time.perf_counter() - began:.0f} s")


if __name__ == "__main__":
    main()
