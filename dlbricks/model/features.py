"""What can be said of the cost of layers that are run as one, without running them. Pure.

Names and values of weights enter nothing, and neither do clocks: only operators, shapes and element types.
"""

from collections.abc import Sequence

from dlbricks.model.figures import described, fetched_bytes, work
from dlbricks.model.flops import layer_flops
from dlbricks.model.nouns import Layer, Model, SequenceFeatures


def features(
    model: Model, layers: Sequence[Layer], *, inputs: Sequence[str], outputs: Sequence[str], constants: Sequence[str]
) -> SequenceFeatures:
    """Say of layers that are run as one what their cost depends on.

    Args:
        model: whose layers they are.
        layers: in canonical order, so that equal sequences have equal features.
        inputs: tensors that they read and that others make.
        outputs: tensors that they make and that others read.
        constants: constants that they read.
    """
    weights, read, written = (sum(model.spec(name).nbytes for name in names) for names in (constants, inputs, outputs))
    fetched = {
        name: max(fetched_bytes(model, layer, name) for layer in layers if name in layer.reads) for name in constants
    }
    found = [described(model, layer) for layer in layers if not layer.is_view] or [("views", ())]
    return SequenceFeatures(
        operators=tuple(layer.op_type for layer in layers),
        flops=sum(layer_flops(model, layer) for layer in layers),
        work=sum(work(model, layer) for layer in layers),
        fetched_bytes=sum(fetched.values()),
        weight_bytes=weights,
        input_bytes=read,
        output_bytes=written,
        kinds=tuple(kind for kind, _ in found),
        shape=tuple(figure for _, figures in found for figure in figures),
    )
