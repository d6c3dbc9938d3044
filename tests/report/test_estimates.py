import dataclasses
import io
import json

import msgspec

from dlbricks.construct.comparison import faster
from dlbricks.construct.estimate import estimate
from dlbricks.construct.types import Composition, Estimate, Rule
from dlbricks.report.console import show, to_json
from dlbricks.report.estimates import estimates_report, faster_report, queue_line, states_line
from dlbricks.report.results import ns_range
from dlbricks.store.types import Caches, SystemResults
from tests.construct.made_up import composition, in_states, on_device, paired, placed, results
from tests.store.stored import QUEUE, queue_times

FAR = ((8, 2**40, 1),)


def measured(*, spread_ns: int = 0) -> SystemResults:
    known = results({"a": 2000, "b": 1000, "ab": 2900}, spread_ns=spread_ns)
    known = dataclasses.replace(known, caches=Caches(memory_byte_ns=62.5))
    return in_states(known, {"a": (1000, 1500)})


def made(of: Composition, known: SystemResults, rule: str = "sequential") -> Estimate:
    return estimate(of, known, Rule.parse(rule))


def text_of(one: Estimate) -> str:
    stream = io.StringIO()
    show(*estimates_report([one]), file=stream)
    return stream.getvalue()


def test_a_line_tells_where_the_time_is_from() -> None:
    """Shares of near, constants, outputs and inputs, and where the miss curve comes from."""
    at = placed(composition(["a", "b"]), 0, constants=FAR, outputs=FAR, inputs=FAR)
    line = states_line(made(at, measured()))
    assert "of the total: 66.7% compute" in line
    assert "16.7% weights from memory, 16.7% writing outputs, 0.0% reading inputs (miss curve assumed)" in line
    assert line in text_of(made(at, measured()))


def test_tiers_tell_measured_from_missing_and_foreign() -> None:
    """A row says where its figure comes from, and if it is of another configuration than asked for."""
    text = text_of(made(composition(["a", "z"]), dataclasses.replace(measured(), mismatch=("threads",))))
    assert "measured, mismatch" in text
    assert "at least" in text
    assert "missing" in text


def test_an_unknown_estimate_states_no_expected_error() -> None:
    """Errors of validated estimates say nothing about one without a measured sequence, in text and JSON."""
    unknown = made(composition(["absent"]), measured())
    assert (unknown.expected, unknown.evidence) == (None, "")
    text = text_of(unknown)
    assert "expected error unknown: no sequence was measured" in text
    assert "no sequence was measured" not in text_of(made(composition(["a"]), measured()))


def test_networks_are_named_where_their_expected_errors_differ() -> None:
    """One error beside another would contradict it."""
    estimates = [dataclasses.replace(made(composition([name]), measured()), network=name) for name in ("absent", "a")]
    stream = io.StringIO()
    show(*estimates_report(estimates), file=stream)
    (line,) = [line for line in stream.getvalue().splitlines() if "expected error" in line]
    assert "absent: expected error unknown: no sequence was measured; a: expected error" in line


def test_pairs_are_told_when_there_are_any() -> None:
    """How many of the pairs were measured together and what that adds; nothing under other rules."""
    chain = paired(composition(["a", "b", "a"]), (0, 1, "ab"), (1, 2, "ba"))
    assert "pairs: 1 of 2 measured together; this changes the total by +" in text_of(made(chain, measured(), "pairs"))
    assert "pairs:" not in text_of(made(chain, measured()))


def test_an_interval_that_says_nothing_is_none() -> None:
    """Single calls have no spread: figures such as 0 ns and 158 % would be read."""
    for text in (text_of(made(composition(["a"]), measured(spread_ns=spread))) for spread in (10, 5000)):
        assert ("no interval: the errors exceed the estimate" in text) == ("uncertainty:" not in text)
    assert "0 ns to" not in text
    assert "uncertainty:" not in text
    assert ns_range(0, 10) == "no interval"


def test_a_probability_is_explained_where_a_column_has_it() -> None:
    """An estimate without an interval has none, so nothing is said about it."""
    sharp, vague = (made(composition(["a"]), measured(spread_ns=spread)) for spread in (10, 5000))
    for other, explained in ((sharp, True), (vague, False)):
        stream = io.StringIO()
        show(*faster_report([faster(sharp, other)], [[sharp], [other]]), file=stream)
        assert (stream.getvalue().count("probability") == 2) == explained
        assert ("probability" in stream.getvalue()) == explained


def test_json_holds_shares_tiers_and_parts() -> None:
    """Scripts find what people read."""
    estimate = made(composition(["a", "z"]), measured(spread_ns=10))
    (one,) = json.loads(to_json("estimate", {"networks": [estimate]}))["networks"]
    assert (one["total_ns"], one["low_ns"], one["high_ns"]) == (estimate.total_ns, None, None)
    assert one["states"] == {"llc_warm": 1.0, "weights_cold": 0.0, "outputs": 0.0, "inputs": 0.0}
    assert [row["tier"] for row in one["rows"]] == ["measured", "missing"]
    assert (one["curve"], one["coverage"], one["parts"]["sampling_low_ns"]) == ("assumed", 0.5, 10)


def test_on_a_device_a_line_tells_which_of_host_and_device_decides() -> None:
    """Instead of places in the caches of a processor; without times of both nothing but the bounds is shown."""
    known = on_device({"a": queue_times(1), "b": queue_times(3)}, QUEUE)
    one = made(composition(["a", "b"]), known)
    assert one.queue is not None
    text = text_of(one)
    assert queue_line(one.queue, one.total_ns) in text
    assert "launching kernels takes 12 us, computing 80 us (5 ns of it to read constants from memory)" in text
    assert "; computing is " in text
    assert "miss curve" not in text
    known.measurements["b"] = msgspec.structs.replace(known.measurements["b"], queue=None)
    text = text_of(made(composition(["a", "b"]), known))
    assert "unknown" in text
    assert "no times of host and device" in text
    assert "by sequence" not in text
