import dataclasses

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlbricks.construct.estimate import estimate
from dlbricks.construct.types import Rule
from dlbricks.store.types import Caches
from tests.construct.made_up import composition, in_states, paired, placed, results, work_of

PAIRS = Rule.PAIRS
CURVE = ((2**20, 0.0), (2**24, 1.0))
"""A machine that holds 1 MiB, half of what is 4 MiB back, and nothing of what is 16 MiB back."""

SEQUENTIAL = Rule.SEQUENTIAL


def test_call_overhead_is_taken_out_of_each_step_and_put_once_on_the_whole() -> None:
    """The total is the sum of the latencies minus n call overheads, plus one."""
    made = estimate(composition(["a", "b", "a"]), results({"a": 100, "b": 50}, overhead_ns=10), SEQUENTIAL)
    assert made.total_ns == 90 + 40 + 90 + 10
    assert made.coverage == 1.0
    assert made.missing == ()


def test_a_step_is_never_shorter_than_nothing() -> None:
    """A latency below the call overhead counts as 0 and does not shorten other steps."""
    assert estimate(composition(["a", "b"]), results({"a": 4, "b": 50}, overhead_ns=10), SEQUENTIAL).total_ns == 50


def test_views_cost_nothing() -> None:
    """A step of views is free, counts as covered, and is never missing."""
    made = estimate(composition(["a", "v"], free=[1]), results({"a": 100}), SEQUENTIAL)
    assert (made.total_ns, made.coverage, made.missing) == (100, 1.0, ())
    assert [row.tier for row in made.rows] == ["measured", "free"]


def test_a_network_without_measured_sequences_has_no_total() -> None:
    """Call overhead and views alone are no estimate of a network without measured sequences."""
    made = estimate(composition(["v", "a"], free=[0]), results({"b": 100}, overhead_ns=10), SEQUENTIAL)
    assert (made.total_ns, made.low_ns, made.high_ns) == (0, 0, 0)
    assert made.missing == ("a",)


def test_missing_sequences_are_listed_once_and_in_order() -> None:
    """What has no result is named by its fingerprint, the coverage counts its layers; a lower bound has no interval."""
    made = estimate(composition(["z", "a", "z", "m"]), results({"a": 100}), SEQUENTIAL)
    assert made.missing == ("z", "m")
    assert (made.covered_layers, made.layers) == (1, 4)
    assert (made.total_ns, made.low_ns, made.high_ns) == (100, 0, 0)
    assert made.nulls == ("low_ns", "high_ns")
    assert [row.tier for row in made.rows] == ["measured", "missing", "missing"]


def test_rows_fall_and_add_up() -> None:
    """Rows are sorted by falling total; totals add up to the sequential sum, shares to 1."""
    made = estimate(composition(["a", "b", "a", "c"]), results({"a": 100, "b": 300, "c": 7}), SEQUENTIAL)
    assert [row.fingerprint for row in made.rows] == ["b", "a", "c"]
    assert sum(row.total_ns for row in made.rows) == made.total_ns
    assert sum(row.share for row in made.rows) == pytest.approx(1.0)
    assert [row.count for row in made.rows] == [1, 2, 1]


def test_equal_steps_err_together() -> None:
    """Four uses of one sequence have four times its uncertainty; four different sequences only twice."""
    same = estimate(composition(["a"] * 4), results({"a": 1000}, spread_ns=100), SEQUENTIAL)
    names = ["a", "b", "c", "d"]
    different = estimate(composition(names), results(dict.fromkeys(names, 1000), spread_ns=100), SEQUENTIAL)
    assert same.parts.sampling_low_ns == same.parts.sampling_high_ns == 400
    assert different.parts.sampling_high_ns == 200


def test_what_drifts_for_parts_and_whole_alike_is_no_error() -> None:
    """An estimate interleaved with the network has no drift in its interval; one from a store has."""
    drifted = dataclasses.replace(results({"a": 1000}), drift=0.25)
    apart, beside = (
        estimate(composition(["a"]), drifted, SEQUENTIAL, interleaved=interleaved) for interleaved in (False, True)
    )
    assert (apart.parts.drift, beside.parts.drift) == (0.25, 0.0)
    assert apart.total_ns == beside.total_ns


def test_an_empty_network_takes_one_call() -> None:
    """Without steps the total is the call overhead, and coverage is 1."""
    made = estimate(composition([]), results({}, overhead_ns=7), SEQUENTIAL)
    assert (made.total_ns, made.coverage) == (7, 1.0)


def test_a_step_pays_for_what_has_left_the_caches() -> None:
    """Near latency, all of the far constants, half of the outputs, inputs of the network minus the prefetched part."""
    measured = in_states(results({"a": 200}, overhead_ns=10), {"a": (100, 200)})
    measured = dataclasses.replace(measured, caches=Caches(curve=CURVE, written=CURVE, memory_byte_ns=5.0))
    at = placed(composition(["a"]), 0, constants=((8, 2**30, 1),), outputs=((8, 2**22, 1),), inputs=((8, 2**30, 1),))
    made = estimate(at, measured, SEQUENTIAL)
    assert made.total_ns == 90 + 100 + 20 + 31 + 10
    assert (made.states.llc_warm, made.states.weights_cold) == pytest.approx((90 / 241, 100 / 241))
    assert (made.states.outputs, made.states.inputs) == pytest.approx((20 / 241, 31 / 241))
    assert made.traits.fetching == pytest.approx(151 / 241)
    assert made.curve == "measured"


