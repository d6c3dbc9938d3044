"""Static web pages of a store: systems, networks, comparisons of systems, versions; without external resources.

``index.html`` has all data and draws it with its own script. ``raw`` has the results as received, with signatures.
Results under embargo are in neither.
"""

import gzip
import itertools
import re
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import msgspec

import dlbricks
from dlbricks.construct.comparison import OF_ONE_KIND, OF_TWO_KINDS, another_hour, compare
from dlbricks.construct.compose import compose
from dlbricks.construct.estimate import estimate, with_origin
from dlbricks.construct.intervals import TOGETHER, noise_factor
from dlbricks.construct.rules import Rule
from dlbricks.construct.types import Estimate
from dlbricks.files import writing
from dlbricks.harness.options import ONNXRUNTIME
from dlbricks.report.page.html import environment, json_text
from dlbricks.report.results import date, event_text, key_text
from dlbricks.report.versions import history
from dlbricks.sequences.types import Split
from dlbricks.store.database import ResultStore
from dlbricks.store.ranking import HOUR_NS, least_trusted
from dlbricks.store.types import Measurement, SubmissionEvent, SubmissionSummary, SystemConfiguration, SystemResults
from dlbricks.suite.rendering import templates_root
from dlbricks.units import counted, format_bytes, plain

INDEX = "index.html"


class _Facts(msgspec.Struct):
    facts_before: dict[str, Any]


class _Head(msgspec.Struct):
    """Parts of a result that a page uses."""

    system: _Facts
    harness_version: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Known:
    """Stored data of one configuration."""

    results: SystemResults
    runs: Sequence[SubmissionSummary]
    estimates: Sequence[Estimate | None]
    """One per network; None if a sequence is missing."""


def save_site(
    folder: Path, store: ResultStore, networks: Sequence[Split], *, title: str, now_unix_ns: int, raw: bool = True
) -> Mapping[str, int]:
    """Write the pages of a store.

    Args:
        folder: created, or replaced if it contains such pages.
        store: the store to show.
        networks: networks to estimate on every system, split as its suites were.
        title: title of the pages.
        now_unix_ns: present time.
        raw: whether to write the raw results, too.

    Returns:
        The numbers of systems, sequences, networks and results, and the size of the page in bytes.

    Raises:
        InputError: the folder cannot be written, or the store is damaged.
    """
    listed = [one for one in store.history.submissions() if not (one.embargo_unix_ns or 0) > now_unix_ns]
    content = _content(store, listed, networks, now_unix_ns, raw=raw)
    names = ("site.html.j2", "site.css", "site.js")
    template, css, script = (Path(__file__).with_name(name).read_text(encoding="utf-8") for name in names)
    text = (
        environment()
        .from_string(template)
        .render(
            title=plain(title),
            version=dlbricks.__version__,
            made=date(now_unix_ns),
            style=(templates_root() / "report.css").read_text(encoding="utf-8") + css,
            script=script,
            systems=content["systems"],
            content=json_text(content),
        )
    )
    with writing(folder) as scratch:
        scratch.mkdir()
        (scratch / INDEX).write_text(text, encoding="utf-8", newline="\n")
        if raw:
            _write_raw(scratch / "raw", store, listed)
    return {
        "systems": len(content["systems"]),
        "sequences": len(content["sequences"]),
        "networks": len(networks),
        "results": len(listed),
        "page_bytes": len(text.encode()),
    }


def _write_raw(folder: Path, store: ResultStore, listed: Sequence[SubmissionSummary]) -> None:
    """Write compressed results as received, signed statements of owners, and signatures."""
    folder.mkdir()
    events = store.history.events()
    for one in listed:
        signed = store.history.signature(one.digest)
        content = signed.content if signed else store.document(one.digest)
        (folder / f"{one.digest}.json.gz").write_bytes(gzip.compress(content, 6, mtime=0))
        if signed:
            (folder / f"{one.digest}.json.sig").write_text(signed.signature, encoding="ascii")
    statements = {each.statement for one in listed for each in events.get(one.digest, ())}
    statements |= {
        each.statement for name in {one.configuration.system for one in listed} for each in store.names.keys(name)
    }
    for digest in statements - {""}:
        if signed := store.history.signature(digest):
            (folder / f"{digest}.json").write_bytes(signed.content)
            (folder / f"{digest}.json.sig").write_text(signed.signature, encoding="ascii")


