"""What a visit consists of, when a benchmark has been measured enough, and how long the rest will take.

Latencies of the layers of a network add up and their errors are independent: if the half width of each is the target
over the root of its share of the network, then that of the sum is the target. So a sequence of importance w is narrow
enough at ``target / sqrt(w)``; one whose share is below the square of the target may be wrong by all of its time.
"""

import math
import statistics
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from ..cache_state import (
    CONSTANTS,
    CURVE_WAITS_NS,
    EMPTY_ROLES,
    LONG_CALL_NS,
    NEAR,
    REPEATED,
    CacheDistances,
    Step,
    curve_distances,
)
from ..options import RunOptions
from ..stats import calls_interval, median_interval
from .track import Track

SLOW_VISITS = 3
"""Visits of a benchmark so slow that they take ``max_time_ns``."""
BELIEVED_VISITS = 5
"""Visits in the state of the latency before a narrow interval ends the measuring of a benchmark that is all of its
network: the 95 % interval then covers 94 %, after three visits 87 % (simulated). The less important, the fewer."""
PREPARE_NS = 400_000
"""Usual cost of preparing a visit, until that of the benchmark is known."""
MOST_CALLS = 200
"""Most calls in a visit."""
END_TO_END_CALLS = 3
"""Least calls in a visit to an end-to-end network, whose latency is of all but the first."""
END_TO_END_VISITS = 4
"""How many times as long as others' a visit to an end-to-end network lasts: the second and third call of a short one
still take up to 5 % longer than those after."""
END_TO_END_SHARE = 2
"""How many times as long as to all others together a round attends to an end-to-end network."""
BASELINE_CALLS = 20
"""Most calls in a visit to a part of a published recipe: enough for a hot loop, and few to keep."""
NEAR_CALLS = 3
"""Warm calls in a visit, unless they are long: of ten short ones, one takes a third more than others."""
BUNDLE_SIZE = 8
"""Most visits that a worker is asked for at once: asking takes as long as the call of a small layer."""
BUNDLE_NS = 20_000_000
"""How long they last together; a visit as long as this is asked for alone."""
_SMOKE_CALLS = 3
_CHANCES, _FEW_CHANCES = 8, 2
_LONG_NS = 20_000_000
"""Calls from here on have few chances: interference comes in shorter bursts."""


def allowed(importance: float, target_relative: float) -> float:
    """Give the relative half width at which a benchmark is narrow enough, not above 1.

    Args:
        importance: its share of a network.
        target_relative: relative half width that is narrow enough for the whole of a network.

    >>> allowed(1 / 16, 0.02)
    0.08
    """
    return min(1.0, target_relative / math.sqrt(importance))


def stricter(options: RunOptions) -> RunOptions:
    """Ask for twice as many visits: an interval narrows with the root of their number.

    >>> stricter(RunOptions()).max_time_ns // RunOptions().max_time_ns
    2
    """
    return replace(options, target_relative=options.target_relative / math.sqrt(2), max_time_ns=2 * options.max_time_ns)


def limits(track: Track, options: RunOptions) -> tuple[float, int]:
    """Give the relative half width that is narrow enough, and the time after which a benchmark is left alone, ns."""
    target, most = options.target_relative, options.max_time_ns
    if track.role == "whole":
        target, most = options.end_to_end_target_relative or target, options.end_to_end_max_time_ns or most
    return allowed(track.importance, target), most


def steps_of_visit(track: Track, options: RunOptions, distances: CacheDistances, since_bytes: int) -> list[Step]:
    """Say what the next visit consists of.

    Args:
        track: the benchmark.
        options: of the run.
        distances: of this machine.
        since_bytes: different memory touched since the benchmark's last call.
    """
    repeated = Step(state=REPEATED, calls=calls_of_visit(track, options))
    if not track.cold or track.role == "overhead":  # other states of empty graphs: ``CallOverhead``
        return [repeated]
    if track.role == "curve":
        return _curve_steps(distances)
    clear = max(0, distances.far_bytes - since_bytes)
    far = Step(state=CONSTANTS, clear_bytes=clear, distance_bytes=since_bytes + clear)
    near = Step(state=NEAR, clear_bytes=distances.near_bytes, distance_bytes=distances.near_bytes)
    steps = [far] + [near] * (1 if options.smoke or track.call_ns >= LONG_CALL_NS else NEAR_CALLS)
    return [*steps, repeated] if track.role in EMPTY_ROLES else steps


