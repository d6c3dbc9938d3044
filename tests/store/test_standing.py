"""What a store says of a result beside those of others: honest runs, edits of one, owners, challenges."""

import copy
import dataclasses
import itertools
import random
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest

from dlbricks.plugins.trust.hook import TRUST
from dlbricks.settings import SystemQuery
from dlbricks.store.database import ResultStore
from dlbricks.store.types import (
    UNCONFIRMED,
    SequenceLabel,
    Signed,
    Standing,
    Submission,
)
from dlbricks.typed_json import canonical_json, digest_bytes
from tests.store.stored import honest_runs, make_older, results_of_run

_FIRST = Standing()
Run = Mapping[str, Any]


# those on two threads were disturbed beyond what is stored
HONEST = {kind: runs for kind, runs in honest_runs().items() if kind[2] == 1 and len(runs) > 3}
(BUSY,) = (runs for (suite, _, _), runs in HONEST.items() if suite.startswith("ebf9fb"))
"""Eleven runs of 60 sequences, most of them beside other programs."""


def _submission(run: Run, system: str, *, model: str = "EPYC 9004", anchors: float = 1.0) -> Submission:
    """Return a run as a submission, with what the store reads of its document."""
    results, names = results_of_run(run, system), run["rows"]
    visits = [{"state": "hot_loop", "distance_bytes": 0, "samples_ns": [round(100_000 * anchors)]}]
    document: dict[str, Any] = {
        "system": {"name": system, "facts_before": {"cpu": {"model": model}}},
        "benchmarks": [{"role": "anchor", "fingerprint": "a", "visits": visits}],
    }
    return Submission(
        digest=digest_bytes(repr((results, model)).encode()),
        suite="suite",
        suite_digest=run["suite"],
        manifest=canonical_json({"granularity": "1", "splitter": "block", "target": {"name": "portable"}}),
        body=canonical_json(document),
        started_unix_ns=run["started_unix_ns"],
        complete=True,
        smoke=False,
        severity="clean",
        results=results,
        labels=tuple(SequenceLabel(fingerprint=each, name="Conv", operators=("Conv",), layers=1) for each in names),
    )


def _times(run: Run, change: Callable[[int, str], float]) -> Run:
    """Return a run whose times are changed by a factor for each sequence, by its number and name."""
    rows = {}
    for number, (name, (latency, low, high, verdict)) in enumerate(sorted(run["rows"].items())):
        factor = change(number, name)
        rows[name] = (*(round(factor * time) for time in (latency, low, high)), verdict)
    return {**run, "rows": rows}


@pytest.fixture
def store() -> Iterator[ResultStore]:
    """Return an empty store."""
    with ResultStore.open("sqlite://", create=True, hook=TRUST) as opened:
        yield opened


def _standing(store: ResultStore, submission: Submission, **how: Any) -> Standing:
    """Add a submission and return its standing."""
    store.add(submission, **how)
    return store.standings(submission.results.configuration)[submission.digest]


def _stored(store: ResultStore) -> dict[str, Standing]:
    """Return the standings of all results by name of the system."""
    systems = {each.digest: each.configuration for each in store.history.submissions()}
    return {systems[digest].system: each for digest, each in store.standings(*systems.values()).items()}


def test_honest_runs_are_not_unconfirmed() -> None:
    """Neither alone with another one, nor among all of their kind; these runs taught nothing."""
    odd, pairs = [], 0
    for kind, runs in HONEST.items():
        with ResultStore.open("sqlite://", create=True) as store:
            for number, run in enumerate(runs):
                store.add(_submission(run, f"lab-{number}"))
            among = _stored(store)
        assert not any(each.unconfirmed for each in among.values()), kind
        assert all(each.others == len(runs) - 1 for each in among.values())
        for first, second in itertools.pairwise(runs):
            with ResultStore.open("sqlite://", create=True) as store:
                store.add(_submission(first, "lab-a"))
                store.add(_submission(second, "lab-b"))
                odd += [each for each in _stored(store).values() if each.unconfirmed]
                pairs += 1
    assert pairs > 20
    assert not odd


def _mixed(run: Run) -> Run:
    """Half of the sequences from a machine that takes 0.6 of the time."""
    return _times(run, lambda number, _: 0.6 if number % 2 else 1.0)


def _formula(run: Run) -> Run:
    """A latency from one rate, with skewed scatter."""
    draw = random.Random(3)  # noqa: S311 - no secret
    total = sum(latency for latency, *_ in run["rows"].values()) / len(run["rows"])
    factors = {name: 0.2 * total / latency + 0.7 for name, (latency, *_) in run["rows"].items()}
    return _times(run, lambda _, name: factors[name] * draw.lognormvariate(0, 0.01))


