import functools
import io
import json
import math
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlbricks.analysis.catalogue import ANALYSES
from dlbricks.analysis.table import Column, Table
from dlbricks.profile.open import read_any
from dlbricks.report.charts import (
    OTHER,
    PALETTE,
    Figure,
    Panel,
    by_layer,
    distribution,
    grouped_shares,
    roofline,
    type_colours,
)
from dlbricks.report.console import show
from dlbricks.report.html import json_text
from dlbricks.report.panels import Tables, colours_of, overview, profile_panel, tables_of, titles_of
from dlbricks.report.tables import format_cell, roofs_report
from dlbricks.trace.types import Profile, Roofs
from tests.report.made_up_profile import ROOFS, made_up_profile
from tests.whatif.kineto_files import rank_file


@functools.cache
def profiled(levels: tuple[str, ...] = ("M", "ML", "MLK")) -> tuple[Profile, Tables]:
    """Return a profile with all its tables."""
    profile = made_up_profile(levels=levels)
    return profile, tables_of(profile, ANALYSES)


def panel_of(levels: tuple[str, ...]) -> Panel:
    """Make the panel of a profile."""
    profile, tables = profiled(levels)
    return profile_panel(profile, tables, colours_of([tables]))


def figure_of(panel: Panel, title: str) -> Figure:
    """Return a figure by its title."""
    return next(figure for figure in panel.figures if figure.title == title)


def test_every_chart_is_json() -> None:
    """Every name and value was accepted by plotly, whose objects the charts are, and is a finite number or a text."""
    for figure in panel_of(("M", "ML", "MLK")).figures:
        assert figure.data
        for part in (*figure.data, figure.layout):
            json.loads(json_text({"part": part}))


def test_a_profile_with_kernels_has_all_charts() -> None:
    """What the three levels and two batches tell is drawn; each title once."""
    titles = [figure.title for figure in panel_of(("M", "ML", "MLK")).figures]
    assert len(titles) == len(set(titles))
    assert set(titles) >= {
        "Latency by layer",
        "Distribution by type",
        "Roofline of layers",
        "Roofline of kernels",
        "Batches",
        "Memory by layer",
    }


@pytest.mark.parametrize("levels", [("M",), ("ML",), ("M", "ML"), ("MLK",)])
def test_a_chart_without_data_is_not_there(levels: tuple[str, ...]) -> None:
    """Fewer levels give fewer charts and never an empty one."""
    panel = panel_of(levels)
    assert all(figure.data for figure in panel.figures)
    assert any(figure.title == "Latency by layer" for figure in panel.figures) == (levels != ("M",))
    assert {one["id"] for one in panel.sheets} == {one.id for one in ANALYSES}


def test_bars_of_layers_are_the_table() -> None:
    """Every layer has one bar, at its place in order of execution, as high as A3 says."""
    _, tables = profiled()
    figure = figure_of(panel_of(("M", "ML", "MLK")), "Latency by layer")
    bars = {x: y for trace in figure.data for x, y in zip(trace["x"], trace["y"], strict=True)}
    latencies = [float(str(cell)) for cell in tables["A3"].column("latency_ns").cells]
    assert sorted(bars) == list(range(len(latencies)))
    ratios = {round(latency / bars[row]) for row, latency in enumerate(latencies)}
    assert ratios <= {1, 1_000, 1_000_000}
    assert len(ratios) == 1


@given(st.lists(st.integers(0, 10**9), min_size=1, max_size=40), st.sampled_from(["ns", "B", "flop"]))
def test_bars_are_the_column_in_a_readable_unit(values: list[int], unit: str) -> None:
    """Each row has one bar; all are divided by the same step, and the hover text has the exact figure."""
    columns = (
        Column(name="layer", type="str", cells=tuple(f"layer {row}" for row in range(len(values)))),
        Column(name="type", type="str", cells=("Conv",) * len(values)),
        Column(name="figure", type="int", unit=unit, cells=tuple(values)),
    )
    drawn = by_layer(Table(id="x", title="", columns=columns), "figure", "Figures", {"Conv": "#4e79a7"})
    assert (drawn is None) == (not any(values))
    if drawn is not None:
        (bars,) = drawn.data
        scale = max(values) / max(bars["y"])
        assert list(bars["x"]) == list(range(len(values)))
        assert all(
            math.isclose(height * scale, value, abs_tol=1e-3) for height, value in zip(bars["y"], values, strict=True)
        )
        assert all(format_cell(value, unit) in text for value, text in zip(values, bars["hovertext"], strict=True))


def test_every_bar_of_the_distribution_is_whole() -> None:
    """The shares of count, memory and time add up to 100 % each."""
    figure = figure_of(panel_of(("M", "ML")), "Distribution by type")
    for place in range(len(figure.data[0]["x"])):
        assert math.isclose(sum(trace["x"][place] for trace in figure.data), 100, abs_tol=1e-6)


