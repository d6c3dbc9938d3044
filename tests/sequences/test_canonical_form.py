"""The canonical form: the same for equal sequences, different for different ones, complete in itself."""

import json
import random
from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlbricks.model.types import Constant, ExternalData, Model
from dlbricks.sequences.canonical import canonicalise
from dlbricks.sequences.split import end_to_end, split
from dlbricks.sequences.types import CanonicalSequence, Granularity
from tests.sequences.drawn_models import GRANULARITIES, integers, layer, layer_edges, model, models, unique, weight

SEEDS = st.integers(0, 2**32 - 1)


def fingerprint(network: Model) -> str:
    """Take a whole network as one sequence."""
    return canonicalise(network, end_to_end(network)).fingerprint


def shuffled(network: Model, chance: random.Random) -> Model:
    """Put the layers into another topological order, the inputs and outputs of the network into any."""
    edges = layer_edges(network.layers)
    order: list[int] = []
    while len(order) < len(network.layers):
        left = [index for index in range(len(network.layers)) if index not in order]
        order.append(chance.choice([at for at in left if all(one not in left for one, other in edges if other == at)]))
    return replace(
        network,
        layers=tuple(network.layers[index] for index in order),
        groups=tuple(tuple(sorted(order.index(index) for index in group)) for group in network.groups),
        inputs=tuple(chance.sample(network.inputs, len(network.inputs))),
        outputs=tuple(chance.sample(network.outputs, len(network.outputs))),
    )


