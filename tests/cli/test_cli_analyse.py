import csv
import io
import json
from dataclasses import replace
from pathlib import Path

import pytest

from dlbricks.analysis.catalogue import ANALYSES, chosen
from dlbricks.profile.file import write_profile
from dlbricks.trace.types import Profile
from dlbricks.units import plain
from tests.analysis.made_up import L, costs, made_up
from tests.cli.invoking import Run

SMALL = str(Path(__file__).parents[2] / "suites" / "networks" / "misc_lstm_lm.onnx")
LAYERS = [L(name="a", ns=100, attributes=costs(9, 3, 3)), L(name="b", type="Relu", ns=50)]


def of_batch(batch: int) -> Profile:
    """Make a profile of one batch."""
    return made_up(LAYERS, batch=batch, samples=(100 * batch,) * 3, levels="ML", runtime={"provider": "cpu"})


@pytest.fixture
def kept(tmp_path: Path) -> str:
    """A file of a profile of two batches."""
    made = of_batch(1)
    write_profile(tmp_path / "net.profile.json.gz", replace(made, runs=(*made.runs, *of_batch(2).runs)))
    return "net.profile.json.gz"


@pytest.fixture
def other(tmp_path: Path) -> str:
    """A file of a profile of another network."""
    write_profile(tmp_path / "other.json", replace(of_batch(1), network="../other"))
    return "other.json"


def test_a_measured_network_is_analysed(dlbricks: Run) -> None:
    """From a real profile all analyses that a processor allows are there, the others say what they need."""
    dlbricks("profile", SMALL, "-o", "net.json", "--calls", "3", "--no-roofs")
    made = json.loads(dlbricks("analyse", "net.json", "--json").stdout)
    reasons = {one["id"]: one["unavailable"] for one in made["profiles"][0]["tables"]}
    assert list(reasons) == [one.id for one in chosen(())]
    there = {name for name, reason in reasons.items() if not reason}
    expected = {f"A{number}" for number in (1, 2, 3, 4, 5, 6, 7, 13, 14)} | {"overhead"}
    assert expected <= there
    assert "without kernels" in reasons["A8"]
    answer, found = json.loads(dlbricks("whatif", "net.json", "--json").stdout), made["profiles"][0]["breakdown"]
    assert (found["time_ns"], found["unit"]) == (answer["before"]["time_ns"], "call")
    assert found["path_ns"]["LSTM"] == answer["before"]["shares_ns"]["LSTM"]
    assert [table["id"] for table in found["tables"]] == ["layers", "operators"]


@pytest.mark.parametrize("recording", ["h200/resnet50.profile.json.gz", "kineto_cpu_training.json.gz"])
def test_a_pipe_gets_names_whole(dlbricks: Run, recording: str) -> None:
    """The screen and all analyses have each text of their tables whole, however long it is, with its row in a line."""
    kept = str(Path(__file__).parents[1] / "data" / recording)
    (found,) = json.loads(dlbricks("analyse", kept, "--json").stdout)["profiles"]
    for tables, options in ((found["breakdown"]["tables"], []), (found["tables"], ["--all", "--rows", "0"])):
        shown = dlbricks("analyse", kept, *options).stdout
        columns = [column for table in tables for column in table["columns"] if column["type"] == "str"]
        texts = {text for column in columns for text in column["cells"] if text}
        assert max(map(len, texts)) > 36
        assert not [text for text in texts if f" {plain(text)}" not in shown]


def test_the_screen_is_silent_on_counters_that_it_does_not_need(dlbricks: Run) -> None:
    """What a GPU could not count is a note of the analyses that show counts, and of -v; other notes stay."""
    kept = str(Path(__file__).parents[1] / "data" / "h200" / "resnet50.profile.json.gz")
    screen = dlbricks("analyse", kept).stderr
    assert "those of enqueueing on the host" in screen
    assert "not counted" not in screen
    for more in ("--all", "-v"):
        assert "occupancy was not counted: this GPU cannot" in dlbricks("analyse", kept, more).stderr


