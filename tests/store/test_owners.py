"""Whose figures count: suites that a store knows, what one system's results may change, and which run goes first."""

import contextlib
import dataclasses
import json
import re
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dlbricks.errors import CheckError, InputError
from dlbricks.harness.runtimes.onnxruntime import FIXED_OPTIONS
from dlbricks.plugins.site.pages import INDEX, save_site
from dlbricks.plugins.trust.hook import TrustHook
from dlbricks.plugins.trust.signing import sign
from dlbricks.settings import SystemQuery
from dlbricks.store.database import ResultStore
from dlbricks.store.document import Document
from dlbricks.store.submission import SubmitOptions, submit
from dlbricks.suite.manifest import Suite, to_document, with_digest
from dlbricks.typed_json import canonical_json
from tests.store.made_up_run import document, settled, suite
from tests.store.stored import new_key, submission

_SUITE = suite(sequences=4)
_QUIET = SystemQuery(system="quiet-9000")


def _bytes(made: Document, system: str = "quiet-9000") -> bytes:
    made["system"]["name"] = system
    return canonical_json(made)


def _flattering() -> Suite:
    """Give a suite of the same sequences that says other things of them."""
    claims = (
        dataclasses.replace(one, flops=10**12, work=10**5, fetched_bytes=1, kinds=("cheap",), shape=(1,))
        for one in _SUITE.benchmarks
    )
    benchmarks = (
        dataclasses.replace(one, name="Gemm", operators=("Gemm",), layers=9) if one.role == "sequence" else one
        for one in claims
    )
    return with_digest(dataclasses.replace(_SUITE, benchmarks=tuple(benchmarks)))


def test_a_result_is_refused_until_its_suite_is_registered() -> None:
    """The store keeps nothing of a result of another suite; once the suite is registered, the result is stored."""
    with ResultStore.open("sqlite://", create=True, hook=TrustHook()) as store:
        with pytest.raises(CheckError, match=r"DB202 suite\.digest: suite made-up .* is not registered in the store"):
            submit(store, _bytes(document()))
        assert [*store.systems(), *store.history.submissions(), *store.query(), *store.registry.suites()] == []
        assert store.registry.register(to_document(_SUITE))
        assert submit(store, _bytes(document())).new
        assert len(store.results(_QUIET).measurements) == 4
        assert not submit(store, _bytes(document())).new


def test_a_result_is_held_against_the_suite_that_is_named() -> None:
    """A result of another suite is refused and not kept; the store does not know that suite afterwards."""
    with ResultStore.open("sqlite://", create=True, hook=TrustHook()) as store:
        with pytest.raises(CheckError, match=r"DB203 suite\.digest: the result is of suite"):
            submit(store, _bytes(document(of=_flattering())), suite=_SUITE)
        assert list(store.registry.suites()) == []


def test_a_result_is_given_back_as_it_came_in() -> None:
    """Even where its suite was registered by a file that is written otherwise, as 5.0 instead of 5."""
    data = _bytes(document())
    with ResultStore.open("sqlite://", create=True, hook=TrustHook()) as store:
        store.registry.register(to_document(_SUITE) | {"comment": "written otherwise"})
        receipt = submit(store, data)
        assert store.document(receipt.digest) == canonical_json(json.loads(data))
        assert len(store.results(_QUIET).measurements) == 4


@pytest.mark.parametrize("first", ["honest", "forged"])
def test_what_one_suite_says_changes_nothing_elsewhere(first: str) -> None:
    """All that a store answers of a system stays the same, whatever another one submits, before or after it."""
    honest, forged = _bytes(document()), _bytes(document(of=_flattering(), seed=5), "rival")
    with ResultStore.open("sqlite://", create=True, hook=TrustHook()) as store:
        submit(store, honest, suite=_SUITE)
        alone = store.results(_QUIET)
    with ResultStore.open("sqlite://", create=True, hook=TrustHook()) as store:
        given = [(honest, _SUITE), (forged, _flattering())]
        for data, of in given if first == "honest" else reversed(given):
            submit(store, data, suite=of)
        assert store.results(_QUIET) == alone
        labels = {(one.configuration.system, one.label.name, one.label.layers) for one in store.query()}
        assert labels == {("quiet-9000", "Conv_Relu", 1), ("rival", "Gemm", 9)}
        assert {one.configuration.system for one in store.query(operator="conv")} == {"quiet-9000"}
        assert [{name for name, ns in one["times"] if ns} for one in _shown(store)] == [{"Conv_Relu"}, {"Gemm"}]
        assert {one.work for one in store.results(SystemQuery(system="rival")).features.values()} == {10**5}


