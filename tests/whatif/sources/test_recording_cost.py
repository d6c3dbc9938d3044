"""Recording slows the host: answers are for calls as they are without it, where these were timed."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from dlbricks.report import panels
from dlbricks.report.whatif import verdict
from dlbricks.trace import kinds
from dlbricks.trace.build import TraceBuilder, part_of
from dlbricks.trace.correlate import correlated
from dlbricks.trace.types import Lane, Level, LevelRun, Profile, Role, Trace, TraceClock
from dlbricks.units import format_ns
from dlbricks.whatif.answer import ask
from dlbricks.whatif.explain import kernel_time
from dlbricks.whatif.graph import TaskKind
from dlbricks.whatif.sources import graph_of_profile
from dlbricks.whatif.transform import read_step
from dlbricks.whatif.transforms import all_transforms

HOST = Lane(process="1", name="thread 1")
STREAM = Lane(process="1", name="stream 7", device="gpu 0")
LAUNCHES, LAUNCH_NS, EVERY_NS, BETWEEN_NS = 10, 20_000, 100_000, 400_000


def traced(kernel_ns: int, calls: int = 3) -> Trace:
    """Return calls of ten launches, 100 us apart, and a wait for the device; 400 us lie between two calls."""
    builder, start, number = TraceBuilder(clock=TraceClock(name="cupti")), 0, 0
    for index in range(calls):
        free, launched = start, list[tuple[int, int, int]]()
        for at in range(start + 50_000, start + 50_000 + LAUNCHES * EVERY_NS, EVERY_NS):
            free = max(free, at + 6_000) + kernel_ns
            launched.append((at, free - kernel_ns, free))
        wait = start + 50_000 + LAUNCHES * EVERY_NS
        end = max(wait + 5_000, free) + 30_000
        call = builder.add(Level.MODEL, kinds.CALL, "run", HOST, start, end, index=index)
        for at, begin, finish in launched:
            number += 1
            launch = builder.add(
                Level.LIBRARY, kinds.RUNTIME, "cudaLaunchKernel", HOST, at, at + LAUNCH_NS,
                role=Role.LAUNCH, parent=call, correlation=number,
            )  # fmt: skip
            builder.add(
                Level.KERNEL, kinds.KERNEL, "sgemm", STREAM, begin, finish,
                role=Role.EXECUTION, parent=launch, correlation=number, stream=7,
            )  # fmt: skip
        name = "cudaDeviceSynchronize"
        builder.add(Level.LIBRARY, kinds.SYNCHRONISATION, name, HOST, wait, end - 30_000, parent=call)
        start = end + BETWEEN_NS
    return correlated(builder.built())


def profiled(kernel_ns: int, call_ns: int) -> Profile:
    """Return a profile whose calls take ``call_ns`` where they are not recorded."""
    trace = traced(kernel_ns)
    lasted = tuple(trace.duration_ns[trace.rows(Level.MODEL)].tolist())
    alone = LevelRun(batch=1, levels="M", samples_ns=(call_ns,) * len(lasted), trace=trace)
    return Profile(
        network="net", system={"gpus": [{"name": "NVIDIA H200"}]}, runtime={"name": "onnxruntime"},
        runs=(alone, LevelRun(batch=1, levels="MLK", samples_ns=lasted, trace=trace)),
    )  # fmt: skip


@pytest.mark.parametrize("call_ns", [300_000, 500_000, 900_000])
def test_a_call_takes_what_it_takes_without_recording(call_ns: int) -> None:
    """Kernels keep their times and the host gets quicker, so that the answer is of 0.1 % what was timed."""
    profile = profiled(10_000, call_ns)
    graph = graph_of_profile(profile, "net")
    answer = ask(graph, []).answer
    assert answer.before.time_ns == pytest.approx(call_ns, rel=0.001)
    assert kernel_time(graph) == LAUNCHES * 10_000
    assert graph.device == "NVIDIA H200"
    assert f"({format_ns(call_ns)} without recording)" in " ".join(graph.notes)


def test_calls_follow_each_other() -> None:
    """What lies between two calls is no work of theirs; graphs of kernels do not end before they begin."""
    graph = graph_of_profile(profiled(10_000, 500_000), "net")
    (_, first), (second, _) = graph.steps[:2]
    assert second == first
    answer = ask(graph, [read_step("cuda-graphs", all_transforms())]).answer
    assert min(answer.after.steps_ns) > LAUNCHES * 10_000


def test_a_device_that_is_the_limit_stays_the_limit() -> None:
    """Kernels that take longer than the call without recording: the host is scaled by the ratio of the two."""
    profile = profiled(150_000, 1_500_000)
    graph = graph_of_profile(profile, "net")
    now = ask(graph, []).answer.before.time_ns
    assert kernel_time(graph) == LAUNCHES * 150_000
    assert 1_500_000 < now < profile.runs[1].samples_ns[0]
    assert f"so that calls take {format_ns(now)} (1.5 ms without recording)" in " ".join(graph.notes)


@pytest.mark.parametrize("gpus", ["H200", 5, {"name": "H200"}, ["H200"], [{}], [None], [{"name": None}]])
def test_a_file_may_state_any_gpus(gpus: Any) -> None:
    """Where it names none, its kind is unknown, and a note says so."""
    profile = replace(profiled(10_000, 500_000), system={"gpus": gpus})
    graph = graph_of_profile(profile, "net.json")
    assert graph.device == ""
    assert any(note.startswith("net.json does not name the GPU") for note in graph.notes)
    assert "GPU" not in dict(panels._facts(profile))


def test_recording_that_costs_nothing_changes_nothing() -> None:
    """Nor does a profile without calls that were timed alone."""
    profile = profiled(10_000, 2_000_000)
    graph = graph_of_profile(profile, "net")
    assert ask(graph, []).answer.before.time_ns == profile.runs[1].samples_ns[0]
    assert any("gains apply to calls with recording" in note for note in graph.notes)


def test_an_answer_of_nothing_says_that_the_host_is_the_limit() -> None:
    """Half as long kernels save nothing where the host takes longer."""
    graph = graph_of_profile(profiled(10_000, 500_000), "net")
    answer = ask(graph, [read_step("scale:0.5,kind=kernel", all_transforms())]).answer
    assert answer.gain < 0.005
    assert np.count_nonzero(graph.kind == TaskKind.KERNEL) == 3 * LAUNCHES
    assert "depends on the host" in verdict(answer)[0]


def test_recordings_without_calls_or_launches_stay_as_they_are() -> None:
    """Where nothing tells the host's part of a call, a note says that gains are those with recording."""
    profile = profiled(10_000, 500_000)
    trace = profile.runs[1].trace
    for rows in (trace.rows(Level.KERNEL), np.flatnonzero(trace.level != Level.MODEL)):
        part = replace(profile.runs[1], trace=part_of(trace, rows))
        graph = graph_of_profile(replace(profile, runs=(profile.runs[0], part)), "net")
        assert any("gains apply to calls with recording" in note for note in graph.notes)