def _content(
    store: ResultStore,
    listed: Sequence[SubmissionSummary],
    networks: Sequence[Split],
    now_unix_ns: int,
    *,
    raw: bool,
) -> dict[str, Any]:
    """Return the data of the page as plain JSON without control characters."""
    events, names = store.history.events(), _names(store)
    compositions = [compose(one) for one in networks]
    known = []
    for results in store.results_of_all():
        mine = [one for one in listed if one.configuration == results.configuration]
        made = [estimate(one, results, Rule(kind="sequential")) for one in compositions]
        whole = [None if one.missing else with_origin(one, results, now_unix_ns) for one in made]
        known.append(_Known(results=results, runs=mine, estimates=whole))
    called = [names(one.results) for one in known]
    common = {name: text for each in reversed(called) for name, text in each.items()}
    fingerprints = sorted(common)
    places = {name: place for place, name in enumerate(fingerprints)}
    shown = {one.configuration for one in listed} - {one.results.configuration for one in known}
    gone = [one for one in listed if one.configuration in shown]
    return {
        "systems": [
            _system(one, store, events, fingerprints, places, raw=raw)
            | {"names": {places[name]: text for name, text in each.items() if text != common[name]}}
            for one, each in zip(known, called, strict=True)
        ],
        "sequences": [[name, common[name]] for name in fingerprints],
        "networks": [one.model.name for one in networks],
        "withdrawn": [_run(one, events, raw=raw) | {"system": one.configuration.system} for one in gone],
        "histories": list(_histories(known, [one.model.name for one in networks])),
        "constants": {
            "hour_ms": HOUR_NS // 10**6,
            "one_kind": OF_ONE_KIND,
            "two_kinds": OF_TWO_KINDS,
            "together": TOGETHER,
        },
    }


def _names(store: ResultStore) -> Callable[[SystemResults], dict[str, str]]:
    """Return a function that names the sequences of a system like the suites that were run on it."""
    labels = {key: plain(one.name) for key, one in store.labels().items()}
    suite_of = {one.digest: one.suite_digest for one in store.history.submissions()}

    def names(results: SystemResults) -> dict[str, str]:
        held = results.measurements.items()
        return {name: labels[suite_of[one.origin.submission], name] for name, one in held if one.origin}

    return names


def _system(
    one: _Known,
    store: ResultStore,
    events: Mapping[str, Sequence[SubmissionEvent]],
    fingerprints: Sequence[str],
    places: Mapping[str, int],
    *,
    raw: bool,
) -> dict[str, Any]:
    results, configuration = one.results, one.results.configuration
    keys = store.names.keys(configuration.system)
    held = [results.measurements.get(name) for name in fingerprints]
    origins = [each.origin for each in held if each and each.origin]
    best = origins[0].submission if origins else ""
    provider = [] if configuration.provider == "cpu" else ["--provider", configuration.provider]
    threads = [] if configuration.threads == 1 else ["--threads", str(configuration.threads)]
    name = _runtime_name(configuration)
    how = [*([] if name == ONNXRUNTIME else ["--runtime", name]), *provider, *threads]
    suites = list(dict.fromkeys(run.suite for run in one.runs if not run.withdrawn))
    return {
        "name": plain(configuration.system),
        "runtime": plain(configuration.runtime),
        "provider": plain(configuration.provider),
        "threads": configuration.threads,
        "kind": plain(" ".join((configuration.provider, str(configuration.threads), *configuration.instruction_set))),
        "options": plain(" ".join(configuration.options)),
        "trust": least_trusted(each.trust for each in origins),
        "key": keys[-1].key if keys else "",
        "keys": [
            [one.key, date(one.since_unix_ns), plain(key_text(one)), _statement(one.statement, raw=raw)] for one in keys
        ],
        "newest": date(max((each.started_unix_ns for each in origins), default=0)),
        "started_ms": [
            min((each.started_unix_ns for each in origins), default=0) // 10**6,
            max((each.started_unix_ns for each in origins), default=0) // 10**6,
        ],
        "drift": round(results.drift, 5),
        "hours": round(another_hour(results), 5),
        "count": len(results.measurements),
        "facts": list(_facts(store.head(best))) if best else [],
        "commands": [
            plain(shlex.join(("dlbricks", "run", suite, "-o", "result.json", "--name", configuration.system, *how)))
            for suite in suites
        ],
        "runs": [_run(run, events, raw=raw) for run in one.runs],
        "ns": [each.latency_ns if each else 0 for each in held],
        "half": [round(_half_width(each), 4) if each else 0 for each in held],
        "estimates": [_estimated(each, places) for each in one.estimates],
    }


