"""Compose kept runs with each mechanism of the cache model switched off: what each is worth; measures nothing.

``python benchmarks/ablation.py RUN... --out FILE.csv`` composes every network of every run (what ``dlbricks validate
--keep`` left) as it is, and once more for each mechanism without it, and writes a row for each mechanism and run:
median, 90th percentile and worst of the absolute errors, and their mean with sign (``docs/data/ablation.csv``). With
``--networks DIR`` the networks of the runs are split anew, and mechanisms of where tensors lie are switched off, too;
networks whose lowered graph is another one on this machine are left out of those. A mechanism stays in the package if
it lowers the 90th percentile by 0.3 points or more on runs that had no part in choosing it, or is needed to be right.
"""

import argparse
import contextlib
import csv
import dataclasses
import functools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

import msgspec
import numpy as np
from kept_runs import read_runs
from recompute import split_again

from dlbricks.construct import cache_model, memory_layout, memory_plan
from dlbricks.construct.compose import compose
from dlbricks.construct.estimate import estimate
from dlbricks.construct.types import Composition, Rule
from dlbricks.errors import DlbricksError
from dlbricks.harness import stats
from dlbricks.model.types import Layer
from dlbricks.sequences.types import Split
from dlbricks.store import records, summary
from dlbricks.store.summary import measurements
from dlbricks.store.types import SystemResults
from dlbricks.validate.types import ArchivedRun