EDITS: dict[str, Callable[[Run], Run]] = {
    "all times x 0.7": lambda run: _times(run, lambda *_: 0.7),
    "all times / 1.5": lambda run: _times(run, lambda *_: 1 / 1.5),
    "all times x 1.5": lambda run: _times(run, lambda *_: 1.5),
    "calls from memory halved": lambda run: {**_times(run, lambda *_: 0.5), "warm": 2.0},
    "calls from the caches halved": lambda run: {**run, "warm": 0.5},
    "two machines mixed": _mixed,
    "times by a formula": _formula,
    "another provider's name": lambda run: {**run, "provider": "xnnpack"},
    "another provider's name, all times x 0.7": lambda run: {**_times(run, lambda *_: 0.7), "provider": "xnnpack"},
}


@pytest.mark.parametrize("name", EDITS)
def test_an_edit_is_unconfirmed_beside_two_honest_results(store: ResultStore, name: str) -> None:
    """The others stay what they are, whoever comes first."""
    edited = _submission(EDITS[name](BUSY[4]), "rival")
    for each in (edited, _submission(BUSY[0], "lab-a"), _submission(BUSY[8], "lab-b")):
        store.add(each)
    assert {name for name, each in _stored(store).items() if each.unconfirmed} == {"rival"}
    assert {run.configuration.system for run in store.runs() if run.trust == UNCONFIRMED} == {"rival"}


def test_the_figure_is_stated(store: ResultStore) -> None:
    """Median, sequences, anchors and the number of others; the first has none to compare with."""
    assert _standing(store, _submission(BUSY[0], "lab-a")) == _FIRST
    assert _FIRST.text == "no other result to compare with"
    _standing(store, _submission(BUSY[8], "lab-b"))
    rival = _standing(store, _submission(_times(BUSY[4], lambda *_: 0.7), "rival", anchors=0.93))
    text = "unconfirmed: 29.0% faster than 2 others in 60 of 60 sequences"
    text += "; total of the sequences 29.5% faster; anchors 7.0% faster"
    assert rival.text == text
    assert rival.ratio == pytest.approx(0.7, rel=0.02)
    assert (rival.others, rival.sequences) == (2, 60)
    assert rival.anchors == pytest.approx(0.93)


@pytest.mark.parametrize("factor", [0.7, 1.5])
def test_an_odd_result_changes_no_figure_of_honest_ones(store: ResultStore, factor: float) -> None:
    """Beside an honest and an odd result, an honest one is compared with the honest one."""
    store.add(_submission(BUSY[0], "lab-a"))
    store.add(_submission(BUSY[8], "lab-b"))
    store.add(_submission(_times(BUSY[4], lambda *_: factor), "rival"))
    for each in (_stored(store)[name] for name in ("lab-a", "lab-b")):
        assert each.ratio == pytest.approx(1, abs=0.05)
        assert "farther from 1 of the others than repeated runs are" in each.text


@pytest.mark.parametrize("factor", [1.0, 0.96])
def test_times_that_agree_to_a_thousandth_are_stated(store: ResultStore, factor: float) -> None:
    """By one factor, too; the later result is unconfirmed, the earlier is not."""
    store.add(_submission(BUSY[0], "lab-a"))
    copied = _standing(store, _submission(_times(BUSY[0], lambda *_: factor), "rival"))
    assert copied.unconfirmed
    assert copied.agrees == "lab-a"
    assert "agrees to 0.2% with the result of lab-a" in copied.text
    first = _stored(store)["lab-a"]
    assert (first.agrees, first.unconfirmed) == ("rival", False)


def test_only_the_same_processor_and_settings_are_compared(store: ResultStore) -> None:
    """Another model, another number of threads and another version of the runtime are others."""
    store.add(_submission(BUSY[0], "lab-a"))
    fast = _times(BUSY[4], lambda *_: 0.5)
    others: list[Run] = [{"threads": 2}, {"runtime": "onnxruntime 1.0.0"}, {"instruction_set": ["x86_64"]}]
    for number, other in enumerate(others):
        assert _standing(store, _submission({**fast, **other}, f"lab-{number}")) == _FIRST
    assert _standing(store, _submission(fast, "lab-c", model="EPYC 9005")) == _FIRST


def test_results_of_one_owner_do_not_vouch_for_each_other(store: ResultStore) -> None:
    """Many results under names of one key, or one unsigned name, are one voice; nobody is compared with themselves."""
    for number, run in enumerate(BUSY[:4]):
        fast = _submission(_times(run, lambda *_: 0.7), f"fleet-{number % 2}")
        signed = Signed(key="SHA256:vendor", signature=f"s{number}", content=b"")
        assert _standing(store, fast, signed=signed) == _FIRST
    for number in (5, 6):
        store.add(_submission(BUSY[number], f"lab-{number}"))
    assert {name for name, each in _stored(store).items() if each.unconfirmed} == {"fleet-0", "fleet-1"}
    assert {each.others for each in _stored(store).values()} == {2}