def test_a_small_suite_stands_for_no_machine() -> None:
    """A newer, complete run of few sequences replaces no call overhead, no miss curve, and no latency of a larger."""
    large, small = (
        submission(range(10), latency_ns=10_000, started=1),
        submission(range(1), latency_ns=5_000, started=2),
    )
    with ResultStore.open("sqlite://", create=True, hook=TrustHook()) as store:
        store.add(large)
        before = store.results(SystemQuery(system="lab"))
        store.add(small)
        assert store.results(SystemQuery(system="lab")) == before


def test_no_date_is_newer_than_its_arrival() -> None:
    """A run that claims to be of the year 2200 counts from when it came."""
    with ResultStore.open("sqlite://", create=True, hook=TrustHook()) as store:
        store.add(submission(range(1), started=7_258_118_400 * 10**9), received_unix_ns=5)
        store.add(submission(range(1), latency_ns=7_000, started=9), received_unix_ns=9)
        (latency,) = (one.latency_ns for one in store.results(SystemQuery(system="lab")).measurements.values())
        assert latency == 7_000


def test_a_stored_result_under_another_name_is_refused() -> None:
    """Whatever factor its times were given, and once it was withdrawn, too; the same file again changes nothing."""
    made, faster = document(), document()
    for row in faster["benchmarks"]:
        for visit in row["visits"]:
            visit["samples_ns"] = [round(0.9 * one) for one in visit["samples_ns"]]
    with ResultStore.open("sqlite://", create=True, hook=TrustHook()) as store:
        receipt = submit(store, _bytes(made), suite=_SUITE)
        assert not submit(store, _bytes(made)).new
        store.history.withdraw(receipt.digest, "a try")
        with pytest.raises(
            CheckError,
            match=f"DB807 benchmarks: the times have the same distribution as in {receipt.digest[:12]}",
        ):
            submit(store, _bytes(settled(faster), "rival"))
        assert submit(store, _bytes(document(seed=8), "rival")).new


def test_failed_benchmarks_are_not_complete() -> None:
    """A run in which a benchmark failed goes after one in which none did, though it is newer."""
    made = document(seed=3)
    made["started_unix_ns"] += 10**9
    row = made["benchmarks"][-1]
    row |= {"status": "failed", "reason": "out of memory", "visits": [], "output_digests": []}
    row["verdict"] = {"kind": "failed", "text": "out of memory"}
    with ResultStore.open("sqlite://", create=True, hook=TrustHook()) as store:
        submit(store, _bytes(settled(made)), suite=_SUITE)
        submit(store, _bytes(document()), suite=_SUITE)
        assert [one.complete for one in store.history.submissions()] == [False, True]
        assert store.results(_QUIET).measurements == _alone(document())


def _alone(made: Document) -> object:
    with ResultStore.open("sqlite://", create=True, hook=TrustHook()) as store:
        submit(store, _bytes(made), suite=_SUITE)
        return store.results(_QUIET).measurements


def test_options_are_part_of_the_configuration() -> None:
    """Runs with other options of session or provider are not mixed; those with the usual ones go before."""
    spinning, mapped = document(seed=1), document(seed=2)
    spinning["runtime"]["session_options"]["session.intra_op.allow_spinning"] = "0"
    mapped["runtime"]["provider_options"] = {"a key": "one = two"}
    with ResultStore.open("sqlite://", create=True, hook=TrustHook()) as store:
        for made in (document(), spinning, mapped):
            submit(store, _bytes(made), suite=_SUITE)
        assert {one.configuration.options for one in store.systems()} == {
            (),
            ("session.intra_op.allow_spinning=0",),
            ("a%20key=one%20%3D%20two",),
        }
        assert store.results(_QUIET).measurements == _alone(document())
    assert document()["runtime"]["session_options"].items() >= FIXED_OPTIONS.items()
    with ResultStore.open("sqlite://", create=True, hook=TrustHook()) as store:
        for made in (spinning, mapped):
            submit(store, json.dumps(made).encode(), suite=_SUITE)
        with pytest.raises(InputError, match="differ in session or provider options"):
            store.results(_QUIET)


def test_a_challenged_result_goes_before_newer_ones() -> None:
    """What held a challenge is taken before what nobody has asked, however new; why is kept."""
    proved, newer = submission(range(1), latency_ns=5_000, started=1), submission(range(1), started=2)
    with ResultStore.open("sqlite://", create=True, hook=TrustHook()) as store:
        store.add(proved)
        store.add(newer)
        store.history.set_trust(proved.digest, "challenged", "the challenge held")
        assert {one.digest: one.trust for one in store.history.submissions()} == {
            proved.digest: "challenged",
            newer.digest: "self-reported",
        }
        (kept,) = store.results(SystemQuery(system="lab")).measurements.values()
        assert kept.latency_ns == 5_000
        with pytest.raises(InputError, match="has no submission 000000000000"):
            store.history.set_trust("0" * 64, "challenged", "none")


