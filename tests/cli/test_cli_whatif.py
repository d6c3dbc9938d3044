"""``whatif``: answers, timelines, lists, users' transforms, networks that nobody ran, and all that is refused."""

import json
import shutil
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import helper

from dlbricks.units import format_ns
from dlbricks.whatif.evidence import errors_by_kind
from tests.cli.invoking import Run
from tests.whatif.kineto_files import rank_file

ROOT = Path(__file__).parents[2]
RECORDED = str(ROOT / "tests" / "data" / "kineto_cpu_training.json.gz")
EXAMPLE = str(ROOT / "docs" / "examples" / "quicker_relu.py")
MODEL = str(ROOT / "suites" / "networks" / "tv_squeezenet1_1.onnx")


def test_a_trace_is_asked(dlbricks: Run) -> None:
    """Before, after, gain, why; nothing asked is a replay."""
    shown = dlbricks("whatif", RECORDED, "--apply", "scale:0.5,kind=cpu,name=conv").stdout
    assert "kineto_cpu_training, median of 2 steps" in shown
    assert "scale:factor=0.5,kind=cpu,name=conv" in shown
    assert "x faster, saves " in shown
    assert "no interval: scale was not validated (see 'whatif --list')" in shown
    same = dlbricks("whatif", RECORDED, "--apply", "threads:1", code=2).stderr  # it does not state its threads
    assert "threads and from are both 1" in same
    replayed = json.loads(dlbricks("whatif", RECORDED, "--json").stdout)
    assert replayed["before"] == replayed["after"]
    assert replayed["gain"] == 0


def test_transforms_apply_in_order(dlbricks: Run) -> None:
    """Each on what the one before made: halved and doubled is as before."""
    made = json.loads(
        dlbricks("whatif", RECORDED, "--apply", "scale:2", "--apply", "scale:0.5", "--json").stdout
    )  # fmt: skip
    assert made["after"]["time_ns"] == made["before"]["time_ns"]
    assert made["applied"] == ["scale:factor=2", "scale:factor=0.5"]


def test_both_timelines_are_written(dlbricks: Run, tmp_path: Path) -> None:
    """In one file, as processes of their own."""
    dlbricks("whatif", RECORDED, "--apply", "scale:0.5", "-o", str(tmp_path / "t.json"))
    events = json.loads((tmp_path / "t.json").read_text())["traceEvents"]
    names = {event["args"]["name"].partition(":")[0] for event in events if event["name"] == "process_name"}
    assert names == {"before", "after"}


def test_a_page_of_timelines_has_the_answer(dlbricks: Run, tmp_path: Path) -> None:
    """With its intervals, as text says it."""
    trace, out, page = tmp_path / "rank0.json", tmp_path / "timelines.json", tmp_path / "page.html"
    rank_file(trace, 0, 100)
    said = dlbricks("whatif", str(trace), "--apply", "batch:2,from=1", "-o", str(out)).stdout
    (line,) = [line for line in said.splitlines() if line.startswith("kernels ")]
    assert "x to " in line
    dlbricks("report", str(out), "-o", str(page))
    assert line in page.read_text()


def test_advice(dlbricks: Run) -> None:
    """Ranked, with what each rests on, as text and data."""
    shown = dlbricks("whatif", RECORDED, "--advise").stdout
    assert "training on a processor with PyTorch" in shown
    assert "fuse" in shown
    made = json.loads(dlbricks("whatif", RECORDED, "--advise", "--json").stdout)
    assert made["advice"][0]["apply"] == ["fuse"]
    assert "does not state its number of threads" in made["refused"]["threads:2"]
    assert not made["advice"][0]["checked"]
    rests_on = made["advice"][0]["rests_on"]
    assert rests_on.startswith("fuse was not validated for training on a processor with PyTorch, but for inference on ")
    assert made["advice"][0]["gain_low"] is None
    assert "amp" in made["refused"]
    assert "--advise and --apply exclude" in dlbricks("whatif", RECORDED, "--advise", "--apply", "amp", code=2).stderr


