"""The strongest law: run the sequences of a split one after another and get what the whole network gives.

Real networks with synthetic, fan-in-scaled weights, through onnxruntime, both targets; H = 1 and 3, or 1 and 8.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
import onnxruntime as ort
import pytest

from dlbricks.harness.dtypes import decode
from dlbricks.model.emit import build_network, end_to_end_inputs, network_bytes, write_weights
from dlbricks.model.lowering.onnxruntime_cpu import lower
from dlbricks.model.read.network import read_model
from dlbricks.model.types import Model, Placement
from dlbricks.operators.values import place_constants
from dlbricks.sequences.split import end_to_end, split
from dlbricks.sequences.types import Granularity

NETWORKS = Path(__file__).parents[1] / "suites" / "networks"
CHOSEN = (
    "hf_albert",
    "hf_segformer_b0",
    "hf_whisper_tiny_enc",
    "int8_tv_resnet18",
    "leg_tv_resnet50",
    "misc_lstm_lm",
    "misc_unet",
    "timm_levit_128",
    "timm_mobilevit_s",
    "timm_tf_mixnet_s",
    "tv_densenet121",
    "tv_mobilenet_v3_small",
    "tv_shufflenet_v2_x1_0",
    "tv_squeezenet1_1",
    "tv_swin_t",
)
DIMS = {"batch": 1, "seq": 16}
SEED = 7


def run(
    model: Model,
    layers: Sequence[int],
    names: tuple[Sequence[str], Sequence[str]],
    places: Mapping[str, Placement | bytes],
    given: Mapping[str, ort.OrtValue],
    weights: Path,
) -> list[ort.OrtValue]:
    """Emit some layers as a network of their own and run it without optimisation."""
    inputs, outputs = names
    used = dict.fromkeys(name for i in layers for name in model.layers[i].reads if name in model.constants)
    constants = {name: places[name] for name in used}
    network = build_network(model, layers, inputs, outputs, rename={}, constants=constants)
    options = ort.SessionOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = 3
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.add_session_config_entry("session.model_external_initializers_file_folder_path", str(weights))
    session = ort.InferenceSession(network_bytes(network), options, providers=["CPUExecutionProvider"])
    made: list[ort.OrtValue] = session.run_with_ort_values(list(outputs), {name: given[name] for name in inputs})
    return made


def models(name: str) -> Iterator[Model]:
    """Both targets of a network."""
    dims = DIMS if name.startswith("leg_") else {}
    portable = read_model(NETWORKS / f"{name}.onnx", dims=dims)
    yield portable
    yield lower(portable)


@pytest.mark.parametrize("name", CHOSEN)
def test_sequences_in_order_give_the_whole_networks_outputs(name: str, tmp_path: Path) -> None:
    """Splitting changes nothing: not one output value, whatever the target and H."""
    for model in models(name):
        every = end_to_end(model)
        places, blobs = place_constants(model, every.layers, every.constants, real_values=True)
        write_weights(tmp_path, blobs, SEED)
        given = {name: ort.OrtValue.ortvalue_from_numpy(made) for name, made in end_to_end_inputs(model, SEED)}
        truth = run(model, every.layers, (model.inputs, model.outputs), places, given, tmp_path)
        for granularity in (Granularity(1), Granularity(3 if model.target == "portable" else 8)):
            live = dict(given)
            for sequence in split(model, granularity).sequences:
                names = (sequence.inputs, sequence.outputs)
                live |= zip(sequence.outputs, run(model, sequence.layers, names, places, live, tmp_path), strict=True)
            for output, expected in zip(model.outputs, truth, strict=True):
                seen, wanted = live[output].numpy(), expected.numpy()
                assert np.isfinite(wanted).all(), (model.target, output)
                assert np.ptp(wanted.astype(np.float64)) > 0, (model.target, output)
                np.testing.assert_allclose(
                    decode(seen, model.spec(output).dtype, seen.size),
                    decode(wanted, model.spec(output).dtype, wanted.size),
                    rtol=1e-4,
                    atol=1e-5 * float(np.abs(wanted).max()),
                    err_msg=f"{model.target} H={granularity}",
                )
