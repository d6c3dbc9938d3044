"""A distribution outside of the package adds a command, a transform, an analysis, a rule, a runtime; each is used."""

import json
import os
import subprocess
import sys
from functools import partial
from pathlib import Path

import onnx
import pytest
from onnx import helper

import dlbricks
from dlbricks.profile.file import write_profile
from tests.analysis.made_up import L, costs, made_up
from tests.store.made_up_run import document

TOYS = '''"""Greet from another distribution."""

import click

from dlbricks.analysis.table import Analysis, text
from dlbricks.store.rules import warning
from dlbricks.trace.build import TraceBuilder
from dlbricks.trace.types import Lane, Level, TraceClock, TraceReader
from dlbricks.whatif.edit import scaled
from dlbricks.whatif.transform import Transform

print("toys are imported")


@click.command()
def greet():
    """Greet, at length."""
    click.echo("hello")


HALF = Transform(
    name="toy-half",
    title="Everything takes half the time.",
    source="an upper bound",
    apply=lambda graph, values: scaled(graph, range(len(graph)), 0.5),
)
NAMES = Analysis("toy", "Name of the network", lambda profile: ([text("name", ["x"])], ()))


def read_words(path):
    builder = TraceBuilder(clock=TraceClock(name="words", resolution_ns=1))
    for at, word in enumerate(path.read_text().split()[1:]):
        builder.add(Level.LAYER, "operator", word, Lane(process="1", name="text"), at, at + 1)
    return builder.built()


READER = TraceReader(recognises=lambda beginning: beginning.startswith("words:"), read=read_words)


@warning("DB999: toys are named", "Name a toy.")
def named(view):
    """An example."""
    yield "", "no toy is named"
'''
ENTRY_POINTS = """
[dlbricks.commands]
greet = toys:greet
[dlbricks.transforms]
toy-half = toys:HALF
[dlbricks.analyses]
toy = toys:NAMES
[dlbricks.rules]
toy = toys:named

[dlbricks.readers]
toy = toys:READER
"""


def install(folder: Path, name: str, source: str, points: str) -> None:
    """Write a distribution of one module, as an installer leaves it in a folder."""
    (folder / f"{name}.py").write_text(source, encoding="utf-8")
    about = folder / f"{name}-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n", encoding="utf-8")
    (about / "entry_points.txt").write_text(points, encoding="utf-8")


def run(folder: Path, *arguments: str, code: int = 0) -> subprocess.CompletedProcess[str]:
    """Run a command with the distributions of a folder."""
    environment = os.environ | {"PYTHONPATH": str(folder)}
    command = [sys.executable, "-m", "dlbricks", *arguments]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stderr
    return done


@pytest.fixture
def toys(tmp_path: Path) -> Path:
    """A folder with the distribution of the toys, a profile and a result."""
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    install(folder, "toys", TOYS, ENTRY_POINTS)
    write_profile(folder / "net.json", made_up([L(name="a", ns=100, attributes=costs(9, 3, 3))], levels="ML"))
    (folder / "result.json").write_text(json.dumps(document()), encoding="utf-8")
    return folder


def test_a_command_is_listed_without_being_imported_and_runs(toys: Path) -> None:
    """Its line in the help is that of its module; only its own use imports it."""
    shown = run(toys, "--help").stdout
    assert "  greet " in shown
    assert "Greet from another distribution." in shown
    assert "toys are imported" not in shown
    assert "toys are imported" not in run(toys, "inspect", "--help").stdout
    assert "Greet, at length." in run(toys, "greet", "--help").stdout
    assert run(toys, "greet").stdout.splitlines() == ["toys are imported", "hello"]


def test_a_transform_is_listed_and_applied(toys: Path) -> None:
    """A what-if question that an installed distribution adds is asked like any other."""
    assert "toy-half" in run(toys, "whatif", "--list").stdout
    answer = run(toys, "whatif", "net.json", "--apply", "toy-half", "--json").stdout.partition("\n")[2]
    assert "toy-half" in answer
    assert json.loads(answer)["format"] == "dlbricks-whatif"