Patches = Sequence[Callable[[], contextlib.AbstractContextManager[Any]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Mechanism:
    """What is switched off, and how."""

    name: str
    patches: Patches = ()
    """Around summing up samples and composing."""
    results: Callable[[SystemResults], SystemResults] = lambda results: results
    """Changes what is known of the machine."""
    layout: bool = False
    """Whether it decides where tensors lie, so that networks have to be composed anew."""


def caches(**changes: Any) -> Callable[[SystemResults], SystemResults]:
    """Change what is known of the caches of a machine."""
    return lambda results: dataclasses.replace(results, caches=dataclasses.replace(results.caches, **changes))


def one_overhead(results: SystemResults) -> SystemResults:
    """Take the overhead of calls back to back off every state."""
    known = dict.fromkeys((field.name for field in dataclasses.fields(results.overheads)), results.call_overhead_ns)
    return dataclasses.replace(results, overheads=type(results.overheads)(**known))


def no_repeated_calls(results: SystemResults) -> SystemResults:
    """Leave out what repeated calls of sequences took."""
    known = {name: msgspec.structs.replace(one, hot_loop_ns=None) for name, one in results.measurements.items()}
    return dataclasses.replace(results, measurements=known)


def put(target: object, name: str, value: Any) -> Callable[[], contextlib.AbstractContextManager[Any]]:
    """Replace an attribute for a while."""
    return functools.partial(patch.object, target, name, value)


def _view_of(layer: Layer, place: int) -> str:
    return layer.inputs[0] if layer.is_view and not place else ""


_lifetimes = functools.partial(memory_plan.plan_memory, reuses=False)

MECHANISMS = (
    Mechanism(name="as it is"),
    Mechanism(name="all caches warm", results=caches(curve=((1, 0.0),), brought_in=(), second_level_bytes=0)),
    Mechanism(name="all constants from memory", results=caches(curve=((1, 1.0),), brought_in=())),
    Mechanism(name="without the measured curve (assumed)", results=caches(curve=())),
    Mechanism(name="without others' use of the cache", results=caches(brought_in=())),
    Mechanism(name="without the second level", results=caches(second_level_bytes=0)),
    Mechanism(name="outputs from memory cost nothing", results=caches(written=((1, 0.0),))),
    Mechanism(name="inputs from memory cost nothing", patches=(put(cache_model, "PREFETCHED", 1e9),)),
    Mechanism(name="only inputs of the network come from memory", results=caches(fresh=())),
    Mechanism(name="constants of old curves as far back as they are", patches=(put(records, "_USED_TWICE", 1.0),)),
    Mechanism(name="constants are not bounded by their bytes", patches=(put(cache_model, "MAX_BYTE_RATIO", 1e9),)),
    Mechanism(name="runtime's own data cost nothing", patches=(put(cache_model, "MAX_RUNTIME_OVERHEAD_NS", 0),)),
    Mechanism(name="empty node not taken out", patches=(put(summary, "_without_node", lambda over, _, __: over),)),
    Mechanism(name="without repeated calls of sequences", results=no_repeated_calls),
    Mechanism(name="one call overhead for all states", results=one_overhead),
    Mechanism(name="single calls: plain mean", patches=(put(stats, "bounded", list),)),
    Mechanism(name="disturbed visits count", patches=(put(stats, "undisturbed", list),)),
    Mechanism(name="no operator overwrites its input", patches=(put(memory_plan, "_operand", _view_of),), layout=True),
    Mechanism(name="no dead buffer is taken", patches=(put(memory_layout, "plan_memory", _lifetimes),), layout=True),
    Mechanism(name="memory used once", patches=(put(memory_plan.Arena, "free", lambda *_: None),), layout=True),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class AblationRow:
    """What one mechanism is worth in one run: the errors without it."""

    run: str
    mechanism: str
    networks: int
    median: float
    p90: float
    worst: float
    bias: float


def switched_off(run: ArchivedRun, composition: Composition, mechanism: Mechanism) -> float:
    """Give estimated over measured without a mechanism."""
    document = dict(run.document)
    with contextlib.ExitStack() as stack:
        for one in mechanism.patches:
            stack.enter_context(one())
        known = mechanism.results(measurements(document))
        measured = measurements(document, roles=("whole",)).measurements[run.facts.whole]
        rule = Rule.parse(run.facts.settings.rule)
        return estimate(composition, known, rule, interleaved=True).total_ns / measured.latency_ns


def split_anew(run: ArchivedRun, networks: Path | None) -> Split | None:
    """Split the network of a run as it was split then; None if it is not at hand or another one here."""
    path = networks / f"{run.facts.composition.model}.onnx" if networks else None
    if path is None or not path.exists():
        return None
    try:
        parts = split_again(run, path).parts
    except DlbricksError:
        return None
    steps = {step.fingerprint for step in run.facts.composition.steps}
    return parts if {step.fingerprint for step in compose(parts).steps} == steps else None


def ratios(run: ArchivedRun, networks: Path | None) -> Iterator[tuple[str, float]]:
    """Give estimated over measured of one network, for each mechanism without it."""
    parts = split_anew(run, networks)
    pairs = run.facts.settings.rule == "pairs"
    made = compose(parts, pairs=pairs) if parts is not None else run.facts.composition
    for mechanism in MECHANISMS:
        if not mechanism.layout:
            yield mechanism.name, switched_off(run, made, mechanism)
        elif parts is not None:
            with contextlib.ExitStack() as stack:
                for one in mechanism.patches:
                    stack.enter_context(one())
                placed = compose(parts, pairs=pairs)
            yield mechanism.name, switched_off(run, placed, MECHANISMS[0])


def rows_of(source: Path, networks: Path | None) -> list[AblationRow]:
    """Compose all networks of a run with each mechanism switched off."""
    found: dict[str, list[float]] = {}
    for run in read_runs(source).values():
        for name, ratio in ratios(run, networks):
            found.setdefault(name, []).append(ratio)
    rows = []
    for name, made in found.items():
        errors = np.array(made) - 1
        far = np.abs(errors)
        figures = (float(np.median(far)), float(np.percentile(far, 90)), float(far.max()), float(errors.mean()))
        median, p90, worst, bias = (round(one, 4) for one in figures)
        rows.append(
            AblationRow(
                run=source.stem,
                mechanism=name,
                networks=len(made),
                median=median,
                p90=p90,
                worst=worst,
                bias=bias,
            )
        )
    return rows


def main() -> None:
    """Write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("runs", type=Path, nargs="+")
    parser.add_argument("--networks", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    with options.out.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, [field.name for field in dataclasses.fields(AblationRow)], lineterminator="\n")
        writer.writeheader()
        for source in options.runs:
            for row in rows_of(source, options.networks):
                writer.writerow(dataclasses.asdict(row))
                print(
                    f"{row.run}  {row.mechanism:42s} {row.networks} {row.median:.1%} {row.p90:.1%} {row.worst:.1%} "
                    f"{row.bias:+.1%}",
                    flush=True,
                )


if __name__ == "__main__":
    main()