def test_a_challenge_outweighs_what_many_say(store: ResultStore) -> None:
    """A result that passed one is confirmed, and alone counts for the others."""
    fast = _submission(_times(BUSY[4], lambda *_: 0.7), "quick")
    for each in (fast, *(_submission(BUSY[number], f"lab-{number}") for number in range(3))):
        store.add(each)
    assert _stored(store)["quick"].unconfirmed
    assert store.results(SystemQuery(system="quick")).measurements.popitem()[1].origin.trust == "unconfirmed"  # type: ignore[union-attr]
    assert {each.trust for each in store.query(system="quick")} == {"unconfirmed"}
    tiers = {each.configuration.system: (each.least_trust, each.most_trust) for each in store.systems()}
    assert tiers["quick"] == ("unconfirmed", "unconfirmed")
    assert tiers["lab-0"] == ("self-reported", "self-reported")
    store.history.set_trust(fast.digest, "challenged", "passed a challenge")
    after = _stored(store)
    assert not after.pop("quick").unconfirmed
    assert all(each.unconfirmed and each.others == 1 for each in after.values())
    assert {each.trust for each in store.query(system="quick")} == {"challenged"}


@pytest.mark.parametrize("factor", [1.6, 0.6])
def test_a_rival_does_not_replace_the_first_result_of_an_unsigned_name(store: ResultStore, factor: float) -> None:
    """A later result far from it ranks below; an honest later one takes its place."""
    first, later = _submission(BUSY[0], "lab"), _submission(BUSY[8], "lab")
    rival = dataclasses.replace(_submission(_times(BUSY[4], lambda *_: factor), "lab"), started_unix_ns=9 * 10**17)
    assert _standing(store, first) == _FIRST
    assert _standing(store, rival).unconfirmed
    used = {each.origin.submission for each in store.results(SystemQuery(system="lab")).measurements.values()}  # type: ignore[union-attr]
    assert used == {first.digest}
    assert [each.submission for each in store.query(system="lab")][:2] == [first.digest, rival.digest]
    assert not _standing(store, later).unconfirmed
    used = {each.origin.submission for each in store.results(SystemQuery(system="lab")).measurements.values()}  # type: ignore[union-attr]
    assert used == {later.digest}


def test_an_upgraded_store_says_the_same(tmp_path: Path) -> None:
    """Older stores get the profiles of their results when they are opened."""
    place = str(tmp_path / "store.sqlite")
    listed: dict[str, Any] = {"name": "Conv", "operators": ["Conv"], "layers": 1, "flops": 1, "weight_bytes": 1}
    listed |= {"inputs": [], "outputs": [], "kinds": [], "shape": []}
    with ResultStore.open(place, create=True) as store:
        for number, run in enumerate((BUSY[0], BUSY[8], _times(BUSY[4], lambda *_: 0.7))):
            made = _submission(run, f"lab-{number}")
            body = canonical_json({"system": msgspec.json.decode(made.body)["system"]})
            rows = [{**listed, "fingerprint": name} for name in run["rows"]]
            manifest = canonical_json({**msgspec.json.decode(made.manifest), "benchmarks": rows})
            store.add(dataclasses.replace(made, body=body, manifest=manifest, digest=digest_bytes(body)))
        before = _stored(store)
    make_older(f"sqlite:///{place}", 11)
    with ResultStore.open(place) as store:
        assert _stored(store) == before
    assert [name for name, each in before.items() if each.unconfirmed] == ["lab-2"]


def test_withdrawn_and_hidden_results_are_compared_with_nobody(store: ResultStore) -> None:
    """What no answer uses says nothing of others."""
    store.add(_submission(BUSY[0], "lab-a"), embargo_unix_ns=2**62)
    withdrawn = _submission(BUSY[1], "lab-b")
    store.add(withdrawn)
    store.history.withdraw(withdrawn.digest, "wrong machine")
    assert _stored(store) == {}
    assert _standing(store, _submission(_times(BUSY[2], lambda *_: 0.5), "lab-c")) == _FIRST


@pytest.mark.parametrize(
    "facts",
    [{}, {"cpu": 7}, {"cpu": {"model": None}, "gpus": "no"}, {"cpu": {"model": ["x"]}, "gpus": [3, {"name": 4}]}],
)
def test_odd_facts_harm_nobody(store: ResultStore, facts: dict[str, Any]) -> None:
    """Facts come from others and may be anything."""
    made = _submission({**BUSY[0], "provider": "cuda"}, "odd")
    document = copy.deepcopy(msgspec.json.decode(made.body))
    document["system"]["facts_before"] = facts
    store.add(dataclasses.replace(made, body=canonical_json(document), digest=digest_bytes(b"odd")))
    store.add(_submission(BUSY[1], "lab-a"))
    assert set(_stored(store).values()) == {_FIRST}