def renamed(network: Model, chance: random.Random) -> Model:
    """Give every tensor and layer another name."""
    tensors = [*network.tensors, *network.constants]
    names = dict(zip(tensors, (f"v{index}" for index in chance.sample(range(len(tensors)), len(tensors))), strict=True))
    names[""] = ""

    def of(old: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(names[name] for name in old)

    return replace(
        network,
        name="other",
        layers=tuple(
            replace(
                entry, name=f"l{index}", inputs=of(entry.inputs), outputs=of(entry.outputs), captured=of(entry.captured)
            )
            for index, entry in enumerate(network.layers)
        ),
        inputs=of(network.inputs),
        outputs=of(network.outputs),
        tensors={names[name]: replace(spec, name=names[name]) for name, spec in network.tensors.items()},
        constants={
            names[name]: replace(constant, spec=replace(constant.spec, name=names[name]))
            for name, constant in network.constants.items()
        },
    )


def with_other_weights(network: Model) -> Model:
    """Change where weights lie, and opset numbers and nodes as read, which decide nothing."""
    source = ExternalData(path="/elsewhere/weights", offset=64, length=16)
    return replace(
        network,
        layers=tuple(replace(entry, opset=17) for entry in network.layers),
        opsets=(("", 17),),
        constants={
            name: replace(constant, source=source) if constant.values is None else constant
            for name, constant in network.constants.items()
        },
    )


@given(models(), SEEDS)
def test_names_order_and_weights_do_not_count(drawn: Model, seed: int) -> None:
    """Renaming, another order of layers, inputs and outputs, other weights and opset numbers leave the text alone."""
    chance = random.Random(seed)  # noqa: S311 - a test, not a secret
    for change in (lambda m: renamed(m, chance), lambda m: shuffled(m, chance), with_other_weights):
        changed = change(drawn)
        assert canonicalise(changed, end_to_end(changed)).text == canonicalise(drawn, end_to_end(drawn)).text


@given(models(), SEEDS, st.sampled_from(GRANULARITIES))
def test_the_order_of_a_sequences_boundary_does_not_count(drawn: Model, seed: int, grain: Granularity) -> None:
    """Neither do the order of its inputs, outputs and constants, nor where in which network it was found."""
    chance = random.Random(seed)  # noqa: S311 - a test, not a secret
    for sequence in split(drawn, grain).sequences:
        turned = replace(
            sequence,
            inputs=tuple(chance.sample(sequence.inputs, len(sequence.inputs))),
            outputs=tuple(chance.sample(sequence.outputs, len(sequence.outputs))),
            constants=tuple(chance.sample(sequence.constants, len(sequence.constants))),
        )
        assert canonicalise(drawn, turned) == canonicalise(drawn, sequence)


@given(models(), st.sampled_from(GRANULARITIES))
def test_the_text_read_back_is_the_sequence(drawn: Model, grain: Granularity) -> None:
    """It holds every layer with its operands, and the order that comes with it is topological."""
    for sequence in split(drawn, grain).sequences:
        form = canonicalise(drawn, sequence)
        assert sorted(form.layers) == list(sequence.layers)
        assert sorted(form.inputs) == sorted(sequence.inputs)
        assert sorted(form.outputs) == sorted(sequence.outputs)
        assert sorted(form.constants) == sorted(sequence.constants)
        read_back(drawn, form)


def read_back(network: Model, form: CanonicalSequence) -> None:
    """Check the text against the network, reference by reference."""
    content = json.loads(form.text)

    def name(reference: list[int | str]) -> str:
        match reference:
            case []:
                return ""
            case ["x", int(number)]:
                return form.inputs[number]
            case ["c", int(number)]:
                return form.constants[number]
            case [int(number), int(position)]:
                return network.layers[form.layers[number]].outputs[position]
        raise AssertionError(reference)

    for number, (index, entry) in enumerate(zip(form.layers, content["layers"], strict=True)):
        there = network.layers[index]
        assert (entry["domain"], entry["operator"], entry["since"]) == (
            there.domain,
            there.op_type,
            there.since_version,
        )
        assert [name(reference) for reference in entry["operands"]] == [*there.inputs, *there.captured]
        assert all(
            reference[0] < number for reference in entry["operands"] if reference and reference[0] not in {"x", "c"}
        )
        shapes = [network.tensors[tensor].shape if tensor else None for tensor in there.outputs]
        assert [tuple(output[1]) if output else None for output in entry["outputs"]] == shapes
    assert [name(reference) for reference in content["outputs"]] == list(form.outputs)
    for tensor, entry in zip((*form.inputs, *form.constants), content["inputs"] + content["constants"], strict=True):
        assert (entry[0], tuple(entry[1])) == (network.spec(tensor).dtype, network.spec(tensor).shape)


BASE = model(
    [
        layer("Reshape", ["x", "shape"], ["a"]),
        layer("Mul", ["a", "w"], ["b"], attributes=(("alpha", "1"),)),
        layer("Sub", ["b", "z"], ["c"]),
        layer("Split", ["c"], ["d", ""]),
        layer("If", ["d"], ["e"], captured=("a", "b")),
    ],
    ["e"],
    constants=[weight("w"), integers("shape", (2, 2))],
)


def with_layer(index: int, **fields: object) -> Model:
    """Change a layer of the base."""
    layers = list(BASE.layers)
    layers[index] = replace(layers[index], **fields)  # type: ignore[arg-type]
    return model(layers, BASE.outputs, constants=BASE.constants.values())


def with_tensor(name: str, **fields: object) -> Model:
    """Change the specification of a tensor of the base."""
    return replace(BASE, tensors={**BASE.tensors, name: replace(BASE.tensors[name], **fields)})  # type: ignore[arg-type]


def with_constant(constant: Constant) -> Model:
    """Change a constant of the base."""
    return replace(BASE, constants={**BASE.constants, constant.spec.name: constant})


DIFFERENT: Mapping[str, Model] = {
    "operator": with_layer(2, op_type="Add"),
    "domain": with_layer(2, domain="com.microsoft"),
    "schema version": with_layer(2, since_version=14),
    "attribute": with_layer(1, attributes=(("alpha", "2"),)),
    "attribute name": with_layer(1, attributes=(("beta", "1"),)),
    "order of operands": with_layer(2, inputs=("z", "b")),
    "one tensor twice": with_layer(2, inputs=("b", "b")),
    "other wiring": with_layer(2, inputs=("a", "z")),
    "omitted operand": with_layer(1, inputs=("a", "w", "")),
    "output present": with_layer(3, outputs=("d", "d2")),
    "order of captured tensors": with_layer(4, captured=("b", "a")),
    "captured or operand": with_layer(4, inputs=("d", "a"), captured=("b",)),
    "input shape": with_tensor("x", shape=(2, 3)),
    "inner shape": with_tensor("b", shape=(2, 3)),
    "output shape": with_tensor("e", shape=(2, 3)),
    "input dtype": with_tensor("z", dtype="float16"),
    "inner dtype": with_tensor("b", dtype="float16"),
    "constant shape": with_constant(weight("w", (1,))),
    "constant or input": model(BASE.layers, BASE.outputs, constants=[integers("shape", (2, 2))]),
    "shape-like constant": with_constant(integers("shape", (4, 1))),
    "inner tensor leaves": replace(BASE, outputs=("b", "e")),
    "target": replace(BASE, target="onnxruntime-cpu"),
    "observed input": replace(BASE, observed={"z": bytes(16)}),
}


@pytest.mark.parametrize("what", DIFFERENT)
def test_what_decides_speed_counts(what: str) -> None:
    """One difference of any kind gives another fingerprint, and each kind its own."""
    others = [fingerprint(network) for kind, network in DIFFERENT.items() if kind != what]
    assert fingerprint(DIFFERENT[what]) not in {fingerprint(BASE), *others}


def test_the_same_values_written_differently_are_the_same() -> None:
    """Whether all elements were kept or only the one that they all equal."""
    one = with_constant(integers("shape", (2, 2)))
    other = with_constant(replace(integers("shape", (2, 2)), values=None, fill=integers("one", (2,)).values))
    assert fingerprint(one) == fingerprint(other) != fingerprint(with_constant(integers("shape", (2, 3))))


def test_values_of_weights_do_not_count_even_if_they_are_kept() -> None:
    """A small float that was kept is still a weight."""
    kept = [with_constant(replace(weight("w"), values=bytes([value] * 16))) for value in (0, 1)]
    assert fingerprint(kept[0]) == fingerprint(kept[1]) == fingerprint(BASE)


def test_large_values_count_in_full() -> None:
    """They enter by their digest."""
    numbers = list(range(100))
    one, other = (
        model([layer("Gather", ["x", "indices"], ["y"])], ["y"], constants=[integers("indices", values)])
        for values in (numbers, [*numbers[:-1], 0])
    )
    assert fingerprint(one) != fingerprint(other)
    assert len(canonicalise(one, end_to_end(one)).text) < 500


def test_two_inputs_differ_from_one_read_twice() -> None:
    """Also when nothing but the sharing tells them apart, and only across layers."""
    layers = [layer("Relu", ["x"], ["a"]), layer("Relu", ["z"], ["b"]), layer("Add", ["a", "b"], ["c"])]
    shared = [layers[0], replace(layers[1], inputs=("x",)), layers[2]]
    assert fingerprint(model(layers, ["c"])) != fingerprint(model(shared, ["c"]))


@pytest.mark.parametrize("operator", ["Tanh", "Exp", "Log", "Neg", "Abs", "Sqrt"])
@pytest.mark.parametrize("told_apart_by", ["pairs", "reader", "input", "leaving"])
def test_equal_outputs_are_told_apart_by_how_they_hang_together(told_apart_by: str, operator: str) -> None:
    """Outputs that are made alike may differ in what else hangs on their branches: any order of the file, one text."""
    layers = [layer(operator, [f"x{branch}"], [f"branch{branch}"]) for branch in range(2)]
    layers += [layer("Sigmoid", [f"branch{leaf % 2}"], [f"leaf{leaf}"]) for leaf in range(4)]
    outputs = [f"leaf{leaf}" for leaf in range(4)]
    match told_apart_by:
        case "reader":
            layers.append(layer(operator, ["branch1"], ["more"]))
        case "input":
            layers.append(layer(operator, ["x1"], ["more"]))
        case "leaving":
            outputs.append("branch1")
    network = model(layers, outputs + ["more"] * (told_apart_by in {"reader", "input"}))
    chance = random.Random(operator)  # noqa: S311 - a test, not a secret
    assert (
        len({canonicalise(other, end_to_end(other)).text for other in (shuffled(network, chance) for _ in range(20))})
        == 1
    )


def test_a_deep_network_of_equal_layers_is_no_trouble() -> None:
    """Neither recursion nor rounds that grow with depth."""
    names = [f"t{index}" for index in range(5001)]
    layers = [layer("Relu", [before], [after]) for before, after in pairwise(names)]
    network = model(layers, [names[-1], names[2500], names[7]])
    assert json.loads(canonicalise(network, end_to_end(network)).text)["outputs"] == [[6, 0], [2499, 0], [4999, 0]]


def test_unique_counts_what_occurs() -> None:
    """Each different sequence once, with how often it occurs in all splits together and where first."""
    layers = [layer("Relu", ["x"], ["a"]), layer("Relu", ["a"], ["b"]), layer("Sigmoid", ["b"], ["c"])]
    splits = [split(model(layers, ["c"]), GRANULARITIES[0]) for _ in range(2)]
    found = unique(splits)
    assert [entry.count for entry in found.values()] == [4, 2]
    assert [entry.sequence.layers for entry in found.values()] == [(0,), (2,)]
    assert all(entry.model is splits[0].model and entry.canonical.fingerprint == key for key, entry in found.items())


def test_the_form_is_pinned() -> None:
    """A fingerprint outlives versions of this package: stored results hang on it."""
    assert fingerprint(BASE) == "ae7b3279c44b0a1725cbe22bc21cf1298276d1026a1be348cc5edb017cee87be"
