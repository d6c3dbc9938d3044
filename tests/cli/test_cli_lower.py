"""``lower``: a network as a device far away executes it, estimated here."""

import dataclasses
import json
from pathlib import Path

import msgspec
import onnx
import onnxruntime
import pytest

from dlbricks.construct.compose import compose
from dlbricks.model.read.network import METADATA_KEY, read_model
from dlbricks.model.types import SequenceFeatures
from dlbricks.sequences.split import split
from dlbricks.sequences.types import Granularity
from dlbricks.store.database import ResultStore
from dlbricks.store.types import SequenceLabel, SystemResults
from dlbricks.typed_json import digest_bytes
from tests.cli.invoking import Run
from tests.store.stored import QUEUE, configuration, queue_times, submission

MODEL = str(Path(__file__).parents[2] / "suites/networks/tv_squeezenet1_1.onnx")
TARGET = "onnxruntime-cuda"


def as_if_lowered_on(path: Path, capability: str) -> None:
    """Let a file of a lowered network say that it was made by onnxruntime 1.31.1 for a GPU."""
    network = onnx.load(path, load_external_data=False)
    (metadata,) = (one for one in network.metadata_props if one.key == METADATA_KEY)
    said = json.loads(metadata.value) | {"target": TARGET, "runtime": "1.31.1", "instruction_set": [capability]}
    metadata.value = json.dumps(said)
    path.write_bytes(network.SerializeToString())


def results_of(path: Path) -> SystemResults:
    """Invent what a machine with a GPU has measured of the sequences of a network."""
    steps = compose(split(read_model(path), Granularity.parse("1"), "block")).steps
    names = sorted({step.fingerprint for step in steps if not step.free})
    (one,) = submission(range(1)).results.measurements.values()
    nothing = SequenceFeatures(operators=("Conv",), flops=0, weight_bytes=0, input_bytes=0, output_bytes=0)
    return SystemResults(
        configuration=dataclasses.replace(configuration("h200", provider="cuda"), instruction_set=("avx2", "sm_90")),
        call_overhead_ns=20_000,
        measurements={name: msgspec.structs.replace(one, fingerprint=name, queue=queue_times(1)) for name in names},
        queue=QUEUE,
        features=dict.fromkeys(names, nothing),
    )


def test_a_network_is_estimated_for_a_gpu_that_is_elsewhere(dlbricks: Run, tmp_path: Path) -> None:
    """By its file, from results of that kind of GPU and version of the runtime and no other."""
    (file,) = json.loads(dlbricks("lower", MODEL, "-o", str(tmp_path), "--json").stdout)["files"]
    as_if_lowered_on(Path(file), "sm_90")
    results = results_of(Path(file))
    given = submission(range(0), of=results.configuration)
    labels = [SequenceLabel(fingerprint=name, name="Conv", operators=("Conv",), layers=1) for name in results.features]
    store = str(tmp_path / "store.sqlite")
    with ResultStore.open(store, create=True) as opened:
        digest = digest_bytes(b"invented")
        opened.add(dataclasses.replace(given, digest=digest, results=results, labels=tuple(labels)))
    asked = ("estimate", file, "--target", TARGET, "-H", "1", "--store", store, "--system", "h200")
    (document,) = json.loads(dlbricks(*asked, "--json").stdout)["networks"]
    assert (document["missing"], document["coverage"], document["bounds_only"]) == ([], 1.0, False)
    assert document["queue"]["host_ns"] > 0
    as_if_lowered_on(Path(file), "sm_80")
    assert "an instruction set without sm_80 and with sm_90" in dlbricks(*asked, code=2).stderr


def test_a_graph_of_a_device_is_made_where_the_device_is(dlbricks: Run, tmp_path: Path) -> None:
    """Elsewhere nothing is written, and one line says so."""
    if "CUDAExecutionProvider" in onnxruntime.get_available_providers():
        pytest.skip("this onnxruntime has a CUDA provider")
    said = dlbricks("lower", MODEL, "--target", TARGET, "-o", str(tmp_path / "out"), code=3).stderr
    assert "execution provider 'cuda' is not in this build" in said
    assert not (tmp_path / "out").exists()