def _curve_steps(distances: CacheDistances) -> list[Step]:
    """Say what is done before each call of the curve's benchmark; what all threads touch before counts, too."""
    least = distances.threads_bytes
    own = Step(state=CONSTANTS, own_call=True)
    reads = [
        replace(own, clear_bytes=max(0, distance - least), distance_bytes=max(distance, least))
        for distance in curve_distances(distances.far_bytes)
    ]
    return reads + [replace(own, wait_ns=wait_ns, distance_bytes=least) for wait_ns in CURVE_WAITS_NS]


def calls_of_visit(track: Track, options: RunOptions) -> int:
    """Choose the calls of a visit of repeated calls, so that it lasts about ``visit_ns``."""
    end_to_end = track.role == "whole"
    least = END_TO_END_CALLS if end_to_end else 1
    most = BASELINE_CALLS if track.role == "baseline" else MOST_CALLS
    call_ns = (track.medians.get(REPEATED) or track.disturbed_medians.get(REPEATED) or [track.call_ns])[-1]
    visit_ns = options.visit_ns * (END_TO_END_VISITS if end_to_end else 1)
    calls = max(least, min(most, round(visit_ns / max(1.0, call_ns))))
    return min(calls, _SMOKE_CALLS) if options.smoke else calls


def visit_cost_ns(track: Track, options: RunOptions) -> float:
    """Estimate how long the next visit will last."""
    if track.cold:
        return track.last_visit_ns or PREPARE_NS + 2 * track.call_ns
    return calls_of_visit(track, options) * track.call_ns


def least_visits(track: Track, options: RunOptions) -> int:
    """Give the visits that a benchmark has in any case.

    One if its share is too small to matter, else so many that the state of its latency has two or more, up to
    ``BELIEVED_VISITS`` for what is all of a network.
    """
    wanted = 1 if limits(track, options)[0] >= 1 else max(2, round(BELIEVED_VISITS * track.importance**0.5))
    if track.role == "whole":
        return max(options.end_to_end_min_visits or options.min_visits, wanted)
    return wanted if track.cold else max(options.min_visits, wanted)


def chances(track: Track, options: RunOptions) -> int:
    """Say how many disturbed visits in a row are made again, in part or whole.

    None for references, which are visited too seldom; nor in a smoke run, nor before the first visit that a budget
    pays for, since there may be no next one. Few for what matters little or is long: a long call is hardly ever free of
    interference where there is much.
    """
    if track.is_reference or options.smoke or (options.budget_ns is not None and not track.visits):
        return 0
    few = limits(track, options)[0] >= 1 or track.call_ns >= _LONG_NS
    return _FEW_CHANCES if few else _CHANCES


def is_done(track: Track, options: RunOptions) -> bool:
    """Whether a benchmark needs no further visit: narrow enough, or enough time spent on it, or failed."""
    if track.status == "failed":
        return True
    if options.smoke:
        return track.rounds > 0
    if track.cold and not track.is_reference and NEAR not in track.states:
        return False
    least = least_visits(track, options)
    slow = min(least, 1 + SLOW_VISITS if track.cold else min(SLOW_VISITS, options.min_visits))
    narrow, most_ns = limits(track, options)
    if track.spent_ns >= most_ns and track.rounds >= slow:
        return True
    return track.rounds >= least and _relative(track) <= narrow


def _relative(track: Track) -> float:
    """Give the half width of the interval of the latency, relative; 1.0 when there is none yet."""
    known = track.main_medians
    if not known:
        return 1.0
    single = track.cold and len(known) > 1
    middle, low, high = calls_interval(known) if single else median_interval(known)
    return (high - max(0.0, low)) / 2 / max(middle, 1.0)


