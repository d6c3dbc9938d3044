"""Answers: the gain is what is saved, the interval holds the truths that fit, and timelines are the schedules."""

import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlbricks.errors import InputError
from dlbricks.report.whatif import answer_report, verdict
from dlbricks.trace.export import ExportPart, write_chrome
from dlbricks.trace.types import Lane, Level, Role
from dlbricks.whatif.answer import ask, bounded_loss, describe, timing
from dlbricks.whatif.edit import GraphBuilder, scaled
from dlbricks.whatif.evidence import STEP, errors_of, interval_of, kind_of
from dlbricks.whatif.explain import step_paths, trace_of
from dlbricks.whatif.graph import DependencyGraph, EdgeKind, Phase, TaskKind, with_attributes
from dlbricks.whatif.simulate import replay
from dlbricks.whatif.sources import graph_of_files
from dlbricks.whatif.transform import Parameter, Transform, read_step, resolved
from dlbricks.whatif.transforms import all_transforms
from tests.robustness.driver import Limits, called
from tests.whatif.kineto_files import graphs
from tests.whatif.made_up import ADD, KNOWN, PRODUCT, PRODUCT_BACK, Made, layers, training

RECORDED = Path(__file__).parents[1] / "data" / "kineto_cpu_training.json.gz"
HOST, STREAM = Lane(process="1", name="thread 1"), Lane(process="1", name="stream 7", device="gpu 0")


def launched(*names: str) -> DependencyGraph:
    """Kernels of 100, each with a launch of 10."""
    builder = GraphBuilder(name="launched")
    for name in names:
        call = builder.task(TaskKind.CPU, "cudaLaunchKernel", HOST, 10, phase=Phase.FORWARD)
        kernel = builder.task(TaskKind.KERNEL, name, STREAM, 100, layer=f"layer of {name}", phase=Phase.FORWARD)
        builder.edge(EdgeKind.LAUNCH, call, kernel, 5)
    return builder.built()


def test_a_gain_is_the_share_of_the_time_that_is_saved() -> None:
    """Of 205 ns, the kernels' half is 100."""
    asked = ask(launched("sgemm", "sgemm"), [read_step("scale:0.5,kind=kernel", all_transforms())])
    answer = asked.answer
    assert (answer.before.time_ns, answer.after.time_ns, answer.unit) == (205, 105, "whole")
    assert answer.gain == pytest.approx(100 / 205)
    assert answer.before.explanation.startswith("kernels 98 %")
    assert answer.applied == ("scale:factor=0.5,kind=kernel",)
    assert answer.interval is None


@pytest.mark.parametrize(
    ("gain", "ends", "line"),
    [
        (0.2, (0.1, 0.5), "1.25x faster (1.11x to 2.00x), saves 20 %"),
        (0.2, (-0.25, 0.5), "1.25x faster (0.80x to 2.00x, may be slower), saves 20 %"),
        (-0.2, (-0.5, -0.1), "1.20x slower (1.10x to 1.50x), costs 20 %"),
        (-0.2, (-0.5, 0.25), "1.20x slower (0.75x to 1.50x, may be faster), costs 20 %"),
        (0.0, (-0.25, 0.2), "1.00x (0.80x to 1.25x), saves nothing"),
        (-0.0001, (-0.25, 0.2), "1.00x (0.80x to 1.25x), saves nothing"),
    ],
)
def test_an_interval_is_that_of_its_factor(gain: float, ends: tuple[float, float], line: str) -> None:
    """Of a slower step it holds ratios of times, as the factor is one, and it begins with the low end."""
    answer = ask(launched("sgemm"), [read_step("scale:2,kind=kernel", all_transforms())]).answer
    answer = replace(answer, gain=gain, gain_low=ends[0], gain_high=ends[1], kernels=None)
    assert verdict(answer)[0] == line


def test_names_cost_time_with_their_length_not_its_square(tmp_path: Path) -> None:
    """A name of a megabyte is read as fast as one of a word."""
    events = [{"ph": "X", "cat": "cpu_op", "name": "x" * 10**6, "pid": 1, "tid": 1, "ts": 1, "dur": 5}]
    path = tmp_path / "given.json"
    path.write_text(json.dumps({"schemaVersion": 1, "traceEvents": events}))
    outcome = called(["whatif", path, "--apply", "scale:0.5"], Limits(seconds=10))
    assert outcome.kind == "ok", outcome


