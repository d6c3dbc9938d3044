"""Results that were made better than they are, by hand or by program, and the rule that refuses each.

With the patched harnesses of ``tests/challenge/test_attacks.py`` these are 71 attacks: 51 are refused by a rule, 14 by
a challenge whatever is claimed, and of ``OPEN`` 2 by a challenge since they claim half of the time or less. What is
left open is said there.
"""

import collections
import copy
import random
import statistics
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from dlbricks.plugins.trust.replays import StoredTimes, copied_from, stored_times
from dlbricks.store.document import Document
from dlbricks.store.submission import check
from tests.store.made_up_run import document, settled, suite

_SUITE = suite(sequences=40)
_HONEST = document(of=_SUITE)
_SEED = 3

Attack = Callable[[Document, random.Random], object]


def _rows(made: Document, *roles: str) -> list[dict[str, Any]]:
    return [row for row in made["benchmarks"] if row["role"] in roles]


def _scaled(factor: float, *roles: str) -> Attack:
    """All times of some benchmarks, or of all, by one factor."""

    def attack(made: Document, _: random.Random) -> None:
        for row in _rows(made, *roles) if roles else made["benchmarks"]:
            for visit in row["visits"]:
                visit["samples_ns"] = [max(1, round(factor * one)) for one in visit["samples_ns"]]

    return attack


def _medians(row: dict[str, Any]) -> dict[tuple[str, int], float]:
    found: dict[tuple[str, int], list[int]] = {}
    for visit in row["visits"]:
        found.setdefault((visit["state"], visit["distance_bytes"]), []).extend(visit["samples_ns"])
    return {key: statistics.median(samples) for key, samples in found.items()}


def _drawn(draw: Callable[[random.Random], float]) -> Attack:
    """All times anew around their medians."""

    def attack(made: Document, rng: random.Random) -> None:
        for row in made["benchmarks"]:
            usual = _medians(row)
            for visit in row["visits"]:
                middle = usual[visit["state"], visit["distance_bytes"]]
                visit["samples_ns"] = [round(middle * draw(rng)) for _ in visit["samples_ns"]]

    return attack


def _work(made: Document, operations: int) -> None:
    for row in made["suite"]["manifest"]["benchmarks"]:
        row["work"] = operations if row["role"] == "sequence" else 0


def _clock(made: Document, _: random.Random) -> None:
    _scaled(1.0)(made, random.Random(0))  # noqa: S311 - no secret
    made["system"]["facts_after"]["unix_ns"] = made["system"]["facts_before"]["unix_ns"]
    for row in made["benchmarks"]:
        for visit in row["visits"]:
            visit["start_ns"] *= 1000


def _marked(made: Document, _: random.Random) -> None:
    for row in _rows(made, "sequence"):
        for state in ("llc_warm", "weights_cold"):
            same = [visit for visit in row["visits"] if visit["state"] == state]
            limit = statistics.median(visit["samples_ns"][0] for visit in same)
            for visit in same:
                if visit["samples_ns"][0] > limit:
                    visit["disturbed"] = True


def _copied(made: Document, _: random.Random) -> None:
    first, *others = _rows(made, "sequence")
    for row in others:
        for visit, kept in zip(row["visits"], first["visits"], strict=True):
            visit["samples_ns"] = list(kept["samples_ns"])


def _best(made: Document, _: random.Random) -> None:
    for row in _rows(made, "sequence"):
        for visit in row["visits"]:
            visit["samples_ns"] = [min(one["samples_ns"][0] for one in row["visits"] if one["state"] == visit["state"])]


def _slow_empty(factor: float) -> Attack:
    return _scaled(factor, "overhead")


def _wrong(made: Document, _: random.Random) -> None:
    for row in _rows(made, "sequence"):
        row["output_digests"][0]["samples"] = [0.0 for _ in row["output_digests"][0]["samples"]]


def _date(made: Document, _: random.Random) -> None:
    years = 174 * 365 * 86_400 * 10**9
    made["started_unix_ns"] += years
    for name in ("facts_before", "facts_after"):
        made["system"][name]["unix_ns"] += years


def _left_out(made: Document, _: random.Random) -> None:
    made["benchmarks"] = [row for row in made["benchmarks"] if row["role"] != "sequence"][:] + _rows(made, "sequence")[
        :3
    ]


def _anchors(made: Document, _: random.Random) -> None:
    made["benchmarks"] = [row for row in made["benchmarks"] if row["role"] != "anchor"]


