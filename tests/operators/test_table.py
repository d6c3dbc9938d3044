"""Rows of the table of operators, and the bytes that lookups read."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from dlbricks.construct.memory_layout import layout
from dlbricks.harness.model_file import _SHARED
from dlbricks.model.read.network import read_model
from dlbricks.model.types import Constant, Layer, Model, TensorSpec
from dlbricks.operators.costs import bytes_read, features, layer_costs
from dlbricks.operators.row import Moves, nothing
from dlbricks.operators.table import OPERATORS, RUNTIME, operator, reads_all_weights
from dlbricks.sequences.split import end_to_end, split
from dlbricks.sequences.types import Granularity
from dlbricks.suite.extraction import predicted_s

NETWORKS = Path(__file__).parents[2] / "suites" / "networks"
Operands = Mapping[str, tuple[str, tuple[int, ...]]]


def one_layer(op_type: str, operands: Operands, constants: str, *, domain: str = RUNTIME, **attributes: int) -> Model:
    """Return a network of one layer; the last operand is its output, ``-`` an omitted one."""
    specs = {name: TensorSpec(name=name, dtype=dtype, shape=shape) for name, (dtype, shape) in operands.items()}
    *inputs, output = specs
    layer = Layer(
        name="l",
        op_type=op_type,
        domain=domain,
        since_version=1,
        attributes=tuple((name, str(value)) for name, value in attributes.items()),
        inputs=tuple("" if name.startswith("-") else name for name in inputs),
        outputs=(output,),
    )
    weights = constants.split()
    return Model(
        name="m",
        layers=(layer,),
        inputs=tuple(name for name in layer.inputs if name and name not in weights),
        outputs=layer.outputs,
        tensors={name: spec for name, spec in specs.items() if name not in weights},
        constants={name: Constant(spec=specs[name]) for name in weights},
        opsets=(),
    )


def read_by_all(model: Model) -> set[int]:
    """Return the bytes read of constants by each of the three accounts of them."""
    (layer,) = model.layers
    inputs = [name for name in model.inputs if name in layer.reads]
    found = features(model, [layer], inputs=inputs, outputs=layer.outputs, constants=[*model.constants])
    costs = layer_costs(model, layer)
    assert costs is not None
    touched = layout(model).calls[0].constants
    return {found.fetched_bytes, costs.parameter_bytes, sum(access.nbytes for access in touched)}


def test_one_token_reads_one_row_of_a_quantised_table_and_its_scales() -> None:
    """A table of 151936 x 896 values of 4 bits: a row has 896 / 2 = 448 bytes.

    Blocks of 32 values have a scale: a row has 896 / 32 = 28 of 4 bytes, 112 bytes, together 560. With zero points of 4
    bits a row has 28 / 2 = 14 bytes more. The whole table with its scales takes 85,084,160 bytes.
    """
    table: Operands = {
        "data": ("uint8", (151936, 448)),
        "ids": ("int64", (1, 1)),
        "scales": ("float32", (151936, 28)),
        "y": ("float32", (1, 1, 896)),
    }
    model = one_layer("GatherBlockQuantized", table, "data scales", bits=4, block_size=32)
    assert sum(constant.spec.nbytes for constant in model.constants.values()) == 85_084_160
    assert read_by_all(model) == {448 + 112}
    *rest, output = table.items()
    points: Operands = dict([*rest, ("points", ("uint8", (151936, 14))), output])
    assert read_by_all(one_layer("GatherBlockQuantized", points, "data scales points", bits=4)) == {448 + 112 + 14}
    signed: Operands = {**table, "data": ("int4", (151936, 896))}
    assert read_by_all(one_layer("GatherBlockQuantized", signed, "data scales")) == {560}


def test_a_table_is_looked_up_along_the_axis_that_the_layer_names() -> None:
    """Three columns of eight, of a table of 100 x 8 bytes: 300 of 800 bytes; scales 3 of 8 of 4 bytes each."""
    table: Operands = {
        "data": ("uint8", (100, 8)),
        "ids": ("int64", (3,)),
        "scales": ("float32", (1, 8)),
        "y": ("float32", (100, 3)),
    }
    assert read_by_all(one_layer("GatherBlockQuantized", table, "data scales", gather_axis=1, bits=8)) == {300 + 12}


def test_one_token_reads_one_row_of_each_embedding() -> None:
    """Tables of 30522 and 512 rows of 768 floats: two rows, gamma and beta of 3,072 bytes each are 12,288.

    All of both tables with gamma and beta are 95,342,592 bytes. Segments add one row. Two sequences of three tokens
    read six words, and the three positions once: (6 + 3 + 2) x 3,072.
    """
    width = ("float32", (768,))
    bert: Operands = {
        "ids": ("int32", (1, 1)),
        "-segments": ("int32", ()),
        "words": ("float32", (30522, 768)),
        "positions": ("float32", (512, 768)),
        "-segment": ("float32", ()),
        "gamma": width,
        "beta": width,
        "y": ("float32", (1, 1, 768)),
    }
    model = one_layer("EmbedLayerNormalization", bert, "words positions gamma beta")
    assert sum(constant.spec.nbytes for constant in model.constants.values()) == 95_342_592
    assert read_by_all(model) == {12_288}
    several: Operands = {**bert, "ids": ("int32", (2, 3)), "y": ("float32", (2, 3, 768))}
    assert read_by_all(one_layer("EmbedLayerNormalization", several, "words positions gamma beta")) == {33_792}
    renamed = {"-segments": "segments", "-segment": "segment"}
    with_segments: Operands = {renamed.get(name, name): spec for name, spec in bert.items()}
    with_segments = {**with_segments, "segments": ("int32", (1, 1)), "segment": ("float32", (2, 768))}
    names = "words positions segment gamma beta"
    assert read_by_all(one_layer("EmbedLayerNormalization", with_segments, names)) == {12_288 + 3_072}


def test_a_rotation_reads_a_row_for_each_token() -> None:
    """Cosines and sines of 4096 positions by 32 halves: a token reads 32 x 2 bytes of each, whatever is output."""
    rotation: Operands = {
        "x": ("float16", (1, 1, 4096)),
        "ids": ("int64", (1, 1)),
        "cos": ("float16", (4096, 32)),
        "sin": ("float16", (4096, 32)),
        "y": ("float16", (1, 1, 4096)),
    }
    assert read_by_all(one_layer("RotaryEmbedding", rotation, "cos sin")) == {2 * 64}
    several: Operands = {**rotation, "x": ("float16", (1, 5, 4096)), "ids": ("int64", (1,))}
    assert read_by_all(one_layer("RotaryEmbedding", several, "cos sin")) == {5 * 2 * 64}


def test_a_gather_of_more_rows_than_there_are_reads_the_table_once() -> None:
    """Of a table of 10 rows no more than all is read, however many indices there are."""
    table: Operands = {"t": ("float32", (10, 4)), "i": ("int64", (100,)), "y": ("float32", (100, 4))}
    model = one_layer("Gather", table, "t", domain="")
    assert bytes_read(model, model.layers[0]) == {"t": 160, "i": 800}


@pytest.mark.parametrize("name", ["misc_llama_decode", "hf_bert_base", "hf_distilbert"])
def test_an_embedding_takes_next_to_none_of_the_predicted_time(name: str) -> None:
    """One token of ``misc_llama_decode`` reads one row of its table: less than 0.1 % of the predicted time, not 17.1 %.

    Encoders read as many rows as tokens: below 0.5 % each.
    """
    model = read_model(NETWORKS / f"{name}.onnx")
    pieces = split(model, Granularity(1)).sequences
    embedding = [piece for piece in pieces if model.layers[piece.layers[0]].op_type == "Gather"]
    assert embedding
    share = sum(predicted_s(model, piece) for piece in embedding) / predicted_s(model, end_to_end(model))
    assert share < 0.01


def test_views_are_those_of_the_table() -> None:
    """What only renames memory keeps all bytes in order; Dropout does so at inference."""
    reshaping = {key for key, row in OPERATORS.items() if row.moves & Moves.RESHAPES}
    assert reshaping | {("", "Dropout")} == {key for key, row in OPERATORS.items() if row.is_view}


def test_what_a_new_operator_lacks_is_unknown() -> None:
    """An operator without a row has neither roles nor costs; one in another domain keeps its operands' facts apart."""
    assert not operator("", "NoSuchOperator").roles
    assert operator("", "NoSuchOperator").cost is None
    assert operator("someone.else", "MatMul").roles == {}


