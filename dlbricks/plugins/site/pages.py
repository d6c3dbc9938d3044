"""The static web pages of a store or a bundle: ranking, networks, comparisons, versions and rules.

``index.html`` has all data and the script that draws it. ``results.csv`` and ``results.json`` have the estimates of
networks. ``raw`` has the results as received, with signatures. Results under embargo are in none of these files.
"""

import functools
import gzip
import itertools
import math
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import msgspec

import dlbricks
from dlbricks.api.estimates import split_options
from dlbricks.construct.comparison import NINETY, OF_ONE_KIND, OF_TWO_KINDS, Comparison, another_hour, compare
from dlbricks.construct.compose import compose
from dlbricks.construct.coverage import best_rule
from dlbricks.construct.estimate import estimate, with_origin
from dlbricks.construct.intervals import TOGETHER
from dlbricks.construct.types import Composition, Estimate
from dlbricks.files import writing
from dlbricks.harness.machine import listed
from dlbricks.harness.options import ONNXRUNTIME
from dlbricks.plugins.site.ranking import Times, about, common_networks, downloads, figure, ranking
from dlbricks.report.html import environment, json_text
from dlbricks.report.results import date, event_text, key_text, ns_range
from dlbricks.sequences.types import Split
from dlbricks.settings import PORTABLE, SplitSettings
from dlbricks.store.bundle import Bundle
from dlbricks.store.database import ResultStore
from dlbricks.store.records import HOUR_NS, least_trusted, relative_half_width
from dlbricks.store.rules import get_path
from dlbricks.store.spread import FLOOR, TAIL, Kind, default_spread, kind_of
from dlbricks.store.submission import RULES
from dlbricks.store.types import (
    UNCONFIRMED,
    NameKey,
    Standing,
    SubmissionEvent,
    SubmissionSummary,
    SystemConfiguration,
    SystemResults,
)
from dlbricks.suite.writing import templates_root
from dlbricks.units import counted, format_bytes, format_ns, plain

INDEX = "index.html"
# Most characters of a fact about a machine on a page, since results of others may have any text.
_MOST_LETTERS = 200
# Least change of a ratio that begins a new level, in half-widths of its 90 % interval: 2.58 standard deviations, which
# chance reaches in 1 % of cases. With a lower limit noise would begin new levels.
_CHANGE, _LEAST_NOISE = 2.58 / NINETY, 1e-3


