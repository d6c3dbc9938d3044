"""Decoder steps at any length, predicted from the same steps at a few lengths."""

import dataclasses
import math

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dlbricks.construct.estimate import estimate
from dlbricks.construct.intervals import NO_TRAITS, PROMPT, STEP, choose_band, table
from dlbricks.construct.types import Composition, Rule
from dlbricks.errors import InputError
from dlbricks.model.read.decoders import PAST
from dlbricks.model.types import SequenceFeatures
from dlbricks.plugins.llm.generation import (
    CallTime,
    TokenStep,
    beside,
    call_time,
    chunks_of,
    read_time,
    step_lengths,
    summed,
)
from dlbricks.plugins.llm.lengths import LengthInterpolator, MeasuredPoint, check_comparable_first_step, usable_points
from dlbricks.store.types import QueueConstants, QueueTimes
from tests.construct.made_up import composition, on_device, results

SEQUENTIAL = Rule.parse("sequential")


def step(past: int) -> Composition:
    """Return a network of a product, the same at each length, and an attention over the past."""
    made = composition(["product", f"attention{past}"])
    features = [
        SequenceFeatures(operators=("MatMul",), flops=1000, weight_bytes=1, input_bytes=1, output_bytes=1),
        SequenceFeatures(operators=("Attention",), flops=7 * past + 3, weight_bytes=0, input_bytes=1, output_bytes=1),
    ]
    steps = [
        dataclasses.replace(one, features=known, name=known.operators[0])
        for one, known in zip(made.steps, features, strict=True)
    ]
    return dataclasses.replace(made, steps=tuple(steps))


def point(past: int) -> MeasuredPoint:
    """Return a step after ``past`` tokens."""
    return MeasuredPoint(at={"past": past, "sequence": 1}, composition=step(past))


def attention(one: MeasuredPoint) -> SequenceFeatures:
    """Return the features of its attention."""
    found = one.composition.steps[1].features
    assert found is not None
    return found


def latency_ns(past: int) -> int:
    """Return the latency of its attention."""
    return 50_000 + 40 * past


@given(
    st.lists(st.integers(0, 4096), min_size=2, max_size=4, unique=True),
    st.integers(0, 8192),
)
@example([1, 2], 0)
@example([101, 200], 50)
@example([101, 200], 49)
def test_a_line_over_the_work_goes_through_what_was_measured(points: list[int], past: int) -> None:
    """Latencies linear in the work are exact between and beyond points; measured ones are not predicted."""
    known = results({"product": 900_000} | {f"attention{one}": latency_ns(one) for one in points})
    target, measured = point(past), [point(one) for one in points]
    guesses = LengthInterpolator(target, measured, known, far=True)
    made = estimate(target.composition, known, SEQUENTIAL, interpolator=guesses)
    assert made.missing == ()
    assert made.total_ns == pytest.approx(900_000 + latency_ns(past), abs=2)
    assert made.interpolated_layers == (past not in points)
    if 2 * (past + 1) < min(points) + 1 or past > 2 * max(points):  # after n tokens a step attends to n + 1
        with pytest.raises(InputError, match=f"past={past} is more than twice or less than half a measured length"):
            LengthInterpolator(target, measured, known)


def on_host_and_device(host_ns: int, device_ns: int, half_ns: int) -> QueueTimes:
    """Return times of one kernel."""
    return QueueTimes(
        host_ns=host_ns,
        host_low_ns=host_ns,
        host_high_ns=host_ns,
        device_ns=device_ns,
        device_low_ns=max(0, device_ns - half_ns),
        device_high_ns=device_ns + half_ns,
        kernels=1,
        synchronises=False,
        device_cold_ns=device_ns + 1000,
    )


@given(st.integers(0, 8000), st.lists(st.integers(0, 8000), min_size=2, max_size=3, unique=True), st.integers(0, 500))
def test_a_step_on_a_device_is_as_if_it_had_been_measured(past: int, points: list[int], half_ns: int) -> None:
    """Where its times on host and device are linear in the work; its interval is wider."""
    machine = QueueConstants(call_ns=9_000, launch_lag_ns=4_000, synchronise_ns=5_000, kernel_gap_ns=0)
    product = {"product": on_host_and_device(6_000, 5_000, 0)}
    every = {f"attention{one}": on_host_and_device(7_000, 2_000 + 4 * one, half_ns) for one in {*points, past}}
    known = on_device(product | {f"attention{one}": every[f"attention{one}"] for one in points}, machine)
    target = point(past)
    guesses = LengthInterpolator(target, [point(one) for one in points], known, far=True)
    made = estimate(target.composition, known, SEQUENTIAL, interpolator=guesses)
    wanted = estimate(target.composition, on_device(product | every, machine), SEQUENTIAL)
    assert made.total_ns == pytest.approx(wanted.total_ns, abs=2)
    assert made.interpolated_layers == (past not in points)
    assert made.missing == ()
    assert made.queue is not None
    if past not in points and len(points) == 2:  # a third one tells that the line is exact
        predicted = guesses.predict(attention(target))
        assert predicted is not None
        assert predicted.queue is not None
        times = predicted.queue
        assert times.device_low_ns <= times.device_ns * 0.95 + 1
        assert times.device_high_ns >= times.device_ns * 1.05 - 1


