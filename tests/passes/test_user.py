"""Passes of users: by function, file and entry point; graphs in place of files, and sequences as graphs."""

import json
from pathlib import Path

import numpy as np
import onnx
import onnx_graphsurgeon as gs
import pytest
from click.testing import CliRunner
from onnx import helper

import dlbricks
from dlbricks.cli import main
from dlbricks.errors import InputError, MissingDependencyError
from dlbricks.model.lowering.onnxruntime_cpu import lower
from dlbricks.model.lowering.targets import save_lowered
from dlbricks.model.types import LoweringTarget
from dlbricks.passes.user import pass_digest
from dlbricks.sequences.canonical import canonicalise
from tests.model.written import network
from tests.test_extension import install

F32 = ("float32", [2, 3])
ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "docs" / "examples" / "without_preprocessing.py"
SQUEEZENET = ROOT / "suites" / "networks" / "tv_squeezenet1_1.onnx"


def image_network() -> onnx.ModelProto:
    """Make a convolution behind the usual preprocessing of bytes."""
    nodes = [
        helper.make_node("Cast", ["bytes"], ["numbers"], to=1),
        helper.make_node("Div", ["numbers", "scale"], ["scaled"]),
        helper.make_node("Transpose", ["scaled"], ["image"], perm=[0, 3, 1, 2]),
        helper.make_node("Conv", ["image", "w"], ["h"]),
        helper.make_node("Relu", ["h"], ["y"]),
    ]
    constants = {"scale": np.array(255, np.float32), "w": np.ones((8, 3, 3, 3), np.float32)}
    model = network(nodes, {"bytes": ("uint8", [1, 32, 32, 3])}, {"y": None}, constants)
    return onnx.shape_inference.infer_shapes(model)


@pytest.fixture
def images(tmp_path: Path) -> Path:
    """The file of such a network."""
    path = tmp_path / "images.onnx"
    onnx.save(image_network(), path)
    return path


def test_the_example_removes_preprocessing(images: Path) -> None:
    """The network begins at its convolution, with a batch of its own if asked for."""
    whole = dlbricks.read(images, target="portable")
    assert [layer.op_type for layer in whole.layers] == ["Cast", "Div", "Transpose", "Conv", "Relu"]
    model = dlbricks.read(images, passes=[f"{EXAMPLE}:without_preprocessing"], batch=4, target="portable")
    assert [layer.op_type for layer in model.layers] == ["Conv", "Relu"]
    assert (model.name, model.inputs, model.spec("image").shape) == ("images", ("image",), (4, 3, 32, 32))


def test_a_pass_that_changes_nothing_changes_nothing() -> None:
    """Reading goes the same way as without a pass."""
    before, after = (
        dlbricks.read(SQUEEZENET, target="portable"),
        dlbricks.read(SQUEEZENET, passes=[lambda graph: graph], target="portable"),
    )
    assert (after.layers, after.tensors, after.opsets) == (before.layers, before.tensors, before.opsets)


def test_functions_are_inlined_with_their_overloads(tmp_path: Path) -> None:
    """Two functions of one name, which onnx-graphsurgeon cannot tell apart."""
    opset = [helper.make_opsetid("", 20)]
    functions = []
    for overload, operator in (("a", "Relu"), ("b", "Tanh")):
        call = helper.make_node(operator, ["x"], ["y"])
        functions.append(helper.make_function("own", "f", ["x"], ["y"], [call], opset, overload=overload))
    nodes = [
        helper.make_node("f", ["x"], ["h"], domain="own", overload="b"),
        helper.make_node("f", ["h"], ["y"], domain="own", overload="a"),
    ]
    model = network(nodes, {"x": ("float32", [2, 3])}, {"y": ("float32", [2, 3])}, domains=["own"])
    model.functions.extend(functions)
    onnx.save(model, tmp_path / "net.onnx")
    read = dlbricks.read(tmp_path / "net.onnx", passes=[lambda graph: graph.cleanup()], target="portable")
    assert [layer.op_type for layer in read.layers] == ["Tanh", "Relu"]


def test_a_graph_is_read_like_its_file() -> None:
    """Sequences have the fingerprints of those of the file, and can be graphs again."""
    split = dlbricks.split(dlbricks.read(SQUEEZENET, target="portable"), granularity=4)
    graph = gs.import_onnx(onnx.load(SQUEEZENET, load_external_data=False))
    again = dlbricks.split(dlbricks.read(graph, target="portable"), granularity=4)
    texts = [canonicalise(part.model, sequence).fingerprint for part in (split, again) for sequence in part.sequences]
    assert texts[: len(texts) // 2] == texts[len(texts) // 2 :]
    first = split.to_graphsurgeon(0)
    assert [node.name for node in first.nodes] == [
        split.model.layers[index].name for index in split.sequences[0].layers
    ]
    alone = dlbricks.split(dlbricks.read(first, target="portable"), granularity=4)
    assert canonicalise(alone.model, alone.sequences[0]).fingerprint == texts[0]


def fails(graph: gs.Graph) -> gs.Graph:
    """Do what passes should not."""
    raise KeyError(graph.name)


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        (fails, "pass 'fails' fails on .*: KeyError"),
        (lambda _: None, "pass '<lambda>' returns NoneType: return the onnx_graphsurgeon.Graph"),
        ("nothing_such", "unknown pass 'nothing_such': expected FILE.py:NAME or an installed pass"),
        (f"{EXAMPLE}:nothing", "has no function 'nothing'"),
        ("missing.py:change", "cannot read passes from missing.py: file not found"),
    ],
)
def test_what_is_no_pass_is_refused(images: Path, wanted: object, message: str) -> None:
    """In one line."""
    with pytest.raises(InputError, match=message) as error:
        dlbricks.read(images, passes=[wanted], target="portable")  # type: ignore[list-item]
    assert "\n" not in str(error.value)


