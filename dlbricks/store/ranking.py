"""Which stored results are used: tiers of trust, order of submissions, and choice of one configuration of a system."""

import difflib
import itertools
import math
import statistics
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from dlbricks.errors import InputError
from dlbricks.model.types import SequenceFeatures
from dlbricks.settings import SystemQuery
from dlbricks.store.convert import caches_of_row, from_columns, typed
from dlbricks.store.types import (
    PROVISIONAL_MARK,
    TIERS,
    UNMARKED_TIERS,
    Caches,
    CallOverheads,
    MeasurementOrigin,
    QueueConstants,
    Rate,
    SystemConfiguration,
    SystemResults,
)

if TYPE_CHECKING:
    from sqlalchemy import Row

# Kinds of events: the sender submitted provisionally, and confirmed later.
PROVISIONAL, CONFIRMED = "provisional", "confirmed"
SELF_REPORTED, CONSISTENT = UNMARKED_TIERS[:2]
HOUR_NS = 3_600 * 10**9
# Prefix of compute capabilities of GPUs among the names of an instruction set.
DEVICE_WORD = "sm_"

# a submission is small if another one of its configuration has more than this factor times as many sequences
_SMALL = 2
# fewer common sequences say little about the whole machine
_LEAST_COMMON = 3


def tier_of(trust: str) -> str:
    """Return the tier of trust without the mark of provisional ones."""
    return trust.removeprefix(PROVISIONAL_MARK)


def is_provisional(trust: str) -> bool:
    """Return whether a tier is of provisional submissions."""
    return trust.startswith(PROVISIONAL_MARK)


def trust_after(trust: str, kind: str) -> str:
    """Return the tier of a submission after an event of some kind."""
    if kind == CONFIRMED:
        return tier_of(trust)
    if kind == PROVISIONAL:
        return PROVISIONAL_MARK + tier_of(trust)
    return trust.replace(tier_of(trust), kind) if kind in UNMARKED_TIERS else trust


def least_trusted(tiers: Iterable[str]) -> str:
    """Return the lowest of several tiers, as provisional if any of them is."""
    all_tiers = list(tiers)
    tier = min(map(tier_of, all_tiers), key=TIERS.index, default=SELF_REPORTED)
    return trust_after(tier, PROVISIONAL) if any(map(is_provisional, all_tiers)) else tier


def best_first(rows: "Sequence[Row[Any]]") -> "list[Row[Any]]":
    """Sort the submissions of a configuration (from ``select_ranked``), the best one first.

    One with less than half as many sequences as the largest comes after the others of its tier, even if it is complete.
    """
    most = max((row.results for row in rows), default=0)

    def key(row: "Row[Any]") -> tuple[object, ...]:
        rank = TIERS.index(row.trust) if row.trust in TIERS else 0
        # the digest makes the order total
        return -rank, _SMALL * row.results < most, not row.complete, -row.started_unix_ns, row.digest

    return sorted(rows, key=key)


def merge_results(
    configuration: SystemConfiguration,
    ranked: "Sequence[Row[Any]]",
    rows: "Iterable[Row[Any]]",
    *,
    mismatch: tuple[str, ...] = (),
) -> SystemResults:
    """Merge submissions of a configuration: each sequence, and the facts of the machine, come from the best one.

    Args:
        configuration: of the submissions.
        ranked: the submissions in order (``best_first``).
        rows: their results with sequences (``select_measurements``).
        mismatch: differences between the configuration and the requested one.
    """
    rank = {row.id: position for position, row in enumerate(ranked)}
    best: dict[str, Row[Any]] = {}
    # smoke tests are too noisy to show differences between hours
    latencies: dict[int, dict[str, int]] = {row.id: {} for row in ranked if not row.smoke}
    for row in rows:
        if row.submission in latencies:
            latencies[row.submission][row.fingerprint] = row.latency_ns
        former = best.get(row.fingerprint)
        if former is None or rank[row.submission] < rank[former.submission]:
            best[row.fingerprint] = row
    # answers must not depend on the order in which submissions arrived
    best = dict(sorted(best.items()))
    used = {rank[row.submission] for row in best.values()}
    origins = {row.id: typed(MeasurementOrigin, **row._asdict() | {"submission": row.digest}) for row in ranked}
    overhead = next((each for each in map(_overheads, ranked) if each.hot_loop_ns), CallOverheads())
    features = {name: row.features for name, row in best.items() if row.features}
    return SystemResults(
        configuration=configuration,
        call_overhead_ns=overhead.hot_loop_ns,
        measurements={name: from_columns(row._asdict(), origins[row.submission]) for name, row in best.items()},
        drift=max((msgspec.convert(ranked[position].drift, Rate) for position in used), default=0.0),
        overheads=overhead,
        caches=next((caches for caches in map(caches_of_row, ranked) if caches.curve), Caches()),
        queue=next((msgspec.json.decode(row.queue, type=QueueConstants) for row in ranked if row.queue), None),
        features={name: msgspec.json.decode(text, type=SequenceFeatures) for name, text in features.items()},
        hours=run_differences([(row.started_unix_ns, latencies[row.id]) for row in ranked if row.id in latencies]),
        mismatch=mismatch,
    )


