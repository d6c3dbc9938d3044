"""How it was measured (DB7xx, DB9xx).

The fixed benchmarks that every suite carries show a machine that stayed the same; calls found in the caches what their
states say, and it is known how the machine's caches forget.
"""

import itertools
import statistics
from collections.abc import Iterator, Mapping
from typing import Any

from dlbricks.harness.cache_state import (
    CONSTANTS,
    EMPTY_ROLES,
    NEAR,
    REPEATED,
    CacheDistances,
    cache_distances,
    is_cold,
)
from dlbricks.harness.run import verdict
from dlbricks.harness.stats import counted, undisturbed
from dlbricks.store.rules.rule import Occurrence, SubmissionView, error, info, look, warning
from dlbricks.store.summary import caches_of, levels
from dlbricks.units import format_bytes, format_ns

_REFUSED = 0.25
"""Drift of the anchors over the run, as a share, above which a result is refused; below it widens what is estimated."""

_DOUBTED = 0.03
"""The same for a warning."""

_UNQUIET = 0.20
"""Share by which the middle half of the anchor visits may differ."""

_FIXED = ("anchor", "overhead")


@error(
    "DB701: anchors and overhead measured",
    why="Anchors tell whether the machine stayed the same, and the call overhead is taken out of every "
    "latency; without them the other figures cannot be used.",
    fix="Run them too: they are part of every run, --only or not.",
)
def _present(context: SubmissionView) -> Iterator[Occurrence]:
    measured = {entry.row["fingerprint"] for entry in context.measured}
    for fingerprint, benchmark in context.listed.items():
        if benchmark["role"] in _FIXED and fingerprint not in measured:
            said = f"{benchmark['role']} benchmark {benchmark['name']} {fingerprint[:12]} has no latency"
            yield "benchmarks", said


@error(
    "DB702: anchors first and last",
    why="Only anchors around all other visits can vouch for what lies between.",
    fix="Let the run end by itself, or resume it.",
)
def _around(context: SubmissionView) -> Iterator[Occurrence]:
    visits = sorted(
        (visit["start_ns"], entry.row["role"], f"{entry.where}.visits[{index}]")
        for entry in context.measured
        for index, visit in enumerate(entry.row["visits"])
    )
    if not visits or not context.of_role("anchor"):
        return
    for word, (_, role, where) in (("first", visits[0]), ("last", visits[-1])):
        if role not in _FIXED:
            yield where, f"the {word} visit of the run is not of an anchor"


def _drift(context: SubmissionView) -> float:
    """Give the significant change of the anchors from the first to the last round, as a share; 0.0 if none is.

    Anchors of one round run within moments of each other and are no independent samples: the trend is that of the
    medians of rounds.
    """
    tracks = []
    for entry in context.of_role("anchor"):
        visits = [
            (visit["start_ns"], statistics.median(counted(visit["samples_ns"])))
            for visit in undisturbed(entry.row["visits"])
        ]
        usual = max(statistics.median(level for _, level in visits), 1)
        tracks.append([(start_ns, level / usual) for start_ns, level in visits])
    points = []
    for made in itertools.zip_longest(*tracks):
        present = [one for one in made if one is not None]
        points.append((present[0][0], statistics.median(level for _, level in present)))
    return verdict.trend(sorted(points)) if len(points) >= verdict.DRIFT_VISITS else 0.0


@error(
    "DB703: anchors do not drift",
    why=f"A trend of the anchors of more than {_REFUSED:.0%} means that early and late benchmarks met "
    "different machines: heat, a neighbour, a changed clock. Of a smoke test it is only remarked (DB704).",
    fix="Let the machine warm up or cool down, fix its clock, and run again.",
)
def _drifted(context: SubmissionView) -> Iterator[Occurrence]:
    drift = _drift(context)
    if abs(drift) > _REFUSED and not context.is_smoke:
        yield "benchmarks", f"the anchors became {_slower(drift)} over the run"


