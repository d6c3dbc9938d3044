"""Learn from archived runs how wide intervals have to be for what composing costs, and judge them; measures nothing.

Writes ``dlbricks/construct/composition_bands.csv``: a band for each kind of system, way of splitting and number of
threads, of networks, and of prompts and steps of decoders (``docs/data/decoders.csv``, of which the last run teaches
nothing and judges). Results of suites (``suites.parquet`` of a system), measured at other hours, are set beside the
wholes of all runs of their system. A run with the reference networks is composed anew with what they tell, and its
other networks teach a band of all systems. Printed is how many networks lie inside when the band is learned without
them, and of each run with the band of all other runs (of other systems).

Bands are learned by split conformal prediction with nested sets. The score of a validation is the width of the band
with which its interval, all parts together, just holds the measured latency, divided by the difficulty of the network.
Networks are the sample, not validations: all validations of one network together weigh as much as those of another
(pooled distributions of a two-layer sample), and the quantile has the correction for finite samples. Sources: Vovk,
Gammerman, Shafer, "Algorithmic Learning in a Random World" (2005); Gupta, Kuchibhotla, Ramdas, "Nested conformal
prediction and quantile out-of-bag ensemble methods" (2022), section 2; Dunn, Wasserman, Ramdas, "Distribution-free
prediction sets for two-layer hierarchical models" (2023).
"""

import csv
import dataclasses
import itertools
import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import numpy as np
from archives import HELD_OUT, RESULTS, ROOT, archives_of, suites_of, systems
from decoder_answers import PLAIN
from kept_runs import read_results, read_runs

from dlbricks.construct.estimate import estimate
from dlbricks.construct.intervals import (
    BANDS,
    LEVEL,
    NETWORK,
    NO_TRAITS,
    PROMPT,
    STEP,
    Band,
    Evidence,
    difficulty,
)
from dlbricks.construct.types import CompositionTraits, Estimate, Rule
from dlbricks.errors import DlbricksError
from dlbricks.store.summary import measurements
from dlbricks.store.types import SystemResults
from dlbricks.validate.compare import compare, own_parts
from dlbricks.validate.references import NETWORKS, MeasuredNetwork, fit

TABLE = ROOT / "dlbricks" / "construct" / BANDS
DECODERS, DECODERS_SYSTEM = ROOT / "docs" / "data" / "decoders.csv", "amd-epyc-2c"
"""Answers of decoders, and where they were measured."""
UNTOUCHED = frozenset({"1", "2"})
"""Runs before ``decoder_loop.touch_new_memory``."""
CALLS = {"first token": PROMPT, "next token": STEP}


@dataclass(frozen=True, slots=True, kw_only=True)
class CompositionError:
    """One validation: a network measured end to end and estimated."""

    log_ratio: float
    """Natural logarithm of measured / estimated."""
    traits: CompositionTraits
    own_low: float
    """Lower half-width of the interval from sampling, interpolation and drift, relative to the estimate, >= 0."""
    own_high: float
    """Upper half-width."""
    spread: float = 1.0
    """How far reference networks are off, which scales the band."""

    @property
    def scale(self) -> float:
        """The factor on the band."""
        return self.spread * difficulty(self.traits)

    @property
    def unexplained(self) -> float:
        """The band that the interval needs to hold the measured latency, a logarithm with the sign of the error."""
        ratio = math.expm1(self.log_ratio)
        own = self.own_high if ratio > 0 else self.own_low
        return math.log1p(math.copysign(math.sqrt(max(0.0, ratio**2 - own**2)), ratio))


# Validations by network, at least one each.
Errors = Mapping[str, Sequence[CompositionError]]


@dataclass(frozen=True, slots=True, kw_only=True)
class BandKind:
    """What validations have in common that teach one band."""

    of: str
    system: str
    instruction_set: str
    runtime: str
    provider: str
    target: str
    granularity: str
    rule: str
    threads: int
    interleaved: bool
    references: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """One network of one run beside its estimate."""

    kind: BandKind
    run: str
    model: str
    error: CompositionError