def _overheads(row: "Row[Any]") -> CallOverheads:
    return typed(CallOverheads, **{name.removeprefix("overhead_"): value for name, value in row._asdict().items()})


def run_differences(runs: Iterable[tuple[int, Mapping[str, int]]]) -> tuple[float, ...]:
    """Return the differences between successive runs of one configuration that started more than an hour apart.

    Args:
        runs: start in ns and latencies by fingerprint of each run.

    Returns:
        For each pair of successive runs with common sequences the logarithm of the median ratio of latencies, or of the
        ratio of their sums, whichever is farther from 0.
    """
    differences = []
    for (before, first), (after, second) in itertools.pairwise(sorted(runs, key=lambda run: run[0])):
        both = [(max(1, first[name]), max(1, second[name])) for name in first if name in second]
        if after - before > HOUR_NS and len(both) >= _LEAST_COMMON:
            median = statistics.median(math.log(later / earlier) for earlier, later in both)
            sums = math.log(sum(later for _, later in both) / sum(earlier for earlier, _ in both))
            differences.append(max(median, sums, key=abs))
    return tuple(differences)


def choose(
    measured: Sequence[SystemConfiguration], wanted: SystemQuery, *, place: str, allow_mismatch: bool = False
) -> tuple[SystemConfiguration, tuple[str, ...]]:
    """Choose the configuration that matches a filter.

    Args:
        measured: all configurations of the store.
        wanted: the filter.
        place: of the store, for messages.
        allow_mismatch: whether to choose the nearest configuration of the system if none matches.

    Returns:
        The configuration, and its differences from the filter in words; empty if it matches.

    Raises:
        InputError: the system is unknown, or not exactly one configuration matches; the message lists those there are.
    """
    same_system = [each for each in measured if each.system == wanted.system]
    if not same_system:
        names = _close_names(measured, wanted.system)
        raise InputError(f"store {place} holds no system {wanted.system}; {names}")
    matching = [configuration for configuration in same_system if not _differences(wanted, configuration)]
    # runs with special options are experiments: without a word on options the usual ones are meant
    usual = [configuration for configuration in matching if not configuration.options]
    if len(matching) == 1 or len(usual) == 1:
        return (usual or matching)[0], ()
    if matching:
        listed = f"{len(matching)} configurations that match: {_listed(matching)}"
        raise InputError(f"system {wanted.system} has {listed}; {_advice(matching)}")
    nearest = min(same_system, key=lambda each: _distance(wanted, each))
    texts = tuple(_differences(wanted, nearest).values())
    if allow_mismatch:
        return nearest, texts
    raise InputError(
        f"system {wanted.system} has no such configuration; it has: {_listed(same_system)}; the nearest has "
        f"{' and '.join(texts)} (estimate --allow-mismatch uses it)"
    )


# Describe the differences of a configuration from the requested one by property, most important first.
def _differences(wanted: SystemQuery, configuration: SystemConfiguration) -> dict[str, str]:
    texts = {}
    if wanted.provider not in (None, configuration.provider):
        texts["provider"] = f"provider {configuration.provider} instead of {wanted.provider}"
    # the part of the instruction set to compare is that of the GPU, or that of the CPU
    on_device = any(word.startswith(DEVICE_WORD) for word in wanted.instruction_set or ())
    words = tuple(word for word in configuration.instruction_set if word.startswith(DEVICE_WORD) == on_device)
    if wanted.instruction_set not in (None, words):
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
    texts = _differences(wanted, configuration)
    threads = abs(configuration.threads - (wanted.threads or configuration.threads))
    parts = (name in texts for name in ("runtime", "provider", "instruction_set"))
    # the last three make the order total
    return *parts, len(texts), threads, configuration.threads, configuration.runtime, repr(configuration)


def _listed(configurations: Sequence[SystemConfiguration]) -> str:
    texts = {
        ", ".join((each.runtime, each.provider, f"threads {each.threads}", *each.options)) for each in configurations
    }
    return "; ".join(sorted(texts))


def _advice(matching: Sequence[SystemConfiguration]) -> str:
    if len({(each.runtime, each.provider, each.threads) for each in matching}) > 1:
        return "choose by provider, threads or runtime"
    first, second = (each.instruction_set for each in matching[:2])
    if first == second:
        return "they differ in options of session or provider: give such runs names of their own"
    return f"one has an instruction set {_unlike(first, second)}: these are several machines, name each differently"


# Describe the differences of an instruction set from another one.
def _unlike(words: Sequence[str], wanted: Sequence[str]) -> str:
    lacking, additional = sorted(set(wanted) - set(words)), sorted(set(words) - set(wanted))
    parts = [f"{word} {' '.join(names)}" for word, names in (("without", lacking), ("with", additional)) if names]
    return " and ".join(parts) or "in another order"


def _close_names(measured: Sequence[SystemConfiguration], system: str) -> str:
    names = sorted({configuration.system for configuration in measured})
    if not names:
        return "it is empty: submit a result first"
    close = difflib.get_close_matches(system, names, n=3, cutoff=0.5)
    more = f" and {len(names) - 5} more" if len(names) > 5 else ""
    return f"close to it: {', '.join(close)}" if close else f"it knows {', '.join(names[:5])}{more}"
