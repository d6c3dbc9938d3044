import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlbricks.analysis.table import AnalysisTables, Column, Table, real, text, whole
from dlbricks.errors import InputError
from dlbricks.report.tables import (
    MOST_ROWS,
    heading,
    in_order,
    ordered,
    sheet,
    step_of,
)

_CELLS = st.lists(st.none() | st.text(max_size=5), min_size=1, max_size=30)


@pytest.mark.parametrize(
    ("name", "unit", "shown"),
    [
        ("latency_ns", "ns", "latency"),
        ("flops_per_s", "flop/s", "flops"),
        ("throughput_per_s", "1/s", "throughput"),
        ("share_percent", "%", "share"),
        ("dram_read_bytes", "B", "dram read"),
        ("flops", "flop", "flops"),
        ("layer_index", "", "layer index"),
    ],
)
def test_headings_leave_the_unit_to_its_place(name: str, unit: str, shown: str) -> None:
    """A unit that stands beside the name is not in the name, too."""
    assert heading(Column(name=name, type="float", unit=unit)) == shown


@pytest.mark.parametrize(
    ("unit", "values", "expected"),
    [
        ("ns", [2e6, 3e6, 1e3], (1e6, "ms")),
        ("ns", [0, 0, 5], (1, "ns")),
        ("ns", [], (1, "ns")),
        ("B", [2**21], (2**20, "MiB")),
        ("flop/s", [-3e9], (1e9, "Gflop/s")),
        ("%", [50.0], (1, "%")),
    ],
)
def test_the_unit_suits_the_middle_value(unit: str, values: list[float], expected: tuple[float, str]) -> None:
    """One unit serves a column: that of the middle value that is not 0; unknown units stay."""
    assert step_of(unit, values) == expected


@given(cells=_CELLS)
def test_texts_are_kept_once_and_found_again(cells: list[str | None]) -> None:
    """Places and texts of a column give back its cells; no text is there twice."""
    column = sheet(Table(id="t", title="", columns=(Column(name="a", type="str", cells=tuple(cells)),)))["columns"][0]
    assert [None if place is None else column["texts"][place] for place in column["cells"]] == cells
    assert len(set(column["texts"])) == len(column["texts"])


def test_a_long_table_is_cut_visibly() -> None:
    """What a page leaves out of a table is told, and the number of all rows stays."""
    made = sheet(Table(id="t", title="", columns=(Column(name="a", type="int", cells=tuple(range(MOST_ROWS + 5))),)))
    assert len(made["columns"][0]["cells"]) == MOST_ROWS
    assert made["rows"] == MOST_ROWS + 5
    assert f"{MOST_ROWS + 5:,}" in made["cut"]


def test_a_sheet_is_json() -> None:
    """Missing cells stay missing, never 0."""
    table = Table(id="t", title="", columns=(Column(name="a_ns", type="float", unit="ns", cells=(1.5, None)),))
    assert json.loads(json.dumps(sheet(table), allow_nan=False))["columns"][0]["cells"] == [1.5, None]


def test_an_interval_has_the_unit_of_its_middle() -> None:
    """Latency and the ends of its interval can be compared as they stand, whatever their own sizes."""
    columns = tuple(
        Column(name=name, type="int", unit="ns", cells=(cell,))
        for name, cell in (("latency_ns", 1_000_100), ("low_ns", 999_900), ("high_ns", 1_000_300))
    )
    assert {column["unit"] for column in sheet(Table(id="t", title="", columns=columns))["columns"]} == {"ms"}


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
    """Return the order of the rows."""
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
    assert layers(ordered(TABLE, wish)) == expected


@given(st.lists(st.none() | st.integers(-5, 5)), st.booleans())
def test_no_row_is_lost(cells: list[int | None], descending: bool) -> None:
    """Every row is there once, filled ones in order."""
    given_cells = [float("nan") if cell is None else cell for cell in cells]
    table = Table(id="t", title="t", columns=(whole("n", given_cells), whole("row", range(len(cells)))))
    found = ordered(table, "-n" if descending else "n").rows()
    assert sorted(str(row) for _, row in found) == sorted(str(row) for row in range(len(cells)))
    filled = [cell for cell in cells if cell is not None]
    expected = sorted(filled, reverse=descending) + [None] * (len(cells) - len(filled))
    assert [cell for cell, _ in found] == expected


def test_an_unknown_column_is_refused_with_those_there_are() -> None:
    """Of several tables one that has it is enough; the others stay; without any table there is nothing to refuse."""
    other = Table(id="B", title="other", columns=(whole("n", [2, 1]),))
    gone = Table(id="C", title="gone", unavailable="why")
    with pytest.raises(InputError, match=r"invalid --sort 'size': the columns are layer, latency_ns, share_percent, n"):
        in_order(AnalysisTables(tables=(TABLE, other, gone)), "size")
    assert [len(table) for table in in_order(AnalysisTables(tables=(TABLE, other)), "n").tables] == [len(TABLE), 2]
    assert in_order(AnalysisTables(tables=(gone,)), "n").tables == (gone,)
    assert ordered(TABLE, "n") is TABLE
    with pytest.raises(InputError, match="expected a column"):
        in_order(AnalysisTables(tables=(TABLE,)), "-")