@warning(
    "DB704: anchors hardly drift",
    why=f"A trend of the anchors of more than {_DOUBTED:.0%} is larger than what latencies are known to.",
    fix="Let the machine warm up or cool down, fix its clock, and run again.",
)
def _drifting(context: SubmissionView) -> Iterator[Occurrence]:
    drift = _drift(context)
    if abs(drift) > _DOUBTED and (abs(drift) <= _REFUSED or context.is_smoke):
        yield "benchmarks", f"the anchors became {_slower(drift)} over the run"


@warning(
    "DB705: anchors are quiet",
    why="Anchors that jump without a trend show neighbours or a clock that goes up and down.",
    fix="Run on a quiet machine with a fixed clock.",
)
def _unquiet(context: SubmissionView) -> Iterator[Occurrence]:
    levels = verdict.context(context.document).anchor_levels
    if len(levels) < verdict.DRIFT_VISITS:
        return
    low, _, high = statistics.quantiles(levels, n=4)
    if high - low > _UNQUIET:
        yield (
            "benchmarks",
            f"half of the anchor visits lie between {low:.2f} and {high:.2f} times the usual, the rest beyond",
        )


def _slower(drift: float) -> str:
    return f"{abs(drift):.1%} {'slower' if drift > 0 else 'faster'}"


_HEAVY_BYTES = 1 << 20
"""Constants that take longer from memory than from a cache, whatever else a sequence does."""

_SLOWER = 1.25
"""How many times as long a call with everything in the caches may take as one that has to fetch its constants."""

_FALL = 0.1
"""Share of the height of the miss curve that it may fall somewhere."""


