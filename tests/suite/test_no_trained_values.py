"""Values that may be trained are planted wherever onnx has room for them, and looked for in all that is shared."""

from itertools import chain
from pathlib import Path

import msgspec
import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from dlbricks.construct.compose import compose
from dlbricks.model.read.network import read_model
from dlbricks.sequences.canonical import canonicalise
from dlbricks.sequences.redaction import _conceal_node, is_plain
from dlbricks.sequences.split import split, strip_boundary_views
from dlbricks.sequences.types import Granularity, Split
from dlbricks.settings import SplitSettings
from dlbricks.suite.extraction import benchmarks_from
from dlbricks.suite.generate import generate
from tests.suite.planting import classical_networks, secrets_of, standard_networks, written_network


def _split(network: onnx.ModelProto, folder: Path, allowed: tuple[str, ...] = ()) -> Split:
    path = folder / "network.onnx"
    path.write_bytes(network.SerializeToString())
    return split(read_model(path), Granularity(1), allowed=allowed)


def _shared(parts: Split) -> bytes:
    """All that leaves of a split network: benchmarks, their description, forms that are hashed, compositions."""
    made = [one.network + msgspec.json.encode(one.benchmark) for one in benchmarks_from(parts, unions=False)]
    forms = [canonicalise(parts.model, strip_boundary_views(parts.model, one)).text.encode() for one in parts.sequences]
    names = [msgspec.json.encode([step.fingerprint, step.name, step.features]) for step in compose(parts).steps]
    return b"\n".join((*made, *forms, *names))


def test_no_operator_gives_a_secret_away(tmp_path: Path) -> None:
    """No value planted in a constant or an attribute of any operator of onnx is in what is made of the network."""
    secrets = secrets_of(0)
    operators, planted = set[str](), 0
    for name, network in chain(standard_networks(secrets), classical_networks(secrets)):
        if any(dim.dim_param for entry in network.graph.input for dim in entry.type.tensor_type.shape.dim):
            continue
        mine = secrets.taken()
        planted += mine.count
        parts = _split(network, tmp_path)
        operators |= {layer.op_type for layer in parts.model.layers if layer.skip is None}
        assert mine.found_in(_shared(parts)) == [], name
    assert len(operators) > 150
    assert planted > 10_000


def test_a_layer_that_is_allowed_keeps_its_values(tmp_path: Path) -> None:
    """With --allow-values the same network shows the secrets of the layers that are named, so the search would find."""
    secrets = secrets_of(1)
    network = written_network(secrets)
    assert secrets.found_in(_shared(_split(network, tmp_path))) == []
    kept = secrets.found_in(_shared(_split(network, tmp_path, ("labelling", "pruning", "clipping"))))
    assert set(kept) >= {*secrets.integers, *secrets.masks, *secrets.floats[:2]}
    assert len(kept) < secrets.count


def test_made_up_layers_run(tmp_path: Path) -> None:
    """Of operators whose values are made up, benchmarks run in the real runtime and have references."""
    secrets = secrets_of(2)
    folder = tmp_path / "networks"
    folder.mkdir()
    networks = {**dict(classical_networks(secrets)), "written": written_network(secrets)}
    for number, network in enumerate(networks.values()):
        (folder / f"{number}.onnx").write_bytes(network.SerializeToString())
    suite, reports = generate([str(folder)], out=tmp_path / "suite", settings=SplitSettings(target="portable"))
    assert [one.skipped for one in reports] == [()] * len(networks)
    made = {operator for one in suite.benchmarks for operator in one.operators}
    assert made >= {"TreeEnsembleClassifier", "SVMClassifier", "LabelEncoder", "OneHotEncoder", "Clip", "Where", "If"}
    assert secrets.found_in(b"".join(path.read_bytes() for path in (tmp_path / "suite" / "networks").iterdir())) == []


@pytest.mark.parametrize("trees", ["trees", "regressing trees"])
def test_trees_keep_their_form(trees: str, tmp_path: Path) -> None:
    """Made-up trees have as many nodes and leaves, joined in the same way."""
    network = dict(classical_networks(secrets_of(3)))[trees]
    found = {
        one.name: one for one in onnx.NodeProto.FromString(_split(network, tmp_path).model.layers[0].node).attribute
    }
    assert list(found["nodes_nodeids"].ints) == [0, 1, 2]
    assert (found["nodes_truenodeids"].ints[0], found["nodes_falsenodeids"].ints[0]) == (1, 2)
    assert [mode.decode() for mode in found["nodes_modes"].strings] == ["BRANCH_LEQ", "LEAF", "LEAF"]


def test_a_mask_that_selects_keeps_how_many(tmp_path: Path) -> None:
    """Of a pruning mask only the number of what it keeps is left, which the shape of the result shows anyway."""
    mask = np.array([True, False, False, True, True, False, False, False, True, False] * 7)
    network = helper.make_model(
        helper.make_graph(
            [helper.make_node("Compress", ["x", "mask"], ["y"], axis=0)],
            "g",
            [helper.make_tensor_value_info("x", TensorProto.FLOAT, (70, 2))],
            [helper.make_tensor_value_info("y", TensorProto.FLOAT, (28, 2))],
            [numpy_helper.from_array(mask, "mask")],
        ),
        opset_imports=[helper.make_opsetid("", 20)],
        ir_version=10,
    )
    parts = _split(network, tmp_path)
    kept = parts.model.constants["mask"].values
    assert kept is not None
    assert sum(kept) == int(mask.sum())
    assert kept != mask.tobytes()


def test_formulas_are_no_secrets() -> None:
    """Constants, counts and triangles stay; a table or a number that somebody chose does not."""
    side = np.ones((9, 9), bool)
    plain = [np.arange(50), np.zeros(9, np.int64), np.tril(side), ~np.tril(side)[None], np.float32(1e-5), np.float64(6)]
    assert all(is_plain(np.asarray(one)) for one in plain)
    assert is_plain(np.flatnonzero(np.tril(side, -1)))
    chosen = [np.array([3, 1, 2]), np.array(123456), np.float32(0.1234567), np.array([True, False, True])]
    assert not any(is_plain(np.asarray(one)) for one in chosen)


@pytest.mark.parametrize(
    ("operator", "setting"), [("CausalConvWithState", "swish"), ("TensorScatter", "circular"), ("ImageDecoder", "BGR")]
)
def test_modes_of_standard_operators_are_settings(operator: str, setting: str) -> None:
    """They are words of the specification, so nothing of them is replaced or refused."""
    node = helper.make_node(operator, ["x"], ["y"], mode=setting)
    assert not _conceal_node(node, {"": 24}, ())
