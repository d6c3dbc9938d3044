"""Whose a name is, what a signature proves, and what is said of results after they came."""

import dataclasses
import json
import re
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from dlbricks.errors import CheckError, InputError
from dlbricks.plugins.site.pages import INDEX, save_site
from dlbricks.plugins.trust.hook import TrustHook
from dlbricks.plugins.trust.signing import fingerprint_of, sign, signer
from dlbricks.plugins.trust.statements import make_statement
from dlbricks.settings import SystemQuery
from dlbricks.store.database import ResultStore
from dlbricks.store.records import least_trusted
from dlbricks.store.submission import SubmitOptions, submit
from dlbricks.store.types import TIERS, SubmissionReceipt
from dlbricks.suite.manifest import to_document
from dlbricks.typed_json import canonical_json
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
    options = SubmitOptions(signature=sign(data, key) if key else "")
    return submit(store, data, suite=_SUITE, options=dataclasses.replace(options, **more))  # type: ignore[arg-type]


def _shown(store: ResultStore) -> list[object]:
    """Give all that a store answers but its list of submissions."""
    return [*store.systems(), *store.query()]


def test_a_name_belongs_to_the_first_key(keys: tuple[Path, Path]) -> None:
    """Results of another key, and unsigned ones, are refused under the name and change nothing."""
    own, rival = keys
    with ResultStore.open("sqlite://", create=True, hook=TrustHook()) as store:
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
    with ResultStore.open("sqlite://", create=True, hook=TrustHook()) as store:
        for sent, said in ((data, forged), (_result(seed=2), signature), (_result("other"), signature), (data, "none")):
            with pytest.raises(CheckError, match="signature"):
                submit(store, sent, suite=_SUITE, options=SubmitOptions(signature=said))
        assert [*store.history.submissions(), *store.registry.suites()] == []


def test_unsigned_names_stay_possible(keys: tuple[Path, Path]) -> None:
    """Unsigned results are self-reported; no key can take over a name in use, only once they are withdrawn."""
    own, _ = keys
    with ResultStore.open("sqlite://", create=True, hook=TrustHook()) as store:
        digest = _submit(store, _result(), None).digest
        with pytest.raises(CheckError, match=r"1 unsigned results use the name .*, so a key cannot own it"):
            _submit(store, _result(), own)
        assert [(one.trust, one.key) for one in store.history.submissions()] == [("self-reported", "")]
        store.history.withdraw(digest, "to be signed")
        signed = _submit(store, _result(seed=2), own)
        assert {one.trust for one in store.history.submissions() if one.digest == signed.digest} == {"consistent"}
        with pytest.raises(CheckError, match="this result is not signed"):
            store.history.withdraw(digest, "back again", restore=True)
        assert not _submit(store, _result(), own).new
        store.history.withdraw(digest, "it is signed now", restore=True)
        assert {one.trust for one in store.history.submissions()} == {"consistent"}