def test_text_shows_every_analysis(dlbricks: Run, kept: str) -> None:
    """The first screen is shown alone; with --all each has its table or is named among those that are not there."""
    screen = dlbricks("analyse", kept).stdout
    assert "layers by time" in screen
    assert "A5  " not in screen
    assert len(screen.splitlines()) <= 50
    shown = dlbricks("analyse", kept, "--all").stdout
    assert shown.startswith(screen.partition("more: ")[0].rstrip())
    assert all(one.id in shown for one in ANALYSES)
    assert "not available: needs a run" in shown
    assert "layers by time" not in dlbricks("analyse", kept, "--only", "A5").stdout


def test_analyses_are_chosen(dlbricks: Run, kept: str) -> None:
    """--only takes lists and repeats; an unknown one is refused with those that there are."""
    made = json.loads(dlbricks("analyse", kept, "--only", "a2,A5", "--only", "headroom", "--json").stdout)
    assert [one["id"] for one in made["profiles"][0]["tables"]] == ["A2", "A5", "headroom"]
    assert "choose from A1" in dlbricks("analyse", kept, "--only", "A99", code=2).stderr
    dlbricks("analyse", kept, "--only", "A5,A8")
    for form in ((), ("--json",), ("-o", "out")):
        assert "no table: needs a run" in dlbricks("analyse", kept, "--only", "A8", *form, code=1).stderr


def test_rows_are_limited_on_the_first_screen_too(dlbricks: Run, kept: str) -> None:
    """Its tables have ten rows, or those that --rows says; what a share is of stands in its heading."""
    screen = dlbricks("analyse", kept, "--rows", "1").stdout
    assert "layers by time, 1 of 2" in screen
    assert screen.count("share of layers") == 2
    assert "layers by time, " not in dlbricks("analyse", kept, "--rows", "0").stdout


def test_a_table_is_csv_on_stdout(dlbricks: Run, kept: str) -> None:
    """One table is printed as CSV; several need a folder, one that is not there is refused with its reason."""
    rows = list(csv.DictReader(io.StringIO(dlbricks("analyse", kept, "--only", "A2", "--format", "csv").stdout)))
    assert [row["layer"] for row in rows] == ["a", "b"]
    assert "-o" in dlbricks("analyse", kept, "--format", "csv", code=2).stderr
    assert "levels MLK" in dlbricks("analyse", kept, "--only", "A8", "--format", "csv", code=2).stderr


@pytest.mark.parametrize(("form", "suffix"), [("csv", "csv"), ("text", "txt")])
def test_tables_are_written_into_a_folder(dlbricks: Run, tmp_path: Path, kept: str, form: str, suffix: str) -> None:
    """A file for each table; stdout stays empty, what is missing goes to stderr."""
    result = dlbricks("analyse", kept, "--format", form, "-o", "out")
    assert (tmp_path / "out" / f"A2.{suffix}").is_file()
    assert (tmp_path / "out" / f"A8.{suffix}").is_file() == (form == "text")
    assert result.stdout == ""
    assert "A8" in result.stderr
    line = "error: out has files: pass another folder to -o, or --force to replace its tables\n"
    assert dlbricks("analyse", kept, "--format", form, "-o", "out", code=2).stderr == line
    dlbricks("analyse", kept, "--format", form, "-o", "out", "--force")


def test_a_batch_is_chosen(dlbricks: Run, kept: str) -> None:
    """Without --batch the smallest one counts; a batch that was not measured is refused with those that were."""
    made = json.loads(dlbricks("analyse", kept, "--only", "A1", "--batch", "2", "--json").stdout)
    columns = {one["name"]: one["cells"] for one in made["profiles"][0]["tables"][0]["columns"]}
    assert (columns["batch"], columns["latency_ns"]) == ([2], [200])
    assert "choose from 1, 2" in dlbricks("analyse", kept, "--batch", "3", code=2).stderr


