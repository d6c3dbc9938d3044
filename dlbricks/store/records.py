"""Converts stored rows to the types of ``store.types``, and chooses submissions and configurations.

The table ``results`` and bundles have one column per field of ``Measurement``; a nested value is JSON. SQLite accepts
values of any type and size in a column, so every value is checked when it is read.
"""

import contextlib
import dataclasses
import difflib
import itertools
import json
import math
import statistics
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from dlbricks.errors import InputError
from dlbricks.harness.cpu import lowers_alike
from dlbricks.harness.runtimes import USUAL
from dlbricks.harness.stats import latency_of, samples_by_state
from dlbricks.limits import DOCUMENT_BYTES
from dlbricks.model.types import SequenceFeatures
from dlbricks.settings import SystemQuery
from dlbricks.store.types import (
    FORMER_STATES,
    NOT_CALIBRATED,
    PROVISIONAL_MARK,
    TIERS,
    UNCONFIRMED,
    UNMARKED_TIERS,
    Caches,
    Calibration,
    CallOverheads,
    Measurement,
    MeasurementOrigin,
    QueueConstants,
    QueueTimes,
    Rate,
    SequenceLabel,
    StoredResult,
    SubmissionEvent,
    SubmissionSummary,
    SuiteSettings,
    SystemConfiguration,
    SystemResults,
    SystemSummary,
)
from dlbricks.typed_json import canonical_json, digest_bytes

if TYPE_CHECKING:
    from sqlalchemy import Row

_T = TypeVar("_T")

COLUMNS = tuple(name for name in Measurement.__struct_fields__ if name != "origin")
# Columns of cache states by the names that they have in stores to version 11 and bundles of version 1.
FORMER_COLUMNS = {
    f"{part}{former}_ns": f"{part}{state}_ns" for part in ("", "overhead_") for former, state in FORMER_STATES.items()
}
# Columns that hold text; all others hold integers.
TEXT_COLUMNS = frozenset({"fingerprint", "verdict", "queue"})

# Facts that name a processor or a device.
_NAMES = ("model", "family", "model_number", "name")

# The machine changed during such measurements, so the intervals from their samples are too narrow.
_NOISY = frozenset({"noisy", "drifting"})
_NOISE_FACTOR = 2.0

# Errors that damaged rows raise: a value is missing, has another type, or is an impossible number or document.
_DAMAGES = (
    *(ValueError, TypeError, LookupError, AttributeError, OverflowError, RecursionError),
    *(msgspec.MsgspecError, zlib.error),
)


@contextlib.contextmanager
def refusing_damage(place: str) -> Iterator[None]:
    """Turn errors of damaged rows inside the block into an ``InputError`` about the store ``place``."""
    try:
        yield
    except _DAMAGES as error:
        raise InputError(f"store {place} is damaged: restore it from a backup") from error


def unpacked(data: bytes) -> bytes:
    """Decompress a document; raises one of ``_DAMAGES`` if it is damaged or too large."""
    stream = zlib.decompressobj()
    document = stream.decompress(data, DOCUMENT_BYTES)
    if not stream.eof:
        raise ValueError("the document is truncated, or larger than allowed")
    return document


def typed(kind: type[_T], /, **fields: Any) -> _T:
    """Return a value of type ``kind``; unknown ``fields`` are ignored. Raises ``msgspec.ValidationError``."""
    # SQLAlchemy's names of columns are a subclass of str, which msgspec does not accept as a key
    return msgspec.convert({str(name): value for name, value in fields.items()}, kind, from_attributes=True)


def to_columns(measurement: Measurement) -> dict[str, Any]:
    """Return the columns of a measurement, without its origin."""
    return {name: getattr(measurement, name) for name in COLUMNS} | {"queue": to_text(measurement.queue)}


def from_columns(row: Mapping[str, Any], origin: MeasurementOrigin | None = None) -> Measurement:
    """Return the measurement in a row; raises one of ``_DAMAGES`` for a damaged row."""
    queue = msgspec.json.decode(row["queue"], type=QueueTimes) if row["queue"] else None
    return typed(Measurement, **{**row, "queue": queue, "origin": origin})