def test_nothing_is_shown_under_embargo(keys: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    """Until its date a result enters no answer; from then on it does, without anything being done."""
    own, _ = keys
    until = time.time_ns() + 2 * _DAY_NS
    with ResultStore.open("sqlite://", create=True, hook=TrustHook()) as store:
        digest = _submit(store, _result(), own, embargo_unix_ns=until).digest
        assert _shown(store) == []
        with pytest.raises(InputError, match="has no results of system quiet-9000"):
            store.results(SystemQuery(system="quiet-9000"))
        assert [one.embargo_unix_ns for one in store.history.submissions()] == [until]
        now = time.time_ns()
        with monkeypatch.context() as patch:
            patch.setattr(time, "time_ns", lambda: now + 3 * _DAY_NS)
            assert len(store.systems()) == 1
        _submit(store, _result(), own, embargo_unix_ns=now)
        assert len(store.systems()) == 1
        assert [one.until_unix_ns for one in store.history.events()[digest]] == [until, now]


def test_a_correction_replaces_one_of_its_owner(keys: tuple[Path, Path]) -> None:
    """The former result stays, with reason and digest of the new one, but unused; others cannot replace it."""
    own, rival = keys
    with ResultStore.open("sqlite://", create=True, hook=TrustHook()) as store:
        old = _submit(store, _result(), own).digest
        with pytest.raises(InputError, match="--corrects requires --reason"):
            _submit(store, _result(seed=2), own, corrects=old)
        with pytest.raises(CheckError, match="must have the same system and key"):
            _submit(store, _result("rival-1", seed=3), rival, corrects=old, reason="mine is better")
        new = _submit(store, _result(seed=2), own, corrects=old[:10], reason="fan was off").digest
        used = {one.digest for one in store.history.submissions() if one.withdrawn is None}
        assert (new in used, old in used) == (True, False)
        (event,) = store.history.events()[old]
        assert (event.kind, event.reason) == ("corrected", f"{new[:12]} replaces it: fan was off")
        assert len(store.history.submissions()) == 3


def test_trust_is_told_with_every_figure(keys: tuple[Path, Path]) -> None:
    """Systems, results and measurements say how far they are believed; what is believed more goes first."""
    own, _ = keys
    with ResultStore.open("sqlite://", create=True, hook=TrustHook()) as store:
        first = _submit(store, _result(), own).digest
        _submit(store, _result(seed=2), own)
        store.history.set_trust(first, "audited", "measured again by the lab")
        (system,) = store.systems()
        assert (system.least_trust, system.most_trust) == ("consistent", "audited")
        assert {one.trust for one in store.query()} == {"consistent", "audited"}
        results = store.results(SystemQuery(system="quiet-9000"))
        assert {(one.origin.trust, one.origin.submission) for one in results.measurements.values() if one.origin} == {
            ("audited", first)
        }


def test_a_provisional_result_goes_last_of_its_tier(keys: tuple[Path, Path], tmp_path: Path) -> None:
    """Its figures say so everywhere until its owner, or the collector, confirms it; what was said stays."""
    own, rival = keys
    of = SystemQuery(system="quiet-9000")

    def used(store: ResultStore) -> set[tuple[str, str]]:
        origins = [one.origin for one in store.results(of).measurements.values()]
        return {(one.trust, one.submission) for one in origins if one}

    with ResultStore.open("sqlite://", create=True, hook=TrustHook()) as store:
        with pytest.raises(CheckError, match="name it with --suite"):
            submit(store, _result(), options=SubmitOptions(provisional=True))
        new = _submit(store, _result(), own, provisional=True)
        assert new.provisional
        assert used(store) == {("provisional consistent", new.digest)}
        assert _provisional(store, tmp_path) == [True]
        old = json.loads(_result(seed=2))
        old["started_unix_ns"] -= 10**9
        final = _submit(store, canonical_json(old), own)
        assert not final.provisional
        assert used(store) == {("consistent", final.digest)}
        assert (store.systems()[0].provisional, store.systems()[0].least_trust) == (1, "consistent")
        assert {(one.submission, one.trust) for one in store.query()} == {
            (new.digest, "provisional consistent"),
            (final.digest, "consistent"),
        }
        again = _submit(store, canonical_json(old), own, provisional=True)
        assert (again.new, again.provisional) == (False, False)
        store.history.set_trust(new.digest, "challenged", "the challenge held")
        assert used(store) == {("provisional challenged", new.digest)}
        with pytest.raises(CheckError, match="belongs to key"):
            _said(store, rival, says="confirmed", result=new.digest)
        with pytest.raises(InputError, match="is not provisional"):
            _said(store, own, says="confirmed", result=final.digest)
        assert _said(store, own, says="confirmed", result=new.digest).new
        assert used(store) == {("challenged", new.digest)}
        assert [(one.kind, bool(one.key)) for one in store.history.events()[new.digest]] == [
            ("provisional", False),
            ("challenged", False),
            ("confirmed", True),
        ]
        assert store.history.confirm(new.digest, "it stands")[1] is False
        assert _provisional(store, tmp_path) == [False]


def _provisional(store: ResultStore, folder: Path) -> list[bool]:
    """Whether the page says of each system that its figures are provisional, and of its best run."""
    save_site(folder, store, [], title="all", now_unix_ns=time.time_ns(), raw=False)
    held = json.loads(re.findall(r'id="content">(.*?)</script>', (folder / INDEX).read_text())[0])
    return ["provisional" in one["trust"] and "provisional" in one["runs"][0]["trust"] for one in held["systems"]]


def test_figures_of_several_runs_are_provisional_if_one_is() -> None:
    """The least believed of them names the tier; a tier with its provisional results is above the one below."""
    assert least_trusted(["challenged", "provisional consistent", "self-reported"]) == "provisional self-reported"
    assert (least_trusted(["audited", "consistent"]), least_trusted([])) == ("consistent", "self-reported")
    assert TIERS.index("self-reported") < TIERS.index("provisional consistent") < TIERS.index("consistent")


def test_of_several_at_once_one_owns_a_name(tmp_path: Path) -> None:
    """Four keys submit under a new name at the same time: one owns it, and nothing of the others is kept."""
    keys = [new_key(tmp_path / str(number)) for number in range(4)]
    place = str(tmp_path / "store.sqlite")
    with ResultStore.open(place, create=True, hook=TrustHook()) as store:
        store.registry.register(to_document(_SUITE))

    def one(number: int) -> str:
        data = _result(seed=number)
        with ResultStore.open(place, hook=TrustHook()) as store:
            try:
                return submit(store, data, options=SubmitOptions(signature=sign(data, keys[number]))).key
            except CheckError as error:
                return str(error)

    with ThreadPoolExecutor(4) as pool:
        outcomes = list(pool.map(one, range(4)))
    owners = [text for text in outcomes if text.startswith("SHA256:")]
    assert len(owners) == 1
    assert sum("belongs to key" in text for text in outcomes) == 3
    with ResultStore.open(place, hook=TrustHook()) as store:
        assert [(one.key, one.trust) for one in store.history.submissions()] == [(owners[0], "consistent")]


def _said(store: ResultStore, key: Path | None, **said: str) -> SubmissionReceipt:
    data = make_statement(reason="a test", **{"system": "quiet-9000", **said})
    return submit(store, data, options=SubmitOptions(signature=sign(data, key) if key else ""))


def test_an_owner_says_of_its_results(keys: tuple[Path, Path]) -> None:
    """What the owner signed is kept with its signature; others say nothing, and what is sent again undoes nothing."""
    own, rival = keys
    with ResultStore.open("sqlite://", create=True, hook=TrustHook()) as store:
        old, new = (_submit(store, _result(seed=seed), own).digest for seed in (1, 2))
        unsigned = _submit(store, _result("free", seed=7), None).digest
        store.history.withdraw(unsigned, "a try")
        for key, said, complaint in (
            (rival, {"says": "withdrawn", "result": old}, "quiet-9000 belongs to key SHA256"),
            (None, {"says": "withdrawn", "result": old}, "is not signed"),
            (rival, {"says": "restored", "result": unsigned, "system": "free"}, "free belongs to no key"),
            (own, {"says": "withdrawn", "result": unsigned}, "is a result of free, not of quiet-9000"),
            (own, {"says": "corrected", "result": old, "by": unsigned}, "cannot replace"),
        ):
            with pytest.raises(CheckError, match=complaint):
                _said(store, key, **said)
        assert [one.withdrawn is None for one in store.history.submissions() if one.digest != unsigned] == [True, True]
        data = make_statement(says="withdrawn", system="quiet-9000", reason="fan off", result=new)
        signed = SubmitOptions(signature=sign(data, own))
        assert [submit(store, data, options=signed).new for _ in range(2)] == [True, False]
        (event,) = store.history.events()[new]
        kept = store.history.signature(event.statement)
        assert kept is not None
        assert (kept.content, event.key) == (data, signer(data, kept.signature))
        _said(store, own, says="restored", result=new)
        assert not submit(store, data, options=signed).new
        assert [one.withdrawn for one in store.history.submissions() if one.digest == new] == [None]
        _said(store, own, says="corrected", result=old, by=new)
        (why,) = (one.withdrawn for one in store.history.submissions() if one.digest == old)
        assert why is not None
        assert (why.kind, why.key, why.reason) == ("corrected", event.key, f"{new[:12]} replaces it: a test")


def test_a_name_passes_to_the_next_key(keys: tuple[Path, Path], tmp_path: Path) -> None:
    """The owner, or where its key was lost the collector, names the next one; results of the former stay in use."""
    own, following = keys[0], new_key(tmp_path / "next")
    last = new_key(tmp_path / "last")
    by = fingerprint_of(following.with_suffix(".pub"))
    assert by == signer(b"", sign(b"", following))
    with ResultStore.open("sqlite://", create=True, hook=TrustHook()) as store:
        with pytest.raises(InputError, match="has no owner yet"):
            store.names.transfer("quiet-9000", by, "lost")
        old = _submit(store, _result(), own).digest
        assert _said(store, own, says="key", by=by).new
        assert len(store.results(SystemQuery(system="quiet-9000")).measurements) == 4
        with pytest.raises(CheckError, match=f"belongs to key {re.escape(by)}"):
            _submit(store, _result(seed=2), own)
        with pytest.raises(CheckError, match=f"belongs to key {re.escape(by)}"):
            _said(store, own, says="withdrawn", result=old)
        new = _submit(store, _result(seed=2), following).digest
        _said(store, following, says="corrected", result=old, by=new)
        assert store.history.withdraw(old, "both count", restore=True)[1]
        store.names.transfer("quiet-9000", fingerprint_of(last.with_suffix(".pub")), "lost; told by telephone")
        assert [(bool(one.reason), bool(one.statement)) for one in store.names.keys("quiet-9000")] == [
            (False, False),
            (True, True),
            (True, False),
        ]
        assert {one.key for one in store.systems()} == {signer(b"", sign(b"", last))}
        assert _submit(store, _result(seed=3), last).new
        assert store.history.withdraw(new, "once more")[1]
        assert store.history.withdraw(new, "no", restore=True)[1]


@pytest.mark.parametrize(
    "change",
    [
        {"says": "deleted"},
        {"result": "12"},
        {"reason": " "},
        {"by": "0" * 64},
        {"schema_version": 2},
        {"says": "key"},
        {"says": "corrected"},
        {"made_unix_ns": -1},
    ],
)
def test_a_statement_that_says_nothing_is_refused(change: dict[str, object], keys: tuple[Path, Path]) -> None:
    """In one line, though its signature holds."""
    sound = json.loads(make_statement(says="withdrawn", system="quiet-9000", reason="a test", result="0" * 64))
    data = json.dumps(sound | change).encode()
    with ResultStore.open("sqlite://", create=True, hook=TrustHook()) as store, pytest.raises(InputError) as caught:
        submit(store, data, options=SubmitOptions(signature=sign(data, keys[0])))
    assert "\n" not in str(caught.value)


def test_what_is_no_public_key_is_refused(keys: tuple[Path, Path], tmp_path: Path) -> None:
    """A private key, a missing file, and bytes of anything."""
    (tmp_path / "bytes.pub").write_bytes(b"ssh-ed25519 \xff\xfe")
    (tmp_path / "short.pub").write_text("ssh-ed25519 AAAA")
    for path in (keys[0], tmp_path / "none.pub", tmp_path / "bytes.pub", tmp_path / "short.pub"):
        with pytest.raises(InputError):
            fingerprint_of(path)
