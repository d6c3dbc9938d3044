"""Results that were made better than they are, by hand or by program, and what becomes of each.

All are made from a recorded result and submitted to a store that holds two others of its processor. In
``attacked_runs.json.xz`` lie runs of one suite on a Zen 4 machine with one thread, of three names, one of them alone on
the machine; one with two threads; and the smoke suite on an H200. Of each state 16 visits were kept, evenly over time.
"""

import collections
import copy
import json
import lzma
import random
import re
import shutil
import statistics
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any

import pytest

from dlbricks.errors import CheckError
from dlbricks.plugins.trust.hook import TrustHook
from dlbricks.settings import SystemQuery
from dlbricks.store import standing
from dlbricks.store.database import ResultStore
from dlbricks.store.document import Document
from dlbricks.store.spread import default_spread
from dlbricks.store.submission import check, digest_of, is_one_run, submit
from dlbricks.store.types import SystemResults
from dlbricks.suite.manifest import Suite, from_document
from tests.store.made_up_run import settled

_FILE = Path(__file__).parents[1] / "data" / "attacked_runs.json.xz"
_RUNS: list[Document] = json.loads(lzma.decompress(_FILE.read_bytes()))
_HONEST, _OTHER, _ANOTHER, _TWO_THREADS, _ON_GPU = _RUNS
_SEED = 3
_QUEUE_TIMES = {
    "host_ns",
    "host_low_ns",
    "host_high_ns",
    "device_ns",
    "device_low_ns",
    "device_high_ns",
    "device_cold_ns",
    "alone_ns",
}

Attack = Callable[[Document, random.Random], object]


def _rows(made: Document, *roles: str) -> list[dict[str, Any]]:
    return [row for row in made["benchmarks"] if row["role"] in roles]


def _scaled(factor: float, *roles: str, states: Collection[str] = ()) -> Attack:
    """All times of some benchmarks or states, or of all, by one factor."""

    def attack(made: Document, _: random.Random) -> None:
        for row in _rows(made, *roles) if roles else made["benchmarks"]:
            for visit in row["visits"]:
                if not states or visit["state"] in states:
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


def _clock(made: Document, _: random.Random) -> None:
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
    first, *others = sorted(_rows(made, "sequence"), key=lambda row: len(row["visits"]), reverse=True)
    for row in others:
        row["visits"] = copy.deepcopy(first["visits"])


def _best(made: Document, _: random.Random) -> None:
    for row in _rows(made, "sequence"):
        for visit in row["visits"]:
            visit["samples_ns"] = [min(one["samples_ns"][0] for one in row["visits"] if one["state"] == visit["state"])]


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


def _copy(*edits: Attack) -> Attack:
    """A stored result under another name, edited."""

    def attack(made: Document, rng: random.Random) -> None:
        made.update(copy.deepcopy(_OTHER))
        made["system"]["name"] = "rival"
        for edit in edits:
            edit(made, rng)

    return attack


def _each(factor: Callable[[random.Random], float], noise: float = 0) -> Attack:
    """Times of each benchmark by a factor of its own, with noise."""

    def attack(made: Document, rng: random.Random) -> None:
        for row in made["benchmarks"]:
            own = factor(rng)
            for visit in row["visits"]:
                visit["samples_ns"] = [round(own * (1 + noise * rng.gauss(0, 1)) * one) for one in visit["samples_ns"]]

    return attack


def _mixed(source: Document, chosen: Callable[[int], bool]) -> Attack:
    """Visits of some sequences taken from another run, at the same shares of the time."""

    def attack(made: Document, _: random.Random) -> None:
        theirs = {row["fingerprint"]: row["visits"] for row in source["benchmarks"]}
        stretched = made["timing"]["wall_ns"] / source["timing"]["wall_ns"]
        for number, row in enumerate(_rows(made, "sequence")):
            if chosen(number):
                row["visits"] = copy.deepcopy(theirs[row["fingerprint"]])
                for visit in row["visits"]:
                    visit["start_ns"] = round(stretched * visit["start_ns"])

    return attack