def noise_factor(verdict: str) -> float:
    """Return the factor by which a verdict widens an interval: 2 for noisy or drifting, 1 for others."""
    return _NOISE_FACTOR if verdict in _NOISY else 1.0


def relative_half_width(measured: "Measurement | Row[Any]") -> float:
    """Return the half-width of an interval as a share of the latency, times ``noise_factor``."""
    return noise_factor(measured.verdict) * (measured.high_ns - measured.low_ns) / 2 / max(1, measured.latency_ns)


class StoredProfile(msgspec.Struct):
    """Facts of a result that ``store.standing`` compares: names of devices (processor first), times in ns."""

    devices: list[list[Any]]
    anchors: dict[str, int]
    times: dict[str, tuple[float, float, float]]
    # by fingerprint: mean of the three states, mean of their medians, and relative interquartile range of their visits


def profile_of(document: Mapping[str, Any], rows: "Iterable[Measurement | Row[Any]]") -> str:
    """Return the ``StoredProfile`` of a document as JSON; times are geometric means over cache states."""
    facts = document.get("system", {}).get("facts_before", {})
    devices = [facts.get("cpu"), *(gpus if isinstance(gpus := facts.get("gpus"), list) else ())]
    entries = {each["fingerprint"]: each for each in document.get("benchmarks", ()) if each["visits"]}
    times = {}
    for row in rows:
        # repeated calls take as long as those with all in the caches, where they were not measured
        states = (row.latency_ns, row.llc_warm_ns, row.llc_warm_ns if row.hot_loop_ns is None else row.hot_loop_ns)
        visits = samples_by_state(entries[row.fingerprint]).values() if row.fingerprint in entries else ()
        ordered = [sorted(statistics.median(of) if of[1:] else of[0] for of in each) for each in visits]
        both = states, [statistics.median(each) for each in ordered] or states
        means = (math.prod(max(1, ns) ** (1 / len(state)) for ns in state) for state in both)
        ranges = [(each[-1 - len(each) // 4] - each[len(each) // 4]) / max(1, each[len(each) // 2]) for each in ordered]
        times[row.fingerprint] = (*means, statistics.fmean(ranges) if ranges else 0.0)
    anchors = {name: latency_of(each).latency_ns for name, each in entries.items() if each["role"] == "anchor"}
    names = [[each.get(name) for name in _NAMES] if isinstance(each, dict) else [] for each in devices]
    return msgspec.json.encode(StoredProfile(names, anchors, times)).decode()


def to_text(value: object) -> str | None:
    """Return a nested value as JSON text; None stays None."""
    # with spaces after separators, as in stores and bundles of earlier versions, so that equal values have equal texts
    plain = msgspec.to_builtins(value)
    if isinstance(plain, dict):
        plain = {name: each for name, each in plain.items() if _LATER.get(name, ...) != each}
    return None if value is None else json.dumps(plain)


# Fields that texts of earlier versions lack, with their defaults.
_LATER = {"traced": 0, "graph_ns": None, "untraced": "", "host": 1.0, "host_spread": 0.0}


def machine_columns(results: SystemResults) -> dict[str, object]:
    """Return the columns of ``submissions`` that describe the machine."""
    caches = results.caches
    return {
        **{f"overhead_{name}": nanoseconds for name, nanoseconds in dataclasses.asdict(results.overheads).items()},
        # an object, to which memory_byte_ns was added; older rows have a plain list of points
        "curve": json.dumps(
            {"points": caches.curve, "memory_byte_ns": caches.memory_byte_ns}
            | {"written": caches.written, "fresh": caches.fresh}
        ),
        "brought_in": json.dumps(caches.brought_in),
        "second_level_bytes": caches.second_level_bytes,
        "second_level_byte_ns": caches.second_level_byte_ns,
        "drift": results.drift,
        "queue": to_text(results.queue),
        "calibration": to_text(results.calibration if results.calibration.networks else None),
    }


def older_caches(caches: Caches) -> Caches:
    """Return the caches of an older harness, which measured a single miss curve, with curves for reads and writes."""
    curve = tuple((round(distance / _USED_TWICE), share) for distance, share in caches.curve)
    return dataclasses.replace(caches, curve=curve, written=caches.curve)


def caches_of_row(row: "Row[Any]") -> Caches:
    """Convert the columns of caches, also those of older stores."""
    curve = json.loads(row.curve)
    curve = curve if isinstance(curve, dict) else {"points": curve, "memory_byte_ns": 0.0}
    written = curve.get("written")
    more = {"curve": curve["points"], "written": written or (), "brought_in": json.loads(row.brought_in)}
    caches = typed(Caches, **row._asdict() | curve | more)
    return older_caches(caches) if written is None else caches


def configuration_of(row: "Row[Any]") -> SystemConfiguration:
    """Convert the columns ``CONFIGURATION``; the words with ``=`` in ``instruction_set`` are options."""
    words = row.instruction_set.split()
    options = tuple(word for word in words if "=" in word)
    extensions = tuple(word for word in words if "=" not in word)
    return typed(SystemConfiguration, **row._asdict() | {"instruction_set": extensions, "options": options})


def settings_of(manifest: Mapping[str, Any]) -> SuiteSettings:
    """Return the split settings in a suite's manifest."""
    pairs = {field: sorted(manifest.get(field, {}).items()) for field in ("dims", "values")}
    return typed(SuiteSettings, **{**manifest, "target": manifest["target"]["name"], **pairs})


def label_of(row: "Row[Any]") -> SequenceLabel:
    """Convert a row with the columns ``LABEL``."""
    return typed(SequenceLabel, **row._asdict() | {"operators": row.operators.split()})


def stored_result_of(row: "Row[Any]") -> StoredResult:
    """Convert a row of ``ResultStore.query``."""
    parts = {"label": label_of(row), "configuration": configuration_of(row)}
    parts |= {"measurement": from_columns(row._asdict()), "submission": row.digest}
    return typed(StoredResult, **row._asdict() | parts)


def processor_of(profile: str, provider: str) -> str:
    """Return the name of the processor, or of the GPU that was used, in a ``StoredProfile``; empty if unknown."""
    devices = msgspec.json.decode(profile, type=StoredProfile).devices if profile else []
    # the processor is first; model names a processor, name a GPU
    used = devices[:1] if provider == "cpu" else devices[1:]
    return next((" ".join(str(name).split()) for each in used for name in (*each[:1], *each[3:]) if name), "")


def system_summary_of(row: "Row[Any]", settings: tuple[SuiteSettings, ...], processor: str) -> SystemSummary:
    """Convert a row of ``select_systems``."""
    least, most = (tier_of((*TIERS, UNCONFIRMED)[rank]) for rank in (row.least, row.most))
    more = {"configuration": configuration_of(row), "settings": settings, "least_trust": least, "most_trust": most}
    return typed(SystemSummary, **row._asdict() | more | {"processor": processor})


def submission_summary_of(row: "Row[Any]") -> SubmissionSummary:
    """Convert a row of ``select_submissions``."""
    withdrawn = None if row.kind is None else event_of(row)
    return typed(SubmissionSummary, **row._asdict() | {"configuration": configuration_of(row), "withdrawn": withdrawn})


def event_of(row: "Row[Any]") -> SubmissionEvent:
    """Convert a row of ``events``, joined with the key of the event's statement."""
    more = {"key": row.statement_key or "", "statement": row.statement or ""}
    return typed(SubmissionEvent, **row._asdict() | more)


def split_document(document: dict[str, Any]) -> tuple[bytes, bytes]:
    """Return the suite's manifest and the rest of a document, as canonical JSON."""
    suite = document["suite"]
    rest = {key: value for key, value in suite.items() if key != "manifest"}
    return canonical_json(suite["manifest"]), canonical_json(document | {"suite": rest})


def join_document(body: bytes, manifest: bytes, *, digest: str) -> bytes:
    """Join the two parts that ``split_document`` returns; if ``body`` has a manifest, ``manifest`` is ignored.

    Raises ``InputError`` if the document does not have the digest ``digest``.
    """
    try:
        document = json.loads(body)
        document["suite"].setdefault("manifest", json.loads(manifest))
        joined = canonical_json(document)
    except (ValueError, TypeError, KeyError) as error:
        raise InputError(f"the stored data of {digest} is not a result document") from error
    if digest_bytes(joined) != digest:
        raise InputError(f"the stored data of {digest} has another digest")
    return joined


# Kinds of events: the sender submitted a result provisionally, and confirmed it later.
PROVISIONAL, CONFIRMED = "provisional", "confirmed"
SELF_REPORTED, CONSISTENT = UNMARKED_TIERS[:2]
HOUR_NS = 3_600 * 10**9
# Prefix of compute capabilities of GPUs among the names of an instruction set.
DEVICE_WORD = "sm_"

# A submission is small if another submission of its configuration has more than this times as many sequences.
_SMALL = 2
# Minimum number of common sequences for comparing two runs: fewer sequences say little about the whole machine.
LEAST_COMMON = 3
# Harnesses before submission version 4 used a constant twice before other memory; caches keep it that much longer than
# what is used once, by runs of 50 networks on Zen 4.
_USED_TWICE = 1.5


def tier_of(trust: str) -> str:
    """Return a level of trust without the word ``provisional``."""
    return trust.removeprefix(PROVISIONAL_MARK)


def is_provisional(trust: str) -> bool:
    """Return whether a level of trust is provisional."""
    return trust.startswith(PROVISIONAL_MARK)


def trust_after(trust: str, kind: str) -> str:
    """Return the trust of a submission after an event."""
    if kind == CONFIRMED:
        return tier_of(trust)
    if kind == PROVISIONAL:
        return PROVISIONAL_MARK + tier_of(trust)
    return trust.replace(tier_of(trust), kind) if kind in UNMARKED_TIERS else trust


def least_trusted(tiers: Iterable[str]) -> str:
    """Return the lowest of several tiers (``UNCONFIRMED`` is lowest), marked as provisional if one of them is."""
    all_tiers = list(tiers)
    if UNCONFIRMED in all_tiers:
        return UNCONFIRMED
    tier = min(map(tier_of, all_tiers), key=TIERS.index, default=SELF_REPORTED)
    return trust_after(tier, PROVISIONAL) if any(map(is_provisional, all_tiers)) else tier


def best_first(rows: "Sequence[Row[Any]]") -> "list[Row[Any]]":
    """Sort the submissions of a configuration by level of trust, size, completeness and age, the best one first.

    Within a tier, submissions with less than half as many sequences as the largest one come last, but for smoke tests.
    """
    most = max((row.results for row in rows), default=0)

    def key(row: "Row[Any]") -> tuple[object, ...]:
        rank = TIERS.index(row.trust) if row.trust in TIERS else -1
        # the digest makes the order total
        return -rank, row.smoke, _SMALL * row.results < most, not row.complete, -row.started_unix_ns, row.digest

    return sorted(rows, key=key)


def merge_results(
    configuration: SystemConfiguration,
    ranked: "Sequence[Row[Any]]",
    rows: "Iterable[Row[Any]]",
    *,
    mismatch: tuple[str, ...] = (),
) -> SystemResults:
    """Merge the submissions of a configuration: each value comes from the best submission that has it.

    ``ranked`` has the submissions from ``best_first``, and ``rows`` their measurements (``select_measurements``).
    """
    rank = {row.id: position for position, row in enumerate(ranked)}
    best: dict[str, Row[Any]] = {}
    # smoke tests are too noisy for ``run_differences``
    latencies: dict[int, dict[str, int]] = {row.id: {} for row in ranked if not row.smoke}
    for row in rows:
        if row.submission in latencies:
            latencies[row.submission][row.fingerprint] = row.latency_ns
        former = best.get(row.fingerprint)
        if former is None or rank[row.submission] < rank[former.submission]:
            best[row.fingerprint] = row
    # sorted, so that answers do not depend on the order in which submissions arrived
    best = dict(sorted(best.items()))
    used = {rank[row.submission] for row in best.values()}
    origins = {row.id: typed(MeasurementOrigin, **row._asdict() | {"submission": row.digest}) for row in ranked}
    times = ({name.removeprefix("overhead_"): value for name, value in row._asdict().items()} for row in ranked)
    overheads = (typed(CallOverheads, **each) for each in times)
    overhead = next((each for each in overheads if each.hot_loop_ns), CallOverheads())
    features = {name: row.features for name, row in best.items() if row.features}
    return SystemResults(
        configuration=configuration,
        call_overhead_ns=overhead.hot_loop_ns,
        measurements={name: from_columns(row._asdict(), origins[row.submission]) for name, row in best.items()},
        drift=max((msgspec.convert(ranked[position].drift, Rate) for position in used), default=0.0),
        overheads=overhead,
        caches=next((caches for caches in map(caches_of_row, ranked) if caches.curve), Caches()),
        calibration=next(
            (msgspec.json.decode(row.calibration, type=Calibration) for row in ranked if row.calibration),
            NOT_CALIBRATED,
        ),
        queue=next((msgspec.json.decode(row.queue, type=QueueConstants) for row in ranked if row.queue), None),
        features={name: msgspec.json.decode(text, type=SequenceFeatures) for name, text in features.items()},
        hours=run_differences([(row.started_unix_ns, latencies[row.id]) for row in ranked if row.id in latencies]),
        mismatch=mismatch,
    )


def run_differences(runs: Iterable[tuple[int, Mapping[str, int]]]) -> tuple[float, ...]:
    """Return the logarithmic differences between consecutive runs that started more than an hour apart.

    A run is a pair of its start and its latencies by fingerprint, ns. A difference is the logarithm of the median ratio
    of latencies, or of the ratio of total latencies, whichever is farther from 0.
    """
    differences = []
    for (before, first), (after, second) in itertools.pairwise(sorted(runs, key=lambda run: run[0])):
        both = [(max(1, first[name]), max(1, second[name])) for name in first if name in second]
        if after - before > HOUR_NS and len(both) >= LEAST_COMMON:
            median = statistics.median(math.log(later / earlier) for earlier, later in both)
            sums = math.log(sum(later for _, later in both) / sum(earlier for earlier, _ in both))
            differences.append(max(median, sums, key=abs))
    return tuple(differences)


class SeveralMatchError(InputError):
    """Several configurations match a query; ``matching`` has one for each runtime, provider and number of threads."""

    matching: tuple[SystemConfiguration, ...] = ()


def choose(
    measured: Sequence[SystemConfiguration], wanted: SystemQuery, *, place: str, allow_mismatch: bool = False
) -> tuple[SystemConfiguration, tuple[str, ...]]:
    """Return the configuration that matches ``wanted``, and a text for each difference.

    With ``allow_mismatch``, the nearest configuration matches. Raises ``InputError`` for an unknown system, and unless
    exactly one configuration matches: ``SeveralMatchError`` if queries can tell them apart. ``place`` names the store.
    """
    same_system = [each for each in measured if each.system == wanted.system]
    if not same_system:
        raise unknown_system(place, [each.system for each in measured], wanted.system)
    matching = [configuration for configuration in same_system if not mismatches(wanted, configuration)]
    # runs with special options are experiments: a query cannot name options and means runs without them
    matching = [configuration for configuration in matching if not configuration.options] or matching
    if len(matching) == 1:
        return matching[0], ()
    if matching:
        text = f"{len(matching)} matching configurations ({listed(matching)}): {_advice(matching)}"
        error = SeveralMatchError(f"system {wanted.system} has {text}")
        error.matching = tuple({(each.runtime, each.provider, each.threads): each for each in matching}.values())
        raise error
    nearest = min(same_system, key=lambda each: _distance(wanted, each))
    texts = tuple(mismatches(wanted, nearest).values())
    if allow_mismatch:
        return nearest, texts
    raise InputError(
        f"system {wanted.system} has no matching configuration: the nearest ({listed([nearest])}) differs from the "
        f"request, or from what the network was split for, in {' and '.join(texts)}: 'dlbricks estimate' takes it with "
        f"--allow-mismatch; measured are {listed(same_system)}"
    )


def mismatches(wanted: SystemQuery, configuration: SystemConfiguration) -> dict[str, str]:
    """Describe how a configuration differs from the requested one by property, most important first."""
    texts = {}
    if wanted.provider not in (None, configuration.provider):
        texts["provider"] = f"provider {configuration.provider} instead of {wanted.provider}"
    # the part of the instruction set to compare is that of the GPU, or that of the CPU
    on_device = any(word.startswith(DEVICE_WORD) for word in wanted.instruction_set or ())
    words = tuple(word for word in configuration.instruction_set if word.startswith(DEVICE_WORD) == on_device)
    alike = configuration.runtime.startswith(f"{USUAL} ") and lowers_alike(words, wanted.instruction_set or ())
    if wanted.instruction_set not in (None, words) and (on_device or not alike):
        texts["instruction_set"] = f"an instruction set {_unlike(words, wanted.instruction_set or ())}"
    for name, runtime in (("runtime", wanted.runtime), ("lowered_by", wanted.lowered_by)):
        text = f"runtime {configuration.runtime} instead of {runtime}"
        if runtime not in (None, configuration.runtime, *configuration.runtime.split()) and text not in texts.values():
            texts[name] = text
    if wanted.threads not in (None, configuration.threads):
        texts["threads"] = f"threads {configuration.threads} instead of {wanted.threads}"
    return texts


# Return the sort key of mismatching configurations, nearest first.
def _distance(wanted: SystemQuery, configuration: SystemConfiguration) -> tuple[object, ...]:
    texts = mismatches(wanted, configuration)
    threads = abs(configuration.threads - (wanted.threads or configuration.threads))
    parts = (name in texts for name in ("runtime", "provider", "instruction_set"))
    # the last three make the order total
    return *parts, len(texts), threads, configuration.threads, configuration.runtime, repr(configuration)


def listed(configurations: Sequence[SystemConfiguration]) -> str:
    """List the runtimes, providers, numbers of threads and options of configurations."""
    texts = ((each.runtime, each.provider, f"threads {each.threads}", *each.options) for each in configurations)
    return "; ".join(sorted({", ".join(words) for words in texts}))


def _advice(matching: Sequence[SystemConfiguration]) -> str:
    if len({(each.runtime, each.provider, each.threads) for each in matching}) > 1:
        return "choose one by provider, threads or runtime"
    first, second = (each.instruction_set for each in matching[:2])
    if first == second:
        return "they differ in session or provider options, so submit such runs under other system names"
    return f"one has an instruction set {_unlike(first, second)}, so these are several machines: name each differently"


# Describe how an instruction set differs from the requested one.
def _unlike(words: Sequence[str], wanted: Sequence[str]) -> str:
    lacking, additional = sorted(set(wanted) - set(words)), sorted(set(words) - set(wanted))
    parts = [f"{word} {' '.join(names)}" for word, names in (("without", lacking), ("with", additional)) if names]
    return " and ".join(parts) or "in another order"


def unknown_system(place: str, measured: Iterable[str], system: str) -> InputError:
    """Return the error for a system that a store lacks; ``measured`` are the names to choose from."""
    names = sorted(set(measured))
    close = difflib.get_close_matches(system, names, n=3, cutoff=0.5)
    more = f" and {len(names) - 5} more" if len(names) > 5 else ""
    advice = f"choose from {', '.join(names[:5])}{more}" if names else "it is empty, submit a result first"
    advice = f"similar names are {', '.join(close)}" if close else advice
    return InputError(f"store {place} has no results of system {system}: {advice}")
