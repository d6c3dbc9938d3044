"""Profiles of two networks on an H200 (M, ML and MLK): what their analyses hold, and what is answered of them."""

import io
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from dlbricks.analysis.breakdown import breakdown
from dlbricks.analysis.catalogue import ANALYSES
from dlbricks.analysis.table import Table
from dlbricks.profile.open import read_any
from dlbricks.report.console import show
from dlbricks.report.tables import breakdown_report
from dlbricks.report.whatif import verdict
from dlbricks.trace.types import Level, Profile
from dlbricks.whatif.answer import Answer, advise, ask
from dlbricks.whatif.graph import DependencyGraph
from dlbricks.whatif.sources import graph_of_profile
from dlbricks.whatif.transform import read_step
from dlbricks.whatif.transforms import all_transforms

FOLDER = Path(__file__).parents[1] / "data" / "h200"
NETWORKS = {"resnet50": 1_695_328, "distilbert": 1_492_282}
"""Median times of calls that nothing recorded, ns."""
FIGURES = ("flops", "read_bytes", "written_bytes")


@cache
def profile_of(network: str) -> Profile:
    """Read a profile."""
    return read_any(FOLDER / f"{network}.profile.json.gz")


@cache
def graph_of(network: str) -> DependencyGraph:
    """Return the graph of the run that recorded kernels."""
    return graph_of_profile(profile_of(network), network)


def answer_of(network: str, *changes: str) -> Answer:
    """Answer a question of a network."""
    return ask(graph_of(network), [read_step(change, all_transforms()) for change in changes]).answer


@cache
def tables(network: str) -> dict[str, Table]:
    """Compute all analyses."""
    return {one.id: one.compute(profile_of(network)) for one in ANALYSES}


@pytest.mark.parametrize("network", NETWORKS)
def test_all_analyses_of_xsp_are_there(network: str) -> None:
    """A1 to A15; A8 to A12, A14 and A15 with operations and bytes of what they list."""
    found = tables(network)
    assert not [f"A{number}" for number in range(1, 16) if found[f"A{number}"].unavailable]
    for name in ("A8", "A10", "A11", "A12", "A14", "A15"):
        for figure in FIGURES:
            cells = found[name].column(figure).cells
            assert any(cell for cell in cells if cell is not None), (name, figure)
    for name in ("A9", "A14"):
        assert all(cell is not None for cell in found[name].column("intensity").cells)
    kinds, occupancy = (found["A8"].column(name).cells for name in ("kind", "occupancy_percent"))
    assert all((share is None) == (kind != "kernel") for kind, share in zip(kinds, occupancy, strict=True))


@pytest.mark.parametrize("network", NETWORKS)
def test_kernels_share_all_operations_of_their_layers(network: str) -> None:
    """A product's go to what multiplies: layout conversions, sums of parts and copies of biases have none."""
    trace = profile_of(network).runs[-1].trace
    kernels, layers = trace.rows(Level.KERNEL, "kernel"), trace.rows(Level.LAYER)
    work = trace.column("flops", kernels)
    assert not np.isnan(work).any()
    # four launches of ResNet-50's first convolution were recorded before their calls
    assert work.sum() == pytest.approx(np.nansum(trace.column("flops", layers)), rel=0.006)
    names = [trace.names[name] for name in trace.name[kernels].tolist()]
    moving = [word in name for name in names for word in [("nchwToNhwc", "BroadcastBias")[network == "distilbert"]]]
    assert any(moving)
    assert not work[np.array(moving)].any()


@pytest.mark.parametrize("network", NETWORKS)
def test_names_of_kernels_are_those_of_code(network: str) -> None:
    """The file has mangled ones; a table has none."""
    kernels = [str(cell) for cell in tables(network)["A10"].column("kernel").cells]
    assert not [name for name in kernels if name.startswith("_Z")]
    assert any("onnxruntime::cuda::" in name for name in kernels)


@pytest.mark.parametrize("network", NETWORKS)
def test_kernels_are_told_apart_on_a_screen(network: str) -> None:
    """In 36 characters, without what many names begin with."""
    screen = io.StringIO()
    show(*breakdown_report(network, breakdown(profile_of(network))), file=screen, width=80)
    lines = screen.getvalue().splitlines()
    names = [line.split("  ")[0].strip() for line in lines if "s1688gemm_64x" in line]
    assert len(set(names)) == len(names) > 2
    assert all(name.startswith("cutlass_80_s1688gemm") for name in names)


@pytest.mark.parametrize("network", NETWORKS)
def test_what_a_device_does_between_calls_is_none_of_theirs(network: str) -> None:
    """Calls of other levels lie between: of 6 s from first to last work, some 60 ms are calls."""
    table, trace = tables(network)["overlap"], profile_of(network).runs[-1].trace
    compute, copies, idle = (int(table.column(f"{name}_ns").cells[0] or 0) for name in ("compute", "copies", "idle"))
    calls = int(trace.duration_ns[trace.rows(Level.MODEL)].sum())
    assert 0.9 * calls < compute + copies + idle < calls


