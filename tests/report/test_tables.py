import csv
import io
import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlbricks.analysis.catalogue import ANALYSES
from dlbricks.analysis.table import AnalysisTables, Column, NetworkTables, Table
from dlbricks.cli.analyses import TABLE_FORMATS
from dlbricks.report.console import show
from dlbricks.report.tables import (
    SUFFIXES,
    WIDEST,
    analysis_text,
    csv_text,
    format_cell,
    text_tables,
    write_tables,
)
from dlbricks.units import plain
from tests.analysis.made_up import K, L, costs, counted, made_up

TABLE = Table(
    id="T1",
    title="Made up",
    columns=(
        Column(name="layer", type="str", meaning="Its name.", cells=('a,"b"\n| [red]c', None)),
        Column(name="latency_ns", type="int", unit="ns", cells=(1_500_000, None)),
        Column(name="share_percent", type="float", unit="%", cells=(12.5, 100.0)),
        Column(name="bound", type="bool", cells=(True, False)),
        Column(name="nothing", type="float", unit="B", cells=(None, None)),
    ),
    notes=("what | a reader has to know",),
)
MISSING = Table(id="T2", title="Missing", unavailable="needs a machine")
PROFILE = made_up([L(name="a", kernels=(K(attributes=counted(9, 3, 3)),), attributes=costs(9, 3, 3))])
ALL = [one.compute(PROFILE) for one in ANALYSES]


def as_text(*tables: Table, most: int | None = None, width: int | None = None) -> str:
    """Return what people see in a file, or on a terminal of this width."""
    made = io.StringIO()
    show(*text_tables(tables, most), file=made, width=width)
    return made.getvalue()


def test_csv_is_read_back_as_it_was_written() -> None:
    """Commas and quotes are kept, text is one line; None is empty, flags are words, figures are whole."""
    rows = list(csv.reader(io.StringIO(csv_text(TABLE))))
    assert rows[0] == ["layer", "latency_ns", "share_percent", "bound", "nothing"]
    assert rows[1:] == [['a,"b" | [red]c', "1500000", "12.5", "true", ""], ["", "", "100.0", "false", ""]]


@given(st.text() | st.sampled_from("=+-@").flatmap(lambda sign: st.text().map(lambda text: f"\t{sign}{text}")))
def test_no_text_of_csv_is_a_formula_or_moves_a_cursor(text: str) -> None:
    """Whatever a layer is called: a spreadsheet shows it, a terminal prints it; figures below zero stay figures."""
    columns = (Column(name="layer", type="str", cells=(text,)), Column(name="by_ns", type="int", cells=(-3,)))
    written = csv_text(replace(TABLE, columns=columns))
    (shown, figure) = [*csv.reader(io.StringIO(written))][1]
    assert figure == "-3"
    assert written.replace("\n", "").isprintable()
    assert not shown.strip().startswith(("=", "+", "-", "@"))
    assert shown.removeprefix("'") == plain(text).removeprefix("'")


def test_json_holds_everything() -> None:
    """Names, types, units, meanings, cells, notes and reasons."""
    first, second = json.loads(analysis_text(AnalysisTables(tables=(TABLE, MISSING)), "json"))["tables"]
    assert (first["id"], first["title"], first["notes"]) == ("T1", "Made up", list(TABLE.notes))
    assert [one["cells"] for one in first["columns"]] == [list(one.cells) for one in TABLE.columns]
    assert first["columns"][0] == {"name": "layer", "type": "str", "unit": "", "meaning": "Its name.",
                                   "cells": ['a,"b"\n| [red]c', None]}  # fmt: skip
    assert (second["unavailable"], second["columns"]) == ("needs a machine", [])


def test_json_of_several_profiles_says_whose_tables_they_are() -> None:
    """What is over all of them stands beside the tables of each."""
    own = (NetworkTables(network="net", tables=(MISSING,)), NetworkTables(network="other", tables=()))
    made = json.loads(analysis_text(AnalysisTables(tables=(TABLE,), profiles=own), "json"))
    assert [one["id"] for one in made["tables"]] == ["T1"]
    assert [one["network"] for one in made["profiles"]] == ["net", "other"]
    assert made["profiles"][0]["tables"][0]["id"] == "T2"


def test_columns_that_differ_in_their_unit_alone_have_two_names() -> None:
    """Units stand beside figures and not in names; where a name is taken, the next says its unit."""
    units = {"busy_ns": "ns", "busy_percent": "%", "idle_percent": "%", "flops": "flop", "flops_per_s": "flop/s"}
    columns = tuple(Column(name=name, type="int", unit=unit, cells=(1,)) for name, unit in units.items())
    table = Table(id="T", title="Times", columns=columns)
    assert as_text(table).splitlines()[2].split() == ["busy", "busy", "%", "idle", "flops", "flops", "per", "s"]


def test_text_is_for_people() -> None:
    """Units fit, marks of the terminal are no marks, empty columns are gone, what is not there says why at the end."""
    text = as_text(TABLE, MISSING)
    assert "1.5 ms" in text
    assert "[red]c" in text
    assert "nothing" not in text
    assert text.rstrip().endswith("T2 not available: needs a machine")


def test_long_tables_and_long_names_are_cut_visibly() -> None:
    """What is left out is counted; on a terminal a name of a thousand letters ends in dots, elsewhere it is whole."""
    long = Table(
        id="T", title="Long", columns=(Column(name="kernel", type="str", cells=("k" * 1000, "short", "last")),)
    )
    text = as_text(long, most=2)
    assert "1 more row; --rows 0 shows all" in text
    assert "last" not in text
    assert f" {'k' * 1000}\n" in text
    assert f" {'k' * (WIDEST - 3)}...\n" in as_text(long, width=120)


def test_what_many_tables_note_is_said_once() -> None:
    """A note of three tables stands at the end instead of below each; other notes stay where they belong."""
    text = as_text(TABLE, TABLE, TABLE)
    assert text.count("a reader has to know") == 1
    assert as_text(TABLE, TABLE).count("a reader has to know") == 2


@pytest.mark.parametrize("form", TABLE_FORMATS)
def test_every_table_gets_a_file(tmp_path: Path, form: str) -> None:
    """Named by its id; CSV leaves out what is not there, the others say why."""
    files = write_tables([*ALL, MISSING], tmp_path / "out", form)
    there = [one.id for one in ALL if not one.unavailable or form != "csv"]
    expected = there + ([] if form == "csv" else ["T2"])
    assert [path.name for path in files] == [f"{name}{SUFFIXES[form]}" for name in expected]
    assert sorted(files) == sorted((tmp_path / "out").iterdir())
    assert tuple(SUFFIXES) == TABLE_FORMATS


@pytest.mark.parametrize(
    ("cell", "unit", "expected"),
    [
        (None, "ns", ""),
        (True, "", "yes"),
        (False, "", "no"),
        ("text", "", "text"),
        (2_500, "ns", "2.5 us"),
        (2048, "B", "2 KiB"),
        (12.34, "%", "12.3 %"),
        (3, "", "3"),
        (0.12345, "", "0.1235"),
        (2.5e12, "flop/s", "2.5 Tflop/s"),
        (12.0, "flop/B", "12 flop/B"),
        (5, "flop", "5 flop"),
        (1234.5, "1/s", "1234/s"),
    ],
)
def test_cells_are_written_with_fitting_units(cell: object, unit: str, expected: str) -> None:
    """Four digits and the unit that suits the size."""
    assert format_cell(cell, unit) == expected  # type: ignore[arg-type]