@pytest.mark.parametrize(
    ("name", "all_of_them"), [("Conv", True), ("MatMulNBits", True), ("Gather", False), ("MoE", False), ("Add", False)]
)
def test_products_read_all_their_weights(name: str, all_of_them: bool) -> None:
    """Lookups and mixtures of experts read a part of them, arithmetic has none."""
    assert reads_all_weights(name) is all_of_them


READ_IN_PLACE = {
    *("Conv", "ConvInteger", "ConvTranspose", "DeformConv", "FusedConv", "NhwcConv", "NhwcFusedConv"),
    *("Einsum", "FusedMatMulActivation", "TransposeMatMul", "MoE", "QMoE"),
    *("GroupQueryAttention", "MultiHeadAttention"),  # have no constants to pack
}
"""Operators with products whose kernels do not pack constants, or are not known to."""


def test_the_harness_shares_constants_of_products_that_pack_them() -> None:
    """Each product of the table is shared or read in place, and of other operators ``Gather`` alone is shared."""
    products = {row.name for row in OPERATORS.values() if row.cost is not None and row.cost.products is not nothing}
    assert products | {"Gather"} == _SHARED | READ_IN_PLACE
    assert not _SHARED & READ_IN_PLACE


def test_rows_say_which_size_a_result_shows() -> None:
    """By which a receiver of a suite reads sizes: all layer normalisations and all ways to write a Gelu among them."""
    showing: dict[str, set[str]] = {}
    for row in OPERATORS.values():
        showing.setdefault(row.shows, set()).add(row.name)
    del showing[""]
    assert showing == {
        "channels": {"Conv"},
        "pooled channels": {"GlobalAveragePool", "ReduceMean"},
        "hidden size": {
            *("LayerNormalization", "RMSNormalization", "SimplifiedLayerNormalization", "SkipLayerNormalization"),
            "SkipSimplifiedLayerNormalization",
        },
        "feed-forward": {"Gelu", "Erf", "FastGelu", "QuickGelu", "BiasGelu"},
        "heads": {"Softmax"},
        "row width": {"Gather"},
    }