# For each network its splits (``api.estimates.alternatives``).
Networks = Sequence[Sequence[tuple[SplitSettings, Split]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class _System:
    # The stored data of one configuration.

    results: SystemResults
    runs: Sequence[SubmissionSummary]
    # For each network its complete estimates by the options of their splits, the preferred one first.
    estimates: Sequence[Mapping[str, Estimate]]
    # Names of the sequences, by fingerprint, from the suites that the system has run.
    names: Mapping[str, str]


def save_site(
    folder: Path, store: ResultStore | Bundle, networks: Networks, *, title: str, now_unix_ns: int, raw: bool = True
) -> Mapping[str, int]:
    """Write the pages of a store to a folder, which is replaced; ``raw`` adds the submitted results.

    A bundle has no submitted results. Every system gets an estimate of each network if it has measured all sequences of
    one of the network's splits. Returns the numbers of systems, sequences, networks and results, and the size of the
    page in bytes. Raises ``InputError`` if writing fails.
    """
    pages = _StorePages(store, raw=raw) if isinstance(store, ResultStore) else _Pages(store)
    listed = [run for run in pages.submissions if not (run.embargo_unix_ns or 0) > now_unix_ns]
    content = pages.content(listed, networks, now_unix_ns)
    names = ("site.html.j2", "site.css", "site.js")
    template, css, script = (Path(__file__).with_name(name).read_text(encoding="utf-8") for name in names)
    text = (
        environment()
        .from_string(template)
        .render(
            title=plain(title),
            version=dlbricks.__version__,
            written=date(now_unix_ns),
            style=(templates_root() / "report.css").read_text(encoding="utf-8") + css,
            script=script,
            content=json_text(content),
            rules=sorted(RULES, key=lambda rule: rule.id),
            **_plain_ranking(content),
        )
    )
    with writing(folder) as scratch:
        scratch.mkdir()
        for name, body in {INDEX: text, **_files(content)}.items():
            (scratch / name).write_text(body, encoding="utf-8", newline="\n")
        if raw and isinstance(store, ResultStore):
            _write_raw(scratch / "raw", store, listed)
    return {
        "systems": len(content["systems"]),
        "sequences": len(content["sequences"]),
        "networks": len(networks),
        "results": len(listed),
        "page_bytes": len(text.encode()),
    }


def _write_raw(folder: Path, store: ResultStore, listed: Sequence[SubmissionSummary]) -> None:
    # Write the results as received, compressed, and signed statements of owners and signatures.
    folder.mkdir()
    events = store.history.events()
    for run in listed:
        signed = store.history.signature(run.digest)
        content = signed.content if signed else store.document(run.digest)
        (folder / f"{run.digest}.json.gz").write_bytes(gzip.compress(content, 6, mtime=0))
        if signed:
            (folder / f"{run.digest}.json.sig").write_text(signed.signature, encoding="ascii")
    statements = {event.statement for run in listed for event in events.get(run.digest, ())}
    names = {run.configuration.system for run in listed}
    statements |= {key.statement for name in names for key in store.names.keys(name)}
    for digest in statements - {""}:
        if signed := store.history.signature(digest):
            (folder / f"{digest}.json").write_bytes(signed.content)
            (folder / f"{digest}.json.sig").write_text(signed.signature, encoding="ascii")


class _Pages:
    # The data of the pages of a bundle as plain JSON without control characters. A bundle has measurements only.

    raw = False

    def __init__(self, source: Bundle | ResultStore) -> None:
        self.source = source
        self.submissions: Sequence[SubmissionSummary] = ()
        self.events: Mapping[str, Sequence[SubmissionEvent]] = {}
        self.standings: Mapping[str, Standing] = {}
        self.facts = {each.configuration: each for each in source.systems()}

    def _names(self, results: SystemResults) -> Mapping[str, str]:
        # Return a readable name of each measured sequence.
        operators = {name: "_".join(features.operators) for name, features in results.features.items()}
        return {name: plain(operators.get(name, "")) for name in results.measurements}

    def _keys(self, configuration: SystemConfiguration) -> Sequence[NameKey]:  # noqa: ARG002 - only stores have them
        return ()

    def _excess(self, configuration: SystemConfiguration) -> float:
        return default_spread(configuration).excess

    def _machine(self, configuration: SystemConfiguration, _submission: str) -> list[list[str]]:
        processor = plain(self.facts[configuration].processor)
        return [["processor", processor]] if processor else []

    def content(self, listed: Sequence[SubmissionSummary], networks: Networks, now_unix_ns: int) -> dict[str, Any]:
        # Return the data of the page.
        systems = list(self._systems(listed, networks, now_unix_ns))
        common = {name: text for system in reversed(systems) for name, text in system.names.items()}
        places = {name: place for place, name in enumerate(sorted(common))}
        unused = {run.configuration for run in listed} - {system.results.configuration for system in systems}
        withdrawn = [run for run in listed if run.configuration in unused]
        details = [about(splits[0][1].model, compose(splits[0][1])) for splits in networks]
        names = [each["name"] for each in details]
        return {
            "systems": [
                self._system(system, places, details)
                | {"names": {places[name]: text for name, text in system.names.items() if text != common[name]}}
                for system in systems
            ],
            "sequences": [[name, common[name]] for name in places],
            "networks": names,
            "about": details,
            "withdrawn": [self._run(run) | {"system": run.configuration.system} for run in withdrawn],
            "histories": list(_histories(systems, names)),
            "constants": {
                "hour_ms": HOUR_NS // 10**6,
                "one_kind": OF_ONE_KIND,
                "two_kinds": OF_TWO_KINDS,
                "together": TOGETHER,
                "floor": FLOOR,
                "tail": TAIL,
            },
        }

    def _systems(self, listed: Sequence[SubmissionSummary], networks: Networks, now_unix_ns: int) -> Iterator[_System]:
        composed = [[(settings, compose(split, pairs=True)) for settings, split in splits] for splits in networks]
        for results in self.source.results_of_all():
            yield _System(
                results=results,
                runs=[run for run in listed if run.configuration == results.configuration],
                estimates=[_complete(alternatives, results, now_unix_ns) for alternatives in composed],
                names=self._names(results),
            )

    def _system(
        self, system: _System, places: Mapping[str, int], details: Sequence[Mapping[str, Any]]
    ) -> dict[str, Any]:
        results, configuration = system.results, system.results.configuration
        keys = self._keys(configuration)
        measurements = [results.measurements.get(name) for name in places]
        origins = [each.origin for each in measurements if each and each.origin]
        started = [origin.started_unix_ns for origin in origins] or [0]
        runtime = _runtime_name(configuration)
        options = ["-o", "result.json", "--name", configuration.system]
        options += [] if runtime == ONNXRUNTIME else ["--runtime", runtime]
        options += [] if configuration.provider == "cpu" else ["--provider", configuration.provider]
        options += [] if configuration.threads == 1 else ["--threads", str(configuration.threads)]
        suites = dict.fromkeys(run.suite for run in system.runs if not run.withdrawn)
        return {
            "name": plain(configuration.system),
            "runtime": plain(configuration.runtime),
            "provider": plain(configuration.provider),
            "threads": configuration.threads,
            "kind": plain(
                " ".join((configuration.provider, str(configuration.threads), *configuration.instruction_set))
            ),
            "instruction_set": plain(" ".join(configuration.instruction_set)),
            "options": plain(" ".join(configuration.options)),
            "trust": least_trusted(origin.trust for origin in origins),
            "key": keys[-1].key if keys else self.facts[configuration].key,
            "keys": [
                [key.key, date(key.since_unix_ns), plain(key_text(key)), self._statement(key.statement)] for key in keys
            ],
            "newest": date(max(started)),
            "started_ms": [min(started) // 10**6, max(started) // 10**6],
            "drift": round(results.drift, 5),
            "hours": round(another_hour(results), 5),
            "excess": self._excess(configuration),
            "count": len(results.measurements),
            "facts": self._machine(configuration, origins[0].submission) if origins else [],
            "commands": [plain(shlex.join(("dlbricks", "run", suite, *options))) for suite in suites],
            "runs": [self._run(run) for run in system.runs],
            "ns": [each.latency_ns if each else 0 for each in measurements],
            "half": [round(relative_half_width(each), 4) if each else 0 for each in measurements],
            "estimates": [
                [{"split": options, "rows": _rows(each, places)} for options, each in network.items()]
                for network in system.estimates
            ],
            "figures": [
                figure(*next((each, options) for options, each in network.items()), detail["precision"])
                if network
                else None
                for network, detail in zip(system.estimates, details, strict=True)
            ],
        }

    def _run(self, run: SubmissionSummary) -> dict[str, Any]:
        events, standing = self.events.get(run.digest, ()), self.standings.get(run.digest)
        return {
            "digest": run.digest,
            "suite": plain(run.suite),
            "started": date(run.started_unix_ns),
            "received": date(run.received_unix_ns),
            "state": "complete" if run.complete else "smoke test" if run.smoke else "stopped",
            "trust": UNCONFIRMED if standing and standing.unconfirmed else run.trust,
            "key": run.key,
            "sequences": run.results,
            "check": run.severity,
            "used": run.withdrawn is None,
            "said": [[plain(event_text(event)), self._statement(event.statement)] for event in events]
            + [[plain(each.text), ""] for each in (standing,) if each],
            "raw": f"raw/{run.digest}.json.gz" if self.raw else "",
            "signature": f"raw/{run.digest}.json.sig" if self.raw and run.key else "",
        }

    def _statement(self, digest: str) -> str:
        # Return the path of a signed statement, or an empty text.
        return f"raw/{digest}.json" if self.raw and digest else ""


class _StorePages(_Pages):
    # The data of the pages of a store, which has results as they were submitted, and owners of names.

    def __init__(self, store: ResultStore, *, raw: bool) -> None:
        super().__init__(store)
        self.store, self.raw, self.events = store, raw, store.history.events()
        self.submissions = store.history.submissions()
        self.excess: dict[Kind, float] = {}
        self.standings = store.standings(*self.facts)
        self.labels = {key: plain(label.name) for key, label in store.labels().items()}
        self.suites = {run.digest: run.suite_digest for run in self.submissions}

    def _names(self, results: SystemResults) -> Mapping[str, str]:
        origins = {name: each.origin for name, each in results.measurements.items() if each.origin}
        return {name: self.labels[self.suites[origin.submission], name] for name, origin in origins.items()}

    def _keys(self, configuration: SystemConfiguration) -> Sequence[NameKey]:
        return self.store.names.keys(configuration.system)

    def _excess(self, configuration: SystemConfiguration) -> float:
        kind = kind_of(configuration)
        self.excess[kind] = self.excess.get(kind) or self.store.spread(configuration).excess
        return self.excess[kind]

    def _machine(self, _configuration: SystemConfiguration, submission: str) -> list[list[str]]:
        return list(_facts(self.store.head(submission)))


def _times(content: Mapping[str, Any]) -> list[Times]:
    # Return the latencies that a ranking needs, of each system: of networks, or of sequences if there are no networks.
    systems = content["systems"]
    if content["networks"]:
        return [
            [(each["ns"], each["low"], each["high"]) if each and each["high"] else None for each in system["figures"]]
            for system in systems
        ]
    latencies = (zip(system["ns"], system["half"], strict=True) for system in systems)
    return [[(ns, ns * (1 - half), ns * (1 + half)) if ns else None for ns, half in each] for each in latencies]


def _files(content: Mapping[str, Any]) -> Mapping[str, str]:
    # Return the estimates of networks as files; without networks, the mean latencies of sequences.
    if content["networks"]:
        return downloads(content["systems"], content["networks"])
    times = _times(content)
    chosen = common_networks(times)
    places = {place.system: place for place in ranking(times, chosen)}
    empty = {"precision": "", "split": "", "rule": "", "remarks": []}
    systems = [
        {
            **system,
            "figures": [
                {"ns": round(mean.ns), "low": round(mean.low_ns), "high": round(mean.high_ns)}
                | {"trust": system["trust"], "measured": system["newest"].partition(" ")[0], **empty}
            ],
        }
        for number, system in enumerate(content["systems"])
        if (mean := places.get(number))
    ]
    return downloads(systems, [f"geometric mean of {counted(len(chosen), 'layer sequence')}"])


def _plain_ranking(content: Mapping[str, Any]) -> dict[str, Any]:
    # Return what the template shows without JavaScript: the ranking over the default networks.
    systems, times = content["systems"], _times(content)
    chosen = common_networks(times)
    places = ranking(times, chosen)
    most = 1.1 * max((place.ns for place in places), default=1)
    ranked = [
        {
            "system": systems[place.system],
            "rank": str(number) + f" ({place.first} to {place.last})" * (place.first < place.last),
            "mean": format_ns(place.ns),
            "interval": ns_range(place.low_ns, place.high_ns),
            "relative": f"{place.ns / places[0].ns:.2f}",
            "bar": [round(100 * value / most, 2) for value in (place.ns, place.low_ns, reach)],
        }
        for number, place in enumerate(places, 1)
        for reach in [(place.high_ns - place.low_ns) * (place.low_ns > 0)]
    ]
    others = [each for number, each in enumerate(systems) if number not in {place.system for place in places}]
    noun = "network" if content["networks"] else "layer sequence"
    suites = sorted({run["suite"] for system in systems for run in system["runs"]})
    return {
        "ranked": ranked,
        "others": others,
        "chosen": counted(len(chosen), noun),
        "suites": suites,
        "networks": content["networks"],
    }


def _complete(
    alternatives: Sequence[tuple[SplitSettings, Composition]], results: SystemResults, now_unix_ns: int
) -> Mapping[str, Estimate]:
    # Return the estimates of a network that lack no sequence, by the options of their splits, the preferred one first.
    estimates = dict[str, Estimate]()
    for settings, composition in alternatives:
        # graphs of runtimes other than onnxruntime depend on threads
        by_threads = not settings.target.startswith((PORTABLE, ONNXRUNTIME)) and composition.target != PORTABLE
        if not by_threads or settings.threads == results.configuration.threads:
            # rows name what was measured, which the page lists
            steps = (replace(step, fingerprint=step.measured_as(results.measurements)) for step in composition.steps)
            looked_up = replace(composition, steps=tuple(steps))
            each = estimate(looked_up, results, best_rule(looked_up, results))
            estimates |= {} if each.missing else {split_options(settings): with_origin(each, results, now_unix_ns)}
    return dict(sorted(estimates.items(), key=lambda item: item[1].preference, reverse=True))


def _rows(composed: Estimate, places: Mapping[str, int]) -> list[list[int]]:
    # Return place, number of uses and total time of each sequence.
    return [[places[row.fingerprint], row.count, row.total_ns] for row in composed.rows if row.fingerprint in places]


def _facts(head: bytes) -> Iterator[list[str]]:
    # Yield pairs of label and text on the machine.
    parts = msgspec.json.decode(head, type=dict[str, msgspec.Raw])
    fact = functools.partial(get_path, msgspec.json.decode(parts.get("system", b"{}")))
    total = fact("facts_before.memory.total_bytes")
    labelled = {
        "processor": fact("facts_before.cpu.model"),
        "cores": fact("facts_before.cpu.cores"),
        "usable": fact("facts_before.cpu.usable"),
        "governor": fact("facts_before.cpu.governor"),
        "memory": format_bytes(total) if isinstance(total, int) else None,
        "GPU": ", ".join(str(gpu.get("name", "")) for gpu in listed(fact("facts_before.gpus"))),
        "system": " ".join(str(text) for name in ("system", "release") if (text := fact(f"facts_before.os.{name}"))),
    }
    for label, value in labelled.items():
        if value not in (None, ""):
            yield [label, plain(str(value))[:_MOST_LETTERS]]


def _histories(systems: Sequence[_System], networks: Sequence[str]) -> Iterator[dict[str, Any]]:
    # Yield systems that were measured with several versions of a runtime, compared with the first version.
    def group(system: _System) -> tuple[object, ...]:
        of = system.results.configuration
        return of.system, _runtime_name(of), of.provider, of.threads, of.instruction_set, of.options

    for _, same in itertools.groupby(sorted(systems, key=group), key=group):
        versions = sorted(same, key=lambda system: _version(system.results.configuration))
        if len(versions) < 2:
            continue
        first = versions[0]
        series = {"all sequences": [compare(first.results, version.results, {}) for version in versions]}
        for place, network in enumerate(networks):
            by_version = [version.estimates[place] for version in versions]
            common = [options for options in by_version[0] if all(options in estimates for estimates in by_version)]
            if common:
                series[network] = [
                    compare(first.results, version.results, {}, estimates=(by_version[0][common[0]], own[common[0]]))
                    for version, own in zip(versions, by_version, strict=True)
                ]
        of = first.results.configuration
        yield {
            "system": plain(of.system),
            "how": plain(", ".join((_runtime_name(of), of.provider, counted(of.threads, "thread"), *of.options))),
            "series": [{"name": plain(name), "points": list(_points(compared))} for name, compared in series.items()],
        }


def _points(compared: Sequence[Comparison]) -> Iterator[dict[str, Any]]:
    # Yield ratio and interval of each version relative to the first version, and whether it begins a new level.
    level = 1.0
    for place, comparison in enumerate(compared):
        ratio, low, high = (comparison.ratio, comparison.low, comparison.high) if place else (1.0, 1.0, 1.0)
        # a level is compared with the ratio of its first version, so that slow changes add up until they exceed the
        # noise
        changed = place > 0 and abs(math.log(ratio / level)) > _CHANGE * max(comparison.parts.together, _LEAST_NOISE)
        level = ratio if changed else level
        yield {
            "runtime": comparison.second.configuration.runtime,
            "ratio": ratio,
            "low": low,
            "high": high,
            "changed": changed,
        }


def _runtime_name(configuration: SystemConfiguration) -> str:
    return configuration.runtime.partition(" ")[0]


def _version(configuration: SystemConfiguration) -> tuple[object, ...]:
    # Return a sort key that compares the numbers of versions: 1.9 comes before 1.31.
    name, _, version = configuration.runtime.rpartition(" ")
    return name, [int(part) for part in re.findall(r"\d{1,9}", version)], version