def test_a_lowered_file_is_refused(images: Path, tmp_path: Path) -> None:
    """Its shapes and observed values are those of the graph as it is."""
    made_for = LoweringTarget(runtime="onnxruntime", instruction_set=())
    save_lowered(lower(dlbricks.read(images, target="portable")), tmp_path / "lowered.onnx", made_for)
    with pytest.raises(InputError, match="is lowered already: apply passes to the network before it is lowered"):
        dlbricks.read(tmp_path / "lowered.onnx", passes=[lambda graph: graph], target="portable")


def test_passes_are_installed(images: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An entry point is a pass by its name; one that cannot be imported is an error."""
    source = "def shorter(graph):\n    graph.outputs = [graph.nodes[-1].inputs[0]]\n    return graph.cleanup()\n"
    install(
        tmp_path, "passes_of_others", source, "[dlbricks.passes]\nshorter = passes_of_others:shorter\nlost = x_y_z:a\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    assert [layer.op_type for layer in dlbricks.read(images, passes=["shorter"], target="portable").layers][
        -1
    ] == "Conv"
    with pytest.raises(MissingDependencyError, match="'lost'"):
        dlbricks.read(images, passes=["lost"], target="portable")


def generated(paths: list[Path], folder: Path, *options: str) -> dict[str, object]:
    """Run ``generate`` of networks for a suite at H = 2; return its suite.json."""
    arguments = ["generate", *map(str, paths), "-o", str(folder), "-H", "2", *options]
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 0, result.output
    content: dict[str, object] = json.loads((folder / "suite.json").read_text())
    return content


def test_the_command_line_has_passes(images: Path, tmp_path: Path) -> None:
    """A suite names them by digests only; without passes it has no such field; estimates find its sequences."""
    wanted = f"{EXAMPLE}:without_preprocessing"
    plain = generated([images], tmp_path / "plain")
    changed = generated([images], tmp_path / "changed", "--pass", wanted)
    assert "passes" not in plain
    assert changed["passes"] == [pass_digest(wanted)]
    assert "preprocessing" not in (tmp_path / "changed" / "suite.json").read_text()
    shown = CliRunner().invoke(main, ["inspect", str(images), "--pass", wanted, "--json"])
    (inspected,) = json.loads(shown.stdout)["networks"]
    assert (inspected["inputs"], inspected["layers"]) == (["image: float32[1,3,32,32]"], 2)


def test_extents_are_those_of_the_changed_network(tmp_path: Path) -> None:
    """``--dim`` names dimensions that a pass makes."""
    onnx.save(network([helper.make_node("Relu", ["x"], ["y"])], {"x": F32}, {"y": None}), tmp_path / "net.onnx")
    (tmp_path / "open.py").write_text(
        "def open_rows(graph):\n    graph.inputs[0].shape = ['rows', 3]\n    return graph\n", encoding="utf-8"
    )
    arguments = ["inspect", str(tmp_path / "net.onnx"), "--dim", "rows=7", "--json"]
    refused = CliRunner().invoke(main, arguments)
    assert "has no dimension 'rows'" in refused.output
    shown = CliRunner().invoke(main, [*arguments, "--pass", f"{tmp_path / 'open.py'}:open_rows"])
    (inspected,) = json.loads(shown.stdout)["networks"]
    assert inspected["inputs"] == ["x: float32[7,3]"]


def test_public_networks_keep_their_layers(images: Path, tmp_path: Path) -> None:
    """Passes are for the own networks; a pass that no network can take leaves none."""
    onnx.save(network([helper.make_node("Tanh", ["x"], ["y"])], {"x": F32}, {"y": None}), tmp_path / "public.onnx")
    wanted = f"{EXAMPLE}:without_preprocessing"
    suite = generated([images], tmp_path / "suite", "--pass", wanted, "--decoys", str(tmp_path / "public.onnx"))
    assert "Tanh" in json.dumps(suite["benchmarks"])
    result = CliRunner().invoke(
        main, ["generate", str(tmp_path / "public.onnx"), "-o", str(tmp_path / "none"), "--pass", wanted]
    )
    assert isinstance(result.exception, InputError | SystemExit)
    assert result.exit_code != 0


def test_a_digest_follows_the_file(tmp_path: Path) -> None:
    """Another text or another function is another pass."""
    file = tmp_path / "own.py"
    file.write_text("def a(graph):\n    return graph\n\n\ndef b(graph):\n    return graph\n", encoding="utf-8")
    first = pass_digest(f"{file}:a")
    assert first == pass_digest(f"{file}:a") != pass_digest(f"{file}:b")
    file.write_text(file.read_text(encoding="utf-8") + "# changed\n", encoding="utf-8")
    assert pass_digest(f"{file}:a") != first
