"""Names of dimensions: every dimension that can be bound has a name, and other names are refused."""

from collections.abc import Mapping
from pathlib import Path

import onnx
import pytest
from onnx import helper

from dlbricks.errors import InputError
from dlbricks.model.read.dimensions import check_given, dimensions_of
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
        (("?", "?", "None", "-1"), ("x:0", "x:1", "x:2", "x:3"), ("?",)),
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
    assert check_given(paths, {"batch": 2, "x:1": 3}) == ()
    assert check_given(paths, {"seq": 4}) == ("--dim seq=4 is used by 1 of 2 networks, not by one.onnx",)
    (line,) = check_given([*paths[:1] * 5, *paths[1:]], {"seq": 4})
    assert line.endswith("used by 1 of 6 networks, not by one.onnx, one.onnx, one.onnx and 2 more")
    with pytest.raises(InputError, match=r"--dim sequ=4: none of 2 networks has a dimension 'sequ'; .*: batch, seq$"):
        check_given(paths, {"batch": 2, "sequ": 4})
    with pytest.raises(InputError, match=r"one.onnx has no dimension 'seq'; open dimensions: batch$"):
        check_given(paths[:1], {"seq": 4})


def test_extents_of_zero_are_of_numbers_and_caches(tmp_path: Path) -> None:
    """A value may be 0, and a cache empty; any other extent is refused."""
    path = tmp_path / "net.onnx"
    inputs: dict[str, tuple[str, list[int | str]]] = {
        "tokens": ("int64", ["batch", "new"]),
        "past_key": ("float32", ["batch", 2, "old", 4]),
        "rate": ("int64", [1]),
    }
    onnx.save(network([node("Relu", "past_key", "y")], inputs, {"y": None}), path)
    assert check_given([path], {"old": 0, "past": 0, "rate": 0}) == ()
    with pytest.raises(InputError, match=r"^--dim batch=0: the extent must be a whole number from 1 up$"):
        check_given([path], {"batch": 0})


def test_a_broken_network_may_have_any_dimension(tmp_path: Path) -> None:
    """An unreadable file is reported later, and names are not checked."""
    broken = tmp_path / "broken.onnx"
    broken.write_bytes(b"no network")
    check_given([broken, written(tmp_path / "net.onnx", "batch")], {"seq": 4})


def opened(*dims: int | str | None) -> onnx.ModelProto:
    """A network of one layer whose input has these dimensions."""
    made = network([node("Relu", "x", "y")], {}, {"y": None})
    made.graph.input.append(helper.make_tensor_value_info("x", 1, dims))
    return made


def shape(made: onnx.ModelProto, folder: Path, dims: Mapping[str, int]) -> tuple[int, ...]:
    path = folder / "net.onnx"
    path.write_bytes(made.SerializeToString())
    model = read_model(path, dims=dims)
    assert model.spec("x").shape == model.spec("y").shape
    return model.spec("x").shape


@pytest.mark.parametrize(
    ("stated", "dims", "bound"),
    [
        (("batch", 3, "seq"), {"batch": 2, "seq": 5}, (2, 3, 5)),
        (("batch", 3), {"batch": 0}, (0, 3)),
        (("past + seq", "2*seq", "seq // 2"), {"past": 2, "seq": 5}, (7, 10, 2)),
        ((None, 3), {"x:0": 4}, (4, 3)),
        (("batch", 3), {"x:0": 4}, (4, 3)),
        (("a b c",), {"a b c": 4}, (4,)),
        (("?", 3, "?"), {"x:0": 4, "x:2": 5}, (4, 3, 5)),
        (("?", 3, "?"), {"?": 4}, (4, 3, 4)),
        (("batch", 3), {"batch": 2, "unused": 9}, (2, 3)),
        ((3,), {"x:0": 3}, (3,)),
        ((-1, 3), {"x:0": 5}, (5, 3)),
        ((0, 3), {}, (0, 3)),
    ],
)
def test_bound(
    tmp_path: Path, stated: tuple[int | str | None, ...], dims: dict[str, int], bound: tuple[int, ...]
) -> None:
    """By name, in sums and products of names, by input and axis; names that a network lacks are ignored."""
    assert shape(opened(*stated), tmp_path, dims) == bound


def test_unbound_dimensions_are_all_named(tmp_path: Path) -> None:
    """The error names every unbound dimension and the options that bind them."""
    with pytest.raises(
        InputError, match="unbound dimensions: batch, seq, x:2: give --dim batch=N --dim seq=N --dim x:2=N"
    ):
        shape(opened("batch", "seq", None, "past", "batch"), tmp_path, {"past": 1})


def test_first_extents_of_several_inputs_may_be_the_batch(tmp_path: Path) -> None:
    """Whoever has a dozen inputs of a column each need not name them all."""
    made = network([node("Add", "a b", "y")], {}, {"y": None})
    made.graph.input.extend(helper.make_tensor_value_info(name, 1, (None, 3)) for name in "ab")
    path = tmp_path / "net.onnx"
    path.write_bytes(made.SerializeToString())
    with pytest.raises(InputError, match=r"give --dim a:0=N --dim b:0=N \(or --batch N for all\)$"):
        read_model(path)


def test_open_extents_without_a_name_of_their_own_are_named_one_by_one(tmp_path: Path) -> None:
    """Several ``?`` need not be equal, and ``None`` and ``-1`` are no names, either."""
    with pytest.raises(InputError, match=r"give --dim x:0=N --dim x:1=N --dim x:2=N --dim x:4=N --dim n=N$"):
        shape(opened("?", "?", "None", 3, "-1", "n"), tmp_path, {})


def test_expression_names_the_missing_part(tmp_path: Path) -> None:
    """Of a sum whose one part is bound, the other is named."""
    with pytest.raises(InputError, match="--dim seq=N"):
        shape(opened("past + seq"), tmp_path, {"past": 1})


@pytest.mark.parametrize(
    ("stated", "dims", "reason"),
    [
        ((3,), {"x:0": 4}, "fixes this dimension to 3"),
        (("n",), {"n": -1}, "expected a whole number from 0 up"),
        (("n-9",), {"n": 3}, "dimension x:0 is 'n-9' = -6, below zero"),
    ],
)
def test_contradictions_are_refused(
    tmp_path: Path, stated: tuple[int | str, ...], dims: dict[str, int], reason: str
) -> None:
    """A value against the file, or a negative one, is an input error."""
    with pytest.raises(InputError, match=reason):
        shape(opened(*stated), tmp_path, dims)


def test_input_without_a_shape_is_given_whole(tmp_path: Path) -> None:
    """Where not even the rank is stated, all axes are given."""
    made = network([node("Relu", "x", "y")], {}, {"y": None})
    made.graph.input.append(helper.make_tensor_value_info("x", 1, None))
    assert shape(made, tmp_path, {"x:0": 2, "x:1": 3}) == (2, 3)
    with pytest.raises(InputError, match="x:0"):
        shape(made, tmp_path, {})


def test_stale_declarations_do_not_count(tmp_path: Path) -> None:
    """value_info and output shapes of the file that contradict the bound shapes are not believed."""
    made = network([node("Relu", "x", "h"), node("Relu", "h", "y")], {}, {"y": ("float32", (7,))})
    made.graph.input.append(helper.make_tensor_value_info("x", 1, ["n"]))
    made.graph.value_info.append(helper.make_tensor_value_info("h", 1, [9, 9]))
    assert shape(made, tmp_path, {"n": 2}) == (2,)