def _with_work(attack: Attack) -> Attack:
    """The same where the suite says what a sequence computes: at 80 operations a nanosecond on the honest machine."""

    def both(made: Document, rng: random.Random) -> None:
        _work(made, 40_000_000)
        attack(made, rng)

    return both


def _one(change: Callable[[dict[str, Any]], object], role: str = "sequence") -> Attack:
    """One benchmark edited by hand."""
    return lambda made, _: change(_rows(made, role)[0])


def _visit(change: Callable[[dict[str, Any]], object]) -> Attack:
    """All visits of all sequences edited by hand."""

    def attack(made: Document, _: random.Random) -> None:
        for row in _rows(made, "sequence"):
            for visit in row["visits"]:
                change(visit)

    return attack


def _in_suite(change: Callable[[dict[str, Any]], object]) -> Attack:
    """All sequences of the manifest edited."""

    def attack(made: Document, _: random.Random) -> None:
        for row in made["suite"]["manifest"]["benchmarks"]:
            if row["role"] == "sequence":
                change(row)

    return attack


def _at(*path: str, value: object) -> Attack:
    """One field edited."""

    def attack(made: Document, _: random.Random) -> None:
        place: Any = made
        for key in path[:-1]:
            place = place[key]
        place[path[-1]] = value

    return attack


def _cold_empty(factor: float) -> Attack:
    """Cold calls of the empty graph made longer, repeated ones left."""

    def attack(made: Document, _: random.Random) -> None:
        for row in _rows(made, "overhead"):
            for visit in row["visits"]:
                if visit["state"] == "weights_cold":
                    visit["samples_ns"] = [round(factor * one) for one in visit["samples_ns"]]

    return attack


def _copy(factor: Callable[[random.Random], float], *, noise: float = 0, share: float = 1.0) -> Attack:
    """A stored result under another name: some sequences by factors of their own, with noise, the rest measured."""

    def attack(made: Document, rng: random.Random) -> None:
        made["system"]["name"] = "rival"
        made["started_unix_ns"] += 10**12
        for name in ("facts_before", "facts_after"):
            made["system"][name]["unix_ns"] += 10**12
        own = document(of=_SUITE, seed=77)
        for number, (row, measured) in enumerate(zip(made["benchmarks"], own["benchmarks"], strict=True)):
            times = factor(rng)
            for visit in row["visits"]:
                visit["samples_ns"] = [
                    round(times * (1 + noise * rng.gauss(0, 1)) * one) for one in visit["samples_ns"]
                ]
            if number >= share * len(made["benchmarks"]):
                row["visits"] = measured["visits"]

    return attack


def _shuffled(made: Document, rng: random.Random) -> None:
    for row in made["benchmarks"]:
        for state in {visit["state"] for visit in row["visits"]}:
            same = [visit for visit in row["visits"] if visit["state"] == state and len(visit["samples_ns"]) == 1]
            drawn = rng.sample([visit["samples_ns"] for visit in same], len(same))
            for visit, samples in zip(same, drawn, strict=True):
                visit["samples_ns"] = [round(0.5 * one) for one in samples]


def _fewer(dropped: Callable[[int], bool]) -> Attack:
    """Visits left out, counted from the last of each benchmark and state."""

    def attack(made: Document, _: random.Random) -> None:
        made["system"]["name"] = "rival"
        for row in made["benchmarks"]:
            after = collections.Counter[str]()
            for visit in reversed(row["visits"]):
                after[visit["state"]] += 1
                if row["role"] != "anchor" and dropped(after[visit["state"]] - 1):
                    row["visits"] = [one for one in row["visits"] if one is not visit]

    return attack


def _later_faster(made: Document, _: random.Random) -> None:
    """Anchors as if the machine had become slower, so that all seem quicker beside them."""
    for row in _rows(made, "anchor"):
        count = len(row["visits"])
        for number, visit in enumerate(row["visits"]):
            visit["samples_ns"] = [round((1 + number / count) * one) for one in visit["samples_ns"]]


def _dropped(row: dict[str, Any]) -> None:
    row |= {"status": "not run", "reason": "out of time", "visits": [], "output_digests": []}
    row["verdict"] = {"kind": "failed", "text": "out of time"}