def test_all_transforms_are_listed(dlbricks: Run) -> None:
    """With evidence, errors and parameters, each in a line of its own, and as data."""
    listed = {one["name"]: one for one in json.loads(dlbricks("whatif", "--list", "--json").stdout)["transforms"]}
    assert listed["scale"]["evidence"] == "modelled"
    assert {name for name, facts in listed.items() if facts["group"] == "paper"} == {
        "reconstruct-bn", "metaflow", "bandwidth", "blueconnect", "p3", "deep-gradient-compression", "vdnn", "gist",
    }  # fmt: skip
    assert listed["scale"]["errors"] == []
    assert listed["data-loader"]["evidence"] == "back-tested"
    assert [one["error"] for one in listed["data-loader"]["errors"]] == [
        one.error for one in errors_by_kind("data-loader")
    ]
    shown = dlbricks("whatif", "--list").stdout
    assert all(f"\n{name}: {facts['title']}\n" in shown for name, facts in listed.items())
    assert "    factor=FACTOR " in shown
    assert shown.index("\npaper:\n") < shown.index("\nvdnn: ")


def test_the_example_of_the_manual_works(dlbricks: Run) -> None:
    """A transform of a user's own, from a file of a few lines."""
    shown = dlbricks("whatif", RECORDED, "--transform", EXAMPLE, "--apply", "quicker-relu").stdout
    assert "quicker-relu:factor=0.5" in shown
    assert "faster, saves 1." in shown


def test_the_page_of_own_transforms_works(dlbricks: Run, tmp_path: Path) -> None:
    """Its code of 15 lines runs as it stands, refuses with its own words, and is tried by advice."""
    code = (ROOT / "docs" / "architecture.md").read_text().partition("```python\n")[2].partition("```")[0]
    assert len([line for line in code.splitlines() if line]) <= 15
    (tmp_path / "copies.py").write_text(code)
    own = ("--transform", str(tmp_path / "copies.py"))
    said = dlbricks("whatif", RECORDED, *own, "--apply", "quick-copies", code=2).stderr
    assert "quick-copies cannot be applied to kineto_cpu_training: it copies nothing" in said
    copies = {"ph": "X", "cat": "gpu_memcpy", "name": "Memcpy HtoD (Pageable -> Device)", "pid": 0, "tid": 7, "dur": 90}
    calls = {"ph": "X", "cat": "cuda_runtime", "name": "cudaMemcpyAsync", "pid": 1, "tid": 1, "dur": 10}
    events = [
        {**copies, "ts": 10, "args": {"stream": 7, "correlation": 1}},
        {**calls, "ts": 0, "args": {"correlation": 1}},
    ]
    (tmp_path / "t.json").write_text(json.dumps({"schemaVersion": 1, "traceEvents": events}))
    made = json.loads(
        dlbricks("whatif", str(tmp_path / "t.json"), *own, "--apply", "quick-copies:5us", "--json").stdout
    )
    assert made["before"]["time_ns"] - made["after"]["time_ns"] == 85_000
    advised = json.loads(dlbricks("whatif", str(tmp_path / "t.json"), *own, "--advise", "--json").stdout)["advice"]
    assert [(one["apply"], one["checked"]) for one in advised] == [(["quick-copies"], False)]


def test_ranks_are_replayed_together(dlbricks: Run, tmp_path: Path) -> None:
    """The late one decides when the collective of the other ends."""
    paths = [str(rank_file(tmp_path / f"rank{rank}.json", rank, arrives)) for rank, arrives in ((0, 100), (1, 700))]
    made = json.loads(dlbricks("whatif", *paths, "--apply", "scale:0.5,name=sgemm", "--json").stdout)
    assert made["before"]["steps_ns"] == [900_000, 900_000]
    assert made["after"]["steps_ns"] == [562_500, 562_500]


