import itertools

from hypothesis import given
from hypothesis import strategies as st

from dlbricks.construct.missrate import ASSUMED_HALF_BYTES, MissCurve, bytes_after

ASSUMED = MissCurve(points=())
MEASURED = MissCurve(points=((2**20, 0.0), (2**22, 0.2), (2**24, 0.9), (2**26, 1.0)))
CURVES = st.sampled_from([ASSUMED, MEASURED])
DISTANCES = st.integers(0, 2**40)


@given(CURVES, DISTANCES, DISTANCES)
def test_farther_is_never_nearer(curve: MissCurve, one: int, other: int) -> None:
    """Shares lie between 0 and 1 and never fall with the distance."""
    near, far = sorted((one, other))
    assert 0 <= curve.share(near) <= curve.share(far) <= 1


def test_measured_points_are_kept_and_joined_in_octaves() -> None:
    """On a point its own share; half way between two in the logarithm, half way between their shares."""
    assert [MEASURED.share(distance) for distance, _ in MEASURED.points] == [share for _, share in MEASURED.points]
    assert MEASURED.share(2**23) == (0.2 + 0.9) / 2
    assert (MEASURED.share(1), MEASURED.share(2**40)) == (0.0, 1.0)


def test_without_points_a_curve_is_assumed_and_says_so() -> None:
    """Half has left at the assumed distance, hardly anything far below, nearly all far above."""
    assert (ASSUMED.origin, MEASURED.origin) == ("assumed", "measured")
    assert ASSUMED.share(ASSUMED_HALF_BYTES) == 0.5
    assert ASSUMED.share(ASSUMED_HALF_BYTES // 8) < 0.01
    assert ASSUMED.share(ASSUMED_HALF_BYTES * 8) > 0.99


@given(CURVES, st.lists(st.tuples(st.integers(1, 10**6), DISTANCES, st.integers(0, 9)), max_size=5))
def test_means_lie_between_and_weigh_bytes(curve: MissCurve, reuses: list[tuple[int, int, int]]) -> None:
    """A mean lies between its least and its greatest share, and a tensor counts as its halves would."""
    shares = [curve.share(distance) for _, distance, _ in reuses]
    made = curve.mean_share(reuses)
    assert min(shares, default=0) - 1e-9 <= made <= max(shares, default=0) + 1e-9
    assert abs(curve.mean_share(reuses * 2) - made) < 1e-9


def test_what_others_bring_in_adds_to_distances() -> None:
    """Where others bring in bytes, memory is as far away as after touching as many more; both are stretched alike."""

    def others(age: int) -> float:
        return age * (2**24 - 2**20) / 3

    assert MEASURED.mean_share([(8, 2**20, 3)], others) == MEASURED.share(2**24)
    assert MEASURED.mean_share([(8, 2**20, 3)], others, 0.5) == MEASURED.share(2**23)


_BROUGHT = st.lists(st.tuples(st.integers(1, 10**8), st.integers(1, 10**9)), max_size=4).map(
    lambda steps: tuple(itertools.accumulate(steps, lambda one, two: (one[0] + two[0], one[1] + two[1])))
)


@given(_BROUGHT, st.floats(0, 1e10), st.floats(0, 1e10))
def test_more_time_brings_in_more(brought: tuple[tuple[int, int], ...], one: float, other: float) -> None:
    """Never less; nothing in no time, what was measured in the times that were, and nothing if nothing is known."""
    early, late = sorted((one, other))
    assert 0 <= bytes_after(early, brought) <= bytes_after(late, brought) * (1 + 1e-9)
    assert bytes_after(0, brought) == 0
    assert all(bytes_after(time, brought) == nbytes for time, nbytes in brought)
    assert brought or bytes_after(late, brought) == 0
