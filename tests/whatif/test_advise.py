"""Advice: what applies is tried, ranked by the least gain, and what nobody checked says so."""

from dataclasses import replace
from pathlib import Path

import pytest

from dlbricks.report.whatif import verdict
from dlbricks.whatif.answer import CANDIDATES, advise, ask
from dlbricks.whatif.edit import GraphBuilder
from dlbricks.whatif.evidence import PROCESSOR, STEP, device_of, errors_of, kind_of, refuted
from dlbricks.whatif.graph import TaskKind
from dlbricks.whatif.sources import graph_of_files
from dlbricks.whatif.transform import read_step
from tests.whatif.made_up import HOST, KNOWN, asked, layers, ran, training

GRAPHS = {
    "bound by loading": training(load_ns=20_000_000),
    "bound by its device": training(),
    "bound by launches": training(launch_ns=300_000),
    "layers of a processor": layers(("Conv", 3000, 1e6, 1e5, 1e5), ("Relu", 1000, 1e3, 1e5, 1e5)),
}


@pytest.mark.parametrize("name", GRAPHS)
def test_advice_is_what_asking_says(name: str) -> None:
    """Each piece gains what its transforms give, no less at most and no more at least, in the order of the least."""
    graph = GRAPHS[name]
    found, best = advise(graph, KNOWN)
    assert found.advice
    assert best is not None
    lows = [(max(one.gain_low, 0), one.gain) for one in found.advice if one.gain_low is not None and not one.option]
    assert lows == sorted(lows, reverse=True)
    assert [one.checked for one in found.advice] == sorted((one.checked for one in found.advice), reverse=True)
    for one in found.advice:
        assert one.checked == (one.gain_low is not None)
        assert one.gain_low is None or one.gain_high is None or one.gain_low <= one.gain <= one.gain_high
        assert one.gain >= 0.005
        assert one.checked == ("not validated" not in one.rests_on)
        assert ran(asked(graph, *one.apply)).makespan_ns > 0
    assert best.answer.after.time_ns == found.advice[0].time_ns
    tried = {text for one in found.advice for text in one.apply} | set(found.without_gain) | set(found.refused)
    candidates = set(CANDIDATES)
    assert tried <= candidates
    assert candidates - tried <= {"amp", "fp16"}  # stand in for bfloat16


def test_what_a_graph_is_bound_by_is_what_is_advised() -> None:
    """Loading beside the training where loading takes the time; fewer launches where they do."""
    assert "data-loader:4" in advise(GRAPHS["bound by loading"], KNOWN)[0].advice[0].apply
    firsts = [one.apply for one in advise(GRAPHS["bound by launches"], KNOWN)[0].advice[:2]]
    assert any("cuda-graphs" in each for each in firsts)


def test_every_candidate_can_be_read() -> None:
    """By the transforms that there are."""
    assert all(read_step(text, KNOWN) for text in CANDIDATES)


def test_where_nothing_gains_nothing_is_advised() -> None:
    """A host alone, with one call of its own."""
    builder = GraphBuilder(name="call")
    builder.task(TaskKind.CPU, "cudaGetDevice", HOST, 1000)
    found, best = advise(builder.built(), KNOWN)
    assert (found.advice, best) == ((), None)


def test_back_tests_of_onnxruntime_say_nothing_of_another_runtime() -> None:
    """Its layers have other names and kernels: what was validated on a processor was not validated there."""
    graph = replace(
        layers(("Convolution", 3_000_000, 1e6, 1e5, 1e9), ("Add", 100_000, 1e5, 1e5, 1e3)), runtime="openvino"
    )
    assert device_of(graph) == "processor with openvino"
    assert device_of(replace(graph, runtime="onnxruntime")) == device_of(replace(graph, runtime="")) == PROCESSOR
    found, _ = advise(graph, KNOWN)
    assert ("threads:2",) in [one.apply for one in found.advice]
    assert not any(one.checked for one in found.advice)
    assert all(one.gain_low is None for one in found.advice)
    known = "it models kernels of onnxruntime only, but the layers ran with openvino"
    assert found.refused["int8"] == known
    assert errors_of([("threads", kind_of(graph))], STEP) is None


@pytest.mark.parametrize(("threads", "validated"), [(2, True), (3, False), (1000, False)])
def test_more_threads_than_were_back_tested_have_no_interval(threads: int, validated: bool) -> None:
    """Back-tests had two threads; what they erred by says nothing of a thousand."""
    graph = layers(("Conv", 3_000_000, 1e6, 1e5, 1e9), ("Add", 100_000, 1e5, 1e5, 1e3))
    kind = kind_of(graph, {"threads": float(threads), "from": 1.0})
    assert (errors_of([("threads", kind)], STEP) is not None) == validated


