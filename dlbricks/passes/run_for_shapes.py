"""Runs layers in a separate process, to observe shapes that depend on values."""

import contextlib
import json
import signal
import subprocess
import sys
import tempfile
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from dlbricks import limits
from dlbricks.errors import DlbricksError, UnsupportedModelError
from dlbricks.harness.errors import HarnessError
from dlbricks.harness.values import ensure_weights, fill
from dlbricks.model.bounds import ProcessActivity, activity, allow_run
from dlbricks.model.emit import build_network, check_numbers, network_bytes
from dlbricks.model.lowering.runtime import plain_message
from dlbricks.model.order import needed_for
from dlbricks.model.types import Generator, Model, Placement, TensorSpec
from dlbricks.operators.costs import least_flops
from dlbricks.operators.ranges import shaping_tensors
from dlbricks.operators.table import row_of
from dlbricks.operators.values import input_generators, place_constants
from dlbricks.units import format_bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """Shapes and values from a run."""

    types: Mapping[str, TensorSpec]
    """Name, dtype and shape of tensors."""
    values: Mapping[str, bytes]
    """Little-endian values of computed tensors that decide shapes."""
    failure: str = ""
    """Why the run failed, in one line; then ``types`` and ``values`` are empty."""


def run_for_shapes(model: Model, missing: frozenset[str]) -> Observation:
    """Run the layers that compute the tensors ``missing``, in another process."""
    layers = needed_for(missing, [(layer.reads, layer.outputs) for layer in model.layers])
    read = {name for index in layers for name in model.layers[index].reads}
    inputs = tuple(name for name in model.inputs if name in read)
    shaping = shaping_tensors(
        ((layer.domain, layer.op_type, layer.inputs) for layer in (model.layers[index] for index in layers)),
        model.constants,
    ) - set(model.inputs)
    random = _random(model, layers, shaping)
    if random:
        return Observation(types={}, values={}, failure=f"random values of {random} decide them")
    with tempfile.TemporaryDirectory(prefix="dlbricks-") as scratch:
        folder = Path(scratch)
        try:
            plan = _prepare(model, layers, inputs, sorted(missing | shaping), folder)
        except (DlbricksError, HarnessError) as error:
            return Observation(types={}, values={}, failure=str(error))
        seconds = allow_run(least_flops(model, (model.layers[index] for index in layers)), limits.PROBE_SECONDS)
        weights = sum(model.spec(name).nbytes for name in read if name in model.constants)
        fed = sum(model.spec(name).nbytes for name in inputs)
        memory = limits.PROBE_BYTES + 4 * fed + limits.PROBE_PER_WEIGHT * weights
        plan |= {"values": sorted(shaping), "seconds": int(seconds) + 1, "memory": memory}
        (folder / "probe.json").write_text(json.dumps(plan), encoding="utf-8")
        failure = _run(folder, seconds)
        if failure:
            return Observation(types={}, values={}, failure=failure)
        seen = json.loads((folder / "result.json").read_text(encoding="utf-8"))
    values = {entry["name"]: bytes.fromhex(entry.pop("values")) for entry in seen if "values" in entry}
    types = {entry["name"]: msgspec.convert(entry, TensorSpec) for entry in seen if entry["name"] in missing}
    return Observation(types=types, values=values)


def _random(model: Model, layers: Sequence[int], shaping: Collection[str]) -> str:
    # Return the operator of some layers whose random values decide shapes; an empty text if there is none.
    rows = [row_of(layer) for layer in model.layers]
    read = [
        ([name for at, name in enumerate(layer.inputs) if name and at not in row.unread], layer.outputs)
        for layer, row in zip(model.layers, rows, strict=True)
    ]
    deciding = {name for index in layers if rows[index].depends_on_data for name in read[index][0]}
    needed = needed_for(deciding | {*shaping}, read)
    return next((model.layers[index].op_type for index in needed if rows[index].is_random), "")


def _prepare(
    model: Model, layers: Sequence[int], inputs: Sequence[str], outputs: Sequence[str], folder: Path
) -> dict[str, Any]:
    # Write the network, weights and inputs of a run; weights share memory, since only shapes matter.
    used = dict.fromkeys(name for index in layers for name in model.layers[index].reads if name in model.constants)
    texts = next((name for name in used if model.spec(name).dtype == "string"), None)
    if texts is not None:
        raise UnsupportedModelError(f"constant '{texts}' of {model.name} holds strings, which cannot be generated")
    places, blobs = place_constants(model, layers, used, real_values=True)
    largest: dict[str, int] = {}
    for name, place in places.items():
        if isinstance(place, Placement):
            # only shapes count, so all weights of a type lie in one place, and a network of gigabytes runs
            places[name] = Placement(file=place.file, offset=0)
            largest[place.file] = max(largest.get(place.file, 0), model.constants[name].spec.nbytes)
    ensure_weights(folder, [asdict(replace(blob, nbytes=largest[blob.file])) for blob in blobs], 0)
    network = build_network(model, layers, inputs, (), rename={}, constants=places)
    for name in outputs:
        network.graph.output.add(name=name)
    (folder / "network.onnx").write_bytes(network_bytes(network))
    drawn = input_generators(model, layers, inputs).items()
    feeds = [_feed(model, *each, folder / f"input{number}.npy") for number, each in enumerate(drawn)]
    return {"inputs": feeds, "outputs": list(outputs)}


def _feed(model: Model, name: str, generator: Generator, file: Path) -> dict[str, Any]:
    # Write the values of an input to a file; return name, file and specification as in ``probe.json``.
    spec = model.spec(name)
    check_numbers(model, name)
    if spec.nbytes > limits.PROBE_INPUT_BYTES:
        raise UnsupportedModelError(
            f"shapes that depend on input '{name}' of {model.name} need a run, but the input takes "
            f"{format_bytes(spec.nbytes)}, more than the limit of {format_bytes(limits.PROBE_INPUT_BYTES)}"
        )
    np.save(file, fill(spec.dtype, spec.shape, asdict(generator), 0, name))
    return {"name": name, "file": file.name, "spec": asdict(spec)}


def _run(folder: Path, seconds: float) -> str:
    # Run ``run_once`` on a folder in a separate process; return why the run failed, or an empty text.
    # not by `process_pool`: this usually runs in a process of the pool, which starts no further ones
    # -P: a module in the working folder must not be run
    command = [sys.executable, "-P", "-m", "dlbricks.passes.run_once", str(folder)]
    before = ProcessActivity()
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
        while True:
            with contextlib.suppress(subprocess.TimeoutExpired):
                _, output = process.communicate(timeout=seconds)
                return _failure(process.returncode, output, seconds)
            now = activity(process.pid)
            if now.idle_since(before):
                break
            before = now  # the process still computes: wait on
        process.kill()
    return f"the run that observes shapes made no progress for {seconds:.0f} s"


def _failure(code: int, output: str, seconds: float) -> str:
    if code == 0:
        return ""
    if -code == signal.SIGXCPU:
        return f"the run that observes shapes took more than {seconds:.0f} s of processor time"
    lines = output.strip().splitlines()
    return plain_message(lines[-1]) if lines else f"the run that observes shapes ended with code {code}"
