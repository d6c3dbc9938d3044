"""False alarms of the rules: ``python benchmarks/rules.py`` counts those of archived runs for ``docs/rules.md``.

An archive leaves out of a result what no latency depends on, so not all rules can be asked; honest results that are
whole but for some visits are test data. ``--pack FILE...`` writes these from results (``.json`` or ``.json.xz``).
Each pair of archived runs of one network is looked at as if one had been made from the other (DB807).
"""

import itertools
import json
import lzma
import math
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from archives import DATA, RESULTS, ROOT, write_csv
from kept_runs import read_results, read_runs

from dlbricks.harness.stats import context, judge
from dlbricks.plugins.trust.replays import ALIKE, RECURRING, recurrence, times_of, unlikeness
from dlbricks.store.document import Document, read_document
from dlbricks.store.rules import arrange
from dlbricks.store.submission import RULES

HONEST = ROOT / "tests" / "data" / "honest_results.json.xz"
"""Results of this package on shared machines, busy and quiet, by name: manifests of suites lie apart by digest."""
LEFT_OUT = {
    *("DB001", "DB004", "DB201", "DB202", "DB203", "DB207", "DB301", "DB302", "DB303", "DB304", "DB403", "DB405"),
    *("DB406", "DB408", "DB409", "DB410", "DB411", "DB414", "DB507", "DB702", "DB803", "DB807", "DB812"),
}
"""Rules that need what an archive leaves out of a result, or a store."""
_VISITS, _CALLS, _MIB = 4, 4, 1 << 20
"""Of each benchmark in each state at most so many visits are kept, and of each visit calls."""


def alarms(documents: Iterable[Document]) -> Counter[str]:
    """Count the documents that break each rule."""
    found = Counter[str]()
    for document in documents:
        view = arrange(document, now_unix_ns=document["started_unix_ns"])
        found.update(rule.id for rule in RULES if next(rule.find(view), None))
    return found


def honest_results() -> dict[str, Document]:
    """Return the honest results of the test data by name."""
    packed = json.loads(lzma.decompress(HONEST.read_bytes()))
    for document in packed["results"].values():
        document["suite"]["manifest"] = packed["manifests"][document["suite"]["digest"]]
    results: dict[str, Document] = packed["results"]
    return results


def pack(paths: Sequence[Path]) -> None:
    """Write results as test data, some visits of each."""
    packed: dict[str, dict[str, Any]] = {"manifests": {}, "results": {}}
    for path in paths:
        data = path.read_bytes()
        document = thinned(read_document(lzma.decompress(data) if path.suffix == ".xz" else data))
        packed["manifests"][document["suite"]["digest"]] = document["suite"].pop("manifest")
        packed["results"][path.name.partition(".")[0]] = document
    text = json.dumps(packed, separators=(",", ":")).encode()
    HONEST.write_bytes(lzma.compress(text, preset=9 | lzma.PRESET_EXTREME))


def thinned(document: Document) -> Document:
    """Leave out visits, evenly, and calls, and settle what follows from them: the timed total and the verdicts."""
    for row in document["benchmarks"]:
        groups: dict[object, list[dict[str, Any]]] = defaultdict(list)
        for visit in row["visits"]:
            visit["samples_ns"] = visit["samples_ns"][:_CALLS]
            visit["distance_bytes"] -= visit["distance_bytes"] % _MIB if row["role"] == "sequence" else 0
            groups[visit["state"], row["role"] == "curve" and visit["distance_bytes"]].append(visit)
        for visits in groups.values():
            # a run begins and ends with visits of these
            last = visits[-1:] if row["role"] in {"anchor", "overhead"} else []
            most = _VISITS * (12 if row["role"] == "anchor" else 1)
            visits[:] = [*visits[:: -(-len(visits) // most)], *last]
        kept = {id(visit) for visits in groups.values() for visit in visits}
        row["visits"] = [visit for visit in row["visits"] if id(visit) in kept]
    visits = [visit for row in document["benchmarks"] for visit in row["visits"]]
    document["timing"]["timed_ns"] = sum(sum(visit["samples_ns"]) for visit in visits)
    around = context(document)
    for row in document["benchmarks"]:
        if row["status"] == "ok" and row["visits"]:
            row["verdict"] = judge(row, around)
    return document


def _archived() -> Iterator[tuple[tuple[str, str], Document]]:
    for path in sorted((*RESULTS.glob("*/*.parquet"), *HONEST.parent.glob("h200/*.parquet"))):
        place = f"{path.parent.name}/{path.stem}"
        if path.stem == "suites":
            yield from (((place, name), document) for name, document in read_results(path).items())
        else:
            yield from (((place, name), run.document) for name, run in read_runs(path).items())


def main() -> None:
    """Write a row for each rule that archives can be asked."""
    kept = dict(_archived())
    found = alarms(kept.values())
    asked = (rule.id for rule in RULES if rule.id not in LEFT_OUT)
    write_csv("rules", [{"rule": rule, "runs": len(kept), "alarms": found[rule]} for rule in asked], DATA)
    times = {name: times_of(document) for name, document in kept.items()}
    pairs = [(a, b) for a, b in itertools.combinations(times, 2) if a[1] == b[1]]
    alike = [one for a, b in pairs if (one := unlikeness(times[a], times[b])) < math.inf]
    copies = sum(one < ALIKE for one in alike)
    print(f"DB807: {copies} of {len(alike)} pairs of runs of one network; the most alike differ by {min(alike):.3f}")
    shares = [one for a, b in pairs if (one := recurrence(times[a], times[b]))]
    copies = sum(one >= RECURRING for one in shares)
    print(f"DB807: {copies} of {len(shares)} pairs; of one, at most {max(shares):.3f} of the times recur in the other")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--pack"]:
        pack([Path(path) for path in sys.argv[2:]])
    else:
        main()
