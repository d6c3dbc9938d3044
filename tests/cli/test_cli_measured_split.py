"""What the user leaves open about splitting is what the system was measured with."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import onnx
import pytest
from onnx import TensorProto, helper

from dlbricks.suite.manifest import read_network, read_suite, with_digest
from dlbricks.suite.writing import write_suite
from tests.cli.invoking import Run
from tests.store.made_up_run import document

NETWORKS = Path(__file__).parents[2] / "suites" / "networks"
SMALL = str(NETWORKS / "misc_lstm_lm.onnx")
PUBLIC = str(NETWORKS / "tv_squeezenet1_1.onnx")


def test_an_estimate_is_split_as_the_measured_suite_was(dlbricks: Run) -> None:
    """H, splitter and target come from the store, and are told; what the user says goes before; nothing is guessed."""
    dlbricks("generate", SMALL, "-o", "suite", "-H", "2", "--splitter", "paper")
    dlbricks("run", "suite", "-o", "r.json", "--name", "here", "--smoke")
    dlbricks("submit", "r.json", "--suite", "suite")
    [listed] = json.loads(dlbricks("systems", "--json").stdout)["systems"]
    assert listed["settings"] == [
        {"granularity": "2", "target": "onnxruntime-cpu", "splitter": "paper", "dims": [], "values": [], "batch": None}
    ]
    assert listed["complete"] == 0
    assert "-H 2 onnxruntime-cpu" in dlbricks("systems").stdout
    found = dlbricks("estimate", SMALL, "--system", "here", "--json")
    assert "split as measured on here: -H 2 --target onnxruntime-cpu --splitter paper" in found.stderr
    [made] = json.loads(found.stdout)["networks"]
    assert made["covered_layers"] == made["layers"]
    assert json.loads(dlbricks("coverage", SMALL, "--system", "here", "--json").stdout)["missing"] == []
    other = dlbricks("estimate", SMALL, "--system", "here", "-H", "inf", code=1)
    assert "here was measured with -H 2 --target onnxruntime-cpu --splitter paper; your request differs" in other.stderr
    assert "unknown" in other.stdout
    assert " ns to " not in other.stdout


def test_a_splitter_of_older_versions_is_refused_where_a_split_is_needed(dlbricks: Run) -> None:
    """A suite that was split along chains is measured and stored like any other, and nothing is split as it was."""
    dlbricks("generate", SMALL, "-o", "suite")
    suite, folder = read_suite(Path("suite")), Path("suite")
    networks = {one.fingerprint: read_network(folder, one.fingerprint) for one in suite.benchmarks}
    shutil.rmtree(folder)
    write_suite(folder, with_digest(replace(suite, splitter="chain")), networks)
    dlbricks("run", "suite", "-o", "r.json", "--name", "here", "--smoke")
    dlbricks("submit", "r.json", "--suite", "suite")
    for verb in ("estimate", "coverage"):
        refused = dlbricks(verb, SMALL, "--system", "here", code=2).stderr.splitlines()
        assert len(refused) == 2
        assert refused[0].startswith("split as measured on here")
        assert "splitter 'chain' is not supported: use block or paper" in refused[1]
    attacked = dlbricks("leakage", "suite", "--zoo", SMALL, code=2).stderr.splitlines()
    assert "splitter 'chain' is not supported" in attacked[-1]
    again = dlbricks("estimate", SMALL, "--system", "here", "--splitter", "block", "-H", "1", "--json")
    assert json.loads(again.stdout)["networks"][0]["covered_layers"] > 0


@pytest.fixture
def open_network(tmp_path: Path) -> str:
    """A network whose batch is named as exporters do, and whose length has a name of its owner."""
    inputs = [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["batch", "clicks_per_day", 8])]
    outputs = [helper.make_tensor_value_info("y", TensorProto.FLOAT, ["batch", "clicks_per_day", 8])]
    graph = helper.make_graph([helper.make_node("Sigmoid", ["x"], ["y"])], "g", inputs, outputs)
    onnx.save(
        helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), tmp_path / "open.onnx"
    )
    return str(tmp_path / "open.onnx")


def test_common_dimensions_are_those_of_the_suite(dlbricks: Run, open_network: str) -> None:
    """A suite tells extents whose names are common, and of others nothing; with decoys it tells none."""
    bound = ("--dim", "batch=3", "--dim", "clicks_per_day=5")
    dlbricks("generate", open_network, *bound, "-o", "suite")
    manifest = Path("suite/suite.json").read_text()
    assert json.loads(manifest)["dims"] == {"batch": 3}
    assert "clicks" not in "".join(path.read_text() for path in Path("suite").rglob("*.[jpm][syd]*"))
    dlbricks("run", "suite", "-o", "r.json", "--name", "here", "--smoke")
    dlbricks("submit", "r.json", "--suite", "suite")
    found = dlbricks("coverage", open_network, "--system", "here", "--dim", "clicks_per_day=5", "--json")
    assert "--dim batch=3" in found.stderr
    assert json.loads(found.stdout)["missing"] == []
    assert "--dim batch=3" in dlbricks("systems").stdout
    other = dlbricks("coverage", open_network, "--system", "here", "--dim", "clicks_per_day=5", "--dim", "batch=4")
    assert "0.0%" in other.stdout
    unbound = dlbricks("coverage", open_network, "--system", "here", code=2)
    assert "give --dim clicks_per_day=N" in unbound.stderr
    closed = dlbricks("coverage", SMALL, "--system", "here")
    assert "0.0%" in closed.stdout


def test_decoys_hide_extents_too(dlbricks: Run) -> None:
    """What would tell which shapes are the owner's is not in a suite with decoys."""
    dlbricks("generate", SMALL, "-o", "plain", "--batch", "2")
    dlbricks("generate", SMALL, "-o", "hidden", "--batch", "2", "--decoys", PUBLIC)
    assert json.loads(Path("plain/suite.json").read_text())["batch"] == 2
    assert "batch" not in json.loads(Path("hidden/suite.json").read_text())


