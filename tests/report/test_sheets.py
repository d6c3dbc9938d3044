import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlbricks.analysis.table import Column, Table
from dlbricks.report.page.sheets import MOST_ROWS, heading, sheet, step_of

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
