"""Comparisons of two systems, by the estimates of networks or by all sequences that both have measured."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

from dlbricks.api.estimates import IN_MEMORY, estimates, measured_splits, open_store, shipped_bundle, store_exists
from dlbricks.construct.comparison import Comparison
from dlbricks.construct.comparison import compare as compare_results
from dlbricks.construct.types import Estimate
from dlbricks.errors import CheckError, InputError
from dlbricks.harness.run.progress import silent
from dlbricks.sequences.types import Split
from dlbricks.settings import SplitSettings, SystemQuery
from dlbricks.store.types import SystemConfiguration, SystemResults
from dlbricks.units import counted


def compare(
    models: Sequence[str], settings: SplitSettings, queries: Sequence[SystemQuery], tell: Callable[[str], None] = silent
) -> tuple[list[Comparison], dict[str, str]]:
    """Compare two systems by their estimates of networks; without networks, by all layer sequences that both measured.

    Also returns why networks are left out, by file. The ``system`` of a query may be NAME@VERSION, which selects the
    results with this version of the runtime. ``tell`` gets remarks. Raises ``CheckError`` if the systems have measured
    no sequence in common, and ``InputError`` if a network, a system or its version cannot be used.
    """
    url = queries[0].store if store_exists(queries[0].store) else IN_MEMORY
    with open_store(url, create=url == IN_MEMORY) as opened:
        stored = [summary.configuration for summary in opened.systems()]
    shipped = [system.configuration for system in shipped_bundle().systems()]
    sides = [_versioned(query, stored + shipped) for query in queries]
    own = {each.system for each in stored}
    if not models and any(side.system in {each.system for each in shipped} - own for side in sides):
        a, b = (side.system for side in sides)
        raise InputError(
            f"systems that ship with dlbricks are compared by networks: 'dlbricks compare {a} {b} NETWORK'"
        )
    pairs, left_out = list[tuple[Estimate, Estimate] | None]([None]), dict[str, str]()
    if models:
        splits, left_out = measured_splits(models, settings, sides, tell)
        (first, of_first), (second, of_second) = (_estimated([*splits.values()], side, tell) for side in sides)
        names = {row.fingerprint: row.name for estimate in of_first for row in estimate.rows}
        pairs = [*zip(of_first, of_second, strict=True)]
    url = url if models else queries[0].store
    with open_store(url, create=url == IN_MEMORY) as opened:
        if not models:
            first, second = (opened.results(side) for side in sides)
            names = {result.label.fingerprint: result.label.name for result in opened.query(system=sides[0].system)}
        spreads = [opened.spread(results.configuration) for results in (first, second)]
    comparisons = [compare_results(first, second, names, estimates=pair, spreads=spreads) for pair in pairs]
    if not all(comparison.rows for comparison in comparisons):
        a, b = (query.system for query in queries)
        advice = f"use 'estimate --system {a} --system {b}'" if models else "run one suite on both"
        raise CheckError(f"{a} and {b} have measured no sequence in common: {advice}")
    for each in comparisons:
        if each.only_one:
            unlike = f"{counted(each.only_one, 'sequence')} left out, measured on only one of the systems"
            tell(f"{each.network or 'both'}: {unlike}")
    return comparisons, left_out


def _versioned(query: SystemQuery, measured: Collection[SystemConfiguration]) -> SystemQuery:
    # NAME@VERSION, unless a system has exactly this name.
    name, _, version = query.system.rpartition("@")
    runtimes = sorted({each.runtime for each in measured if each.system == name})
    if not runtimes or any(each.system == query.system for each in measured):
        return query
    if not any(version in (each, *each.split()) for each in runtimes):
        raise InputError(f"system {name} has no results with {version}, only with {', '.join(runtimes)}")
    return replace(query, system=name, runtime=version)


def _estimated(
    splits: Sequence[Split], side: SystemQuery, tell: Callable[[str], None]
) -> tuple[SystemResults, list[Estimate]]:
    # Return the results of a system, and its estimates of the networks.
    results, composed = estimates(splits, side, rule="sequential", allow_mismatch=True, tell=tell)
    runtime = results.configuration.runtime
    # the nearest configuration may differ, but not in the runtime that NAME@VERSION names
    if side.runtime not in (None, runtime, *runtime.split()):
        raise InputError(f"system {side.system} has no results with {side.runtime}, only with {runtime}")
    if results.mismatch:
        tell(f"results of {results.configuration.system} differ from the request in: {', '.join(results.mismatch)}")
    return results, composed
