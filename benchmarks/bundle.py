"""Make the bundle of systems that ships with the package from the kept runs in ``suites/results``; measures nothing.

``make bundle`` writes ``dlbricks/store/systems.parquet`` in the form of ``dlbricks publish``. A configuration (system,
version of the runtime, provider, threads) has what all its runs measured of networks that were lowered for the runtime;
each sequence comes from the newest run that has it. Miss curves come from the newest run, call overheads are medians
over the runs, and drift is the 90th percentile over the runs, since intervals hold nine of ten networks. Runs of the
target ``portable`` are left out: estimates from lowered graphs are better (docs/accuracy.md).
"""

import dataclasses
import statistics
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
import numpy as np
from archives import RESULTS, archives_of, suites_of, systems
from kept_runs import read_results

from dlbricks.model.types import SequenceFeatures
from dlbricks.settings import PORTABLE
from dlbricks.store.bundle import SHIPPED, PublishedSystem, machine_of, write_bundle
from dlbricks.store.document import Document
from dlbricks.store.records import settings_of
from dlbricks.store.summary import measurements
from dlbricks.store.types import CallOverheads, Measurement, MeasurementOrigin, SystemConfiguration, SystemResults
from dlbricks.units import format_bytes

PROCESSORS = {
    "amd-epyc-2c": ("amd-epyc-zen4", "AMD EPYC (Zen 4), 2 cores"),
    "amd-epyc-zen5-2c": ("amd-epyc-zen5", "AMD EPYC (Zen 5), 2 cores"),
    "intel-xeon-2c": ("intel-xeon-amx", "Intel Xeon (with AMX), 2 cores"),
}
"""Name and processor in the bundle by the name in archives: virtual machines hide the exact model."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """A kept run of a network or a suite."""

    results: SystemResults
    started_unix_ns: int
    place: str
    """Place in ``suites/results``: folder, archive, name of the run."""
    document: Document


def runs(archive: Path) -> Iterator[Run]:
    """Read the runs of an archive, without their visits."""
    for name, document in read_results(archive).items():
        place = f"{archive.parent.name}/{archive.stem}/{name}"
        started, without = document["started_unix_ns"], {**document, "benchmarks": []}
        yield Run(results=measurements(document), started_unix_ns=started, place=place, document=without)


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


def main() -> None:
    """Write the bundle and print what it holds."""
    by_configuration: dict[SystemConfiguration, list[Run]] = defaultdict(list)
    for system in systems(RESULTS):
        suites = [suites_of(system)] if suites_of(system).exists() else []
        for archive in (*archives_of(system), *suites):
            for run in runs(archive):
                target = run.document["suite"]["manifest"]["target"]["name"]
                if target != PORTABLE and run.document["complete"] and not run.document["options"].get("smoke"):
                    by_configuration[run.results.configuration].append(run)
    published, results = [], []
    for number, (found, its) in enumerate(sorted(by_configuration.items())):
        newest_first = sorted(its, key=lambda run: (-run.started_unix_ns, run.place))
        name, processor = PROCESSORS[found.system]
        one = merged(newest_first, dataclasses.replace(found, system=name))
        settings = tuple(dict.fromkeys(settings_of(run.document["suite"]["manifest"]) for run in newest_first))
        settings = tuple(dict.fromkeys(dataclasses.replace(each, dims=(), values=(), batch=None) for each in settings))
        published.append(PublishedSystem(number=number, **machine_of(one), settings=settings, processor=processor))
        results.append(one)
        kept = f"{len(one.measurements)} sequences of {len(its)} runs, drift {one.drift:.1%}, {settings}"
        print(f"{name}, {found.runtime}, threads {found.threads}: {kept}")
    newest = max(run.started_unix_ns for its in by_configuration.values() for run in its)
    write_bundle(SHIPPED, published, results, newest)
    print(f"{SHIPPED}: {format_bytes(SHIPPED.stat().st_size)}")


if __name__ == "__main__":
    main()
