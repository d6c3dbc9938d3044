"""A result that turned out wrong is taken out of use, and everybody who asks learns why."""

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from dlbricks.errors import MissingDependencyError
from dlbricks.plugins.trust.signing import signer
from dlbricks.store.bundle import Bundle
from dlbricks.store.database import ResultStore
from dlbricks.store.history import signer_of
from dlbricks.suite.manifest import to_document
from dlbricks.typed_json import canonical_json
from tests.cli.invoking import Run
from tests.store.made_up_run import document, suite
from tests.store.stored import new_key, submission

TUTORIAL = Path(__file__).parents[1] / "data" / "tutorial.onnx"


def test_a_withdrawn_result_is_listed_with_its_reason_and_not_used(dlbricks: Run) -> None:
    """``systems`` counts what is in use, ``--all`` lists all; restoring undoes it; an unknown digest is refused."""
    one, smoke = submission(range(2)), submission(range(2), started=2, complete=False, smoke=True)
    with ResultStore.open(os.environ["DLBRICKS_STORE"], create=True) as store:
        store.add(one)
        store.add(smoke)
    [system] = json.loads(dlbricks("systems", "--json").stdout)["systems"]
    assert (system["submissions"], system["complete"], system["smoke"]) == (2, 1, 1)
    assert "of lab is withdrawn" in dlbricks("withdraw", smoke.digest[:12], "--reason", "fan [off]").stdout
    assert json.loads(dlbricks("systems", "--json").stdout)["systems"][0]["submissions"] == 1
    assert "by the collector: fan [off]" in " ".join(dlbricks("systems", "--all").stdout.split())
    listed = json.loads(dlbricks("systems", "--all", "--json").stdout)["submissions"]
    assert [(run["digest"], run["smoke"], bool(run["withdrawn"])) for run in listed] == [
        (smoke.digest, True, True), (one.digest, False, False)
    ]  # fmt: skip
    document = json.loads(dlbricks("withdraw", smoke.digest, "--reason", "a mistake", "--restore", "--json").stdout)
    assert (document["digest"], document["withdrawn"], document["new"]) == (smoke.digest, False, True)
    assert json.loads(dlbricks("systems", "--json").stdout)["systems"][0]["smoke"] == 1
    dlbricks("withdraw", one.digest, "--reason", "wrong fan")
    dlbricks("withdraw", smoke.digest, "--reason", "wrong fan, too")
    document = dlbricks("estimate", str(TUTORIAL), "--system", "lab", code=2).stderr
    assert f"uses no result of system lab: the newest of 2, {smoke.digest[:12]}, was withdrawn on 2" in document
    assert "wrong fan, too" in document
    assert "no result whose digest begins" in dlbricks("withdraw", "zz", "--reason", "none", code=2).stderr


def test_a_signed_result_is_its_owners(dlbricks: Run, tmp_path: Path) -> None:
    """``--key`` signs and keeps the signature beside; a changed file and another key are refused; trust is shown."""
    own, rival = new_key(tmp_path / "own"), new_key(tmp_path / "rival")
    with ResultStore.open(os.environ["DLBRICKS_STORE"], create=True) as store:
        store.registry.register(to_document(suite(sequences=4)))
    result, other = tmp_path / "r.json", tmp_path / "other.json"
    result.write_bytes(canonical_json(document()))
    other.write_bytes(canonical_json(document(seed=2)))
    output = dlbricks("submit", str(result), "--key", str(own)).stdout
    assert "signed by SHA256:" in output
    assert "was stored already" in dlbricks("submit", str(result)).stdout
    assert "belongs to key SHA256:" in dlbricks("submit", str(other), "--key", str(rival), code=1).stderr
    assert "is not valid" in _with_signature_of(dlbricks, result, other)
    assert (
        "invalid date 'soon'" in dlbricks("submit", str(other), "--key", str(own), "--embargo", "soon", code=2).stderr
    )
    assert "consistent" in dlbricks("systems").stdout
    digest = json.loads(dlbricks("systems", "--all", "--json").stdout)["submissions"][0]["digest"]
    assert "is audited" in dlbricks("challenge", "audit", digest[:12], "--reason", "measured by the lab").stdout
    assert "audited" in dlbricks("query", "--limit", "1").stdout


