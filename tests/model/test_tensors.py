"""Constants in all forms that ONNX has for them."""

from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import onnx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from onnx import TensorProto, helper, numpy_helper

from dlbricks.errors import InputError
from dlbricks.harness.dtypes import BY_NAME
from dlbricks.model.tensors import array_of, constant_of, densified, tensor_of
from dlbricks.model.types import Constant, Model
from tests.model.written import F32, network, node, reading

HERE = Path("net.onnx")


@pytest.mark.parametrize(
    ("attributes", "dtype", "values"),
    [
        ({"value": numpy_helper.from_array(np.array([1, 2], np.int32))}, "int32", np.array([1, 2], np.int32)),
        ({"value_float": 2.5}, "float32", np.array(2.5, F32)),
        ({"value_floats": [1.0, 2.0]}, "float32", np.array([1, 2], F32)),
        ({"value_int": 7}, "int64", np.array(7)),
        ({"value_ints": [7, 8]}, "int64", np.array([7, 8])),
        (
            {
                "sparse_value": helper.make_sparse_tensor(
                    helper.make_tensor("v", TensorProto.INT64, [2], [5, 6]),
                    helper.make_tensor("i", TensorProto.INT64, [2], [0, 3]),
                    [4],
                )
            },
            "int64",
            np.array([5, 0, 0, 6]),
        ),
    ],
)
def test_constant_nodes_become_constants(
    tmp_path: Path, attributes: dict[str, Any], dtype: str, values: np.ndarray
) -> None:
    """Every attribute form of Constant gives its standard type (value_float is FLOAT) and its values, and no layer."""
    constant_node = helper.make_node("Constant", [], ["c"], **attributes)
    if "value_ints" in attributes:
        constant_node.attribute[0].type = onnx.AttributeProto.INTS
    model = reading(
        network([constant_node, node("Identity", "x", "y")], {"x": ("float32", (1,))}, {"y": None, "c": None}), tmp_path
    )
    constant = model.constants["c"]
    assert (constant.spec.dtype, constant.spec.shape) == (dtype, values.shape)
    assert constant.values == values.astype(values.dtype.newbyteorder("<")).tobytes()
    assert [layer.op_type for layer in model.layers] == ["Identity"]
    assert model.spec("c").dtype == dtype


def test_string_constants_have_a_specification(tmp_path: Path) -> None:
    """value_string and value_strings are constants of strings, without values."""
    nodes = [
        helper.make_node("Constant", [], ["s"], value_string="a"),
        helper.make_node("Constant", [], ["t"], value_strings=["a", "b"]),
    ]
    model = reading(network(nodes, {}, {"s": None, "t": None}), tmp_path)
    assert {name: (constant.spec.dtype, constant.spec.shape) for name, constant in model.constants.items()} == {
        "s": ("string", ()),
        "t": ("string", (2,)),
    }


def test_malformed_constant_node_is_refused(tmp_path: Path) -> None:
    """A Constant node without an attribute is an input error that names it."""
    with pytest.raises(InputError, match="Constant node"):
        reading(network([helper.make_node("Constant", [], ["c"])], {}, {"c": None}), tmp_path)


@pytest.mark.parametrize(
    ("dtype", "values"),
    [
        (TensorProto.INT8, [-1, 2]),
        (TensorProto.UINT16, [65535, 2]),
        (TensorProto.BOOL, [1, 0]),
        (TensorProto.FLOAT16, [1.5, -2.0]),
        (TensorProto.BFLOAT16, [1.5, -2.0]),
        (TensorProto.FLOAT8E4M3FN, [1.5, -2.0]),
        (TensorProto.FLOAT8E5M2FNUZ, [1.5, -2.0]),
        (TensorProto.INT4, [-1, 2, 3]),
        (TensorProto.UINT64, [2**63, 1]),
        (TensorProto.DOUBLE, [0.1, 2.0]),
        (TensorProto.COMPLEX64, [1 + 2j, 3 - 4j]),
    ],
)
def test_typed_fields_give_the_same_bytes_as_raw_data(dtype: int, values: list[Any]) -> None:
    """Values in a typed field and the same values in raw_data are the same constant."""
    typed = helper.make_tensor("c", dtype, [len(values)], values)
    raw = numpy_helper.from_array(numpy_helper.to_array(typed), "c")
    assert not typed.HasField("raw_data")
    assert constant_of(typed, HERE) == constant_of(raw, HERE)
    assert tensor_of(constant_of(typed, HERE)) == raw


@pytest.mark.parametrize("dtype", [ml_dtypes.int4, ml_dtypes.uint4, ml_dtypes.float4_e2m1fn, ml_dtypes.float8_e4m3fnuz])
def test_small_types_pass_untouched(tmp_path: Path, dtype: type) -> None:
    """4-bit and 8-bit float weights keep type and shape; small ones keep their bytes."""
    small, large = (numpy_helper.from_array(np.ones(n, dtype), name) for n, name in ((3, "s"), (300, "l")))
    made = network(
        [node("Identity", "x", "y")],
        {"x": ("float32", (1,))},
        {"y": None, "s": None, "l": None},
        {"s": small, "l": large},
    )
    model = reading(made, tmp_path)
    assert BY_NAME[model.spec("s").dtype].onnx == small.data_type
    assert model.constants["s"].values == small.raw_data
    assert model.constants["l"].values is None
    assert source_bytes(model, "l") == large.raw_data


