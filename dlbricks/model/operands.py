"""What each operand of each operator is for: one table, by domain and operator."""

import enum
from collections.abc import Mapping


class Role(enum.Enum):
    """What the values of an operand mean to its operator."""

    WEIGHT = "summed over many products: scaled by fan-in"
    BIAS = "added: small"
    POSITIVE = "factor, divisor, variance: near 1"
    SCALE = "quantisation step of activations: positive"
    WEIGHT_SCALE = "quantisation step of weights: positive, scaled by fan-in"
    ZERO_POINT = "quantisation zero point"
    QUANTISED = "quantised data: full range"
    ANY = "data: -1 to 1"


_W, _B, _P, _S, _WS, _Z, _Q = (
    Role.WEIGHT,
    Role.BIAS,
    Role.POSITIVE,
    Role.SCALE,
    Role.WEIGHT_SCALE,
    Role.ZERO_POINT,
    Role.QUANTISED,
)
_CONVOLUTION = {1: _W, 2: _B}
_PRODUCT = {0: _W, 1: _W}
_RECURRENT = {1: _W, 2: _W, 3: _B, 7: _B}
_NORMALISATION = {1: _P, 2: _B}
_Q_UNARY = {0: _Q, 1: _S, 2: _Z, 3: _S, 4: _Z}
_Q_BINARY = {0: _Q, 1: _S, 2: _Z, 3: _Q, 4: _S, 5: _Z, 6: _S, 7: _Z}
_Q_CONVOLUTION = {0: _Q, 1: _S, 2: _Z, 3: _Q, 4: _WS, 5: _Z, 6: _S, 7: _Z, 8: _B}

_STANDARD: dict[str, Mapping[int, Role]] = {
    "Add": {0: _B, 1: _B},
    "BatchNormalization": {1: _P, 2: _B, 3: _B, 4: _P},
    "Conv": _CONVOLUTION,
    "ConvInteger": {0: _Q, 1: _Q, 2: _Z, 3: _Z},
    "ConvTranspose": _CONVOLUTION,
    "DeformConv": {1: _W, 2: _B, 3: _B},
    "DequantizeLinear": {0: _Q, 1: _S, 2: _Z},
    "Div": {0: _P, 1: _P},
    "Einsum": {0: _W, 1: _W, 2: _W},
    "GRU": _RECURRENT,
    "Gemm": {0: _W, 1: _W, 2: _B},
    "GroupNormalization": _NORMALISATION,
    "InstanceNormalization": _NORMALISATION,
    "LSTM": _RECURRENT,
    "LayerNormalization": _NORMALISATION,
    "Log": {0: _P},
    "MatMul": _PRODUCT,
    "MatMulInteger": {0: _Q, 1: _Q, 2: _Z, 3: _Z},
    "Mod": {1: _P},
    "Mul": {0: _P, 1: _P},
    "PRelu": {1: _P},
    "Pow": {0: _P},
    "QLinearConv": _Q_CONVOLUTION,
    "QLinearMatMul": {0: _Q, 1: _S, 2: _Z, 3: _Q, 4: _WS, 5: _Z, 6: _S, 7: _Z},
    "QuantizeLinear": {1: _S, 2: _Z},
    "RMSNormalization": {1: _P},
    "RNN": _RECURRENT,
    "Reciprocal": {0: _P},
    "SimplifiedLayerNormalization": {1: _P},
    "Sqrt": {0: _P},
    "Sub": {0: _B, 1: _B},
    "Sum": dict.fromkeys(range(8), _B),
}

_CONTRIB: dict[str, Mapping[int, Role]] = {
    "Attention": {1: _W, 2: _B},
    "BiasAdd": {1: _B},
    "BiasGelu": {1: _B},
    "BiasSplitGelu": {1: _B},
    "DecoderMaskedMultiHeadAttention": {10: _B},
    "DequantizeLinear": {0: _Q, 1: _S, 2: _Z},
    "DynamicQuantizeLSTM": {1: _Q, 2: _Q, 3: _B, 7: _B, 8: _WS, 9: _Z, 10: _WS, 11: _Z},
    "DynamicQuantizeMatMul": {1: _Q, 2: _WS, 3: _Z, 4: _B},
    "EmbedLayerNormalization": {5: _P, 6: _B},
    "FastGelu": {1: _B},
    "FusedConv": _CONVOLUTION,
    "FusedGemm": {0: _W, 1: _W, 2: _B},
    "FusedMatMul": _PRODUCT,
    "FusedMatMulActivation": _PRODUCT,
    "GatherBlockQuantized": {0: _Q, 2: _S, 3: _Q},
    "GroupNorm": _NORMALISATION,
    "MatMulInteger16": {0: _Q, 1: _Q},
    "MatMulIntegerToFloat": {0: _Q, 1: _Q, 2: _S, 3: _WS, 4: _Z, 5: _Z, 6: _B},
    "MatMulNBits": {1: _Q, 2: _WS, 3: _Q, 5: _B},
    "MultiHeadAttention": {3: _B},
    "NhwcFusedConv": _CONVOLUTION,
    "QAttention": {0: _Q, 1: _Q, 2: _B, 3: _S, 4: _WS, 6: _Z, 7: _Z},
    "QGemm": {0: _Q, 1: _S, 2: _Z, 3: _Q, 4: _WS, 5: _Z, 6: _B, 7: _S, 8: _Z},
    "QLinearAdd": _Q_BINARY,
    "QLinearAveragePool": _Q_UNARY,
    "QLinearConcat": {0: _S, 1: _Z},
    "QLinearConv": _Q_CONVOLUTION,
    "QLinearGlobalAveragePool": _Q_UNARY,
    "QLinearLeakyRelu": _Q_UNARY,
    "QLinearMul": _Q_BINARY,
    "QLinearReduceMean": _Q_UNARY,
    "QLinearSigmoid": _Q_UNARY,
    "QLinearSoftmax": _Q_UNARY,
    "QuantizeLinear": {1: _S, 2: _Z},
    "SimplifiedLayerNormalization": {1: _P},
    "SkipGroupNorm": {**_NORMALISATION, 4: _B},
    "SkipLayerNormalization": {2: _P, 3: _B, 4: _B},
    "SkipSimplifiedLayerNormalization": {2: _P, 3: _B},
}

ROLES: dict[str, dict[str, Mapping[int, Role]]] = {
    "": _STANDARD,
    "com.microsoft": _CONTRIB,
    "com.microsoft.nchwc": {"Conv": _CONVOLUTION},
}

SHAPE_LIKE_FLOATS: dict[str, dict[str, set[int]]] = {
    "": {
        "Clip": {1, 2},
        "Dropout": {1},
        "MelWeightMatrix": {0, 1, 2, 3, 4},
        "NonMaxSuppression": {3, 4},
        "Pow": {1},
        "Range": {0, 1, 2},
        "Resize": {1, 2},
        "Upsample": {1},
    }
}
"""Operands of type float whose value decides speed or shape (integers and booleans always do)."""