def test_a_provisional_result_says_so_until_it_is_confirmed(dlbricks: Run, tmp_path: Path) -> None:
    """Where its figures are shown, on a terminal and as JSON; its owner confirms by a file, the collector at once."""
    own = new_key(tmp_path / "own")
    with ResultStore.open(os.environ["DLBRICKS_STORE"], create=True) as store:
        store.registry.register(to_document(suite(sequences=4)))
    first, second, said = (str(tmp_path / name) for name in ("1.json", "2.json", "said.json"))
    for seed, place in enumerate((first, second)):
        Path(place).write_bytes(canonical_json(document(seed=seed)))
        assert "stored as provisional" in dlbricks("submit", place, "--key", str(own), "--provisional").stdout
    assert "was stored already as provisional" in dlbricks("submit", first).stdout
    for verb in (("query",), ("systems", "--all")):
        assert "provisional consistent" in " ".join(dlbricks(*verb).stdout.split())
    assert "consistent, 2 provisional" in " ".join(dlbricks("systems").stdout.split())
    assert "provisional consistent" in dlbricks("compare", "quiet-9000", "quiet-9000").stdout
    confirm = ("withdraw", first, "--confirm", "--reason", "measured twice")
    dlbricks(*confirm, "--key", str(own), "-o", said)
    assert "1.json" not in dlbricks("submit", said).stdout
    assert "is confirmed already" in dlbricks(*confirm).stdout
    assert "is confirmed\n" in dlbricks("withdraw", second, "--confirm", "--reason", "stands").stdout
    assert {one["trust"] for one in _listed(dlbricks)} == {"consistent"}
    assert "provisional" not in dlbricks("systems").stdout


def _listed(dlbricks: Run) -> Any:
    return json.loads(dlbricks("systems", "--all", "--json").stdout)["submissions"]


def _with_signature_of(dlbricks: Run, result: Path, other: Path) -> str:
    other.with_name("other.json.sig").write_bytes(result.with_name("r.json.sig").read_bytes())
    return dlbricks("submit", str(other), code=1).stderr


def test_an_owner_sends_what_it_says(dlbricks: Run, tmp_path: Path) -> None:
    """A signed withdrawal, a correction and the next key are files that ``submit`` takes in; all say who said so."""
    own, following = new_key(tmp_path / "own"), new_key(tmp_path / "next")
    with ResultStore.open(os.environ["DLBRICKS_STORE"], create=True) as store:
        store.registry.register(to_document(suite(sequences=4)))
    sent = tmp_path / "sent"
    sent.mkdir()
    first, second, said = (str(sent / name) for name in ("1.json", "2.json", "3.json"))
    for seed, place in enumerate((first, second)):
        Path(place).write_bytes(canonical_json(document(seed=seed)))
        dlbricks("submit", place, "--key", str(own))
    because = ("--reason", "fan off", "--key", str(own))
    assert "has the statement that" in dlbricks("withdraw", first, "--replaced-by", second, *because, "-o", said).stdout
    assert re.match(r"statement of SHA256:\S+ stored in ", dlbricks("submit", said).stdout)
    assert "0 of 3 results new, 3 stored already" in dlbricks("submit", str(sent)).stdout
    (why,) = (one["withdrawn"] for one in _listed(dlbricks) if one["withdrawn"])
    assert (why["kind"], why["reason"][12:]) == ("corrected", " replaces it: fan off")
    assert why["key"].startswith("SHA256:")
    assert json.loads(dlbricks("withdraw", second, *because, "--json").stdout)["new"]
    assert json.loads(dlbricks("withdraw", second, *because, "--restore", "--json").stdout)["new"]
    assert "signed the first result" in dlbricks("key", "quiet-9000").stdout
    passes = ("key", "quiet-9000", "--next", str(following.with_suffix(".pub")), "--reason", "a new year")
    assert "by its owner: a new year" in dlbricks(*passes, "--key", str(own)).stdout
    assert "already belongs to key SHA256" in dlbricks(*passes, code=2).stderr
    lost = ("key", "quiet-9000", "--next", str(own.with_suffix(".pub")), "--reason", "lost")
    assert "by the collector: lost" in dlbricks(*lost).stdout
    assert "has no key" in dlbricks("key", "nobody").stdout
    assert "needs the next key and a reason" in dlbricks("key", "quiet-9000", "--next", "k.pub", code=2).stderr
    assert "name the owner's key" in dlbricks("withdraw", first, "--reason", "a", "-o", "s.json", code=2).stderr
    assert "give one of" in dlbricks("withdraw", first, *because, "--restore", "--replaced-by", second, code=2).stderr
    dlbricks("site", "-o", str(tmp_path / "pages"))
    raw = tmp_path / "pages" / "raw"
    statements = [path for path in raw.glob("*.json") if "statement" in path.read_text()]
    assert {json.loads(path.read_text())["says"] for path in statements} == {
        "corrected",
        "withdrawn",
        "restored",
        "key",
    }
    for path in statements:
        assert signer(path.read_bytes(), path.with_name(f"{path.name}.sig").read_text()).startswith("SHA256:")


