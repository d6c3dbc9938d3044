"""``estimate --interpolate``."""

import dataclasses
import json
import re
from pathlib import Path
from typing import Any

import onnxruntime
import pytest

from dlbricks.harness.cpu import instruction_set
from dlbricks.store.database import ResultStore
from dlbricks.store.submission import submit
from dlbricks.suite.manifest import Benchmark, read_suite, with_digest
from tests.cli.invoking import Run
from tests.store.made_up_run import document

MEASURED, ASKED = "suites/networks/tv_squeezenet1_1.onnx", "suites/networks/tv_resnet18.onnx"
TARGET = ("--target", "onnxruntime-cpu")
ROOT = Path(__file__).parents[2]


@pytest.fixture
def store(dlbricks: Run, tmp_path: Path) -> str:
    """Submit a run of one network in which latencies follow operations and bytes; give the store."""
    suite, url = tmp_path / "suite", f"sqlite:///{tmp_path}/store.sqlite"
    dlbricks("generate", str(ROOT / MEASURED), *TARGET, "-o", str(suite))
    _submit_modelled(dlbricks, suite, "here", url)
    return url


def _submit_modelled(dlbricks: Run, suite: Path, name: str, url: str) -> None:
    made = document(of=read_suite(suite), base_ns=_modelled_ns)
    _on_this_machine(made, name)
    result = suite.with_suffix(".json")
    result.write_text(json.dumps(made), encoding="utf-8")
    dlbricks("submit", str(result), "--suite", str(suite), "--store", url)


def _on_this_machine(made: dict[str, Any], name: str) -> None:
    """Let a result come from this processor and this runtime."""
    made["system"]["name"] = name
    made["runtime"]["version"] = onnxruntime.__version__
    for facts in ("facts_before", "facts_after"):
        made["system"][facts]["cpu"]["instruction_set"] = list(instruction_set())


def _modelled_ns(benchmark: Benchmark, _position: int) -> int:
    """A processor of 50 operations and 10 bytes a nanosecond."""
    return round(2_000 + (benchmark.flops or 0) / 50 + (benchmark.weight_bytes + benchmark.activation_bytes) / 10)


def test_what_was_not_measured_is_guessed_when_asked_for(dlbricks: Run, store: str) -> None:
    """Without --interpolate everything is missing; with it, only the kind of layer that nobody measured."""
    asked = ("estimate", str(ROOT / ASKED), *TARGET, "--system", "here", "--store", store)
    assert "are missing" in dlbricks(*asked, code=1).stderr
    (made,) = json.loads(dlbricks(*asked, "--interpolate", "--allow-missing", "--json").stdout)["networks"]
    assert [row["name"] for row in made["rows"] if row["tier"] == "missing"] == ["Gemm"]
    assert 0 < made["interpolated_layers"] < made["layers"]
    assert made["low_ns"] is made["high_ns"] is None


