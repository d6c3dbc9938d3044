"""Compose archived runs with each mechanism of the cache model switched off: what each is worth; measures nothing.

``python benchmarks/ablation.py`` composes every network of every archive (or of those named) as it is, and once more
for each mechanism without it, and writes ``docs/data/ablation.csv``: a row for each mechanism and archive, and one for
all archives together, with median, 90th percentile and worst of the absolute errors, and their mean with sign. Networks
are paired: ``closer`` and ``further`` count those whose error is smaller or larger without the mechanism (by
``TIE``), and ``p`` is that of Wilcoxon's signed-rank test. With ``--networks DIR`` the networks are split anew, and
mechanisms of where tensors lie are switched off, too; networks whose lowered graph is another one on this machine are
left out of those. A mechanism stays in the package if it lowers the 90th percentile by 0.3 points or more on runs that
had no part in choosing it, or is needed to be right.
"""

import argparse
import contextlib
import dataclasses
import functools
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

import msgspec
import numpy as np
from archives import RESULTS, archives_of, systems, write_csv
from kept_runs import read_runs
from recompute import split_again
from scipy.stats import wilcoxon

from dlbricks.construct import cache_model, memory_layout, memory_plan
from dlbricks.construct.cache_model import CacheModel, Latencies, miss_share, second_level_ns
from dlbricks.construct.compose import compose
from dlbricks.construct.estimate import estimate
from dlbricks.construct.memory_plan import MemoryPlan
from dlbricks.construct.types import Composition, PlacedSequence, Rule
from dlbricks.errors import DlbricksError
from dlbricks.harness import stats
from dlbricks.model.types import Layer, Model
from dlbricks.sequences.types import Split
from dlbricks.store import records, summary
from dlbricks.store.summary import measurements
from dlbricks.store.types import SystemResults
from dlbricks.validate.types import ArchivedRun

Patches = Sequence[Callable[[], contextlib.AbstractContextManager[Any]]]

AS_IT_IS = "as it is"
TIE = 0.0005
"""Errors that differ by less are equal."""


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


def others_add(self: CacheModel, curve: Sequence[tuple[int, float]], distance: int, age: int, index: int) -> float:
    """Add what other users of the caches bring in to the reuse distance."""
    brought_in, time_ns = self._caches.brought_in, self.elapsed_ns(index, age)
    waits, sizes = zip((0, 0), *brought_in, strict=True)
    more = np.interp(time_ns, waits, sizes) * max(1.0, time_ns / max(1, waits[-1]))
    return miss_share(curve, (distance + float(more)) / self._reach)


def second_level_twice(self: CacheModel, net: Latencies, placed: PlacedSequence, index: int) -> float:
    """Charge outputs for the second-level cache where state ``outputs_cold`` was measured, too."""
    again = net.outputs_cold_ns is not None
    return _outputs_ns(self, net, placed, index) + again * second_level_ns(placed.inputs, placed.outputs, self._caches)


def _view_of(layer: Layer, place: int) -> str:
    return layer.inputs[0] if layer.is_view and not place else ""


_outputs_ns = CacheModel._outputs_ns  # noqa: SLF001


def _lifetimes(model: Model, **_: bool) -> MemoryPlan:
    return memory_plan.plan_memory(model, reuses=False)


MECHANISMS = (
    Mechanism(name=AS_IT_IS),
    Mechanism(name="all caches warm", results=caches(curve=((1, 0.0),), brought_in=(), second_level_bytes=0)),
    Mechanism(name="all constants from memory", results=caches(curve=((1, 1.0),), brought_in=())),
    Mechanism(name="without the measured curve (assumed)", results=caches(curve=())),
    Mechanism(name="without others' use of the cache", results=caches(brought_in=())),
    Mechanism(name="others' bytes add to the distance", patches=(put(CacheModel, "_miss_share", others_add),)),
    Mechanism(name="second level beside outputs_cold", patches=(put(CacheModel, "_outputs_ns", second_level_twice),)),
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
    closer: int
    further: int
    p: float


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


def row_of(run: str, mechanism: str, ratios: Mapping[str, Mapping[str, float]]) -> AblationRow:
    """Summarise the ratios of the networks that were composed without a mechanism, beside those as they are."""
    networks = ratios[mechanism]
    without, usual = (np.array([ratios[name][network] for network in networks]) - 1 for name in (mechanism, AS_IT_IS))
    far, usual = np.abs(without), np.abs(usual)
    figures = (np.median(far), np.percentile(far, 90), far.max(), without.mean())
    median, p90, worst, bias = (round(float(figure), 4) for figure in figures)
    return AblationRow(
        run=run,
        mechanism=mechanism,
        networks=len(networks),
        median=median,
        p90=p90,
        worst=worst,
        bias=bias,
        closer=int((far < usual - TIE).sum()),
        further=int((far > usual + TIE).sum()),
        p=round(float(wilcoxon(far - usual).pvalue), 4) if (far != usual).any() else 1.0,
    )


def main() -> None:
    """Write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("archives", type=Path, nargs="*")
    parser.add_argument("--networks", type=Path)
    options = parser.parse_args()
    every = [path for system in systems(RESULTS) for path in archives_of(system)]
    pooled: dict[str, dict[str, float]] = defaultdict(dict)
    rows = []
    for source in options.archives or every:
        run = f"{source.parent.name}/{source.stem}"
        found: dict[str, dict[str, float]] = defaultdict(dict)
        for network, archived in read_runs(source).items():
            for mechanism, ratio in ratios(archived, options.networks):
                found[mechanism][network] = pooled[mechanism][f"{run}/{network}"] = ratio
        rows += [row_of(run, mechanism, found) for mechanism in found]
        print("\n".join(map(str, rows[-len(found) :])), flush=True)
    rows += [row_of("all", mechanism, pooled) for mechanism in pooled]
    print("\n".join(map(str, rows[-len(pooled) :])))
    write_csv("ablation", [asdict(row) for row in rows])


if __name__ == "__main__":
    main()
