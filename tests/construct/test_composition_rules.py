import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlbricks.construct.estimate import pair_correction
from dlbricks.construct.types import Rule
from dlbricks.errors import InputError


@given(st.integers(0, 1000), st.integers(0, 1000), st.integers(0, 3000))
def test_a_correction_is_bounded_and_exact_within(first: int, second: int, union: int) -> None:
    """It replaces the sum by the union if plausible, and is bounded by the shorter step."""
    made = pair_correction(first, second, union)
    assert abs(made) <= min(first, second)
    assert first + second + made >= max(first, second)
    if max(first, second) <= union <= first + second + min(first, second):
        assert first + second + made == union


@pytest.mark.parametrize("text", ["sequential", "pairs", "simulate"])
def test_rules_are_written_as_they_are_read(text: str) -> None:
    """str is the inverse of parse."""
    assert str(Rule.parse(text)) == text


@pytest.mark.parametrize("text", ["", "lanes:2", "parallel", "Pairs", "sum"])
def test_unknown_rules_are_refused(text: str) -> None:
    """Any other text is refused in one line."""
    with pytest.raises(InputError, match="invalid rule"):
        Rule.parse(text)