def test_a_network_that_nobody_ran_is_asked(dlbricks: Run, tmp_path: Path) -> None:
    """Composed of stored sequences: without a change as estimated, with one accordingly."""
    url, target = ("--store", f"sqlite:///{tmp_path}/store.sqlite"), ("--target", "onnxruntime-cpu")
    suite, result = str(tmp_path / "suite"), str(tmp_path / "result.json")
    dlbricks("generate", MODEL, *target, "-o", suite)
    dlbricks("run", suite, "-o", result, "--smoke", "--name", "mine", "--trace", "ML")
    dlbricks("submit", result, "--suite", suite, *url)
    asked = (MODEL, *target, *url, "--system", "mine", "--json")
    (document,) = json.loads(dlbricks("estimate", *asked, "--rule", "simulate").stdout)["networks"]
    made = json.loads(dlbricks("whatif", *asked, "--apply", "scale:0.5").stdout)
    assert made["before"]["time_ns"] == document["total_ns"]
    shown = dlbricks("whatif", *asked[:-1], "--apply", "scale:0.5").stdout
    assert f"one call of {format_ns(document['total_ns'])}" in shown
    assert made["gain"] == pytest.approx(0.5, abs=1e-3)
    said = dlbricks("whatif", MODEL, *target, *url, code=2).stderr
    assert "or give --system to 'whatif'" in said
    advised = json.loads(dlbricks("whatif", *asked, "--advise").stdout)
    assert advised["kind"] == "inference on a processor"
    assert advised["time_ns"] == made["before"]["time_ns"]
    tried = {*advised["without_gain"], *(one["apply"][0] for one in advised["advice"])}
    assert {"mem-reuse:off", "threads:2", "int8"} <= tried | set(advised["refused"])
    assert "no better than no change" in advised["refused"]["fuse"] or "fuse" not in tried
    folder = tmp_path / "folder"
    folder.mkdir()
    shutil.copy(MODEL, folder / "model.onnx")
    in_folder = dlbricks("whatif", str(folder), *asked[1:], "--apply", "scale:0.5").stdout
    assert json.loads(in_folder)["after"] == made["after"]
    shutil.copy(MODEL, folder / "other.onnx")
    for several in ((MODEL, MODEL), (str(folder),)):
        said = dlbricks("whatif", *several, *url, "--system", "mine", code=2).stderr
        assert "name a single file" in said
    second = str(tmp_path / "second.json")
    dlbricks("run", suite, "-o", second, "--smoke", "--name", "mine", "--threads", "2")
    dlbricks("submit", second, "--suite", suite, *url)
    totals = [
        json.loads(dlbricks("estimate", *asked, "--threads", number).stdout)["networks"][0]["total_ns"]
        for number in ("1", "2")
    ]
    ranked = json.loads(dlbricks("whatif", *asked, "--threads", "1", "--advise").stdout)
    measured = [one for one in ranked["advice"] if not one["apply"]]
    slower = [title for title in ranked["without_gain"] if "threads 2 (now " in title]
    assert len(measured) + len(slower) == 1
    assert [one["gain"] for one in measured] == [pytest.approx(1 - totals[1] / totals[0])] * (totals[1] < totals[0])
    assert all("threads 2 (now " in one["titles"][0] and one["option"] for one in measured)
    doubled = (*asked, "--threads", "1", "--apply", "threads:2")
    answer = json.loads(dlbricks("whatif", *doubled).stdout)
    assert answer["measured"]["time_ns"] == totals[1]
    shown = dlbricks("whatif", *[word for word in doubled if word != "--json"]).stdout
    assert f"threads 1): {format_ns(totals[1])}; the prediction is off by " in shown
    said = dlbricks("whatif", *asked, "--threads", "2", "--apply", "threads:2", code=2).stderr
    assert "the number of threads is already 2" in said


