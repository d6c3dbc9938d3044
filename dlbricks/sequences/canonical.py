"""Computes the canonical form of a layer sequence and its fingerprint.

The form has what decides the speed of a sequence: target, operators (domain, schema version, attributes), connections,
outputs, shapes, element types, and the values that decide shapes or algorithms. For the target ``openvino`` it also has
single floats, which decide fusions. It has the number of tokens in a sliding-window cache that is not full. It has no
names, weights, layer order or opset numbers.
"""

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import NamedTuple

from dlbricks.harness.dtypes import BY_NAME
from dlbricks.model.order import depth_first
from dlbricks.model.types import Constant, Layer, Model, TensorSpec
from dlbricks.operators.row import OperandRole
from dlbricks.operators.table import kernel, row_of
from dlbricks.operators.uses import Use, decides_fusion, other_zero_point, value_matters
from dlbricks.operators.value_rules import last_key, with_full_windows
from dlbricks.sequences.types import CanonicalSequence, LayerSequence
from dlbricks.typed_json import Json, canonical_json, digest_bytes

# Version of the form, which is part of the text that a fingerprint is computed from.
CANONICAL_FORM = 1

# Maximum length of a readable name, in characters.
NAME_LIMIT = 40
_NOT_PLAIN = re.compile(r"[^A-Za-z0-9]+")
# longer values are digests, which keeps the text short
_INLINE_BYTES = 64
# maximum number of roots of equal colour that are tried: each costs a search, and equal roots give the same text
_CANDIDATES = 64


def canonicalise(model: Model, sequence: LayerSequence) -> CanonicalSequence:
    """Return the canonical form of a layer sequence; sequences of equal speed have equal forms."""
    model = with_full_windows(model, sequence.layers)
    graph = _graph_of(model, sequence)
    numbering = _Numbering(graph)
    outputs = numbering.number_all()
    form: Json = {
        "form": CANONICAL_FORM,
        "target": model.target,
        "inputs": [graph.sources[tensor].form for tensor in numbering.inputs],
        "constants": [graph.sources[tensor].form for tensor in numbering.constants],
        "layers": [{**graph.own[index], "operands": numbering.references(index)} for index in numbering.layers],
        "outputs": [numbering.reference(tensor) for tensor in outputs],
    }
    text = canonical_json(form)
    return CanonicalSequence(
        text=text.decode(),
        fingerprint=digest_bytes(text),
        layers=tuple(numbering.layers),
        inputs=tuple(numbering.inputs),
        outputs=tuple(outputs),
        constants=tuple(numbering.constants),
    )


def without_bias(model: Model, sequence: LayerSequence) -> str:
    """Return the fingerprint of a layer sequence without the biases of its convolutions; empty if it has none."""
    layers = [model.layers[index] for index in sequence.layers]
    for place, layer in enumerate(layers):
        if kernel(layer.domain, layer.op_type).kind == "convolution":
            roles = row_of(layer).roles
            inputs = ["" if roles.get(at) is OperandRole.BIAS else name for at, name in enumerate(layer.inputs)]
            while not inputs[-1]:
                inputs.pop()
            layers[place] = replace(layer, inputs=tuple(inputs))
    read = {name for layer in layers for name in layer.reads}
    constants = tuple(name for name in sequence.constants if name in read)
    plain = replace(sequence, layers=tuple(range(len(layers))), constants=constants)
    model = replace(model, layers=tuple(layers))
    return "" if constants == sequence.constants else canonicalise(model, plain).fingerprint


class _OuterTensor(NamedTuple):
    # An input or a constant of the sequence.
    # Prefix of references to it: ``c`` for constants, ``x`` for inputs.
    kind: str
    form: Json


@dataclass(frozen=True, slots=True)
class _Subgraph:
    # A sequence with all properties that the form needs; names are used as keys only.
    layers: tuple[int, ...]
    # Operator, attributes and outputs of each layer.
    own: Mapping[int, Mapping[str, Json]]
    # Inputs of each layer by position, ``""`` for omitted ones, and then the tensors that its bodies capture.
    operands: Mapping[int, tuple[str, ...]]
    # Layer and output position of every tensor produced inside.
    makers: Mapping[str, tuple[int, int]]
    # Layers and operand positions that read a tensor; tensors without readers are absent.
    readers: Mapping[str, list[tuple[int, int]]]
    sources: Mapping[str, _OuterTensor]
    outputs: tuple[str, ...]


