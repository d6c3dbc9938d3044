"""Reading the graph of a file without its weights."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from numpy.typing import NDArray
from onnx import helper, numpy_helper

from dlbricks.errors import InputError
from dlbricks.model.read.skim import skim
from dlbricks.model.tensors import keeps_values
from dlbricks.settings import SplitSettings
from dlbricks.suite.generate import generate
from tests.model.written import F32, network, node

BIG = np.arange(5000, dtype=F32)


def skimmed(made: onnx.ModelProto, folder: Path) -> onnx.ModelProto:
    path = folder / "net.onnx"
    path.write_bytes(made.SerializeToString())
    return skim(path)


def values_at(path: Path, tensor: onnx.TensorProto) -> bytes:
    """Read the bytes to which a cut tensor points."""
    entries = {entry.key: entry.value for entry in tensor.external_data}
    assert entries["location"] == ""
    offset, length = int(entries["offset"]), int(entries["length"])
    return path.read_bytes()[offset : offset + length]


def product(weight: onnx.TensorProto | np.ndarray) -> onnx.ModelProto:
    return network([node("Add", "x w", "y")], {"x": ("float32", (5000,))}, {"y": None}, {"w": weight})


def test_raw_weight_is_cut_and_pointed_to(tmp_path: Path) -> None:
    """Values of a weight are left out, and the mark says where they lie in the file."""
    tensor = skimmed(product(BIG), tmp_path).graph.initializer[0]
    assert not tensor.raw_data
    assert (tensor.name, list(tensor.dims), tensor.data_type) == ("w", [5000], onnx.TensorProto.FLOAT)
    assert values_at(tmp_path / "net.onnx", tensor) == BIG.tobytes()


def test_typed_weight_is_cut(tmp_path: Path) -> None:
    """Values in a typed field are left out; nothing can point to them."""
    tensor = skimmed(product(helper.make_tensor("w", 1, [5000], BIG.tolist())), tmp_path).graph.initializer[0]
    assert not tensor.float_data
    assert tensor.data_location == onnx.TensorProto.EXTERNAL
    assert not tensor.external_data


def test_small_and_integer_values_stay(tmp_path: Path) -> None:
    """Up to 64 bytes of anything, and typed integers, need no second look."""
    indices = helper.make_tensor("i", onnx.TensorProto.INT64, [3000], list(range(3000)))
    made = network(
        [node("Gather", "x i", "g"), node("Mul", "g s", "y")],
        {"x": ("float32", (5000,))},
        {"y": None},
        {"i": indices, "s": np.array(2, F32)},
    )
    kept = {tensor.name: tensor for tensor in skimmed(made, tmp_path).graph.initializer}
    assert list(kept["i"].int64_data) == list(range(3000))
    assert kept["s"].raw_data == np.array(2, F32).tobytes()


def test_weights_in_nodes_bodies_and_functions_are_cut(tmp_path: Path) -> None:
    """Constant attributes lose large values wherever they stand: in the graph, in a body, in a function."""
    value = numpy_helper.from_array(BIG)
    body = helper.make_graph(
        [helper.make_node("Constant", [], ["b"], value=value)],
        "body",
        [],
        [helper.make_tensor_value_info("b", 1, [5000])],
    )
    function = helper.make_function(
        "f", "F", ["a"], ["c"], [helper.make_node("Constant", [], ["c"], value=value)], [helper.make_opsetid("", 20)]
    )
    nodes = [
        helper.make_node("Constant", [], ["k"], value=value),
        helper.make_node("If", ["q"], ["i"], then_branch=body, else_branch=body),
    ]
    made = network(nodes, {"q": ("bool", ())}, {"k": None, "i": None})
    made.functions.append(function)
    model = skimmed(made, tmp_path)
    branch = model.graph.node[1].attribute[0].g
    for constant in (model.graph.node[0], branch.node[0], model.functions[0].node[0]):
        assert values_at(tmp_path / "net.onnx", constant.attribute[0].t) == BIG.tobytes()
    assert model.ByteSize() < 3000


@pytest.mark.parametrize("raw", [True, False])
def test_attributes_of_operators_keep_their_values(raw: bool, tmp_path: Path) -> None:
    """A TreeEnsemble of many nodes is read and synthesised, however its tensors are stored; in a body, too."""
    count = 5000

    def tensor(kind: int, values: NDArray[Any]) -> onnx.TensorProto:
        content = values.tobytes() if raw else values
        return helper.make_tensor("t", kind, [len(values)], content, raw=raw)

    trees = helper.make_node(
        "TreeEnsemble",
        ["x"],
        ["t"],
        domain="ai.onnx.ml",
        n_targets=1,
        aggregate_function=1,
        post_transform=0,
        tree_roots=list(range(count)),
        nodes_modes=tensor(onnx.TensorProto.UINT8, np.zeros(count, np.uint8)),
        nodes_featureids=[0] * count,
        nodes_splits=tensor(onnx.TensorProto.DOUBLE, np.arange(count, dtype=np.float64)),
        nodes_truenodeids=list(range(count)),
        nodes_trueleafs=[1] * count,
        nodes_falsenodeids=list(range(count)),
        nodes_falseleafs=[1] * count,
        leaf_targetids=[0] * count,
        leaf_weights=tensor(onnx.TensorProto.DOUBLE, np.ones(count)),
    )
    body = helper.make_graph([trees], "body", [], [helper.make_tensor_value_info("t", onnx.TensorProto.DOUBLE, [3, 1])])
    inner = helper.make_node("If", ["c"], ["u"], then_branch=body, else_branch=body)
    made = network([trees, inner], {"x": ("float64", (3, 2)), "c": ("bool", ())}, {"t": None, "u": None})
    made.opset_import.append(helper.make_opsetid("ai.onnx.ml", 5))
    path = tmp_path / "net.onnx"
    path.write_bytes(made.SerializeToString())
    suite, (report,) = generate([str(path)], out=tmp_path / "suite", settings=SplitSettings(target="portable"))
    made_of = {one.operators for one in suite.benchmarks if one.role == "sequence"}
    assert made_of == {("TreeEnsemble",), ("If",)}
    assert not report.skipped


def test_everything_else_is_untouched(tmp_path: Path) -> None:
    """Of a model with small values only, the very same message is read."""
    made = network([node("Add", "x w", "y")], {"x": ("float32", (2,))}, {"y": None}, {"w": np.ones(2, F32)})
    made.metadata_props.add(key="k", value="v" * 5000)
    made.graph.doc_string = "d" * 5000
    assert skimmed(made, tmp_path) == made


def test_two_gigabytes_need_no_memory(tmp_path: Path) -> None:
    """1.9 GB of inline weights are read in a process that may use 0.5 GB (the file is sparse)."""
    length = 1_900_000_000
    tensor = onnx.TensorProto(name="w", data_type=1, dims=[length // 4]).SerializeToString()
    graph = network([node("Add", "x w", "y")], {"x": ("float32", (1,))}, {"y": None}).graph.SerializeToString()
    raw = b"\x4a" + _varint(length)
    inner = graph + b"\x2a" + _varint(len(tensor) + len(raw) + length) + tensor + raw
    opset = onnx.ModelProto(ir_version=10, opset_import=[helper.make_opsetid("", 20)]).SerializeToString()
    path = tmp_path / "big.onnx"
    with path.open("wb") as file:
        file.write(opset + b"\x3a" + _varint(len(inner) + length) + inner)
        file.truncate(file.tell() + length)
    script = (
        "import resource, sys, pathlib; from dlbricks.model.read.network import read_model;"
        "resource.setrlimit(resource.RLIMIT_DATA, (1 << 29, 1 << 29));"
        "model = read_model(pathlib.Path(sys.argv[1]));"
        "assert model.constants['w'].source.length == 1900000000;"
        "print(pathlib.Path('/proc/self/status').read_text().split('VmHWM:')[1].split()[0])"
    )
    done = subprocess.run([sys.executable, "-c", script, str(path)], capture_output=True, text=True, check=True)
    assert int(done.stdout) < 400_000, "more than 400 MB resident"


def _varint(value: int) -> bytes:
    out = b""
    while value > 0x7F:
        out += bytes([value & 0x7F | 0x80])
        value >>= 7
    return out + bytes([value])


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "is empty"),
        (b"not a network at all, but a text\n", "not an ONNX file"),
        (b"\x08\x0a", "does not contain a graph"),
        (b"\x3a\xff\xff\xff\xff\x07abc", "not an ONNX file, or it is truncated"),
        (product(BIG).SerializeToString()[:-20], "not an ONNX file, or it is truncated"),
    ],
)
def test_what_is_no_network_is_refused_in_one_line(tmp_path: Path, content: bytes, reason: str) -> None:
    """Empty, foreign, graphless and truncated files raise InputError with one line that names the file."""
    path = tmp_path / "net.onnx"
    path.write_bytes(content)
    with pytest.raises(InputError, match=reason) as caught:
        skim(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_missing_file_and_folder_are_refused(tmp_path: Path) -> None:
    """What cannot be opened is an input error."""
    with pytest.raises(InputError, match="No such file"):
        skim(tmp_path / "none.onnx")
    with pytest.raises(InputError, match="directory"):
        skim(tmp_path)


@pytest.mark.parametrize(
    ("dtype", "nbytes", "elements", "kept"),
    [
        ("float32", 4, 1, True),
        ("float32", 64, 16, True),
        ("float32", 68, 17, False),
        ("int64", 16 << 20, 2 << 20, True),
        ("int64", (16 << 20) + 8, (2 << 20) + 1, False),
        ("int8", 1024, 1024, True),
        ("int8", 1025, 1025, False),
        ("uint4", 200, 400, False),
        ("bool", 100, 100, True),
        ("float16", 0, 0, True),
    ],
)
def test_which_values_are_kept(dtype: str, nbytes: int, elements: int, kept: bool) -> None:
    """Single values, 64 bytes of anything, and integers that are no weights are kept."""
    assert keeps_values(dtype, nbytes, elements) is kept


def test_a_large_file_of_zeros_is_refused_at_once(tmp_path: Path) -> None:
    """No field has the number 0, so the first byte says that it is no network."""
    path = tmp_path / "zeros.onnx"
    with path.open("wb") as file:
        file.truncate(1 << 31)
    with pytest.raises(InputError, match="is not an ONNX file"):
        skim(path)
