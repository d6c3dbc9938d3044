"""What holds for every analysis."""

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings

from dlbricks.analysis.catalogue import ANALYSES, XSP, chosen, compare, networks_table
from dlbricks.analysis.table import Table
from dlbricks.errors import InputError
from dlbricks.profile.open import profile_of, read_any
from dlbricks.trace.correlate import correlated
from dlbricks.trace.types import LEVELS, LevelRun, Profile, Trace
from tests.analysis.made_up import ROOFS, K, L, costs, counted, made_up
from tests.report.made_up_profile import made_up_profile
from tests.trace.drawn import traces

TYPES = {"int": int, "float": float, "str": str, "bool": bool}
UNITS = {"", "ns", "B", "flop", "flop/s", "flop/B", "%", "1/s"}
ENDINGS = {"_ns": "ns", "_bytes": "B", "_percent": "%"}
FULL = made_up(
    [L(name="a", kernels=(K(attributes=counted(9, 3, 3)), K(at=80)), attributes=costs(9, 3, 3)), L(name="b")]
)


def consistent(table: Table) -> None:
    """Check a table: typed cells, known units that names agree with, equal lengths, or a reason and nothing else."""
    assert bool(table.columns) != bool(table.unavailable)
    assert len({len(one.cells) for one in table.columns}) <= 1
    assert len({one.name for one in table.columns}) == len(table.columns)
    for one in table.columns:
        assert one.unit in UNITS
        assert all(one.unit == unit for ending, unit in ENDINGS.items() if one.name.endswith(ending))
        for cell in one.cells:
            assert cell is None or type(cell) is TYPES[one.type], (one.name, cell)
            assert not isinstance(cell, float) or math.isfinite(cell)


def test_the_fifteen_are_all_there() -> None:
    """A1 to A15, in order; ids of all analyses differ."""
    assert [one.id for one in XSP] == [f"A{number}" for number in range(1, 16)]
    assert len({one.id.lower() for one in ANALYSES}) == len(ANALYSES)


@pytest.mark.parametrize("one", ANALYSES, ids=lambda one: one.id)
def test_tables_of_a_whole_profile_are_consistent(one: object) -> None:
    """Every analysis of a profile of all levels is consistent and bears its id and title."""
    analysis = next(other for other in ANALYSES if other is one)
    table = analysis.compute(FULL)
    consistent(table)
    assert (table.id, table.title) == (analysis.id, analysis.title)


@given(traces())
@settings(max_examples=50)
def test_whatever_was_recorded_is_analysed_or_refused(drawn: Trace) -> None:
    """Spans that overlap, run backwards, are empty or have no parents break no analysis and no comparison."""
    made = correlated(drawn)
    theirs = profile_of(made, "theirs")
    runs = tuple(LevelRun(batch=1, levels=levels, samples_ns=(5, 6), trace=made) for levels in LEVELS)
    ours = Profile(network="ours", system={}, runtime={"provider": "cpu"}, runs=runs, roofs=ROOFS)
    with np.errstate(all="raise", under="ignore"):
        tables = [table for profile in (theirs, ours) for table in (one.compute(profile) for one in ANALYSES)]
        tables += [networks_table([theirs, ours]), *compare(theirs, ours), *compare(ours, ours)]
    for table in tables:
        consistent(table)


def test_a_profile_without_runs_is_refused_everywhere() -> None:
    """There is nothing to show, and every analysis says so."""
    empty = Profile(network="none", system={}, runtime={}, runs=())
    assert all(one.compute(empty).unavailable for one in ANALYSES)
    consistent(networks_table([empty]))


def test_analyses_are_chosen_by_id() -> None:
    """In the order of the catalogue, whatever the case; none chosen is all; an unknown one names the others."""
    assert [one.id for one in chosen(["headroom", "a2"])] == ["A2", "headroom"]
    assert chosen([])[: len(ANALYSES)] == ANALYSES  # those of plug-ins follow
    with pytest.raises(InputError, match=r"unknown analysis 'A16'.*A15"):
        chosen(["A16"])


def test_no_row_is_impossible() -> None:
    """Shares are 0 to 100 %, times and counts at least 0; only differences, as of an overhead, may be negative."""
    training = Path(__file__).parents[1] / "data" / "kineto_cpu_training.json.gz"
    for profile in (read_any(training), made_up_profile(levels=("M", "ML", "MLK"))):
        for table in (analysis.compute(profile) for analysis in ANALYSES):
            for column in (column for column in table.columns if column.type in {"int", "float"}):
                figures = [float(cell) for cell in column.cells if cell is not None]
                if not column.name.startswith(("added_", "allocated_", "memory_")):
                    assert min(figures, default=0) >= 0, (table.id, column.name)
                if column.unit == "%" and column.name not in {"added_percent", "doubling_gain_percent"}:
                    assert max(figures, default=0) <= 100.001, (table.id, column.name)
