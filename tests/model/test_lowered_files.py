"""Files of lowered networks: read on any machine as they were lowered, with the machine they were made for."""

from pathlib import Path

import onnx
import onnxruntime
import pytest

from dlbricks.errors import InputError, UnsupportedModelError
from dlbricks.harness.errors import HarnessError
from dlbricks.harness.machine import device_words
from dlbricks.model.lowering.onnxruntime_cpu import TARGET, lower
from dlbricks.model.lowering.targets import for_target, save_lowered, this_machine
from dlbricks.model.read.network import METADATA_KEY, read_model
from dlbricks.model.types import LoweringTarget, Model
from dlbricks.sequences.canonical import canonicalise
from dlbricks.sequences.split import split
from dlbricks.sequences.types import Granularity

NETWORKS = Path(__file__).parents[2] / "suites" / "networks"
H200 = LoweringTarget(runtime="1.31.1", instruction_set=("sm_90",))


def fingerprints(model: Model) -> list[str]:
    """Split a model and name its sequences."""
    made = split(model, Granularity.parse("4"), "block")
    return [canonicalise(model, sequence).fingerprint for sequence in made.sequences]


@pytest.mark.parametrize("name", ["tv_squeezenet1_1", "hf_distilbert", "int8_hf_distilbert"])
def test_a_saved_network_is_split_as_the_lowered_one(name: str, tmp_path: Path) -> None:
    """The same sequences in the same order, shapes and values that decide shapes included; weights are left out."""
    lowered = lower(read_model(NETWORKS / f"{name}.onnx"))
    path = tmp_path / f"{name}.onnx"
    save_lowered(lowered, path, H200)
    read = read_model(path)
    assert fingerprints(read) == fingerprints(lowered)
    assert (read.target, read.made_for, read.tensors) == (TARGET, H200, dict(lowered.tensors))
    assert (read.inputs, read.outputs, read.observed) == (lowered.inputs, lowered.outputs, lowered.observed)
    assert (read.source_layers, read.folded) == (lowered.source_layers, lowered.folded)
    assert path.stat().st_size < 200_000


def saved(tmp_path: Path) -> Path:
    """Save a small lowered network."""
    path = tmp_path / "net.onnx"
    save_lowered(lower(read_model(NETWORKS / "tv_squeezenet1_1.onnx")), path, H200)
    return path


def test_it_is_of_its_own_target_and_no_other(tmp_path: Path) -> None:
    """It is not lowered twice, and no portable network."""
    model = read_model(saved(tmp_path))
    assert for_target(model, TARGET) is model
    for target in ("portable", "onnxruntime-cuda"):
        with pytest.raises(
            UnsupportedModelError, match=f"net is lowered already, for {TARGET}: give --target {TARGET}"
        ):
            for_target(model, target)


def test_layers_that_ran_on_a_device_need_no_kernel_of_the_processor(tmp_path: Path) -> None:
    """What a file says of the layers that cannot be measured counts, not what this machine could run."""
    path = saved(tmp_path)
    network = onnx.load(path, load_external_data=False)
    nowhere = next(node for node in network.graph.node if node.op_type == "Conv")
    nowhere.op_type, nowhere.domain = "NhwcConv", "com.microsoft"
    network.opset_import.add(domain="com.microsoft", version=1)
    path.write_bytes(network.SerializeToString())
    assert not any(layer.skip for layer in read_model(path).layers)
    metadata = next(one for one in network.metadata_props if one.key == METADATA_KEY)
    metadata.value = metadata.value.replace('"skipped":{}', f'"skipped":{{"{nowhere.name}":"it gives random results"}}')
    path.write_bytes(network.SerializeToString())
    assert [layer.skip for layer in read_model(path).layers if layer.skip] == ["it gives random results"]


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ('"version":1', '"version":9', "was lowered by a newer dlbricks"),
        ('"target":', '"aim":', "target"),
        ('"skipped":{}', '"skipped":[]', "skipped"),
        ('"observed":{}', '"observed":{"x":"~"}', "base64"),
        ("{", "", "is not valid JSON"),
    ],
)
def test_a_damaged_file_is_refused_in_one_line(before: str, after: str, said: str, tmp_path: Path) -> None:
    """With what is wrong."""
    path = saved(tmp_path)
    network = onnx.load(path, load_external_data=False)
    (metadata,) = (one for one in network.metadata_props if one.key == METADATA_KEY)
    metadata.value = metadata.value.replace(before, after, 1)
    path.write_bytes(network.SerializeToString())
    with pytest.raises(InputError, match=said):
        read_model(path)


def test_without_the_device_the_message_says_where_to_lower() -> None:
    """One line, where the runtime has no such provider."""
    if "CUDAExecutionProvider" in onnxruntime.get_available_providers():
        pytest.skip("this onnxruntime has a CUDA provider")
    model = read_model(NETWORKS / "tv_squeezenet1_1.onnx")
    with pytest.raises(HarnessError, match="run `dlbricks lower` on a machine where it works, and use its file here"):
        for_target(model, "onnxruntime-cuda")


def test_a_gpu_is_named_by_its_compute_capability() -> None:
    """Each once; whatever else facts hold is no capability."""
    assert device_words([{"compute_capability": "9.0"}, {"compute_capability": 9.0}]) == ("sm_90",)
    assert device_words([{"compute_capability": None}, {"compute_capability": "[N/A]"}, 7]) == ()
    assert device_words(None) == ()
    assert this_machine(TARGET).instruction_set
