"""Leveled experiments, on runs of a small network."""

import dataclasses
from pathlib import Path

import numpy as np
import pytest

from dlbricks.errors import InputError, UnsupportedModelError
from dlbricks.harness.cpu import why_not_hardware
from dlbricks.harness.errors import HarnessError
from dlbricks.harness.options import RunOptions
from dlbricks.harness.run.progress import Progress
from dlbricks.harness.session import SessionSettings
from dlbricks.model.lowering.onnxruntime_cpu import graph_of_session, lower
from dlbricks.model.read.network import read_model
from dlbricks.operators.costs import layer_costs
from dlbricks.profile.experiment import LEAST_CALLS, possible_levels, profile_network, why_no_kernels
from dlbricks.profile.levels import outer_layers
from dlbricks.settings import ProfileOptions
from dlbricks.trace.types import Level, Profile
from tests.profile.small import convolutions, plan
from tests.trace.attributes import ATTRIBUTES


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write the small network."""
    return convolutions(tmp_path_factory.mktemp("networks"))


@pytest.fixture(scope="module")
def profile(path: Path) -> Profile:
    """Profile it with two batches."""
    return profile_network(path, plan(batches=(1, 2)), lambda _batch, _message: None)


def test_every_level_has_a_sample_and_a_call_of_every_round(profile: Profile) -> None:
    """Levels and batches come in order; each run has as many samples as calls, and durations are the samples for M."""
    assert [(run.batch, run.levels) for run in profile.runs] == [(1, "M"), (1, "ML"), (2, "M"), (2, "ML")]
    for run in profile.runs:
        calls = run.trace.rows(Level.MODEL)
        assert len(run.samples_ns) == len(calls) == 4
        assert run.trace.column("index", calls).tolist() == [0, 1, 2, 3]
        assert set(run.trace.column("batch", calls).tolist()) == {run.batch}
        if run.levels == "M":
            assert tuple(run.trace.duration_ns[calls].tolist()) == run.samples_ns
        else:  # the runtime's own call lies inside the harness's
            assert all(run.trace.duration_ns[calls] <= np.array(run.samples_ns) + run.trace.clock.resolution_ns)


def test_only_runs_with_layers_record_layers(profile: Profile) -> None:
    """A call of level M has no inner spans; one of level ML has every executed layer, once and in order."""
    for run in profile.runs:
        layers = outer_layers(run.trace)
        if run.levels == "M":
            assert not len(layers)
            continue
        index = run.trace.column("index", layers).reshape(4, -1)
        assert (index == np.arange(index.shape[1])).all()
        assert set(run.trace.attributes) <= set(ATTRIBUTES)


def test_costs_are_those_of_the_executed_graph(path: Path, profile: Profile) -> None:
    """Every layer has the operations and bytes that rules give for it; twice the batch has twice the operations."""
    run, double = profile.run("ML", 1), profile.run("ML", 2)
    assert run is not None
    assert double is not None
    executed = lower(read_model(path))
    costs = {layer.name: layer_costs(executed, layer) for layer in executed.layers}
    rows = outer_layers(run.trace)
    for figure in ("flops", "read_bytes", "written_bytes", "parameter_bytes"):
        found = run.trace.column(figure, rows).tolist()
        names = [run.trace.names[name] for name in run.trace.name[rows].tolist()]
        assert found == [getattr(costs[name], figure) for name in names]
    flops, doubled = (one.trace.column("flops", outer_layers(one.trace)) for one in (run, double))
    assert doubled.sum() == 2 * flops.sum()
    named = set(" ".join(run.trace.string_column("source_layers", rows)).split())
    assert named == {"first", "relu", "second", "pool", "flat", "product"}


def test_what_was_run_is_recorded(profile: Profile) -> None:
    """A profile says on which machine, with which runtime and how it was made."""
    assert profile.network == "small"
    assert profile.system["name"] == "here"
    assert profile.runtime["provider"] == "cpu"
    assert profile.runtime["threads"] == 1


def test_counters_of_the_processor_are_there_or_their_absence_is_explained(profile: Profile) -> None:
    """Calls of level M have cycles and instructions if the kernel permits counting; otherwise a note says why not."""
    reason, run = why_not_hardware(), profile.run("M")
    assert run is not None
    found = {"cycles", "instructions"} & set(run.trace.attributes)
    assert len(found) == (2 if reason is None else 0)
    assert reason is None or reason in profile.notes


def test_without_calls_alone_nothing_is_counted_and_it_is_said(path: Path) -> None:
    """One note, for any number of batches."""
    made = profile_network(path, plan("ML", batches=(1, 2), calls=3), lambda *_: None)
    assert [note for note in made.notes if "counters" in note] == [
        "no hardware counters were read, since level M was not run: add M to --levels"
    ]


def test_progress_ends_each_batch(path: Path) -> None:
    """Loading and every round are reported with the batch; the last message of a batch ends its phase."""
    messages: list[tuple[int | None, Progress]] = []
    profile_network(path, plan(batches=(2,)), lambda batch, message: messages.append((batch, message)))
    assert [message.phase for _, message in messages] == ["loading", *["measuring"] * 3, "done"]
    assert [message.done for _, message in messages] == [0, 1, 2, 3, 4]
    assert {batch for batch, _ in messages} == {2}


def test_a_budget_ends_rounds_whole_and_says_so(path: Path) -> None:
    """With any budget every level gets the minimum of calls, all levels equally many, and a note."""
    hasty = dataclasses.replace(plan(), options=ProfileOptions(calls=1000, run=RunOptions(budget_ns=1)))
    made = profile_network(path, hasty, lambda _batch, _message: None)
    assert {len(run.samples_ns) for run in made.runs} == {LEAST_CALLS}
    assert any("budget" in note for note in made.notes)


def test_levels_can_be_chosen(path: Path) -> None:
    """Only the levels that are asked for are run."""
    made = profile_network(path, plan("ML"), lambda _batch, _message: None)
    assert [run.levels for run in made.runs] == ["ML"]


def test_kernels_of_a_processor_are_refused_when_asked_for() -> None:
    """By default the level is left out with a note; on request it is an error with exit code 3."""
    settings = SessionSettings()
    levels, notes = possible_levels(settings, None)
    assert levels == ("M", "ML")
    assert str(why_no_kernels(settings)) in notes[0]
    assert possible_levels(settings, ("ML", "M")) == (("M", "ML"), ())
    with pytest.raises(HarnessError, match="layers are the deepest level") as caught:
        possible_levels(settings, ("M", "MLK"))
    assert caught.value.exit_code == 3


@pytest.mark.parametrize("asked", [("K",), (), ("M", "X")])
def test_levels_that_do_not_exist_are_refused(asked: tuple[str, ...]) -> None:
    """The message names the levels that there are."""
    with pytest.raises(InputError, match="M,ML,MLK"):
        possible_levels(SessionSettings(), asked)


def test_a_network_that_cannot_run_is_an_error() -> None:
    """A batch that a network cannot have ends the experiment with the reason."""
    vision = Path(__file__).parents[2] / "suites" / "networks" / "hf_vit_small.onnx"
    with pytest.raises(UnsupportedModelError, match="batch"):
        profile_network(vision, plan(batches=(3,)), lambda _batch, _message: None)


def test_the_graph_of_a_session_is_the_lowered_one() -> None:
    """What a session saves, with the shapes of its profile, costs what lowering says, layer by layer."""
    source = read_model(Path(__file__).parents[2] / "suites" / "networks" / "hf_distilbert.onnx")
    lowered = lower(source)
    outputs = {layer.name: [lowered.spec(name) for name in layer.outputs if name] for layer in lowered.layers}
    graph = graph_of_session(source, outputs, providers=["CPUExecutionProvider"])
    expected = {layer.name: layer_costs(lowered, layer) for layer in lowered.layers}
    assert {layer.name: layer_costs(graph, layer) for layer in graph.layers} == expected
