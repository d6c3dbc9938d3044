"""Laws of naming dimensions: what can be bound has a name, and what has none is refused."""

from pathlib import Path

import onnx
import pytest
from onnx import helper

from dlbricks.errors import InputError
from dlbricks.model.read.dimensions import dimensions_of, refuse_unknown
from dlbricks.model.read.network import read_model
from tests.model.written import network, node


def written(path: Path, *dims: int | str | None) -> Path:
    """Write a network of one layer whose input has these dimensions; without any, not even a rank."""
    made = network([node("Relu", "x", "y")], {}, {"y": None})
    entry = helper.make_tensor_value_info("x", onnx.TensorProto.FLOAT, dims or None)
    made.graph.input.append(entry)
    path.write_bytes(made.SerializeToString())
    return path


@pytest.mark.parametrize(
    ("stated", "names", "others"),
    [
        (("batch", 3, None, -1), ("batch", "x:2", "x:3"), ("x:0", "x:1")),
        (("past + seq", "2*seq"), ("past", "seq"), ("past + seq", "2*seq")),
        (("a b c",), ("a b c",), ()),
        ((8, 3), (), ("x:0", "x:1")),
        ((), ("x:0",), ("x:1", "x:7")),
    ],
)
def test_names_that_mean_something(
    tmp_path: Path, stated: tuple[int | str | None, ...], names: tuple[str, ...], others: tuple[str, ...]
) -> None:
    """Listed are the open extents; known are these, sums of names, and every axis; nothing else is."""
    made = dimensions_of(written(tmp_path / "net.onnx", *stated))
    assert made.names == names
    assert all(made.has(name) for name in (*names, *others))
    unknown = ["", "y:0", "x", "x:", "x:-1", "x:a", "Batch"] + ["x:9"] * bool(stated)
    assert not any(made.has(name) for name in unknown)


def test_listed_names_bind_a_network(tmp_path: Path) -> None:
    """With a value for each name that is listed, a network can be read."""
    path = written(tmp_path / "net.onnx", "past + seq", None, 4, "batch")
    assert read_model(path, dims=dict.fromkeys(dimensions_of(path).names, 2)).spec("x").shape == (4, 2, 4, 2)


def test_a_name_has_to_be_in_one_of_the_networks(tmp_path: Path) -> None:
    """One network of several is enough; a name that none has is told with those that there are."""
    paths = [written(tmp_path / "one.onnx", "batch", 3), written(tmp_path / "other.onnx", "batch", "seq")]
    refuse_unknown(paths, {"batch": 2, "seq": 4, "x:1": 3})
    with pytest.raises(InputError, match=r"--dim sequ=4: none of 2 networks has a dimension 'sequ'; .*: batch, seq$"):
        refuse_unknown(paths, {"batch": 2, "sequ": 4})
    with pytest.raises(InputError, match=r"one.onnx has no dimension 'seq'; open are: batch$"):
        refuse_unknown(paths[:1], {"seq": 4})


def test_a_broken_network_may_have_any_dimension(tmp_path: Path) -> None:
    """Where a file cannot be read, that is told in its turn, and nothing is said of names."""
    broken = tmp_path / "broken.onnx"
    broken.write_bytes(b"no network")
    refuse_unknown([broken, written(tmp_path / "net.onnx", "batch")], {"seq": 4})