def test_counters_say_that_operations_are_absent() -> None:
    """Sampling has no metrics of them; A15 has them from shapes."""
    (note,) = tables("resnet50")["counters"].notes
    assert "operations cannot be sampled" in note


@pytest.mark.parametrize("network", NETWORKS)
def test_views_have_no_headroom_on_a_device(network: str) -> None:
    """They launch nothing: the time in which the host enqueues nothing is none of the device's."""
    table = tables(network)["headroom"]
    rows = zip(table.column("type").cells, table.column("latency_ns").cells, strict=True)
    assert sum(int(time or 0) for kind, time in rows if kind == "Reshape") == 0


@pytest.mark.parametrize(("network", "alone_ns"), NETWORKS.items())
def test_answers_are_for_calls_that_nothing_records(network: str, alone_ns: int) -> None:
    """Recorded calls take 87 and 128 % longer; times of kernels are those that were recorded."""
    screen, answer = breakdown(profile_of(network)), answer_of(network)
    assert screen.time_ns == answer.before.time_ns == pytest.approx(alone_ns, rel=0.001)
    kernels = tables(network)["A15"].column("kernel_ns").cells[0]
    half = answer_of(network, "scale:0.5,kind=kernel")
    assert half.kernels is not None
    assert half.kernels.before_ns == pytest.approx(float(kernels or 0), rel=0.002)
    assert not [note for note in (*screen.notes, *answer.notes) if "takes longer" in note]


@pytest.mark.parametrize("network", NETWORKS)
@pytest.mark.parametrize("change", ["fp16", "bf16", "scale:0.5,kind=kernel"])
def test_an_answer_of_nothing_has_a_reason(network: str, change: str) -> None:
    """Kernels take a third of a call and get shorter, which gains nothing while the host takes all of it."""
    answer = answer_of(network, change)
    assert answer.kernels is not None
    assert answer.kernels.gain > 0.2
    assert answer.gain < 0.005
    assert "whether the call gains depends on the host" in verdict(answer)[0]
    graphs = answer_of(network, change, "cuda-graphs")
    assert graphs.gain > answer_of(network, "cuda-graphs").gain + 0.05


@pytest.mark.parametrize("network", NETWORKS)
def test_graphs_of_kernels_leave_the_kernels_and_a_little_of_the_host(network: str) -> None:
    """No step ends before it begins, and none is shorter than what its kernels take."""
    answer = answer_of(network, "cuda-graphs")
    kernels = int(tables(network)["A15"].column("kernel_ns").cells[0] or 0)
    assert kernels < answer.after.time_ns < 1.5 * kernels
    assert min(answer.after.steps_ns) > 0
    assert answer.host is not None
    assert 0 < answer.host.after_ns < 0.1 * answer.host.before_ns


def test_a_larger_batch_takes_as_long_as_its_work() -> None:
    """Constants are read once: eight inputs take kernels less than eight times as long, more than three times."""
    for network in NETWORKS:
        kernels = answer_of(network, "batch:8").kernels
        assert kernels is not None
        assert 3 < kernels.after_ns / kernels.before_ns < 8


def test_attention_is_found_around_the_product_of_the_values() -> None:
    """onnxruntime launches that between softmax and second product: it stays, the others become one kernel."""
    graph = graph_of("distilbert")
    changed = ask(graph, [read_step("attention", all_transforms())])
    before, after = (
        [one.named(row) for row in range(len(one)) if "BiasSoftmax" in one.named(row)] for one in changed.graphs
    )
    assert len(before) == len(after) == 6 * 20
    assert all(name.count("cutlass::Kernel2") == 2 and "BroadcastBias" not in name for name in after)
    assert changed.answer.gain > 0.02


def test_layout_removes_conversions_of_resnet() -> None:
    """Convolutions of cuDNN work on channels-last tensors, so that a quarter of kernel time converts."""
    kernels = answer_of("resnet50", "layout").kernels
    assert kernels is not None
    assert kernels.gain == pytest.approx(0.19, abs=0.03)


@pytest.mark.parametrize("network", NETWORKS)
def test_advice_says_why_changes_of_kernels_gain_nothing(network: str) -> None:
    """CUDA graphs come first; number formats gain nothing, for a reason."""
    report, _ = advise(graph_of(network), all_transforms())
    assert report.advice[0].apply == ("cuda-graphs",)
    assert "bf16" in report.without_gain
    assert any("bf16" in note and note.endswith("the step waits for the host") for note in report.notes)
