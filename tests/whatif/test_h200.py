"""Traces of an H200, before and after changes: times of steps, and what transforms say, against what was measured."""

import json
from pathlib import Path

import pytest
from backtest.packed import TIMES, pack, unpack

from dlbricks.whatif.answer import ask
from dlbricks.whatif.explain import kernel_time
from dlbricks.whatif.graph import DependencyGraph, Phase, TaskKind
from dlbricks.whatif.select import select
from dlbricks.whatif.sources import graph_of_files
from dlbricks.whatif.transform import apply_all, read_step
from dlbricks.whatif.transforms import all_transforms

ARCHIVE = Path(__file__).parents[2] / "suites" / "results" / "nvidia-h200-traces.parquet"
AHEAD = (
    "r50_train_b64_eager", "r50_train_b64_amp_bf16", "r50_train_b64_channels_last", "r50_train_b128_eager",
    "r50_train_b64_pinned", "gpt2_train_b8_l256_eager", "mbv3_train_b64_eager", "mbv3_train_b64_pinned",
    "r50_infer_b32_eager", "r50_infer_b1_graph", "r18_infer_b1_graph",
)  # fmt: skip
"""Runs whose host is ahead of the device, so that the profiler, which slows hosts, matters little."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Unpack the traces."""
    made = tmp_path_factory.mktemp("h200")
    unpack(ARCHIVE, made)
    return made


@pytest.mark.parametrize("name", AHEAD)
def test_a_step_takes_what_it_took_on_the_clock(folder: Path, name: str) -> None:
    """Within 1.5 %, although up to 1.7 steps of earlier work lie ahead of the first one."""
    times = {one["name"]: one["flow_ms"] for one in json.loads((folder / TIMES).read_text(encoding="utf-8"))}
    made = ask(graph_of_files([folder / f"{name}.json.gz"]), []).answer
    assert made.before.time_ns / 1e6 == pytest.approx(times[name], rel=0.015)


@pytest.mark.parametrize("network", ["mbv3", "r18", "r50", "bert"])
def test_graphs_are_predicted_within_seven_per_cent(folder: Path, network: str) -> None:
    """Off by -0.6 and +6 %; BERT by -6, as its captured call computes attention by more kernels."""
    before, after = (graph_of_files([folder / f"{network}_infer_b1_{kind}.json.gz"]) for kind in ("eager", "graph"))
    made = ask(before, [read_step("cuda-graphs", all_transforms())]).answer
    recorded = ask(after, []).answer.before.time_ns
    assert recorded < made.before.time_ns
    assert made.after.time_ns == pytest.approx(recorded, rel=0.07)


@pytest.mark.parametrize("network", ["r50", "mbv3"])
def test_pinned_memory_is_predicted_within_two_points(folder: Path, network: str) -> None:
    """Gains of 5 and 26 %, with nothing known but the trace before."""
    before, after = (
        graph_of_files([folder / f"{network}_train_b64_{kind}.json.gz"]) for kind in ("pageable", "pinned")
    )
    made = ask(before, [read_step("pinned-memory", all_transforms())]).answer
    gain = 1 - ask(after, []).answer.before.time_ns / made.before.time_ns
    assert made.gain == pytest.approx(gain, abs=0.02)


@pytest.mark.parametrize(
    ("network", "layout"),
    [("r50_train_b64", ""), ("gpt2_train_b8_l256", ""), ("bert_train_b16_l128", ""), ("mbv3_train_b64", ""),
     ("r50_train_b64", "_channels_last")],
)  # fmt: skip
def test_kernels_under_autocast_are_predicted_within_a_tenth(folder: Path, network: str, layout: str) -> None:
    """By -7 to +3 %; the model was chosen on the first two alone."""
    names = (f"{network}{layout or '_eager'}", f"{network}_amp_bf16{layout}")
    before, after = (graph_of_files([folder / f"{name}.json.gz"]) for name in names)
    made = apply_all(before, [read_step("amp:dtype=bfloat16", all_transforms())]).graph
    assert kernel_time(made) == pytest.approx(kernel_time(after), rel=0.1)


@pytest.mark.parametrize(
    ("before", "after", "asked", "most"),
    [
        ("r50_infer_b32_eager", "r50_infer_b32_fp16", "fp16", 0.06),
        ("bert_infer_b1_eager", "bert_infer_b1_fp16", "fp16", 0.18),
        ("r50_train_b64_eager", "r50_train_b64_channels_last", "layout", 0.02),
        ("r50_train_b64_amp_bf16", "r50_train_b64_amp_bf16_channels_last", "layout", 0.07),
    ],
)
def test_kernels_of_whole_networks_in_half_precision_and_channels_last(
    folder: Path, before: str, after: str, asked: str, most: float
) -> None:
    """Off by -6, +17, +1 and +7 %; the second and the last showed what was not known.

    Convolutions of the last are 15 % quicker channels-last, which is not predicted.
    """
    graphs = [graph_of_files([folder / f"{name}.json.gz"]) for name in (before, after)]
    made = apply_all(graphs[0], [read_step(asked, all_transforms())]).graph
    assert kernel_time(made) == pytest.approx(kernel_time(graphs[1]), rel=most)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("r50_train_b64_eager", "r50_train_b64_channels_last"),
        ("r50_train_b64_amp_bf16", "r50_train_b64_amp_bf16_channels_last"),
    ],
)
def test_normalisation_of_both_passes_is_predicted_channels_last(folder: Path, before: str, after: str) -> None:
    """Of cuDNN's and of PyTorch's own, within 7 % each, where it takes 0.3 to 0.8 of the time in the plain layout."""
    graphs = [graph_of_files([folder / f"{name}.json.gz"]) for name in (before, after)]
    made = apply_all(graphs[0], [read_step("layout", all_transforms())]).graph

    def normalising(graph: DependencyGraph, phase: Phase) -> int:
        rows = select(graph, kinds=(TaskKind.KERNEL,), phases=(phase,), name="batch_?norm_|bn_")
        return int(graph.duration_ns[rows].sum())

    for phase in (Phase.FORWARD, Phase.BACKWARD):
        assert normalising(made, phase) == pytest.approx(normalising(graphs[1], phase), rel=0.07)


def test_what_was_packed_packs_the_same(folder: Path, tmp_path: Path) -> None:
    """Nothing is lost by unpacking."""
    chosen = tmp_path / "few"
    chosen.mkdir()
    for name in ("pairs.json", "times.json", "r18_infer_b1_graph.json.gz", "bert_infer_b1_fp16.json.gz"):
        (chosen / name).write_bytes((folder / name).read_bytes())
    pack(chosen, tmp_path / "once.parquet")
    again = tmp_path / "again"
    again.mkdir()
    unpack(tmp_path / "once.parquet", again)
    for path in chosen.iterdir():
        assert _content(again / path.name) == _content(path)


def _content(path: Path) -> object:
    return graph_of_files([path]).attributes["measured_end_ns"].tolist() if path.suffix == ".gz" else path.read_bytes()
