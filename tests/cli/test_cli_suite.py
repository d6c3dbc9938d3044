"""Suites on the command line: trained values stay, and attacks on a suite are shown."""

import gzip
import json
import re
from pathlib import Path

from dlbricks.harness.run.files import is_reference
from tests.cli.invoking import Run
from tests.suite.planting import classical_networks, secrets_of, written_network


def test_no_file_of_the_whole_way_holds_a_secret(dlbricks: Run, tmp_path: Path) -> None:
    """What is trained is in no byte of a suite, a result, a plan, a grid, a bundle, a single benchmark or a report."""
    secrets = secrets_of(7)
    networks = tmp_path / "networks"
    networks.mkdir()
    (networks / "first.onnx").write_bytes(written_network(secrets).SerializeToString())
    trees = dict(classical_networks(secrets))["trees"]
    (networks / "trees.onnx").write_bytes(trees.SerializeToString())
    first, both = str(networks / "first.onnx"), str(networks)
    dlbricks("generate", first, "-o", "suite", "--target", "portable")
    dlbricks("generate", both, "-o", "packed.tar.gz", "--pack", "--target", "portable")
    dlbricks("run", "suite", "-o", "result.json", "--name", "here", "--smoke", "--trace", "ML")
    dlbricks("submit", "result.json", "--suite", "suite")
    planned = dlbricks("plan", both, "--system", "here", "-o", "plan", "--json").stdout
    estimated = dlbricks("estimate", both, "--system", "here", "--allow-missing", "--json").stdout
    dlbricks("report", "result.json", "-o", "report.html")
    dlbricks("grid", first, "--system", "here", "-o", "grid")
    dlbricks("publish", f"sqlite:///{tmp_path / 'store.sqlite'}", "-o", "bundle.parquet")
    fingerprint = next((tmp_path / "plan" / "networks").glob("*.onnx")).stem
    dlbricks("extract", "plan", fingerprint, "-o", "single.pyz")
    shared = [path for path in tmp_path.rglob("*") if path.is_file() and networks not in path.parents]
    data = [gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes() for path in shared]
    names = {path.relative_to(tmp_path).parts[0] for path in shared}
    assert names >= {
        "suite",
        "packed.tar.gz",
        "result.json",
        "plan",
        "report.html",
        "single.pyz",
        "grid",
        "bundle.parquet",
    }
    weights = [one for path, one in zip(shared, data, strict=True) if not path.name.startswith("weights.")]
    everything = b"\n".join((*weights, planned.encode(), estimated.encode()))
    assert secrets.integers
    assert [one for one in secrets.found_in(everything) if not isinstance(one, float)] == []
    assert [
        one for one in secrets.floats if repr(one)[:9].encode() in everything or one.hex().encode() in everything
    ] == []


def test_several_numbers_of_threads_are_measured_by_one_command(dlbricks: Run, tmp_path: Path) -> None:
    """Each has a result, which ``check`` and ``submit`` take together; nothing is measured if one exists already."""
    dlbricks("generate", str(NETWORKS / "misc_lstm_lm.onnx"), "-o", "suite")
    arguments = ("run", "suite", "-o", "r.json", "--name", "here", "--smoke", "--threads", "2,1")
    shown = dlbricks(*arguments).stdout.splitlines()
    assert "1 thread: " in shown[0]
    files = ("r.threads-1.json", "r.threads-2.json")
    assert [json.loads(Path(file).read_text())["runtime"]["threads"] for file in files] == [1, 2]
    assert [line for line in shown if line.endswith(": the result")] == [f"{file}: the result" for file in files]
    Path("other.json").write_text("{}", encoding="utf-8")
    assert "other.json is not a result of a run" in dlbricks("check", files[0], "other.json", code=2).stderr
    checked = json.loads(dlbricks("check", *files, "--json").stdout)
    assert list(checked["results"]) == list(files)
    sent = json.loads(dlbricks("submit", *files, "--suite", "suite", "--json").stdout)
    assert sorted(sent["receipts"]) == list(files)
    assert {
        system["configuration"]["threads"] for system in json.loads(dlbricks("systems", "--json").stdout)["systems"]
    } == {1, 2}
    (tmp_path / files[0]).unlink()
    (tmp_path / files[1]).write_text((tmp_path / files[1]).read_text().replace('"smoke":true', '"smoke":false'))
    assert f"{files[1]} holds a result" in dlbricks(*arguments, code=2).stderr
    assert not (tmp_path / files[0]).exists()
    (tmp_path / files[1]).unlink()
    once = json.loads(dlbricks(*arguments[:-1], "2,2", "--json").stdout)
    counted = [entry for entry in json.loads(Path(files[1]).read_text())["benchmarks"] if not is_reference(entry)]
    assert (once["result"], once["benchmarks"]) == (files[1], len(counted))
    assert sum(once["verdicts"].values()) == len(counted)
    kinds = re.findall(r"(\d+) (?:stable|noisy|drifting|too short)", shown[0])
    assert sum(map(int, kinds)) == len(counted)
    for wrong in ("0", "1,few", ""):
        assert "invalid threads" in dlbricks("run", "suite", "-o", "x.json", "--threads", wrong, code=2).stderr


NETWORKS = Path(__file__).parents[2] / "suites" / "networks"
ZOO = ("tv_squeezenet1_1", "tv_resnet18", "misc_lstm_lm", "tv_alexnet")


def test_a_network_is_found_in_its_suite(dlbricks: Run, tmp_path: Path) -> None:
    """The true network and its decoy share the first place; sizes, cost and a sentence are shown."""
    zoo = tmp_path / "zoo"
    zoo.mkdir()
    for name in ZOO:
        (zoo / f"{name}.onnx").write_bytes((NETWORKS / f"{name}.onnx").read_bytes())
    dlbricks("generate", str(zoo / "tv_resnet18.onnx"), "-o", "suite", "--decoys", str(zoo / "tv_squeezenet1_1.onnx"))
    asked = ("leakage", "suite", "--zoo", str(zoo), "--true", "tv_resnet18")
    made = json.loads(dlbricks(*asked, "--json").stdout)
    assert made["identification"]["ranked"][0] == {"network": "tv_resnet18", "score": 1.0}
    assert (made["identification"]["first"], made["identification"]["whole"], made["zoo"]) == (0.5, 2, 4)
    sizes = {one["figure"]: one["guess"] for one in made["sizes"]}
    assert sizes["resolution"] == 224
    assert 0 < made["added"] < made["pieces"]
    shown = dlbricks(*asked).stdout
    assert "A receiver who knows the 4 networks of the zoo ranks a true network first in 50 of 100 cases" in shown
    dlbricks("run", "suite", "-o", "result.json", "--smoke", "--only", "MaxPool")
    assert json.loads(dlbricks("leakage", "result.json", *asked[2:], "--json").stdout) == made
    unknown = dlbricks("leakage", "suite", "--zoo", str(zoo / "tv_alexnet.onnx")).stdout
    assert "public network in the suite (tv_alexnet)" in unknown
    assert "is not in --zoo" in dlbricks(*asked, "--true", "vgg", code=2).stderr


def test_a_run_without_a_measurement_names_no_result(dlbricks: Run) -> None:
    """One line says what to do, and none that there is a result."""
    smoke = str(Path(__file__).parents[2] / "suites" / "smoke")
    ran = dlbricks("run", smoke, "-o", "r.json", "--name", "here", "--budget", "1ms", code=4)
    assert "error: nothing was measured" in ran.stderr
    assert ": the result" not in ran.stdout
