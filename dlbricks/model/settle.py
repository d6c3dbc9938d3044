"""Shapes and constants settle each other: what is inferred lets more be folded, and what is folded more be inferred.

Stages, each asked only for what the ones before left open:

1. onnx's inference with data propagation, and folding, in turns;
2. onnxruntime's symbolic inference, where its own operators leave gaps;
3. the types that the file declares, for results of layers that cannot be run (operators of custom domains, say);
4. one real run, for which declared types are guesses; if it fails, they are taken as they stand.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from dlbricks.model.clean import without_dead
from dlbricks.model.draft import Draft
from dlbricks.model.fold import fold
from dlbricks.model.kernels import has_schema, kernel_reason
from dlbricks.model.nouns import Model, TensorSpec
from dlbricks.model.observe import observe
from dlbricks.model.shapes import infer
from dlbricks.model.symbolic import infer_symbolically
from dlbricks.model.tensors import static_spec

ModelOf = Callable[[Draft, Mapping[str, TensorSpec], str, Mapping[str, TensorSpec]], Model]
"""Makes a Model of a draft, what is known of its tensors, why no more is known, and guesses."""

_ROUNDS = 256


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """A network whose shapes are known as far as they can be."""

    draft: Draft
    types: Mapping[str, TensorSpec]
    """Every tensor whose shape is known."""
    observed: Mapping[str, bytes] | None = None
    """Values that decide shapes, from the real run; None if there was none."""
    failure: str = ""
    """Why the real run failed, if it was needed and did."""


def settle(draft: Draft, inputs: Mapping[str, TensorSpec], model_of: ModelOf) -> Settled:
    """Find all shapes and fold all constants.

    Args:
        draft: The network, in topological order.
        inputs: Specifications of the graph inputs, every dimension bound.
        model_of: Makes a Model of a draft, for the run.

    Raises:
        InputError: onnx refuses to infer shapes.
    """
    known: dict[str, TensorSpec] = {}
    draft, types, dtypes = _infer_and_fold(draft, inputs, known)
    for look in (_symbolic, _stated):
        missing = _missing(draft, types)
        found = look(draft, types, missing) if missing else {}
        if found:
            known |= found
            draft, types, dtypes = _infer_and_fold(draft, inputs, known)
    if not _missing(draft, types):
        return Settled(draft=draft, types=types)
    return _observed(draft, types, dtypes, model_of)


def _symbolic(draft: Draft, types: Mapping[str, TensorSpec], missing: frozenset[str]) -> dict[str, TensorSpec]:
    """Ask symbolic inference, if the network has operators that only it knows."""
    if not any(node.domain.startswith("com.microsoft") for node in draft.nodes):
        return {}
    return infer_symbolically(draft, types, missing)


def _stated(draft: Draft, types: Mapping[str, TensorSpec], missing: frozenset[str]) -> dict[str, TensorSpec]:
    """Take the types that the file declares for results of layers that cannot be run."""
    return _declared(draft, missing - _reachable(draft, types))


def _infer_and_fold(
    draft: Draft, inputs: Mapping[str, TensorSpec], seen: Mapping[str, TensorSpec]
) -> tuple[Draft, dict[str, TensorSpec], dict[str, str]]:
    """Infer shapes and fold constants until neither finds more."""
    types, dtypes = infer(draft, inputs, seen)
    for _ in range(_ROUNDS):
        folded = fold(draft, types)
        if folded is draft:
            break
        draft = folded
        if _missing(draft, types):
            types, dtypes = infer(draft, inputs, seen)
        else:
            types |= {name: constant.spec for name, constant in draft.constants.items()}
    return without_dead(draft), types, dtypes


def _missing(draft: Draft, types: Mapping[str, TensorSpec]) -> frozenset[str]:
    return frozenset(name for node in draft.nodes for name in node.writes if name not in types)


def _observed(
    draft: Draft,
    types: dict[str, TensorSpec],
    dtypes: Mapping[str, str],
    model_of: ModelOf,
) -> Settled:
    """Run the network to see the shapes that are still missing."""
    missing = _missing(draft, types)
    declared = _declared(draft, missing)
    unstated = missing & dtypes.keys() - declared.keys()
    guesses = {name: TensorSpec(name=name, dtype=dtypes[name], shape=()) for name in unstated}
    targets = missing & _reachable(draft, types)
    if not targets:
        return Settled(draft=draft, types=types)
    seen = observe(model_of(draft, types, "", {**declared, **guesses}), targets)
    if seen.failure:
        return Settled(draft=draft, types={**types, **declared}, failure=seen.failure)
    return Settled(draft=draft, types={**types, **seen.types}, observed=seen.values or None)


def _declared(draft: Draft, missing: frozenset[str]) -> dict[str, TensorSpec]:
    """Give the static types that the file states for missing tensors."""
    specs = {name: static_spec(draft.declared[name]) for name in missing & draft.declared.keys()}
    return {name: replace(spec, name=name) for name, spec in specs.items() if spec is not None}


def _reachable(draft: Draft, types: Mapping[str, TensorSpec]) -> frozenset[str]:
    """Give the tensors that the runtime can compute: all layers that lead to them have kernels."""
    unreachable: set[str] = set()
    reachable: set[str] = set()
    for node in draft.nodes:
        version = draft.opsets.get(node.domain, 1)
        runs = (
            unreachable.isdisjoint(node.reads)
            and has_schema(node.domain, node.op_type, version)
            and kernel_reason(node, types, version) is None
        )
        (reachable if runs else unreachable).update(node.writes)
    return frozenset(reachable)
