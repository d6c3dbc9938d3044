import io
import json
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from dlbricks.api.profiles import ProfiledNetworks
from dlbricks.report import console
from dlbricks.report.console import _lines, parts, progress, show, table, to_json
from dlbricks.report.tables import profiles_report
from dlbricks.report.validation import progress_prefix, validation_report
from dlbricks.validate.measure import Position
from tests.analysis.made_up import L, made_up
from tests.report.made_up_profile import networks

VALIDATION = networks([("tv_resnet50", 41_500_000, 43_000_000)])


def test_pipes_get_each_row_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a pipe there are no colours, rows are single lines without padding at the end, and no column is apart."""
    monkeypatch.setenv("COLUMNS", "80")
    made = table("name [x]", *(f">figure {place}" for place in range(20)), title="of [y]")
    made.add_row("[z]" + "x" * 100, *(f"{place}.25 ms" for place in range(20)))
    narrow = table("name", title="a title " * 20 + "in a line")
    narrow.add_row("short")
    stream = io.StringIO()
    show("[bold] stays as it is", made, narrow, file=stream)
    text = stream.getvalue()
    assert "\x1b" not in text
    assert "[bold] stays as it is" in text
    assert text.count("x") == 101
    assert "[z]" in text
    assert "name [x]" in text
    assert "of [y]" in text
    assert "a title " * 20 + "in a line\n" in text
    (row,) = (line for line in text.splitlines() if ".25 ms" in line)
    assert row.split()[::2] == ["[z]" + "x" * 100, *["ms"] * 20]
    assert not any(line.endswith(" ") for line in text.splitlines())


def test_a_narrow_terminal_gets_wide_tables_in_parts() -> None:
    """No figure is cut and no column dropped: each part has room, and begins with what a row is of."""
    made = table("network", ">batch", *(f">figure {place}" for place in range(12)), title="wide", keys=2)
    made.add_row("a_network_of_the_longest_name", "16", *(f"{place}.25 ms" for place in range(12)))
    console = Console(file=io.StringIO(), width=60)
    shown = parts(made, console)
    assert len(shown) > 1
    assert [part.title and str(part.title) for part in shown] == ["wide", *[None] * (len(shown) - 1)]
    for part in shown:
        assert [str(column.header) for column in part.columns][:2] == ["network", "batch"]
        console.print(part)
    text = console.file.getvalue()  # type: ignore[attr-defined]
    assert "…" not in text
    assert max(map(len, text.splitlines())) <= 60
    for place in range(12):
        assert text.count(f" {place}.25 ms") == 1
    assert parts(made, Console(file=io.StringIO(), width=300)) == [made]


def test_a_validation_tells_its_figures() -> None:
    """Measured, estimated, ratio and cost are in the table, with units."""
    stream = io.StringIO()
    show(*validation_report(VALIDATION), file=stream)
    text = stream.getvalue()
    for figure in ("tv_resnet50", "41.5 ms", "43 ms", "1.036", "0.50%", "10.00 times"):
        assert figure in text


def test_networks_that_are_left_take_as_long_as_those_before() -> None:
    """A network alone and the first of several have no time left."""
    at = Position(model="net", index=1, total=3, elapsed_ns=4_000_000_000)
    assert progress_prefix(at) == "net (2 of 3, 8 s for the rest) "
    assert progress_prefix(replace(at, index=0, elapsed_ns=0)) == "net (1 of 3) "
    assert progress_prefix(replace(at, index=0, total=1, elapsed_ns=0)) == "net "


def test_notes_of_several_profiles_say_whose_they_are() -> None:
    """What all of them say is said once."""
    one = made_up([L(name="a")])
    first = replace(one, network="first", notes=("no kernels", "3 of 30 calls"))
    second = replace(one, network="second", notes=("no kernels", "5 of 30 calls"))
    profiled = ProfiledNetworks(profiles={Path("a"): first, Path("b"): second}, files={Path("b"): Path("p")}, failed={})
    notes = ["no kernels", "first, 3 of 30 calls", "second, 5 of 30 calls"]
    assert profiles_report(profiled, rows=1)[-4:] == [*notes, "p: the profile"]
    alone = replace(profiled, profiles={Path("a"): first})
    assert profiles_report(alone, rows=1)[-2:] == ["no kernels", "3 of 30 calls"]


def test_nouns_become_json() -> None:
    """Documents say what they are; fields keep their names, tuples become lists."""
    made = json.loads(to_json("coverage", {"networks": (VALIDATION,)}))
    assert list(made) == ["format", "schema_version", "networks"]
    assert (made["format"], made["schema_version"]) == ("dlbricks-coverage", 2)
    assert made["networks"][0]["networks"][0]["network"] == "tv_resnet50"


def test_plain_progress_is_sparing(capsys: pytest.CaptureFixture[str]) -> None:
    """Outside a terminal a phase tells its end, and what lies between only every ten seconds."""
    moments = iter([0.0, 1.0, 2.0, 11.0, 11.0, 12.0])
    advance = _lines(lambda: next(moments))
    for done in (1, 2, 3, 4):
        advance("networks", f"networks {done} of 4", done, 4, done == 4)
    assert capsys.readouterr().err == "networks 3 of 4\nnetworks 4 of 4\n"


def test_progress_states_the_time_left(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Of each phase, from what its items have taken since the first: the rest takes as long for each."""
    monkeypatch.setattr(console, "PLAIN_EVERY_S", 0.0)
    now_ns = [0]
    monkeypatch.setattr("time.monotonic_ns", lambda: now_ns[0])
    with progress() as advance:
        for second, phase, done in ((0, "a", 1), (2, "a", 2), (20, "a", 4), (30, "b", 1), (40, "b", 2)):
            now_ns[0] = second * 10**9
            advance(phase, done, 4)
    assert capsys.readouterr().err.splitlines() == [
        "a 1 of 4",
        "a 2 of 4, 4 s left",
        "a 4 of 4",
        "b 1 of 4",
        "b 2 of 4, 20 s left",
    ]
