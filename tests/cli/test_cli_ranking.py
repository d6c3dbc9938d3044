"""``estimate`` without ``--system``: all systems of the store and of the bundle that ships with the package."""

import json
import os
import re
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from dlbricks.api.networks import split_among
from dlbricks.construct.compose import compose
from dlbricks.construct.types import Composition
from dlbricks.harness.cpu import block_of
from dlbricks.sequences.types import Split
from dlbricks.settings import SplitSettings
from dlbricks.store.bundle import SHIPPED, Bundle
from dlbricks.store.database import ResultStore
from dlbricks.suite.manifest import Benchmark, read_suite
from tests.cli.invoking import Run
from tests.store.made_up_run import document

NETWORKS = Path(__file__).parents[2] / "suites" / "networks"
SMALL = str(NETWORKS / "tv_squeezenet1_1.onnx")


def listed(dlbricks: Run, *arguments: str, code: int = 0) -> list[dict[str, Any]]:
    """Estimates on all systems as ``--json`` prints them."""
    rows: list[dict[str, Any]] = json.loads(dlbricks("estimate", *arguments, "--json", code=code).stdout)["networks"]
    return rows


def _modelled_ns(benchmark: Benchmark, _position: int) -> int:
    """A processor of 50 operations and 10 bytes a nanosecond."""
    return round(2_000 + (benchmark.flops or 0) / 50 + (benchmark.weight_bytes + benchmark.activation_bytes) / 10)


def places(rows: list[dict[str, Any]]) -> set[tuple[str, str, int]]:
    known = [row["configuration"] for row in rows]
    return {(each["system"], each["runtime"].split()[0], each["threads"]) for each in known}


def test_shipped_systems_are_listed_fastest_first(dlbricks: Run) -> None:
    """All of them, without a store: a network that they measured needs no similar parts, and says what to expect."""
    rows = listed(dlbricks, SMALL)
    assert len(rows) == len(Bundle.open(SHIPPED, lambda _: "").systems())
    assert [row["total_ns"] for row in rows] == sorted(row["total_ns"] for row in rows)
    assert all(row["published"] and row["processor"] and row["expected"]["networks"] > 10 for row in rows)
    onnxruntime = [row for row in rows if row["configuration"]["runtime"].startswith("onnxruntime")]
    assert {row["interpolated_layers"] for row in onnxruntime} == {0}
    assert not any(row["missing"] for row in onnxruntime)
    assert not Path(os.environ["DLBRICKS_STORE"].removeprefix("sqlite:///")).exists()
    shown = dlbricks("estimate", SMALL).stdout
    first = rows[0]["configuration"]
    head = re.escape(f"tv_squeezenet1_1: fastest on {first['system']} ({first['runtime']}, cpu, ")
    assert re.match(head + r"\d threads?\), expected error [\d.]+% median, [\d.]+% at the 90th percentile", shown)
    assert all(f" {row['configuration']['system']} " in shown for row in rows)
    more = shlex.split(shown.splitlines()[-1])
    assert "by sequence" in dlbricks("estimate", SMALL, *more[: more.index("shows")]).stdout


