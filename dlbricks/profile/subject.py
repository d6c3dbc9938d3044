"""The subject of a leveled experiment: a network with a batch size, in the form that the runtime executes.

On the processor, onnxruntime optimises the network beforehand and the result is run without further optimisation
(``model.lowering``), so every executed layer and its shapes are known. On other providers the runtime optimises when
the session is opened.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dlbricks.errors import DlbricksError
from dlbricks.harness.dtypes import BY_NAME, Numbers
from dlbricks.harness.network import Bound
from dlbricks.harness.options import ONNXRUNTIME
from dlbricks.harness.runtimes.onnxruntime import private_constants, provider_name, provider_names
from dlbricks.harness.session import Session, SessionSettings, open_session
from dlbricks.harness.trace.layer_profile import LayerProfile
from dlbricks.limits import OPENING_SECONDS
from dlbricks.model.bounds import allow_run, allow_weights
from dlbricks.model.emit import end_to_end_contract, end_to_end_inputs, end_to_end_network, network_bytes, write_weights
from dlbricks.model.lowering.onnxruntime_cpu import graph_of_session, lower
from dlbricks.model.read.network import batch_of, read_batched
from dlbricks.model.types import Model, TensorSpec
from dlbricks.operators.costs import layer_flops

# Untimed calls of all levels together.
_FIRST_CALLS = 10
_TENSOR = re.compile(r"(?P<dtype>\w+)\[(?P<shape>[\d,]*)\]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """One network with one batch size, ready to run at any level."""

    source: Model
    """As given."""
    executed: Model | None
    """As the runtime executes it; None if unknown beforehand."""
    batch: int
    """Inputs per call."""
    settings: SessionSettings
    network: bytes
    weights: Path
    """Folder of its weight files."""
    contract: Mapping[str, Any]
    """Inputs and outputs for ``Bound``."""
    inputs: Mapping[str, Numbers]
    constants: Sequence[tuple[str, Any]]
    """Shared by all sessions without copies."""


def subject_of(
    path: Path, settings: SessionSettings, weights: Path, *, dims: Mapping[str, int], batch: int | None
) -> Subject:
    """Read a network, lower it if possible, and generate weights and inputs.

    Args:
        path: the network.
        settings: of its sessions; this function decides on graph optimisations.
        weights: folder for weight files.
        dims: values of symbolic dimensions.
        batch: inputs per call; None for that of the file and ``dims``.

    Raises:
        InputError: the file is not a valid network, or a weight file cannot be written.
        UnsupportedModelError: the network cannot be run, or not with this batch size.
    """
    source = read_batched(path, dims=dims, batch=batch)
    on_processor = provider_name(settings.provider) == provider_name("cpu") and settings.optimization == "all"
    lowered = on_processor and settings.runtime == ONNXRUNTIME
    executed = lower(source, threads=settings.threads) if lowered else None
    model = executed or source
    network, blobs = end_to_end_network(model)
    allow_weights(source.name, sum(blob.nbytes for blob in blobs), weights, layers=len(model.layers))
    write_weights(weights, blobs)
    arithmetic = sum(layer_flops(model, layer) for layer in model.layers)
    allow_run(_FIRST_CALLS * arithmetic, OPENING_SECONDS * settings.threads)
    data = network_bytes(network)
    return Subject(
        source=source,
        executed=executed,
        batch=batch_of(source),
        settings=settings.with_optimization("none") if executed else settings,
        network=data,
        weights=weights,
        contract=end_to_end_contract(model),
        inputs=dict(end_to_end_inputs(model)),
        constants=private_constants(data, weights) if executed else (),
    )


def opened(subject: Subject, *, profile: Path | None = None) -> tuple[Session, Bound]:
    """Open a session of a subject and bind its inputs and outputs.

    Args:
        subject: the network.
        profile: see ``open_session``.

    Raises:
        HarnessError: the provider is missing, or the runtime fell back to another one.
        Exception: errors of onnxruntime while loading the network.
    """
    session = open_session(
        subject.network, subject.weights, subject.settings, profile=profile, constants=subject.constants
    )
    return session, Bound(session, subject.contract, subject.inputs)


def executed_in(subject: Subject, profile: LayerProfile) -> tuple[Model | None, str]:
    """Return the executed graph, derived from a profile if it was not known beforehand.

    Args:
        subject: the network.
        profile: of one of its sessions; has the output shapes of nodes.

    Returns:
        The graph; or None, and the reason.
    """
    if subject.executed is not None:
        return subject.executed, ""
    outputs = {node.name: specs for call in profile.calls for node in call.layers if (specs := _specs(node.outputs))}
    try:
        providers = provider_names(subject.settings)
        return graph_of_session(subject.source, outputs, providers=providers, threads=subject.settings.threads), ""
    except DlbricksError as error:
        return None, f"operations and bytes of layers are unknown: {error}"


def _specs(tensors: Sequence[str]) -> tuple[TensorSpec, ...]:
    """Parse types and shapes of a profile; empty if one is unknown."""
    matches = [_TENSOR.fullmatch(text) for text in tensors]
    specs = [
        TensorSpec(name="", dtype=match["dtype"], shape=tuple(map(int, filter(None, match["shape"].split(",")))))
        for match in matches
        if match is not None and match["dtype"] in BY_NAME
    ]
    return tuple(specs) if len(specs) == len(matches) else ()
