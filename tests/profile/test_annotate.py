"""Costs of layers on their spans, and the element type of their roof."""

from pathlib import Path

from onnx import helper

from dlbricks.analysis.executions import layers_of
from dlbricks.analysis.roofline import layer_dtypes, points
from dlbricks.model.read.network import read_model
from dlbricks.profile.levels import annotated
from dlbricks.trace import kinds
from dlbricks.trace.build import TraceBuilder
from dlbricks.trace.types import Lane, Level, Roofs, Trace, TraceClock
from tests.model.written import network, weight

HOST = Lane(process="1", name="thread 1")
ROOFS = Roofs(device="made up", flops_per_s={"float32": 1e11, "int8": 4e11}, copied_bytes_per_s=1e10)


def traced(folder: Path) -> Trace:
    """A call of a network that quantises, multiplies integers and adds floats, as the runtime reports it."""
    nodes = [
        helper.make_node("DynamicQuantizeLinear", ["x"], ["q", "s", "z"], name="quantise"),
        helper.make_node("MatMulInteger", ["q", "w"], ["p"], name="product"),
        helper.make_node("Cast", ["p"], ["f"], name="floats", to=1),
        helper.make_node("Add", ["f", "x"], ["y"], name="sum"),
    ]
    path = folder / "whole.onnx"
    made = network(nodes, {"x": ("float32", [64, 64])}, {"y": None}, {"w": weight("w", "int8", [64, 64])})
    path.write_bytes(made.SerializeToString())
    model = read_model(path)
    builder = TraceBuilder(clock=TraceClock(name="test"))
    call = builder.add(Level.MODEL, kinds.CALL, "whole", HOST, 0, 100)
    for place, layer in enumerate(model.layers):
        start, dtype = 10 * place, model.spec(layer.outputs[0]).dtype
        builder.add(
            Level.LAYER, kinds.OPERATOR, layer.name, HOST, start, start + 9,
            parent=call, index=place, type=layer.op_type, dtype=dtype,
        )  # fmt: skip
    return annotated(builder.built(), model)


def test_layers_have_their_costs(tmp_path: Path) -> None:
    """Operations and bytes of every layer that has a rule are on its spans, and on no other."""
    layers = layers_of(traced(tmp_path))
    at = layers.types.index("MatMulInteger")
    assert layers.figures("flops")[at] == 2 * 64**3
    assert layers.figures("parameter_bytes")[at] == 64 * 64


def test_products_of_integers_are_judged_by_their_own_roof(tmp_path: Path) -> None:
    """Their element type is that of the factors; all other layers have that of their result."""
    layers = layers_of(traced(tmp_path))
    dtypes = dict(zip(layers.types, layer_dtypes(layers), strict=True))
    assert dtypes["MatMulInteger"] == "int8"
    assert dtypes["Add"] == "float32"
    placed = points([9.0], [1.0], [1.0], [1.0], roofs=ROOFS, dtypes=[dtypes["MatMulInteger"]])
    assert placed.ideal.tolist() == [40]