def test_a_device_whose_times_were_not_told_apart_allows_no_prediction() -> None:
    """As in results of older harnesses."""
    old = results({"product": 9, "attention5": 9, "attention7": 9})
    old = dataclasses.replace(old, configuration=dataclasses.replace(old.configuration, provider="cuda"))
    target = point(6)
    with pytest.raises(InputError, match="unmeasured sequences cannot be predicted on cuda"):
        estimate(
            target.composition,
            old,
            SEQUENTIAL,
            interpolator=LengthInterpolator(target, [point(5), point(7)], old),
        )


@given(st.lists(st.integers(1, 10**7), min_size=3, max_size=3), st.integers(0, 4000), st.integers(0, 4000))
def test_more_work_never_takes_less(times: list[int], some: int, more: int) -> None:
    """Whatever noise the measured latencies have."""
    points = (0, 1000, 2000)
    known = results({"product": 1} | {f"attention{one}": ns for one, ns in zip(points, times, strict=True)})

    def guessed(past: int) -> float:
        target = point(past)
        made = LengthInterpolator(target, [point(one) for one in points], known).predict(attention(target))
        return made.net.llc_warm_ns if made else -1.0

    low, high = sorted((some, more))
    same = sum(one <= low for one in points) == sum(one <= high for one in points)
    if same and low not in points and high not in points:
        assert 0 <= guessed(low) <= guessed(high)


def test_one_point_allows_no_prediction() -> None:
    """Neither one point, nor points that differ in several lengths, allow a prediction."""
    known = results({"product": 9, "attention5": 9, "attention7": 9})
    target = point(6)
    other = dataclasses.replace(point(7), at={"past": 7, "sequence": 2})
    made = estimate(
        target.composition, known, SEQUENTIAL, interpolator=LengthInterpolator(target, [point(5), other], known)
    )
    assert made.missing == ("attention6",)


def test_half_width_is_the_error_at_the_left_out_point() -> None:
    """The half-width is the error at the left-out point; with two points it is a constant."""
    known = results({"attention0": 100_000, "attention1000": 220_000, "attention2000": 300_000})
    target = point(500)
    wide, plain = (
        LengthInterpolator(target, [point(one) for one in points], known).predict(attention(target))
        for points in ((0, 1000, 2000), (0, 1000))
    )
    assert wide is not None
    assert plain is not None
    assert wide.relative == pytest.approx(1 - 200 / 220)
    assert plain.relative == 0.05


@given(st.integers(0, 4000), st.integers(0, 50_000))
def test_a_step_is_known_no_better_than_what_it_is_told_from(past: int, spread_ns: int) -> None:
    """Errors of the two measured steps are independent; between them they are weighed as their latencies are."""
    points = (0, 2000)
    known = results({f"attention{one}": latency_ns(one) for one in points}, spread_ns=spread_ns)
    made = LengthInterpolator(point(past), [point(one) for one in points], known).predict(attention(point(past)))
    if past in points:
        assert made is None
        return
    assert made is not None
    share = past / 2000
    half_ns = math.hypot((1 - share) * spread_ns, share * spread_ns)
    assert made.relative == pytest.approx(math.hypot(0.05, half_ns / latency_ns(past)))


@given(st.integers(1, 50), st.integers(1, 60), st.lists(st.integers(1, 120), max_size=3))
def test_all_steps_add_up(prompt: int, generate: int, measured: list[int]) -> None:
    """For times linear between the evaluated lengths the sum is that of every step."""

    def time(past: int) -> CallTime:
        return CallTime(low_ns=10 * past, middle_ns=1000 + 20 * past, high_ns=2000 + 30 * past)

    first = CallTime(low_ns=7, middle_ns=8, high_ns=9)
    pasts = step_lengths(prompt, generate, measured)
    whole = summed(first, [TokenStep(past=past, time=time(past)) for past in pasts])
    every = [time(prompt + index) for index in range(generate - 1)]
    assert whole.middle_ns == 8 + sum(one.middle_ns for one in every)
    assert (whole.low_ns, whole.high_ns) == (
        7 + sum(one.low_ns for one in every),
        9 + sum(one.high_ns for one in every),
    )


@given(st.integers(1, 300), st.lists(st.integers(1, 300), max_size=3), st.integers(0, 50))
def test_a_prompt_token_by_token_is_its_steps(prompt: int, measured: list[int], each: int) -> None:
    """Whose times grow with what is past; the first is that behind one token."""
    read = chunks_of(prompt, 1, measured)
    assert len(read) <= 3 + len(measured)
    times = [CallTime(low_ns=0, middle_ns=1000 + each * one[PAST], high_ns=0) for one in read]
    found = read_time(prompt, 1, read, times).middle_ns
    assert found == pytest.approx(sum(1000 + each * max(1, past) for past in range(prompt)), abs=2)