def chain(path: Path, *operators: str, length: int | str = 8) -> str:
    """A network of operators that follow each other, of one input of some length."""
    x, y = (
        helper.make_tensor_value_info(name, TensorProto.FLOAT, [length, 64]) for name in ("t0", f"t{len(operators)}")
    )
    nodes = [helper.make_node(name, [f"t{place}"], [f"t{place + 1}"]) for place, name in enumerate(operators)]
    graph = helper.make_graph(nodes, "g", [x], [y])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.save(model, path)
    return str(path)


def measured(dlbricks: Run, network: str, name: str, *options: str) -> None:
    """Generate, run and submit a suite of a network."""
    dlbricks("generate", network, "-o", name, *options)
    dlbricks("run", name, "-o", f"{name}.json", "--name", "here", "--smoke")
    dlbricks("submit", f"{name}.json", "--suite", name)


@pytest.fixture
def two_suites(dlbricks: Run, tmp_path: Path) -> tuple[str, str]:
    """Two networks that one system has measured, each with a split of its own."""
    many = chain(tmp_path / "many.onnx", "Sigmoid", "Tanh", "Softplus", "Erf")
    few = chain(tmp_path / "few.onnx", "Sin", "Cos", "Exp")
    measured(dlbricks, many, "first")
    measured(dlbricks, few, "second", "-H", "3")
    return many, few


def test_of_several_suites_the_one_with_the_network_counts(
    dlbricks: Run, two_suites: tuple[str, str], tmp_path: Path
) -> None:
    """Whichever of two suites of one system was measured best, each network is split as its own was, everywhere."""
    many, few = two_suites
    for network, options, other in ((many, "-H 1", "-H 3"), (few, "-H 3", "-H 1")):
        answer = dlbricks("estimate", network, "--system", "here", "--json")
        [composed] = json.loads(answer.stdout)["networks"]
        assert (composed["coverage"], composed["missing"]) == (1.0, [])
        [remark] = [line for line in answer.stderr.splitlines() if "split as measured on here: " in line]
        chosen, _, others = remark.partition("; also measured: ")
        assert options in chosen
        assert other in others
        assert "no suite was written" in dlbricks("plan", network, "--system", "here", "-o", "left").stdout
        assert json.loads(dlbricks("coverage", network, "--system", "here", "--json").stdout)["missing"] == []
        dlbricks("whatif", network, "--system", "here", "--apply", "threads:2")
        assert json.loads(dlbricks("compare", "here", "here", network, "--json").stdout)["comparisons"][0]["rows"]
    together = json.loads(dlbricks("estimate", many, few, "--system", "here", "--json").stdout)["networks"]
    assert [(each["network"], each["coverage"]) for each in together] == [("few", 1.0), ("many", 1.0)]
    chain(tmp_path / "third.onnx", "Sin", "Cos")
    unknown = dlbricks("estimate", str(tmp_path / "third.onnx"), "--system", "here", "--json", code=1)
    [absent] = json.loads(unknown.stdout)["networks"]
    assert [absent[name] for name in ("total_ns", "low_ns", "high_ns")] == [None] * 3
    assert {row["total_ns"] for row in absent["rows"]} == {None}


