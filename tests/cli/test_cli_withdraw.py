"""A result that turned out wrong is taken out of use, and everybody who asks learns why."""

import json
import os

from dlbricks.store.database import ResultStore
from tests.cli.invoking import Run
from tests.store.stored import submission


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
    assert "no run whose digest begins" in dlbricks("withdraw", "zz", "--reason", "none", code=2).stderr
