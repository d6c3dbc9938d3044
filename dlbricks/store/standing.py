"""How far a result lies from those of others, on the same processor and with the same runtime, options and threads.

Others are owners: all results under names of one key are of one owner, unsigned ones of one name likewise, so that
results never vouch for their owner. Names and keys cost nothing: where others passed a challenge, only those count.
What honest runs differ by is what the archives teach (``default_spread``): a store's runs are of those who are judged.
"""

import math
import statistics
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import msgspec
import numpy as np
from sqlalchemy import func, select

from dlbricks.harness.stats import latency_of
from dlbricks.store.queries import CONFIGURATION, IN_USE, WITHOUT_BODY, owner_of
from dlbricks.store.records import configuration_of, refusing_damage, unpacked
from dlbricks.store.spread import FAR, Run, default_spread, differences
from dlbricks.store.tables import Database, configurations, results, submissions
from dlbricks.store.types import UNMARKED_TIERS, Standing, SystemConfiguration
from dlbricks.units import counted

# Odd is more than twice what 99 % of the archives' pairs differ by, which are of one machine each, and in any case more
# than this median or, of enough sequences, this share of them. Few sequences decide a total: twice as much is odd.
_FACTOR, _MEDIAN, _SHARE, _ENOUGH = 2, 0.3, 0.5, 10
# Half of the sequences of honest runs differ by 0.3 % and more after a common factor.
_ALIKE = 0.001
# A result is compared with so many others, since their documents are read.
_OTHERS = 32
_NAMES = ("model", "family", "model_number", "name")


class _Entry(msgspec.Struct):
    role: str
    fingerprint: str
    visits: msgspec.Raw


class _Document(msgspec.Struct):
    system: dict[str, Any] = {}
    benchmarks: tuple[_Entry, ...] = ()


class _Result(NamedTuple):
    row: Any
    processor: list[Any]
    anchors: Mapping[str, int]
    run: Run


class _Pair(NamedTuple):
    # Logarithms of the times of the judged result by those of another one, by sequence and of their sums.
    other: _Result
    logs: Any
    median: float
    beyond: float
    total: float


def standings(database: Database, wanted: Collection[SystemConfiguration]) -> dict[str, Standing]:
    """Return the standings of results in use of some configurations by digest; smoke tests have none.

    A sequence counts with the geometric mean of its latencies in the three states of the caches.
    """
    owner = func.coalesce(owner_of(configurations.c.system), configurations.c.system).label("owner")
    query = select(*WITHOUT_BODY, owner, *CONFIGURATION).where(IN_USE, ~submissions.c.smoke)
    query = query.join(configurations, configurations.c.id == submissions.c.configuration)
    kinds: dict[SystemConfiguration, list[Any]] = defaultdict(list)
    judged: dict[str, Standing] = {}
    with refusing_damage(database.place):
        for row in sorted(database.rows(query), key=lambda row: (not _proven(row), row.received_unix_ns, row.digest)):
            kinds[replace(configuration_of(row), system="", provider="")].append(row)
        # what only its sender ran on a processor lies beside what others ran there with another provider
        for rows in (kinds[of] for of in {replace(each, system="", provider="") for each in wanted}):
            own = [row for row in rows if configuration_of(row) in wanted]
            first = {(row.owner, row.provider, row.suite): row for row in reversed(rows)} if len(rows) > 1 else {}
            read = {row.id: row for row in (*own, *list(first.values())[-_OTHERS:])}
            stored = _read(database, read, [row.id for row in own]) if first else {}
            others = [stored[row.id] for row in first.values() if row.id in stored]
            judged |= {row.digest: _standing(stored[row.id], others) if first else Standing() for row in own}
    return judged


def _proven(row: Any) -> bool:
    return bool(row.trust.endswith(UNMARKED_TIERS[2:]))