@pytest.mark.filterwarnings("error")
def test_steps_in_which_nothing_runs_have_a_time(tmp_path: Path) -> None:
    """Marks of steps behind all operators are no fault: their time is that of the marks, and nothing of it is saved."""
    spans = [
        ("aten::mm", "cpu_op", 1),
        ("ProfilerStep#1", "user_annotation", 10),
        ("ProfilerStep#2", "user_annotation", 20),
    ]
    events = [
        {"ph": "X", "cat": category, "name": name, "pid": 1, "tid": 1, "ts": at, "dur": 5}
        for name, category, at in spans
    ]
    path = tmp_path / "given.json"
    path.write_text(json.dumps({"schemaVersion": 1, "traceEvents": events}))
    answer = ask(graph_of_files([path]), [read_step("scale:0.5", all_transforms())]).answer
    assert (answer.before.time_ns, answer.after.time_ns) == (5000, 5000)
    assert answer.before.busy_ns == 0


def test_of_a_trace_with_steps_the_median_step_counts() -> None:
    """Before anything is changed it is as measured."""
    graph = graph_of_files([RECORDED])
    made = timing(graph, replay(graph))
    measured = [end - start for start, end in graph.steps]
    assert list(made.steps_ns) == measured
    assert made.time_ns == round(np.median(measured))


def stepping(host_ns: int, kernels: tuple[int, ...], steps: int = 3) -> DependencyGraph:
    """Steps of a host that launches kernels and goes on; nothing waits for the device."""
    builder, clock = GraphBuilder(name="stepping"), 0
    for _ in range(steps):
        begin = clock
        for time in kernels:
            measured: dict[str, Any] = {"measured_start_ns": float(clock), "measured_end_ns": float(clock + host_ns)}
            call = builder.task(TaskKind.CPU, "cudaLaunchKernel", HOST, host_ns, phase=Phase.FORWARD, **measured)
            kernel = builder.task(TaskKind.KERNEL, "sgemm", STREAM, time, phase=Phase.FORWARD)
            builder.edge(EdgeKind.LAUNCH, call, kernel, 5)
            clock += host_ns
        builder.steps.append((begin, clock))
    return builder.built()


SCALES = st.builds(lambda factor, kind: f"scale:{factor},kind={kind}", st.sampled_from((0.01, 0.5, 3)),
                   st.sampled_from(("kernel", "cpu", "all")))  # fmt: skip


@given(st.integers(1, 100), st.lists(st.integers(1, 300), min_size=1, max_size=4).map(tuple), SCALES)
def test_a_step_takes_no_less_than_its_device_is_busy(host_ns: int, kernels: tuple[int, ...], text: str) -> None:
    """Nor than its host; and it loses time only by what takes longer."""
    answer = ask(stepping(host_ns, kernels), [read_step(text, all_transforms())]).answer
    factor = float(text.partition(":")[2].partition(",")[0])
    host, device = (1 if "cpu" in text or "all" in text else 0), (0 if "cpu" in text else 1)
    busy = sum(round(time * factor) if device else time for time in kernels)
    assert answer.before.time_ns == max(host_ns * len(kernels), sum(kernels))
    assert answer.after.time_ns >= max(busy, len(kernels) * (round(host_ns * factor) if host else host_ns)) - len(
        kernels
    )
    assert factor > 1 or answer.gain >= 0


def test_a_kernel_that_ends_with_the_step_is_not_on_its_path() -> None:
    """The step ends where its host ends, which nothing on the device delays: shorter kernels gain nothing."""
    graph = stepping(100, (95, 90))
    answer = ask(graph, [read_step("scale:0.01,kind=kernel", all_transforms())]).answer
    assert (answer.before.explanation, answer.gain) == ("host calls 100 %", 0)
    assert all(graph.kind[task] == TaskKind.CPU for one in step_paths(graph, replay(graph)) for task in one.path)


def test_another_path_of_the_same_length_is_told() -> None:
    """Kernels take the whole of a step that its host nearly fills, too."""
    answer = ask(stepping(50, (51, 50)), [read_step("scale:0.01,kind=kernel", all_transforms())]).answer
    assert answer.before.explanation == "kernels 100 %"
    assert answer.gain == pytest.approx(0.01, abs=0.001)
    text = "kernels: time on the critical path falls by 101 ns, but another path or another step is nearly as long"
    assert text in answer.notes