_Act = Callable[[ResultStore], object]
_UNDER_MY_NAME = (0, 1, 4, 5, 8, 9)
"""Of what others try."""


@pytest.fixture(scope="module")
def acts(tmp_path_factory: pytest.TempPathFactory) -> tuple[_Act, list[_Act]]:
    """Give how I submit, and what others may try: results under names of theirs and mine, and what is said of them."""
    folder = tmp_path_factory.mktemp("keys")
    own, rival = new_key(folder / "own"), new_key(folder / "rival")

    def sending(data: bytes, key: Path | None, of: Suite) -> _Act:
        options = SubmitOptions(signature=sign(data, key) if key else "")
        return lambda store: submit(store, data, suite=of, options=options)

    def saying(method: Callable[[ResultStore, str], object]) -> _Act:
        return lambda store: [
            method(store, one.digest) for one in store.history.submissions() if one.configuration.system != "quiet-9000"
        ]

    def slow(_: float) -> float:
        return 3.0

    tried = [
        sending(_bytes(document(of=of, seed=seed, speed=speed), system), key, of)
        for of, seed, speed in ((_SUITE, 11, slow), (_flattering(), 12, slow), (suite(sequences=2), 13, slow))
        for system, key in (("quiet-9000", rival), ("quiet-9000", None), ("rival", rival), ("another", None))
    ]
    tried += [
        lambda store: store.registry.register(to_document(_flattering())),
        saying(lambda store, digest: store.history.withdraw(digest, "a try")),
        saying(lambda store, digest: store.history.withdraw(digest, "a try", restore=True)),
        saying(lambda store, digest: store.history.set_trust(digest, "audited", "a try")),
    ]
    return sending(_bytes(document()), own, _SUITE), tried


def _shown(store: ResultStore) -> list[dict[str, Any]]:
    """Give what the page shows of each system, with names and times of sequences; not when keys and results came."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made) / "site"
        save_site(folder, store, [], title="of all", now_unix_ns=time.time_ns(), raw=False)
        held = json.loads(re.findall(r'id="content">(.*?)</script>', (folder / INDEX).read_text())[0])
    for one in held["systems"]:
        names = [one["names"].get(str(place), name) for place, (_, name) in enumerate(held["sequences"])]
        one |= {"times": list(zip(names, one["ns"], strict=True)), "names": {}}
        one["keys"] = [[key, *said] for key, _, *said in one["keys"]]
        one["runs"] = [{**run, "received": ""} for run in one["runs"]]
    systems: list[dict[str, Any]] = held["systems"]
    return systems


def _unjudged(value: Any) -> Any:
    """Leave out how far a result lies from others', which others decide."""
    if isinstance(value, dict):
        judged = {"trust", "least_trust", "most_trust", "standing", "standings", "said"}
        return {key: _unjudged(each) for key, each in value.items() if key not in judged}
    return [*map(_unjudged, value)] if isinstance(value, list | tuple) else value


def _mine(store: ResultStore) -> object:
    """Give all figures that a store has of my system, but for when my result came, and how others judge it."""
    return _unjudged(msgspec.to_builtins(_all_of_mine(store), str_keys=True))


def _all_of_mine(store: ResultStore) -> object:
    return (
        store.results(_QUIET),
        store.split_settings("quiet-9000"),
        [one for one in store.systems() if one.configuration.system == "quiet-9000"],
        store.query(system="quiet-9000"),
        [one for one in _shown(store) if one["name"] == "quiet-9000"],
        [one for one in store.query(operator="Conv") if one.configuration.system == "quiet-9000"],
        [
            dataclasses.replace(one, received_unix_ns=0)
            for one in store.history.submissions()
            if one.configuration.system == "quiet-9000"
        ],
    )


@given(st.data())
@settings(max_examples=20, deadline=None)
def test_nothing_that_others_do_changes_a_figure_of_mine(acts: tuple[_Act, list[_Act]], data: st.DataObject) -> None:
    """Whatever others submit and say, in any order, before and after me, all that is told of my system stays.

    Only an unsigned result under my name, before I own it, stands in my way: it is told to me, and changes no figure.
    """
    mine, tried = acts
    with ResultStore.open("sqlite://", create=True, hook=TrustHook()) as store:
        mine(store)
        alone = _mine(store)
    numbers = st.lists(st.integers(0, len(tried) - 1), max_size=4)
    with ResultStore.open("sqlite://", create=True, hook=TrustHook()) as store:
        for number in data.draw(numbers, "before"):
            if number not in _UNDER_MY_NAME:
                with contextlib.suppress(CheckError):
                    tried[number](store)
        mine(store)
        for number in data.draw(numbers, "after"):
            with contextlib.suppress(CheckError):
                tried[number](store)
        assert _mine(store) == alone
