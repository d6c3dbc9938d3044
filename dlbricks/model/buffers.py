"""Which outputs lie in the buffer of an input: what kernels write over an operand, and caches that grow in place. Pure.

The caches are inputs of a network in whose buffers outputs are made, as a decoder that generates has it.
"""

from collections.abc import Collection, Mapping

from dlbricks.model.types import Layer, Model

OVERWRITING: Mapping[str, int] = {
    **dict.fromkeys(("Relu", "LeakyRelu", "ThresholdedRelu", "Elu", "Selu", "Celu", "Clip"), 0),
    **dict.fromkeys(("Sigmoid", "HardSigmoid", "Tanh", "Softplus", "Softsign"), 0),
    **dict.fromkeys(("Softmax", "LogSoftmax", "Cast"), 0),
    **dict.fromkeys(("Conv", "FusedConv", "NhwcFusedConv"), 3),
}
"""Operators whose CPU kernel may make its output in the buffer of an input, and the position of that input. Seen in
how far the arena of onnxruntime 1.31 grows; arithmetic on two tensors is not among them. The fourth operand of a
convolution is what it adds to (``com.microsoft`` and its blocked layout only)."""
_GROWING: Mapping[tuple[str, str], Mapping[int, int]] = {("com.microsoft", "GroupQueryAttention"): {1: 3, 2: 4}}
"""Outputs and the inputs that they continue. Where both are one buffer the kernel writes the new keys and values to
their place in it, the same ones in each call with equal inputs; elsewhere it copies all that is past."""


def shared_buffers(model: Model, layer: Layer) -> dict[str, str]:
    """Return the outputs of a layer that lie in the buffer of an input: from outside to outside, of one shape and type.

    A cache whose input is as long as its output is a buffer with room for what is new (``past_present_share_buffer``
    of onnxruntime-genai); one that is shorter has to be copied.
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
    """Return those of some layers."""
    return {after: one for index in layers for after, one in shared_buffers(model, model.layers[index]).items()}
