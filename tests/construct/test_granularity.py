import dataclasses
import itertools
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlbricks.construct.granularity import (
    CostModel,
    GranularityRow,
    SettingEvidence,
    TargetEvidence,
    choose,
    evidence_of,
    evidence_text,
    fit_cost,
    learned,
    read_evidence,
    tabulate,
)
from dlbricks.construct.network_uses import (
    BenchmarkUse,
    NetworkOrder,
    RefusedNetwork,
    Uses,
    gather,
    model_uses,
    network_uses,
    uses_of,
)
from dlbricks.errors import InputError, UnsupportedModelError
from dlbricks.model.lowering.onnxruntime_cpu import lower
from dlbricks.model.read.network import read_model
from dlbricks.model.types import Model
from dlbricks.sequences.split import split
from dlbricks.sequences.types import Granularity
from dlbricks.suite.extraction import benchmarks_from
from tests.construct.made_up import networks

NETWORKS = Path(__file__).parents[2] / "suites" / "networks"
LIMITS = ("1", "2", "4", "8", "inf")
KNOWN_TARGETS = ("portable", "onnxruntime-cpu")
"""Targets of which errors by granularity were measured."""
SETTINGS = tuple((limit, "sequential") for limit in LIMITS)
COST = CostModel(fixed_ns=5e6, layer_ns=5e5, weight_byte_ns=0.8, calls=4.0)


@st.composite
def rows(draw: st.DrawFn) -> GranularityRow:
    benchmarks, uses = sorted((draw(st.integers(1, 100)), draw(st.integers(1, 1000))))
    return GranularityRow(
        granularity=draw(st.sampled_from(LIMITS)),
        rule=draw(st.sampled_from(["sequential", "pairs"])),
        benchmarks=benchmarks,
        uses=uses,
        reuse=uses / benchmarks,
        cost_ns=draw(st.integers(0, 10**12)),
        error=draw(st.floats(0, 1)),
        standard_error=draw(st.floats(0, 0.2)),
        worst_error=1.0,
        composed=draw(st.booleans()),
    )


def use(name: str, uses: int = 1, layers: int = 1, weight_bytes: int = 0, predicted_ns: float = 0.0) -> BenchmarkUse:
    return BenchmarkUse(
        fingerprint=name, uses=uses, layers=layers, weight_bytes=weight_bytes, predicted_ns=predicted_ns
    )


uses = st.builds(
    use,
    st.text("abcdef", min_size=1, max_size=2),
    st.integers(1, 9),
    st.integers(1, 8),
    st.integers(0, 10**8),
    st.floats(2e3, 1e9),
)


def evidence(*ratios: tuple[float, ...]) -> TargetEvidence:
    known = [
        SettingEvidence(granularity=limit, rule="sequential", ratios=one)
        for limit, one in zip(LIMITS, ratios, strict=False)
    ]
    return TargetEvidence(target="portable", evidence="made up", cost=COST, settings=tuple(known))


@given(st.lists(rows(), min_size=1, max_size=9))
def test_chosen_is_the_cheapest_row_that_is_hardly_worse_than_the_best(made: list[GranularityRow]) -> None:
    """The cheapest of the rows within one standard error of the least error, composed if any is."""
    chosen = choose(made)
    assert chosen in made
    candidates = [row for row in made if row.composed] or made
    assert chosen in candidates
    least = min(row.error for row in candidates)
    limits = [row.error + row.standard_error for row in candidates if row.error == least]
    assert chosen.error <= max(limits)
    assert all(row.cost_ns >= chosen.cost_ns for row in candidates if row.error <= min(limits))


@given(
    st.lists(rows(), min_size=1, max_size=6, unique_by=lambda row: (row.error, row.cost_ns)),
    st.randoms(use_true_random=False),
)
def test_the_choice_depends_on_nothing_else(made: list[GranularityRow], random: Random) -> None:
    """Neither the order of the rows nor the speed of the evidence's machine matters."""
    distinct = len({row.error for row in made}) == len(made)
    mixed = list(made)
    random.shuffle(mixed)
    slower = [dataclasses.replace(row, cost_ns=3 * row.cost_ns) for row in made]
    if distinct:
        assert choose(mixed) == choose(made)
    assert choose(slower).setting == choose(made).setting