def test_pairs_that_were_measured_are_composed_without_being_asked_for(dlbricks: Run, tmp_path: Path) -> None:
    """The rule is that of the suite; who names one gets it."""
    network = chain(tmp_path / "net.onnx", "Sigmoid", "Tanh", "Softplus")
    measured(dlbricks, network, "suite", "--pairs")
    for options, rule in (((), "pairs"), (("--rule", "sequential"), "sequential")):
        answer = dlbricks("estimate", network, "--system", "here", "--json", *options)
        [composed] = json.loads(answer.stdout)["networks"]
        assert composed["rule"] == rule
        assert composed["pairs_missing"] == 0
    other = chain(tmp_path / "other.onnx", "Tanh", "Sigmoid")
    refused = dlbricks("estimate", other, "--system", "here", "--rule", "pairs", code=2).stderr
    assert "here has measured no pairs of these sequences: run a suite of 'generate --pairs' there" in refused


def test_systems_are_compared_by_the_networks_that_each_of_them_can_split(dlbricks: Run, tmp_path: Path) -> None:
    """A dimension that only one suite states leaves a network out on the other system; the rest is compared."""
    networks = [
        chain(tmp_path / "closed.onnx", "Sin", "Cos"),
        chain(tmp_path / "open.onnx", "Exp", "Erf", length="batch"),
    ]
    for system, options in (("bound", ("--dim", "batch=8")), ("unbound", ())):
        dlbricks("generate", *networks[: 1 + bool(options)], *options, "--target", "portable", "-o", system)
        result_of(system, system)
        dlbricks("submit", f"{system}.json", "--suite", system)
    answer = dlbricks("estimate", *networks, "--system", "bound", "--system", "unbound", "--json", code=1)
    document = json.loads(answer.stdout)
    assert [each["network"] for each in document["networks"]] == ["closed", "open", "closed"]
    assert [each["network"] for each in document["faster"]] == ["closed"]
    assert "dimensions: batch" in document["left_out"][networks[1]]
    assert "1 network left out" in answer.stderr


def result_of(name: str, system: str) -> None:
    """Write the result of a suite in a folder, of which each call took 200 us."""
    suite = read_suite(Path(name))
    result = document(of=suite, base_ns=lambda _benchmark, _position: 200_000)
    result["suite"] |= {"digest": suite.digest, "manifest": json.loads(Path(name, "suite.json").read_text())}
    result["system"]["name"] = system
    Path(f"{name}.json").write_text(json.dumps(result))


def test_whatif_composes_a_network_with_its_measured_pairs(dlbricks: Run, tmp_path: Path) -> None:
    """What the changes are applied to is what ``estimate`` says."""
    network = chain(tmp_path / "net.onnx", "Sigmoid", "Tanh", "Softplus")
    dlbricks("generate", network, "-o", "suite", "--pairs", "--target", "portable")
    result_of("suite", "here")
    dlbricks("submit", "suite.json", "--suite", "suite")
    [composed] = json.loads(dlbricks("estimate", network, "--system", "here", "--json").stdout)["networks"]
    assert composed["rule"] == "pairs"
    assert composed["correction_ns"] < -300_000
    answer = dlbricks("whatif", network, "--system", "here", "--apply", "scale:0.5", "--json")
    assert json.loads(answer.stdout)["before"]["time_ns"] == composed["total_ns"]


