"""Back-tests on a processor: what is stored, and what is concluded from it."""

import json
import lzma
from pathlib import Path
from typing import Any

import pytest
from backtest.cases import BackTest, summaries
from backtest.learning import Growth, MeasuredLayer, Variant, fitted, grown_layers
from backtest.processor import by_layers, processor_backtests
from hypothesis import given
from hypothesis import strategies as st

from dlbricks.trace.types import Lane
from dlbricks.whatif.edit import GraphBuilder
from dlbricks.whatif.graph import DependencyGraph, EdgeKind, TaskKind
from dlbricks.whatif.simulate import replay
from dlbricks.whatif.transforms import all_transforms

TIMES = st.lists(st.integers(1_000, 10_000_000), min_size=1, max_size=12)


def step(
    name: str, time_ns: int, *, operator: str = "Conv", result: float | None = None, **other: Any
) -> MeasuredLayer:
    """Make a layer whose result is what it took, unless another is given."""
    figures = {"flops": 1e6, "read_bytes": 4e4, "written_bytes": 4e4, "parameter_bytes": 1e4}
    given = {"fingerprint": name, "depends_on": (), **figures, **other}
    stored = float(time_ns) if result is None else result
    return MeasuredLayer(name=name, operator=operator, profiled_ns=time_ns, stored_ns=stored, others_ns=stored, **given)


def variant(times_ns: list[int], *, name: str = "all", factor: float = 1.0, overhead_ns: int = 5_000) -> Variant:
    """Make a network of layers in a row that take so long."""
    steps = tuple(
        step(f"layer{index}", round(time * factor), fingerprint=f"{name}{index}") for index, time in enumerate(times_ns)
    )
    latency_ns = sum(one.profiled_ns for one in steps) + overhead_ns
    return Variant(name=name, batch=1, latency_ns=latency_ns, call_overhead_ns=overhead_ns, steps=steps)


@given(TIMES)
def test_the_graph_of_a_network_takes_as_long_as_it_was_measured(times_ns: list[int]) -> None:
    """Steps and call overhead add up to the latency of the whole, whatever the profiler added."""
    made = variant(times_ns)
    assert replay(made.graph("net")).makespan_ns == made.latency_ns


@given(TIMES, st.floats(0.25, 4))
def test_what_slows_results_as_it_slows_the_run_before_cancels(times_ns: list[int], slow: float) -> None:
    """If every layer alone takes so much longer, before and after, the prediction is the same."""
    before, after = variant(times_ns), variant(times_ns, name="after", factor=0.5)
    plain = by_layers(before, after, lambda one: one.stored_ns)
    slower = by_layers(before, after, lambda one: (one.stored_ns or 0) * slow)
    assert plain is not None
    assert slower == pytest.approx(plain, abs=2 + 1e-6 * plain)
    assert plain == pytest.approx(after.latency_ns, rel=1e-3, abs=len(times_ns))


@given(TIMES)
def test_layers_that_stay_keep_their_time(times_ns: list[int]) -> None:
    """The same graph after is predicted to take as long as before, however wrong the results are."""
    made = variant(times_ns)
    assert by_layers(made, made, lambda _: 7.0) == made.latency_ns


def test_nothing_is_predicted_from_a_graph_with_an_unknown_layer() -> None:
    """A layer without a result, before or after, leaves the whole without a prediction."""
    before, after = variant([1_000, 2_000]), variant([1_000, 2_000], name="after")
    assert by_layers(before, after, lambda one: None if one.fingerprint == "after1" else one.stored_ns) is None


@given(TIMES, st.floats(0.5, 8))
def test_what_all_other_networks_show_is_predicted(times_ns: list[int], factor: float) -> None:
    """If all layers of others take so many times as long, so do those of the network."""
    others = grown_layers(variant([2_000, 50_000, 900_000]), variant([2_000, 50_000, 900_000], factor=factor))
    before = variant(times_ns)
    growth = Growth(others)
    low, high = sorted([sum(before.times_ns()), sum(before.times_ns()) * factor])
    predicted = sum(growth.time_ns(one, own) for one, own in zip(before.steps, before.times_ns(), strict=True))
    soft = 500 * max(1.0, factor) * len(times_ns)
    assert low * 0.99 - soft <= predicted <= high * 1.01 + soft
    long = step("long", 5_000_000)
    assert growth.time_ns(long, 5_000_000.0) == pytest.approx(5_000_000 * factor, rel=0.25)


def written(path: Path, name: str, factor: float) -> None:
    """Write a network with two variants."""
    columns = {
        "name": ["conv", "relu"],
        "operator": ["Conv", "Relu"],
        "depends_on": [[], [0]],
        "profiled_ns": [90_000, 10_000],
        "flops": [1e6, 1e3],
        "read_bytes": [4e4, 4e3],
        "written_bytes": [4e3, 4e3],
        "parameter_bytes": [4e4, 0],
    }
    first, second = ({**columns, "fingerprint": [f"{key}a", f"{key}b"]} for key in ("one", "eight"))
    row = {"batch": 1, "steps": first, "call_overhead_ns": 1_000, "stored_ns": [90_000, 10_000]}
    grown = {**row, "batch": 8, "steps": second, "stored_ns": [90_000 * factor, 10_000 * factor]}
    content = {
        "network": name,
        "variants": {
            "all": {**row, "samples_ns": [101_000, 101_000, 500_000]},
            "batch8": {**grown, "samples_ns": [round(100_000 * factor + 1_000)]},
        },
    }
    with lzma.open(path, "ab") as file:
        file.write(json.dumps(content).encode() + b"\n")


