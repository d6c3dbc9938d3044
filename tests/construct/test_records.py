import dataclasses
import json
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlbricks.construct.records import read_noun
from dlbricks.errors import InputError


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Inner:
    """One noun inside another."""

    pair: tuple[int, float]
    flag: bool = False


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Outer:
    """One field of every kind that nouns have."""

    name: str
    many: tuple[Inner, ...]
    maybe: Inner | None
    walls: Mapping[str, int]
    share: float = 0.0


INNER = st.builds(Inner, pair=st.tuples(st.integers(), st.floats(allow_nan=False, allow_infinity=False)))
OUTER = st.builds(
    Outer,
    name=st.text(),
    many=st.lists(INNER).map(tuple),
    maybe=st.none() | INNER,
    walls=st.dictionaries(st.text(), st.integers()),
)


@given(OUTER)
def test_nouns_survive_json(noun: Outer) -> None:
    """What is written as JSON is read as the same noun."""
    assert read_noun(Outer, json.loads(json.dumps(dataclasses.asdict(noun))), "it") == noun


GOOD = {"name": "n", "many": [{"pair": [1, 2.0]}], "maybe": None, "walls": {"w": 1}}


@pytest.mark.parametrize(
    ("changed", "place"),
    [
        ({"name": 1}, "it.name"),
        ({"many": [{"pair": [1]}]}, "it.many[0].pair"),
        ({"many": [{"pair": [True, 2.0]}]}, "it.many[0].pair[0]"),
        ({"many": [{"pair": [1, 10**400]}]}, "it.many[0].pair[1]"),
        ({"many": {}}, "it.many"),
        ({"maybe": 3}, "it.maybe"),
        ({"walls": {"w": "x"}}, "it.walls.w"),
        ({"walls": []}, "it.walls"),
        ({"share": float("nan")}, "it.share"),
        ({"share": "x"}, "it.share"),
    ],
)
def test_what_is_wrong_is_named(changed: dict[str, object], place: str) -> None:
    """The message begins with the place of the wrong value."""
    with pytest.raises(InputError) as caught:
        read_noun(Outer, {**GOOD, **changed}, "it")
    assert str(caught.value).startswith(place)


def test_a_missing_field_is_named() -> None:
    """Only fields with a default may be left out."""
    with pytest.raises(InputError, match="'name'"):
        read_noun(Outer, {key: value for key, value in GOOD.items() if key != "name"}, "it")
