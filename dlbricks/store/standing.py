"""Compares a result with results of other owners for the same processor, runtime, options and threads."""

# All results signed with one key have one owner, and so have all unsigned results of one system name: results of one
# owner never support each other. Names and keys cost nothing, so if other results passed a challenge, only those count.
# The spread between honest runs comes from archives (``default_spread``), since a store holds the runs that are judged.

import math
import statistics
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import msgspec
import numpy as np
from sqlalchemy import func, select

from dlbricks.store.queries import CONFIGURATION, IN_USE, WITHOUT_BODY, owner_of
from dlbricks.store.records import LEAST_COMMON, StoredProfile, caches_of_row, configuration_of, refusing_damage
from dlbricks.store.spread import FAR, default_spread
from dlbricks.store.tables import Database, configurations, submissions
from dlbricks.store.types import UNMARKED_TIERS, Standing, SystemConfiguration
from dlbricks.units import counted

# A difference is odd above ``_FACTOR`` times the 99th percentile of archived pairs of runs on one machine, and always
# above a median of ``_MEDIAN`` (logarithm) or, with ``_ENOUGH`` sequences, a share of ``_SHARE`` beyond ``FAR``.
# The limit of the total is ``_FACTOR`` times wider, since few sequences decide it.
_FACTOR, _MEDIAN, _SHARE, _ENOUGH = 2, 0.3, 0.5, 10
# Results agree below this median of the differences after a common factor; honest runs have 0.003 or more.
_ALIKE = 0.002
# Maximum number of other results that a result is compared with, since each is read from the store.
_OTHERS = 32
_OVERHEADS = ("overhead_llc_warm_ns", "overhead_weights_cold_ns", "overhead_hot_loop_ns")
# Limits of logarithms of ratios: of the call overhead (median of three states), and of the time per byte from memory
# relative to the time per byte from the caches. Honest runs reach 0.18 and 0.35.
_CALLS, _RISE = 0.4, 0.7
# A sequence is apart if the logarithm of its ratio lies farther than ``_APART`` from the median of all; how quick a
# machine is cancels, so that one limit of their share holds for all processors. In 131 archived pairs of honest runs
# the share is up to 0.10, in 127 others 0.16.
_APART, _UNEVEN = 0.3, 1 / 6
# Limit of the factor by which calls scatter less than the other's, in the median over sequences. One of 131 archived
# pairs differs by 6.5, the others by up to 2.5; 103 others by up to 2.3.
_CALMER = 1 / 4
# Logarithmic limits of one sequence on one thread: how much faster it is than two others, whose times differ by less
# than ``_AGREED``. In 930 archived triples of honest runs the fastest takes 0.70 of the others' time; with several
# threads 0.28, so that no limit applies.
_LONE, _AGREED = math.log(0.6), 0.1


class _Result(NamedTuple):
    row: Any
    processor: list[Any]
    profile: StoredProfile


class _Pair(NamedTuple):
    # The judged result compared with another: logarithms of the ratios of times by sequence, and texts on odd figures.
    other: _Result
    names: Collection[str]
    logs: Any
    median: float
    beyond: float
    alike: bool
    odd: bool
    words: str


