"""Make the bundle of systems that ships with the package from the kept runs in ``suites/results``; measures nothing.

``make bundle`` writes ``dlbricks/store/systems.json.xz`` in the form of ``dlbricks publish``. A configuration (system,
version of the runtime, provider, threads) has what all its runs measured of networks that were lowered for the runtime;
each sequence comes from the newest run that has it. Miss curves come from the newest run, call overheads are medians
over the runs, and drift is the 90th percentile over the runs, since intervals hold nine of ten networks. Runs of the
target ``portable`` are left out: estimates from lowered graphs are better (docs/accuracy.md). The table of systems in
``docs/owner.md`` sets estimates from the bundle beside the newest whole of each network on the same configuration.
"""

import contextlib
import dataclasses
import statistics
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from statistics import fmean

import msgspec
import numpy as np
from archives import RESULTS, ROOT, archives_of, markdown, put_table, suites_of, systems
from kept_runs import read_results, read_runs

from dlbricks.construct.estimate import estimate
from dlbricks.construct.types import Composition, Rule
from dlbricks.errors import DlbricksError
from dlbricks.model.types import SequenceFeatures
from dlbricks.settings import PORTABLE
from dlbricks.store.bundle import SHIPPED, PublishedSystem, machine_of, write_bundle
from dlbricks.store.document import Document
from dlbricks.store.records import settings_of
from dlbricks.store.summary import measurements
from dlbricks.store.types import CallOverheads, Measurement, MeasurementOrigin, SystemConfiguration, SystemResults
from dlbricks.units import format_bytes, format_day
from dlbricks.validate.compare import compare

PROCESSORS = {
    "amd-epyc-2c": ("amd-epyc-zen4", "AMD EPYC (Zen 4), 2 cores"),
    "amd-epyc-zen5-2c": ("amd-epyc-zen5", "AMD EPYC (Zen 5), 2 cores"),
    "intel-xeon-2c": ("intel-xeon-amx", "Intel Xeon (with AMX), 2 cores"),
    "intel-emerald-2c": ("intel-xeon-emerald", "Intel Xeon (Emerald Rapids), 2 cores"),
}
"""Name and processor in the bundle by the name in archives: virtual machines hide the exact model."""
TABLE = "systems that ship"
COLUMNS = (
    *("system", "runtime", ">threads", "newest run", ">sequences"),
    *(">networks", ">median", ">90th percentile", ">worst", ">inside", ">width"),
)


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """A kept run of a network or a suite."""

    results: SystemResults
    started_unix_ns: int
    place: str
    """Place in ``suites/results``: folder, archive, name of the run."""
    document: Document
    whole: tuple[Composition, int] | None
    """The network as it was split, and its measured latency, ns; None of results of suites."""


def runs(archive: Path, *, suite: bool) -> Iterator[Run]:
    """Read the runs of an archive, without their visits."""
    kept = {} if suite else read_runs(archive)
    documents = read_results(archive) if suite else {name: dict(run.document) for name, run in kept.items()}
    for name, document in documents.items():
        place = f"{archive.parent.name}/{archive.stem}/{name}"
        started, without = document["started_unix_ns"], {**document, "benchmarks": []}
        whole = None
        with contextlib.suppress(DlbricksError):  # a whole that was not measured
            whole = None if suite else (kept[name].facts.composition, compare(kept[name], Rule.SEQUENTIAL).measured_ns)
        results = measurements(document)
        yield Run(results=results, started_unix_ns=started, place=place, document=without, whole=whole)


def merged(newest_first: Sequence[Run], configuration: SystemConfiguration) -> SystemResults:
    """Merge the runs of a configuration: each sequence from the newest run that has it."""
    every: dict[str, Measurement] = {}
    features: dict[str, SequenceFeatures] = {}
    for run in newest_first:
        origin = MeasurementOrigin(submission=run.place, started_unix_ns=run.started_unix_ns, smoke=False)
        for name, row in run.results.measurements.items():
            every.setdefault(name, msgspec.structs.replace(row, origin=origin))
        features |= {name: row for name, row in run.results.features.items() if name not in features}
    costs = [dataclasses.asdict(run.results.overheads) for run in newest_first]
    overheads = CallOverheads(**{name: round(statistics.median(cost[name] for cost in costs)) for name in costs[0]})
    return dataclasses.replace(
        newest_first[0].results,
        configuration=configuration,
        measurements=dict(sorted(every.items())),
        features=features,
        drift=float(np.percentile([run.results.drift for run in newest_first], 90)),
        overheads=overheads,
        call_overhead_ns=overheads.hot_loop_ns,
        caches=next(run.results.caches for run in newest_first if run.results.caches.curve),
    )


def judged(results: SystemResults, wholes: Iterable[tuple[Composition, int]]) -> list[str]:
    """Return figures of estimates beside measured latencies of networks; of each network the first whole counts."""
    first: dict[str, tuple[Composition, int]] = {}
    for composition, measured_ns in wholes:
        first.setdefault(composition.model, (composition, measured_ns))
    made = [(estimate(composition, results, Rule.SEQUENTIAL), measured) for composition, measured in first.values()]
    errors = [abs(one.total_ns / measured - 1) for one, measured in made]
    inside = fmean(one.low_ns <= measured <= one.high_ns for one, measured in made)
    width = statistics.median((one.high_ns - one.low_ns) / one.total_ns for one, _ in made)
    figures = (f"{share:.1%}" for share in np.percentile(errors, [50, 90, 100]))
    return [str(len(made)), *figures, f"{inside:.0%}", f"{width:.0%}"]


def main() -> None:
    """Write the bundle, and the table of what it holds."""
    by_configuration: dict[SystemConfiguration, list[Run]] = defaultdict(list)
    for system in systems(RESULTS):
        suites = [suites_of(system)] if suites_of(system).exists() else []
        lowered = (archive for archive in archives_of(system) if not archive.stem.startswith(PORTABLE))
        for archive in (*lowered, *suites):
            for run in runs(archive, suite=archive in suites):
                if run.document["complete"] and not run.document["options"].get("smoke"):
                    by_configuration[run.results.configuration].append(run)
    published, results, rows = [], [], []
    for number, (found, its) in enumerate(sorted(by_configuration.items())):
        newest_first = sorted(its, key=lambda run: (-run.started_unix_ns, run.place))
        name, processor = PROCESSORS[found.system]
        one = merged(newest_first, dataclasses.replace(found, system=name))
        settings = tuple(dict.fromkeys(settings_of(run.document["suite"]["manifest"]) for run in newest_first))
        settings = tuple(dict.fromkeys(dataclasses.replace(each, dims=(), values=(), batch=None) for each in settings))
        published.append(PublishedSystem(number=number, **machine_of(one), settings=settings, processor=processor))
        results.append(one)
        newest = format_day(newest_first[0].started_unix_ns)
        head = (name, found.runtime, found.threads, newest, len(one.measurements))
        rows.append([*head, *judged(one, (run.whole for run in newest_first if run.whole))])
    written_ns = max(run.started_unix_ns for its in by_configuration.values() for run in its)
    write_bundle(SHIPPED, published, results, written_ns)
    put_table(TABLE, markdown(COLUMNS, rows), ROOT / "docs" / "owner.md")
    print(f"{SHIPPED}: {format_bytes(SHIPPED.stat().st_size)}")


if __name__ == "__main__":
    main()
