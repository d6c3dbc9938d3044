"""Reading as a whole: finding files, real networks, speed, memory, damage."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import onnx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from onnx import helper, numpy_helper

from dlbricks.errors import DlbricksError, InputError
from dlbricks.harness.dtypes import BY_NAME
from dlbricks.model.export import Exported
from dlbricks.model.read.checker import complaint, naming_file_in_errors
from dlbricks.model.read.network import find_networks, read_model
from dlbricks.model.types import Model
from tests.model.written import F32, network, node, reading

NETWORKS = find_networks([str(Path(__file__).parents[2] / "suites" / "networks")])
LIGHT = tuple((Path(onnx.__file__).parent / "backend" / "test" / "data" / "light").glob("light_*.onnx"))
DIMS = {"batch": 2, "seq": 16}


def test_files_folders_and_patterns(tmp_path: Path) -> None:
    """A file of any name, all below a folder, or a pattern: sorted, each once."""
    for name in ("b.onnx", "a.onnx", "sub/c.onnx", "d.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    names = {name: tmp_path / name for name in ("a.onnx", "b.onnx", "sub/c.onnx", "d.txt")}
    assert find_networks([str(tmp_path)]) == (names["a.onnx"], names["b.onnx"], names["sub/c.onnx"])
    assert find_networks([str(tmp_path / "*.onnx"), str(names["a.onnx"])]) == (names["a.onnx"], names["b.onnx"])
    assert find_networks([str(tmp_path / "**" / "c.onnx")]) == (names["sub/c.onnx"],)
    assert find_networks([str(names["d.txt"])]) == (names["d.txt"],)


def test_nothing_found_is_an_error(tmp_path: Path) -> None:
    """A path that does not exist, an empty folder and a pattern without a match are named."""
    for text, reason in (
        (tmp_path / "none.onnx", "does not exist"),
        (tmp_path, "holds no network"),
        (tmp_path / "*.onnx", "does not exist"),
    ):
        with pytest.raises(InputError, match=reason):
            find_networks([str(text)])


def check_soundness(model: Model) -> None:
    """Check what the types of a model promise."""
    known = set(model.inputs)
    names = {layer.name for layer in model.layers}
    assert len(names) == len(model.layers)
    for layer in model.layers:
        assert all(name in known or name in model.constants for name in layer.reads)
        assert any(name not in model.constants for name in layer.reads) or layer.op_type == "DequantizeLinear"
        written = [name for name in layer.outputs if name]
        assert known.isdisjoint(written)
        known.update(written)
        proto = onnx.NodeProto.FromString(layer.node)
        assert (proto.op_type, tuple(proto.input), tuple(proto.output)) == (layer.op_type, layer.inputs, layer.outputs)
        assert list(dict(layer.attributes)) == sorted(dict(layer.attributes))
    assert known == set(model.tensors)
    used = {name for layer in model.layers for name in layer.reads} | set(model.outputs)
    assert used == used & (known | model.constants.keys())
    assert set(model.constants) <= used
    assert all(model.spec(name).name == name for name in (*model.tensors, *model.constants))
    for constant in model.constants.values():
        assert constant.values is None or (len(constant.values) == constant.spec.nbytes and constant.fill is None)
        kind = BY_NAME[constant.spec.dtype].kind
        assert constant.values is None or kind != "float" or constant.spec.nbytes <= 64 << 10


@pytest.mark.parametrize("path", NETWORKS, ids=lambda path: path.stem)
def test_real_networks_are_read_whole(path: Path) -> None:
    """Every shape is known, nothing is skipped, every layer depends on an input, every name is accounted for."""
    model = read_model(path, dims=DIMS)
    check_soundness(model)
    assert model.name == path.stem
    assert not any(layer.skip for layer in model.layers)
    assert model.observed is None, "inference suffices"
    assert all(spec.dtype for spec in model.tensors.values())
    assert model.source_layers - model.folded <= len(model.layers)


def test_dimensions_reach_every_shape() -> None:
    """Bound dimensions show in the activations of the networks that have open ones."""
    by_name = {path.stem: path for path in NETWORKS}
    model = read_model(by_name["leg_hf_distilbert"], dims={"batch": 3, "seq": 7})
    assert model.spec(model.outputs[0]).shape[:2] == (3, 7)
    with pytest.raises(InputError, match="unbound dimensions: batch, seq"):
        read_model(by_name["leg_hf_distilbert"])


def test_light_networks_stay_light() -> None:
    """Networks that make their weights by ConstantOfShape read in 300 MB; no weight is ever made."""
    script = (
        "import sys, pathlib; from dlbricks.model.read.network import read_model\n"
        "for path in sys.argv[1:]:\n"
        "    model = read_model(pathlib.Path(path))\n"
        "    peak = pathlib.Path('/proc/self/status').read_text().split('VmHWM:')[1].split()[0]\n"
        "    print(peak, sum(1 for entry in model.constants.values() if entry.fill))\n"
    )
    done = subprocess.run([sys.executable, "-c", script, *LIGHT], capture_output=True, text=True, check=True)
    told = [tuple(map(int, line.split())) for line in done.stdout.splitlines()]
    assert len(told) == len(LIGHT) > 5
    for kibibytes, fills in told:
        assert kibibytes < 300_000
        assert fills > 5


def chain(count: int, folder: Path) -> Path:
    """Write a network of ``count`` layers in a row, with weights, activations and spelled-out SiLUs."""
    nodes, weights = [], []
    for index in range(count):
        here, there = f"t{index}", f"t{index + 1}"
        if index % 4 == 0:
            weights.append(numpy_helper.from_array(np.zeros((8, 8), F32), f"w{index}"))
            nodes.append(node("MatMul", f"{here} w{index}", there))
        elif index % 4 == 2:
            nodes.append(node("Mul", f"t{index - 1} {here}", there))
        else:
            nodes.append(node("Sigmoid", here, there))
    graph = helper.make_graph(
        nodes,
        "chain",
        [helper.make_tensor_value_info("t0", 1, [1, 8])],
        [onnx.ValueInfoProto(name=f"t{count}")],
        weights,
    )
    path = folder / f"chain{count}.onnx"
    path.write_bytes(
        helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8).SerializeToString()
    )
    return path


def test_a_long_chain_is_read_whole(tmp_path: Path) -> None:
    """5,000 layers in a row are no matter of recursion; ``make bench`` holds the cost per layer to account."""
    model = read_model(chain(5_000, tmp_path))
    assert len(model.layers) == 5_000
    assert len(model.groups) == 1_250


def test_a_fault_is_not_blamed_on_the_order_of_nodes(tmp_path: Path) -> None:
    """Networks are read, and run, whatever the order of their nodes; of other faults the file is told."""
    nodes = [node("Relu", "m", "y"), node("MatMul", "x w", "m")]
    made = network(nodes, {"x": ("float32", (2, 8))}, {"y": ("float32", (2, 8))}, {"w": np.ones((8, 8), F32)})
    assert [layer.op_type for layer in reading(made, tmp_path).layers] == ["MatMul", "Relu"]
    path = tmp_path / "written.onnx"
    assert "sorted" in complaint(path)
    with pytest.raises(ZeroDivisionError), naming_file_in_errors(path):
        raise ZeroDivisionError
    made.graph.node[0].attribute.append(helper.make_attribute("axis", 1))
    path.write_bytes(made.SerializeToString())
    with pytest.raises(InputError, match=r"not a valid network: .*axis"), naming_file_in_errors(path):
        raise ZeroDivisionError


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A network with a bit of everything: weights, a body, a function, metadata, shape arithmetic."""
    branch = helper.make_graph([node("Relu", "h", "r")], "b", [], [helper.make_tensor_value_info("r", 1, None)])
    nodes = [
        node("MatMul", "x w", "m"),
        node("F", "m", "h", domain="f"),
        helper.make_node("If", ["q"], ["i"], then_branch=branch, else_branch=branch),
        node("Shape", "i", "s"),
        node("Slice", "s zero one", "n"),
        node("Concat", "n minus", "t", axis=0),
        node("Reshape", "i t", "y"),
    ]
    constants = {
        "w": np.ones((8, 8), F32),
        "zero": np.array([0]),
        "one": np.array([1]),
        "minus": np.array([-1]),
    }
    made = network(nodes, {"x": ("float32", (4, 8)), "q": ("bool", ())}, {"y": None}, constants, domains=["f"])
    made.functions.append(
        helper.make_function("f", "F", ["a"], ["b"], [node("Tanh", "a", "b")], [helper.make_opsetid("", 20)])
    )
    made.metadata_props.add(key="k", value="v")
    content = made.SerializeToString()
    path = tmp_path_factory.mktemp("base") / "base.onnx"
    path.write_bytes(content)
    check_soundness(read_model(path))
    return bytes(content)