def test_of_a_longer_step_no_part_is_said_to_fall() -> None:
    """On a V100 the kernels hide the host's calls, and the call takes longer."""
    graph = graph_of_files([Path(__file__).parent.parent / "data" / "h200" / "resnet50.profile.json.gz"])
    answer = ask(graph, [read_step("device:V100", all_transforms())]).answer
    assert answer.gain < 0
    assert not any("falls by" in note for note in answer.notes)


def test_several_kinds_at_once_are_no_kinds_share() -> None:
    """A device that is busy for longer than its host: what runs beside something else is named apart."""
    builder = GraphBuilder(name="overlapping")
    measured: dict[str, Any] = {"measured_start_ns": 0.0, "measured_end_ns": 10.0}
    call = builder.task(TaskKind.CPU, "launch", HOST, 10, phase=Phase.FORWARD, **measured)
    for kind, name, time in ((TaskKind.KERNEL, "stream 7", 60), (TaskKind.COLLECTIVE, "stream 8", 100)):
        lane = Lane(process="1", name=name, device="gpu 0")
        builder.edge(EdgeKind.LAUNCH, call, builder.task(kind, name, lane, time), 5)
    builder.steps.append((0, 10))
    graph = builder.built()
    made = timing(graph, replay(graph))
    assert made.shares_ns == {"communication": 40, "several kinds at once": 60}


def test_a_device_that_falls_behind_is_told() -> None:
    """Its time is that of the step, its kernels are what binds it, and a quicker host gains nothing."""
    answer = ask(stepping(10, (100, 50)), [read_step("scale:0.01,kind=cpu", all_transforms())]).answer
    assert (answer.before.time_ns, answer.after.time_ns, answer.gain) == (150, 150, 0)
    assert answer.before.explanation == "kernels 100 %"
    assert (
        "a device with its gaps takes longer than the host (20 ns before and 0 ns after): the device time counts"
        in answer.notes
    )


@pytest.mark.parametrize(("more_ns", "time_ns"), [(0, 900), (60, 960), (500, 1000)])
def test_streams_that_overlap_less_make_no_loss(more_ns: int, time_ns: int) -> None:
    """A step is as long as a device is busy; it loses no more than the work that was added."""
    graph = stepping(10, (300, 300, 300))
    before = timing(graph, replay(graph))
    assert before.time_ns == 900
    after = replace(before, time_ns=1000, busy_ns=1000)
    assert bounded_loss(before, after, more_ns)[0].time_ns == time_ns


def test_a_thread_of_its_own_pace_makes_no_loss() -> None:
    """Behind a long first step its data are there; when that is quicker each step waits for them: none takes longer."""
    builder, other = GraphBuilder(name="uneven"), Lane(process="1", name="thread 2")
    clock = 0
    for number in range(6):
        begin = clock
        begin_of_other, takes = 500 * number, 60 if number else 3000
        data = builder.task(TaskKind.DATA, "load", other, 10, release_ns=begin_of_other)
        work = max(clock, begin_of_other + 10)
        measured: dict[str, Any] = {"measured_start_ns": float(work), "measured_end_ns": float(work + takes)}
        call = builder.task(TaskKind.CPU, "compute", HOST, takes, **measured)
        builder.edge(EdgeKind.THREAD, data, call)
        clock = work + takes
        builder.steps.append((begin, clock))
    graph = builder.built()
    answer = ask(graph, [read_step("scale:0.1,kind=cpu", all_transforms())]).answer
    assert np.median(answer.after.steps_ns) > np.median(answer.before.steps_ns)
    assert answer.gain == 0
    assert any(note.startswith("steps are uneven") for note in answer.notes)


def test_a_replay_that_is_not_the_record_says_so() -> None:
    """From which task on, and by how much."""
    graph = stepping(10, (5, 5))
    ends = np.array(graph.attributes["measured_end_ns"])
    late = with_attributes(graph, measured_end_ns=np.where(ends == np.nanmax(ends), 100.0, ends))
    (note,) = [note for note in ask(late, []).answer.notes if "replay" in note]
    assert note.startswith("the replay differs from the recording by -40.0%: the trace lacks dependencies from task 10")
    assert not [note for note in ask(graph, []).answer.notes if "replay" in note]