NAIVE: dict[str, tuple[Attack, str]] = {
    "the total edited": (_at("timing", "timed_ns", value=1), "DB410"),
    "the end of the run edited": (_at("timing", "wall_ns", value=10**6), "DB409"),
    "another verdict": (_one(lambda row: row["verdict"].update(kind="noisy")), "DB411"),
    "work of the suite lowered": (_in_suite(lambda row: row.update(flops=1)), "DB201"),
    "importance of slow sequences lowered": (_one(lambda row: row.update(importance=1e-6)), "DB207"),
    "a slow sequence called an anchor": (_one(lambda row: row.update(role="anchor")), "DB207"),
    "a benchmark twice": (lambda made, _: made["benchmarks"].append(copy.deepcopy(made["benchmarks"][-1])), "DB205"),
    "a benchmark of no suite": (_one(lambda row: row.update(fingerprint="0" * 64)), "DB204"),
    "a failed benchmark called measured": (_one(lambda row: row.update(visits=[])), "DB102"),
    "complete, though slow ones were left": (_one(_dropped), "DB101"),
    "no answers": (_one(lambda row: row.update(output_digests=[])), "DB301"),
    "answers of another shape": (_one(lambda row: row["output_digests"][0].update(shape=[1])), "DB302"),
    "answers in lower precision": (_one(lambda row: row["output_digests"][0].update(dtype="float16")), "DB302"),
    "answers that are no numbers": (_one(lambda row: row["output_digests"][0].update(samples=["nan"] * 64)), "DB303"),
    "answers of other norms": (_one(lambda row: row["output_digests"][0].update(norm1=1.0, norm2=1.0)), "DB303"),
    "another provider": (_at("runtime", "providers", value=["CUDAExecutionProvider"]), "DB601"),
    "a provider of another name": (_at("runtime", "provider", value="cuda"), "DB601"),
    "one thread of eight": (_at("runtime", "session_options", "intra_op_num_threads", value=8), "DB603"),
    "options left out": (_at("runtime", "session_options", value={}), "DB602"),
    "a runtime of no version": (_at("runtime", "version", value="fast"), "DB604"),
    "calls again and again for cold ones": (
        _visit(lambda visit: visit.update(state="hot_loop", distance_bytes=0)),
        "DB901",
    ),
    "several calls for one": (_visit(lambda visit: visit.update(samples_ns=3 * visit["samples_ns"])), "DB902"),
    "other distances": (_visit(lambda visit: visit.update(distance_bytes=1)), "DB903"),
    "visits at one time": (_visit(lambda visit: visit.update(start_ns=5)), "DB406"),
    "a processor forged after the run": (_at("system", "facts_after", "cpu", "model", value="Other"), "DB503"),
}
"""Edits that are not made to fit, and the rule that refuses each."""

REPLAYED: dict[str, Attack] = {
    "a stored result in another order, at half of its times": _shuffled,
    "a stored result without the last visit of each benchmark": _fewer(lambda number: number == 0),
    "a stored result without a tenth of its visits": _fewer(lambda number: number % 10 == 3),
    "a stored result under another name": _copy(lambda _: 1.0),
    "a stored result at nine tenths of its times": _copy(lambda _: 0.9),
    "a stored result, each sequence by another factor": _copy(lambda rng: rng.uniform(0.5, 1.0)),
    "a stored result with noise on it": _copy(lambda _: 0.9, noise=2e-4),
    "two thirds of a stored result": _copy(lambda _: 0.9, share=0.67),
}
"""Results made from a stored one; all are refused by DB807."""

CAUGHT: dict[str, tuple[Attack, str]] = {
    "a thousandth of the time of every sequence": (_scaled(0.001, "sequence"), "DB801"),
    "a thousandth of all times": (_scaled(0.001, "sequence", "anchor"), "DB801"),
    "a quarter of all times, of sequences with arithmetic": (_with_work(_scaled(0.25)), "DB804"),
    "normal scatter around true medians": (_drawn(lambda rng: rng.gauss(1, 0.01)), "DB805"),
    "even scatter around true medians": (_drawn(lambda rng: rng.uniform(0.99, 1.01)), "DB805"),
    "triangular scatter around true medians": (_drawn(lambda rng: rng.triangular(0.98, 1.02)), "DB805"),
    "scatter with heavy tails around true medians": (
        _drawn(lambda rng: 1 + 0.002 * rng.gauss(0, 1) / rng.uniform(0.6, 1.6)),
        "DB805",
    ),
    "no scatter": (_drawn(lambda _: 1.0), "DB403"),
    "the best call of each state for all": (_best, "DB403"),
    "slow visits marked as disturbed": (_marked, "DB806"),
    "one sequence's times for all": (_copied, "DB803"),
    "slow calls of an empty graph, to be taken off": (_slow_empty(100), "DB801"),
    "wrong answers": (_wrong, "DB303"),
    "a date to come": (_date, "DB105"),
    "slow sequences left out": (_left_out, "DB206"),
    "anchors left out": (_anchors, "DB206"),
    "cold calls of an empty graph eight times as long, to be taken off": (_cold_empty(25), "DB808"),
    "anchors that become twice as slow": (_later_faster, "DB703"),
    "a suite with other references": (_in_suite(lambda row: row.update(reference=None)), "DB203"),
    "a suite that says less work": (_in_suite(lambda row: row.update(flops=0, weight_bytes=0)), "DB203"),
}
"""Attacks, and the rule of severity error that refuses them."""

