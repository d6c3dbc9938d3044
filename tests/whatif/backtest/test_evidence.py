"""What is kept of back-tests backs the intervals; no answer is sure of a sign that was predicted wrongly."""

import json
from collections import defaultdict
from pathlib import Path

import pytest
from backtest.cases import KERNELS, BackTest

from dlbricks.report.whatif import verdict
from dlbricks.trace.types import Lane
from dlbricks.whatif.answer import ask
from dlbricks.whatif.edit import GraphBuilder
from dlbricks.whatif.evidence import EITHER, STEP, backtested, errors_of, evidence_on, interval_of, refuted
from dlbricks.whatif.evidence import KERNELS as OF_KERNELS
from dlbricks.whatif.graph import TaskKind
from dlbricks.whatif.transform import read_step
from tests.whatif.made_up import KNOWN

KEPT = Path(__file__).parents[3] / "suites" / "results"
FILES = ("traces", "h200", "operators", "autocast", "mixed", "parallel", "runs", "loaders")
SURE_OF_ALL = 18
"""Of no more cases the largest error counts."""


def kept_in(file: str) -> list[BackTest]:
    """Read what is kept of back-tests."""
    return [BackTest(**one) for one in json.loads((KEPT / f"whatif-{file}.json").read_text(encoding="utf-8"))]


CASES: dict[tuple[str, str, str], list[BackTest]] = defaultdict(list)
"""By transform, what was compared, and kind of trace."""
for test in (one for file in FILES for one in kept_in(file) if one.error is not None):
    name = test.name.removesuffix(KERNELS)
    if name in KNOWN:
        CASES[name, OF_KERNELS if test.name.endswith(KERNELS) else STEP, test.kind].append(test)


def test_the_largest_error_of_few_cases_counts() -> None:
    """Of many nine of ten cases are within; few of training and of inference count together."""
    rows = [row for row in backtested() if row.transform and "processor" not in row.kind]
    assert rows
    for row in rows:
        place = row.kind.partition(f"{EITHER} ")[2]
        kinds = (f"training {place}", f"inference {place}") if place else (row.kind,)
        cases = [one for kind in kinds for one in CASES[row.transform, row.of, kind]]
        assert row.cases == len(cases) >= 5
        assert row.source.startswith(f"{len(cases)} back-tests")
        inside = sum(abs(one.error or 0.0) <= row.error + 1e-4 for one in cases)
        assert inside >= (0.9 * len(cases) if len(cases) > SURE_OF_ALL else len(cases))
        better = sum(abs(one.error or 0.0) < abs(one.before_ns / (one.truth_ns or 1) - 1) for one in cases)
        assert row.better == better
        assert row.wrong_signs == sum(one.sign_is_wrong for one in cases)


WRONG = [
    (name, of, one)
    for (name, of, kind), tests in CASES.items()
    for one in tests
    if one.sign_is_wrong
    and any(row.helps for row in evidence_on(name, kind).values())
    and not (of == STEP and refuted(name, kind))
]
"""Their gain or loss was predicted to be the other, and the transform answers on such traces."""


@pytest.mark.parametrize(("name", "of", "test"), WRONG, ids=lambda one: one if isinstance(one, str) else one.case)
def test_the_sign_is_open_where_it_was_wrong(name: str, of: str, test: BackTest) -> None:
    """An answer says that the change may lose, whatever it predicts to gain."""
    errors, source = errors_of([(name, test.kind)], of) or ((0.0,), "")
    around = interval_of(round(test.predicted_ns), errors, source)
    assert around.low_ns < test.before_ns < around.high_ns


def test_wrong_signs_are_known() -> None:
    """There are some, so the test above says something."""
    assert {name for name, _, _ in WRONG} >= {"amp", "batch"}


def test_an_interval_that_spans_no_gain_says_so() -> None:
    """A step of kernels alone, of which a pass of inference was predicted 18 % off."""
    builder = GraphBuilder(name="kernels")
    builder.task(TaskKind.KERNEL, "kernel", Lane(process="1", name="stream 7"), 1_000_000)
    answer = ask(builder.built(), [read_step("batch:9,from=8", KNOWN)]).answer
    assert answer.gain_low is not None
    assert answer.gain_high is not None
    assert answer.gain_low < 0 < answer.gain_high
    assert "may be slower" in verdict(answer)[0]


def test_few_cases_make_no_interval() -> None:
    """They are in the table only."""
    assert evidence_on("layout", "inference on NVIDIA GPUs") == {}
    assert evidence_on("device", "training on NVIDIA GPUs") == {}
