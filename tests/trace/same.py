"""Equality of traces, which arrays do not give by themselves."""

from dlbricks.trace.types import Trace

COLUMNS = ("level", "role", "kind", "name", "lane", "start_ns", "end_ns", "parent", "correlation")


def assert_same(one: Trace, other: Trace) -> None:
    """Both hold the same in every field, types of values included."""
    for field in ("clock", "names", "kinds", "lanes", "notes"):
        assert getattr(one, field) == getattr(other, field)
    for column in COLUMNS:
        assert getattr(one, column).tolist() == getattr(other, column).tolist()
        assert getattr(one, column).dtype == getattr(other, column).dtype
    assert set(one.attributes) == set(other.attributes)
    for name, attribute in one.attributes.items():
        assert attribute.rows.tolist() == other.attributes[name].rows.tolist()
        assert list(map(repr, attribute.values)) == list(map(repr, other.attributes[name].values))