def _places(context: SubmissionView) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Give place, role and content of every visit."""
    for entry in context.entries:
        for index, visit in enumerate(entry.row["visits"]):
            yield f"{entry.where}.visits[{index}]", entry.row["role"], visit


@error(
    "DB901: states where they belong",
    why="On a processor a sequence is timed one call at a time, as inside a network; called again and "
    "again it finds its constants where no network would leave them. Everything else is called back to back.",
    fix="Run the suite with the harness that came with it, and send the result as it wrote it.",
)
def _belong(context: SubmissionView) -> Iterator[Occurrence]:
    around = _surroundings(context)
    for where, role, visit in _places(context):
        state, cold = visit["state"], is_cold(role, around)
        if state == REPEATED and cold and role not in EMPTY_ROLES:
            yield f"{where}.state", f"a benchmark of role {role} was called again and again"
        if state != REPEATED and not cold:
            provider = context.document["runtime"]["provider"]
            yield f"{where}.state", f"state {state} says nothing of a benchmark of role {role} on {provider}"


@error(
    "DB902: one call at a time",
    why="The first call brings what it uses into the caches, so the next one is in another state.",
)
def _single(context: SubmissionView) -> Iterator[Occurrence]:
    for where, _, visit in _places(context):
        if visit["state"] != REPEATED and len(visit["samples_ns"]) > 1:
            yield f"{where}.samples_ns", f"{len(visit['samples_ns'])} calls in a row were all in state {visit['state']}"


@error(
    "DB903: distances as the states ask for",
    why="Memory is forgotten by the caches only when more than they hold was touched since; with less in "
    "between, a call finds there what its state says comes from memory.",
)
def _reach(context: SubmissionView) -> Iterator[Occurrence]:
    around = _surroundings(context)
    for where, role, visit in _places(context):
        state, distance = visit["state"], visit["distance_bytes"]
        least, most = (0, None) if visit.get("wait_ns") else _range(role, state, around)
        if not least <= distance <= (distance if most is None else most):
            wanted = f"at least {format_bytes(least)}" if distance < least else f"at most {format_bytes(most or 0)}"
            yield f"{where}.distance_bytes", f"{format_bytes(distance)} before a call in state {state}: {wanted}"


def _range(role: str, state: str, around: CacheDistances) -> tuple[int, int | None]:
    """Give the least and the greatest reuse distance, bytes, at which a call is in a state; None for no limit."""
    if state == REPEATED:
        return 0, 0
    if role == "curve":
        return 1, None
    near, far = around.near_bytes, around.far_bytes
    return (near, max(near, far)) if state == NEAR else (far, None)


@warning(
    "DB904: measured in every state",
    why="What a call costs inside a network lies between its states; where one is missing, estimates "
    "take the nearest that is there.",
    fix="Give the run a larger budget.",
)
def _all(context: SubmissionView) -> Iterator[Occurrence]:
    around = _surroundings(context)
    for entry in () if context.is_smoke else context.of_role("sequence", *EMPTY_ROLES):
        if entry.listed is None or not is_cold(entry.row["role"], around):
            continue
        missing = [state for state in (NEAR, CONSTANTS) if state not in entry.states]
        if missing:
            yield entry.where, f"{entry.name} was not measured in state {', '.join(missing)}"


@info(
    "DB905: memory slower than caches",
    why="Fetching large constants from memory takes longer than finding them in a cache; where it is the "
    "other way round, the two were not measured alike.",
    fix="Run again on a quiet machine.",
)
def _upside_down(context: SubmissionView) -> Iterator[Occurrence]:
    for entry in context.of_role("sequence"):
        near, constants = entry.states.get(NEAR), entry.states.get(CONSTANTS)
        heavy = entry.listed is not None and entry.listed["weight_bytes"] >= _HEAVY_BYTES
        if near and constants and heavy and near.low_ns > _SLOWER * constants.high_ns:
            said = f"{entry.name} takes {format_ns(near.latency_ns)} with its constants in the caches"
            yield entry.where, f"{said}, {format_ns(constants.latency_ns)} when it has to fetch them"


@warning(
    "DB906: miss curve known",
    why="How far apart two uses may lie before memory is forgotten is measured by a benchmark of its own; "
    "without it estimates assume what other machines do.",
    fix="Give the run a larger budget, or read why that benchmark failed.",
)
def _curve(context: SubmissionView) -> Iterator[Occurrence]:
    around = _surroundings(context)
    listed = any(benchmark["role"] == "curve" for benchmark in context.listed.values())
    if listed and is_cold("curve", around) and not context.is_smoke and not caches_of(context.document).curve:
        yield "benchmarks", "the benchmark of role curve does not tell how the caches forget"


@warning(
    "DB907: miss curve rises",
    why="The more memory was touched in between, the less is left in the caches; a curve that falls beyond "
    "its noise was measured on a machine that changed meanwhile.",
    fix="Run again on a quiet machine.",
)
def _rises(context: SubmissionView) -> Iterator[Occurrence]:
    found = levels(context.document)
    span = list(found.values())[-1].latency_ns - next(iter(found.values())).latency_ns if found else 0
    for (before, high), (after, low) in itertools.combinations(found.items(), 2):
        fall = high.latency_ns - low.latency_ns
        if high.low_ns > low.high_ns and fall > _FALL * abs(span):
            said = f"a call takes {format_ns(high.latency_ns)} after {format_bytes(before)} of other memory"
            yield "benchmarks", f"{said}, and {format_ns(low.latency_ns)} after {format_bytes(after)}"
            return


def _surroundings(context: SubmissionView) -> CacheDistances:
    """Choose distances as the harness did, by the caches that the facts tell of, as far as they can be understood."""
    found = look(context.document["system"]["facts_before"], "cpu.caches")
    caches = [cache for cache in found if _is_cache(cache)] if isinstance(found, list) else []
    return cache_distances(caches, cold=context.document["runtime"]["provider"] == "cpu")


def _is_cache(cache: object) -> bool:
    if not isinstance(cache, Mapping) or not isinstance(cache.get("type"), str):
        return False
    return all(type(cache.get(key)) is int and cache[key] >= 0 for key in ("level", "size_bytes"))