def test_back_tests_name_what_they_knew(tmp_path: Path) -> None:
    """A batch is predicted by the transform, from other networks, and from results; eight calls are what is before."""
    for name in ("one", "other"):
        written(tmp_path / "two", name, 8.0)
    tests = processor_backtests(tmp_path / "two", all_transforms())
    of_batch = [test for test in tests if test.case == "one"]
    assert [test.transform.partition(",")[2].strip() for test in of_batch] == ["", "pairs", "stored"]
    assert all(test.before_ns == 8 * 101_000 for test in of_batch)
    assert of_batch[-1].error == pytest.approx(0.0, abs=0.01)
    assert of_batch[1].error == pytest.approx(0.0, abs=0.1)


KNOWN = all_transforms()


def network(name: str, time_ns: int) -> DependencyGraph:
    """Make a network of two equal layers of the host, one behind the other."""
    builder = GraphBuilder(name=name)
    lane = Lane(process="p", name="host")
    for layer in ("first", "second"):
        builder.task(TaskKind.CPU, layer, lane, time_ns, layer=layer, operator="Gemm", flops=1e6)
    builder.edge(EdgeKind.DATA, 0, 1)
    return builder.built()


CHOICES = {"wake": ("0us", "10us", "50us")}


@given(st.floats(1e3, 1e9), st.floats(1e3, 1e9))
def test_the_truth_of_a_network_has_no_say_in_its_own_prediction(truth: float, other: float) -> None:
    """Whatever was measured of it, the same choice is made for it."""
    graphs = {name: network(name, 100_000) for name in ("mine", "a", "b")}
    one, two = (
        fitted(
            "threads:1,from=2,efficiency=0%,memory=0%",
            CHOICES,
            graphs,
            {"mine": mine, "a": 2e5, "b": other},
            all_transforms(),
        )
        for mine in (truth, 3e5)
    )
    assert one["mine"] == two["mine"]


def test_what_made_the_others_is_found() -> None:
    """Networks that were made with one choice lead to it, and so to the time of the one that is left out."""
    graphs = {name: network(name, time_ns) for name, time_ns in (("a", 100_000), ("b", 300_000), ("c", 900_000))}
    wanted = {name: 2.0 * (graph.duration_ns[0] - 10_000) for name, graph in graphs.items()}
    made = fitted("threads:1,from=2,efficiency=0%,memory=0%", CHOICES, graphs, wanted, all_transforms())
    assert made["a"] == ("threads:1,from=2,efficiency=0%,memory=0%,wake=10us", 180_000.0)


def test_networks_that_a_transform_refuses_are_left_out() -> None:
    """A network of a processor has no kernels to convert, and alone nothing is fitted to."""
    graphs = {"a": network("a", 1_000), "b": network("b", 1_000)}
    truth = {"a": 1.0, "b": 1.0}
    assert not fitted("fp8", {"quantise": ("separate", "fused")}, graphs, truth, all_transforms())
    assert not fitted("threads:1,from=2,efficiency=0%,memory=0%", CHOICES, {"a": graphs["a"]}, truth, all_transforms())


times = st.floats(1, 1e12)


def one(before: float, predicted: float, truth: float | None, transform: str = "faster:2") -> BackTest:
    """A back-test of a case."""
    return BackTest(transform=transform, case="net", before_ns=before, predicted_ns=predicted, truth_ns=truth)


@given(times, times, times)
def test_errors_of_time_and_gain_agree(before: float, predicted: float, truth: float) -> None:
    """The error of the gain is that of the time, measured in times before, the other way round."""
    made = one(before, predicted, truth)
    rounding = 1e-12 * max(predicted, truth, before)
    assert made.error == pytest.approx((predicted - truth) / truth, rel=1e-6, abs=rounding / truth)
    assert made.gain_error == pytest.approx((truth - predicted) / before, rel=1e-6, abs=rounding / before)


@pytest.mark.parametrize(
    ("predicted", "truth", "wrong"), [(90, 110, True), (90, 80, False), (110, 80, True), (99, 104, False)]
)
def test_a_sign_is_wrong_where_it_counts(predicted: float, truth: float, wrong: bool) -> None:
    """A gain within 5 % of the time before may be predicted to be a loss."""
    assert one(100, predicted, truth).sign_is_wrong is wrong


def test_without_a_truth_there_is_no_error() -> None:
    """The prediction is shown all the same, and nothing sums it up."""
    made = one(100, 80, None)
    assert (made.error, made.gain, made.gain_error, made.sign_is_wrong) == (None, None, None, False)
    assert made.predicted_gain == pytest.approx(0.2)
    assert summaries([made]) == ()


def test_few_cases_are_summed_up_by_their_worst() -> None:
    """Of 19 and more one that a tenth of further cases may pass; parameters do not tell transforms apart."""
    few = [one(100, 100 + error, 100, f"faster:{error}") for error in (1, 2, 30)]
    (made,) = summaries(few)
    assert (made.transform, made.cases) == ("faster", 3)
    assert made.percentile_error == pytest.approx(0.3)
    (many,) = summaries([one(100, 100 + error, 100) for error in range(29)])
    assert many.percentile_error == pytest.approx(0.26)
    assert many.median_error == pytest.approx(0.14)
    assert many.median_gain_error == pytest.approx(0.14)


def test_transforms_are_summed_up_apart_or_together() -> None:
    """In the order in which they are met."""
    tests = [one(100, 90, 80, "b"), one(100, 90, 80, "a:1"), one(100, 90, 80, "b:2")]
    assert [(made.transform, made.cases) for made in summaries(tests)] == [("b", 2), ("a", 1)]
    assert [(made.transform, made.cases) for made in summaries(tests, together="all")] == [("all", 3)]