def _half_width(one: Measurement) -> float:
    return noise_factor(one.verdict) * (one.high_ns - one.low_ns) / 2 / max(1, one.latency_ns)


def _estimated(one: Estimate | None, places: Mapping[str, int]) -> dict[str, Any] | None:
    """Return an estimate with the total time of each sequence."""
    if one is None:
        return None
    rows = [[places[row.fingerprint], row.count, row.total_ns] for row in one.rows if row.fingerprint in places]
    return {"ns": one.total_ns, "low": one.low_ns, "high": one.high_ns, "rows": rows}


def _run(one: SubmissionSummary, events: Mapping[str, Sequence[SubmissionEvent]], *, raw: bool) -> dict[str, Any]:
    said = events.get(one.digest, ())
    return {
        "digest": one.digest,
        "suite": plain(one.suite),
        "started": date(one.started_unix_ns),
        "received": date(one.received_unix_ns),
        "state": "complete" if one.complete else "smoke test" if one.smoke else "stopped",
        "trust": one.trust,
        "key": one.key,
        "sequences": one.results,
        "check": one.severity,
        "used": one.withdrawn is None,
        "said": [[plain(event_text(each)), _statement(each.statement, raw=raw)] for each in said],
        "raw": f"raw/{one.digest}.json.gz" if raw else "",
        "signature": f"raw/{one.digest}.json.sig" if raw and one.key else "",
    }


def _statement(digest: str, *, raw: bool) -> str:
    """Return the path of a signed statement, or an empty string."""
    return f"raw/{digest}.json" if raw and digest else ""


def _facts(head: bytes) -> Iterator[list[str]]:
    """Return labelled facts of the machine."""
    try:
        facts = msgspec.json.decode(head, type=_Head).system.facts_before
    except msgspec.DecodeError:
        return
    cpu, memory, system = (_object(facts.get(name)) for name in ("cpu", "memory", "os"))
    gpus = [str(one.get("name", "")) for one in facts.get("gpus") or () if isinstance(one, dict)]
    total = memory.get("total_bytes")
    found = (
        ("processor", cpu.get("model")),
        ("cores", cpu.get("cores")),
        ("usable", cpu.get("usable")),
        ("governor", cpu.get("governor")),
        ("memory", format_bytes(total) if isinstance(total, int) else None),
        ("GPU", ", ".join(gpus)),
        ("system", " ".join(str(one) for one in (system.get("system"), system.get("release")) if one)),
    )
    for label, value in found:
        if value not in (None, ""):
            yield [label, plain(str(value))[:200]]


def _object(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _histories(known: Sequence[_Known], networks: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Return systems measured with several versions of a runtime, compared with the first version."""

    def group(one: _Known) -> tuple[object, ...]:
        held = one.results.configuration
        return held.system, _runtime_name(held), held.provider, held.threads, held.instruction_set, held.options

    for _, same in itertools.groupby(sorted(known, key=group), key=group):
        versions = sorted(same, key=lambda one: _version(one.results.configuration))
        if len(versions) < 2:
            continue
        first = versions[0]
        series = [("all sequences", history([compare(first.results, one.results, {}) for one in versions]))]
        for place, network in enumerate(networks):
            pairs = [(first.estimates[place], one.estimates[place]) for one in versions]
            if all(a and b for a, b in pairs):
                compared = [
                    compare(first.results, one.results, {}, estimates=(a, b))
                    for one, (a, b) in zip(versions, pairs, strict=True)
                    if a and b
                ]
                series.append((network, history(compared)))
        held = first.results.configuration
        yield {
            "system": plain(held.system),
            "how": plain(f"{held.provider}, {counted(held.threads, 'thread')}"),
            "series": [{"name": plain(name), "points": [asdict(one) for one in points]} for name, points in series],
        }


def _runtime_name(configuration: SystemConfiguration) -> str:
    return configuration.runtime.partition(" ")[0]


def _version(configuration: SystemConfiguration) -> tuple[object, ...]:
    """Return a sort key for versions by their numbers: 1.9 before 1.31."""
    name, _, version = configuration.runtime.rpartition(" ")
    return name, [int(part) for part in re.findall(r"\d{1,9}", version)], version
