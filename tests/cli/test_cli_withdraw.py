"""A result that turned out wrong is taken out of use, and everybody who asks learns why."""

import json
import os
from pathlib import Path

from dlbricks.fingerprint import canonical_json
from dlbricks.store.database import ResultStore
from dlbricks.suite.manifest import to_document
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
    assert "fan [off]" in dlbricks("systems", "--all").stdout
    listed = json.loads(dlbricks("systems", "--all", "--json").stdout)["submissions"]
    assert [(run["digest"], run["smoke"], bool(run["withdrawn"])) for run in listed] == [
        (smoke.digest, True, True), (one.digest, False, False)
    ]  # fmt: skip
    told = json.loads(dlbricks("withdraw", smoke.digest, "--reason", "a mistake", "--restore", "--json").stdout)
    assert (told["digest"], told["withdrawn"], told["new"]) == (smoke.digest, False, True)
    assert json.loads(dlbricks("systems", "--json").stdout)["systems"][0]["smoke"] == 1
    dlbricks("withdraw", one.digest, "--reason", "wrong fan")
    dlbricks("withdraw", smoke.digest, "--reason", "wrong fan, too")
    told = dlbricks("estimate", str(TUTORIAL), "--system", "lab", code=2).stderr
    assert f"uses no result of lab: {smoke.digest[:12]}, the newest of 2, was withdrawn on 2" in told
    assert "wrong fan, too" in told
    assert "no run whose digest begins" in dlbricks("withdraw", "zz", "--reason", "none", code=2).stderr


def test_a_signed_result_is_its_owners(dlbricks: Run, tmp_path: Path) -> None:
    """``--key`` signs and keeps the signature beside; a changed file and another key are refused; trust is shown."""
    own, rival = new_key(tmp_path / "own"), new_key(tmp_path / "rival")
    with ResultStore.open(os.environ["DLBRICKS_STORE"], create=True) as store:
        store.register(to_document(suite(sequences=4)))
    result, other = tmp_path / "r.json", tmp_path / "other.json"
    result.write_bytes(canonical_json(document()))
    other.write_bytes(canonical_json(document(seed=2)))
    told = dlbricks("submit", str(result), "--key", str(own)).stdout
    assert "signed by SHA256:" in told
    assert "was there already" in dlbricks("submit", str(result)).stdout
    assert "belongs to key SHA256:" in dlbricks("submit", str(other), "--key", str(rival), code=1).stderr
    assert "does not hold" in _with_signature_of(dlbricks, result, other)
    assert "'soon' is no day" in dlbricks("submit", str(other), "--key", str(own), "--embargo", "soon", code=2).stderr
    assert "consistent" in dlbricks("systems").stdout
    digest = json.loads(dlbricks("systems", "--all", "--json").stdout)["submissions"][0]["digest"]
    assert "is audited" in dlbricks("challenge", "audit", digest[:12], "--reason", "measured by the lab").stdout
    assert "audited" in dlbricks("query", "--limit", "1").stdout


def _with_signature_of(dlbricks: Run, result: Path, other: Path) -> str:
    other.with_name("other.json.sig").write_bytes(result.with_name("r.json.sig").read_bytes())
    return dlbricks("submit", str(other), code=1).stderr
