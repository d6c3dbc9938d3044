"""Networks measured one after another: each with contiguous memory, and none at the cost of those before."""

import dataclasses
import faulthandler
import os
import signal
from pathlib import Path

import numpy as np
import onnx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from kept_runs import read_runs
from onnx import numpy_helper

from dlbricks.construct.types import Rule
from dlbricks.harness import machine as memory
from dlbricks.harness.options import RunOptions
from dlbricks.settings import SplitSettings
from dlbricks.validate import measure
from dlbricks.validate.measure import PreparedNetwork, ValidationPlan, prepare
from dlbricks.validate.types import Validation
from tests.robustness import made

PLAN = ValidationPlan(
    settings=SplitSettings(target="portable"),
    rule=Rule.parse("sequential"),
    options=RunOptions(smoke=True),
)


def crashing(path: Path, plan: ValidationPlan) -> PreparedNetwork:
    """Read a network with a runtime that crashes on one of them."""
    if path.stem == "crash":
        faulthandler.disable()  # it would print a page of this process's own
        os.kill(os.getpid(), signal.SIGSEGV)
    return prepare(path, plan)


def validated(folder: Path) -> Validation:
    """Validate two networks, the first of which is called ``crash``."""
    paths = [folder / "crash.onnx", folder / "fine.onnx"]
    for path in paths:
        path.write_bytes(made.networks()[0].SerializeToString())
    return measure.validate(paths, PLAN, progress=lambda *_: None, record=lambda _: None)


def test_a_network_that_crashes_the_runtime_fails_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is named with a reason; the next one is measured."""
    monkeypatch.setattr(measure, "prepare", crashing)
    found = validated(tmp_path)
    assert [one.network for one in found.networks] == ["fine"]
    assert [one.reason for one in found.failed] == [f"{tmp_path / 'crash.onnx'} crashed its worker process (SIGSEGV)"]


@given(st.integers(1, 10**12), st.integers(1, 60), st.integers(0, 10**10))
def test_a_short_budget_is_short_for_all_networks(total_ns: int, count: int, beyond_ns: int) -> None:
    """No network gets less than half of an equal share, however long the others take to prepare."""
    spent_ns, shares = 0, []
    for index in range(count):
        shares.append(measure.share_ns(total_ns, spent_ns, index, count, beyond_ns if index else 0))
        spent_ns += shares[-1] + beyond_ns
    assert min(shares) >= max(1, total_ns // (2 * count))
    if 2 * count * beyond_ns <= total_ns // 2:
        assert sum(shares) + count * beyond_ns <= total_ns + beyond_ns + count


def test_every_network_is_given_contiguous_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Free memory scatters again while others run, within a minute on a busy machine: each network has it held anew."""
    monkeypatch.setattr(memory, "MOST_BYTES", 1 << 26)  # to hold gigabytes takes seconds
    for name in ("first", "second"):
        path = tmp_path / f"{name}.onnx"
        onnx.save(_large(), path)
    plan = dataclasses.replace(PLAN, options=RunOptions(budget_ns=1_000_000_000), keep=tmp_path / "kept")
    paths = [tmp_path / "first.onnx", tmp_path / "second.onnx"]
    measure.validate(paths, plan, progress=lambda *_: None, record=lambda _: None)
    runs = read_runs(tmp_path / "kept")
    assert sorted(runs) == ["first", "second"]
    assert all("held_bytes" in run.document["system"]["facts_before"]["memory"] for run in runs.values())


def _large() -> onnx.ModelProto:
    """Make a product with more constants than a TLB covers in single pages."""
    weights = numpy_helper.from_array(np.ones((1024, 2048), np.float32), "w")
    ends = [
        onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, [1, size])
        for name, size in (("x", 1024), ("y", 2048))
    ]
    node = onnx.helper.make_node("MatMul", ["x", "w"], ["y"])
    graph = onnx.helper.make_graph([node], "large", ends[:1], ends[1:], [weights])
    return onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 21)], ir_version=10)