def test_one_standard_error_by_hand() -> None:
    """Errors 3, 2.0 ± 0.5 and 2.4 %: the third is near enough, and cheaper than the best."""
    first, second, third = (
        GranularityRow(
            granularity=limit,
            rule="sequential",
            benchmarks=1,
            uses=2,
            reuse=2.0,
            cost_ns=cost_ns,
            error=error,
            standard_error=0.005,
            worst_error=error,
            composed=True,
        )
        for limit, cost_ns, error in (("1", 10, 0.03), ("2", 30, 0.02), ("4", 20, 0.024))
    )
    assert choose([first, second, third]) == third
    assert choose([first, second]) == second
    whole = dataclasses.replace(first, granularity="inf", error=0.001, composed=False)
    assert choose([first, second, third, whole]) == third
    assert choose([whole]) == whole


@given(st.lists(uses, min_size=1, max_size=9), st.lists(uses, min_size=1, max_size=9))
def test_shared_benchmarks_cost_once(first: list[BenchmarkUse], second: list[BenchmarkUse]) -> None:
    """A suite of two networks costs at most the sum of two suites, and at least either; reuse is at least 1.

    The same network twice costs nothing more and is reused twice as much.
    """
    known = evidence((1.0, 1.1))

    def row(*sets: list[BenchmarkUse]) -> GranularityRow:
        made = [{("1", "sequential"): tuple({one.fingerprint: one for one in each}.values())} for each in sets]
        return tabulate(made, known).rows[0]

    shared = {one.fingerprint: one for one in first}
    second = [dataclasses.replace(shared.get(one.fingerprint, one), uses=one.uses) for one in second]
    one, other, both, twice = row(first), row(second), row(first, second), row(first, first)
    assert max(one.cost_ns, other.cost_ns) - 1 <= both.cost_ns <= one.cost_ns + other.cost_ns + 1
    assert both.uses == one.uses + other.uses
    assert both.reuse >= 1
    assert (twice.benchmarks, twice.cost_ns, twice.reuse) == (one.benchmarks, one.cost_ns, 2 * one.reuse)


@pytest.mark.parametrize("name", ["tv_squeezenet1_1", "hf_distilbert", "tv_resnet18"])
@pytest.mark.parametrize("target", KNOWN_TARGETS)
def test_reuse_falls_as_h_rises(name: str, target: str) -> None:
    """Longer sequences are fewer and less shared; a network in one piece has one use."""
    portable = read_model(NETWORKS / f"{name}.onnx")
    made = model_uses(portable if target == "portable" else lower(portable), SETTINGS)
    table = tabulate([made], evidence((1.0, 1.1), (1.0, 1.1), (1.0, 1.1), (1.0, 1.1), (1.0, 1.1)))
    assert [row.granularity for row in table.rows] == list(LIMITS)
    assert all(one.reuse >= other.reuse for one, other in itertools.pairwise(table.rows))
    assert all(one.uses > other.uses for one, other in itertools.pairwise(table.rows))
    assert (table.rows[-1].uses, table.rows[-1].reuse, table.rows[-1].composed) == (1, 1.0, False)
    assert all(row.composed for row in table.rows[:-1])
    assert table.chosen in table.rows[:-1]


def agree(model: Model, limit: str, *, unions: bool) -> None:
    parts = split(model, Granularity.parse(limit))
    known = {one.benchmark.fingerprint: one.benchmark for one in benchmarks_from(parts, unions=unions)}
    made = uses_of(parts, unions=unions)
    assert [one.fingerprint for one in made] == sorted(known)
    assert all(one.layers == known[one.fingerprint].layers for one in made)
    assert all(one.weight_bytes == known[one.fingerprint].weight_bytes for one in made)


@pytest.mark.parametrize("unions", [False, True])
@pytest.mark.parametrize("name", ["misc_lstm_lm", "tv_squeezenet1_1", "int8_tv_resnet18"])
def test_what_is_counted_is_what_a_suite_holds(name: str, *, unions: bool) -> None:
    """Benchmarks, their layers and their weights equal those of ``generate``."""
    agree(read_model(NETWORKS / f"{name}.onnx"), "4", unions=unions)


