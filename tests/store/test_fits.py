from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlbricks.store.fits import fitting

_NUMBER = {"type": "number", "minimum": -1, "maximum": 5}
_SCHEMA: dict[str, Any] = {
    "type": "object",
    "required": ["a"],
    "properties": {
        "a": {"type": "array", "minItems": 1, "maxItems": 3, "items": {"type": "integer", "minimum": 0, "maximum": 9}},
        "b": {"type": "array", "items": {"anyOf": [_NUMBER, {"enum": ["nan"]}]}},
        "c": {"type": "object", "additionalProperties": {"type": "string", "pattern": "^[a-c]{2}$"}},
        "d": {"type": "number", "exclusiveMinimum": 0},
        "e": {"const": 2},
        "f": {"type": "boolean"},
    },
}
_LEAVES = st.one_of(
    st.none(), st.booleans(), st.integers(-2, 11), st.floats(-3, 7), st.sampled_from(["nan", "ab", "ab\n", "abc", ""])
)
_VALUES = st.recursive(
    _LEAVES, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from("abcdef"), inner), max_leaves=8
)


@given(st.dictionaries(st.sampled_from("abcdef"), _VALUES) | _VALUES)
def test_what_fits_is_valid(value: Any) -> None:
    """What is seen to be valid at once is valid by the standard."""
    if fitting(_SCHEMA)(value):
        jsonschema.Draft202012Validator(_SCHEMA).validate(value)


@pytest.mark.parametrize(
    "value",
    [
        {"a": [1]},
        {"a": [0, 9, 3], "b": [-1, 5, 2.5], "c": {"x": "ab"}, "d": 0.1, "e": 2, "f": False, "more": None},
        {"a": [1], "b": [1, "nan"], "c": {}},
    ],
)
def test_what_is_usual_fits(value: Any) -> None:
    """Valid values as they occur are seen to be so: the slow way is for the others."""
    assert fitting(_SCHEMA)(value)


@pytest.mark.parametrize("schema", [{"type": "object", "minProperties": 1}, {"minimum": 3}, {"$ref": "#/x"}])
def test_unknown_keywords_are_refused(schema: dict[str, Any]) -> None:
    """A schema that says more than is understood here is refused, not half applied."""
    with pytest.raises(ValueError, match=r"is not known|no type is given"):
        fitting(schema)
