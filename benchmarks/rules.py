"""False alarms of the rules that tell made-up results: `python benchmarks/rules.py` counts them on all kept runs.

An archive leaves out of a result what no latency depends on, so only rules that need nothing of it are asked. They are
asked again of 200 runs whose visits were drawn with replacement from those of kept ones (bootstrap), and each pair of
runs of one network is looked at as if one had been made from the other (DB807).
"""

import copy
import itertools
import math
import random
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from kept_runs import read_results, read_runs

from dlbricks.plugins.trust.replays import ALIKE, times_of, unlikeness
from dlbricks.store.document import Document
from dlbricks.store.rules import arrange
from dlbricks.store.submission import RULES

KEPT = Path(__file__).parents[1] / "suites" / "results"
WHOLE = ("DB105", "DB415", "DB416", "DB801", "DB802", "DB804", "DB805", "DB806", "DB808")
"""Rules that need nothing of what an archive leaves out of a result."""


BOOTSTRAPS = 200


def main() -> None:
    """Print a line for each rule."""
    kept = dict(_runs())
    _count("kept runs", kept.items())
    rng = random.Random(1)  # noqa: S311 - no secret
    drawn = rng.choices(sorted(kept), k=BOOTSTRAPS)
    _count("bootstrapped runs", ((name, _resampled(kept[name], rng)) for name in drawn))
    times = {name: times_of(document) for name, document in kept.items()}
    pairs = [(a, b) for a, b in itertools.combinations(times, 2) if a[1] == b[1]]
    found = [one for a, b in pairs if (one := unlikeness(times[a], times[b])) < math.inf]
    alarms = sum(one < ALIKE for one in found)
    print(f"DB807: {alarms} of {len(found)} pairs of runs of one network; the most alike differ by {min(found):.3f}")


def _runs() -> Iterator[tuple[tuple[str, str], Document]]:
    for path in sorted(KEPT.glob("*/*.parquet")):
        place = f"{path.parent.name}/{path.stem}"
        if path.stem == "suites":
            yield from (((place, name), document) for name, document in read_results(path).items())
        else:
            yield from (((place, name), run.document) for name, run in read_runs(path).items())


def _resampled(document: Document, rng: random.Random) -> Document:
    """Give a run whose visits have the samples of others of the same benchmark and state."""
    made = copy.deepcopy(document)
    for row in made["benchmarks"]:
        for place in {(visit["state"], visit["distance_bytes"]) for visit in row["visits"]}:
            same = [one for one in row["visits"] if (one["state"], one["distance_bytes"]) == place]
            drawn = [(one["samples_ns"], one.get("disturbed")) for one in rng.choices(same, k=len(same))]
            for visit, (samples, disturbed) in zip(same, drawn, strict=True):
                visit["samples_ns"] = samples
                visit.pop("disturbed", None)
                if disturbed is not None:
                    visit["disturbed"] = disturbed
    return made


def _count(title: str, runs: Iterable[tuple[tuple[str, str], Document]]) -> None:
    alarms, total, refused = Counter[str](), 0, 0
    for name, document in runs:
        total += 1
        view = arrange(document, suite=None, known_suites=None, now_unix_ns=document["started_unix_ns"])
        broken = [(rule, next(rule.find(view), None)) for rule in RULES if rule.id in WHOLE]
        for rule, found in broken:
            if found:
                alarms[rule.id] += 1
                print(f"{name}: {rule.id} {found[1]}")
        refused += any(found for _, found in broken)
    for rule in RULES:
        if rule.id in WHOLE:
            print(f"{title}: {rule.id} {rule.title}: {alarms[rule.id]} of {total}")
    print(f"{title}: {refused} of {total} refused")


if __name__ == "__main__":
    main()
