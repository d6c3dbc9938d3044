"""What is kept of back-tests on GPUs backs the intervals; no answer is sure of a sign that was predicted wrongly."""

import json
from collections import Counter
from pathlib import Path

import pytest
from backtest.cases import KERNELS, BackTest

from dlbricks.report.whatif import answer_report
from dlbricks.trace.types import Lane
from dlbricks.whatif.answer import ask
from dlbricks.whatif.edit import GraphBuilder
from dlbricks.whatif.graph import TaskKind
from dlbricks.whatif.transform import GPU, KnownError, errors_of, read_step
from tests.whatif.made_up import KNOWN

KEPT = Path(__file__).parents[3] / "suites" / "results"
SURE_OF_ALL = 18
"""Of no more cases the largest error counts."""


def kept_in(file: str) -> list[BackTest]:
    """Read what is kept of the back-tests on public figures of GPUs."""
    return [BackTest(**one) for one in json.loads((KEPT / f"whatif-{file}.json").read_text(encoding="utf-8"))]


FEW = 5
"""Fewer of one kind, of steps or of kernels, make no interval."""
KEPT_TESTS = [
    one for file in ("traces", "h200", "operators", "autocast", "mixed", "parallel", "runs") for one in kept_in(file)
]

COUNTS = Counter(one.name for one in KEPT_TESTS if one.error is not None)
ALL = [one for one in KEPT_TESTS if COUNTS[one.name] >= FEW]


def plain(test: BackTest) -> str:
    """Name the transform, whether steps or kernels alone were compared."""
    return test.name.removesuffix(KERNELS)


def error_of(test: BackTest) -> KnownError:
    """Return the error that answers on a GPU have."""
    return errors_of([KNOWN[plain(test)]], GPU)[plain(test)]


WRONG = [one for one in ALL if one.sign_is_wrong]
"""Their gain or loss was predicted to be the other."""


def test_the_largest_error_of_few_cases_counts() -> None:
    """Of steps and of kernels alone; of many nine of ten cases are within."""
    for name in {plain(one) for one in ALL if one.error is not None and plain(one) in KNOWN}:
        cases = [one for one in ALL if plain(one) == name and one.error is not None]
        known = error_of(cases[0])
        assert known.device == GPU
        assert known.source.startswith(f"{len(cases)} back-tests")
        assert not all(one.name.endswith(KERNELS) for one in cases)
        inside = sum(abs(one.error or 0.0) <= known.error + 1e-4 for one in cases)
        many = any(sum(other.name == one.name for other in cases) > SURE_OF_ALL for one in cases)
        assert inside >= (0.9 * len(cases) if many else len(cases))


@pytest.mark.parametrize("test", WRONG, ids=lambda one: f"{one.name} {one.case}")
def test_the_sign_is_open_where_it_was_wrong(test: BackTest) -> None:
    """An answer says that the change may lose, whatever it predicts to gain."""
    builder = GraphBuilder(name="kernels")
    builder.task(TaskKind.KERNEL, "kernel", Lane(process="1", name="stream 7"), round(test.before_ns))
    known = error_of(test)
    step = read_step(f"scale:{test.predicted_ns / test.before_ns!r}", KNOWN)
    answer = ask(builder.built(), [step], ((known.error,), known.source)).answer
    assert answer.gain == pytest.approx(test.predicted_gain, abs=1e-6)
    assert answer.gain_low is not None
    assert answer.gain_high is not None
    assert answer.gain_low < 0 < answer.gain_high
    assert any("may be slower" in str(one) for one in answer_report(answer))


def test_few_cases_make_no_interval() -> None:
    """They are in the table only."""
    few = {one.name for one in KEPT_TESTS} - {one.name for one in ALL}
    assert few == {"data-loader, kernels"}
    steps = [one for one in ALL if one.name == "data-loader"]
    assert error_of(steps[0]).source.startswith(f"{len(steps)} back-tests")


def test_wrong_signs_are_known() -> None:
    """There are some, so the test above says something."""
    assert {one.name for one in WRONG} >= {"device, kernels"}
