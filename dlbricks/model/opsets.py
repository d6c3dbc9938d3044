"""Which operator set versions an emitted network declares, and which the installed runtime accepts.

A layer means the same in every version whose schema has the same signature, so an emitted network may declare any
version in the intersection of its layers' intervals. The choice depends on the layers alone: fingerprints ignore opset
numbering, and a network file is a function of its fingerprint.
"""

import functools
from collections.abc import Iterable, Iterator, Sequence

import onnx
from onnx import helper

from dlbricks.errors import UnsupportedModelError
from dlbricks.model.bodies import body_nodes
from dlbricks.model.nouns import Layer, Model
from dlbricks.model.schemas import oldest_version, signature_interval

PREFERRED_VERSIONS = {"": 21, "ai.onnx.ml": 5}
"""Declared where the layers leave the choice: the newest that every supported runtime (onnxruntime 1.20 on) knows."""

_BASE_IR_VERSION = 10
"""Goes with opset 21; every supported runtime reads it."""

_STANDARD_DOMAINS = frozenset({"", "ai.onnx.ml", "ai.onnx.preview", "ai.onnx.training", "ai.onnx.preview.training"})


def choose_opset(model: Model, layers: Sequence[int]) -> tuple[tuple[str, int], ...]:
    """Choose one version per operator domain in which all the layers mean what they mean in the model.

    Args:
        model: Where the layers come from.
        layers: Indices into ``model.layers``.

    Returns:
        Domain and version, sorted by domain; the default domain is always among them. Domains that have no versions
        of their own (``com.microsoft`` and the like) get 1.

    Raises:
        UnsupportedModelError: no version suits all layers (possible only for layers of different models).
    """
    bounds: dict[str, tuple[int, int | None]] = {"": (1, None)}
    for index in layers:
        for domain, low, high in _intervals(model, model.layers[index]):
            known_low, known_high = bounds.get(domain, (1, None))
            highs = [bound for bound in (known_high, high) if bound is not None]
            bounds[domain] = (max(known_low, low), min(highs) if highs else None)
    return tuple((domain, _pick(domain, *bounds[domain])) for domain in sorted(bounds))


def ir_version_for(opsets: Iterable[tuple[str, int]]) -> int:
    """Give the IR version that the operator sets ask for, never below 10."""
    known = [helper.make_opsetid(domain, version) for domain, version in opsets if domain in _STANDARD_DOMAINS]
    return max(_BASE_IR_VERSION, helper.find_min_ir_version_for(known))


@functools.cache
def runtime_ceilings() -> tuple[int, int]:
    """Find the highest opset of the default domain and the highest IR version that the installed onnxruntime accepts.

    Tried with a network of one node, from the newest that the onnx package knows downwards; a refusal takes less than
    a millisecond.

    Raises:
        UnsupportedModelError: it accepts none (the runtime is broken or far too old).
    """
    opset = _highest_accepted((version, _BASE_IR_VERSION - 2) for version in _downwards(onnx.defs.onnx_opset_version()))
    ir_version = _highest_accepted((8, version) for version in _downwards(onnx.IR_VERSION))
    return opset[0], ir_version[1]


def _intervals(model: Model, layer: Layer) -> Iterator[tuple[str, int, int | None]]:
    """Domain, oldest and newest fitting version (None: no end) of the layer and of every node in its bodies."""
    opsets = dict(model.opsets)
    oldest, newest = _interval(layer.domain, layer.op_type, layer.since_version)
    inputs, outputs = (
        tuple(model.spec(name).dtype if name else "" for name in names) for names in (layer.inputs, layer.outputs)
    )
    allowed = oldest_version(layer.domain, layer.op_type, layer.since_version, inputs, outputs)
    yield layer.domain, max(oldest, allowed), newest
    for node in body_nodes(onnx.NodeProto.FromString(layer.node)):
        domain = "" if node.domain == "ai.onnx" else node.domain
        version = layer.opset if domain == layer.domain else opsets.get(domain, 1)
        yield (domain, *_interval(domain, node.op_type, version))


def _interval(domain: str, op_type: str, version: int) -> tuple[int, int | None]:
    if domain not in _STANDARD_DOMAINS:
        return 1, 1
    return signature_interval(domain, op_type, version)


def _pick(domain: str, low: int, high: int | None) -> int:
    if high is not None and low > high:
        name = domain or "ai.onnx"
        message = f"no version of operator set {name} suits all layers: one needs {low} or newer, one {high} or older"
        raise UnsupportedModelError(message)
    preferred = PREFERRED_VERSIONS.get(domain, low)
    return max(low, preferred if high is None else min(high, preferred))


def lone_version(domain: str, op_type: str, version: int, inputs: tuple[str, ...], outputs: tuple[str, ...]) -> int:
    """Give the version that a network of one layer declares for the layer's domain; see ``schemas.oldest_version``."""
    _, newest = _interval(domain, op_type, version)
    return _pick(domain, oldest_version(domain, op_type, version, inputs, outputs), newest)


def _downwards(newest: int) -> range:
    return range(newest, 7, -1)


def _highest_accepted(versions: Iterable[tuple[int, int]]) -> tuple[int, int]:
    import onnxruntime as ort
    from onnxruntime.capi.onnxruntime_pybind11_state import Fail, InvalidArgument, InvalidGraph

    value = [helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, [1]) for name in ("x", "y")]
    graph = helper.make_graph([helper.make_node("Abs", ["x"], ["y"])], "probe", value[:1], value[1:])
    options = ort.SessionOptions()
    options.log_severity_level = 4
    for opset, ir_version in versions:
        probe = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=ir_version)
        try:
            ort.InferenceSession(probe.SerializeToString(), options, providers=["CPUExecutionProvider"])
        except (Fail, InvalidArgument, InvalidGraph):
            continue
        return opset, ir_version
    message = "the installed onnxruntime accepts no operator set at all: install version 1.20 or newer"
    raise UnsupportedModelError(message)