def test_threads_are_no_advice_where_nothing_tells_how_many_there_are() -> None:
    """A trace of PyTorch on a processor may be of all of them; who asks nevertheless is told what was assumed."""
    builder = GraphBuilder(name="recorded")
    builder.task(TaskKind.CPU, "aten::mm", HOST, 10_000_000, operator="aten::mm")
    graph = builder.built()
    found, _ = advise(graph, KNOWN)
    unstated = "the recording does not state its number of threads, so 1 is assumed: state it, as in threads:{},from=N"
    assert found.refused["threads:2"] == unstated.format(2)
    assert not any("threads:2" in one.apply for one in found.advice)
    assert ask(graph, [read_step("threads:4", KNOWN)]).answer.assumed == unstated.format(4)
    assert not ask(graph, [read_step("threads:4,from=2", KNOWN)]).answer.assumed
    assert "threads:2" not in advise(GRAPHS["layers of a processor"], KNOWN)[0].refused


def test_what_was_not_back_tested_here_comes_after_what_was() -> None:
    """CUDA graphs were captured of calls only; their gain in training has no least value."""
    found, _ = advise(GRAPHS["bound by launches"], KNOWN)
    by_name = {one.apply[0]: one for one in found.advice}
    assert found.kind == "training on NVIDIA GPUs"
    assert by_name["fused-optimizer"].checked
    assert by_name["cuda-graphs"].gain > by_name["fused-optimizer"].gain
    graphs = by_name["cuda-graphs"]
    assert (graphs.checked, graphs.gain_low, graphs.gain_high) == (False, None, None)
    assert graphs.rests_on == (
        "cuda-graphs was not validated for training on NVIDIA GPUs, but for inference on NVIDIA GPUs"
    )
    order = [one.apply[0] for one in found.advice]
    assert order.index("fused-optimizer") < order.index("cuda-graphs")
    assert order[-1] == "reconstruct-bn"


def test_a_recording_without_steps_has_no_least_gain() -> None:
    """Back-tests are of steps; the whole of a recording is none, which its notes and the kind of trace say."""
    graph = graph_of_files([Path(__file__).parent.parent / "data" / "faults" / "t22_flops.json"])
    found, _ = advise(graph, KNOWN)
    (graphs,) = found.advice
    assert (graphs.apply, graphs.checked, graphs.gain_low) == (("cuda-graphs",), False, None)
    assert graphs.rests_on.startswith("cuda-graphs was not validated for inference on NVIDIA GPUs without steps")
    assert any(note.startswith("no steps were found: the whole trace counts as one call") for note in found.notes)
    answer = ask(graph, [read_step("cuda-graphs", KNOWN)]).answer
    assert (answer.interval, answer.host and answer.host.interval) == (None, None)


def test_steps_that_are_predicted_no_better_than_by_no_change_are_no_advice() -> None:
    """Fusion of kernels in inference: the table says that its steps have no answer, and so do answer and advice."""
    graph = graph_of_files([Path(__file__).parent.parent / "data" / "h200" / "resnet50.profile.json.gz"])
    assert refuted("fuse", kind_of(graph))
    answer = ask(graph, [read_step("fuse", KNOWN)]).answer
    assert (answer.interval, answer.gain_low, answer.gain_high) == (None, None, None)
    said = verdict(answer)
    assert said[0].startswith("kernels 1.14x faster (0.75x to 1.54x, may be slower)")
    assert said[0].endswith("; whether the call gains depends on the host, which this trace cannot tell")
    assert said[1].startswith("no answer for the call: fuse is not better than no change for inference on")
    found, _ = advise(graph, KNOWN)
    assert "fuse" not in [text for one in found.advice for text in one.apply]
    assert found.refused["fuse"].startswith("it predicts the step no better than no change (step off by 23.4%")
    assert any(note.startswith("fuse: no answer for steps") for note in found.notes)
    layers = replace(GRAPHS["layers of a processor"], threads=1)
    many = verdict(ask(layers, [read_step("threads:4", KNOWN)]).answer)
    assert many[1].startswith("no interval: steps after threads were not validated for inference on a processor with 4")
    other = verdict(ask(graph, [read_step("amp", KNOWN)]).answer)
    assert other[1].startswith("no interval: calls after amp were not validated for inference on NVIDIA GPUs")


def test_a_larger_batch_says_that_its_loading_is_assumed_to_stay() -> None:
    """Loading grows with the batch, which the model leaves out."""
    assumed = "loading and the host are assumed to take as long as before: an upper bound of gains"
    for graph, text, there in (
        (GRAPHS["bound by loading"], "batch:64,from=32", True),
        (GRAPHS["bound by loading"], "batch:16,from=32", False),
        (GRAPHS["bound by its device"], "batch:64,from=32", False),
    ):
        answer = ask(graph, [read_step(text, KNOWN)]).answer
        assert (assumed in answer.notes) == there


def test_options_of_the_runtime_come_first() -> None:
    """Other configurations of the system are ranked with them."""
    graph = GRAPHS["layers of a processor"]
    first, _ = advise(graph, KNOWN)
    assert [one.option for one in first.advice] == sorted((one.option for one in first.advice), reverse=True)
    newer = replace(first.advice[0], apply=(), titles=("a newer release",), gain=0.99, gain_low=0.98)
    slower = replace(newer, titles=("an older release",), gain=-0.1)
    found, best = advise(graph, KNOWN, [newer, slower])
    assert found.advice[0] == newer
    assert found.without_gain[-1] == "an older release"
    assert best is not None
    assert "the number of threads is already 2" in advise(replace(graph, threads=2), KNOWN)[0].refused["threads:2"]