def _graph_of(model: Model, sequence: LayerSequence) -> _Subgraph:
    layers = [(index, model.layers[index]) for index in sequence.layers]
    operands = {index: layer.inputs + layer.captured for index, layer in layers}
    readers: dict[str, list[tuple[int, int]]] = {}
    for index in sequence.layers:
        for position, tensor in enumerate(operands[index]):
            readers.setdefault(tensor, []).append((index, position))
    sources = {tensor: _OuterTensor("x", _input_form(model, tensor, sequence.layers)) for tensor in sequence.inputs}
    for tensor in sequence.constants:
        spec = model.constants[tensor].spec
        counted = decides_fusion(model, spec) or any(
            value_matters(model.layers[index], position, spec) for index, position in readers[tensor]
        )
        constant, uses = model.constants[tensor], [Use(model.layers[index], None, at) for index, at in readers[tensor]]
        other = not counted and other_zero_point(constant, uses)
        form = [*_spec_form(spec), ["other zero point"]] if other else _constant_form(constant, counted=counted)
        sources[tensor] = _OuterTensor("c", form)
    return _Subgraph(
        layers=sequence.layers,
        own={index: _own_form(model, layer) for index, layer in layers},
        operands=operands,
        makers={tensor: (index, at) for index, layer in layers for at, tensor in enumerate(layer.outputs) if tensor},
        readers=readers,
        sources=sources,
        outputs=sequence.outputs,
    )


def _spec_form(spec: TensorSpec) -> list[Json]:
    return [spec.dtype, list(spec.shape)]


def _input_form(model: Model, tensor: str, layers: Sequence[int]) -> Json:
    seen = (model.observed or {}).get(tensor)
    spec = model.spec(tensor)
    last = last_key(model, layers, tensor) if seen is None else None
    if last is not None:
        return [*_spec_form(spec), ["last key", last]]
    return _spec_form(spec) if seen is None else [*_spec_form(spec), _value_form(spec, seen)]


def _constant_form(constant: Constant, *, counted: bool) -> Json:
    own = _spec_form(constant.spec)
    if not counted:
        return own
    if constant.values is not None:
        return [*own, _value_form(constant.spec, constant.values)]
    return own if constant.fill is None else [*own, ["all", constant.fill.hex()]]