@settings(max_examples=100, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(data=st.data())
def test_damage_never_ends_in_a_traceback(
    base: bytes, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    """A network that is cut short, or whose bytes are changed, is read or refused in one line; nothing else happens."""
    folder = tmp_path_factory.mktemp("damage")
    content = bytearray(base)
    if data.draw(st.booleans(), label="cut"):
        del content[data.draw(st.integers(0, len(content) - 1), label="length") :]
    for _ in range(data.draw(st.integers(0, 6), label="changes")):
        if content:
            place = data.draw(st.integers(0, len(content) - 1), label="place")
            content[place : place + data.draw(st.integers(0, 4), label="removed")] = data.draw(
                st.binary(max_size=4), label="put"
            )
    path = folder / "damaged.onnx"
    path.write_bytes(bytes(content))
    try:
        model = read_model(path)
    except DlbricksError as error:
        assert str(error).isprintable()
    else:
        assert isinstance(model, Model)


@settings(max_examples=50)
@given(content=st.binary(max_size=200))
def test_random_bytes_are_refused(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    """Random bytes are no network: InputError."""
    path = tmp_path_factory.mktemp("random") / "random.onnx"
    path.write_bytes(content)
    with pytest.raises(InputError):
        read_model(path)


def test_names_with_control_characters_stay_in_one_line(tmp_path: Path) -> None:
    """An error that quotes a name with line breaks is one line all the same."""
    made = network([node("Relu", "x", "a")], {"x": ("float32", (2,))}, {"a\nb": None})
    with pytest.raises(InputError) as caught:
        reading(made, tmp_path)
    assert str(caught.value).isprintable()


def test_text_that_is_no_text_is_refused(tmp_path: Path) -> None:
    """A name that is not UTF-8 is damage."""
    content = network([node("Relu", "xxxx", "y")], {"xxxx": ("float32", (2,))}, {"y": None}).SerializeToString()
    path = tmp_path / "net.onnx"
    path.write_bytes(content.replace(b"xxxx", b"x\xff\xfex"))
    with pytest.raises(InputError, match="not UTF-8"):
        read_model(path)


def test_values_of_an_export_are_read_from_the_export(tmp_path: Path) -> None:
    """The program that the user named has other bytes, trained weights among them, at the same place."""
    order = np.arange(300)[::-1].copy()
    made = network([node("Gather", "x i", "y")], {"x": ("float32", (300,))}, {"y": None}, {"i": order})
    (tmp_path / "net.onnx").write_bytes(made.SerializeToString())
    path = Exported(tmp_path / "net.onnx")
    path.source = str(tmp_path / "net.pt2")
    (tmp_path / "net.pt2").write_bytes(bytes(10_000))
    assert read_model(path).constants["i"].values == order.tobytes()