def test_uses_of_a_sequence_differ_by_their_place() -> None:
    """The same sequence near and far: a row has the mean of one use and the sum of all."""
    measured = dataclasses.replace(in_states(results({"a": 300}), {"a": (100, 300)}), caches=Caches(curve=CURVE))
    (row,) = estimate(placed(composition(["a", "a"]), 1, constants=((8, 2**30, 1),)), measured, SEQUENTIAL).rows
    assert (row.count, row.each_ns, row.total_ns) == (2, 200, 400)


def test_one_state_is_the_latency() -> None:
    """A sequence measured back to back takes that latency at any distance, minus its own call overhead."""
    at = placed(composition(["a"]), 0, constants=((8, 2**30, 1),), inputs=((8, 2**30, 1),))
    made = estimate(at, results({"a": 100}, overhead_ns=10), SEQUENTIAL)
    assert (made.total_ns, made.states.llc_warm, made.curve) == (100, 1.0, "assumed")


def test_noise_widens() -> None:
    """A noisy measurement counts with twice its interval."""
    quiet = results({"a": 1000}, spread_ns=100)
    noisy = {"a": msgspec.structs.replace(quiet.measurements["a"], verdict="noisy")}
    made = estimate(composition(["a"]), dataclasses.replace(quiet, measurements=noisy), SEQUENTIAL)
    assert (made.parts.sampling_low_ns, made.rows[0].verdict) == (200, "noisy")


def test_results_of_another_configuration_are_marked() -> None:
    """Every figure from such results is marked."""
    other = dataclasses.replace(results({"a": 100}), mismatch=("threads",))
    made = estimate(composition(["a", "b", "v"], free=[2]), other, SEQUENTIAL)
    assert {row.fingerprint: row.mismatch for row in made.rows} == {"a": True, "b": False, "v": False}


@given(st.lists(st.sampled_from("abcd"), min_size=1, max_size=8))
def test_pairs_without_a_measured_union_are_sequential(names: list[str]) -> None:
    """Without unions the rule equals ``sequential``."""
    chain = composition(names)
    pairs = paired(chain, *((index, index + 1, f"union{index}") for index in range(len(names) - 1)))
    known = results({"a": 100, "b": 50, "c": 25}, overhead_ns=3, spread_ns=4)
    made = estimate(pairs, known, PAIRS)
    assert (made.pairs_measured, made.pairs_missing, made.correction_ns) == (0, len(names) - 1, 0)
    plain = estimate(chain, known, SEQUENTIAL)
    assert (made.total_ns, made.rows, made.states) == (plain.total_ns, plain.rows, plain.states)
    assert made.parts.sampling_low_ns == plain.parts.sampling_low_ns


def test_a_measured_union_replaces_the_sum_of_its_two() -> None:
    """T = T(ab) + T(bc) - T(b): each boundary counts once."""
    chain = paired(composition(["a", "b", "c"]), (0, 1, "ab"), (1, 2, "bc"))
    known = results({"a": 100, "b": 50, "c": 80, "ab": 140, "bc": 135}, overhead_ns=10)
    made = estimate(chain, known, PAIRS)
    assert made.total_ns == (140 - 10) + (135 - 10) - (50 - 10) + 10
    assert made.correction_ns == made.total_ns - 10 - sum(row.total_ns for row in made.rows)
    assert (made.pairs_measured, made.pairs_missing) == (2, 0)


def test_what_a_union_corrects_away_is_certain() -> None:
    """In a chain of two only the union's own interval remains, besides those of parts of the sum."""
    chain = paired(composition(["a", "b"]), (0, 1, "ab"))
    known = results({"a": 1000, "b": 1000, "ab": 1900}, spread_ns=7)
    assert estimate(chain, known, PAIRS).parts.sampling_high_ns == 7


@given(st.lists(st.integers(0, 100), min_size=2, max_size=6), st.lists(st.integers(0, 300), min_size=5, max_size=5))
def test_no_correction_makes_a_network_negative(times: list[int], unions: list[int]) -> None:
    """The total is at least the call overhead."""
    names = [f"s{index}" for index in range(len(times))]
    pairs = [(index, index + 1, f"u{index}") for index in range(len(times) - 1)]
    known = {**dict(zip(names, times, strict=True)), **{f"u{index}": union for index, union in enumerate(unions)}}
    assert estimate(paired(composition(names), *pairs), results(known), PAIRS).total_ns >= 0


def test_parallel_branches_overlap() -> None:
    """With ``parallel`` the longer branch decides the total; shares are those of the sum."""
    diamond = composition(["a", "b", "c"], [(), (0,), (0,)])
    made = estimate(diamond, results({"a": 10, "b": 30, "c": 20}), Rule.PARALLEL)
    assert made.total_ns == 40
    assert [row.share for row in made.rows] == pytest.approx([0.5, 1 / 3, 1 / 6])


def test_only_the_deciding_chain_is_uncertain() -> None:
    """With ``parallel`` the interval follows from the critical path alone."""
    fork = composition(["a", "b"], [(), ()])
    made = estimate(fork, results({"a": 1000, "b": 10}, spread_ns=9), Rule.PARALLEL)
    assert made.parts.sampling_high_ns == 9


def test_twice_as_many_different_sequences_take_about_twice_the_work() -> None:
    """Each row of an estimate has a share of the sum over all steps."""

    def work(count: int) -> int:
        latencies = {f"s{index}": 1000 + index for index in range(count)}
        return work_of(lambda: estimate(composition([*latencies]), results(latencies), Rule.SEQUENTIAL))

    # the first call of all does more
    _, few, many = map(work, (1, 100, 200))
    assert many < 2.5 * few