def _read(database: Database, rows: Mapping[int, Any], own: Collection[int]) -> dict[int, _Result]:
    # Return results by number, with times of those of the same processors as some, ``own``.
    times: dict[int, dict[int, tuple[int, float]]] = defaultdict(dict)
    stored, decode = {}, msgspec.json.Decoder(_Document).decode
    for row in database.rows(select(submissions.c.id, submissions.c.body).where(submissions.c.id.in_(rows))):
        document = decode(unpacked(row.body))
        facts = document.system.get("facts_before", {})
        gpus = facts.get("gpus") if rows[row.id].provider != "cpu" else None
        devices = (facts.get("cpu"), *(gpus if isinstance(gpus, list) else ()))
        names = [each.get(name) for each in devices if isinstance(each, dict) for name in _NAMES]
        anchors = {
            entry.fingerprint: latency_of({"role": entry.role, "visits": msgspec.json.decode(entry.visits)}).latency_ns
            for entry in document.benchmarks
            if entry.role == "anchor" and bytes(entry.visits) != b"[]"
        }
        stored[row.id] = _Result(rows[row.id], names if any(names) else [], anchors, (0.0, times[row.id]))
    processors = [stored[number].processor for number in own]
    alike = [number for number, each in stored.items() if each.processor and each.processor in processors]
    # repeated calls take as long as those with all in the caches, where they were not measured
    repeated = func.coalesce(results.c.hot_loop_ns, results.c.llc_warm_ns).label("hot_loop_ns")
    columns = (results.c.submission, results.c.sequence, results.c.latency_ns, results.c.llc_warm_ns, repeated)
    for row in database.rows(select(*columns).where(results.c.submission.in_(alike))):
        mean = math.cbrt(row.latency_ns) * math.cbrt(row.llc_warm_ns) * math.cbrt(row.hot_loop_ns)
        times[row.submission][row.sequence] = round(mean), 0.0
    return stored


def _standing(own: _Result, stored: Sequence[_Result]) -> Standing:
    earlier = {each.row.id for each in stored if each.row.received_unix_ns < own.row.received_unix_ns}
    # nobody owns an unsigned name, whose first result no rival may replace
    unsigned = earlier if own.row.owner == own.row.system else set()
    others = [each for each in stored if each.row.owner != own.row.owner or each.row.id in unsigned]
    pairs = [pair for each in others if each.processor == own.processor != [] for pair in _compared(own, each)]
    same = [pair for pair in pairs if pair.other.row.provider == own.row.provider]
    pairs = same or [pair for pair in pairs if pair.other.row.provider == "cpu"]
    pairs = [pair for pair in pairs if _proven(pair.other.row)] or pairs
    if not pairs:
        return Standing()
    # of each owner the result with the most sequences in common
    by_owner = {pair.other.row.owner: pair for pair in sorted(pairs, key=lambda pair: len(pair.logs))}
    chosen = sorted(by_owner.values(), key=lambda pair: pair.median)
    spread = default_spread(configuration_of(own.row))
    most, share = min(_FACTOR * spread.medians[-1], _MEDIAN), min(_FACTOR * spread.beyond[-1], _SHARE)
    odd = [
        abs(pair.median) > most
        or (len(pair.logs) >= _ENOUGH and (pair.beyond > share or abs(pair.total) > _FACTOR * most))
        for pair in chosen
    ]
    enough = [pair for pair in pairs if len(pair.logs) >= _ENOUGH]
    alike = [pair.other.row for pair in enough if np.median(np.abs(pair.logs - pair.median)) < _ALIKE]
    other, logs, median, beyond, total = chosen[len(chosen) // 2]
    # a single other that came later, and passed no challenge, says nothing against a result
    heard = len(odd) > 1 or other.row.id in earlier or _proven(other.row)
    doubtful = not same or (2 * sum(odd) > len(odd) and heard) or any(row.id in earlier for row in alike)
    doubtful &= not _proven(own.row)
    ratios = [own.anchors[name] / other.anchors[name] for name in own.anchors.keys() & other.anchors.keys()]
    anchors = statistics.median(ratios) if ratios else None
    text = f"{_by(math.exp(median))} than {counted(len(odd), 'other')} in {sum(logs * median > 0)} of {len(logs)}"
    text += " sequences" if same else f" sequences with provider {other.row.provider}"
    text += f"; all together {_by(math.exp(total))}" if abs(total) > _FACTOR * most else ""
    text += "" if anchors is None else f"; anchors {_by(anchors)}"
    text += f"; agrees to 0.1% with {alike[0].system}'s" if alike else ""
    figures: dict[str, Any] = {"ratio": math.exp(median), "beyond": beyond, "anchors": anchors}
    figures |= {"others": len(odd), "sequences": len(logs), "agrees": alike[0].system if alike else ""}
    return Standing(text=f"{'unconfirmed: ' * doubtful}{text}", unconfirmed=doubtful, **figures)


def _compared(own: _Result, other: _Result) -> Iterator[_Pair]:
    # Yield nothing if too few sequences are common.
    for logs, _ in differences((other.run, own.run)):
        both = own.run[1].keys() & other.run[1].keys()
        sums = (sum(result.run[1][name][0] for name in both) for result in (own, other))
        total = math.log(next(sums) / next(sums))
        yield _Pair(other, logs, float(np.median(logs)), float(np.mean(np.abs(logs) > FAR)), total)


def _by(ratio: float) -> str:
    return f"{abs(ratio - 1):.1%} {'quicker' if ratio < 1 else 'slower'}"
