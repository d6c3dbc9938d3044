"""Benchmarks of the same operators find each other."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from dlbricks.harness.cache_state import LONG_CALL_NS, CodeWarmUp

_LOADED = st.lists(
    st.fixed_dictionaries(
        {
            "fingerprint": st.text("abcdef", min_size=4, max_size=4),
            "role": st.sampled_from(["sequence", "sequence", "anchor"]),
            "operators": st.sampled_from([["Conv"], ["MatMul"], ["Conv", "Relu"]]),
            "weight_bytes": st.integers(0, 100),
            "activation_bytes": st.integers(0, 100),
            "call_ns": st.sampled_from([1, 1, LONG_CALL_NS]),
        }
    ),
    unique_by=lambda one: one["fingerprint"],
    max_size=12,
)


@given(_LOADED)
def test_the_smallest_other_one_is_found(loaded: list[dict[str, Any]]) -> None:
    """Of the same operators, another short sequence, and none that touches less; none if there is none."""
    same_code = CodeWarmUp()
    for one in loaded:
        same_code.add(one, one["call_ns"])
    for one in loaded:
        others = [
            (other["weight_bytes"] + other["activation_bytes"], other["fingerprint"])
            for other in loaded
            if other["role"] == one["role"] == "sequence"
            and max(other["call_ns"], one["call_ns"]) < LONG_CALL_NS
            and other["operators"] == one["operators"]
            and other is not one
        ]
        assert same_code.other(one["fingerprint"]) == (min(others)[1] if others else None)
