"""Feed folders of networks through the command line and count what becomes of each.

``python benchmarks/corpora.py FOLDER...`` calls ``inspect``, ``generate``, ``run --smoke``, ``check`` and ``estimate``
for every ``.onnx`` file of each folder, in processes of their own (``tests.robustness.driver``), with open dimensions
set to 2, and prints one row per folder and the reasons why networks were refused. ``--log`` keeps one line of JSON per
file.
"""

import argparse
import collections
import json
import re
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from tests.robustness.driver import Limits, Outcome, called  # noqa: E402 - found beside the package

LIMITS = Limits(seconds=60)


def go_through(path: Path, scratch: Path) -> tuple[str, Outcome]:
    """Call one verb after another; gives the verb that did not go well, ``part`` or ``all``, and the outcome."""
    dims: list[str] = []
    outcome = called(["inspect", path], LIMITS)
    if outcome.kind == "refused" and "unbound dimensions" in outcome.said and "=N" in outcome.reason:
        dims = outcome.reason.partition(": give ")[2].replace("=N", "=2").split()
        outcome = called(["inspect", path, *dims], LIMITS)
    if outcome.kind != "ok":
        return "inspect", outcome
    suite, result, store = scratch / "suite", scratch / "result.json", f"sqlite:///{scratch / 'store.sqlite'}"
    steps: dict[str, list[str | Path]] = {
        "generate": ["generate", path, "-o", suite, *dims],
        "run": ["run", suite, "--smoke", "-o", result, "--name", "here"],
        "check": ["check", result, "--suite", suite],
        "submit": ["submit", result, "--suite", suite, "--store", store],
        "estimate": ["estimate", path, *dims, "--store", store, "--system", "here"],
    }
    for verb, arguments in steps.items():
        outcome = called(arguments, LIMITS)
        if verb == "estimate" and "sequences are missing" in outcome.reason:
            return "part", called([*arguments, "--allow-missing"], LIMITS)
        if outcome.kind != "ok":
            return verb, outcome
    return "all", outcome


def general(reason: str) -> str:
    """Strip what is particular to one network from a reason."""
    plain = re.sub(r"\S*\.onnx:? ?|\S*/\S+", "", re.sub(r"'[^']*'", "'...'", reason.removeprefix("error: ")))
    return re.sub(r"\s+", " ", re.sub(r"\d+", "N", plain)).replace("|", "/").strip()[:160]


def main() -> None:
    """Go through the folders and print the counts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--log", type=Path, help="file for one line of JSON per network")
    given = parser.parse_args()
    reasons: collections.Counter[tuple[str, str, str]] = collections.Counter()
    for folder in given.folders:
        counts: collections.Counter[str] = collections.Counter()
        for path in sorted(folder.rglob("*.onnx")):
            with tempfile.TemporaryDirectory(prefix="corpora-") as scratch:
                verb, outcome = go_through(path, Path(scratch))
            end = verb if outcome.kind == "ok" else f"{verb} {outcome.kind}"
            counts[end] += 1
            if outcome.kind != "ok":
                reasons[folder.name, end, general(outcome.reason)] += 1
            if given.log:
                with given.log.open("a") as sink:
                    sink.write(json.dumps([str(path), end, outcome.seconds, outcome.memory_bytes, outcome.said]) + "\n")
        print(folder.name, dict(counts), flush=True)
    for (name, end, reason), count in reasons.most_common():
        print(f"| {name} | {end} | {reason} | {count} |")


if __name__ == "__main__":
    main()
