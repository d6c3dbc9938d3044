"""Aliases of memory: views, outputs that kernels write over an operand, and caches that grow in place. Pure."""

from collections.abc import Collection, Mapping

from dlbricks.model.types import Layer, Model

OVERWRITING: Mapping[str, int] = {
    **dict.fromkeys(("Relu", "LeakyRelu", "ThresholdedRelu", "Elu", "Selu", "Celu", "Clip"), 0),
    **dict.fromkeys(("Sigmoid", "HardSigmoid", "Tanh", "Softplus", "Softsign"), 0),
    **dict.fromkeys(("Softmax", "LogSoftmax", "Cast"), 0),
    **dict.fromkeys(("Conv", "FusedConv", "NhwcFusedConv"), 3),
}
"""Operators whose CPU kernel may write its output over an input, and the position of that input. Derived from the
growth of the arena of onnxruntime 1.31; arithmetic on two tensors is not among them. The fourth operand of a
convolution is the sum it adds to (``com.microsoft`` and its blocked layout only)."""
_GROWING: Mapping[tuple[str, str], Mapping[int, int]] = {("com.microsoft", "GroupQueryAttention"): {1: 3, 2: 4}}
"""Outputs and the inputs that they continue. If both share a buffer, the kernel writes new keys and values to their
place in it, the same ones in each call with equal inputs; otherwise it copies the past."""


def shared_buffers(model: Model, layer: Layer) -> dict[str, str]:
    """Return the outputs of a layer that share an input's buffer: graph outputs and inputs of one type and shape.

    A cache whose input is as long as its output is a buffer with room for new values (``past_present_share_buffer`` of
    onnxruntime-genai); a shorter one has to be copied.
    """
    found = {}
    for output, position in _GROWING.get((layer.domain, layer.op_type), {}).items():
        if output >= len(layer.outputs) or position >= len(layer.inputs):
            continue
        after, before = layer.outputs[output], layer.inputs[position]
        if after in model.outputs and before in model.inputs:
            mine, theirs = model.spec(after), model.spec(before)
            if (mine.dtype, mine.shape) == (theirs.dtype, theirs.shape):
                found[after] = before
    return found


def shared_of(model: Model, layers: Collection[int]) -> dict[str, str]:
    """Return the shared buffers of some layers."""
    return {after: one for index in layers for after, one in shared_buffers(model, model.layers[index]).items()}


def view_owners(model: Model) -> dict[str, str]:
    """Map the output of each view to the tensor whose memory it is."""
    found: dict[str, str] = {}
    for layer in model.layers:
        if layer.is_view and layer.reads and layer.outputs:
            found[layer.outputs[0]] = found.get(layer.reads[0], layer.reads[0])
    return found
