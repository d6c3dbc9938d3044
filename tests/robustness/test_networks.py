"""Networks that nobody would make: nested, endless, cyclic, huge, with names and external data that mean harm."""

import ast
import functools
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

from dlbricks import limits
from tests.robustness import made
from tests.robustness.driver import Limits, called
from tests.robustness.sound import SYSTEM, measured

LIMITS = Limits(seconds=30, memory_bytes=2 << 30)
F_IMPORTS = [helper.make_opsetid("", 21), helper.make_opsetid("f", 1)]


def chain(count: int) -> onnx.ModelProto:
    """Layers behind one another."""
    nodes = [helper.make_node("Relu" if i % 2 else "Neg", [f"t{i}"], [f"t{i + 1}"]) for i in range(count)]
    return made.model(nodes, {"t0": [4]}, [f"t{count}"])


def cycle(count: int) -> onnx.ModelProto:
    """Layers of which each needs the one before, the first the last."""
    nodes = [helper.make_node("Relu", [f"t{(i - 1) % count}"], [f"t{i}"]) for i in range(count)]
    return made.model(nodes, {"x": [4]}, ["t0"])


def calling(names: dict[str, tuple[str, ...]]) -> onnx.ModelProto:
    """Functions that call others behind one another; A is called."""
    functions = [
        helper.make_function(
            "f",
            name,
            ["v0"],
            [f"v{len(called_)}"],
            [helper.make_node(one, [f"v{i}"], [f"v{i + 1}"], domain="f") for i, one in enumerate(called_)],
            F_IMPORTS,
        )
        for name, called_ in names.items()
    ]
    return made.model([helper.make_node("A", ["x"], ["y"], domain="f")], {"x": [4]}, ["y"], functions=functions)


def sized(extent: str) -> onnx.ModelProto:
    """A network whose input has this extent."""
    return made.model([helper.make_node("Relu", ["x"], ["y"])], {"x": [extent, 4]}, ["y"])


def doubled_tensor() -> onnx.ModelProto:
    """Two layers that make the same tensor."""
    return made.model(
        [helper.make_node("Relu", ["x"], ["y"]), helper.make_node("Neg", ["x"], ["y"])], {"x": [4]}, ["y"]
    )


