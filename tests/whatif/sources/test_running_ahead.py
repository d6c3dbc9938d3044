"""Records that begin or end while a device works on what is in no recorded step: that belongs to none."""

from dataclasses import dataclass, replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dlbricks.trace.types import NONE, Lane, Level, Role
from dlbricks.whatif.answer import ask
from dlbricks.whatif.explain import busy_times
from dlbricks.whatif.graph import DependencyGraph, TaskKind, launches
from dlbricks.whatif.select import marked_steps, select, step_numbers
from dlbricks.whatif.simulate import replay
from dlbricks.whatif.sources.traces import graph_of_trace
from dlbricks.whatif.transform import read_step
from tests.whatif.made_up import HOST, KNOWN, STREAM, Machine

DEPTH = 1016
"""Launches that the queue of the machine takes."""


@dataclass(frozen=True, slots=True)
class Loop:
    """A loop whose steps launch kernels onto one stream."""

    kernels: int
    """Of a step."""
    call_ns: int
    kernel_ns: int
    gap_ns: int
    """Between kernels on the device."""
    first: int
    """Step with which the record begins."""
    recorded: int = 3
    behind: int = 0
    """Steps behind the last one that is marked."""

    @property
    def period_ns(self) -> int:
        """Time of a step in the long run."""
        return self.kernels * max(self.call_ns, self.kernel_ns + self.gap_ns)

    def graph(self) -> DependencyGraph:
        """Return the graph of the record, which lacks all calls before its first step."""
        machine, ends, free = Machine(), list[int](), 0
        marked, until = self.first + self.recorded, self.first + self.recorded + self.behind
        begun: list[int] = []
        rows = []
        for number in range(until * self.kernels):
            if number % self.kernels == 0:
                begun.append(free)
            start, room = free, ends[number - DEPTH] if number >= DEPTH else 0
            free = max(start, room) + self.call_ns
            begin = max(start + min(self.call_ns, 5_000), ends[-1] + self.gap_ns if ends else 0)
            ends.append(begin + self.kernel_ns)
            rows.append((start, free, begin, ends[-1]))
        begun.append(free)
        for step in range(self.first, marked):
            machine.builder.add(Level.APPLICATION, "step", f"ProfilerStep#{step}", HOST, begun[step], begun[step + 1])
        for number, (start, end, begin, done) in enumerate(rows):
            if number >= self.first * self.kernels:
                machine.launch(HOST, start, STREAM, begin, done, call_ns=end - start)
            elif done > begun[self.first]:
                machine.builder.add(
                    Level.KERNEL, "kernel", "sgemm", STREAM, begin, done, role=Role.EXECUTION, stream=7,
                    correlation=1_000_000 + number,
                )  # fmt: skip
        return graph_of_trace(machine.trace(), "loop")


loops = st.builds(
    Loop,
    kernels=st.integers(50, 700),
    call_ns=st.integers(4_000, 30_000),
    kernel_ns=st.integers(5_000, 120_000),
    gap_ns=st.integers(500, 3_000),
    first=st.integers(2, 6),
)


@settings(max_examples=25, deadline=None)
@given(loops)
def test_a_step_takes_its_period_wherever_the_record_begins(loop: Loop) -> None:
    """Work from before the first step occupies the device, and is not counted; the replay is the record."""
    graph = loop.graph()
    made = ask(graph, []).answer
    assert made.before.time_ns == pytest.approx(loop.period_ns, rel=0.02)
    assert not [note for note in made.notes if note.startswith("the replay")]
    unknown = np.intersect1d(select(graph, kinds=(TaskKind.KERNEL,)), np.flatnonzero(launches(graph) == NONE))
    numbers = step_numbers(graph)
    assert not numbers[unknown].any()
    known = np.setdiff1d(select(graph, kinds=(TaskKind.KERNEL,)), unknown)
    assert np.bincount(numbers[known], minlength=4).tolist() == [0, *[loop.kernels] * loop.recorded]


@pytest.mark.parametrize("question", ["scale:0.01,kind=kernel", "scale:0.5,kind=kernel", "cuda-graphs"])
def test_hosts_do_not_keep_the_time_for_which_a_queue_blocked_them(question: str) -> None:
    """The record begins with a full queue: quicker kernels or a graph leave what host or device need by themselves."""
    loop = Loop(kernels=600, call_ns=6_000, kernel_ns=100_000, gap_ns=1_000, first=4)
    graph = loop.graph()
    made = ask(graph, [read_step(question, KNOWN)]).answer.after
    kernel_ns = {"scale:0.01,kind=kernel": 1_000, "scale:0.5,kind=kernel": 50_000}.get(question, 100_000)
    least = 600 * max(kernel_ns + 1_000, 0 if question == "cuda-graphs" else 6_000)
    assert least * 0.99 < made.time_ns < 1.1 * least


def test_streams_of_their_own_and_late_ones() -> None:
    """A stream without recorded launches follows the others of its device; work between launches follows its stream."""
    machine = Machine()
    other = Lane(process="1", name="stream 20", device="gpu 0")
    machine.builder.add(Level.APPLICATION, "step", "ProfilerStep#1", HOST, 0, 1_000)
    machine.builder.add(Level.APPLICATION, "step", "ProfilerStep#2", HOST, 1_000, 2_000)

    def alone(lane: Lane, start: int, number: int) -> None:
        machine.builder.add(
            Level.KERNEL, "kernel", "lost", lane, start, start + 50, role=Role.EXECUTION,
            stream=int(lane.name.split()[1]), correlation=number,
        )  # fmt: skip

    alone(STREAM, 5, 101)
    alone(other, 10, 102)
    machine.launch(HOST, 20, STREAM, 100, 900)
    alone(STREAM, 1_100, 103)
    alone(other, 1_200, 104)
    machine.launch(HOST, 1_050, STREAM, 1_300, 1_400)
    alone(other, 1_500, 105)
    graph = graph_of_trace(machine.trace(), "streams")
    lost = [row for row in range(len(graph)) if graph.named(row) == "lost"]
    assert step_numbers(graph)[lost].tolist() == [0, 0, 1, 1, 2]


@settings(max_examples=25, deadline=None)
@given(loops, st.integers(1, 3))
def test_what_is_launched_behind_the_last_step_belongs_to_none(loop: Loop, behind: int) -> None:
    """Not to the last: a step is no busier for what follows, and its own kernels are its own."""
    graph = replace(loop, recorded=1, behind=behind).graph()
    steps, launch = step_numbers(graph), launches(graph)
    own = np.flatnonzero((graph.kind == TaskKind.KERNEL) & (launch != NONE) & (steps == 1))
    assert marked_steps(graph) == 1
    assert len(own) == loop.kernels
    assert np.count_nonzero((graph.kind == TaskKind.KERNEL) & (steps > 1)) == behind * loop.kernels
    (busy,) = busy_times(graph, replay(graph)).tolist()
    assert busy <= loop.kernels * (loop.kernel_ns + max(loop.gap_ns, loop.call_ns))
