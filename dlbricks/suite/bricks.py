"""A brick: one layer sequence as a standalone network with everything that is needed to run it. Pure.

The network is a function of the canonical form alone: tensors are named by their canonical place (``x0`` inputs, ``y0``
outputs, ``c0`` constants, ``t0`` what lies between), so models that share a sequence give the same bytes.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dlbricks.fingerprint import digest_bytes
from dlbricks.model.costs.features import features
from dlbricks.model.emit import build_network, network_bytes
from dlbricks.model.synthesis.values import input_generator, place_constants
from dlbricks.model.types import Model, TensorSpec, WeightBlob
from dlbricks.sequences.types import CanonicalSequence
from dlbricks.suite.nouns import Benchmark, TensorContract

NAME_LIMIT = 40
"""Most characters of a readable name."""

_ADDING = frozenset({("com.microsoft.nchwc", "Conv"), ("com.microsoft", "FusedConv")})
"""Domain and operator of what adds its result to its fourth operand."""

_NOT_PLAIN = re.compile(r"[^A-Za-z0-9]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Brick:
    """A benchmark together with its files."""

    benchmark: Benchmark
    network: bytes
    """The serialised ModelProto, without weights."""
    weights: tuple[WeightBlob, ...]
    """Stretches of synthetic weights that the network points to."""


def brick(
    model: Model,
    sequence: CanonicalSequence,
    *,
    role: str = "sequence",
    group_of: Mapping[int, int] | None = None,
) -> Brick:
    """Make the standalone network of one sequence; its reference is filled in later, by a real run.

    Its importance is 1 until it is weighed against the others of its network.

    Args:
        model: the network that the sequence is part of.
        sequence: its canonical form, which also gives its layers and tensors.
        role: ``sequence``, or ``whole`` when the sequence is the entire network.
        group_of: what ``group_index(model)`` gives, for those who make many bricks of one model.
    """
    rename = canonical_names(model, sequence)
    constants, weights = place_constants(model, sequence.layers, sequence.constants, real_values=role == "whole")
    network = network_bytes(
        build_network(model, sequence.layers, sequence.inputs, sequence.outputs, rename=rename, constants=constants)
    )
    specs = [model.spec(tensor) for tensor in (*sequence.inputs, *sequence.outputs)]
    known = features(
        model,
        [model.layers[index] for index in sequence.layers],
        inputs=sequence.inputs,
        outputs=sequence.outputs,
        constants=sequence.constants,
    )
    benchmark = Benchmark(
        fingerprint=sequence.fingerprint,
        name=readable_name([model.layers[index].op_type for index in sequence.layers if not _is_view(model, index)]),
        network=f"networks/{sequence.fingerprint}.onnx",
        digest=digest_bytes(network),
        optimization="all" if model.target == "portable" else "none",
        role=role,
        operators=known.operators,
        layers=counted_layers(model, sequence.layers, group_index(model) if group_of is None else group_of),
        inputs=tuple(
            TensorContract(
                name=rename[tensor],
                dtype=model.spec(tensor).dtype,
                shape=model.spec(tensor).shape,
                generator=input_generator(model, sequence.layers, tensor),
            )
            for tensor in sequence.inputs
        ),
        outputs=tuple(_output(model.spec(tensor), rename[tensor]) for tensor in sequence.outputs),
        weight_bytes=known.weight_bytes,
        activation_bytes=sum(spec.nbytes for spec in specs),
        flops=known.flops,
        importance=1.0,
        reference=None,
        reference_note="not run yet",
        overwrites=rename.get(overwritten(model, sequence), ""),
        work=known.work,
        fetched_bytes=known.fetched_bytes,
        kinds=known.kinds,
        shape=known.shape,
    )
    return Brick(benchmark=benchmark, network=network, weights=weights)


def canonical_names(model: Model, sequence: CanonicalSequence) -> dict[str, str]:
    """Give every tensor of the sequence its name in the standalone network."""
    names = {tensor: f"x{index}" for index, tensor in enumerate(sequence.inputs)}
    names |= {tensor: f"c{index}" for index, tensor in enumerate(sequence.constants)}
    names |= {tensor: f"y{index}" for index, tensor in enumerate(sequence.outputs)}
    inner = 0
    for index in sequence.layers:
        for tensor in model.layers[index].outputs:
            if tensor and tensor not in names:
                names[tensor] = f"t{inner}"
                inner += 1
    return names


def overwritten(model: Model, sequence: CanonicalSequence) -> str:
    """Give the input in whose buffer the runtime makes the only output inside a network; empty if there is none.

    A blocked or fused convolution adds what it makes to its fourth operand, in place (``MayInplace(3, 0)`` in
    onnxruntime). As an input of a benchmark the operand would be copied first. An operand that the sequence reads
    elsewhere too is left alone: calls would feed on what earlier ones made, and numbers would grow without limit.
    """
    if model.target == "portable" or len(sequence.outputs) != 1:
        return ""
    output = sequence.outputs[0]
    maker = next(model.layers[index] for index in sequence.layers if output in model.layers[index].outputs)
    summed = maker.inputs[3] if len(maker.inputs) > 3 else ""
    if (maker.domain, maker.op_type) not in _ADDING or summed not in sequence.inputs:
        return ""
    if sum(model.layers[index].reads.count(summed) for index in sequence.layers) > 1:
        return ""
    mine, theirs = model.spec(output), model.spec(summed)
    return summed if (mine.dtype, mine.shape) == (theirs.dtype, theirs.shape) else ""


def readable_name(operators: Sequence[str]) -> str:
    """Join the distinct operators by ``_`` in their order; what does not fit is told by ``_etc``.

    >>> readable_name(["Conv", "Relu", "Conv"])
    'Conv_Relu'
    """
    distinct = list(dict.fromkeys(_NOT_PLAIN.sub("", operator) or "Custom" for operator in operators)) or ["View"]
    name = distinct[0][:NAME_LIMIT]
    for position, operator in enumerate(distinct[1:], start=1):
        rest = 0 if position == len(distinct) - 1 else len("_etc")
        if len(name) + 1 + len(operator) + rest > NAME_LIMIT:
            return name[: NAME_LIMIT - len("_etc")] + "_etc"
        name = f"{name}_{operator}"
    return name


def group_index(model: Model) -> dict[int, int]:
    """Give, for every layer in a group, the first layer of its group."""
    return {layer: group[0] for group in model.groups for layer in group}


def counted_layers(model: Model, layers: Sequence[int], group_of: Mapping[int, int]) -> int:
    """Count what counts for H: layers that are no views, a group once."""
    return len({group_of.get(index, index) for index in layers if not _is_view(model, index)})


def _is_view(model: Model, index: int) -> bool:
    return model.layers[index].is_view


def _output(spec: TensorSpec, name: str) -> TensorContract:
    return TensorContract(name=name, dtype=spec.dtype, shape=spec.shape)