@given(graphs())
def test_nothing_asked_gains_nothing(graph: DependencyGraph) -> None:
    """Whatever the graph, as long as it takes any time."""
    if not replay(graph).makespan_ns:
        with pytest.raises(InputError, match="drawn takes no time, so nothing can be gained"):
            ask(graph, [])
    else:
        answer = ask(graph, []).answer
        assert answer.gain == 0
        assert sum(answer.before.shares_ns.values()) == answer.before.makespan_ns


@given(st.integers(1, 10**9), st.lists(st.tuples(st.floats(0, 0.9), st.floats(-1, 1)), max_size=4))
def test_an_interval_holds_every_truth_of_which_the_steps_of_a_prediction_err_no_more(
    truth: int, steps: list[tuple[float, float]]
) -> None:
    """Each error is relative to the truth, and several compound."""
    errors = [error for error, _ in steps]
    predicted = round(truth * math.prod(1 + way * error for error, way in steps))
    interval = interval_of(predicted, errors, "test")
    assert interval.low_ns - 1 - truth * 1e-9 <= truth
    assert truth <= (interval.high_ns + 1 / math.prod(1 - error for error in errors)) * (1 + 1e-9)


@given(st.lists(st.floats(0, 3), min_size=1, max_size=4))
def test_a_further_step_never_makes_an_interval_narrower(errors: list[float]) -> None:
    """However large the errors are."""
    fewer, all_of_them = interval_of(10**9, errors[:-1], "test"), interval_of(10**9, errors, "test")
    assert all_of_them.low_ns <= fewer.low_ns <= 10**9 <= fewer.high_ns <= all_of_them.high_ns


def test_unknown_kernels_are_counted_and_named() -> None:
    """Longest first."""
    unknown = ask(launched("sgemm", "zwxq", "zwxq", "vvv"), []).answer.unknown
    assert [(one.name, one.count, one.time_ns) for one in unknown] == [("zwxq", 2, 200), ("vvv", 1, 100)]


def test_transforms_are_written_with_units() -> None:
    """As a person would read them."""
    assert describe(*read_step("set-time:1400us,kind=data", all_transforms())) == "set-time:time=1.4 ms,kind=data"


@given(graphs())
def test_a_timeline_is_the_schedule(graph: DependencyGraph) -> None:
    """Every task with its times, lane and name; launches lead to what they launch."""
    schedule = replay(graph)
    trace = trace_of(graph, schedule)
    assert trace.start_ns.tolist() == schedule.start_ns.tolist()
    assert trace.end_ns.tolist() == schedule.end_ns.tolist()
    for span in trace:
        assert span.lane == graph.lanes[graph.lane[span.row]]
        assert span.name == graph.names[graph.task_name[span.row]]
        assert (span.level == Level.KERNEL) == (graph.kind[span.row] == TaskKind.KERNEL)
        assert (span.parent is not None) == (span.role == Role.EXECUTION)


def test_both_timelines_stand_in_one_file(tmp_path: Path) -> None:
    """Each in processes of its own, with layer and phase, and what all waited for marked."""
    asked = ask(launched("sgemm"), [read_step("scale:0.5,kind=kernel", all_transforms())])
    traces = [trace_of(*one) for one in zip(asked.graphs, asked.schedules, strict=True)]
    parts = [ExportPart(name=name, trace=one) for name, one in zip(("before", "after"), traces, strict=True)]
    write_chrome(parts, tmp_path / "t.json")
    events = json.loads((tmp_path / "t.json").read_text())["traceEvents"]
    kernels = [event for event in events if event["name"] == "sgemm"]
    assert [event["dur"] for event in kernels] == [0.1, 0.05]
    assert len({event["pid"] for event in kernels}) == 2
    assert {"layer": "layer of sgemm", "phase": "forward", "critical": True}.items() <= kernels[0]["args"].items()


def test_with_another_batch_the_gain_is_per_input() -> None:
    """Eight inputs in four times the time are half the time for each."""
    batched = Transform(
        name="batched",
        title="t",
        source="s",
        apply=lambda graph, _: scaled(graph, np.arange(len(graph)), 4),
        parameters=tuple(
            Parameter(name=name, kind="count", meaning="inputs", default="1") for name in ("batch", "from")
        ),
    )
    builder = GraphBuilder(name="one")
    builder.task(TaskKind.CPU, "layer", HOST, 100)
    answer = ask(builder.built(), [read_step("batched:8", {"batched": batched})]).answer
    assert (answer.inputs, answer.gain, answer.after.time_ns) == (8, 0.5, 400)