@dataclass(frozen=True, slots=True, kw_only=True)
class Whole:
    """What a network took as a whole."""

    kind: BandKind
    network: MeasuredNetwork


def read(archive: Path) -> Iterator[tuple[Seen, Whole]]:
    """Set estimates of a run beside what was measured; networks without one are left out."""
    for run in read_runs(archive).values():
        settings = run.facts.settings
        try:
            made = compare(run, Rule.parse(settings.rule))
        except DlbricksError:
            continue
        results = measurements(run.document)
        kind = BandKind(
            of=NETWORK,
            system=settings.system,
            instruction_set=" ".join(results.configuration.instruction_set),
            runtime=settings.runtime.partition(" ")[0],
            provider=settings.provider,
            target=settings.target,
            granularity=settings.granularity,
            rule=settings.rule,
            threads=settings.threads,
            interleaved=True,
        )
        error = CompositionError(
            log_ratio=-math.log(made.ratio), traits=made.traits, own_low=made.own_low, own_high=made.own_high
        )
        yield (
            Seen(kind=kind, run=archive.stem, model=made.network, error=error),
            Whole(
                kind=kind,
                network=MeasuredNetwork(
                    composition=run.facts.composition, results=results, measured_ns=made.measured_ns
                ),
            ),
        )


def decoders(like: BandKind) -> tuple[list[Seen], list[Seen]]:
    """Set calls of loops with one thread beside their estimates: of all runs but the last, and of the last.

    An answer, a decoder with its lengths, counts as a network; both loops over it are the same one. Prompts of the
    generator in the first runs teach nothing: its memory had to be given by the machine first (``UNTOUCHED``).

    Args:
        like: what these runs have in common with those of networks.
    """
    with DECODERS.open(encoding="utf-8", newline="") as opened:
        rows = [row for row in csv.DictReader(opened) if row["threads"] == "1" and row["what"] in CALLS]
    last = max(row["run"] for row in rows)
    seen: dict[bool, list[Seen]] = {False: [], True: []}
    for row in rows:
        if row["run"] in UNTOUCHED and CALLS[row["what"]] == PROMPT and row["loop"] != PLAIN:
            continue
        ratio = math.log(float(row["measured_ms"]) / float(row["estimated_ms"]))
        one = Seen(
            kind=dataclasses.replace(like, of=CALLS[row["what"]]),
            run=row["run"],
            model=" ".join(row[name] for name in ("model", "form", "layers", "batch", "prompt")),
            error=CompositionError(log_ratio=ratio, traits=NO_TRAITS, own_low=0.0, own_high=0.0),
        )
        seen[row["run"] == last].append(one)
    return seen[False], seen[True]


def apart(name: str, results: SystemResults, wholes: Sequence[Whole]) -> Iterator[Seen]:
    """Set estimates from a run of a suite beside wholes that were measured on the same system at other hours."""
    for one in wholes:
        if _same(one.kind, results):
            made = estimate(one.network.composition, results, Rule.parse(one.kind.rule))
            if not made.missing:
                kind = dataclasses.replace(one.kind, interleaved=False)
                yield Seen(kind=kind, run=name, model=made.network, error=_error(made, one.network.measured_ns))


def calibrated(name: str, wholes: Sequence[Whole]) -> Iterator[Seen]:
    """Set networks of a run beside estimates that are fitted to its reference networks; none if it has too few."""
    known = {one.network.composition.model: one for one in wholes if one.kind.rule == "sequential"}
    calibration = fit([known[name].network for name in NETWORKS if name in known])
    for model, one in known.items() if calibration.networks else ():
        if model not in NETWORKS:
            results = dataclasses.replace(one.network.results, calibration=calibration)
            made = estimate(one.network.composition, results, Rule.SEQUENTIAL, interleaved=True)
            error = dataclasses.replace(_error(made, one.network.measured_ns), spread=calibration.spread)
            kind = dataclasses.replace(one.kind, system="", instruction_set="", references=True)
            yield Seen(kind=kind, run=f"{one.kind.system}/{name}", model=model, error=error)


