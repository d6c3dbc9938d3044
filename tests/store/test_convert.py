"""Values survive the way into columns and back, and the order of submissions does not depend on their arrival."""

import random
from types import SimpleNamespace
from typing import Any, cast

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlbricks.errors import InputError
from dlbricks.harness.stats import KINDS
from dlbricks.store.records import (
    COLUMNS,
    TEXT_COLUMNS,
    best_first,
    caches_of_row,
    from_columns,
    is_provisional,
    join_document,
    least_trusted,
    machine_columns,
    split_document,
    tier_of,
    to_columns,
    trust_after,
)
from dlbricks.store.types import TIERS, UNMARKED_TIERS, Caches, CallOverheads, Measurement, SystemResults
from dlbricks.typed_json import canonical_json, digest_bytes
from tests.store.stored import configuration, fingerprint, queue_times

AMOUNTS = st.integers(0, 2**53 - 1)


class StoredRow(SimpleNamespace):
    """A row of a query, as far as conversion uses it."""

    def _asdict(self) -> dict[str, Any]:
        return dict(vars(self))


@st.composite
def measurements(draw: st.DrawFn) -> Measurement:
    """Draw a measurement of any size, with and without times of a device."""
    low, latency, high = sorted(draw(st.tuples(AMOUNTS, AMOUNTS, AMOUNTS)))
    return Measurement(
        fingerprint=fingerprint(draw(st.integers(0, 99))),
        llc_warm_ns=draw(AMOUNTS),
        weights_cold_ns=draw(AMOUNTS),
        hot_loop_ns=draw(st.none() | AMOUNTS),
        latency_ns=latency,
        low_ns=low,
        high_ns=high,
        samples=draw(AMOUNTS),
        verdict=draw(st.sampled_from(sorted(KINDS))),
        wall_ns=draw(AMOUNTS),
        queue=draw(st.none() | st.integers(1, 50).map(queue_times)),
    )


@given(measurements())
def test_a_measurement_survives_its_columns(measurement: Measurement) -> None:
    """Columns are texts or integers, and give the same measurement."""
    columns = to_columns(measurement)
    assert tuple(columns) == COLUMNS
    assert all(isinstance(columns[name], str if name in TEXT_COLUMNS else int) for name in columns if columns[name])
    assert from_columns(columns) == measurement


@given(measurements(), st.sampled_from([name for name in COLUMNS if name not in TEXT_COLUMNS]))
def test_a_column_of_another_type_is_refused(measurement: Measurement, name: str) -> None:
    """Neither a text nor a negative number passes for a figure."""
    for value in ("7", -1, 2**63):
        with pytest.raises((msgspec.ValidationError, ValueError)):
            from_columns(to_columns(measurement) | {name: value})


@given(
    st.lists(st.tuples(AMOUNTS, st.floats(0, 1)), max_size=5),
    st.lists(st.tuples(AMOUNTS, AMOUNTS), max_size=3),
    AMOUNTS,
    st.floats(0, 1e6),
)
def test_caches_survive_their_columns(
    curve: list[tuple[int, float]], brought_in: list[tuple[int, int]], nbytes: int, byte_ns: float
) -> None:
    """Whatever the miss curve is; rows of earlier versions have it as a list of points."""
    caches = Caches(
        curve=tuple(curve),
        written=tuple(curve[1:]),
        fresh=tuple(curve[:1]),
        brought_in=tuple(brought_in),
        second_level_bytes=nbytes,
        second_level_byte_ns=byte_ns,
        memory_byte_ns=byte_ns,
    )
    results = SystemResults(
        configuration=configuration(),
        call_overhead_ns=3,
        measurements={},
        overheads=CallOverheads(llc_warm_ns=1, weights_cold_ns=2, hot_loop_ns=3),
        caches=caches,
    )
    row = StoredRow(**machine_columns(results))
    assert caches_of_row(cast("Any", row)) == caches
    row.curve = msgspec.json.encode(curve).decode()
    assert caches_of_row(cast("Any", row)).written == caches.curve
    assert caches_of_row(cast("Any", row)).curve == tuple((round(at / 1.5), share) for at, share in curve)
    assert caches_of_row(cast("Any", row)).memory_byte_ns == 0


@given(st.dictionaries(st.text(max_size=5), st.integers()), st.booleans())
def test_a_document_survives_its_parts(fields: dict[str, int], whole: bool) -> None:
    """The manifest comes from the suite or, if it differs, from the body; another document is refused."""
    document: dict[str, Any] = {"suite": {"name": "s", "manifest": fields}, "more": fields}
    stored = canonical_json(document)
    digest = digest_bytes(stored)
    manifest, body = split_document(document)
    assert join_document(stored if whole else body, manifest, digest=digest) == stored
    with pytest.raises(InputError, match="another digest"):
        join_document(body, canonical_json({**fields, "further number": 1}), digest=digest)


@given(
    st.lists(
        st.tuples(st.sampled_from(TIERS), st.booleans(), st.integers(0, 9), st.booleans(), st.integers(0, 5)),
        min_size=1,
        max_size=8,
    ),
    st.randoms(use_true_random=False),
)
def test_the_order_of_submissions_is_total(rows: list[tuple[str, bool, int, bool, int]], rng: random.Random) -> None:
    """However they arrive, the same one is the best; none of a lower tier or a smoke test, however large, is above."""
    names = ("trust", "smoke", "results", "complete", "started_unix_ns")
    listed = [
        StoredRow(digest=fingerprint(place), **dict(zip(names, row, strict=True))) for place, row in enumerate(rows)
    ]
    shuffled = rng.sample(listed, len(listed))
    ordered = best_first(cast("Any", shuffled))
    assert [row.digest for row in ordered] == [row.digest for row in best_first(cast("Any", listed))]
    ranks = [(TIERS.index(row.trust), not row.smoke) for row in ordered]
    assert ranks == sorted(ranks, reverse=True)


@pytest.mark.parametrize("trust", TIERS)
def test_events_change_the_tier_or_the_mark_alone(trust: str) -> None:
    """A tier keeps its mark, and a mark its tier; other events change neither."""
    for tier in UNMARKED_TIERS:
        assert (tier_of(trust_after(trust, tier)), is_provisional(trust_after(trust, tier))) == (
            tier,
            is_provisional(trust),
        )
    assert trust_after(trust_after(trust, "provisional"), "confirmed") == tier_of(trust)
    assert trust_after(trust, "withdrawn") == trust
    assert least_trusted([trust]) == trust