def test_processors_with_equal_blocks_share_a_split(dlbricks: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A network is lowered and composed once for all processors for which onnxruntime makes the same graph."""
    chosen, composed = list[SplitSettings](), list[Split]()

    def counting(paths: Sequence[Path], path: Path, settings: SplitSettings) -> Split:
        chosen.append(settings)
        return split_among(paths, path, settings)

    def composing(network: Split, *, pairs: bool) -> Composition:
        composed.append(network)
        return compose(network, pairs=pairs)

    monkeypatch.setattr("dlbricks.api.estimates.split_among", counting)
    monkeypatch.setattr("dlbricks.construct.compose.compose", composing)
    rows = listed(dlbricks, SMALL, "--runtime", "onnxruntime")
    codes = {tuple(row["configuration"]["instruction_set"]) for row in rows}
    assert len(codes) > len(chosen) == len(composed) == len({block_of(code) for code in codes})
    assert not any("instruction set" in text for row in rows for text in row["mismatch"])


def test_shipped_systems_need_no_further_package(dlbricks: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """The extra of the first answer has no pyarrow; ``systems`` lists them, and a wrong name gets theirs as advice."""
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert len(listed(dlbricks, SMALL, "--threads", "2")) == 3
    assert "does not exist: 'dlbricks submit' creates it" in dlbricks("systems").stderr
    assert "does not exist" in dlbricks("systems", "--all", code=2).stderr
    known = json.loads(dlbricks("systems", "--json").stdout)
    assert known["systems"] == []
    assert ("intel-xeon-amx", "onnxruntime", 1) in places(known["shipped"])
    assert "Intel Xeon (with AMX), 2 cores" in dlbricks("systems").stdout
    wrong = dlbricks("estimate", SMALL, "--system", "amd-epyc", code=2).stderr
    assert "has no results of system amd-epyc: similar names are amd-epyc-zen" in wrong
    wrong = dlbricks("estimate", SMALL, "--system", "nosuch", code=2).stderr
    assert "which does not exist, has no results of system nosuch: choose from amd-epyc-zen4, " in wrong
    own = next(row["configuration"] for row in listed(dlbricks, SMALL) if not row["mismatch"])
    where = ("--system", own["system"], "--runtime", own["runtime"], "--threads", str(own["threads"]))
    assert json.loads(dlbricks("whatif", SMALL, *where, "--advise", "--json").stdout)["advice"]


def test_what_no_system_measured_is_predicted_from_similar_parts(dlbricks: Run) -> None:
    """With a batch that was never measured, filtered by runtime and threads; the first line says so."""
    only = (SMALL, "--batch", "3", "--runtime", "onnxruntime", "--threads", "2")
    for row in listed(dlbricks, *only):
        assert row["covered_layers"] < row["layers"] == row["covered_layers"] + row["interpolated_layers"]
        assert 0 < row["low_ns"] < row["total_ns"] < row["high_ns"]
        assert (row["expected"]["median"], row["expected"]["networks"]) == (None, 0), "errors are of measured parts"
    first = dlbricks("estimate", *only).stdout.splitlines()[0]
    assert "expected error unknown: not validated for mostly similar parts" in first


def test_own_systems_are_listed_among_those_that_ship(dlbricks: Run, tmp_path: Path) -> None:
    """One network that cannot be split is named and ends no other; a bundle is listed alone."""
    dlbricks("generate", SMALL, "--target", "portable", "-o", "suite")
    made = document(of=read_suite(tmp_path / "suite"), base_ns=_modelled_ns)
    made["system"]["name"] = "my-lab"
    (tmp_path / "r.json").write_text(json.dumps(made), encoding="utf-8")
    dlbricks("submit", "r.json", "--suite", "suite")
    broken = tmp_path / "broken.onnx"
    broken.write_bytes(b"no network")
    result = dlbricks("estimate", str(broken), SMALL, "--threads", "1", "--runtime", "onnxruntime", "--json", code=1)
    rows = json.loads(result.stdout)["networks"]
    assert ("my-lab", "onnxruntime", 1) in places(rows)
    assert ("amd-epyc-zen4", "onnxruntime", 1) in places(rows)
    assert {row["network"] for row in rows} == {"tv_squeezenet1_1"}
    (own,) = [row for row in rows if row["configuration"]["system"] == "my-lab"]
    assert not own["published"]
    assert own["processor"]
    assert f"left out: {broken} is not an ONNX file" in result.stderr
    assert list(json.loads(result.stdout)["left_out"]) == [str(broken)]
    dlbricks("publish", os.environ["DLBRICKS_STORE"].removeprefix("sqlite:///"), "-o", "mine.parquet")
    assert places(listed(dlbricks, SMALL, "--bundle", "mine.parquet")) == {("my-lab", "onnxruntime", 1)}
    assert "no known system has threads 77" in dlbricks("estimate", SMALL, "--threads", "77", code=2).stderr


def test_smoke_tests_are_never_the_fastest_and_say_so(dlbricks: Run, tmp_path: Path) -> None:
    """Their one visit may be far off, so they stand behind what was measured."""
    dlbricks("generate", SMALL, "--target", "portable", "-o", "suite")
    made = document(of=read_suite(tmp_path / "suite"), base_ns=_modelled_ns)
    made["options"]["smoke"] = True
    (tmp_path / "r.json").write_text(json.dumps(made), encoding="utf-8")
    dlbricks("submit", "r.json", "--suite", "suite")
    only = (SMALL, "--threads", "1", "--runtime", "onnxruntime")
    own = listed(dlbricks, *only)[-1]
    assert (own["published"], own["origin"]["smoke"], own["expected"]["median"]) == (False, 1, None)
    assert "from smoke tests, which may be several times too high: " in dlbricks("estimate", *only).stdout
    alone = dlbricks("estimate", SMALL, "--system", made["system"]["name"]).stdout.splitlines()[0]
    assert "expected error unknown: not validated for smoke tests" in alone, (
        "errors of full runs would be read as those of it"
    )


def test_a_network_alone_that_cannot_be_split_is_bad_input(dlbricks: Run) -> None:
    """As where a system is named: one line, exit code 2."""
    shown = dlbricks("estimate", str(NETWORKS / "leg_tv_resnet50.onnx"), "--runtime", "onnxruntime", code=2).stderr
    assert "unbound dimensions: batch" in shown.splitlines()[-1]


def test_a_shipped_system_is_known_by_name_to_other_verbs(dlbricks: Run) -> None:
    """Also beside a store that lacks it; the first line of an estimate names system, threads and error."""
    where = ("--system", "amd-epyc-zen4", "--threads", "2", "--runtime", "onnxruntime")
    with ResultStore.open(os.environ["DLBRICKS_STORE"], create=True):
        pass
    shown = dlbricks("estimate", SMALL, *where, "--allow-mismatch").stdout.splitlines()[0]
    assert re.match(r"on amd-epyc-zen4 \(onnxruntime [\d.]+, cpu, 2 threads\), expected error [\d.]+% median", shown)


@pytest.mark.parametrize("words", [("--runtime", "openvino", "--runtime", "onnxruntime")])
def test_several_runtimes_need_a_system(dlbricks: Run, words: tuple[str, ...]) -> None:
    """Runtimes are compared on one system; a list has all of them."""
    assert "several --runtime need --system" in dlbricks("estimate", SMALL, *words, code=2).stderr


def test_prompts_of_decoders_need_a_system(dlbricks: Run) -> None:
    """The lengths to compose from are those of one system."""
    asked = ("llm", "estimate", str(NETWORKS / "misc_llama_decode.onnx"), "--prompt", "8")
    assert "--prompt works for one system" in dlbricks(*asked, code=2).stderr
