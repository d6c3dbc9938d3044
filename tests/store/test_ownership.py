"""Whose a name is, what a signature proves, and what is said of results after they came."""

import dataclasses
import re
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from dlbricks.errors import CheckError, InputError
from dlbricks.fingerprint import canonical_json
from dlbricks.signing import sign, signer
from dlbricks.store.database import ResultStore
from dlbricks.store.submission import Conditions, register, submit
from dlbricks.store.systems import ConfigurationFilter
from dlbricks.store.types import SubmissionReceipt
from tests.store.made_up_run import document, suite
from tests.store.stored import new_key

_SUITE = suite(sequences=4)
_DAY_NS = 86_400 * 10**9


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Give the keys of two vendors."""
    folder = tmp_path_factory.mktemp("keys")
    return new_key(folder / "own"), new_key(folder / "rival")


def _result(system: str = "quiet-9000", *, seed: int = 1) -> bytes:
    made = document(seed=seed)
    made["system"]["name"] = system
    return canonical_json(made)


def _submit(store: ResultStore, data: bytes, key: Path | None, **more: object) -> SubmissionReceipt:
    conditions = Conditions(signature=sign(data, key) if key else "")
    return submit(store, data, suite=_SUITE, conditions=dataclasses.replace(conditions, **more))  # type: ignore[arg-type]


def _shown(store: ResultStore) -> list[object]:
    """Give all that a store answers but its list of submissions."""
    return [*store.systems(), *store.query()]


def test_a_name_belongs_to_the_first_key(keys: tuple[Path, Path]) -> None:
    """Results of another key, and unsigned ones, are refused under the name and change nothing."""
    own, rival = keys
    with ResultStore.open("sqlite://", create=True) as store:
        receipt = _submit(store, _result(), own)
        assert receipt.key == signer(b"", sign(b"", own))
        before = _shown(store)
        with pytest.raises(
            CheckError, match=rf"quiet-9000 belongs to key {re.escape(receipt.key)}.*is signed by SHA256:"
        ):
            _submit(store, _result(seed=2), rival)
        with pytest.raises(CheckError, match="and this result is not signed: choose another name"):
            _submit(store, _result(seed=2), None)
        with pytest.raises(CheckError, match="belongs to key"):
            _submit(store, _result(), rival)
        assert _shown(store) == before
        assert _submit(store, _result(seed=3), own).new
        assert not _submit(store, _result(seed=3), None).new
        assert _submit(store, _result("rival-1", seed=6), rival).new
        assert {one.configuration.system: one.key for one in store.systems()} == {
            "quiet-9000": receipt.key,
            "rival-1": signer(b"", sign(b"", rival)),
        }


def test_nothing_signed_is_taken_for_something_else(keys: tuple[Path, Path]) -> None:
    """A forged signature, a swapped result, and one replayed under another name are refused and not kept."""
    own, _ = keys
    data = _result()
    signature = sign(data, own)
    forged = signature.replace(signature[120:124], "AAAA", 1)
    with ResultStore.open("sqlite://", create=True) as store:
        for sent, said in ((data, forged), (_result(seed=2), signature), (_result("other"), signature), (data, "none")):
            with pytest.raises(CheckError, match="signature"):
                submit(store, sent, suite=_SUITE, conditions=Conditions(signature=said))
        assert [*store.submissions(), *store.waiting(), *store.suites()] == []


def test_unsigned_names_stay_possible(keys: tuple[Path, Path]) -> None:
    """Unsigned results are self-reported; no key can take over a name in use, only once they are withdrawn."""
    own, _ = keys
    with ResultStore.open("sqlite://", create=True) as store:
        digest = _submit(store, _result(), None).digest
        with pytest.raises(CheckError, match="has 1 unsigned in use, so no key can own it"):
            _submit(store, _result(), own)
        assert [(one.trust, one.key) for one in store.submissions()] == [("self-reported", "")]
        store.withdraw(digest, "to be signed")
        signed = _submit(store, _result(seed=2), own)
        assert {one.trust for one in store.submissions() if one.digest == signed.digest} == {"consistent"}
        with pytest.raises(CheckError, match="this result is not signed"):
            store.withdraw(digest, "back again", restore=True)
        assert not _submit(store, _result(), own).new
        store.withdraw(digest, "it is signed now", restore=True)
        assert {one.trust for one in store.submissions()} == {"consistent"}


def test_what_waits_keeps_its_signature(keys: tuple[Path, Path]) -> None:
    """A signed result of an unknown suite is its key's once the suite is known; an unsigned one is refused."""
    own, _ = keys
    data = b"\n" + _result()
    with ResultStore.open("sqlite://", create=True) as store:
        submit(store, data, conditions=Conditions(signature=sign(data, own)))
        submit(store, _result(seed=2))
        with pytest.raises(InputError, match="name it with --suite"):
            submit(store, _result(seed=3), conditions=Conditions(embargo_unix_ns=1))
        (refused,) = register(store, _SUITE)
        assert "this result is not signed" in refused
        (one,) = store.submissions()
        kept = store.signature(one.digest)
        assert kept is not None
        assert (kept.content, signer(kept.content, kept.signature)) == (data, one.key)
        with pytest.raises(CheckError, match="is not signed"):
            submit(store, _result(seed=3))