def test_a_first_extent_that_no_output_has_is_no_batch(dlbricks: Run, tmp_path: Path) -> None:
    """The channels of a single picture: the batch size is unknown then, and assumed to be 1."""
    url, suite, result = ("--store", f"{tmp_path}/store.sqlite"), str(tmp_path / "suite"), str(tmp_path / "result.json")
    paths = []
    for name, shape, axis in (("picture", [3, 64], 0), ("batch", [3, 64], 1)):
        path = str(tmp_path / f"{name}.onnx")
        factor = onnx.numpy_helper.from_array(np.ones((64, 32), np.float32), "factor")
        nodes = [helper.make_node("MatMul", ["x", "factor"], ["m"]), helper.make_node("Softmax", ["m"], ["s"])]
        nodes.append(helper.make_node("ReduceMax", ["s"], ["y"], axes=[axis], keepdims=0))
        ends = [helper.make_tensor_value_info("x", 1, shape)], [helper.make_tensor_value_info("y", 1, None)]
        graph = helper.make_graph(nodes, name, *ends, [factor])
        onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8), path)
        paths.append(path)
    dlbricks("generate", *paths, "-o", suite)
    dlbricks("run", suite, "-o", result, "--smoke", "--name", "mine")
    dlbricks("submit", result, "--suite", suite, *url)
    asked = (*url, "--system", "mine", "--apply", "batch:6", "--json")
    answers = [json.loads(dlbricks("whatif", path, *asked).stdout) for path in paths]
    assert [answer["inputs"] for answer in answers] == [6, 2]
    assert [bool(answer["assumed"]) for answer in answers] == [True, False]


def test_a_shipped_system_is_asked_with_what_it_measured(dlbricks: Run) -> None:
    """Its other results stand beside the prediction and lead the advice; its cores bound the threads."""
    system = (MODEL, "--system", "amd-epyc-zen4", "--threads", "1", "--runtime", "onnxruntime")
    found = dlbricks("whatif", *system, "--advise", "--json")
    assert "results with onnxruntime 1.32.0, cpu, threads 1; also measured: onnxruntime 1.31.1, cpu, threads 1" in (
        found.stderr
    )
    measured = [each["titles"][0] for each in json.loads(found.stdout)["advice"] if not each["apply"]]
    for other in ("onnxruntime 1.31.1, cpu, threads 2 (now", "openvino 2026.4.1, cpu, threads 2 (now"):
        assert any(title.startswith(other) for title in measured)
    said = dlbricks("whatif", *system, "--apply", "threads:64", code=2).stderr
    assert "the system has 2 cores" in said


