"""``dlbricks export``, from files of every kind to files of every format."""

import gzip
import json
from pathlib import Path

import pytest

from tests.cli.invoking import Run
from tests.profile.small import convolutions
from tests.trace.export.whole import NOW, whole


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Profile a small network once."""
    from click.testing import CliRunner

    from dlbricks.cli.app import main

    folder = tmp_path_factory.mktemp("profile")
    path = folder / "small.json"
    done = CliRunner().invoke(
        main, ["profile", str(convolutions(folder)), "--calls", "3", "--no-roofs", "-o", str(path)]
    )
    assert done.exit_code == 0, done.output
    return path


@pytest.mark.parametrize("out", ["t.json", "t.json.gz", "t.jsonl", "t.jsonl.gz"])
def test_a_profile_becomes_any_format(dlbricks: Run, measured: Path, tmp_path: Path, out: str) -> None:
    """What was measured is written, each run under its name, and the file says how much it holds."""
    made = json.loads(dlbricks("export", str(measured), "-o", out, "--json").stdout)
    assert [part["name"] for part in made["parts"]] == ["M", "ML"]
    assert all(part["spans"] for part in made["parts"])
    data = (tmp_path / out).read_bytes()
    text = gzip.decompress(data) if out.endswith(".gz") else data
    assert b"second" in text
    assert b"M: process" in text


def test_what_was_written_can_be_read_again(dlbricks: Run, measured: Path) -> None:
    """A Chrome JSON of ours is a trace like that of others: same spans, same times."""
    first = json.loads(dlbricks("export", str(measured), "-o", "a.json", "--json").stdout)
    again = json.loads(dlbricks("export", "a.json", "-o", "b.json", "--json").stdout)
    assert sum(part["spans"] for part in again["parts"]) == sum(part["spans"] for part in first["parts"])


def test_ranks_are_joined_on_request(dlbricks: Run, tmp_path: Path) -> None:
    """Two files become one line of time; what is wrong with the trace is told on stderr, not on stdout."""
    from dlbricks.trace.export import ExportPart, write_chrome

    for number in (0, 1):
        write_chrome([ExportPart(trace=whole(NOW + 1000 * number))], tmp_path / f"rank{number}.json")
    result = dlbricks("export", "rank0.json", "rank1.json", "--joined", "-o", "both.json")
    assert "14 spans" in result.stdout
    assert len(result.stdout.splitlines()) == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nowhere.json", "-o", "t.json"], "nowhere.json"),
        (["nowhere.json", "-o", "t.txt"], "--format"),
        (["nowhere.json"], "nowhere.json"),
        ([str(Path(__file__).parents[1] / "data" / "kineto_cpu_training.json.gz")], "-o is missing: name the file"),
        (["nowhere.json", "-o", "t.json", "--format", "svg"], "otlp"),
    ],
)
def test_mistakes_are_one_line(dlbricks: Run, arguments: list[str], message: str, tmp_path: Path) -> None:
    """A mistake is told in one line, and nothing is written."""
    result = dlbricks("export", *arguments, code=2)
    assert message in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1
    assert list(tmp_path.glob("t.*")) == []
