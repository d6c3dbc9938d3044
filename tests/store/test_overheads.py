"""What a call costs without its node."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from dlbricks.store.summary import _without_node
from dlbricks.store.types import CallOverheads

STATES = ("near_ns", "constants_ns", "repeated_ns")
_TIMES = st.fixed_dictionaries({state: st.integers(1, 10**6) for state in STATES})


def said(nodes: int, provider: str = "cpu") -> dict[str, Any]:
    """Make as much of a result as is looked at."""
    listed = [{"role": "overhead", "layers": 1}, {"role": "nodes", "layers": nodes}]
    return {"suite": {"manifest": {"benchmarks": listed}}, "runtime": {"provider": provider}}


@given(_TIMES, st.integers(0, 1000), st.integers(2, 100))
def test_calls_and_nodes_are_told_apart(calls: dict[str, int], node_ns: int, nodes: int) -> None:
    """A machine whose calls cost so much and whose nodes cost so much is found to be that machine, in every state."""
    one = CallOverheads(**{state: took + node_ns for state, took in calls.items()})
    many = CallOverheads(**{state: took + nodes * node_ns for state, took in calls.items()})
    assert _without_node(one, many, said(nodes)) == CallOverheads(**calls)


@given(_TIMES, _TIMES)
def test_nothing_is_taken_out_twice(calls: dict[str, int], chain: dict[str, int]) -> None:
    """Whatever was measured, what is left of a call is no more than it took, and never below 0."""
    one = CallOverheads(**calls)
    left = _without_node(one, CallOverheads(**chain), said(65))
    assert all(0 <= getattr(left, state) <= getattr(one, state) for state in STATES)


def test_without_a_chain_the_call_is_what_it_was() -> None:
    """Results of suites that carry none, and of accelerators, where nodes run beside each other."""
    one, many = CallOverheads(repeated_ns=10), CallOverheads(repeated_ns=100)
    assert _without_node(one, CallOverheads(), said(65)) == one
    assert _without_node(one, many, said(65, provider="cuda")) == one