def test_types_beyond_the_palette_are_one_group() -> None:
    """The types that take most time have a colour of their own, all others share one; nothing is lost."""
    names = [f"Type{number}" for number in range(len(PALETTE) + 4)]
    colours = type_colours([{name: 100.0 - place for place, name in enumerate(names)}])
    assert list(colours) == names[: len(PALETTE)]
    share = 100 / len(names)
    columns = (
        Column(name="type", type="str", cells=tuple(names)),
        Column(name="share_percent", type="float", unit="%", cells=(share,) * len(names)),
    )
    made = grouped_shares(Table(id="A6", title="", columns=columns), colours)
    assert math.isclose(made[OTHER], 4 * share)
    assert math.isclose(sum(made.values()), 100)
    drawn = distribution({"time": made}, colours)
    assert drawn is not None
    assert [trace["name"] for trace in drawn.data] == [*colours, OTHER]


def test_roofs_bend_at_the_ideal_intensity() -> None:
    """A measured roof rises with the bandwidth up to its ideal intensity and is flat from there on."""
    figure = figure_of(panel_of(("M", "ML")), "Roofline of layers")
    roof = next(trace for trace in figure.data if trace["name"] == "float32 measured")
    assert len(roof["x"]) == 3
    assert math.isclose(roof["x"][1], ROOFS.ideal_intensity() or 0.0)
    assert roof["y"][1] == roof["y"][2]
    assert math.isclose(roof["y"][1] / roof["y"][0], roof["x"][1] / roof["x"][0])


def test_a_stated_peak_without_bandwidth_is_flat() -> None:
    """Where only the arithmetic is stated, its roof has no slope."""
    _, tables = profiled(("M", "ML"))
    roofs = Roofs(device="d", flops_per_s={"float32": 1e9}, copied_bytes_per_s=1e9, stated_flops_per_s={"float32": 2e9})
    made = roofline(tables["A14"], tables["A14"].column("type").cells, roofs, {}, "r")
    assert made is not None
    stated = next(trace for trace in made.data if trace["name"] == "float32 theoretical")
    assert len(set(stated["y"])) == 1


def test_stated_roofs_are_not_called_measured() -> None:
    """A trace of another program has roofs of a data sheet: one line each, which legend, note and card call so."""
    profile, tables = profiled(("M", "ML"))
    stated = replace(ROOFS, measured=False, stated_flops_per_s=ROOFS.flops_per_s, stated_bytes_per_s=1e9)
    panel = profile_panel(replace(profile, roofs=stated), tables, {})
    figure = figure_of(panel, "Roofline of layers")
    lines = [trace["name"] for trace in figure.data if trace["mode"] == "lines"]
    assert lines == [f"{dtype} theoretical" for dtype in lines_by_peak(ROOFS)]
    assert "theoretical limits of a machine" in figure.note
    assert "measured" not in figure.note
    assert "measured" not in " ".join(card.note for card in panel.cards if card.label == "memory-bound")


def lines_by_peak(roofs: Roofs) -> list[str]:
    """Return the element types of roofs, the highest peak first."""
    return sorted(roofs.flops_per_s, key=lambda dtype: -roofs.flops_per_s[dtype])


def test_labels_of_near_roofs_are_one() -> None:
    """Two lines of nearly the same peak would print one label over the other."""
    _, tables = profiled(("M", "ML"))
    rates = {"float32": 1e9, "float16": 1.1e9, "int8": 9e9}
    roofs = Roofs(device="d", flops_per_s=rates, copied_bytes_per_s=1e9, stated_flops_per_s={"float32": 1.05e9})
    figure = roofline(tables["A14"], tables["A14"].column("type").cells, roofs, {}, "r")
    assert figure is not None
    assert figure.data[-1].mode == "text"  # above the points
    assert figure.data[-1].text == ("float32 theoretical", "int8", "float16, float32")
    markers = [x for trace in figure.data if trace.mode == "markers" for x in trace.x]
    assert figure.data[-1].x[0] < min(markers) < max(markers) < figure.data[-1].x[1] / 3
    assert 10 ** figure.layout.yaxis.range[1] >= 2 * max(figure.data[-1].y)


def test_labels_of_roofs_are_as_far_apart_as_their_axis_needs() -> None:
    """On an axis of six decades a factor of 1.6 is less than the height of a label."""
    _, tables = profiled(("M", "ML"))
    peaks = {"int8": 500e12, "float16": 312e12, "tf32": 210e12, "float32": 19e12}
    roofs = Roofs(device="d", flops_per_s=peaks, copied_bytes_per_s=2e12, stated_flops_per_s=peaks, measured=False)
    figure = roofline(tables["A14"], tables["A14"].column("type").cells, roofs, {}, "r")
    assert figure is not None
    assert figure.data[-1].text == ("int8, float16, tf32 theoretical", "float32 theoretical")