def _value_form(spec: TensorSpec, values: bytes) -> Json:
    # Encode values; equal values have the same form whether they are stored individually or as one repeated value.
    element = BY_NAME[spec.dtype]
    size = element.bits // 8
    if size and len(values) >= size and values == values[:size] * (len(values) // size):
        return ["all", values[:size].hex()]
    return ["each", values.hex()] if len(values) <= _INLINE_BYTES else ["sha256", digest_bytes(values)]


def _own_form(model: Model, layer: Layer) -> dict[str, Json]:
    return {
        "domain": layer.domain,
        "operator": layer.op_type,
        "since": layer.since_version,
        "attributes": [list(attribute) for attribute in layer.attributes],
        "captured": len(layer.captured),
        "outputs": [_spec_form(model.tensors[tensor]) if tensor else None for tensor in layer.outputs],
    }


def _hash(*parts: bytes) -> bytes:
    # Return the digest of parts of which all but the first have the same length.
    return hashlib.blake2b(b"".join(parts), digest_size=16).digest()


_OMITTED = _hash(b"omitted")


def _colours(graph: _Subgraph) -> dict[int, bytes]:
    # Return a colour for every layer by colour refinement; symmetric layers share a colour.
    # Colour refinement (Weisfeiler-Lehman): passes from the outputs to the inputs and back give every layer a digest of
    # all layers below and above it, until a pass distinguishes no further layers. Canonical numbering: a depth-first
    # search from the output with the least colour, operand by operand; among outputs of equal colour the one whose new
    # layers have the least description is next. The text describes the sequence in full, so different sequences never
    # share a fingerprint. Equal sequences may get different ones only in highly regular graphs, which networks do not
    # have.
    colours = {index: _hash(canonical_json(graph.own[index])) for index in graph.layers}
    sources = {tensor: _hash(canonical_json([s.kind, s.form])) for tensor, s in graph.sources.items()}
    results: dict[int, list[str]] = {index: [] for index in graph.layers}
    for tensor, (index, _) in graph.makers.items():
        results[index].append(tensor)
    leaving = set(graph.outputs)

    def below(tensor: str) -> bytes:
        uses = sorted(colours[index] + at.to_bytes(4, "big") for index, at in graph.readers.get(tensor, ()))
        return _hash(b"leaves" if tensor in leaving else b"stays", *uses)

    def above(tensor: str) -> bytes:
        if not tensor:
            return _OMITTED
        if tensor in sources:
            return sources[tensor]
        index, position = graph.makers[tensor]
        return _hash(position.to_bytes(4, "big"), colours[index])

    different = 0
    # each round costs all edges
    while different < (distinct := len(set(colours.values()) | set(sources.values()))) < len(colours) + len(sources):
        different = distinct
        for index in reversed(graph.layers):
            colours[index] = _hash(b"below", colours[index], *map(below, results[index]))
        for tensor, colour in sources.items():
            sources[tensor] = _hash(b"below", colour, below(tensor))
        for index in graph.layers:
            colours[index] = _hash(b"above", colours[index], *map(above, graph.operands[index]))
    return colours


class _Numbering:
    # Canonical numbers of layers and sources, in the order in which the outputs depend on them.
    def __init__(self, graph: _Subgraph) -> None:
        self.graph = graph
        self.layers: list[int] = []
        self.inputs: list[str] = []
        self.constants: list[str] = []
        self._numbers: dict[int | str, int] = {}

    def number_all(self) -> list[str]:
        # Number all layers and sources; returns the outputs of the sequence in canonical order.
        graph = self.graph
        used = {index for tensor, (index, _) in graph.makers.items() if tensor in graph.readers}
        roots = {graph.makers[tensor][0] for tensor in graph.outputs} | {i for i in graph.layers if i not in used}
        # one output alone decides the numbering
        colours = _colours(graph) if len(roots) > 1 else dict.fromkeys(roots, b"")
        for _, same in groupby(sorted(roots, key=colours.__getitem__), key=colours.__getitem__):
            group = list(same)
            while len(group) > 1:
                candidates = group[:_CANDIDATES]
                costs = [self._tried(root) for root in candidates]
                best = costs.index(min(costs))
                self._add(group.pop(best))
            self._add(group[0])
        return sorted(graph.outputs, key=self._place)

    def reference(self, tensor: str) -> tuple[str | int, ...]:
        # Return a tensor's reference: kind and number of a source, or number of a layer and output position.
        if not tensor:
            return ()
        if tensor in self.graph.sources:
            return (self.graph.sources[tensor].kind, self._numbers[tensor])
        return self._place(tensor)

    def references(self, index: int) -> list[tuple[str | int, ...]]:
        # Return the references of a layer's operands, by position.
        return [self.reference(tensor) for tensor in self.graph.operands[index]]

    def _place(self, tensor: str) -> tuple[int, int]:
        index, position = self.graph.makers[tensor]
        return self._numbers[index], position

    def _add(self, root: int) -> None:
        # Number the layers that a layer depends on, operand by operand, and then the layer itself.
        for index in depth_first([] if root in self._numbers else [root], self._new_makers):
            self._numbers[index] = len(self.layers)
            self.layers.append(index)

    def _new_makers(self, index: int) -> Iterator[int]:
        # Yield the layers without a number that a layer reads from, and number its sources in between.
        for tensor in self.graph.operands[index]:
            source = self.graph.sources.get(tensor)
            if source is None and tensor and (maker := self.graph.makers[tensor][0]) not in self._numbers:
                yield maker
            elif source is not None and tensor not in self._numbers:
                numbered = self.constants if source.kind == "c" else self.inputs
                self._numbers[tensor] = len(numbered)
                numbered.append(tensor)

    def _tried(self, root: int) -> bytes:
        # Return a full description of what adding a layer would number, and undo the numbering.
        lists: tuple[list[int] | list[str], ...] = (self.layers, self.inputs, self.constants)
        lengths = [len(numbered) for numbered in lists]
        self._add(root)
        fresh = self.layers[lengths[0] :]
        sources = [self.graph.sources[t].form for t in (*self.inputs[lengths[1] :], *self.constants[lengths[2] :])]
        account: Json = [[[self.graph.own[i], self.references(i)] for i in fresh], self._numbers[root], sources]
        for numbered, length in zip(lists, lengths, strict=True):
            for key in numbered[length:]:
                del self._numbers[key]
            del numbered[length:]
        return canonical_json(account)


def readable_name(operators: Sequence[str]) -> str:
    """Join distinct operators by ``_``; a name of more than 40 characters is cut and ends with ``_etc``.

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
