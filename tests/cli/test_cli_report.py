import json
import re
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from dlbricks.profile.file import write_profile
from dlbricks.trace.build import with_columns
from tests.cli.invoking import Run
from tests.report.made_up_profile import made_up_profile


def content(path: Path) -> dict[str, Any]:
    """Give what a page holds for its script."""
    text = path.read_text(encoding="utf-8").partition('id="content">')[2].partition("</script>")[0]
    made: dict[str, Any] = json.loads(text)
    return made


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """A file of a profile."""
    path = tmp_path / "net.profile.json.gz"
    write_profile(path, made_up_profile("net", ("M", "ML"), (1,)))
    return path


def test_a_report_of_a_profile(dlbricks: Run, tmp_path: Path, kept: Path) -> None:
    """One file gives one panel, with its charts and tables; stdout names the page."""
    assert dlbricks("report", str(kept), "-o", "page.html", "--title", "My <title>").stdout == "page.html: the page\n"
    assert [one["id"] for one in content(tmp_path / "page.html")["panels"]] == ["panel-0"]
    assert "<title>My &lt;title&gt;</title>" in (tmp_path / "page.html").read_text(encoding="utf-8")


def test_json_tells_what_is_on_the_page(dlbricks: Run, kept: Path) -> None:
    """Charts, tables, and what is not there with its reason; every analysis is one or the other."""
    document = json.loads(dlbricks("report", str(kept), "--json").stdout)
    assert document["page"] == "report.html"
    panel = document["panels"][0]
    assert "Latency by layer" in panel["charts"]
    assert {"A1", "A2", "A3", "A14"} <= set(panel["tables"])
    assert "MLK" in panel["unavailable"]["A8"]


def test_what_is_wrong_with_a_trace_is_on_the_page_and_on_stderr(dlbricks: Run, tmp_path: Path) -> None:
    """Notes of the traces of runs stand beside those of the profile, each once."""
    made = made_up_profile("net", ("M", "ML"), (1,), notes=("no kernels",))
    runs = [replace(run, trace=with_columns(run.trace, "records were dropped")) for run in made.runs]
    path = tmp_path / "noted.profile.json.gz"
    write_profile(path, replace(made, runs=tuple(runs)))
    result = dlbricks("report", str(path), "--json")
    assert json.loads(result.stdout)["panels"][0]["notes"] == ["no kernels", "records were dropped"]
    assert result.stderr.splitlines() == ["net: no kernels", "net: records were dropped"]


def test_several_files_stand_beside_each_other(dlbricks: Run, tmp_path: Path, kept: Path) -> None:
    """Two profiles give three panels; of one network they are compared in the first."""
    dlbricks("report", str(kept), str(kept))
    panels = content(tmp_path / "report.html")["panels"]
    assert len(panels) == 3
    assert {"networks", "compare-layers"} <= {sheet["id"] for sheet in panels[0]["sheets"]}


def test_a_prediction_is_shown_as_one(dlbricks: Run, tmp_path: Path) -> None:
    """The page of timelines has the answer with its own interval, no charts and tables; other verbs refuse the file."""
    trace = str(Path(__file__).parents[1] / "data" / "kineto_cpu_training.json.gz")
    answer = dlbricks("whatif", trace, "--apply", "scale:0.5,kind=cpu", "-o", "after.json").stdout
    dlbricks("report", "after.json", "-o", "page.html")
    text = (tmp_path / "page.html").read_text(encoding="utf-8").partition('id="content"')[0]
    lines = re.findall(r"<p>(.*)</p>", text.partition('class="lead"')[2])
    assert lines[0] == "a prediction, not a measurement"
    assert "kineto_cpu_training, median of 2 steps" in lines
    assert next(line for line in answer.splitlines() if "x faster" in line) in lines
    assert "95 %" not in text
    panel = content(tmp_path / "page.html")["panels"][0]
    assert (panel["figures"], panel["sheets"]) == ([], [])
    assert {lane["title"].partition(":")[0] for lane in panel["timeline"]["lanes"]} == {"before", "after"}
    for verb in ("analyse", "whatif"):
        assert "timelines of a prediction, not a recording" in dlbricks(verb, "after.json", code=2).stderr
    damaged = (tmp_path / "after.json").read_text(encoding="utf-8").replace('"gain":', '"loss":', 1)
    (tmp_path / "after.json").write_text(damaged, encoding="utf-8")
    assert "gain" in dlbricks("report", "after.json", code=2).stderr


def test_the_ranking_of_advice_is_on_its_page(dlbricks: Run, tmp_path: Path) -> None:
    """The best change is shown as an answer, the ranking below."""
    trace = str(Path(__file__).parents[1] / "data" / "kineto_cpu_training.json.gz")
    dlbricks("whatif", trace, "--advise", "-o", "best.json.gz")
    dlbricks("report", "best.json.gz")
    text = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "a prediction, not a measurement" in text
    assert "time after" in text  # a column of the ranking


def test_what_is_no_profile_is_refused(dlbricks: Run, tmp_path: Path, kept: Path) -> None:
    """A missing file, and one that holds something else, each in one line; nothing is written."""
    (tmp_path / "other.txt").write_text("hello")
    for name in ("missing.json", "other.txt"):
        error = dlbricks("report", str(kept), name, code=2).stderr
        assert name in error
        assert error.count("\n") == 1
    assert not (tmp_path / "report.html").exists()


def test_a_missing_plotly_is_named(dlbricks: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, kept: Path) -> None:
    """Without the extra the message says which one brings it, before anything is read or written."""
    from dlbricks.report.html import plotly_script

    plotly_script.cache_clear()
    monkeypatch.setitem(sys.modules, "plotly", None)
    monkeypatch.setitem(sys.modules, "plotly.offline", None)
    assert "dlbricks[report]" in dlbricks("report", str(kept), code=3).stderr
    assert not (tmp_path / "report.html").exists()


def test_a_place_that_cannot_be_written(dlbricks: Run, tmp_path: Path, kept: Path) -> None:
    """A page below a file is refused with its name."""
    (tmp_path / "file").write_text("")
    assert "cannot write file/page.html" in dlbricks("report", str(kept), "-o", "file/page.html", code=2).stderr
