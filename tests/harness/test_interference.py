"""The pace of the core: what is slow, against what, and that a core of one's own is not."""

import numpy as np
import pytest

from dlbricks.harness import interference
from dlbricks.harness.interference import InterferenceDetector
from dlbricks.harness.stats import INTERFERENCE_RATIO


def paced(monkeypatch: pytest.MonkeyPatch, durations_ns: list[int]) -> InterferenceDetector:
    """Give a detector that measures these durations after having begun with those of 1000 ns."""
    made = InterferenceDetector()
    made._best_ns = made._next_best_ns = 1000
    made._count = 0
    monkeypatch.setattr(made, "_time", iter(durations_ns).__next__)
    return made


def test_slow_is_against_the_best(monkeypatch: pytest.MonkeyPatch) -> None:
    """A quarter longer, from there on; a better one makes the rest slower."""
    made = paced(monkeypatch, [1000, 1249, 1250, 1800, 900, 1130])
    assert INTERFERENCE_RATIO == 1.25
    assert [made.is_slow() for _ in range(6)] == [False, False, True, True, False, True]


def test_any_work_can_be_timed() -> None:
    """Here filling some numbers, then four hundred times as many."""
    numbers = [np.ones(256), np.ones(100_000)]
    made = InterferenceDetector(lambda: numbers[0].fill(0))
    del numbers[0]
    assert made.is_slow()


def test_the_best_is_forgotten_in_the_long_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """A clock that stays slower is no shared core for ever."""
    made = paced(monkeypatch, [1500] * 3 * interference._WINDOW)
    told = [made.is_slow() for _ in range(3 * interference._WINDOW)]
    assert told[0]
    assert not any(told[2 * interference._WINDOW :])
