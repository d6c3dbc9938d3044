"""False alarms of the rules that tell made-up results: `python benchmarks/rules.py` counts them on all kept runs.

An archive leaves out of a result what no latency depends on, so only rules that need nothing of it are asked.
"""

from collections import Counter
from pathlib import Path

from dlbricks.store.rules import RULES
from dlbricks.store.rules.rule import arrange
from dlbricks.validate.archive import read_results, read_runs

KEPT = Path(__file__).parents[1] / "suites" / "results"
WHOLE = ("DB105", "DB415", "DB416", "DB801", "DB802", "DB804", "DB805", "DB806")
"""Rules that need nothing of what an archive leaves out of a result."""


def main() -> None:
    """Print a line for each rule."""
    alarms, total = Counter[str](), 0
    for path in sorted(KEPT.glob("*/*.parquet")):
        suites = path.stem == "suites"
        runs = read_results(path) if suites else {name: run.document for name, run in read_runs(path).items()}
        for name, document in runs.items():
            total += 1
            view = arrange(document, suite=None, known_suites=None, now_unix_ns=document["started_unix_ns"])
            for rule in RULES:
                found = next(rule.find(view), None) if rule.id in WHOLE else None
                if found:
                    alarms[rule.id] += 1
                    print(f"{path.stem} {name}: {rule.id} {found[1]}")
    for rule in RULES:
        if rule.id in WHOLE:
            print(f"{rule.id} {rule.title}: {alarms[rule.id]} of {total}")


if __name__ == "__main__":
    main()