@given(networks(), st.sampled_from(LIMITS))
def test_what_is_counted_is_what_the_splitter_gives(model: Model, limit: str) -> None:
    """Every sequence of real layers is one use, whatever the network."""
    parts = split(model, Granularity.parse(limit))
    real = [one for one in parts.sequences if not all(model.layers[index].is_view for index in one.layers)]
    made = uses_of(parts, unions=False)
    assert sum(one.uses for one in made) == sum(one.skip is None for one in real)
    assert len({one.fingerprint for one in made}) == len(made)


@given(st.lists(uses, min_size=1, max_size=30), st.lists(st.floats(0, 1e11), min_size=30, max_size=30))
def test_fitted_costs_are_never_negative(benchmarks: list[BenchmarkUse], walls_ns: list[float]) -> None:
    """No predicted cost and no term is negative."""
    made = fit_cost(benchmarks, walls_ns[: len(benchmarks)])
    assert min(made.fixed_ns, made.layer_ns, made.weight_byte_ns, made.calls) >= 0
    assert all(made.cost_ns(one) >= 0 for one in benchmarks)


def test_costs_that_follow_the_model_are_found_again() -> None:
    """Without noise the fit returns the terms."""
    benchmarks = [
        use(f"{index}", 1, 1 + index % 7, index * index * 1000, 3e3 * (index % 11) ** 3 + 2e3) for index in range(40)
    ]
    made = fit_cost(benchmarks, [COST.cost_ns(one) for one in benchmarks])
    assert dataclasses.astuple(made) == pytest.approx(dataclasses.astuple(COST), rel=1e-6)


def test_evidence_comes_back_as_written() -> None:
    """With four digits."""
    known = (evidence((1.0, 1.1234), (0.9, 1.0)), *learned())
    assert read_evidence(evidence_text(known)) == known


def test_every_target_can_be_chosen_for() -> None:
    """The package has evidence for each target, with distinct settings and the same networks."""
    for target in KNOWN_TARGETS:
        known = evidence_of(target)
        settings = [one.setting for one in known.settings]
        assert len(set(settings)) == len(settings) > 0
        assert len({len(one.ratios) for one in known.settings}) == 1
        assert len(known.settings[0].ratios) >= 2
        assert all(ratio > 0 for one in known.settings for ratio in one.ratios)
        assert all(Granularity.parse(limit) for limit, _ in settings)
    with pytest.raises(InputError, match="there is no evidence"):
        evidence_of("other")


def test_networks_that_cannot_be_used_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a suite: reported, and the others counted; without any it is an error."""

    def refuse(_path: Path, *, dims: dict[str, int], batch: int | None) -> Model:
        raise UnsupportedModelError(f"no {len(dims)}" if batch is None else "batch")

    order = NetworkOrder(path=NETWORKS / "misc_lstm_lm.onnx", dims=(), target="portable", threads=1, settings=SETTINGS)
    messages: list[tuple[str, int, int]] = []
    made, refused = gather([order], 1, lambda *message: messages.append(message))
    assert (len(made), refused, messages[-1][1:]) == (1, [], (1, 1))
    assert isinstance(made[0], dict)
    assert made[0] == network_uses(order)
    monkeypatch.setattr("dlbricks.construct.network_uses.read_batched", refuse)
    assert network_uses(order) == RefusedNetwork(path=order.path, reason="no 0")
    with pytest.raises(UnsupportedModelError, match="no 0"):
        gather([order], 1, lambda *_: None)


def test_rules_that_are_not_asked_for_are_left_out() -> None:
    """Only rows of the rules named, and one of them is chosen."""
    plain = SettingEvidence(granularity="1", rule="sequential", ratios=(1.0, 1.01))
    paired = SettingEvidence(granularity="1", rule="pairs", ratios=(1.2, 1.3))
    known = TargetEvidence(target="portable", evidence="made up", cost=COST, settings=(plain, paired))
    needed: Uses = {("1", "sequential"): (use("a"), use("b")), ("1", "pairs"): (use("a"), use("b"), use("ab"))}
    assert tabulate([needed], known).chosen.rule == "sequential"
    made = tabulate([needed], known, rules=("pairs",))
    assert [row.rule for row in made.rows] == ["pairs"]
    assert made.chosen.benchmarks == 3
