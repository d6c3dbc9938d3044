"""Groups: layers that runtimes fuse or run as one are not split, and no others are grouped."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dlbricks.model.groups import find_groups
from dlbricks.model.read.network import find_networks, read_model
from dlbricks.model.types import Model
from tests.model.written import F32, network, node, reading, weight

NETWORKS = find_networks([str(Path(__file__).parents[2] / "suites" / "networks")])
IMAGE = {"x": ("float32", (1, 4, 8, 8))}
MATRIX = {"x": ("float32", (2, 8))}
WEIGHTS: dict[str, Any] = {
    "k": weight("k", "float32", (4, 4, 1, 1)),
    "w": weight("w", "float32", (8, 8)),
    "b": weight("b", "float32", (8,)),
    **{name: weight(name, "float32", (4,)) for name in ("bs", "bb", "bm", "bv")},
    "c": np.array(2, F32),
    "one": np.array(1, F32),
    "last": np.array([-1]),
}
TAIL = "Neg"
"""No runtime fuses it with anything."""


def groups(nodes: list[onnx.NodeProto], folder: Path, inputs: dict[str, Any] | None = None, **more: Any) -> list[str]:
    """Read a network and give its groups as operators joined by ``+``."""
    outputs = more.get("outputs") or {nodes[-1].output[0]: None}
    used = {name for entry in nodes for name in entry.input}
    constants = {name: value for name, value in WEIGHTS.items() if name in used}
    model = reading(network(nodes, inputs or MATRIX, outputs, constants), folder)
    assert not any(layer.skip for layer in model.layers)
    check_laws(model)
    return ["+".join(model.layers[index].op_type for index in group) for group in model.groups]


def check_laws(model: Model) -> None:
    """Groups are disjoint, ascending, of two layers or more, connected, convex, and free of skipped layers."""
    seen: set[int] = set()
    made = {name: index for index, layer in enumerate(model.layers) for name in layer.outputs if name}
    makers = [{made[name] for name in layer.reads if name in made} for layer in model.layers]
    for group in model.groups:
        inside = set(group)
        assert len(group) >= 2
        assert list(group) == sorted(inside)
        assert inside.isdisjoint(seen)
        assert not any(model.layers[index].skip for index in group)
        seen |= inside
        reached, frontier = {group[0]}, [group[0]]
        while frontier:
            index = frontier.pop()
            near = {other for other in inside if other in makers[index] or index in makers[other]} - reached
            reached |= near
            frontier += near
        assert reached == inside, "connected"
        below: set[int] = set()
        for index in range(group[0], group[-1] + 1):
            if index not in inside and not makers[index].isdisjoint(inside | below):
                below.add(index)
            elif index in inside:
                assert makers[index].isdisjoint(below), "convex"


def spelled(text: str, start: str = "x") -> list[onnx.NodeProto]:
    """Write nodes from ``Op in in > out; ...``; ``@`` is the tensor that comes in."""
    nodes = []
    for part in text.split("; "):
        call, out = part.split(" > ")
        operator, *inputs = call.split()
        nodes.append(node(operator, " ".join(start if name == "@" else name for name in inputs), out))
    return nodes


ERF = "Div @ c > e; Erf e > f; Add f one > g"
TANH = "Mul p c > q; Add @ q > s; Mul s c > t; Tanh t > u; Add u one > v"
ACTIVATIONS = {
    "erf": f"{ERF}; Mul @ g > h; Mul h c > a",
    "erf, half first": f"Mul @ c > h; {ERF}; Mul h g > a",
    "erf, half first, other order": f"{ERF}; Mul c @ > h; Mul g h > a",
    "erf, half on the factor": f"{ERF}; Mul g c > h; Mul h @ > a",
    "tanh": f"Pow @ c > p; {TANH}; Mul @ v > w0; Mul w0 c > a",
    "tanh, half on the factor": f"Pow @ c > p; {TANH}; Mul v c > w0; Mul w0 @ > a",
    "tanh, half first": f"Mul @ c > h; Pow @ c > p; {TANH}; Mul h v > a",
    "tanh, products": f"Mul @ @ > o; Mul o @ > p; {TANH}; Mul @ v > w0; Mul w0 c > a",
    "silu": "Sigmoid @ > s; Mul @ s > a",
    "quick gelu": "Mul @ c > p; Sigmoid p > s; Mul @ s > a",
    "hard-swish": "Add @ c > p; Clip p > q; Mul @ q > r; Div r c > a",
    "hard-swish, late product": "Add @ c > p; Clip p > q; Div q c > r; Mul r @ > a",
    "hard-swish by HardSigmoid": "HardSigmoid @ > s; Mul s @ > a",
    "mish": "Softplus @ > s; Tanh s > t; Mul @ t > a",
}
MEAN = "ReduceMean @ last > m; Sub @ m > d"
VARIANCE = "ReduceMean p last > v; Add v c > e; Sqrt e > r"
NORMALISATIONS = {
    "layer": f"{MEAN}; Pow d c > p; {VARIANCE}; Div d r > n",
    "layer, product": f"{MEAN}; Mul d d > p; {VARIANCE}; Div d r > n",
    "layer, reciprocal": f"{MEAN}; Pow d c > p; {VARIANCE}; Reciprocal r > i; Mul i d > n",
    "rms": f"Pow @ c > p; {VARIANCE}; Reciprocal r > i; Mul @ i > n",
    "rms, quotient": f"Mul @ @ > p; {VARIANCE}; Div @ r > n",
}


@pytest.mark.parametrize("name", ACTIVATIONS)
def test_activations_that_are_spelled_out(tmp_path: Path, name: str) -> None:
    """Each is a group of its own, and one with the matrix product and bias before it."""
    alone = spelled(ACTIVATIONS[name])
    tail = node(TAIL, "a", "y")
    operators = "+".join(entry.op_type for entry in alone)
    assert groups([*alone, tail], tmp_path) == [operators]
    before = [node("MatMul", "x w", "mm"), node("Add", "mm b", "z")]
    assert groups([*before, *spelled(ACTIVATIONS[name], "z"), tail], tmp_path) == [f"MatMul+Add+{operators}"]


@pytest.mark.parametrize("name", ACTIVATIONS)
def test_a_second_use_inside_forbids_the_group(tmp_path: Path, name: str) -> None:
    """If an inner tensor is used elsewhere, or is an output, the function is no group."""
    alone = spelled(ACTIVATIONS[name])
    inner = alone[-2].output[0]
    whole = "+".join(entry.op_type for entry in alone)
    assert whole not in groups(
        [*alone, node(TAIL, "a", "y"), node(TAIL, inner, "z")], tmp_path, outputs={"y": None, "z": None}
    )
    assert whole not in groups([*alone, node(TAIL, "a", "y")], tmp_path, outputs={"y": None, inner: None})


@pytest.mark.parametrize("name", NORMALISATIONS)
def test_normalisations_that_are_spelled_out(tmp_path: Path, name: str) -> None:
    """Each is a group, with the constant scale and shift that follow."""
    alone = spelled(NORMALISATIONS[name])
    operators = "+".join(entry.op_type for entry in alone)
    assert groups([*alone, node(TAIL, "n", "y")], tmp_path) == [operators]
    affine = [node("Mul", "b n", "sc"), node("Add", "sc b", "sh")]
    assert groups([*alone, *affine, node(TAIL, "sh", "y")], tmp_path) == [f"{operators}+Mul+Add"]


def test_a_difference_that_is_used_elsewhere_stays_out(tmp_path: Path) -> None:
    """If the centred tensor is used outside, only the second half of the normalisation is a group."""
    nodes = [*spelled(NORMALISATIONS["layer"]), node(TAIL, "n", "y"), node(TAIL, "d", "z")]
    assert groups(nodes, tmp_path, outputs={"y": None, "z": None}) == ["Pow+ReduceMean+Add+Sqrt+Div"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Conv x k > a; Relu a > y", ["Conv+Relu"]),
        ("Conv x k > a; BatchNormalization a bs bb bm bv > b1; Relu b1 > y", ["Conv+BatchNormalization+Relu"]),
        ("ConvTranspose x k > a; Add a c > b1; LeakyRelu b1 > y", ["ConvTranspose+Add+LeakyRelu"]),
        ("Conv x k > a; Clip a > y", ["Conv+Clip"]),
        ("Conv x k > a; HardSigmoid a > s; Mul a s > y", ["Conv+HardSigmoid+Mul"]),
        ("Conv x k > a; Add a x > b1; Relu b1 > y", ["Conv+Add+Relu"]),
        ("Conv x k > a; Add x a > y", ["Conv+Add"]),
        ("Conv x k > a; Conv x k > b1; Add a b1 > d; Relu d > y", ["Conv+Add+Relu"]),
        ("Conv x k > a; Relu a > r; Add r x > y", ["Conv+Relu"]),
        ("Conv x k > a; Relu a > r; Neg a > n; Add r n > y", []),
        ("Conv x k > a; Softmax a > y", []),
        ("MaxPool1 x > y", []),
    ],
)
def test_convolutions(tmp_path: Path, text: str, expected: list[str]) -> None:
    """Bias, BatchNormalization, residual and activation join; of two convolutions the one made last takes the sum."""
    nodes = spelled(text)
    for entry in nodes:
        if entry.op_type == "MaxPool1":
            entry.op_type = "MaxPool"
            entry.attribute.append(onnx.helper.make_attribute("kernel_shape", [2, 2]))
    assert groups(nodes, tmp_path, IMAGE) == expected


def test_the_sum_goes_to_the_last_convolution(tmp_path: Path) -> None:
    """Of two convolutions whose results are added, the sum joins the one that is made last."""
    nodes = spelled("Conv x k > a; Relu x > r; Conv r k > b1; Add b1 a > y")
    model = reading(network(nodes, IMAGE, {"y": None}, {"k": WEIGHTS["k"]}), tmp_path)
    assert model.groups == ((2, 3),)


@pytest.mark.parametrize(
    ("tails", "expected"),
    [
        (("Conv h1 k2 > a", "Conv h2 k2 > b1", "Concat a b1 > y"), ["Split+Conv+Conv+Concat"]),
        (
            ("Conv h1 k2 > a", "Relu a > r", "Conv h2 k2 > b1", "Concat r b1 > y"),
            ["Split+Conv+Relu+Conv+Concat"],
        ),
        (("Conv h1 k2 > a", "Concat a h2 > y"), []),
        (("Conv h1 k2 > a", "Conv h2 k2 > b1", "Concat a b1 x > y"), []),
        (("Conv h1 k2 > a", "Conv h2 k2 > b1", "Concat a b1 > c1", "Concat c1 a > y"), []),
    ],
)
def test_a_convolution_of_several_kernels_is_one_group(
    tmp_path: Path, tails: tuple[str, ...], expected: list[str]
) -> None:
    """All parts of a Split are convolved and joined again, and none is used elsewhere (MixNet)."""
    nodes = [node("Split", "x", "h1 h2", axis=1, num_outputs=2)]
    nodes += [entry for text in tails for entry in spelled(text, "")]
    for entry in nodes:
        if entry.op_type == "Concat":
            entry.attribute.append(onnx.helper.make_attribute("axis", 1))
    constants = {"k2": weight("k2", "float32", (2, 2, 1, 1))}
    model = reading(network(nodes, IMAGE, {"y": None}, constants), tmp_path)
    check_laws(model)
    found = ["+".join(model.layers[index].op_type for index in group) for group in model.groups]
    assert [one for one in found if "Split" in one] == expected


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        ((0, 2, 1, 3, 4), ["Concat+Reshape+Transpose+Reshape+Split"]),
        ((0, 1, 2, 4, 3), []),
    ],
)
def test_a_shuffle_of_channels_is_one_group(tmp_path: Path, order: tuple[int, ...], expected: list[str]) -> None:
    """With what joins its channels before and parts them after (ShuffleNet)."""
    nodes = [
        node("Neg", "x", "n"),
        node("Concat", "x n", "c1", axis=1),
        node("Reshape", "c1 five", "r"),
        node("Transpose", "r", "t", perm=order),
        node("Reshape", "t four", "s"),
        node("Split", "s", "h1 h2", axis=1, num_outputs=2),
        node("Neg", "h1", "y1"),
        node("Exp", "h2", "y2"),
    ]
    constants = {"five": np.array([1, 2, 4, 8, 8]), "four": np.array([1, 8, 8, 8])}
    model = reading(network(nodes, IMAGE, {"y1": None, "y2": None}, constants), tmp_path)
    check_laws(model)
    assert ["+".join(model.layers[index].op_type for index in group) for group in model.groups] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("MatMul x w > a; Add a b > y", ["MatMul+Add"]),
        ("MatMul x w > a; Add b a > z; Gelu z > y", ["MatMul+Add+Gelu"]),
        ("Gemm x w b > a; Tanh a > y", ["Gemm+Tanh"]),
        ("MatMul x w > a; Add a x > y", []),
        ("MatMul x w > a; Softmax a > y", []),
    ],
)
def test_products(tmp_path: Path, text: str, expected: list[str]) -> None:
    """Constant bias and activation join a matrix product; a residual does not."""
    assert groups(spelled(text), tmp_path) == expected


def test_dynamic_quantisation(tmp_path: Path) -> None:
    """DynamicQuantizeLinear joins the product if it feeds but one; scales, cast and bias always do."""

    def product(tag: str) -> list[onnx.NodeProto]:
        return [
            node("MatMulInteger", "q wq qz", f"i{tag}"),
            node("Cast", f"i{tag}", f"f{tag}", to=1),
            node("Mul", "qs c", f"s{tag}"),
            node("Mul", f"f{tag} s{tag}", f"m{tag}"),
            node("Add", f"m{tag} b", f"y{tag}"),
        ]

    quantise = node("DynamicQuantizeLinear", "x", "q qs qz")
    constants = {"wq": weight("wq", "int8", (8, 8)), "c": WEIGHTS["c"], "b": WEIGHTS["b"]}
    one = reading(network([quantise, *product("1")], MATRIX, {"y1": None}, constants), tmp_path)
    two = reading(
        network([quantise, *product("1"), *product("2")], MATRIX, {"y1": None, "y2": None}, constants), tmp_path
    )
    check_laws(one)
    check_laws(two)
    assert [len(group) for group in one.groups] == [6]
    assert [len(group) for group in two.groups] == [5, 5]


def test_skipped_layers_join_no_group(tmp_path: Path) -> None:
    """A layer that can be no part of a benchmark ties nothing to itself."""
    nodes = [node("MatMul", "x w", "a"), node("RandomNormalLike", "a", "r"), node("Relu", "r", "y")]
    model = reading(network(nodes, MATRIX, {"y": None}, {"w": WEIGHTS["w"]}), tmp_path)
    assert model.groups == ()


@settings(max_examples=60)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["Conv", "Relu", "Sigmoid", "Mul", "Add", "Add_c", "Mul_c", "BatchNormalization", "Clip"]),
            st.integers(0, 4),
            st.integers(0, 4),
        ),
        min_size=2,
        max_size=25,
    ),
    st.sets(st.integers(0, 24)),
)
def test_laws_on_random_graphs(
    tmp_path_factory: pytest.TempPathFactory, calls: list[tuple[str, int, int]], outputs: set[int]
) -> None:
    """Whatever the graph, groups are disjoint, connected and convex."""
    nodes = []
    names = ["x"]
    for index, (operator, first, second) in enumerate(calls):
        one, two = names[-1 - first % len(names)], names[-1 - second % len(names)]
        operands = {
            "Conv": f"{one} k",
            "Mul": f"{one} {two}",
            "Add": f"{one} {two}",
            "Add_c": f"{one} c",
            "Mul_c": f"c {one}",
            "BatchNormalization": f"{one} bs bb bm bv",
        }.get(operator, one)
        names.append(f"t{index}")
        nodes.append(node(operator.removesuffix("_c"), operands, names[-1]))
    wanted = {names[-1]} | {names[index] for index in outputs if 0 < index < len(names)}
    used = {name for entry in nodes for name in entry.input}
    constants = {name: value for name, value in WEIGHTS.items() if name in used}
    made = network(nodes, IMAGE, dict.fromkeys(sorted(wanted)), constants)
    check_laws(reading(made, tmp_path_factory.mktemp("random")))


@pytest.mark.parametrize("path", NETWORKS, ids=lambda path: path.stem)
def test_laws_on_real_networks(path: Path) -> None:
    """The same on each of the fifty networks."""
    check_laws(read_model(path, dims={"batch": 1, "seq": 16}))


def test_a_transposed_constant_is_no_shuffle(tmp_path: Path) -> None:
    """A constant that was not folded has no layer before it."""
    nodes = [node("Transpose", "v", "t", perm=(0, 2, 1, 3, 4)), node("Reshape", "t four", "s"), node("Add", "x s", "y")]
    inputs = {"x": ("float32", (1, 8, 8, 8)), "v": ("float32", (1, 2, 4, 8, 8))}
    model = reading(network(nodes, inputs, {"y": None}, {"four": np.array([1, 8, 8, 8])}), tmp_path)
    constant = next(iter(model.constants.values()))
    assert find_groups(replace(model, constants={**model.constants, "v": constant})) == ()
