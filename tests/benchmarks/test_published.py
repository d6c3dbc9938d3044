"""The published figures of accuracy follow from the archived runs."""

import importlib
from pathlib import Path
from types import ModuleType

import pytest
from kept_runs import read_runs

from dlbricks.construct.types import Rule
from dlbricks.validate.compare import compare, error_figures

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / "suites" / "results"
SAMPLED = 3
"""Networks of each archive that are composed again; ``make accuracy`` does so with all."""


@pytest.fixture
def accuracy(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Give the script that makes the page."""
    monkeypatch.syspath_prepend(ROOT / "benchmarks")
    return importlib.import_module("accuracy")


def test_the_tables_of_the_page_follow_from_the_data_files(accuracy: ModuleType) -> None:
    """Every table between markers, and every plot, is what the script makes of the data files."""
    page = (ROOT / "docs" / "accuracy.md").read_text(encoding="utf-8")
    for name, table in accuracy.tables(accuracy.DATA).items():
        assert f"<!-- {name} -->\n\n{table}\n<!-- end -->" in page
    for name, drawing in accuracy.plots(accuracy.DATA).items():
        assert (ROOT / "docs" / name).read_text(encoding="utf-8") == drawing
        assert f"]({name})" in page


def test_figures_of_runs_follow_from_those_of_networks(accuracy: ModuleType) -> None:
    """Median, 90th percentile and worst of each run are those of its networks."""
    networks = accuracy.read_csv("accuracy")
    for run in accuracy.read_csv("accuracy-runs"):
        errors = error_figures([float(row["ratio"]) for row in networks if row["run"] == run["run"]])
        for key, value in accuracy.figures(errors).items():
            assert float(run[key]) == pytest.approx(value, abs=2e-4)


def test_the_faster_of_two_runtimes_is_named(accuracy: ModuleType) -> None:
    """Where latencies lie 5 % or more apart the estimates name the faster one, for 48 of 50 networks or more."""
    runs, networks = accuracy.read_csv("accuracy-runs"), accuracy.read_csv("accuracy")
    pair = ("amd-epyc-zen5-2c/onnxruntime-cpu-1t", "amd-epyc-zen5-2c/openvino-1t")
    assert pair in accuracy.rivals(runs)
    of = [{row["network"]: row for row in networks if row["run"] == run} for run in pair]
    judgements = [accuracy.judged(of[0][name], of[1][name]) for name in of[0] if name in of[1]]
    named = [right for gap, right, _ in judgements if gap >= accuracy.APART]
    assert sum(named) >= 48 / 50 * len(named)


@pytest.mark.parametrize(
    "path", sorted(RESULTS.glob("*/*-*t*.parquet")), ids=lambda path: f"{path.parent.name}/{path.stem}"
)
def test_figures_of_networks_follow_from_archived_runs(accuracy: ModuleType, path: Path) -> None:
    """Some networks of each archive are composed again: what was measured and estimated is as published."""
    name = f"{path.parent.name}/{path.stem}"
    rows = [row for row in accuracy.read_csv("accuracy") if row["run"] == name]
    sampled = {row["network"]: row for row in rows[:: len(rows) // SAMPLED]}
    for network, run in read_runs(path, list(sampled)).items():
        compared = compare(run, Rule.parse(run.facts.settings.rule))
        made = accuracy.network_row(name, compared, accuracy.published_ratio(run, compared.measured_ns))
        assert sampled[network]["published_ratio"] == str(made["published_ratio"])
        for key in ("measured_ns", "estimated_ns", "low_ns", "high_ns"):
            assert float(sampled[network][key]) == pytest.approx(made[key], rel=1e-3), (network, key)


@pytest.mark.parametrize(("of", "most"), [("traces", 10_000_000), ("runs", 11_600_000)])
def test_what_is_kept_stays_small(of: str, most: int) -> None:
    """Everybody who clones the repository gets the archives."""
    files = [path for path in RESULTS.rglob("*") if path.is_file()]
    assert sum(one.stat().st_size for one in files if (of == "traces") == one.stem.endswith("-traces")) <= most