def test_a_network_that_cannot_be_split_does_not_end_the_others(
    dlbricks: Run, two_suites: tuple[str, str], tmp_path: Path
) -> None:
    """The others are answered, the one without --dim is named, and the exit code says that one is absent."""
    chain(tmp_path / "open.onnx", "Sin", "Cos", "Exp", length="length")
    networks = [*two_suites, str(tmp_path / "open.onnx")]
    answer = dlbricks("estimate", *networks, "--system", "here", "--json", code=1)
    assert [each["network"] for each in json.loads(answer.stdout)["networks"]] == ["few", "many"]
    assert "give --dim length=N" in json.loads(answer.stdout)["left_out"][networks[2]]
    assert f"left out: {networks[2]} has unbound dimensions" in answer.stderr
    assert "give --dim length=N" in answer.stderr
    dlbricks("estimate", *networks, "--system", "here", "--allow-missing")
    models = [word for network in networks for word in ("--model", network)]
    page = dlbricks("site", "-o", "pages", *models, "--json", code=1)
    assert list(json.loads(page.stdout)["left_out"]) == [networks[2]]
    plan = ("plan", *networks, "--system", "here", "-o", "rest")
    verbs = (("coverage", *networks, "--system", "here"), ("compare", "here", "here", *networks), plan)
    for verb in (*verbs, ("inspect", *networks), ("lower", *networks, "-o", "lowered")):
        other = dlbricks(*verb, "--json", code=1)
        assert list(json.loads(other.stdout)["left_out"]) == [networks[2]]
        assert other.stderr.count("left out: ") == 1
        assert other.stderr.count("open.onnx") == 1, "once is enough"
    shown = json.loads(dlbricks("inspect", *networks, "--json", code=1).stdout)["networks"]
    assert [each["network"] for each in shown] == ["few", "many"]
    assert sorted(path.name for path in Path("lowered").iterdir()) == [
        "few.onnxruntime-cpu.onnx",
        "many.onnxruntime-cpu.onnx",
    ]
    assert read_suite(Path("rest")).sequences
    dlbricks("inspect", networks[2], code=2)
    assert f"left out: {networks[2]} " in page.stderr
    assert json.loads(page.stdout)["networks"] == 2
    dlbricks("estimate", networks[2], "--system", "here", code=2)
    text = Path("pages/index.html").read_text().partition('id="content">')[2].partition("</script>")[0]
    [system] = json.loads(text)["systems"]
    assert [[each["split"][:4] for each in network] for network in system["estimates"]] == [["-H 3"], ["-H 1"]]


def test_networks_of_one_name_are_told_apart(dlbricks: Run, two_suites: tuple[str, str], tmp_path: Path) -> None:
    """Exporters call many files alike: where a name stands for two, folders tell them apart; validate refuses."""
    for folder, network in zip(("a", "b"), two_suites, strict=True):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "net.onnx").write_bytes(Path(network).read_bytes())
    for where in (("--system", "here"), ("--threads", "1", "--runtime", "onnxruntime")):
        answer = json.loads(dlbricks("estimate", "a/net.onnx", "b/net.onnx", *where, "--json").stdout)
        assert {each["network"] for each in answer["networks"]} == {"a/net", "b/net"}
    refused = dlbricks("validate", "a/net.onnx", "b/net.onnx", "--smoke", code=2).stderr
    assert "two networks are named net: rename one, or validate them one at a time" in refused


def test_a_plan_replaces_no_suite(dlbricks: Run, two_suites: tuple[str, str], tmp_path: Path) -> None:
    """An earlier plan may be under way somewhere; planning what is measured already needs no place."""
    other = chain(tmp_path / "other.onnx", "Tanh", "Relu")
    assert ": 1 sequence to measure in" in dlbricks("plan", other, "--system", "here", "-H", "1", "-o", "rest").stdout
    again = dlbricks("plan", other, "--system", "here", "-H", "1", "-o", "rest", code=2).stderr
    assert "rest exists already: name another path with -o, or remove it" in again
    dlbricks("plan", two_suites[0], "--system", "here", "-o", "rest")