OWN = """
import numpy as np
from dlbricks.trace.types import Lane
from dlbricks.whatif.edit import NewEdge, inserted, with_durations, removed
from dlbricks.whatif.graph import with_columns
from dlbricks.whatif.graph import EdgeKind, TaskKind
from dlbricks.whatif.simulate import Policy
from dlbricks.whatif.select import select
from dlbricks.whatif.transform import Transform

def circle(graph, values):
    return inserted(graph, (), [NewEdge(kind=EdgeKind.DATA, first=1, second=0)])[0]

def orphan(graph, values):
    return removed(graph, select(graph, kinds=(TaskKind.CPU,))[:1])

def negative(graph, values):
    return with_durations(graph, np.arange(1), np.array([-5]))

def unchecked(graph, values):
    return with_columns(graph, gap_ns=np.full(len(graph), -3))

def nowhere(graph, values):
    return with_columns(graph, lane=np.full(len(graph), 99))

def made(name, apply, **more):
    return Transform(name=name, title="t", source="s", apply=apply, **more)

TRANSFORMS = (
    made("circle", circle), made("orphan", orphan), made("negative", negative), made("unchecked", unchecked),
    made("nowhere", nowhere),
    made("free", lambda graph, values: graph, policy=lambda graph, values: Policy(free_lanes=(77,))),
    made("fails", lambda graph, values: graph.nothing),
)
"""


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("circle", "rank0: the dependencies have a cycle: "),
        ("orphan", "cudaLaunchKernel cannot be removed, since it launches sgemm, which stays"),
        ("negative", "the new duration of cudaLaunchKernel is -5 ns"),
        ("unchecked", "has a negative gap of -3 ns"),
        ("nowhere", "the column lane refers to a lane that does not exist"),
        ("free", "has no lane 77 to reschedule: lanes are 0 to 2"),
    ],
)
def test_edits_that_no_run_can_have_are_refused(dlbricks: Run, tmp_path: Path, name: str, reason: str) -> None:
    """Nothing is clipped, nothing is guessed."""
    own, trace = tmp_path / "own.py", rank_file(tmp_path / "rank0.json", 0, 100)
    own.write_text(OWN)
    said = dlbricks("whatif", str(trace), "--transform", str(own), "--apply", name, code=2).stderr
    assert reason in said
    assert f"{name} of {own} fails: " in said
    assert "Traceback" not in said


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ((), "a file is missing: name a trace, a profile or a network"),
        (("missing.json",), "cannot read missing.json"),
        ((RECORDED, "--apply", "magic"), "unknown transform 'magic': choose from "),
        ((RECORDED, "--apply", "scale"), "scale needs factor"),
        ((RECORDED, "--apply", "scale:0.5,colour=red"), "scale has no parameter 'colour': it takes factor"),
        ((RECORDED, "--apply", "scale:fast"), "error: scale: invalid factor 'fast': expected a positive number"),
        (
            (RECORDED, "--apply", "scale:0.5,layer=none.*"),
            "scale cannot be applied to kineto_cpu_training: it has no tasks",
        ),
        ((RECORDED, "--apply", "amp"), "amp cannot be applied to kineto_cpu_training: "),
        ((RECORDED, "--transform", "missing.py"), "cannot read transforms from missing.py: file not found"),
        ((RECORDED, "--system", "mine"), "--system is for networks (.onnx)"),
        ((RECORDED, "--batch", "3"), "has no run with batch size 3: its batch sizes are unknown"),
        ((RECORDED, RECORDED), "belong to one process"),
        ((RECORDED, "-o", "timelines.txt"), "timelines.txt has an unknown suffix"),
    ],
    ids=lambda value: " ".join(Path(one).name for one in value) if isinstance(value, tuple) else "",
)
def test_questions_that_make_no_sense_are_refused(dlbricks: Run, arguments: tuple[str, ...], reason: str) -> None:
    """In one line: what, where, what to do."""
    said = dlbricks("whatif", *arguments, code=2).stderr
    errors = [line for line in said.splitlines() if line.startswith("error: ")]
    assert len(errors) == 1
    assert reason in errors[0]


@pytest.mark.parametrize(
    ("asked", "reason"),
    [
        ("bandwidth:25Gbps", "its collectives were recorded on one rank"),
        ("p3:10GB/s", "it has collectives already"),
    ],
)
def test_one_rank_alone_says_little_of_collectives(dlbricks: Run, tmp_path: Path, asked: str, reason: str) -> None:
    """Most of their time may be waiting for the others."""
    said = dlbricks("whatif", str(rank_file(tmp_path / "rank0.json", 0, 100)), "--apply", asked, code=2).stderr
    assert f"cannot be applied to rank0: {reason}" in said


@pytest.mark.parametrize("asked", ["amp", "fp16"])
def test_what_is_half_precision_already_cannot_become_it(dlbricks: Run, tmp_path: Path, asked: str) -> None:
    """The kernels' names say so."""
    path = rank_file(tmp_path / "half.json", 0, 100)
    path.write_text(path.read_text().replace("sgemm", "volta_h884gemm_256x128_nt"))
    said = dlbricks("whatif", str(path), "--apply", asked, code=2).stderr
    assert f"{asked} cannot be applied to half: 100 % of its matrix time is in half precision already" in said


def test_a_user_file_that_fails_is_named(dlbricks: Run, tmp_path: Path) -> None:
    """With the kind of its error, when it is read."""
    own = tmp_path / "own.py"
    own.write_text("import no_such_module")
    said = dlbricks("whatif", RECORDED, "--transform", str(own), "--apply", "x", code=2).stderr
    assert f"{own} fails: ModuleNotFoundError: No module named 'no_such_module'" in said