def _same(kind: BandKind, results: SystemResults) -> bool:
    known = results.configuration
    return kind.rule == "sequential" and (kind.system, kind.runtime, kind.provider, kind.threads) == (
        known.system,
        known.runtime.partition(" ")[0],
        known.provider,
        known.threads,
    )


def _error(made: Estimate, measured_ns: int) -> CompositionError:
    low, high = own_parts(made)
    return CompositionError(
        log_ratio=math.log(measured_ns / made.total_ns), traits=made.traits, own_low=low, own_high=high
    )


def by_network(seen: Sequence[Seen]) -> dict[str, list[CompositionError]]:
    """Put what was seen of each network together."""
    found: dict[str, list[CompositionError]] = defaultdict(list)
    for one in seen:
        found[one.model].append(one.error)
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOneOut:
    """Quality of intervals whose band was learned from the other networks."""

    coverage: float
    """Share of the validations inside their interval."""
    width: float
    """Median width of the intervals, both sides together, relative to the estimate."""


def learn(errors: Errors) -> Band:
    """Learn the composition band from networks that were measured end to end."""
    # Each side holds the share (n + 1) / n * (1 + LEVEL) / 2 of the scores of n networks of equal weight. With too few
    # networks for that quantile (``networks_needed``), the largest error is multiplied by the ratio of needed to
    # present networks. There is at least one.
    # the correction of split conformal prediction for a finite sample
    wanted = (len(errors) + 1) / len(errors) * (1 + LEVEL) / 2
    if wanted > 1 + 1e-9:
        largest = max(abs(error.log_ratio) / error.scale for same in errors.values() for error in same)
        reach = largest * networks_needed() / len(errors)
        return Band(low=reach, high=reach)
    scores = [(error.unexplained / error.scale, 1 / len(same)) for same in errors.values() for error in same]
    share = wanted * len(errors)
    below = [(-score, weight) for score, weight in scores]
    return Band(
        low=max(0.0, weighted_quantile(below, share)),
        high=max(0.0, weighted_quantile(scores, share)),
    )


def networks_needed() -> int:
    """Return the number of networks from which on the quantile of a band exists."""
    return math.ceil((1 + LEVEL) / (1 - LEVEL) - 1e-9)


def leave_one_out(errors: Errors) -> LeftOneOut:
    """Judge intervals on networks (at least two) left out one by one, each by the band learned from all others."""
    inside, widths = list[bool](), list[float]()
    for name, own in errors.items():
        band = learn({other: same for other, same in errors.items() if other != name})
        for error in own:
            low, high = interval_reach(band, error)
            inside.append(-low <= math.expm1(error.log_ratio) <= high)
            widths.append(low + high)
    return LeftOneOut(coverage=sum(inside) / len(inside), width=median(widths))


def interval_reach(band: Band, error: CompositionError) -> tuple[float, float]:
    """Return the relative half-widths of the interval of an estimate below and above it, with a given band."""
    low, high = Band(low=band.low * error.spread, high=band.high * error.spread).around(error.traits)
    return min(1.0, math.hypot(low, error.own_low)), math.hypot(high, error.own_high)


def weighted_quantile(values: Iterable[tuple[float, float]], weight: float) -> float:
    """Return the smallest of values, each with its weight, at which their sum reaches ``weight``, else the largest."""
    ordered = sorted(values)
    sums = itertools.accumulate(own for _, own in ordered)
    # the sum of many equal weights misses their multiple by rounding
    reached = (value for (value, _), total in zip(ordered, sums, strict=True) if total >= weight - 1e-9)
    return next(reached, ordered[-1][0])


def evidence(kind: BandKind, seen: Sequence[Seen]) -> Evidence:
    """Learn the band of a kind."""
    known = by_network(seen)
    # as in docs/accuracy.md: every estimate counts, a network measured twice counts twice
    errors = [abs(math.expm1(-one.error.log_ratio)) for one in seen]
    return Evidence(
        **{field.name: getattr(kind, field.name) for field in dataclasses.fields(kind)},
        networks=len(known),
        runs=len({one.run for one in seen}),
        median=float(np.percentile(errors, 50)),
        p90=float(np.percentile(errors, 90)),
        band=learn(known),
    )


