"""DB9xx: did calls find in the caches what their states say, and is it known how a machine's caches forget."""

import itertools
from collections.abc import Iterator, Mapping
from typing import Any

from dlbricks.harness.cache_state import (
    CONSTANTS,
    EMPTY_ROLES,
    NEAR,
    REPEATED,
    CacheDistances,
    cache_distances,
    far_states,
    is_cold,
)
from dlbricks.store.curve import levels, miss_curve
from dlbricks.store.rules.facts import look
from dlbricks.store.rules.rule import Context, Occurrence, Rule
from dlbricks.typed_json import LARGEST
from dlbricks.units import format_bytes, format_ns

_HEAVY_BYTES = 1 << 20
"""Constants that take longer from memory than from a cache, whatever else a sequence does."""

_SLOWER = 1.25
"""How many times as long a call with everything in the caches may take as one that has to fetch its constants."""

_FALL = 0.1
"""Share of the height of the miss curve that it may fall somewhere."""


def _places(context: Context) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Give place, role and content of every visit."""
    for entry in context.entries:
        for index, visit in enumerate(entry.row["visits"]):
            yield f"{entry.where}.visits[{index}]", entry.row["role"], visit


def _belong(context: Context) -> Iterator[Occurrence]:
    around = _surroundings(context)
    for where, role, visit in _places(context):
        state, cold = visit["state"], is_cold(role, around)
        if state == REPEATED and cold and role not in EMPTY_ROLES:
            yield f"{where}.state", f"a benchmark of role {role} was called again and again"
        if state != REPEATED and not cold:
            provider = context.document["runtime"]["provider"]
            yield f"{where}.state", f"state {state} says nothing of a benchmark of role {role} on {provider}"


def _single(context: Context) -> Iterator[Occurrence]:
    for where, _, visit in _places(context):
        if visit["state"] != REPEATED and len(visit["samples_ns"]) > 1:
            yield f"{where}.samples_ns", f"{len(visit['samples_ns'])} calls in a row were all in state {visit['state']}"


def _reach(context: Context) -> Iterator[Occurrence]:
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


def _all(context: Context) -> Iterator[Occurrence]:
    around = _surroundings(context)
    for entry in () if context.is_smoke else context.of_role("sequence", *EMPTY_ROLES):
        if entry.listed is None or not is_cold(entry.row["role"], around):
            continue
        wanted = (NEAR, *dict.fromkeys(far_states(entry.listed)))
        missing = [state for state in wanted if state not in entry.states]
        if missing:
            yield entry.where, f"{entry.name} was not measured in state {', '.join(missing)}"


def _upside_down(context: Context) -> Iterator[Occurrence]:
    for entry in context.of_role("sequence"):
        near, constants = entry.states.get(NEAR), entry.states.get(CONSTANTS)
        heavy = entry.listed is not None and entry.listed["weight_bytes"] >= _HEAVY_BYTES
        if near and constants and heavy and near.low_ns > _SLOWER * constants.high_ns:
            said = f"{entry.name} takes {format_ns(near.latency_ns)} with its constants in the caches"
            yield entry.where, f"{said}, {format_ns(constants.latency_ns)} when it has to fetch them"


def _curve(context: Context) -> Iterator[Occurrence]:
    around = _surroundings(context)
    listed = any(benchmark["role"] == "curve" for benchmark in context.listed.values())
    if listed and is_cold("curve", around) and not context.is_smoke and not miss_curve(context.document):
        yield "benchmarks", "the benchmark of role curve does not tell how the caches forget"


def _rises(context: Context) -> Iterator[Occurrence]:
    found = levels(context.document)
    span = list(found.values())[-1].latency_ns - next(iter(found.values())).latency_ns if found else 0
    for (before, high), (after, low) in itertools.combinations(found.items(), 2):
        fall = high.latency_ns - low.latency_ns
        if high.low_ns > low.high_ns and fall > _FALL * abs(span):
            said = f"a call takes {format_ns(high.latency_ns)} after {format_bytes(before)} of other memory"
            yield "benchmarks", f"{said}, and {format_ns(low.latency_ns)} after {format_bytes(after)}"
            return


def _surroundings(context: Context) -> CacheDistances:
    """Choose distances as the harness did, by the caches that the facts tell of, as far as they can be understood."""
    found = look(context.document["system"]["facts_before"], "cpu.caches")
    caches = [cache for cache in found if _is_cache(cache)] if isinstance(found, list) else []
    return cache_distances(caches, cold=context.document["runtime"]["provider"] == "cpu")


def _is_cache(cache: object) -> bool:
    if not isinstance(cache, Mapping) or not isinstance(cache.get("type"), str):
        return False
    return all(type(cache.get(key)) is int and 0 <= cache[key] <= LARGEST for key in ("level", "size_bytes"))


RULES = (
    Rule(
        id="DB901",
        severity="error",
        title="states where they belong",
        explanation="On a processor a sequence is timed one call at a time, as inside a network; called again and "
        "again it finds its constants where no network would leave them. Everything else is called back to back.",
        fix="Run the suite with the harness that came with it, and send the result as it wrote it.",
        find=_belong,
    ),
    Rule(
        id="DB902",
        severity="error",
        title="one call at a time",
        explanation="The first call brings what it uses into the caches, so the next one is in another state.",
        fix="Send the result as the harness wrote it.",
        find=_single,
    ),
    Rule(
        id="DB903",
        severity="error",
        title="distances as the states ask for",
        explanation="Memory is forgotten by the caches only when more than they hold was touched since; with less in "
        "between, a call finds there what its state says comes from memory.",
        fix="Send the result as the harness wrote it.",
        find=_reach,
    ),
    Rule(
        id="DB904",
        severity="warning",
        title="measured in every state",
        explanation="What a call costs inside a network lies between its states; where one is missing, estimates "
        "take the nearest that is there. Those of inputs and outputs are asked for where these are large.",
        fix="Give the run a larger budget.",
        find=_all,
    ),
    Rule(
        id="DB905",
        severity="info",
        title="memory slower than caches",
        explanation="Fetching large constants from memory takes longer than finding them in a cache; where it is the "
        "other way round, the two were not measured alike.",
        fix="Run again on a quiet machine.",
        find=_upside_down,
    ),
    Rule(
        id="DB906",
        severity="warning",
        title="miss curve known",
        explanation="How far apart two uses may lie before memory is forgotten is measured by a benchmark of its own; "
        "without it estimates assume what other machines do.",
        fix="Give the run a larger budget, or read why that benchmark failed.",
        find=_curve,
    ),
    Rule(
        id="DB907",
        severity="warning",
        title="miss curve rises",
        explanation="The more memory was touched in between, the less is left in the caches; a curve that falls beyond "
        "its noise was measured on a machine that changed meanwhile.",
        fix="Run again on a quiet machine.",
        find=_rises,
    ),
)
"""Rules of this group."""
