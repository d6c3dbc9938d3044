"""Several submissions of one configuration as one answer. Pure."""

from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import Row

from dlbricks.store.nouns import Caches, CallOverheads, SystemConfiguration, SystemResults
from dlbricks.store.rows import caches_of, features_of, measurement_of, overheads_of


def merged(
    configuration: SystemConfiguration,
    ranked: Sequence[Row[Any]],
    found: Iterable[Row[Any]],
    *,
    mismatch: tuple[str, ...] = (),
) -> SystemResults:
    """Take each sequence from the best submission that holds it; overheads and miss curve from the best that has them.

    Args:
        configuration: whose submissions they are.
        ranked: what each submission says of the machine (``statements.select_ranked``), the best one first.
        found: results with their sequences (``statements.select_measurements``).
        mismatch: in what the configuration is not the one asked for.

    Raises:
        ValueError, TypeError, AttributeError: the rows are damaged.
    """
    rank = {row.id: position for position, row in enumerate(ranked)}
    best: dict[str, Row[Any]] = {}
    for row in found:
        held = best.get(row.fingerprint)
        if held is None or rank[row.submission] < rank[held.submission]:
            best[row.fingerprint] = row
    used = {rank[row.submission] for row in best.values()}
    overheads = next((made for row in ranked if (made := overheads_of(row)).repeated_ns), CallOverheads())
    machines = (caches_of(row) for row in ranked)
    return SystemResults(
        configuration=configuration,
        call_overhead_ns=overheads.repeated_ns,
        measurements={name: measurement_of(best[name]) for name in sorted(best)},
        drift=max((ranked[position].drift for position in used), default=0.0),
        overheads=overheads,
        caches=next((made for made in machines if made.curve), Caches()),
        features={name: features_of(best[name]) for name in sorted(best)},
        mismatch=mismatch,
    )
