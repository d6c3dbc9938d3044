"""Writes lowered networks to files that can be read on any machine (``model.read.lowered``)."""

from pathlib import Path

import msgspec

from dlbricks.files import write_bytes
from dlbricks.harness.machine.gpu import code_of
from dlbricks.harness.session import SessionSettings, check_settings, device_number, runtime_facts
from dlbricks.model.emit import end_to_end_network, network_bytes
from dlbricks.model.lowering.targets import target_of
from dlbricks.model.read.lowered import METADATA_KEY, METADATA_VERSION, LoweringMetadata
from dlbricks.model.tensors import value_info
from dlbricks.model.types import LoweringTarget, Model


def made_here(target: str) -> LoweringTarget:
    """Return runtime version and instruction set of this machine, for graphs lowered on it.

    Raises:
        HarnessError: the runtime or the provider of the target is missing or does not work.
    """
    split_target = target_of(target)
    settings = SessionSettings(provider=split_target.provider, runtime=split_target.runtime)
    check_settings(settings)
    return LoweringTarget(
        runtime=runtime_facts(settings)["version"], instruction_set=tuple(code_of(device_number(settings)))
    )


def save_lowered(model: Model, path: Path, made_for: LoweringTarget) -> None:
    """Write a lowered network without weights.

    Args:
        model: the lowered network.
        path: of the file.
        made_for: where this is what the runtime executes.

    Raises:
        InputError: the file cannot be written.
        UnsupportedModelError: an input or output is no tensor or of unknown shape.
    """
    network, _ = end_to_end_network(model)
    outer = {*model.inputs, *model.outputs}
    stated = [spec for name, spec in sorted(model.tensors.items()) if name not in outer and spec.dtype]
    network.graph.value_info.extend(value_info(spec) for spec in stated)
    metadata = LoweringMetadata(
        version=METADATA_VERSION,
        target=model.target,
        runtime=made_for.runtime,
        instruction_set=made_for.instruction_set,
        source_layers=model.source_layers,
        folded=model.folded,
        skipped={layer.name: layer.skip for layer in model.layers if layer.skip},
        observed=dict(sorted((model.observed or {}).items())),
    )
    network.metadata_props.add(key=METADATA_KEY, value=msgspec.json.encode(metadata).decode())
    write_bytes(path, network_bytes(network))
