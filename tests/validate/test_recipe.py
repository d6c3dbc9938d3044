"""The published recipe, measured beside the parts."""

from pathlib import Path

from dlbricks.model.read.network import read_model
from dlbricks.sequences.split import split
from dlbricks.sequences.types import Granularity
from dlbricks.validate.compare import baseline_result
from dlbricks.validate.prepare import baseline
from dlbricks.validate.types import BASELINE_ROLE
from tests.construct.made_up import measurement

NETWORKS = Path(__file__).parents[2] / "suites" / "networks"
SMALL = NETWORKS / "misc_lstm_lm.onnx"
SHUFFLED = NETWORKS / "tv_shufflenet_v2_x1_0.onnx"


def test_every_layer_alone() -> None:
    """At H = 1 the recipe measures each layer by itself, views too, and knows no groups."""
    model = read_model(SHUFFLED)
    steps, benchmarks = baseline(model, Granularity(1))
    assert [step.layers for step in steps] == [1] * len(model.layers)
    assert {step.fingerprint for step in steps} == {one.benchmark.fingerprint for one in benchmarks}
    assert {one.benchmark.role for one in benchmarks} == {BASELINE_ROLE}
    assert {one.benchmark.operators for one in benchmarks} >= {("Reshape",), ("Conv",), ("Relu",)}


def test_its_benchmarks_are_not_those_of_the_parts() -> None:
    """The same layer is measured otherwise as a part, so it has another fingerprint and another file there."""
    model = read_model(SMALL)
    _, benchmarks = baseline(model, Granularity(1))
    from dlbricks.suite.extraction import benchmarks_from

    parts = benchmarks_from(split(model, Granularity(1)), unions=False)
    theirs, ours = ({one.benchmark.network for one in some} for some in (benchmarks, parts))
    assert theirs
    assert not theirs & ours


def test_a_plain_sum() -> None:
    """Call overhead included, repeated layers counted again, what has no latency counted as nothing and told."""
    steps, benchmarks = baseline(read_model(SMALL), Granularity(1))
    names = sorted(one.benchmark.fingerprint for one in benchmarks)
    known = {name: measurement(name, 10) for name in names[1:]}
    made = baseline_result(steps, known, 40)
    assert made is not None
    uses = [step for step in steps if step.fingerprint in known]
    assert made.estimated_ns == 10 * len(uses)
    assert made.ratio == made.estimated_ns / 40
    assert made.unmeasured_layers == sum(step.layers for step in steps) - sum(step.layers for step in uses) > 0
    assert baseline_result((), {}, 40) is None