def test_several_networks_are_rows(dlbricks: Run, tmp_path: Path, kept: str, other: str) -> None:
    """One row each, tables of each only where they are asked for; files of each in a folder within the one named."""
    made = json.loads(dlbricks("analyse", kept, other, "--json").stdout)
    assert made["tables"][0]["columns"][0]["cells"] == ["net", "../other"]
    assert made["profiles"] == []
    shown = dlbricks("analyse", kept, other, "--only", "A5", "--format", "text").stdout
    assert shown.count("A5  ") == 2
    dlbricks("analyse", kept, other, "--format", "csv", "-o", "out")
    assert (tmp_path / "out" / "networks.csv").is_file()
    assert (tmp_path / "out" / "net" / "A2.csv").is_file()
    assert (tmp_path / "out" / "__other" / "A2.csv").is_file()
    twice = json.loads(dlbricks("analyse", kept, kept, "--only", "A5", "--json").stdout)
    assert [one["network"] for one in twice["profiles"]] == [f"net ({kept})"] * 2
    assert "different folders" in dlbricks("analyse", kept, kept, "-o", "twice", code=2).stderr


def test_two_profiles_are_compared(dlbricks: Run, kept: str, other: str) -> None:
    """Calls, layers and types beside each other; one file, three files or --only are refused."""
    result = dlbricks("analyse", kept, other, "--compare", "--json")
    assert f"a is {kept}, b is {other}" in result.stderr
    made = json.loads(result.stdout)
    assert [one["id"] for one in made["tables"]] == [
        "compare-model", "compare-layers", "compare-types", "compare-kernels",
    ]  # fmt: skip
    for files in ((kept,), (kept, other, kept)):
        assert "exactly two files" in dlbricks("analyse", *files, "--compare", code=2).stderr
    assert "cannot be used with --only" in dlbricks("analyse", kept, other, "--compare", "--only", "A1", code=2).stderr


def test_two_formats_are_refused(dlbricks: Run, kept: str) -> None:
    """--json is a format."""
    assert "exclude each other" in dlbricks("analyse", kept, "--json", "--format", "csv", code=2).stderr


def test_tables_are_sorted_in_every_format(dlbricks: Run, kept: str) -> None:
    """--sort takes headings and names of columns, - turns it round."""
    asked = ("analyse", kept, "--only", "A2", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(dlbricks(*asked, "--sort", "latency").stdout)))
    assert [row["layer"] for row in rows] == ["b", "a"]
    rows = list(csv.DictReader(io.StringIO(dlbricks(*asked, "--sort", "-latency_ns").stdout)))
    assert [row["layer"] for row in rows] == ["a", "b"]
    refused = dlbricks(*asked, "--sort", "colour", code=2).stderr
    assert "invalid --sort 'colour'" in refused
    assert "latency_ns" in refused


def test_what_readers_put_in_order_is_shown_with_v_alone(dlbricks: Run, tmp_path: Path) -> None:
    """Usual in recordings: spans that begin inside another one and end after it, and events of other kinds."""
    call = {"cat": "Session", "name": "model_run", "pid": 1, "tid": 1, "ts": 0, "dur": 9, "ph": "X", "args": {}}
    (tmp_path / "ort.json").write_text(json.dumps([call, {**call, "cat": "Api", "name": "enqueue"}]))
    for path, said in (
        (Path(__file__).parents[1] / "data" / "kineto_cpu_training.json.gz", "started inside another span of"),
        (tmp_path / "ort.json", "events of unknown kinds (Api) are left out: 1"),
    ):
        assert said in dlbricks("analyse", str(path), "--only", "A1", "-v").stderr
        assert said not in dlbricks("analyse", str(path), "--only", "A1").stderr
        assert said not in dlbricks("export", str(path), "-o", str(tmp_path / "out.json"), "--force").stderr