def test_no_other_system_changes_a_guess(dlbricks: Run, store: str, tmp_path: Path) -> None:
    """A result that says other things of the same sequences leaves another system's estimates bit by bit the same."""
    where = (*TARGET, "--system", "here", "--store", store)
    asked = ("estimate", str(ROOT / ASKED), *where, "--interpolate", "--allow-missing", "--json")
    before = _figures(dlbricks(*asked).stdout)
    known = read_suite(tmp_path / "suite")
    benchmarks = (dataclasses.replace(one, work=one.work // 50, fetched_bytes=0) for one in known.benchmarks)
    forged = with_digest(dataclasses.replace(known, benchmarks=tuple(benchmarks)))
    made = document(of=forged, base_ns=_modelled_ns, seed=9)
    _on_this_machine(made, "rival")
    with ResultStore.open(store) as opened:
        submit(opened, json.dumps(made).encode(), suite=forged)
        assert {one.configuration.system for one in opened.systems()} == {"here", "rival"}
    assert _figures(dlbricks(*asked).stdout) == before


def _figures(text: str) -> Any:
    """All but how far the results lie from those of others, which others decide."""
    document = json.loads(text)
    for network in document["networks"]:
        del network["origin"]["standings"]
    return document


def test_a_network_is_computed_from_the_grid_around_it(dlbricks: Run, store: str, tmp_path: Path) -> None:
    """``grid`` asks for no sequence of the network, and says nothing of counts; estimates follow from it."""
    network, where = str(ROOT / ASKED), (*TARGET, "-H", "1", "--store", store)
    planned = dlbricks("grid", network, *where, "--system", "here", "-o", "grid", "--json")
    dlbricks("generate", network, *TARGET, "-o", "exact")
    asked, exact = read_suite(tmp_path / "grid"), read_suite(tmp_path / "exact")
    sequences = {one.fingerprint for one in asked.benchmarks if one.role == "sequence"}
    assert sequences == set(json.loads(planned.stdout)["plan"]["fingerprints"])
    assert sequences.isdisjoint(one.fingerprint for one in exact.benchmarks if one.role == "sequence")
    assert json.loads(planned.stdout)["commands"][-1].split()[-3] == "--interpolate"
    attacked = ("leakage", "grid", "--zoo", network, "--zoo", str(ROOT / MEASURED))
    leaked = json.loads(dlbricks(*attacked, "--true", Path(network).stem, "--json").stdout)
    assert (leaked["grid"], leaked["identification"]["first"], leaked["identification"]["whole"]) == (2, 1.0, 1)
    assert [one["left"] for one in leaked["depths"]] == [60]
    assert "who makes the grid of 2 points per doubling around the 2 networks" in dlbricks(*attacked).stdout
    _submit_modelled(dlbricks, tmp_path / "grid", "there", store)
    _submit_modelled(dlbricks, tmp_path / "exact", "truth", store)
    guess = ("estimate", network, *where, "--interpolate", "--json", "--system")
    (guessed,) = json.loads(dlbricks(*guess, "there").stdout)["networks"]
    (true,) = json.loads(dlbricks(*guess, "truth").stdout)["networks"]
    assert guessed["interpolated_layers"] > 0 == true["interpolated_layers"]
    assert guessed["low_ns"] < true["total_ns"] < guessed["high_ns"]
    assert guessed["total_ns"] == pytest.approx(true["total_ns"], rel=0.1)
    inf = (*TARGET, "-H", "inf", "--store", store, "--system", "here")
    assert "grid does not work with -H inf" in dlbricks("grid", network, *inf, "-o", "no", code=2).stderr
    assert not (tmp_path / "no").exists()


@pytest.mark.parametrize("verb", ["plan", "coverage", "grid"])
def test_a_system_is_asked_for_in_one_line(dlbricks: Run, store: str, verb: str) -> None:
    """Also where the store exists; those that are there are listed, as those that come with dlbricks are."""
    place = () if verb == "coverage" else ("-o", "no")
    said = dlbricks(verb, str(ROOT / ASKED), "--store", store, *place, code=2).stderr
    assert re.search("--system is missing: choose from amd-epyc-zen4, .*, here\n", said)


def test_a_plan_with_decoys_says_all_that_is_to_be_measured(dlbricks: Run, store: str, tmp_path: Path) -> None:
    """Sequences of decoys count, too, and take their time."""
    network, where = str(ROOT / ASKED), (*TARGET, "-H", "1", "--store", store, "--system", "here", "--json")
    alone = json.loads(dlbricks("plan", network, *where, "-o", "alone").stdout)["plan"]
    public = [str(ROOT / "suites/networks" / f"{name}.onnx") for name in ("tv_alexnet", "tv_squeezenet1_1")]
    decoys = [text for path in public for text in ("--decoys", path)]
    planned = json.loads(dlbricks("plan", network, *where, *decoys, "-o", "hidden").stdout)["plan"]
    held = read_suite(tmp_path / "hidden").benchmarks
    assert planned["fingerprints"] == [one.fingerprint for one in held if one.role == "sequence"]
    assert len(planned["fingerprints"]) > len(alone["fingerprints"])
    assert planned["cost_ns"] > alone["cost_ns"]
