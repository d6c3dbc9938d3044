"""DB7xx: do the fixed benchmarks that every suite carries show a machine that stayed the same."""

import itertools
import statistics
from collections.abc import Iterator

from dlbricks.harness import verdict
from dlbricks.harness.stats import counted, undisturbed
from dlbricks.store.rules.rule import Context, Occurrence, Rule

_REFUSED = 0.25
"""Drift of the anchors over the run, as a share, above which a result is refused; below it widens what is estimated."""

_DOUBTED = 0.03
"""The same for a warning."""

_UNQUIET = 0.20
"""Share by which the middle half of the anchor visits may differ."""

_FIXED = ("anchor", "overhead")


def _present(context: Context) -> Iterator[Occurrence]:
    measured = {entry.row["fingerprint"] for entry in context.measured}
    for fingerprint, benchmark in context.listed.items():
        if benchmark["role"] in _FIXED and fingerprint not in measured:
            said = f"{benchmark['role']} benchmark {benchmark['name']} {fingerprint[:12]} has no latency"
            yield "benchmarks", said


def _around(context: Context) -> Iterator[Occurrence]:
    visits = sorted(
        (visit["start_ns"], entry.row["role"], f"{entry.where}.visits[{index}]")
        for entry in context.measured
        for index, visit in enumerate(entry.row["visits"])
    )
    if not visits or not context.of_role("anchor"):
        return
    for word, (_, role, where) in (("first", visits[0]), ("last", visits[-1])):
        if role not in _FIXED:
            yield where, f"the {word} visit of the run is not of an anchor"


def _drift(context: Context) -> float:
    """Give the significant change of the anchors from the first to the last round, as a share; 0.0 if none is.

    Anchors of one round meet the machine in the same moment, so they are one witness and not several: a trend is told
    by the medians of rounds.
    """
    tracks = []
    for entry in context.of_role("anchor"):
        visits = [
            (visit["start_ns"], statistics.median(counted(visit["samples_ns"])))
            for visit in undisturbed(entry.row["visits"])
        ]
        usual = max(statistics.median(level for _, level in visits), 1)
        tracks.append([(start_ns, level / usual) for start_ns, level in visits])
    points = []
    for made in itertools.zip_longest(*tracks):
        present = [one for one in made if one is not None]
        points.append((present[0][0], statistics.median(level for _, level in present)))
    return verdict.trend(sorted(points)) if len(points) >= verdict.DRIFT_VISITS else 0.0


def _drifted(context: Context) -> Iterator[Occurrence]:
    drift = _drift(context)
    if abs(drift) > _REFUSED and not context.is_smoke:
        yield "benchmarks", f"the anchors became {_slower(drift)} over the run"


def _drifting(context: Context) -> Iterator[Occurrence]:
    drift = _drift(context)
    if abs(drift) > _DOUBTED and (abs(drift) <= _REFUSED or context.is_smoke):
        yield "benchmarks", f"the anchors became {_slower(drift)} over the run"


def _unquiet(context: Context) -> Iterator[Occurrence]:
    levels = verdict.context(context.document).anchor_levels
    if len(levels) < verdict.DRIFT_VISITS:
        return
    low, _, high = statistics.quantiles(levels, n=4)
    if high - low > _UNQUIET:
        yield (
            "benchmarks",
            f"half of the anchor visits lie between {low:.2f} and {high:.2f} times the usual, the rest beyond",
        )


def _slower(drift: float) -> str:
    return f"{abs(drift):.1%} {'slower' if drift > 0 else 'faster'}"


RULES = (
    Rule(
        id="DB701",
        severity="error",
        title="anchors and overhead measured",
        explanation="Anchors tell whether the machine stayed the same, and the call overhead is taken out of every "
        "latency; without them the other figures cannot be used.",
        fix="Run them too: they are part of every run, --only or not.",
        find=_present,
    ),
    Rule(
        id="DB702",
        severity="error",
        title="anchors first and last",
        explanation="Only anchors around all other visits can vouch for what lies between.",
        fix="Let the run end by itself, or resume it.",
        find=_around,
    ),
    Rule(
        id="DB703",
        severity="error",
        title="anchors do not drift",
        explanation=f"A trend of the anchors of more than {_REFUSED:.0%} means that early and late benchmarks met "
        "different machines: heat, a neighbour, a changed clock. Of a smoke test it is only remarked (DB704).",
        fix="Let the machine warm up or cool down, fix its clock, and run again.",
        find=_drifted,
    ),
    Rule(
        id="DB704",
        severity="warning",
        title="anchors hardly drift",
        explanation=f"A trend of the anchors of more than {_DOUBTED:.0%} is larger than what latencies are known to.",
        fix="Let the machine warm up or cool down, fix its clock, and run again.",
        find=_drifting,
    ),
    Rule(
        id="DB705",
        severity="warning",
        title="anchors are quiet",
        explanation="Anchors that jump without a trend show neighbours or a clock that goes up and down.",
        fix="Run on a quiet machine with a fixed clock.",
        find=_unquiet,
    ),
)
"""Rules of this group."""