REFUSED: dict[str, tuple[Callable[[], onnx.ModelProto], str]] = {
    "If in If": (lambda: made.nested("If", 24), "nested bodies, more than 10 deep"),
    "Loop in Loop": (lambda: made.nested("Loop", 30), "nested bodies, more than 10 deep"),
    "long sum": (lambda: sized("+".join(["n"] * 1500)), "n"),
    "many parentheses": (lambda: sized("(" * 1500 + "n" + "+1)" * 1500), "n"),
    "many signs": (lambda: sized("-" * 1500 + "n"), "n"),
    "output without end": (lambda: made.scanning_loop(2**62), "shapes behind Loop 'Loop' cannot be known"),
    "calls itself": (lambda: calling({"A": ("A",)}), "function f.A calls itself"),
    "call each other": (lambda: calling({"A": ("B",), "B": ("A",)}), "calls itself"),
    "doubling calls": (
        lambda: calling({chr(65 + i): (chr(66 + i),) * 2 for i in range(40)} | {chr(105): ()}),
        "operator calls",
    ),
    "doubled tensor": (doubled_tensor, "written twice"),
    "cycle of one": (lambda: cycle(1), "is cyclic"),
    "cycle": (lambda: cycle(1000), "is cyclic"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_networks_without_measure_are_refused(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One line says why, within 30 s and 2 GB, and no suite is left; a run that looks for shapes has two seconds."""
    monkeypatch.setattr(limits, "PROBE_SECONDS", 2)
    make, reason = REFUSED[name]
    path = tmp_path / "given.onnx"
    path.write_bytes(make().SerializeToString())
    outcome = called(["generate", path, "-o", tmp_path / "suite"], LIMITS)
    assert (outcome.kind, outcome.code) == ("refused", 2), outcome
    assert reason in outcome.reason
    assert not (tmp_path / "suite").exists()


@pytest.mark.parametrize("name", REFUSED)
def test_other_readers_answer_them_in_one_line(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """``inspect``, ``plan`` and ``validate``, of which the last writes down which networks failed, and says so.

    A run that looks for shapes has a second here, since each of them makes one where there is no end.
    """
    monkeypatch.setattr(limits, "PROBE_SECONDS", 1)
    path = tmp_path / "given.onnx"
    path.write_bytes(REFUSED[name][0]().SerializeToString())
    ask = ["--system", SYSTEM, "--store", f"sqlite:///{measured() / 'store.sqlite'}"]
    for verb, more in (
        ("inspect", ["--layers"]),
        ("plan", [*ask, "-o", tmp_path / "plan"]),
        ("validate", ["--smoke", "-o", tmp_path / "v.json"]),
    ):
        outcome = called([verb, path, *more], LIMITS)
        assert outcome.fine, (verb, outcome)
        assert verb != "plan" or outcome.code == 0 or not (tmp_path / "plan").exists()


@pytest.mark.parametrize("verb", ["inspect", "generate"])
def test_a_chain_of_many_layers(verb: str, tmp_path: Path) -> None:
    """Time grows with layers, not with their square: 5,000 layers within seconds, also on a busy machine."""
    path = tmp_path / "given.onnx"
    path.write_bytes(chain(5_000).SerializeToString())
    more = ["-o", str(tmp_path / "suite")] if verb == "generate" else ["--layers"]
    outcome = called([verb, str(path), *more], Limits(seconds=20))
    assert outcome.kind == "ok", outcome


@pytest.mark.parametrize("place", ["memory", "disk"])
def test_weights_that_do_not_fit_are_not_written(place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One line names their size and what is free; no part of them is made first."""
    usage = shutil.disk_usage(tmp_path)
    if place == "disk":
        monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=1000))
    else:
        monkeypatch.setattr("dlbricks.model.bounds.available_bytes", lambda: 1000)
    path = tmp_path / "given.onnx"
    network = made.model(
        [helper.make_node("MatMul", ["x", "w"], ["y"])], {"x": [1, 64]}, ["y"], {"w": np.ones((64, 64), np.float32)}
    )
    path.write_bytes(network.SerializeToString())
    outcome = called(["generate", path, "-o", tmp_path / "suite", "--target", "onnxruntime-cpu"], LIMITS)
    assert (outcome.kind, outcome.code) == ("refused", 2), outcome
    assert f"weights of given take 16 KiB, but only 1000 B of {place}" in outcome.reason


def wide(operands: int) -> onnx.ModelProto:
    """A sum of many inputs."""
    names = [f"x{number}" for number in range(operands)]
    return made.model([helper.make_node("Sum", names, ["y"])], {name: [4] for name in names}, ["y"])


def grown(operator: str, elements: int) -> onnx.ModelProto:
    """A few bytes that become so many elements."""
    shape = {"s": np.array([elements], np.int64)}
    grows = helper.make_node(operator, ["x", "s"] if operator == "Expand" else ["s"], ["e"])
    return made.model([grows, helper.make_node("Add", ["e", "x"], ["y"])], {"x": [1]}, ["y"], shape)


@pytest.mark.parametrize("operator", ["Expand", "ConstantOfShape"])
def test_tensors_that_are_too_large_for_a_run_are_not_made(operator: str, tmp_path: Path) -> None:
    """One line names the tensor, its size, the limit and what raises it; nothing of it is made, as weight or output."""
    path = tmp_path / "given.onnx"
    path.write_bytes(grown(operator, 2**30).SerializeToString())
    outcome = called(["generate", path, "-o", tmp_path / "suite"], Limits(seconds=5, memory_bytes=1 << 29))
    assert (outcome.kind, outcome.code) == ("refused", 2), outcome
    said = "use a smaller --batch or --dim, or --memory-limit 9g (largest: 'y', float32 1073741824, 4 GiB)"
    assert said in outcome.reason
    path.write_bytes(grown(operator, 2**20).SerializeToString())
    for limit, kind in (("6m", "refused"), ("500m", "ok")):
        outcome = called(["generate", path, "-o", tmp_path / "suite", "--memory-limit", limit], LIMITS)
        assert outcome.kind == kind, outcome


@pytest.mark.parametrize("verb", ["inspect", "generate"])
def test_layers_of_too_many_tensors_are_not_measured(verb: str, tmp_path: Path) -> None:
    """One line says how many there are, and how many are measured: onnxruntime takes time with their square."""
    path = tmp_path / "given.onnx"
    path.write_bytes(wide(limits.OPERANDS).SerializeToString())
    more = ["-o", tmp_path / "suite"] if verb == "generate" else ["--layers"]
    outcome = called([verb, path, *more], LIMITS)
    assert outcome.kind == ("refused" if verb == "generate" else "ok"), outcome
    assert "Sum has 10,001 inputs and outputs; at most 10,000 are measured" in outcome.said + outcome.printed


NAMES = {
    "texts": "../../etc/pass/wd\na\r\nb{{ 7*7 }}{% raw %}${x}%s{0}<script>alert(1)</script>",
    "python": "\"\"\"\nimport os; os.system('id')\n'''#",
    "controls": "\x1b[31m\u202e\u2028name\\",
    "zero": "a\x00b",
}
"""Paths, lines, templates, pages; code; what terminals obey, and a backslash at the end; what ends texts in C."""


def named(prefix: str) -> onnx.ModelProto:
    """A network all of whose names begin so."""
    nodes = [
        helper.make_node("Conv", [f"{prefix}x", f"{prefix}w"], [f"{prefix}c"], name=f"{prefix}conv"),
        helper.make_node("Relu", [f"{prefix}c"], [f"{prefix}y"], name=f"{prefix}relu"),
    ]
    weights = {f"{prefix}w": np.ones((4, 3, 3, 3), np.float32)}
    network = made.model(nodes, {f"{prefix}x": [1, 3, 8, 8]}, [f"{prefix}y"], weights)
    network.graph.name = network.producer_name = network.doc_string = network.domain = prefix
    return network


@functools.cache
def tree(source: bytes) -> str:
    """Give the syntax tree of some Python, without the text in it."""
    parsed = ast.parse(source)
    for node in ast.walk(parsed):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            node.value = ""
    return ast.dump(parsed)


def code(folder: Path) -> dict[str, str]:
    """Give the syntax trees of a folder's Python files, without the text in them."""
    return {str(path.relative_to(folder)): tree(path.read_bytes()) for path in sorted(folder.rglob("*.py"))}


def test_names_are_text_wherever_they_are_written(tmp_path: Path) -> None:
    """Suites of networks with hostile names hold the same files and code as one with plain names."""
    expected: dict[str, str] | None = None
    for key, prefix in {"plain": "plain", **NAMES}.items():
        folder = tmp_path / key
        folder.mkdir()
        path = folder / "net.onnx"
        path.write_bytes(named(prefix).SerializeToString())
        for arguments in (["inspect", str(path), "--layers"], ["generate", str(path), "-o", str(folder / "suite")]):
            outcome = called(arguments, LIMITS)
            assert outcome.kind == "ok", (key, outcome)
            assert not {"\x1b", "\x00", "\u202e"} & set(outcome.printed + outcome.said), key
        assert sorted(one.name for one in folder.iterdir()) == ["net.onnx", "suite"]
        found = code(folder / "suite")
        assert found
        assert found == (expected or found), key
        expected = found


def external(location: str, offset: str = "0") -> onnx.ModelProto:
    """A Reshape to a shape that another file holds, which therefore has to be read."""
    network = made.model(
        [helper.make_node("Reshape", ["x", "s"], ["y"])], {"x": [16]}, ["y"], {"s": np.array([4, 4], np.int64)}
    )
    shape = network.graph.initializer[0]
    shape.ClearField("raw_data")
    shape.data_location = TensorProto.EXTERNAL
    for key, value in (("location", location), ("offset", offset), ("length", "16")):
        entry = shape.external_data.add()
        entry.key, entry.value = key, value
    return network


@pytest.mark.parametrize("shape", [[], [1, 1, 2]])
def test_indices_of_a_sparse_constant_that_are_no_table_are_refused(shape: list[int], tmp_path: Path) -> None:
    """They are places in the flat tensor, or one row for each value."""
    network = made.model([helper.make_node("Add", ["x", "s"], ["y"])], {"x": [2, 2]}, ["y"])
    sparse = network.graph.sparse_initializer.add(dims=[2, 2])
    sparse.values.CopyFrom(helper.make_tensor("s", TensorProto.FLOAT, [1], [1.0]))
    sparse.indices.CopyFrom(helper.make_tensor("", TensorProto.INT64, shape, [0] * max(1, 2 * (len(shape) > 0))))
    (tmp_path / "net.onnx").write_bytes(network.SerializeToString())
    outcome = called(["inspect", tmp_path / "net.onnx"], LIMITS)
    assert (outcome.kind, outcome.code) == ("refused", 2), outcome
    assert "sparse constant 's'" in outcome.reason


UNUSABLE = ("device link", "pipe", "nothing", "folder", "", "a\0b")
"""Counted as missing: the network is read, and the layers whose shapes they decide are skipped."""
UNSOUND = ("/dev/zero", "../outside", "short", "whole@-5", f"whole@{10**30}", "whole@x", "whole@8")


@pytest.mark.parametrize("place", [*UNUSABLE, *UNSOUND])
def test_external_data_that_is_no_file_of_the_folder_is_not_read(place: str, tmp_path: Path) -> None:
    """Devices, pipes, folders, other folders, files cut off, and places outside a file: one line, no wait.

    A link to a file is followed, since caches of model hubs consist of them.
    """
    folder = tmp_path / "given"
    folder.mkdir()
    (tmp_path / "outside").write_bytes(np.array([4, 4], np.int64).tobytes())
    (folder / "whole").write_bytes(np.array([4, 4], np.int64).tobytes())
    (folder / "short").write_bytes(b"\0" * 10)
    (folder / "device link").symlink_to("/dev/zero")
    (folder / "folder").mkdir()
    os.mkfifo(folder / "pipe")
    location, _, offset = place.partition("@")
    (folder / "net.onnx").write_bytes(external(location, offset or "0").SerializeToString())
    outcome = called(["inspect", folder / "net.onnx"], LIMITS)
    assert (outcome.kind, outcome.code) == (("ok", 0) if place in UNUSABLE else ("refused", 2)), outcome
    assert outcome.kind == "refused" or "cannot be known" in outcome.printed


def test_shapes_behind_a_constant_of_texts(tmp_path: Path) -> None:
    """A run would need the texts, which are not read: the layers behind say so, and the file is not blamed."""
    words = TensorProto(name="words", data_type=TensorProto.STRING, dims=[2000], string_data=[b"w"] * 2000)
    nodes = [
        helper.make_node("Gather", ["words", "x"], ["s"]),
        helper.make_node(
            "LabelEncoder", ["s"], ["n"], domain="ai.onnx.ml", keys_strings=["w", "v"], values_int64s=[1, 2]
        ),
        helper.make_node("NonZero", ["n"], ["z"]),
        helper.make_node("Cast", ["z"], ["y"], to=TensorProto.FLOAT),
    ]
    taken = helper.make_tensor_value_info("x", TensorProto.INT64, [4])
    graph = helper.make_graph(nodes, "g", [taken], [helper.make_empty_tensor_value_info("y")], [words])
    imports = [helper.make_opsetid("", 17), helper.make_opsetid("ai.onnx.ml", 2)]
    path = tmp_path / "texts.onnx"
    onnx.save(helper.make_model(graph, opset_imports=imports, ir_version=8), path)
    outcome = called(["inspect", path, "--json"], LIMITS)
    assert (outcome.kind, "constant 'words' of texts holds strings" in outcome.printed) == ("ok", True), outcome
