"""Two systems beside each other on the command line: what is said, and when the gate fails."""

import dataclasses
import json
import os

import pytest

from dlbricks.store.database import ResultStore
from tests.cli.invoking import Run
from tests.store.stored import configuration, submission


@pytest.fixture
def two_versions() -> None:
    """Fill the store: a system with two versions of its runtime, of which the newer takes a third longer."""
    newer = dataclasses.replace(configuration(), runtime="onnxruntime 1.32.0")
    with ResultStore.open(os.environ["DLBRICKS_STORE"], create=True) as store:
        store.add(submission(range(9)))
        store.add(submission(range(1, 12), latency_ns=133_000, of=newer))
        store.add(submission(range(50, 52), of=configuration("other")))


@pytest.mark.usefixtures("two_versions")
def test_the_gate_fails_where_b_surely_takes_longer(dlbricks: Run) -> None:
    """Exit code 1 and a line for the slower one, 0 for the quicker one or a limit above; both sides say their trust."""
    asked = ("compare", "lab@1.31.1", "lab@1.32.0")
    result = dlbricks(*asked)
    assert "times as long" in result.stdout
    assert "B is slower" in result.stdout
    assert result.stdout.count("self-reported") == 2
    assert "4 sequences that only one" in result.stderr
    assert "takes longer than lab@1.31.1 by more than 5%" in dlbricks(*asked, "--fail-above", "5%", code=1).stderr
    assert "B is quicker" in dlbricks("compare", *asked[:0:-1], "--fail-above", "5%").stdout
    dlbricks(*asked, "--fail-above", "50%")
    [made] = json.loads(dlbricks(*asked, "--json").stdout)["comparisons"]
    assert made["ratio"] == pytest.approx(1.33)
    left = json.loads(dlbricks(*asked, "--json", "--without", made["rows"][0]["fingerprint"][:20]).stdout)
    assert (left["comparisons"][0]["left_out"], len(left["comparisons"][0]["rows"])) == (1, 7)


@pytest.mark.usefixtures("two_versions")
def test_what_cannot_be_compared_is_said_in_a_line(dlbricks: Run) -> None:
    """An unknown system, nothing in common, and a limit that is none."""
    assert "holds no system nobody" in dlbricks("compare", "lab@1.31.1", "nobody", code=2).stderr
    assert "no such configuration" in dlbricks("compare", "lab@9", "lab@1.31.1", code=2).stderr
    assert "no sequence in common" in dlbricks("compare", "lab@1.31.1", "other", code=1).stderr
    assert "'much' is no share" in dlbricks("compare", "lab@1.31.1", "other", "--fail-above", "much", code=2).stderr
