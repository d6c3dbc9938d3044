"""Adds to an estimate the age, trust and kind of the runs that it rests on. Pure."""

import datetime as dt
import math
from collections.abc import Collection
from dataclasses import replace

from dlbricks.construct.intervals import WIDENING, interval
from dlbricks.construct.types import Estimate, EstimateOrigin
from dlbricks.store.ranking import least_trusted
from dlbricks.store.types import SystemResults

STALE_DAYS = 30
"""Age beyond which results count as stale. Bands are learned from runs some hours apart, and systems get updates of
operating system, firmware and drivers about once a month."""
_DAY_NS = 86_400 * 10**9


def with_origin(made: Estimate, results: SystemResults, now_unix_ns: int) -> Estimate:
    """Add the origin of the measurements to an estimate; stale results widen its interval by ``WIDENING``.

    Args:
        made: estimated from ``results``.
        results: of a store; an estimate of measurements without an origin is returned as it is.
        now_unix_ns: present time.
    """
    known = {
        name: measurement.origin for name, measurement in results.measurements.items() if measurement.origin is not None
    }
    used = [row.fingerprint for row in made.rows if row.tier == "measured" and row.fingerprint in known]
    if any(row.tier == "interpolated" for row in made.rows):
        used = list(known)
    if not used:
        return made
    smoke = {row.fingerprint for row in made.rows if row.fingerprint in known and known[row.fingerprint].smoke}
    if all(origin.smoke for origin in known.values()):
        smoke |= {row.fingerprint for row in made.rows if row.tier == "interpolated"}
    oldest = min(known[name].started_unix_ns for name in used)
    origin = EstimateOrigin(
        runs=len({known[name].submission for name in used}),
        oldest_unix_ns=oldest,
        newest_unix_ns=max(known[name].started_unix_ns for name in used),
        days=max(0, now_unix_ns - oldest) // _DAY_NS,
        smoke=_share(made, smoke),
        trust=least_trusted(known[name].trust for name in used),
    )
    rows = tuple(replace(row, tier="smoke test") if row.fingerprint in smoke else row for row in made.rows)
    made = replace(made, origin=origin, rows=rows)
    return _widened(made, origin.days) if origin.days > STALE_DAYS and not made.bounds_only else made


def _share(estimate: Estimate, chosen: Collection[str]) -> float:
    """Return the share of sequences in the total; in the number of calls if all take 0 ns."""
    weights = {row.fingerprint: row.total_ns for row in estimate.rows}
    if not any(weights.values()):
        weights = {row.fingerprint: row.count for row in estimate.rows}
    return sum(weights[name] for name in chosen) / max(1, sum(weights.values()))


def _widened(estimate: Estimate, days: int) -> Estimate:
    low, high = estimate.parts.composition_low, estimate.parts.composition_high
    parts = replace(
        estimate.parts,
        composition_low=-math.expm1(WIDENING * math.log1p(-min(low, 1 - 1e-9))),
        composition_high=math.expm1(WIDENING * math.log1p(high)),
    )
    below, above = interval(estimate.total_ns, parts)
    evidence = f"{estimate.evidence}; times {WIDENING:g}, as the results are {days} days old"
    return replace(estimate, parts=parts, low_ns=below, high_ns=above, evidence=evidence)


def remarks(estimate: Estimate) -> tuple[str, ...]:
    """Return sentences about smoke tests and stale results for the user."""
    origin, notes = estimate.origin, []
    if origin is None:
        return ()
    if origin.smoke:
        nothing = any(row.tier == "smoke test" and not row.each_ns for row in estimate.rows)
        notes.append(
            f"{origin.smoke:.0%} of the total is from smoke tests, one short visit to each benchmark: it may be "
            f"several times too high{', and 0 ns are too low' * nothing}; run the suite without --smoke"
        )
    if origin.days > STALE_DAYS:
        day = dt.datetime.fromtimestamp(origin.oldest_unix_ns // 10**9, tz=dt.UTC).date()
        notes.append(f"measured on {day}, {origin.days} days ago, so the interval is wider: run the suite again")
    return tuple(notes)
