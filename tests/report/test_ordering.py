"""Sorting tables and keeping their first rows."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlbricks.analysis.table import Table, real, text, whole
from dlbricks.errors import InputError
from dlbricks.report.tables import Order, check_order, first_rows, order_of, ordered

TABLE = Table(
    id="A0",
    title="made up",
    columns=(
        text("layer", ["b", "a", "C", ""]),
        whole("latency_ns", [20, 30, 20, 10], "ns"),
        real("share_percent", [1.5, float("nan"), 0.5, 1.0], "%"),
    ),
)


def layers(table: Table) -> list[object]:
    """Give the order of the rows."""
    return list(table.column("layer").cells)


@pytest.mark.parametrize(
    ("wish", "expected"),
    [
        ("latency_ns", [None, "b", "C", "a"]),
        ("latency", [None, "b", "C", "a"]),
        ("-Latency", ["a", "b", "C", None]),
        ("share", ["C", None, "b", "a"]),
        ("-share_percent", ["b", None, "C", "a"]),
        ("layer", ["a", "b", "C", None]),
        ("-layer", ["C", "b", "a", None]),
    ],
)
def test_rows_follow_a_column(wish: str, expected: list[object]) -> None:
    """By its name or its heading, up or down; equal rows keep their order, empty cells come last both ways."""
    assert layers(ordered(TABLE, order_of(wish))) == expected


@given(st.lists(st.none() | st.integers(-5, 5)), st.booleans())
def test_no_row_is_lost(cells: list[int | None], descending: bool) -> None:
    """Every row is there once, filled ones in order."""
    given_cells = [float("nan") if cell is None else cell for cell in cells]
    table = Table(id="t", title="t", columns=(whole("n", given_cells), whole("row", range(len(cells)))))
    found = ordered(table, Order(column="n", descending=descending)).rows()
    assert sorted(str(row) for _, row in found) == sorted(str(row) for row in range(len(cells)))
    filled = [cell for cell in cells if cell is not None]
    expected = sorted(filled, reverse=descending) + [None] * (len(cells) - len(filled))
    assert [cell for cell, _ in found] == expected


def test_an_unknown_column_is_refused_with_those_there_are() -> None:
    """Of several tables one that has it is enough; the others stay; without any table there is nothing to refuse."""
    other = Table(id="B", title="other", columns=(whole("n", [2, 1]),))
    gone = Table(id="C", title="gone", unavailable="why")
    with pytest.raises(
        InputError, match=r"no table has a column 'size'.*columns are layer, latency_ns, share_percent, n"
    ):
        check_order([TABLE, other, gone], order_of("size"))
    check_order([TABLE, other], order_of("n"))
    check_order([gone], order_of("n"))
    assert ordered(TABLE, order_of("n")) is TABLE
    with pytest.raises(InputError, match="names no column"):
        order_of("-")


def test_the_first_rows_are_kept_and_the_rest_is_told() -> None:
    """A table that is short enough is as it was."""
    made = first_rows(TABLE, 3)
    assert (layers(made), made.notes) == (["b", "a", "C"], ("the first 3 of 4 rows",))
    assert first_rows(TABLE, 4) is TABLE