def test_an_operator_has_a_cost(tmp_path: Path) -> None:
    """A row for an operator that the table lacks: its operations count where it is installed."""
    tensor = partial(helper.make_tensor_value_info, elem_type=1, shape=[4, 4])
    call = helper.make_node("Inverse", ["x"], ["y"], domain="com.microsoft")
    graph = helper.make_graph([call], "g", [tensor("x")], [tensor("y")])
    versions = [helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft", 1)]
    onnx.save(helper.make_model(graph, opset_imports=versions, ir_version=8), tmp_path / "net.onnx")

    def flops() -> object:
        (network,) = json.loads(run(tmp_path, "inspect", "net.onnx", "--json").stdout)["networks"]
        return network["flops"]

    assert flops() != 128
    row = "Operator(name='Inverse', domains=('com.microsoft',), cost=Cost(products=lambda layer: 128))"
    source = f"from dlbricks.operators.row import Cost, Operator\n\nINVERSE = {row}\n"
    install(tmp_path, "toy_operators", source, "[dlbricks.operators]\ninverse = toy_operators:INVERSE\n")
    assert flops() == 128
    install(tmp_path, "toy_again", source, "[dlbricks.operators]\nagain = toy_again:INVERSE\n")
    assert "operator Inverse has two rows" in run(tmp_path, "inspect", "net.onnx", code=2).stderr


def test_a_reader_opens_the_recording_of_another_program(toys: Path) -> None:
    """By the beginning of the file, whatever its name; others are refused as before."""
    (toys / "recorded").write_text("words: hello world", encoding="utf-8")
    tables = run(toys, "analyse", "recorded", "--only", "A2", "--json").stdout
    assert '"hello"' in tables
    assert '"world"' in tables
    (toys / "recorded").write_text("letters: hello", encoding="utf-8")
    assert "recorded is not JSON: expected a file of" in run(toys, "analyse", "recorded", code=2).stderr


def test_an_analysis_has_its_table(toys: Path) -> None:
    """An analysis that is chosen by its id, and one of all without a choice."""
    for chosen in (("--only", "toy"), ()):
        answer = json.loads(run(toys, "analyse", "net.json", *chosen, "--json").stdout.partition("\n")[2])
        (table,) = [one for one in answer["profiles"][0]["tables"] if one["id"] == "toy"]
        assert [column["name"] for column in table["columns"]] == ["name"]


def test_a_rule_checks_results(toys: Path) -> None:
    """What it finds stands beside the findings of the built-in rules."""
    answer = json.loads(run(toys, "check", "result.json", "--json").stdout.partition("\n")[2])
    assert "no toy is named" in json.dumps(answer)


@pytest.mark.parametrize(
    ("source", "points", "arguments", "code", "message"),
    [
        ("import nowhere", "[dlbricks.commands]\nother = more:x", ("other",), 3, "extension 'other' of more cannot be"),
        ("x = 1", "[dlbricks.commands]\nother = more:x", ("other",), 2, "expected a Command, found int"),
        ("", "[dlbricks.commands]\ngreet = more:x", ("greet",), 2, "both offer 'greet' in dlbricks.commands"),
        ("x = 1", "[dlbricks.transforms]\nx = more:x", ("whatif", "--list"), 2, "expected a Transform, found int"),
        (
            "from dlbricks.whatif.transforms.scaling import SCALE as x",
            "[dlbricks.transforms]\nx = more:x",
            ("whatif", "--list"),
            2,
            "a transform 'scale' exists already",
        ),
        (
            "from dlbricks.analysis.catalogue import *\nfrom dataclasses import replace\nx = replace(ANALYSES[0])",
            "[dlbricks.analyses]\nx = more:x",
            ("analyse", "net.json"),
            2,
            "an analysis 'A1' exists already",
        ),
        (
            "from dlbricks.store.submission import RULES\nfrom dataclasses import replace\nx = replace(RULES[0])",
            "[dlbricks.rules]\nx = more:x",
            ("check", "result.json"),
            2,
            "duplicate rule id 'DB",
        ),
    ],
)
def test_an_extension_that_cannot_be_used_is_named_in_a_line(
    toys: Path, source: str, points: str, arguments: tuple[str, ...], code: int, message: str
) -> None:
    """A module that fails, an object of another class, and a name that is taken."""
    install(toys, "more", source, points)
    error = run(toys, *arguments, code=code).stderr
    assert message in error
    assert error.startswith("error: ")
    assert error.count("\n") == 1


def test_a_command_of_dlbricks_cannot_be_replaced(toys: Path) -> None:
    """An entry point with the name of a built-in command is not used."""
    install(toys, "more", "raise RuntimeError", "[dlbricks.commands]\nsystems = more:x")
    assert "Usage: python -m dlbricks systems" in run(toys, "systems", "--help").stdout


RUNTIME = '''"""onnxruntime under another name."""

from dlbricks.harness.runtimes import onnxruntime as usual
from dlbricks.harness.runtimes.onnxruntime import *  # every function that it does not change

UNEXPLAINED_CONSTANT_SHARE = 0.0


def facts(settings):
    return {**usual.facts(settings), "name": "toy", "version": "1.0"}


def target(settings):
    return "toy-cpu"
'''


def test_a_runtime_runs_a_suite_and_its_result_is_accepted(toys: Path) -> None:
    """It is named in the result, and a store answers with its configuration."""
    install(toys, "toy_runtime", RUNTIME, "[dlbricks.runtimes]\ntoy = toy_runtime\n")
    network = Path(dlbricks.__file__).parents[1] / "suites" / "networks" / "misc_lstm_lm.onnx"
    run(toys, "generate", str(network), "-o", "suite", "--target", "portable")
    run(toys, "run", "suite", "-o", "r.json", "--runtime", "toy", "--smoke", "--name", "here")
    runtime = json.loads((toys / "r.json").read_text())["runtime"]
    assert (runtime["name"], runtime["version"]) == ("toy", "1.0")
    run(toys, "submit", "r.json", "--suite", "suite", "--store", "s.sqlite")
    (system,) = json.loads(run(toys, "systems", "--store", "s.sqlite", "--json").stdout)["systems"]
    assert system["configuration"]["runtime"] == "toy 1.0"
    refused = run(toys, "run", "suite", "-o", "o.json", "--runtime", "other", code=2).stderr
    assert "invalid choice 'other': expected one of onnxruntime, openvino, toy" in refused


def test_a_runtime_that_cannot_be_imported_is_named_in_one_line(toys: Path) -> None:
    """Its distribution and what to do, where runtimes are needed; commands that need none do not meet it."""
    install(toys, "broken", "import missing_library\n", "[dlbricks.runtimes]\nbroken = broken\n")
    said = run(toys, "check", "result.json", code=3).stderr
    assert "extension 'broken' of broken cannot be imported" in said
    assert "repair or uninstall it" in said
    run(toys, "whatif", "--list")
