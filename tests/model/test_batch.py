"""Changing the batch size: outputs and work grow in proportion, or the network is refused."""

from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import helper

from dlbricks.errors import InputError, UnsupportedModelError
from dlbricks.model.read.network import batch_of, read_batched, read_model
from dlbricks.operators.costs import least_flops
from tests.model.written import network, weight

NETWORKS = Path(__file__).parents[2] / "suites" / "networks"


def written(folder: Path, made: onnx.ModelProto) -> Path:
    """Write a network to a file."""
    path = folder / "written.onnx"
    path.write_bytes(made.SerializeToString())
    return path


def work(path: Path, batch: int) -> int:
    """Operations of one call with a batch."""
    model = read_batched(path, batch=batch)
    return least_flops(model, model.layers)


@pytest.mark.parametrize("name", ["tv_resnet18", "hf_distilbert", "misc_llama_decode", "hf_segformer_b0", "tv_swin_t"])
def test_work_and_outputs_grow_with_the_batch(name: str) -> None:
    """A network whose file fixes the batch at 1, in targets of Reshape too, does three times the work for batch 3."""
    path = NETWORKS / f"{name}.onnx"
    before, made = read_model(path), read_batched(path, batch=3)
    assert batch_of(before) == 1
    assert batch_of(made) == 3
    assert work(path, 3) == 3 * work(path, 1)
    for output in before.outputs:
        assert made.spec(output).shape == (3, *before.spec(output).shape[1:])


def test_an_open_batch_is_bound() -> None:
    """Where the file leaves the leading extent open, its name need not be given as well."""
    path = NETWORKS / "leg_tv_resnet50.onnx"
    assert read_batched(path, batch=2) == read_model(path, dims={"batch": 2})


def test_one_word_for_the_batch() -> None:
    """A batch that is given twice and differently is refused."""
    with pytest.raises(InputError, match="contradict"):
        read_batched(NETWORKS / "leg_tv_resnet50.onnx", dims={"batch": 4}, batch=2)


def test_the_batch_of_the_file_changes_nothing() -> None:
    """The batch that the file has gives the network that the file holds."""
    path = NETWORKS / "tv_squeezenet1_1.onnx"
    assert read_batched(path, batch=1) == read_model(path)


def test_a_batch_baked_into_a_constant_is_refused() -> None:
    """A class token concatenated with every input exists once, so such a network keeps its batch size."""
    with pytest.raises(UnsupportedModelError, match="fixes its batch of 1"):
        read_batched(NETWORKS / "hf_vit_small.onnx", batch=2)


def test_work_that_grows_otherwise_is_refused(tmp_path: Path) -> None:
    """Inputs that are multiplied with each other, as in a Gram matrix: work would grow with the square."""
    nodes = [
        helper.make_node("Transpose", ["x"], ["t"], perm=[1, 0]),
        helper.make_node("MatMul", ["x", "t"], ["g"]),
        helper.make_node("ReduceSum", ["g"], ["y"]),
    ]
    path = written(tmp_path, network(nodes, {"x": ("float32", [2, 8])}, {"y": None}))
    with pytest.raises(UnsupportedModelError, match="operations per call"):
        read_batched(path, batch=4)


def test_without_a_leading_extent_there_is_no_batch(tmp_path: Path) -> None:
    """A network of scalars has no batch, and says so."""
    path = written(tmp_path, network([helper.make_node("Neg", ["x"], ["y"])], {"x": ("float32", [])}, {"y": None}))
    assert batch_of(read_model(path)) == 1
    with pytest.raises(UnsupportedModelError, match="no batch"):
        read_batched(path, batch=2)


def test_a_constant_used_twice_is_changed_once(tmp_path: Path) -> None:
    """A shape that the network also uses as data keeps its values there."""
    nodes = [
        helper.make_node("Reshape", ["x", "shape"], ["r"]),
        helper.make_node("MatMul", ["r", "w"], ["m"]),
        helper.make_node("Cast", ["shape"], ["c"], to=onnx.TensorProto.FLOAT),
        helper.make_node("Add", ["m", "c"], ["y"]),
    ]
    constants: dict[str, Any] = {"shape": np.array([1, 4], np.int64), "w": weight("w", "float32", [4, 2])}
    path = written(tmp_path, network(nodes, {"x": ("float32", [1, 2, 2])}, {"y": None}, constants))
    made = read_batched(path, batch=5)
    assert made.spec("y").shape == (5, 2)
    assert made.constants["c"].values == np.array([1, 4], np.float32).tobytes()