def standings(database: Database, wanted: Collection[SystemConfiguration]) -> dict[str, Standing]:
    """Return the standing of each result of some systems, by digest of the result."""
    owner = func.coalesce(owner_of(configurations.c.system), configurations.c.system).label("owner")
    query = select(*WITHOUT_BODY, owner, *CONFIGURATION).where(IN_USE, ~submissions.c.smoke)
    query = query.join(configurations, configurations.c.id == submissions.c.configuration)
    kinds: dict[SystemConfiguration, list[Any]] = defaultdict(list)
    judged: dict[str, Standing] = {}
    with refusing_damage(database.place):
        for row in sorted(database.rows(query), key=lambda row: (not _proven(row), row.received_unix_ns, row.digest)):
            kinds[replace(configuration_of(row), system="", provider="")].append(row)
        # kinds ignore the provider: without others on the same provider, results of provider ``cpu`` are compared
        for rows in (kinds[of] for of in {replace(each, system="", provider="") for each in wanted}):
            own = [row for row in rows if configuration_of(row) in wanted]
            first = {(row.owner, row.provider, row.suite): row for row in reversed(rows)} if len(rows) > 1 else {}
            read = {row.id: row for row in (*own, *list(first.values())[-_OTHERS:])}
            stored = _read(database, read) if first else {}
            others = [stored[row.id] for row in first.values() if row.id in stored]
            judged |= {row.digest: _standing(stored[row.id], others) if first else Standing() for row in own}
    return judged


def _proven(row: Any) -> bool:
    return bool(row.trust.endswith(UNMARKED_TIERS[2:]))


def _read(database: Database, rows: Mapping[int, Any]) -> dict[int, _Result]:
    stored, decode = {}, msgspec.json.Decoder(StoredProfile).decode
    for row in database.rows(select(submissions.c.id, submissions.c.profile).where(submissions.c.id.in_(rows))):
        profile = decode(row.profile)
        names = [name for each in profile.devices[: 1 if rows[row.id].provider == "cpu" else None] for name in each]
        stored[row.id] = _Result(rows[row.id], names if any(names) else [], profile)
    return stored


