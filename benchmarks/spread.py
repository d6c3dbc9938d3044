"""How far archived runs of one machine differ: writes ``dlbricks/store/spread_defaults.json``; measures nothing.

A pair are two runs of one network by one release of one runtime on one machine, at different hours. Results
(``RESULT.json`` or ``.json.xz``) that are named on the command line are judged: how many sequences of pairs of equal
kind and suite would be said to differ, by their stated intervals alone, with the archives' figures, and with those of
the other half of these results (every second run by start).
"""

import dataclasses
import lzma
import sys
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import msgspec
import numpy as np
from archives import RESULTS, ROOT, archives_of, systems
from kept_runs import read_runs

from dlbricks.files import write_bytes
from dlbricks.store.document import read_document
from dlbricks.store.records import relative_half_width
from dlbricks.store.spread import (
    DEFAULTS,
    Difference,
    Kind,
    Run,
    Spread,
    default_spread,
    differences,
    kind_of,
    learned,
)
from dlbricks.store.summary import measurements
from dlbricks.store.types import SystemResults

TABLE = ROOT / "dlbricks" / "store" / DEFAULTS


def run_of(run: SystemResults) -> Run:
    """Return the part of a run's results that ``differences`` compares."""
    return run.drift, {name: (row.latency_ns, relative_half_width(row)) for name, row in run.measurements.items()}


def archived() -> dict[Kind, list[Difference]]:
    """Return the differences between archived runs by kind."""
    runs: dict[tuple[object, ...], list[SystemResults]] = defaultdict(list)
    for system in systems(RESULTS):
        for path in archives_of(system):
            for name, run in read_runs(path).items():
                measured = measurements(run.document)
                of = measured.configuration
                runs[system.name, name, of.runtime, kind_of(of)].append(measured)
    by_kind: dict[Kind, list[Difference]] = defaultdict(list)
    for same in runs.values():
        by_kind[kind_of(same[0].configuration)] += differences(map(run_of, same))
    return {kind: pairs for kind, pairs in sorted(by_kind.items()) if pairs}


def judge(paths: Sequence[str]) -> None:
    """Print how many sequences of results of the same code would be said to differ."""
    kinds: dict[tuple[object, ...], list[tuple[int, SystemResults]]] = defaultdict(list)
    for path in map(Path, paths):
        data = path.read_bytes()
        document = read_document(lzma.decompress(data) if path.suffix == ".xz" else data)
        measured = measurements(document)
        kinds[*kind_of(measured.configuration)[:3], document["suite"]["digest"]].append(
            (document["started_unix_ns"], measured)
        )
    for key, dated in kinds.items():
        runs = [run_of(run) for _, run in sorted(dated, key=lambda run: run[0])]
        halves = [differences(runs[start::2]) for start in (0, 1)]
        if all(halves):
            default = default_spread(dated[0][1].configuration)
            print(*key[:3], str(key[3])[:8], f"{len(runs)} runs")
            print("  archives:", shares(differences(runs), default))
            for at in (0, 1):
                print("  the other half:", shares(halves[at], learned(halves[1 - at], "store")))


def shares(pairs: Sequence[Difference], spread: Spread) -> str:
    """Say how many sequences, and how many pairs with any, would be said to differ."""
    drawn = [np.asarray(pair.scores) > spread.factor(len(pair.scores)) for pair in pairs]
    alone = np.concatenate([np.asarray(pair.scores) > spread.excess for pair in pairs]).mean()
    some = np.mean([each.any() for each in drawn])
    return f"{len(pairs)} pairs: {alone:.1%} singly, {np.concatenate(drawn).mean():.2%} of all, in {some:.0%} of pairs"


if __name__ == "__main__":
    if sys.argv[1:]:
        judge(sys.argv[1:])
    else:
        found = archived()
        together = learned([pair for pairs in found.values() for pair in pairs], "archives")
        rows: list[tuple[Kind | None, Spread]] = [(None, together)]
        for of, pairs in found.items():
            own = learned(pairs, "archives")
            # few kinds were measured beside other programs, so none is taken for quieter than all of them
            rows.append((of, dataclasses.replace(own, excess=max(own.excess, together.excess))))
        write_bytes(TABLE, msgspec.json.format(msgspec.json.encode(rows), indent=1) + b"\n")
