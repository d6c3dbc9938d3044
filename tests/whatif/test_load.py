"""Files become graphs: the deepest run that there is, ranks on one clock, a reason where there is nothing to replay."""

from pathlib import Path

import numpy as np
import pytest

from dlbricks.errors import InputError
from dlbricks.profile.file import write_profile
from dlbricks.profile.types import LevelRun, Profile
from dlbricks.trace.build import TraceBuilder
from dlbricks.trace.types import Lane, Level, Trace, TraceClock
from dlbricks.whatif.simulate import replay
from dlbricks.whatif.sources.load import RENDEZVOUS, graph_of_files
from tests.whatif.kineto_files import rank_file

RECORDED = Path(__file__).parents[1] / "data" / "kineto_cpu_training.json.gz"
MAIN = Lane(process="1", name="thread 1")


def layers(*durations: int) -> Trace:
    """One call with layers, one after the other."""
    builder = TraceBuilder(clock=TraceClock(name="test"))
    call = builder.add(Level.MODEL, "call", "call", MAIN, 0, sum(durations))
    at = 0
    for number, duration in enumerate(durations):
        builder.add(Level.LAYER, "operator", f"layer{number}", MAIN, at, at + duration, parent=call)
        at += duration
    return builder.built()


def stored(path: Path, *runs: LevelRun) -> Path:
    """Write a profile."""
    write_profile(path, Profile(network="net", system={"name": "mine"}, runtime={}, runs=runs))
    return path


def level(levels: str, *durations: int, batch: int = 1) -> LevelRun:
    """A run of one call."""
    return LevelRun(batch=batch, levels=levels, samples_ns=(sum(durations),), trace=layers(*durations))


def test_a_recorded_trace_is_replayed_as_it_was() -> None:
    """The project's own recording of a training on the processor."""
    graph = graph_of_files([RECORDED])
    assert graph.name == "kineto_cpu_training"
    assert replay(graph).end_ns.tolist() == graph.attributes["measured_end_ns"].tolist()


def test_of_a_profile_the_deepest_run_is_taken(tmp_path: Path) -> None:
    """Unless another one is named; and what recording cost is said."""
    path = stored(tmp_path / "p.json", level("M", 100), level("ML", 60, 50), level("MLK", 60, 60, 60))
    assert len(graph_of_files([path])) == 3
    graph = graph_of_files([path], levels="ML")
    assert [graph.layers[number] for number in graph.layer] == ["layer0", "layer1"]
    assert "recording made calls +10.0% longer than those timed without it" in graph.notes[-1]


def test_of_several_batches_the_smallest_is_taken(tmp_path: Path) -> None:
    """Unless another one is named."""
    path = stored(tmp_path / "p.json", level("ML", 10, batch=1), level("ML", 40, 40, batch=8))
    assert [len(graph_of_files([path], batch=batch)) for batch in (None, 1, 8)] == [1, 1, 2]
    with pytest.raises(InputError, match="has no runs of batch 3; there are: 1, 8"):
        graph_of_files([path], batch=3)


@pytest.mark.parametrize(
    ("levels", "reason"),
    [(None, "has no run with layers or kernels"), ("MLK", "has no run with levels MLK"), ("M", "cannot be replayed")],
)
def test_what_holds_no_tasks_is_refused(tmp_path: Path, levels: str | None, reason: str) -> None:
    """With what could be recorded instead."""
    with pytest.raises(InputError, match=reason):
        graph_of_files([stored(tmp_path / "p.json", level("M", 100))], levels=levels)


def test_ranks_wait_for_each_other(tmp_path: Path) -> None:
    """A collective transfers from the last arrival on, on both; alone, a rank keeps what it measured."""
    paths = [
        rank_file(tmp_path / f"rank{rank}.json", rank, arrives_us=arrives) for rank, arrives in ((0, 100), (1, 700))
    ]
    graph = graph_of_files(paths)
    assert graph.name == "2 ranks of rank0"
    assert [name for name in graph.names if name == RENDEZVOUS] == [RENDEZVOUS]
    replayed = replay(graph)
    members = np.flatnonzero(graph.kind == 3)
    assert replayed.end_ns[members].tolist() == graph.attributes["measured_end_ns"][members].tolist()
    assert graph.duration_ns[members].tolist() == [100_000, 100_000]


def test_two_files_of_one_process_are_refused() -> None:
    """They are no two ranks."""
    with pytest.raises(InputError, match="are of one process"):
        graph_of_files([RECORDED, RECORDED])


def test_nothing_named_is_refused() -> None:
    """In a sentence."""
    with pytest.raises(InputError, match="there is nothing to ask about"):
        graph_of_files([])