def _standing(own: _Result, stored: Sequence[_Result]) -> Standing:
    earlier = {each.row.id for each in stored if each.row.received_unix_ns < own.row.received_unix_ns}
    # an unsigned name has no proven owner: its earlier results count as others, so that a rival cannot replace them
    unsigned = earlier if own.row.owner == own.row.system else set()
    others = [each for each in stored if each.row.owner != own.row.owner or each.row.id in unsigned]
    pairs = [pair for each in others if each.processor == own.processor != [] for pair in _compared(own, each)]
    same = [pair for pair in pairs if pair.other.row.provider == own.row.provider]
    pairs = same or [pair for pair in pairs if pair.other.row.provider == "cpu"]
    pairs = [pair for pair in pairs if _proven(pair.other.row)] or pairs
    if not pairs:
        return Standing()
    # keep the result of each owner that has the most sequences in common
    by_owner = {pair.other.row.owner: pair for pair in sorted(pairs, key=lambda pair: len(pair.logs))}
    chosen = sorted(by_owner.values(), key=lambda pair: pair.median)
    odd = [pair.odd for pair in chosen]
    # a run that was resumed agrees with its own beginning
    run, rows = (own.row.owner, own.row.started_unix_ns), (pair.other.row for pair in pairs if pair.alike)
    alike = [row for row in rows if (row.owner, row.started_unix_ns) != run]
    # the nearer of two in the middle: an odd result of another owner tells nothing about this one
    middle = chosen[(len(chosen) - 1) // 2 : len(chosen) // 2 + 1]
    other, _, logs, median, beyond, _, _, words = min(middle, key=lambda pair: abs(pair.median))
    lone = _lone_sequences(chosen) if configuration_of(own.row).threads == 1 else []
    words += f"; {counted(len(lone), 'sequence')} below 60% of the time on which others agree" if lone else ""
    # a single other result that came later and passed no challenge does not count against this result
    heard = len(odd) > 1 or other.row.id in earlier or _proven(other.row)
    doubtful = not same or (2 * sum(odd) > len(odd) and heard) or any(row.id in earlier for row in alike) or bool(lone)
    doubtful &= not _proven(own.row)
    ratios = [time / theirs[of] for of, time in own.profile.anchors.items() if of in (theirs := other.profile.anchors)]
    anchors = statistics.median(ratios) if ratios else None
    text = f"{_by(math.exp(median))} than {counted(len(odd), 'other')} in {sum(logs * median > 0)} of {len(logs)}"
    text += " sequences" if same else f" sequences with provider {other.row.provider}"
    text += words + ("" if anchors is None else f"; anchors {_by(anchors)}")
    disagree = 0 < sum(odd) < len(odd)
    text += f"; farther from {sum(odd)} of the others than repeated runs are" if disagree else ""
    text += f"; agrees to 0.2% with the result of {alike[0].system}" if alike else ""
    figures: dict[str, Any] = {"ratio": math.exp(median), "beyond": beyond, "anchors": anchors}
    figures |= {"others": len(odd), "sequences": len(logs), "agrees": alike[0].system if alike else ""}
    return Standing(text=f"{'unconfirmed: ' * doubtful}{text}", unconfirmed=doubtful, **figures)


def _lone_sequences(pairs: Sequence[_Pair]) -> list[str]:
    # Return the sequences that are much faster than on the two nearest others, which agree with each other.
    ratios: dict[str, list[float]] = defaultdict(list)
    for pair in pairs:
        for name, log in zip(pair.names, pair.logs - pair.median, strict=True):
            ratios[name].append(log)
    nearest = ((name, sorted(logs, key=abs)[:2]) for name, logs in ratios.items() if len(logs) > 1)
    return [name for name, logs in nearest if max(logs) < _LONE and max(logs) - min(logs) < _AGREED]


def _compared(own: _Result, other: _Result) -> Iterator[_Pair]:
    # Yield the comparison of two results; nothing if they have too few sequences in common.
    both = own.profile.times.keys() & other.profile.times.keys()
    if len(both) < LEAST_COMMON:
        return
    first, second = (np.array([each.profile.times[name] for name in both]).T for each in (own, other))
    logs, medians = np.log(first[:2] / second[:2])
    median, beyond = float(np.median(logs)), float(np.mean(np.abs(logs) > FAR))
    spread, enough = default_spread(configuration_of(own.row)), len(both) >= _ENOUGH
    most, share = min(_FACTOR * spread.medians[-1], _MEDIAN), min(_FACTOR * spread.beyond[-1], _SHARE)
    calls = [math.log(max(1, getattr(own.row, name)) / max(1, getattr(other.row, name))) for name in _OVERHEADS]
    caches = [each for each in map(caches_of_row, (own.row, other.row)) if each.second_level_byte_ns]
    rises = [math.log1p(each.memory_byte_ns / each.second_level_byte_ns) for each in caches]
    figures = (
        ("total of the sequences", math.log(first[0].sum() / second[0].sum()), _FACTOR * most),
        ("call overhead", statistics.median(calls), _CALLS),
        ("memory relative to caches", rises[0] - rises[1] if rises[1:] else 0, _RISE),
    )
    # the lower of two middle sequences: their mean would lie between two clusters
    apart = float(np.mean(np.abs(logs - np.quantile(logs, 0.5, method="lower")) > _APART))
    scatters = [mine / theirs for mine, theirs in zip(first[2], second[2], strict=True) if mine and theirs]
    scatter = float(np.median(scatters)) if len(scatters) >= _ENOUGH else 1.0
    words = "".join(f"; {what} {_by(math.exp(log))}" for what, log, limit in figures if abs(log) > limit)
    words += f"; {apart:.0%} of the sequences differ by a factor of {math.exp(_APART):.2f} from that" * (
        apart > _UNEVEN
    )
    words += f"; calls scatter {scatter:.1%} as much" * (scatter < _CALMER)
    odd = abs(median) > most or (enough and (beyond > share or bool(words)))
    alike = enough and min(np.median(np.abs(each - np.median(each))) for each in (logs, medians)) < _ALIKE
    yield _Pair(other, both, logs, median, beyond, bool(alike), odd, words)


def _by(ratio: float) -> str:
    return f"{abs(ratio - 1):.1%} {'faster' if ratio < 1 else 'slower'}"