def judged(kind: BandKind, seen: Sequence[Seen]) -> Iterator[str]:
    """Say how many lie inside bands that they had no part in, by network and by run."""
    left = leave_one_out(by_network(seen))
    hours = "one run" if kind.interleaved else "other hours"
    hours += ", fitted to reference networks" if kind.references else ""
    split = f"{kind.target}, H = {kind.granularity}, {kind.rule}, {kind.threads} thread(s), {hours}"
    name = f"{kind.of}: {kind.system}, {split}"
    yield f"{name}: {left.coverage:.1%} of networks left out inside, {left.width:.1%} wide"
    for run in sorted({one.run for one in seen}):
        alike = run.partition("/")[0] if kind.references else run
        others, own = (
            [one for one in seen if not one.run.startswith(alike)],
            [one.error for one in seen if one.run == run],
        )
        if others:
            what = f"{run} ({alike} left out)" if kind.references else f"{run} left out"
            yield f"  run {what}: {_inside(others, own):.1%} of {len(own)}, {_width(others, own):.1%} wide"


def _inside(others: Sequence[Seen], own: Sequence[CompositionError]) -> float:
    band = learn(by_network(others))
    reaches = [(*interval_reach(band, error), math.expm1(error.log_ratio)) for error in own]
    return sum(-low <= at <= high for low, high, at in reaches) / len(own)


def _width(others: Sequence[Seen], own: Sequence[CompositionError]) -> float:
    band = learn(by_network(others))
    return median(sum(interval_reach(band, error)) for error in own)


COLUMNS = (
    *("of", "system", "instruction_set", "runtime", "provider", "target", "granularity", "rule", "threads"),
    *("interleaved", "references", "networks", "runs", "median", "p90", "low", "high"),
)


def table_text(rows: Sequence[Evidence]) -> str:
    """Write bands as CSV."""
    lines = [",".join(COLUMNS)]
    for row in rows:
        errors = {"low": row.band.low, "high": row.band.high, "median": row.median, "p90": row.p90}
        figures = {name: f"{value:.5f}" for name, value in errors.items()}
        figures |= {name: "yes" if getattr(row, name) else "no" for name in ("interleaved", "references")}
        lines.append(",".join(str(figures.get(name) or getattr(row, name)) for name in COLUMNS))
    return "\n".join(lines) + "\n"


def main() -> None:
    """Write the table and print what its bands are worth."""
    seen: list[Seen] = []
    for system in systems(RESULTS):
        teaching = [path for path in archives_of(system) if not path.stem.endswith(HELD_OUT)]
        runs = {archive.stem: [*read(archive)] for archive in teaching}
        pairs = [pair for run in runs.values() for pair in run]
        seen += [one for one, _ in pairs]
        for name, run in runs.items():
            seen += calibrated(name, [one for _, one in run])
        wholes = [one for _, one in pairs]
        suites = read_results(suites_of(system)) if suites_of(system).exists() else {}
        for name, document in suites.items():
            seen += apart(name, measurements(document), wholes)
    like = next(
        one.kind
        for one in seen
        if (one.kind.system, one.kind.target, one.kind.granularity, one.kind.threads, one.kind.interleaved)
        == (DECODERS_SYSTEM, "onnxruntime-cpu", "1", 1, True)
    )
    taught, judging = decoders(like)
    seen += taught
    kinds: dict[BandKind, list[Seen]] = defaultdict(list)
    for one in seen:
        kinds[one.kind].append(one)
    # one system tells nothing of others
    alone = [
        kind for kind, same in kinds.items() if kind.references and len({one.run.split("/")[0] for one in same}) == 1
    ]
    for kind in alone:
        del kinds[kind]
    TABLE.write_text(table_text([evidence(kind, same) for kind, same in kinds.items()]), encoding="utf-8")
    for kind, same in kinds.items():
        print("\n".join(judged(kind, same)), flush=True)
        if own := [one.error for one in judging if one.kind == kind]:
            print(f"  the last run, which teaches nothing: {_inside(same, own):.1%} of {len(own)}")


if __name__ == "__main__":
    main()