def test_nothing_is_shown_under_embargo(keys: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    """Until its date a result enters no answer; from then on it does, without anything being done."""
    own, _ = keys
    until = time.time_ns() + 2 * _DAY_NS
    with ResultStore.open("sqlite://", create=True) as store:
        digest = _submit(store, _result(), own, embargo_unix_ns=until).digest
        assert _shown(store) == []
        with pytest.raises(InputError, match="holds no system quiet-9000"):
            store.results(ConfigurationFilter(system="quiet-9000"))
        assert [one.embargo_unix_ns for one in store.submissions()] == [until]
        now = time.time_ns()
        with monkeypatch.context() as patch:
            patch.setattr(time, "time_ns", lambda: now + 3 * _DAY_NS)
            assert len(store.systems()) == 1
        _submit(store, _result(), own, embargo_unix_ns=now)
        assert len(store.systems()) == 1
        assert [one.until_unix_ns for one in store.events()[digest]] == [until, now]


def test_a_correction_replaces_one_of_its_owner(keys: tuple[Path, Path]) -> None:
    """The former result stays, with reason and digest of the new one, but unused; others cannot replace it."""
    own, rival = keys
    with ResultStore.open("sqlite://", create=True) as store:
        old = _submit(store, _result(), own).digest
        with pytest.raises(InputError, match="say with --reason"):
            _submit(store, _result(seed=2), own, corrects=old)
        with pytest.raises(CheckError, match="not of one system and one key"):
            _submit(store, _result("rival-1", seed=3), rival, corrects=old, reason="mine is better")
        new = _submit(store, _result(seed=2), own, corrects=old[:10], reason="fan was off").digest
        used = {one.digest for one in store.submissions() if one.withdrawn is None}
        assert (new in used, old in used) == (True, False)
        (event,) = store.events()[old]
        assert (event.kind, event.reason) == ("corrected", f"{new[:12]} replaces it: fan was off")
        assert len(store.submissions()) == 3


def test_trust_is_told_with_every_figure(keys: tuple[Path, Path]) -> None:
    """Systems, results and measurements say how far they are believed; what is believed more goes first."""
    own, _ = keys
    with ResultStore.open("sqlite://", create=True) as store:
        first = _submit(store, _result(), own).digest
        _submit(store, _result(seed=2), own)
        store.believe(first, "audited", "measured again by the lab")
        (system,) = store.systems()
        assert (system.least_trust, system.most_trust) == ("consistent", "audited")
        assert {one.trust for one in store.query()} == {"consistent", "audited"}
        results = store.results(ConfigurationFilter(system="quiet-9000"))
        assert {(one.origin.trust, one.origin.submission) for one in results.measurements.values() if one.origin} == {
            ("audited", first)
        }


def test_of_several_at_once_one_owns_a_name(tmp_path: Path) -> None:
    """Four keys submit under a new name at the same time: one owns it, and nothing of the others is kept."""
    keys = [new_key(tmp_path / str(number)) for number in range(4)]
    place = str(tmp_path / "store.sqlite")
    with ResultStore.open(place, create=True) as store:
        register(store, _SUITE)

    def one(number: int) -> str:
        data = _result(seed=number)
        with ResultStore.open(place) as store:
            try:
                return submit(store, data, conditions=Conditions(signature=sign(data, keys[number]))).key
            except CheckError as error:
                return str(error)

    with ThreadPoolExecutor(4) as pool:
        told = list(pool.map(one, range(4)))
    owners = [text for text in told if text.startswith("SHA256:")]
    assert len(owners) == 1
    assert sum("belongs to key" in text for text in told) == 3
    with ResultStore.open(place) as store:
        assert [(one.key, one.trust) for one in store.submissions()] == [(owners[0], "consistent")]
