"""``compare`` and ``repro``: what is said, when the gate fails, and a planted slower operator is found and mailed."""

import dataclasses
import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import msgspec
import numpy as np
import onnx
import pytest
from onnx import helper, numpy_helper

from dlbricks.store.database import ResultStore
from tests.cli.invoking import Run
from tests.store.stored import configuration, submission


@pytest.fixture
def two_versions() -> None:
    """Fill the store: a system with two versions of its runtime, of which the newer takes a third longer."""
    newer = dataclasses.replace(configuration(), runtime="onnxruntime 1.32.0")
    with ResultStore.open(os.environ["DLBRICKS_STORE"], create=True) as store:
        store.add(submission(range(9)))
        store.add(submission(range(1, 12), latency_ns=133_000, of=newer))
        store.add(submission(range(50, 52), of=configuration("other")))


def test_one_sequence_that_only_one_system_has_is_one(dlbricks: Run) -> None:
    """The noun of a count agrees with it."""
    with ResultStore.open(os.environ["DLBRICKS_STORE"], create=True) as store:
        for name, sequences in (("first", range(9)), ("second", range(1, 9))):
            store.add(submission(sequences, of=configuration(name)))
    said = dlbricks("compare", "first", "second").stderr
    assert "both: 1 sequence left out, measured on only one of the systems" in said


@pytest.mark.usefixtures("two_versions")
def test_the_gate_fails_where_b_surely_takes_longer(dlbricks: Run) -> None:
    """Exit code 1 and a line for the slower one, 0 for the quicker one or a limit above; both sides say their trust."""
    asked = ("compare", "lab@1.31.1", "lab@1.32.0")
    result = dlbricks(*asked)
    assert "times as long" in result.stdout
    assert "B is slower" in result.stdout
    assert result.stdout.count("self-reported") == 2
    assert "4 sequences left out, measured on only one of the systems" in result.stderr
    assert "takes longer than lab@1.31.1 by more than 5%" in dlbricks(*asked, "--fail-above", "5%", code=1).stderr
    assert "B is faster" in dlbricks("compare", *asked[:0:-1], "--fail-above", "5%").stdout
    dlbricks(*asked, "--fail-above", "50%")
    [made] = json.loads(dlbricks(*asked, "--json").stdout)["comparisons"]
    assert made["ratio"] == pytest.approx(1.33)


SHIPPED = ("amd-epyc-zen5", "amd-epyc-zen5")


def test_systems_of_the_package_are_compared_by_networks(dlbricks: Run) -> None:
    """With and without a store: without a network a line says so, with one there is a ratio."""
    line = (
        "error: systems that ship with dlbricks are compared by networks: "
        f"'dlbricks compare {' '.join(SHIPPED)} NETWORK'\n"
    )
    versions = [f"{SHIPPED[0]}@1.32.0"] * 2
    for _ in range(2):
        assert dlbricks("compare", *SHIPPED, code=2).stderr == line
        (made,) = json.loads(dlbricks("compare", *versions, SQUEEZENET, "--json").stdout)["comparisons"]
        assert made["ratio"] == 1
        with ResultStore.open(os.environ["DLBRICKS_STORE"], create=True) as store:
            store.add(submission(range(1)))


def test_what_lies_below_the_table_is_counted(dlbricks: Run) -> None:
    """The remainder has a share that is never minus zero, and none where the total is unknown."""
    with ResultStore.open(os.environ["DLBRICKS_STORE"], create=True) as store:
        store.add(submission(range(19)))
        store.add(submission(range(19), latency_ns=99_999, of=configuration("other")))
        store.add(submission(range(19), of=configuration("third")))
    for other in ("other", "third"):
        shown = dlbricks("compare", "lab", other).stdout
        assert "4 more sequences not shown (--json has all), explaining +" in shown
        assert "-0.0%" not in shown
    shown = dlbricks("estimate", SQUEEZENET, "--system", "lab", "--allow-missing").stdout
    assert "more sequences not shown (--json has all)" in shown


def test_a_single_visit_has_no_interval(dlbricks: Run) -> None:
    """A ratio up to 20,000 times as long is none; totals say that they are sums, beside a median of ratios."""
    brief = submission(range(9))
    for row in (known := brief.results.measurements):
        known[row] = msgspec.structs.replace(known[row], low_ns=0, high_ns=9_000_000)
    with ResultStore.open(os.environ["DLBRICKS_STORE"], create=True) as store:
        store.add(brief)
        store.add(submission(range(9), of=configuration("other")))
    shown = " ".join(dlbricks("compare", "lab", "other").stdout.split())
    assert "900 us in sum" in shown
    assert "median of 9 sequences: 1.000 times as long (at 90 %: no interval); no significant difference" in shown
    assert shown.count("no interval") == 10
    assert "0.000 to" not in shown


@pytest.mark.usefixtures("two_versions")
def test_what_cannot_be_compared_is_said_in_a_line(dlbricks: Run) -> None:
    """An unknown system, nothing in common, and a limit that is none."""
    assert "has no results of system nobody" in dlbricks("compare", "lab@1.31.1", "nobody", code=2).stderr
    line = "error: system lab has no results with 9, only with onnxruntime 1.31.1, onnxruntime 1.32.0\n"
    assert dlbricks("compare", "lab@9", "lab@1.31.1", code=2).stderr == line
    assert "no sequence in common" in dlbricks("compare", "lab@1.31.1", "other", code=1).stderr
    unknown = dlbricks("compare", "lab@9", "lab@1.31.1", SQUEEZENET, "--target", "portable", code=2).stderr
    assert "system lab has no results with 9" in unknown
    assert "invalid share 'much'" in dlbricks("compare", "lab@1.31.1", "other", "--fail-above", "much", code=2).stderr


