from hypothesis import given
from hypothesis import strategies as st

from dlbricks.construct.coverage import DEFAULT_BENCHMARK_NS, coverage, suite_cost_ns
from tests.construct.made_up import composition, results


def test_shared_sequences_are_missing_once() -> None:
    """A sequence that two models lack is one entry with both names and all its uses."""
    first = composition(["a", "b", "b"], model="one")
    second = composition(["b", "c"], model="two")
    made = coverage([first, second], results({"c": 5}))
    assert [(one.fingerprint, one.networks, one.uses) for one in made.missing] == [
        ("b", ("one", "two"), 3),
        ("a", ("one",), 1),
    ]
    assert [(one.network, one.covered_layers, one.covered_sequences) for one in made.networks] == [
        ("one", 0, 0),
        ("two", 1, 1),
    ]


names = st.lists(st.sampled_from("abcdef"), max_size=12)


@given(st.lists(names, max_size=4), st.sets(st.sampled_from("abcdef")))
def test_measuring_what_is_missing_closes_the_gap(models: list[list[str]], known: set[str]) -> None:
    """Known and missing are disjoint; with the missing ones measured, every model is covered wholly."""
    compositions = [composition(steps, model=f"m{index}") for index, steps in enumerate(models)]
    missing = {one.fingerprint for one in coverage(compositions, results(dict.fromkeys(known, 5))).missing}
    assert missing.isdisjoint(known)
    after = coverage(compositions, results(dict.fromkeys(known | missing, 5)))
    assert after.missing == ()
    assert all(one.coverage == 1.0 for one in after.networks)


def test_cost_follows_what_was_measured() -> None:
    """As many times the median cost of stored results; a documented constant without any."""
    assert suite_cost_ns(7, results({"a": 5, "b": 6})) == 7 * 10**9
    assert suite_cost_ns(3, results({})) == 3 * DEFAULT_BENCHMARK_NS