OPEN: dict[str, tuple[Attack, str]] = {
    "half of all times": (_scaled(0.5), "challenge: the answer comes too late"),
    "nine tenths of all times": (_scaled(0.9), "nothing: a challenge proves a factor of 2"),
    "skewed scatter around true medians": (
        _drawn(lambda rng: 0.999 + 0.001 * rng.lognormvariate(0, 1)),
        "nothing: who knows how times scatter can draw such; what is claimed is true",
    ),
    "a run longer than the day": (_clock, "nothing: DB417 warns, a system clock may have been set"),
    "a tenth more on a rival's name": (_scaled(1.1), "the owner's key, if the rival has signed"),
    "facts of another processor before and after": (
        lambda made, _: [made["system"][name]["cpu"].update(model="Other") for name in ("facts_before", "facts_after")],
        "nothing: hardware cannot be proved from afar",
    ),
}
"""Attacks that no rule sees, and what else does."""


def _broken(attack: Attack) -> set[str]:
    made = copy.deepcopy(_HONEST)
    attack(made, random.Random(_SEED))  # noqa: S311 - made-up times, no secret
    return _errors(settled(made))


def _errors(made: Document, stored: Sequence[StoredTimes] = ()) -> set[str]:
    found = check(
        made,
        suite=_SUITE,
        known_suites=(_SUITE.digest,),
        copied_from=copied_from(stored_times(made, ""), stored),
    )
    return {one.rule for one in found if one.severity == "error"}


@pytest.mark.parametrize("name", NAIVE)
def test_an_edit_is_refused_by_its_rule(name: str) -> None:
    """What was edited and not made to fit breaks the rule that the table names."""
    attack, rule = NAIVE[name]
    made = copy.deepcopy(_HONEST)
    attack(made, random.Random(_SEED))  # noqa: S311 - no secret
    assert rule in _errors(made)


@pytest.mark.parametrize("name", REPLAYED)
def test_a_replay_is_refused(name: str) -> None:
    """A result made from a stored one is told by its distribution alone; without that one nothing is wrong with it."""
    made = copy.deepcopy(_HONEST)
    REPLAYED[name](made, random.Random(_SEED))  # noqa: S311 - no secret
    settled(made)
    assert _errors(made, [stored_times(_HONEST, "d" * 64)]) == {"DB807"}
    assert _errors(made) == set()


def test_an_honest_run_is_no_replay() -> None:
    """Another run of the same suite, and the same run when it was resumed, are none."""
    again = document(of=_SUITE, seed=5)
    assert _errors(again, [stored_times(_HONEST, "d" * 64)]) == set()
    half = stored_times(_HONEST, "d" * 64)
    half = replace(half, times={at: times[:9] for at, times in half.times.items()})
    assert _errors(copy.deepcopy(_HONEST), [half]) == set()


def test_the_honest_result_is_not_refused() -> None:
    """What all attacks begin with breaks no rule."""
    assert _broken(lambda made, _: made) == set()


@pytest.mark.parametrize("name", CAUGHT)
def test_an_attack_is_refused_by_its_rule(name: str) -> None:
    """The rule that the table names is among those that refuse it."""
    attack, rule = CAUGHT[name]
    assert rule in _broken(attack)


@pytest.mark.parametrize("name", OPEN)
def test_an_attack_that_no_rule_sees(name: str) -> None:
    """The table does not promise too little either: once a rule sees it, the attack moves up."""
    assert _broken(OPEN[name][0]) == set()
