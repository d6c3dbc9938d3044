"""Traces of an H200, before and after changes: times of steps, and what transforms say, against what was measured."""

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dlbricks.errors import InputError
from dlbricks.whatif.answer import ask
from dlbricks.whatif.backtest.packed import TIMES, pack, unpack
from dlbricks.whatif.backtest.traces import kernels_ns
from dlbricks.whatif.graph import DependencyGraph, Phase, TaskKind
from dlbricks.whatif.select import select
from dlbricks.whatif.sources.load import graph_of_files
from dlbricks.whatif.transform import apply_all, read_step
from dlbricks.whatif.transforms import known

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
    made = ask(before, [read_step("cuda-graphs", known())]).answer
    recorded = ask(after, []).answer.before.time_ns
    assert recorded < made.before.time_ns
    assert made.after.time_ns == pytest.approx(recorded, rel=0.07)


@pytest.mark.parametrize("network", ["r50", "mbv3"])
def test_pinned_memory_is_predicted_within_two_points(folder: Path, network: str) -> None:
    """Gains of 5 and 26 %, with nothing known but the trace before."""
    before, after = (
        graph_of_files([folder / f"{network}_train_b64_{kind}.json.gz"]) for kind in ("pageable", "pinned")
    )
    made = ask(before, [read_step("pinned-memory", known())]).answer
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
    made = apply_all(before, [read_step("amp:dtype=bfloat16", known())]).graph
    assert kernels_ns(made) == pytest.approx(kernels_ns(after), rel=0.1)


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
    made = apply_all(graphs[0], [read_step(asked, known())]).graph
    assert kernels_ns(made) == pytest.approx(kernels_ns(graphs[1]), rel=most)


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
    made = apply_all(graphs[0], [read_step("layout", known())]).graph

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


def test_other_files_are_refused(tmp_path: Path) -> None:
    """In a line."""
    (tmp_path / "no.parquet").write_bytes(b"no")
    with pytest.raises(InputError, match=r"no\.parquet cannot be read as packed traces"):
        unpack(tmp_path / "no.parquet", tmp_path)
    other = ARCHIVE.parent / "lists.parquet"
    with pytest.raises(InputError, match="holds no packed traces: it lacks"):
        unpack(other, tmp_path)


DAMAGE: dict[str, tuple[str, Any, str]] = {
    "sound": ("name", pa.array(["k"]), ""),
    "a number beyond its type": (
        "duration_ns",
        pa.array([1 << 40]),
        "column 'duration_ns' lacks values, or has others",
    ),
    "no number": ("start_ns", pa.nulls(1, pa.int32()), "column 'start_ns' lacks values, or has others"),
    "lists of numbers": ("launch", pa.array([[1]], pa.list_(pa.int32())), "column 'launch' lacks values"),
    "no name": ("name", pa.nulls(1, pa.string()), "column 'name' lacks values"),
    "a folder above": ("trace", pa.array(["../up"]), "has a trace '../up', which cannot be the name of a file"),
    "a long name": ("trace", pa.array(["x" * 5000]), "cannot be the name of a file"),
    "no thread": ("thread", pa.array(["main"]), "trace one has an event that cannot be read"),
    "arguments cut off": ("arguments", pa.array(['{"stream":']), "trace one has an event that cannot be read"),
    "arguments without names": ("arguments", pa.array(["[1]"]), "trace one has an event that cannot be read"),
    "deep arguments": ("arguments", pa.array(["[" * 100_000]), "trace one has an event that cannot be read"),
    "no pairs": ("", {"pairs.json": [], "times.json": []}, "it lacks pairs"),
    "a list for pairs": ("", [1], "is no JSON object"),
    "devices without lists": ("", {"pairs.json": [], "times.json": [], "devices": {"one": 1}}, "devices"),
}


@pytest.mark.parametrize("name", DAMAGE)
def test_damaged_traces_are_refused_in_a_line(name: str, tmp_path: Path) -> None:
    """Values of other types, or none; names that are no files; texts that are no events; metadata that is none."""
    column, value, said = DAMAGE[name]
    event = {"trace": "one", "category": "kernel", "name": "k", "thread": "0 7", "arguments": "{}"}
    numbers = dict.fromkeys(("start_ns", "duration_ns", "launch", "sequence"), 1)
    arrays = {key: pa.array([one]) for key, one in event.items()}
    arrays |= {key: pa.array([one], pa.int32()) for key, one in numbers.items()}
    head = {"pairs.json": [], "times.json": [], "devices": {"one": ["H200"]}}
    made = pa.table(arrays | {column: value} if column else arrays)
    made = made.replace_schema_metadata({"dlbricks": json.dumps(head if column else value)})
    pq.write_table(made, tmp_path / "packed.parquet")
    if not said:
        unpack(tmp_path / "packed.parquet", tmp_path)
        assert (tmp_path / "one.json.gz").exists()
        return
    with pytest.raises(InputError) as caught:
        unpack(tmp_path / "packed.parquet", tmp_path)
    assert said in str(caught.value)
    assert str(caught.value).isprintable()