def test_without_a_plug_in_nothing_is_signed_or_verified(
    dlbricks: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What needs a key ends in a line; what does not, works; a file with a signature is not taken as unsigned."""
    key = str(new_key(tmp_path / "key"))
    result, bundle = tmp_path / "r.json", tmp_path / "all.parquet"
    result.write_bytes(canonical_json(document(sequences=2)))
    with ResultStore.open(os.environ["DLBRICKS_STORE"], create=True) as store:
        store.registry.register(to_document(suite(sequences=2)))
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: ())  # noqa: ARG005
    dlbricks("submit", str(result))
    dlbricks("publish", os.environ["DLBRICKS_STORE"], "-o", str(bundle))
    for verb in (
        ("submit", str(result), "--key", key),
        ("publish", os.environ["DLBRICKS_STORE"], "-o", str(bundle), "--force", "--key", key),
        ("withdraw", str(result), "--reason", "a fan", "--key", key),
        ("withdraw", str(result), "--reason", "a fan", "--key", key, "-o", str(tmp_path / "said.json")),
    ):
        assert "signatures need the plug-in trust" in dlbricks(*verb, code=3).stderr
    result.with_name("r.json.sig").write_text("-----BEGIN SSH SIGNATURE-----")
    assert "the file is signed" in dlbricks("submit", str(result), code=3).stderr
    bundle.with_name("all.parquet.sig").write_text("-----BEGIN SSH SIGNATURE-----")
    with pytest.raises(MissingDependencyError, match="signatures need the plug-in trust"):
        Bundle.open(bundle, signer_of)
    dlbricks("withdraw", str(result), "--reason", "a fan was off")


def test_a_challenge_is_not_replaced(dlbricks: Run) -> None:
    """Its owner may be about to answer it."""
    Path("C.zip").write_bytes(b"PK")
    said = dlbricks("challenge", "make", "r.json", "--suite", "suite", "-o", "C.zip", code=2).stderr
    assert "C.zip exists, and only it verifies its answer: name another file" in said


def test_a_result_that_is_not_stored_is_named_by_its_file(dlbricks: Run, tmp_path: Path) -> None:
    """Not by a digest that the user has never seen."""
    (tmp_path / "r.json").write_bytes(canonical_json(document(sequences=2)))
    with ResultStore.open(os.environ["DLBRICKS_STORE"], create=True) as store:
        place = store.place
    line = f"error: store {place} lacks the result in r.json: 'dlbricks systems --all' lists what it has\n"
    assert dlbricks("withdraw", "r.json", "--reason", "a fan", code=2).stderr == line


def test_where_nothing_is_stored_no_store_is_named(dlbricks: Run, tmp_path: Path) -> None:
    """Results that are all refused leave no store behind."""
    for name in ("a.json", "b.json"):
        (tmp_path / name).write_text("{}")
    shown = dlbricks("submit", str(tmp_path), "--store", str(tmp_path / "s.sqlite"), code=2).stdout
    assert shown == "nothing stored: 0 of 2 results new, 0 stored already\n"
    assert not (tmp_path / "s.sqlite").exists()