def _shuffled(made: Document, rng: random.Random) -> None:
    for row in made["benchmarks"]:
        for state in sorted({visit["state"] for visit in row["visits"]}):
            same = [visit for visit in row["visits"] if visit["state"] == state]
            drawn = rng.sample([visit["samples_ns"] for visit in same], len(same))
            for visit, samples in zip(same, drawn, strict=True):
                visit["samples_ns"] = samples


def _fewer(dropped: Callable[[int], bool]) -> Attack:
    """Visits left out, counted from the last of each benchmark and state."""

    def attack(made: Document, _: random.Random) -> None:
        for row in _rows(made, "sequence", "overhead"):
            after = collections.Counter[str]()
            for visit in reversed(row["visits"]):
                after[visit["state"]] += 1
                if dropped(after[visit["state"]] - 1):
                    row["visits"] = [one for one in row["visits"] if one is not visit]

    return attack


def _quickest(made: Document, _: random.Random) -> None:
    """The slower half of the visits of each state left out."""
    for row in _rows(made, "sequence"):
        for state in {visit["state"] for visit in row["visits"]}:
            same = sorted(
                (one for one in row["visits"] if one["state"] == state), key=lambda one: min(one["samples_ns"])
            )
            slow = {id(one) for one in same[max(1, len(same) // 2) :]}
            row["visits"] = [one for one in row["visits"] if id(one) not in slow]


def _slowest(count: int) -> Attack:
    """The times of the sequences that take longest halved."""

    def attack(made: Document, _: random.Random) -> None:
        def taken(row: dict[str, Any]) -> float:
            return max(_medians(row).values(), default=0)

        for row in sorted(_rows(made, "sequence"), key=taken)[-count:]:
            _scaled(0.5)({"benchmarks": [row]}, random.Random(0))  # noqa: S311 - no secret

    return attack


def _longest_third(made: Document, rng: random.Random) -> None:
    """The times of a third of the sequences, those that take longest, by 0.6."""
    rows = sorted(_rows(made, "sequence"), key=lambda row: max(_medians(row).values(), default=0))
    _scaled(0.6)({"benchmarks": rows[-(len(rows) // 3) :]}, rng)


def _every(step: int) -> Attack:
    """The times of every second sequence, or third, by 0.6."""
    return lambda made, rng: _scaled(0.6)({"benchmarks": _rows(made, "sequence")[::step]}, rng)


def _tenth_of_scatter(made: Document, _: random.Random) -> None:
    for row in _rows(made, "sequence", "anchor"):
        for state in {visit["state"] for visit in row["visits"]}:
            same = [visit for visit in row["visits"] if visit["state"] == state]
            middle = statistics.median(time for visit in same for time in visit["samples_ns"])
            for visit in same:
                visit["samples_ns"] = [round(middle + (time - middle) / 10) for time in visit["samples_ns"]]


def _as_one_thread(made: Document, _: random.Random) -> None:
    made.update(copy.deepcopy(_TWO_THREADS))
    for row in made["benchmarks"]:
        row["disturbed"] = 0
        for visit in row["visits"]:
            visit.pop("disturbed", None)
    made["runtime"]["threads"] = made["runtime"]["session_options"]["intra_op_num_threads"] = 1


def _half_time(made: Document, _: random.Random) -> None:
    """Every call from half of the time on halved."""
    for row in made["benchmarks"]:
        for visit in row["visits"]:
            if 2 * visit["start_ns"] > made["timing"]["wall_ns"]:
                visit["samples_ns"] = [one // 2 for one in visit["samples_ns"]]


def _dealt(made: Document, _: random.Random) -> None:
    """Times of each sequence given to the next one."""
    rows = _rows(made, "sequence")
    visits = [row["visits"] for row in rows]
    for row, theirs in zip(rows, [*visits[1:], visits[0]], strict=True):
        row["visits"] = theirs


def _flat_curve(made: Document, _: random.Random) -> None:
    """Calls at all reuse distances as long as the nearest."""
    for row in _rows(made, "curve"):
        least = min(one for visit in row["visits"] for one in visit["samples_ns"])
        for number, visit in enumerate(row["visits"]):
            visit["samples_ns"] = [least + number for _ in visit["samples_ns"]]


def _flatter_curve(made: Document, _: random.Random) -> None:
    """Calls from memory cost a quarter of what they do over those from the caches."""
    for row in _rows(made, "curve"):
        least = min(one for visit in row["visits"] for one in visit["samples_ns"])
        for visit in row["visits"]:
            visit["samples_ns"] = [least + (one - least) // 4 for one in visit["samples_ns"]]


def _elsewhere(made: Document, rng: random.Random) -> None:
    """Times of no processor, by a provider that nobody knows."""
    made["runtime"] |= {"provider": "npu", "providers": ["NpuExecutionProvider"]}
    _scaled(0.001)(made, rng)


def _queue(change: Callable[[dict[str, Any]], object]) -> Attack:
    """The queue of every benchmark of a GPU edited."""

    def attack(made: Document, _: random.Random) -> None:
        made.clear()
        made.update(copy.deepcopy(_ON_GPU))
        for row in made["benchmarks"]:
            if "queue" in row:
                change(row["queue"])

    return attack


def _without_overhead(made: Document, rng: random.Random) -> None:
    """What a call takes beside host and device left out of a GPU's constants."""
    _queue(lambda _: None)(made, rng)
    made["queue"] |= {"call_ns": 1, "launch_lag_ns": 0, "synchronise_ns": 0}


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

CONSISTENT: dict[str, tuple[Attack, str]] = {
    "a stored result under another name": (_copy(), "DB807"),
    "a stored result at nine tenths of its times": (_copy(_scaled(0.9)), "DB807"),
    "a stored result, each benchmark by another factor": (_copy(_each(lambda rng: rng.uniform(0.5, 1.0))), "DB807"),
    "a stored result with noise on it": (_copy(_each(lambda _: 0.9, noise=2e-4)), "DB807"),
    "two thirds of a stored result": (_copy(_mixed(_HONEST, lambda number: number % 3 == 0)), "DB807"),
    "a stored result in another order": (_copy(_shuffled), "DB807"),
    "a stored result in another order, at half of its times": (_copy(_shuffled, _scaled(0.5)), "DB807"),
    "a stored result without the last visits": (_copy(_fewer(lambda number: number == 0)), "DB807"),
    "a stored result without a tenth of its visits": (_copy(_fewer(lambda number: number % 10 == 3)), "DB807"),
    "a stored result without a quarter of its visits": (_copy(_fewer(lambda number: number % 4 == 3)), "DB807"),
    "half of a stored result's visits in another order, at 0.9 of their times": (
        _copy(_fewer(lambda number: number % 2 == 1), _shuffled, _scaled(0.9)),
        "DB807",
    ),
    "a thousandth of the time of every sequence": (_scaled(0.001, "sequence"), "DB801"),
    "a thousandth of all times": (_scaled(0.001), "DB802"),
    "a fortieth of all times": (_scaled(1 / 40), "DB804"),
    "no scatter": (_drawn(lambda _: 1.0), "DB403"),
    "the best call of each state for all": (_best, "DB403"),
    "one sequence's times for all": (_copied, "DB803"),
    "a call of an empty graph a hundred times as long, to be taken off": (_scaled(100, "overhead"), "DB801"),
    "a cold call of an empty graph 25 times as long, to be taken off": (
        _scaled(25, "overhead", states=["weights_cold"]),
        "DB808",
    ),
    "wrong answers": (_wrong, "DB303"),
    "a date to come": (_date, "DB105"),
    "slow sequences left out": (_left_out, "DB206"),
    "anchors left out": (_anchors, "DB206"),
    "a suite with other references": (_in_suite(lambda row: row.update(reference=None)), "DB203"),
    "a suite that says less work": (_in_suite(lambda row: row.update(flops=0, weight_bytes=0)), "DB203"),
    "all times by 0.7": (_scaled(0.7), "unconfirmed"),
    "all times / 1.5": (_scaled(1 / 1.5), "unconfirmed"),
    "half of all times": (_scaled(0.5), "unconfirmed"),
    "nine tenths of all times": (_scaled(0.9), "unconfirmed"),
    "a tenth more on a rival's name": (_scaled(1.1), "unconfirmed"),
    "calls with all in the caches halved": (_scaled(0.5, states=["llc_warm"]), "DB908"),
    "calls with constants in memory halved": (_scaled(0.5, states=["weights_cold"]), "unconfirmed"),
    "sequences by 0.8, all else as measured": (_scaled(0.8, "sequence"), "unconfirmed"),
    "every second sequence of a run with two threads": (
        _mixed(_TWO_THREADS, lambda number: number % 2 == 0),
        "unconfirmed",
    ),
    "two threads called one": (_as_one_thread, "unconfirmed"),
    "each benchmark by a factor of its own": (_each(lambda rng: rng.uniform(0.6, 1.0)), "unconfirmed"),
    "all calls from half of the time on halved": (_half_time, "unconfirmed"),
    "the times of each sequence given to the next": (_dealt, "DB804"),
    "repeated calls of sequences halved": (_scaled(0.5, "sequence", states=["hot_loop"]), "unconfirmed"),
    "the longest sequence halved": (_slowest(1), "unconfirmed"),
    "the longest fifteen sequences halved": (_slowest(15), "unconfirmed"),
    "the longest thirty sequences halved": (_slowest(30), "unconfirmed"),
    "the longest third by 0.6": (_longest_third, "unconfirmed"),
    "every second sequence by 0.6": (_every(2), "unconfirmed"),
    "every third sequence by 0.6": (_every(3), "unconfirmed"),
    "a tenth of the scatter": (_tenth_of_scatter, "unconfirmed"),
    "times by a formula with skewed scatter": (
        _drawn(lambda rng: 0.75 + 0.01 * rng.lognormvariate(0, 1)),
        "unconfirmed",
    ),
    "skewed scatter around true medians": (
        _drawn(lambda rng: 0.999 + 0.001 * rng.lognormvariate(0, 1)),
        "unconfirmed",
    ),
    "times by a formula around those of a stored result": (
        _copy(_drawn(lambda rng: 0.999 + 0.001 * rng.lognormvariate(0, 1))),
        "unconfirmed",
    ),
    "calls of an empty graph threefold": (_scaled(3, "overhead"), "unconfirmed"),
    "memory as quick as a quarter of the way to it": (_flatter_curve, "unconfirmed"),
    "a thousandth of all times, by another provider": (_elsewhere, "DB804"),
    "a GPU's queue at 1 ns": (
        _queue(lambda queue: queue.update(dict.fromkeys(queue.keys() & _QUEUE_TIMES, 1))),
        "DB809",
    ),
    "a GPU's queue at a fifth of its times": (
        _queue(lambda queue: queue.update({key: queue[key] // 5 for key in queue.keys() & _QUEUE_TIMES})),
        "DB809",
    ),
    "a GPU's host at a tenth of its times": (
        _queue(lambda queue: queue.update({key: queue[key] // 10 for key in queue if key.startswith("host_")})),
        "DB809",
    ),
    "a GPU's device a quarter of an hour for each call": (
        _queue(lambda queue: queue.update({key: 9 * 10**11 for key in queue if key.startswith("device_")})),
        "DB810",
    ),
    "a GPU's calls without overhead and lag": (_without_overhead, "DB811"),
}
"""Attacks made to fit, with digests, totals and verdicts of their own, and what becomes of each."""

OPEN: dict[str, tuple[Attack, str]] = {
    "even scatter around true medians": (
        _drawn(lambda rng: rng.uniform(0.99, 1.01)),
        "nothing: what is claimed is true",
    ),
    "anchors that become twice as slow": (_later_faster, "nothing: it is stated, and widens intervals"),
    "slow visits marked as disturbed": (_marked, "nothing: what is left is true"),
    "the slower half of the visits left out": (_quickest, "nothing: as above"),
    "the miss curve flat": (_flat_curve, "nothing: it counts as none, of which DB906 warns"),
    "a run longer than the day": (_clock, "nothing: DB417 warns, a system clock may have been set"),
    "facts of another processor before and after": (
        lambda made, _: [made["system"][name]["cpu"].update(model="Other") for name in ("facts_before", "facts_after")],
        "nothing: hardware cannot be proved from afar; no other result of it is there to compare with",
    ),
}
"""Attacks that nothing tells, and what else does."""


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two honest results of one processor."""
    path = tmp_path_factory.mktemp("store") / "store.sqlite"
    with ResultStore.open(str(path), create=True, hook=TrustHook()) as stored:
        for made in (_OTHER, _ANOTHER):
            submit(stored, json.dumps(made).encode(), suite=_suite(made))
    return path


def _suite(made: Document) -> Suite:
    return from_document(made["suite"]["manifest"], "suite")


def _outcome(made: Document, store: Path, honest: Document = _HONEST) -> set[str]:
    """Submit a result, and give the rules that refuse it, or that it is unconfirmed, or nothing."""
    copied = Path(shutil.copy(store, store.with_name("copy.sqlite")))
    with ResultStore.open(str(copied), hook=TrustHook()) as stored:
        try:
            standing = submit(stored, json.dumps(made).encode(), suite=_suite(honest)).standing
        except CheckError as error:  # which names the first of them
            broken = {one.rule for one in check(made, suite=_suite(honest)) if one.severity == "error"}
            copied_times = TrustHook().before_add(stored, made, ("", ""))
            return broken | set(re.findall(r"DB\d{3}", str(error))) | ({"DB807"} if copied_times else set())
    return {"unconfirmed"} if standing is not None and standing.unconfirmed else set()


def _made(attack: Attack) -> Document:
    made = copy.deepcopy(_HONEST)
    attack(made, random.Random(_SEED))  # noqa: S311 - no secret
    return made


def _fitted(made: Document) -> Document:
    """Let no visit begin before another has ended, and all sums and verdicts fit."""
    now = 0
    for visit in sorted((one for row in made["benchmarks"] for one in row["visits"]), key=lambda one: one["start_ns"]):
        visit["start_ns"] = now = max(now, visit["start_ns"])
        now += sum(visit["samples_ns"])
    return settled(made)


@pytest.mark.parametrize("name", NAIVE)
def test_an_edit_is_refused_by_its_rule(store: Path, name: str) -> None:
    """What was edited and not made to fit breaks the rule that the table names."""
    attack, rule = NAIVE[name]
    assert rule in _outcome(_made(attack), store)


@pytest.mark.parametrize("made", [_HONEST, _fitted(copy.deepcopy(_HONEST)), _OTHER])
def test_an_honest_result_is_neither_refused_nor_unconfirmed(store: Path, made: Document) -> None:
    """What all attacks begin with; the same when it is submitted again or was resumed."""
    assert _outcome(made, store) == set()


@pytest.mark.parametrize("name", CONSISTENT)
def test_a_consistent_edit_is_told(store: Path, name: str) -> None:
    """The rule that the table names is among those that refuse it, or it lies too far from the others."""
    attack, told = CONSISTENT[name]
    made = _fitted(_made(attack))
    assert told in _outcome(made, store, _ON_GPU if made["runtime"]["provider"] == "cuda" else _HONEST)


UNLIKE = (
    "every second sequence of a run with two threads",
    "the longest third by 0.6",
    "every second sequence by 0.6",
    "every third sequence by 0.6",
    "a tenth of the scatter",
)
"""Attacks that show in what the sequences are like, not in how quick the machine is."""


@pytest.mark.parametrize("name", ["", *UNLIKE])
def test_an_edit_is_told_on_a_processor_that_no_archive_has(
    store: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Machines of all kinds differ more than those of one kind, so that the median tells less."""
    monkeypatch.setattr(standing, "default_spread", lambda _: default_spread())
    made = _fitted(_made(CONSISTENT[name][0] if name else lambda *_: None))
    assert _outcome(made, store) == ({"unconfirmed"} if name else set())


@pytest.mark.parametrize("name", OPEN)
def test_an_attack_that_nothing_tells(store: Path, name: str) -> None:
    """The table does not promise too little either: once a rule sees it, the attack moves up."""
    assert _outcome(_fitted(_made(OPEN[name][0])), store) == set()


def _begun(made: Document) -> Document:
    """What of a result was measured in the first half of its run, at whose end anchors are visited."""
    made = copy.deepcopy(made)
    visits = [visit["start_ns"] for row in _rows(made, "anchor") for visit in row["visits"]]
    end = max(start for start in visits if start < max(visits) / 2)
    for row in made["benchmarks"]:
        row["visits"] = [visit for visit in row["visits"] if visit["start_ns"] <= end]
    for row in _rows(made, "sequence")[-5:]:
        _dropped(row)
    return settled(made | {"complete": False})


def _submitted(path: Path, *results: Document) -> tuple[list[str], SystemResults]:
    """Give the digests of the results in a store that are in use, and what their system has measured."""
    with ResultStore.open(str(path), create=True, hook=TrustHook()) as stored:
        for made in results:
            submit(stored, json.dumps(made).encode(), suite=_suite(_HONEST))
        runs = [each.digest for each in stored.history.submissions() if each.withdrawn is None]
        return runs, stored.results(SystemQuery(system=_HONEST["system"]["name"]))


def test_a_resumed_run_counts_once(tmp_path: Path) -> None:
    """Whichever came first, its beginning is replaced, and it is not held to agree too well with itself."""
    begun = _begun(_HONEST)
    alone = _submitted(tmp_path / "alone", _HONEST)
    assert _submitted(tmp_path / "begun", begun)[1].measurements != alone[1].measurements
    assert _submitted(tmp_path / "resumed", begun, _HONEST) == alone
    assert _submitted(tmp_path / "late", _HONEST, begun) == alone


def test_results_without_a_common_visit_are_not_one_run() -> None:
    """Name and start of a run are public: a result that leaves out what was measured does not go on with it."""
    begun, rival = _begun(_HONEST), copy.deepcopy(_HONEST)
    assert is_one_run(begun, _HONEST)
    measured = {row["fingerprint"] for row in begun["benchmarks"] if row["visits"]}
    for row in rival["benchmarks"]:
        row["visits"] = [] if row["fingerprint"] in measured else row["visits"]
    assert not is_one_run(begun, rival)
    assert not is_one_run(rival, begun)


def test_a_rival_does_not_replace_a_result_by_going_on_with_it(tmp_path: Path) -> None:
    """All that is measured after the beginning takes half of its time: both stay, and the longer is unconfirmed."""
    begun = _begun(_HONEST)
    rival = _made(_scaled(0.5, "sequence"))
    lengths = {row["fingerprint"]: len(row["visits"]) for row in begun["benchmarks"]}
    for honest, row in zip(_HONEST["benchmarks"], rival["benchmarks"], strict=True):
        row["visits"][: lengths[row["fingerprint"]]] = honest["visits"][: lengths[row["fingerprint"]]]
    runs, found = _submitted(tmp_path / "store", begun, _fitted(rival))
    longer = digest_of(json.dumps(rival).encode())
    assert [run for run in runs if found.standings[run].unconfirmed] == [longer]
    assert sorted(runs) == sorted([digest_of(json.dumps(begun).encode()), longer])