def source_bytes(model: Model, name: str) -> bytes:
    source = model.constants[name].source
    assert source is not None
    return Path(source.path).read_bytes()[source.offset : source.offset + source.length]


def external(name: str, dtype: int, dims: list[int], **entries: object) -> onnx.TensorProto:
    tensor = onnx.TensorProto(name=name, data_type=dtype, dims=dims, data_location=TensorProto.EXTERNAL)
    for key, value in entries.items():
        tensor.external_data.add(key=key, value=str(value))
    return tensor


def test_external_integers_are_read_where_their_file_exists(tmp_path: Path) -> None:
    """Indices in another file are read; weights there are pointed to; a missing file is no error."""
    (tmp_path / "data.bin").write_bytes(b"skip" + np.arange(4).tobytes())
    present = constant_of(external("i", 7, [4], location="data.bin", offset=4, length=32), tmp_path / "net.onnx")
    assert present.values == np.arange(4).tobytes()
    weight = constant_of(external("w", 1, [100], location="data.bin"), tmp_path / "net.onnx")
    assert weight.values is None
    assert weight.source is not None
    assert (weight.source.path, weight.source.offset, weight.source.length) == (str(tmp_path / "data.bin"), 0, 400)
    missing = constant_of(external("i", 7, [4], location="none.bin"), tmp_path / "net.onnx")
    assert missing.values is None
    assert missing.source is not None


@pytest.mark.parametrize(
    ("tensor", "reason"),
    [
        (external("i", 7, [4], location="data.bin", length=16), "16 bytes of values; its shape needs 32"),
        (external("i", 7, [4], location="data.bin", offset="x"), "not a number"),
        (external("i", 7, [4], location="../data.bin"), "outside the model's folder"),
        (external("i", 7, [4], location="/etc/passwd"), "outside the model's folder"),
        (external("i", 7, [4], location="short.bin"), "truncated"),
        (external("i", 99, [4], location="data.bin"), "element type 99"),
        (external("i", 7, [-4], location="data.bin"), "negative extent"),
        (TensorProto(name="i", data_type=7, dims=[4], raw_data=bytes(8)), "8 bytes of values; its shape needs 32"),
        (TensorProto(name="i", data_type=7, dims=[4]), "0 bytes of values; its shape needs 32"),
    ],
)
def test_unsound_tensors_are_refused(tmp_path: Path, tensor: onnx.TensorProto, reason: str) -> None:
    """Values that do not fit, unknown types and paths that leave the folder are input errors."""
    (tmp_path / "short.bin").write_bytes(bytes(8))
    with pytest.raises(InputError, match=reason):
        constant_of(tensor, tmp_path / "net.onnx")


@given(st.lists(st.integers(0, 11), unique=True, max_size=12), st.booleans())
def test_sparse_is_dense_with_zeros(places: list[int], two_dimensional: bool) -> None:
    """A sparse tensor, in linear or in coordinate notation, is the dense one with zeros elsewhere."""
    dense = np.zeros((3, 4), np.int32)
    dense.reshape(-1)[places] = np.arange(1, len(places) + 1)
    indices = np.array(places, np.int64)
    if two_dimensional:
        indices = np.stack(np.unravel_index(indices, (3, 4)), axis=1).astype(np.int64)
    sparse = onnx.SparseTensorProto(
        values=numpy_helper.from_array(np.arange(1, len(places) + 1, dtype=np.int32), "s"),
        indices=numpy_helper.from_array(indices),
        dims=[3, 4],
    )
    assert densified(sparse, HERE, "s").values == dense.tobytes()


def test_sparse_indices_must_fit() -> None:
    """An index beyond the shape is an input error; a large sparse weight is a weight like others."""
    sparse = helper.make_sparse_tensor(
        helper.make_tensor("s", TensorProto.INT64, [1], [5]), helper.make_tensor("i", TensorProto.INT64, [1], [9]), [4]
    )
    with pytest.raises(InputError, match="do not fit its shape"):
        densified(sparse, HERE, "s")
    weight = helper.make_sparse_tensor(
        helper.make_tensor("s", 1, [1], [5.0]), helper.make_tensor("i", TensorProto.INT64, [1], [9]), [4000]
    )
    constant = densified(weight, HERE, "s")
    assert (constant.spec.shape, constant.values) == ((4000,), None)


def test_constants_without_values_have_no_array() -> None:
    """Asking for values that are not kept is a programming error."""
    with pytest.raises(ValueError, match="the values of constant 'w' are not kept"):
        array_of(Constant(spec=constant_of(external("w", 1, [100], location="x"), HERE).spec))


def test_inputs_with_initializers_are_constants(tmp_path: Path) -> None:
    """An initializer that is a graph input as well (IR version 3) is a constant, not an input."""
    made = network(
        [node("Add", "x w", "y")], {"x": ("float32", (2,)), "w": ("float32", (2,))}, {"y": None}, {"w": np.ones(2, F32)}
    )
    model = reading(made, tmp_path)
    assert model.inputs == ("x",)
    assert "w" in model.constants
    assert "w" not in model.tensors