def test_intervals_of_calls_are_no_narrower_than_errors_seen() -> None:
    """A call may be a tenth faster and a fifth slower, a short one twice as slow; a wider interval is unchanged."""
    made = estimate(step(1000), results({"product": 1_000_000, "attention1000": 3_000_000}), SEQUENTIAL)
    sure = call_time(dataclasses.replace(made, low_ns=made.total_ns - 1, high_ns=made.total_ns + 1))
    assert (sure.low_ns, sure.high_ns) == (round(0.9 * made.total_ns), round(1.2 * made.total_ns))
    for total_ns, high_ns in ((50_000, 100_000), (400_000, 600_000), (4_000_000, 4_240_000)):
        short = dataclasses.replace(made, total_ns=total_ns, low_ns=total_ns, high_ns=total_ns)
        assert call_time(short, (0.0, 0.06)).high_ns == high_ns
    sure = call_time(dataclasses.replace(made, low_ns=made.total_ns, high_ns=made.total_ns), (0.5, 2.0))
    assert (sure.low_ns, sure.high_ns) == (made.total_ns // 2, 3 * made.total_ns)
    wide = dataclasses.replace(made, low_ns=1, high_ns=9 * made.total_ns)
    assert call_time(wide) == CallTime(low_ns=1, middle_ns=made.total_ns, high_ns=wide.high_ns)


@pytest.mark.parametrize(("sequence", "of"), [(1, STEP), (8, PROMPT)])
def test_calls_beside_pieces_have_the_band_of_decoders(sequence: int, of: str) -> None:
    """Prompts and steps have one each; what the measurements leave open adds to it, and a busy machine widens it."""
    row = next(one for one in table() if one.of == of)
    known = results({"product": 10_000_000, "attention8": 30_000_000})
    isa = tuple(row.instruction_set.split())
    known = dataclasses.replace(known, configuration=dataclasses.replace(known.configuration, instruction_set=isa))
    made_of = dataclasses.replace(step(8), target=row.target, granularity=row.granularity)
    call = MeasuredPoint(at={"past": 8, "sequence": sequence}, composition=made_of)
    made = estimate(call.composition, known, SEQUENTIAL)
    chosen = choose_band(call.composition, made.configuration, made.rule, interleaved=True, of=of)
    low, high = chosen.band.around(NO_TRAITS)
    found, busy = beside(made, call), beside(made, call, busy=True)
    assert found.middle_ns == made.total_ns
    assert found.low_ns == pytest.approx((1 - low) * made.total_ns, abs=2)
    assert found.high_ns == pytest.approx(max(1.005, 1 + high) * made.total_ns, abs=2)  # work of the host: 0.2 ms
    assert busy.low_ns <= found.low_ns < found.middle_ns < found.high_ns < busy.high_ns
    unsure = dataclasses.replace(made, parts=dataclasses.replace(made.parts, sampling_high_ns=made.total_ns))
    assert beside(unsure, call).high_ns > 2 * made.total_ns
    bounds = dataclasses.replace(made, high_ns=9 * made.total_ns, bounds_only=True)
    assert beside(bounds, call).high_ns == bounds.high_ns


def test_points_that_help_are_those_that_were_chosen() -> None:
    """Of the grid that ``generate`` prints a step behind no token is none of its points if one behind one token is."""
    chosen = [{"past": 1, "sequence": 1}, {"past": 575, "sequence": 1}, {"past": 0, "sequence": 128}]
    grid = [{"past": past, "sequence": new} for past in (0, 1, 575) for new in (1, 128)]
    assert sorted(map(str, usable_points(grid))) == sorted(map(str, chosen))
    by_hand = [{"past": past, "sequence": new} for past in (0, 512) for new in (1, 128)]
    assert usable_points(by_hand) == [*by_hand[:2], by_hand[2]]
    assert usable_points(by_hand, 128) == by_hand


def test_a_step_behind_no_token_of_other_sequences_is_refused() -> None:
    """Two points are left of which one tells nothing of the other; with a third it may stay."""
    shorter = dataclasses.replace(step(100), steps=step(100).steps[1:])
    none = MeasuredPoint(at={"past": 0, "sequence": 1}, composition=shorter)
    one, far = (MeasuredPoint(at={"past": past, "sequence": 1}, composition=step(100)) for past in (1, 64))
    wanted = MeasuredPoint(at={"past": 32, "sequence": 1}, composition=step(100))
    with pytest.raises(InputError, match=r"measure past=1 instead of past=0"):
        check_comparable_first_step(wanted, [none, far])
    check_comparable_first_step(wanted, [none, one, far])
    check_comparable_first_step(far, [none, far])
    check_comparable_first_step(wanted, [one, far])
