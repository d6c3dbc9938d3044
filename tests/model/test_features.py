"""Features of layers: kinds and sizes, from shapes and operators alone."""

from collections.abc import Mapping

from dlbricks.model.types import Constant, Layer, Model, SequenceFeatures, TensorSpec
from dlbricks.operators.costs import features
from dlbricks.operators.counts import NO, YES
from dlbricks.operators.table import operator

Shapes = Mapping[str, tuple[int, ...]]


def said(
    op_type: str,
    shapes: Shapes,
    *,
    domain: str = "",
    target: str = "portable",
    prefix: str = "",
    attributes: Mapping[str, str] | None = None,
) -> SequenceFeatures:
    """Return the features of one float layer; ``y`` is its output, names that begin with ``w`` are constants."""
    specs = {
        prefix + name: TensorSpec(name=prefix + name, dtype="float32", shape=shape) for name, shape in shapes.items()
    }
    constants = [prefix + name for name in shapes if name.startswith("w")]
    inputs = [prefix + name for name in shapes if name != "y" and not name.startswith("w")]
    layer = Layer(
        name=f"{prefix}layer",
        op_type=op_type,
        domain=domain,
        since_version=1,
        attributes=tuple(sorted((attributes or {}).items())),
        inputs=tuple(prefix + name for name in shapes if name != "y"),
        outputs=(f"{prefix}y",),
        is_view=operator(domain, op_type).is_view,
    )
    model = Model(
        name="m",
        layers=(layer,),
        inputs=tuple(inputs),
        outputs=layer.outputs,
        tensors={name: spec for name, spec in specs.items() if name not in constants},
        constants={name: Constant(spec=specs[name]) for name in constants},
        opsets=(),
        target=target,
    )
    return features(model, [layer], inputs=inputs, outputs=layer.outputs, constants=constants)


IMAGE, WEIGHT, MAPS = (1, 8, 10, 10), (16, 8, 3, 3), (1, 16, 10, 10)
PADDED = {"strides": "[1,1]", "pads": "[1,1,1,1]", "dilations": "[1,1]", "group": "1"}


def test_names_do_not_matter() -> None:
    """The same layer under other names has the same features."""
    shapes = {"x": (4, 6), "w": (6, 5), "y": (4, 5)}
    assert said("MatMul", shapes) == said("MatMul", shapes, prefix="other/")


def test_bytes_of_each_sort_are_told() -> None:
    """Constants, inputs and outputs are counted apart; of a table that is looked up in only what is given is read."""
    product = said("MatMul", {"x": (4, 6), "w": (6, 5), "y": (4, 5)})
    assert (product.weight_bytes, product.input_bytes, product.output_bytes) == (120, 96, 80)
    assert (product.fetched_bytes, product.flops, product.work) == (120, 240, 240)
    table = said("Gather", {"w": (1000, 6), "x": (3,), "y": (3, 6)})
    assert (table.weight_bytes, table.fetched_bytes) == (24000, 72)


def test_no_work_is_done_on_padding() -> None:
    """Of a convolution with taps outside of its input fewer operations are made than counted; without padding all."""
    inner = {**PADDED, "pads": "[0,0,0,0]"}
    valid = said("Conv", {"x": IMAGE, "w": WEIGHT, "y": (1, 16, 8, 8)}, attributes=inner)
    assert valid.work == valid.flops
    padded = said("Conv", {"x": IMAGE, "w": WEIGHT, "y": MAPS}, attributes=PADDED)
    assert padded.work == 2 * 16 * 8 * 28 * 28
    spread = {**PADDED, "pads": "[40,40,40,40]", "dilations": "[40,40]"}
    assert said("Conv", {"x": IMAGE, "w": WEIGHT, "y": MAPS}, attributes=spread).work == 2 * 16 * 8 * 100


def test_what_runs_the_same_kernel_is_one_kind() -> None:
    """Products are one kind, blocked convolutions another than plain ones; an unblocked 1 x 1 one is a product."""
    shapes = {"x": (4, 6), "w": (6, 5), "y": (4, 5)}
    assert said("MatMul", shapes).kinds == said("Gemm", shapes).kinds == ("product float32",)
    pointwise = {"x": IMAGE, "w": (16, 8, 1, 1), "y": MAPS}
    plain = {**PADDED, "pads": "[0,0,0,0]"}
    assert said("Conv", pointwise, attributes=plain).kinds == ("convolution float32",)
    lowered = said("Conv", pointwise, attributes=plain, target="onnxruntime-cpu")
    assert lowered.kinds == ("product float32",)
    assert lowered.shape[:4] == (1, 16, 8, 100)
    blocked = said("Conv", pointwise, attributes=plain, target="onnxruntime-cpu", domain="com.microsoft.nchwc")
    assert blocked.kinds == ("convolution blocked float32",)


def test_figures_of_a_kind_are_equally_many_and_at_least_1() -> None:
    """Whatever a layer of the kind leaves out or however small it is."""
    small = said("Gemm", {"x": (1, 1), "w": (1, 1), "y": (1, 1)})
    fused = {"x": (4, 6), "w": (5, 6), "wb": (5,), "y": (4, 5)}
    large = said("FusedGemm", fused, attributes={"transB": "1", "activation": '"Relu"'})
    assert small.kinds == large.kinds
    assert len(small.shape) == len(large.shape)
    assert min(small.shape + large.shape) == 1
    assert large.shape == (1, 4, 6, 5, NO, YES, YES, YES, YES)


def test_views_have_no_figures() -> None:
    """A sequence of views only is a kind of its own."""
    view = said("Reshape", {"x": (4, 6), "y": (24,)})
    assert (view.kinds, view.shape) == (("views",), ())
