"""From a network that nobody ran, and what was stored of its sequences, to a dependency graph."""

from collections.abc import Mapping, Sequence

from dlbricks.construct.estimate import estimate
from dlbricks.construct.nouns import Composition, Estimate
from dlbricks.construct.rules import Rule, Schedule
from dlbricks.errors import InputError
from dlbricks.store.nouns import SystemResults
from dlbricks.trace.types import Trace
from dlbricks.whatif.nouns import DependencyGraph
from dlbricks.whatif.stitch import simulation, stitched


def graph_of_model(
    composition: Composition, results: SystemResults, traces: Mapping[str, Trace]
) -> tuple[DependencyGraph, Estimate]:
    """Stitch the graph of a network, each sequence taking the time that it takes at its place.

    Args:
        composition: of the network.
        results: of one configuration.
        traces: of sequences by fingerprint; a sequence without one is a single task of the host.

    Returns:
        The graph, and the estimate that rule ``simulate`` makes of it, with its interval.

    Raises:
        InputError: sequences have no result.
    """
    made: list[DependencyGraph] = []
    simulated = simulation(composition, traces)

    def replayed(times_ns: Sequence[int]) -> Schedule:
        made.append(stitched(composition, times_ns, traces))
        return simulated(times_ns)

    told = estimate(composition, results, Rule.parse("simulate"), replay=replayed)
    if told.missing:
        raise InputError(
            f"{composition.model}: {len(told.missing)} of its sequences were not measured there: 'dlbricks plan' makes "
            "the suite that closes the gap"
        )
    return made[0], told
