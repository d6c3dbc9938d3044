"""Results that were made better than they are, by hand or by program, and the rule that refuses each.

All are consistent: totals, verdicts and digests are made to fit (``settled``). What no rule sees is left to a challenge
(``tests/challenge``), or is said to be open.
"""

import copy
import random
import statistics
from collections.abc import Callable
from typing import Any

import pytest

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
        for state in ("near", "constants"):
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
        row["sketches"][0]["samples"] = [0.0 for _ in row["sketches"][0]["samples"]]


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
    "a run longer than the day": (_clock, "DB415"),
    "slow sequences left out": (_left_out, "DB206"),
    "anchors left out": (_anchors, "DB206"),
}
"""Attacks, and the rule of severity error that refuses them."""

OPEN: dict[str, tuple[Attack, str]] = {
    "half of all times": (_scaled(0.5), "challenge: no rule knows a machine's true speed"),
    "half of the time of every sequence": (_scaled(0.5, "sequence"), "challenge: as above"),
    "skewed scatter around true medians": (
        _drawn(lambda rng: 0.999 + 0.001 * rng.lognormvariate(0, 1)),
        "challenge, if the medians are not true; who knows how times scatter can draw such",
    ),
    "a tenth more on a rival's name": (_scaled(1.1), "nothing: a slower result is no wrong one; names need owners"),
}
"""Attacks that no rule sees, and what else does."""


def _broken(attack: Attack) -> set[str]:
    made = copy.deepcopy(_HONEST)
    attack(made, random.Random(_SEED))  # noqa: S311 - made-up times, no secret
    return {one.rule for one in check(settled(made)) if one.severity == "error"}


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