def worth(track: Track, options: RunOptions) -> float:
    """Say what the next visit is worth: by how much it should narrow the interval of a network, for its cost.

    Neyman allocation: the variance that a benchmark adds to the sum, by which it falls with one visit more, per ns.
    """
    if not track.rounds:
        return math.inf
    return (track.importance * min(1.0, _relative(track))) ** 2 / (track.rounds + 1) / visit_cost_ns(track, options)


def worthiest(tracks: list[Track], options: RunOptions, time_ns: float) -> list[Track]:
    """Choose which benchmarks to visit in a round: all, or the worthiest for which there is time.

    Args:
        tracks: that need a visit.
        options: of the run.
        time_ns: what is left.
    """
    total = 0.0
    chosen = []
    for track in sorted(tracks, key=lambda track: (-worth(track, options), -track.importance)):
        total += visit_cost_ns(track, options)
        if total > time_ns:
            break
        chosen.append(track)
    return chosen


def first_visits_first(track: Track) -> tuple[bool, float]:
    """Key to sort a round by: what has no visit yet before all else, and there the most important first.

    A budget that ends within the round then leaves out what matters least; visits after the first keep their order.
    """
    return (True, 0.0) if track.visits else (False, -track.importance)


def interleaved(tracks: Sequence[Track], options: RunOptions) -> list[Track]:
    """Put the visits of a round in order: everything once, end-to-end networks evenly between the others.

    What is compared with the sum of the others has to have seen the same ups and downs of the machine, each for as long
    as they have: each round gives it ``END_TO_END_SHARE`` times as long as all others.
    """
    made = [track for track in tracks if track.role != "whole"]
    others, others_ns = len(made), sum(visit_cost_ns(track, options) for track in made)
    share = 0 if options.smoke else END_TO_END_SHARE
    for network in (track for track in tracks if track.role == "whole"):
        times = max(1, round(share * others_ns / visit_cost_ns(network, options)))
        for time in reversed(range(times)):
            made.insert(round((time + 0.5) * others / times), network)
    return made


def bundles(tracks: Sequence[Track], options: RunOptions, group: Callable[[Track], int]) -> list[list[Track]]:
    """Put visits together that are asked for at once, each bundle one worker's; end-to-end networks keep their places.

    First visits that a budget pays for are asked for one by one, in their order: any of them may be the last.

    Args:
        tracks: in the order of a round.
        options: of the run.
        group: gives the number of the group of a benchmark.
    """
    made: list[list[Track]] = []
    begun: dict[int, list[Track]] = {}
    for track in tracks:
        if track.role == "whole":
            made += [*begun.values(), [track]]
            begun = {}
            continue
        bundle = begun.setdefault(group(track), [])
        bundle.append(track)
        alone = options.budget_ns is not None and not track.visits
        full = len(bundle) == BUNDLE_SIZE or sum(visit_cost_ns(one, options) for one in bundle) >= BUNDLE_NS
        if alone or full:
            made.append(begun.pop(group(track)))
    return made + list(begun.values())


def visits_left(track: Track, options: RunOptions) -> float:
    """Estimate the visits that a benchmark still needs: an interval's width falls with the root of their number."""
    if track.done:
        return 0.0
    if options.smoke:
        return 1.0
    least = least_visits(track, options) - track.rounds
    if least > 0 or len(track.main_medians) < 2:
        return max(1.0, least)
    narrow, most_ns = limits(track, options)
    excess = (_relative(track) / narrow) ** 2 - 1
    time_left = max(0.0, most_ns - track.spent_ns) / max(1.0, track.spent_ns)
    return track.rounds * max(1 / track.rounds, min(excess, time_left))


def remaining_ns(tracks: Iterable[Track], options: RunOptions, load_ns: float) -> float:
    """Estimate what is left to do.

    Args:
        tracks: all benchmarks of the run, anchors left out.
        options: of the run.
        load_ns: mean time to load one.
    """
    every = list(tracks)
    known = [visit_cost_ns(track, options) for track in every if track.warmup_ns]
    usual = statistics.fmean(known) if known else float(PREPARE_NS)
    total = 0.0
    for track in every:
        cost = visit_cost_ns(track, options) if track.warmup_ns else usual
        total += visits_left(track, options) * cost + (0.0 if track.warmup_ns or track.done else load_ns)
    return total