SQUEEZENET = str(Path(__file__).parents[2] / "suites" / "networks" / "tv_squeezenet1_1.onnx")
_SLOW_POOLS = """
import onnxruntime

class Slow(onnxruntime.InferenceSession):
    def __init__(self, network, *others, **named):
        super().__init__(network, *others, **named)
        self._times = 12 if isinstance(network, bytes) and b"MaxPool" in network else 1

    def run_with_iobinding(self, binding, *others):
        for _ in range(self._times):
            super().run_with_iobinding(binding, *others)

onnxruntime.InferenceSession = Slow
"""
"""A runtime in which networks with this operator take twelve times as long."""


def program(path: Path, line: str) -> str:
    """Write a program that stands for a Python."""
    path.write_text(f"#!/bin/sh\n{line}\n", encoding="utf-8")
    path.chmod(0o755)
    return str(path)


def slow_python(folder: Path) -> str:
    """Write a Python whose pools are slow."""
    (folder / "sitecustomize.py").write_text(_SLOW_POOLS, encoding="utf-8")
    return program(folder / "python", f'PYTHONPATH="{folder}" exec "{sys.executable}" "$@"')


def secret_network(path: Path) -> str:
    """Write a small network whose every name says that it is secret, and whose pool is a small part of it."""
    weights = np.full((16, 16, 3, 3), 0.0471, np.float32)
    nodes = [
        helper.make_node("Conv", ["secret_x", "secret_w"], ["secret_a"], "secret_conv", pads=[1, 1, 1, 1]),
        helper.make_node("MaxPool", ["secret_a"], ["secret_b"], "secret_pool", kernel_shape=[3, 3]),
        helper.make_node("Conv", ["secret_b", "secret_w"], ["secret_c"], "secret_again"),
        helper.make_node("Softmax", ["secret_c"], ["secret_y"], "secret_end"),
    ]
    graph = helper.make_graph(
        nodes,
        "secret_graph",
        [helper.make_tensor_value_info("secret_x", onnx.TensorProto.FLOAT, [1, 16, 64, 64])],
        [helper.make_tensor_value_info("secret_y", onnx.TensorProto.FLOAT, [1, 16, 60, 60])],
        [numpy_helper.from_array(weights, "secret_w")],
    )
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), path)
    return str(path)


@pytest.mark.skipif(os.name == "nt", reason="the planted Python is a shell script")
def test_a_slower_operator_is_found_and_its_file_runs_alone(dlbricks: Run, tmp_path: Path) -> None:
    """One layer that holds the operator; the file shows the difference by itself and names nothing of the network."""
    slow, file = slow_python(tmp_path), tmp_path / "found.pyz"
    network = secret_network(tmp_path / "secret_model.onnx")
    asked = ("repro", network, "--python", slow, "--budget", "10m", "-o", str(file), "--fail-above", "50%", "--json")
    result = dlbricks(*asked, code=1)
    assert "takes longer on B by more than 50%" in result.stderr
    made = json.loads(result.stdout)["reproduction"]
    assert [(one["name"], one["units"]) for one in made["slower"]] == [("MaxPool", 1)]
    assert made["slower"][0]["found"]["low"] > 1.5
    with zipfile.ZipFile(file) as archive:
        held = b"".join(archive.read(one) for one in archive.namelist())
    for secret in (
        b"secret_",
        np.full(4, 0.0471, np.float32).tobytes(),
        str(tmp_path).encode(),
        sys.executable.encode(),
    ):
        assert secret not in held
    alone = subprocess.run([sys.executable, file, "--time", "20ms"], capture_output=True, text=True, check=True)
    assert "latency" in alone.stdout
    assert "compare  python found.pyz --python PATH_OF_A --python PATH_OF_B" in alone.stdout
    words = ("--python", sys.executable, "--python", slow, "--pairs", "1")
    both = subprocess.run([sys.executable, file, *words], capture_output=True, text=True, check=True)
    assert float(both.stdout.partition("B by A: ")[2].partition(",")[0]) > 1.5


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "A and B do not differ"),
        (("--python", "nowhere/python"), "nowhere/python cannot be executed"),
        (("--python", "a", "--python", "b", "--python", "c"), "--python is used 3 times"),
        (("--option-b", "session.fast=1"), "unknown session option 'session.fast'"),
        (("--option-b", "session.disable_prepacking=1", "--least", "much"), "invalid share 'much'"),
    ],
)
def test_mistakes_are_one_line(dlbricks: Run, tmp_path: Path, arguments: tuple[str, ...], message: str) -> None:
    """Exit code 2, and no file."""
    file = tmp_path / "found.pyz"
    assert message in dlbricks("repro", SQUEEZENET, "-o", str(file), *arguments, code=2).stderr
    assert not file.exists()


@pytest.mark.skipif(os.name == "nt", reason="the Python without packages is a shell script")
def test_a_python_without_packages_is_exit_code_3(dlbricks: Run, tmp_path: Path) -> None:
    """The line names the program and what to install; one that is no Python is bad input."""
    bare = program(tmp_path / "bare", f'exec "{sys.executable}" -S "$@"')
    error = dlbricks("repro", SQUEEZENET, "--python", bare, "-o", str(tmp_path / "r.pyz"), code=3).stderr
    assert f"{bare}: numpy cannot be imported" in error
    other = program(tmp_path / "other", "exit 7")
    error = dlbricks("repro", SQUEEZENET, "--python", other, "-o", str(tmp_path / "r.pyz"), code=3).stderr
    assert "exit code 7" in error