def test_the_paths_of_steps_make_up_the_steps() -> None:
    """Shares sum up to each step, paths lie within it, and each task follows the one before it."""
    graph = graph_of_files([RECORDED])
    made = replay(graph)
    paths = step_paths(graph, made)
    assert [(one.start_ns, one.end_ns) for one in paths] == list(graph.steps)
    for one in paths:
        assert sum(one.shares_ns.values()) == one.end_ns - one.start_ns
        assert all(made.end_ns[task] >= one.start_ns and made.start_ns[task] <= one.end_ns for task in one.path)
        assert [int(made.cause[task]) for task in one.path[1:]] == list(one.path[:-1])
    assert step_paths(graph, made, [1]) == paths[1:2]


def test_a_second_question_about_a_graph_may_take_the_replay_of_the_first() -> None:
    """And has the answer that it would have had."""
    graph = graph_of_files([RECORDED])
    first, steps = ask(graph, []), [read_step("scale:0.5,kind=cpu", all_transforms())]
    assert ask(graph, steps, earlier=first).answer == ask(graph, steps).answer


def test_without_a_device_time_is_told_by_operator() -> None:
    """Nothing on a processor is time of a host: its layers are the work, named without what precedes the operator."""
    builder = GraphBuilder(name="processor")
    for layer, operator, duration in (("a", "Conv", 60), ("b", "com.microsoft.Gelu", 30), ("c", "aten::mul_", 10)):
        builder.task(TaskKind.CPU, layer, HOST, duration, layer=layer, operator=operator)
    graph = builder.built()
    assert timing(graph, replay(graph)).explanation == "Conv 60 %, Gelu 30 %, mul_ 10 %"
    assert "host" not in timing(graph_of_files([RECORDED]), replay(graph_of_files([RECORDED]))).explanation
    assert "launch latency" in timing(launched("sgemm"), replay(launched("sgemm"))).explanation


def test_the_gain_lies_between_what_the_transforms_errors_allow() -> None:
    """And so does the time after."""
    graph = training()
    answer = ask(graph, [read_step("amp", KNOWN)]).answer
    (error,), _ = errors_of([("amp", kind_of(graph))], STEP) or ((0.0,), "")
    before, after = answer.before.time_ns, answer.after.time_ns
    assert answer.gain_low is not None
    assert answer.gain_high is not None
    assert answer.interval is not None
    assert answer.gain_low <= answer.gain <= answer.gain_high
    assert answer.gain_high == pytest.approx(1 - round(after / (1 + error)) / before)
    assert answer.gain_low == pytest.approx(1 - round(after / (1 - error)) / before)
    assert answer.interval.low_ns == pytest.approx((1 - answer.gain_high) * before)


def test_kernels_are_certain_where_the_host_leaves_the_step_open() -> None:
    """Each has an interval of its own; what has a sign is said first."""
    made = Made(kernel_ns=10_000_000)
    made.builder.task(TaskKind.CPU, "cudaMalloc", HOST, 300_000_000)
    for phase, name in ((Phase.FORWARD, PRODUCT), (Phase.BACKWARD, PRODUCT_BACK)):
        made.kernel(name, phase)
    made.kernel(ADD, Phase.UPDATE, 1000)
    answer = ask(made.builder.built(), [read_step("amp", KNOWN)]).answer
    assert answer.kind == "training on NVIDIA GPUs"
    assert answer.kernels is not None
    assert answer.kernels.interval is not None
    assert answer.kernels.gain_low is not None
    assert answer.gain_low is not None
    assert answer.gain_high is not None
    assert answer.gain_low < 0 < answer.gain_high
    assert 0 < answer.kernels.gain_low < answer.kernels.gain
    said = [str(item) for item in answer_report(answer)]
    (line,) = [line for line in said if "whether the run gains depends on the host" in line]
    assert line.startswith("kernels ")
    assert f"{1 / (1 - answer.gain_low):.2f}x to {1 / (1 - answer.gain_high):.2f}x" in line
    assert any(line.startswith("host: ") for line in said)
    unsure = replace(answer, kernels=replace(answer.kernels, interval=None, gain_low=None, gain_high=None))
    assert "; whether the run gains depends on the host" in verdict(unsure)[0]
    assert answer.host is not None
    assert answer.host.before_ns <= answer.before.time_ns
    assert answer.host.interval is not None


