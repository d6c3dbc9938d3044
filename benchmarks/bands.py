"""Learn from archived runs how wide intervals have to be for what composing costs, and judge them; measures nothing.

Writes ``dlbricks/construct/composition_bands.csv``: a band for each kind of system, way of splitting and number of
threads, of networks, and of prompts and steps of decoders (``docs/data/decoders.csv``, of which the last run teaches
nothing and judges). Results of suites (``suites.parquet`` of a system), measured at other hours, are set beside the
wholes of all runs of their system. Printed is how many networks lie inside when the band is learned without them, and
of each run with the band of all other runs.
"""

import csv
import dataclasses
import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from archives import HELD_OUT, RESULTS, ROOT, archives_of, suites_of, systems
from decoder_answers import PLAIN
from kept_runs import read_results, read_runs

from dlbricks.construct.estimate import estimate
from dlbricks.construct.intervals import (
    BANDS,
    NETWORK,
    NO_TRAITS,
    PROMPT,
    STEP,
    CompositionError,
    Evidence,
    interval_reach,
    learn,
    leave_one_out,
)
from dlbricks.construct.types import Composition, Estimate, Rule
from dlbricks.errors import DlbricksError
from dlbricks.store.summary import measurements
from dlbricks.store.types import SystemResults
from dlbricks.validate.compare import compare, composition_errors, own_parts

TABLE = ROOT / "dlbricks" / "construct" / BANDS
DECODERS, DECODERS_SYSTEM = ROOT / "docs" / "data" / "decoders.csv", "amd-epyc-2c"
"""Answers of decoders, and where they were measured."""
UNTOUCHED = frozenset({"1", "2"})
"""Runs before ``decoder_loop.touch_new_memory``."""
CALLS = {"first token": PROMPT, "next token": STEP}


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
    composition: Composition
    measured_ns: int


def read(archive: Path) -> Iterator[tuple[Seen, Whole]]:
    """Set estimates of a run beside what was measured; networks without one are left out."""
    for run in read_runs(archive).values():
        settings = run.facts.settings
        try:
            made = compare(run, Rule.parse(settings.rule))
        except DlbricksError:
            continue
        kind = BandKind(
            of=NETWORK,
            system=settings.system,
            instruction_set=" ".join(measurements(run.document).configuration.instruction_set),
            runtime=settings.runtime.partition(" ")[0],
            provider=settings.provider,
            target=settings.target,
            granularity=settings.granularity,
            rule=settings.rule,
            threads=settings.threads,
            interleaved=True,
        )
        (error,) = composition_errors([made])[made.network]
        yield (
            Seen(kind=kind, run=archive.stem, model=made.network, error=error),
            Whole(kind=kind, composition=run.facts.composition, measured_ns=made.measured_ns),
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
            made = estimate(one.composition, results, Rule.parse(one.kind.rule))
            if not made.missing:
                kind = dataclasses.replace(one.kind, interleaved=False)
                yield Seen(kind=kind, run=name, model=made.network, error=_error(made, one.measured_ns))


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


def evidence(kind: BandKind, seen: Sequence[Seen]) -> Evidence:
    """Learn the band of a kind."""
    known = by_network(seen)
    return Evidence(
        **{field.name: getattr(kind, field.name) for field in dataclasses.fields(kind)},
        networks=len(known),
        runs=len({one.run for one in seen}),
        band=learn(known),
    )


def judged(kind: BandKind, seen: Sequence[Seen]) -> Iterator[str]:
    """Say how many lie inside bands that they had no part in, by network and by run."""
    left = leave_one_out(by_network(seen))
    hours = "one run" if kind.interleaved else "other hours"
    split = f"{kind.target}, H = {kind.granularity}, {kind.rule}, {kind.threads} thread(s), {hours}"
    name = f"{kind.of}: {kind.system}, {split}"
    yield f"{name}: {left.coverage:.1%} of networks left out inside, {left.width:.1%} wide"
    for run in sorted({one.run for one in seen}):
        others, own = [one for one in seen if one.run != run], [one.error for one in seen if one.run == run]
        if others:
            yield f"  run {run} left out: {_inside(others, own):.1%} of {len(own)}"


def _inside(others: Sequence[Seen], own: Sequence[CompositionError]) -> float:
    band = learn(by_network(others))
    reaches = [(*interval_reach(band, error), math.expm1(error.log_ratio)) for error in own]
    return sum(-low <= at <= high for low, high, at in reaches) / len(own)


COLUMNS = (
    *("of", "system", "instruction_set", "runtime", "provider", "target", "granularity", "rule", "threads"),
    *("interleaved", "networks", "runs", "low", "high"),
)


def table_text(rows: Sequence[Evidence]) -> str:
    """Write bands as CSV."""
    lines = [",".join(COLUMNS)]
    for row in rows:
        figures = {"interleaved": "yes" if row.interleaved else "no", "low": f"{row.band.low:.5f}"}
        figures["high"] = f"{row.band.high:.5f}"
        lines.append(",".join(str(figures.get(name) or getattr(row, name)) for name in COLUMNS))
    return "\n".join(lines) + "\n"


def main() -> None:
    """Write the table and print what its bands are worth."""
    seen: list[Seen] = []
    for system in systems(RESULTS):
        teaching = [path for path in archives_of(system) if not path.stem.endswith(HELD_OUT)]
        pairs = [pair for archive in teaching for pair in read(archive)]
        seen += [one for one, _ in pairs]
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
    TABLE.write_text(table_text([evidence(kind, same) for kind, same in kinds.items()]), encoding="utf-8")
    for kind, same in kinds.items():
        print("\n".join(judged(kind, same)), flush=True)
        if own := [one.error for one in judging if one.kind == kind]:
            print(f"  the last run, which teaches nothing: {_inside(same, own):.1%} of {len(own)}")


if __name__ == "__main__":
    main()