def test_what_tracing_adds_is_named_as_the_median_over_rounds() -> None:
    """It is not the difference of the two medians, which the same page shows as well."""
    profile, tables = profiled(("M", "ML"))
    [card] = [card for card in profile_panel(profile, tables, {}).cards if card.label == "tracing layers adds"]
    assert card.note.startswith("median over rounds, ")
    assert any("median difference over rounds" in note for note in tables["overhead"].notes)


def test_a_peak_that_boost_may_exceed_says_so() -> None:
    """The clock that a system reports may be less than that at which a peak was measured: the line is no limit then."""
    _, tables = profiled(("M", "ML"))
    clock = "multiply-adds per cycle at 2.6 GHz, its clock now, boost not counted, 1 core"
    roofs = replace(ROOFS, stated_flops_per_s={"float32": 4e10}, stated_bytes_per_s=None, source=clock)
    figure = roofline(tables["A14"], tables["A14"].column("type").cells, roofs, {}, "r")
    assert figure is not None
    assert figure.data[-1].text[0] == "float32 without boost"
    assert f"dashed: theoretical ({clock})" in figure.note


def test_names_are_no_markup() -> None:
    """Templates of C++ and names that look like tags are shown as they are."""
    columns = (
        Column(name="index", type="int", cells=(0,)),
        Column(name="layer", type="str", cells=("<b>x</b>&",)),
        Column(name="type", type="str", cells=("Conv",)),
        Column(name="latency_ns", type="int", unit="ns", cells=(5,)),
    )
    made = by_layer(Table(id="A3", title="", columns=columns), "latency_ns", "Latency", {}, shapes=("<i>",))
    assert made is not None
    assert "&lt;b&gt;x&lt;/b&gt;&amp;" in made.data[0]["hovertext"][0]
    assert "&lt;i&gt;" in made.data[0]["hovertext"][0]


def test_profiles_of_one_network_are_told_apart() -> None:
    """Titles are unique, so that a tab belongs to one profile."""
    profiles = [
        made_up_profile("a", ("M",), (1,)),
        made_up_profile("b", ("M",), (1,)),
        made_up_profile("a", ("M",), (1,)),
    ]
    assert titles_of(profiles) == ["a (1)", "b", "a (2)"]


def test_the_table_of_networks_names_them_as_their_panels() -> None:
    """Two profiles of one network can be told apart there, too, and are still compared."""
    one, tables = profiled(("M", "ML"))
    titles = titles_of([one, one])
    panel = overview([one, one], titles, [tables, tables], {})
    names = next(column for column in panel.sheets[0]["columns"] if column["name"] == "network")
    assert names["texts"] == list(titles)
    assert [sheet["id"] for sheet in panel.sheets[1:3]] == ["compare-model", "compare-layers"]


def text(roofs: Roofs) -> str:
    """Return what is printed."""
    stream = io.StringIO()
    show(*roofs_report(roofs), file=stream)
    return stream.getvalue()


def test_measured_and_stated_side_by_side() -> None:
    """Both are shown with their units and what the one is of the other; what is not known is left empty."""
    shown = text(
        Roofs(
            device="NVIDIA H200",
            flops_per_s={"float32": 50e12, "float16": 700e12},
            copied_bytes_per_s=4e12,
            stated_flops_per_s={"float32": 67e12, "int8": 1979e12},
            stated_bytes_per_s=4.8e12,
            source="NVIDIA H200 data sheet",
        )
    )
    lines = {line.split("  ")[0].strip(): line for line in shown.splitlines()}
    for figure in ("50 Tflop/s", "67 Tflop/s", "75 %"):
        assert figure in lines["product of float32"]
    assert "%" not in lines["product of float16"]
    assert "%" not in lines["product of int8"]
    assert "83 %" in lines["copy"]
    assert "12.5 flop/B" in shown
    assert "theoretical: NVIDIA H200 data sheet" in shown


def test_without_stated_ones_no_source_is_named() -> None:
    """What makers do not state is not made up."""
    shown = text(Roofs(device="processor, 1 thread", flops_per_s={"float32": 1e11}, copied_bytes_per_s=2e10))
    assert "theoretical:" not in shown
    assert "100 Gflop/s" in shown
    assert "5 flop/B" in shown


def test_collectives_of_all_ranks_are_on_the_page_of_all(tmp_path: Path) -> None:
    """The first screen of 'analyse' has them, too."""
    paths = [rank_file(tmp_path / f"rank{rank}.json", rank, arrives) for rank, arrives in ((0, 100), (1, 700))]
    profiles = [read_any(path) for path in paths]
    panel = overview(profiles, ["a", "b"], [tables_of(profile, ANALYSES) for profile in profiles], {})
    assert [table["id"] for table in panel.sheets] == ["networks", "ranks"]