def test_kernels_that_stay_are_no_part_of_an_answer() -> None:
    """Neither is a device that there is none of."""
    loaded = ask(training(load_ns=20_000_000), [read_step("data-loader:4", KNOWN)]).answer
    assert loaded.kernels is None
    assert loaded.host is not None
    assert loaded.host.after_ns < loaded.host.before_ns
    depends = "whether the run gains depends on the host, which this trace cannot tell"
    lines = verdict(replace(loaded, gain_low=-0.01, gain_high=0.5))
    assert lines[0] == f"kernels as before; {depends} (0.99x to 2.00x)"
    assert lines[1].startswith("run after: ")
    of_processor = ask(graph_of_files([RECORDED]), [read_step("scale:0.5", KNOWN)]).answer
    assert (of_processor.kernels, of_processor.host) == (None, None)


def test_a_step_without_a_host_is_its_kernels() -> None:
    """Their errors suffice, where no step of such a trace was compared."""
    builder = GraphBuilder(name="kernels")
    builder.task(TaskKind.KERNEL, "sgemm", STREAM, 1000, flops=1e6, read_bytes=1e3, written_bytes=1e3)
    answer = ask(builder.built(), [read_step("batch:2,from=1", KNOWN)]).answer
    assert answer.kind == "inference on NVIDIA GPUs"
    assert errors_of([("batch", answer.kind)], STEP) is None
    assert answer.interval is not None
    assert answer.kernels is not None
    assert answer.interval == answer.kernels.interval


def test_each_change_begins_with_what_the_one_before_it_sets() -> None:
    """Batches of 4, then 8, and threads; what is asked for explicitly stays."""
    graph = replace(training(), batch=1, threads=2)
    steps = [read_step(text, KNOWN) for text in ("batch:4", "batch:8", "threads:4", "threads:2")]
    assert [values["from"] for _, values in resolved(graph, steps)[0]] == [1, 4, 2, 4]
    assert resolved(graph, [read_step("threads:4,from=1", KNOWN)])[0][0][1]["from"] == 1


def test_an_assumed_batch_size_is_said_and_has_no_interval() -> None:
    """Nothing tells how far an assumption is off; a stated size has the interval of back-tests."""
    graph = training()
    assumed = ask(graph, [read_step("batch:32", KNOWN)]).answer
    assert (
        assumed.assumed
        == "the recording does not state its batch size, so 1 is assumed: state it, as in batch:32,from=N"
    )
    parts = (assumed, assumed.kernels, assumed.host)
    assert all(
        part is not None and (part.interval, part.gain_low, part.gain_high) == (None, None, None) for part in parts
    )
    assert f"no interval: {assumed.assumed}" in verdict(assumed)
    for answer in (
        ask(graph, [read_step("batch:32,from=1", KNOWN)]).answer,
        ask(replace(graph, batch=1), [read_step("batch:32", KNOWN)]).answer,
    ):
        assert (answer.assumed, answer.applied) == ("", ("batch:batch=32,from=1",))
        assert answer.interval is not None
        assert answer.after.time_ns == assumed.after.time_ns


def test_threads_begin_with_those_that_ran_the_layers() -> None:
    """A graph that states them; and no more are asked for than the system has cores."""
    graph = replace(layers(("Conv", 3_000_000, 1e6, 1e5, 1e9)), threads=2, cores=4)
    assert ask(graph, [read_step("threads:4", KNOWN)]).answer.applied[0].startswith("threads:threads=4,from=2,")
    for text, reason in (
        ("threads:2", "the number of threads is already 2"),
        ("threads:5", "the system has 4 cores: ask for at most as many"),
    ):
        with pytest.raises(InputError, match=reason):
            ask(graph, [read_step(text, KNOWN)])
    assert ask(graph, [read_step("threads:4,from=1", KNOWN)]).answer.applied[0].startswith("threads:threads=4,from=1,")


def test_kernels_that_gain_while_the_host_decides_come_first() -> None:
    """Also without back-tests, which is said of them."""
    answer = ask(training(launch_ns=300_000), [read_step("scale:0.5,kind=kernel", KNOWN)]).answer
    assert answer.kernels is not None
    assert answer.kernels.interval is None
    first = verdict(answer)[0]
    assert first.startswith("kernels ")
    assert "(not validated); whether the run gains depends on the host, which this trace cannot tell" in first
