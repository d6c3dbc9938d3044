"""Feed folders of networks through the command line and count what becomes of each.

``python benchmarks/corpora.py FOLDER...`` calls ``inspect``, ``generate``, ``run --smoke``, ``check``, ``submit`` and
``estimate`` for every ``.onnx`` file of each folder, in processes of their own (``tests.robustness.driver``), with open
dimensions set to 2 (``--extent`` for those that are no batch), and prints one row per folder and the reasons why
networks were refused. ``--every`` calls the other verbs and targets, too, each whatever became of the one before.
``--log`` keeps one line of JSON per call.
"""

import argparse
import collections
import json
import re
import shlex
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from tests.robustness.driver import Limits, Outcome, called  # noqa: E402 - found beside the package

LIMITS = Limits(seconds=60)
STRICT = Limits(seconds=30, memory_bytes=4 << 30)
MISSING = "sequences are missing"


def bound(path: Path, limits: Limits, extent: int) -> tuple[list[str], Outcome]:
    """Inspect a network with its open dimensions set; gives the options for them, too."""
    dims: list[str] = []
    outcome = called(["inspect", path], limits)
    if outcome.kind == "refused" and "unbound dimensions" in outcome.said and "=N" in outcome.said:
        for given in shlex.split(outcome.said.strip().splitlines()[-1].partition(": give ")[2].partition(" (")[0]):
            name = given.removesuffix("=N")
            batch = name.endswith(":0") or name.casefold() in {"n", "batch", "batch_size"}
            dims.append(given if given == "--dim" else f"{name}={2 if batch else extent}")
        outcome = called(["inspect", path, *dims], limits)
    return dims, outcome


def chain(path: Path, scratch: Path, dims: list[str]) -> dict[str, list[str | Path]]:
    """Verbs that measure a network by its parts."""
    suite, result, store = scratch / "suite", scratch / "result.json", f"sqlite:///{scratch / 'store.sqlite'}"
    return {
        "generate": ["generate", path, "-o", suite, *dims],
        "run": ["run", suite, "--smoke", "-o", result, "--name", "here"],
        "check": ["check", result, "--suite", suite],
        "submit": ["submit", result, "--suite", suite, "--store", store],
        "estimate": ["estimate", path, *dims, "--store", store, "--system", "here"],
    }


def others(path: Path, scratch: Path, dims: list[str]) -> dict[str, list[str | Path]]:
    """The other verbs and targets."""
    stored: list[str | Path] = ["--store", f"sqlite:///{scratch / 'store.sqlite'}", "--system", "here"]
    slower = ["--option-b", "session.disable_prepacking=1", "--budget", "3s"]
    again, opened, profile = scratch / "again.json", scratch / "openvino", scratch / "profile.json"
    return {
        "inspect --layers": ["inspect", path, *dims, "--layers", "--json"],
        "coverage": ["coverage", path, *dims, *stored],
        "plan": ["plan", path, *dims, *stored, "-o", scratch / "plan"],
        "grid": ["grid", path, *dims, *stored, "-o", scratch / "grid"],
        "whatif": ["whatif", path, *dims, *stored, "--apply", "scale:0.5,kind=host"],
        "leakage": ["leakage", scratch / "suite", "--zoo", path.parent, *dims],
        "generate cpu": ["generate", path, "-o", scratch / "lowered", "--target", "onnxruntime-cpu", *dims],
        "run cpu": ["run", scratch / "lowered", "--smoke", "-o", scratch / "lowered.json", "--name", "here"],
        "generate openvino": ["generate", path, "-o", opened, "--target", "openvino", *dims],
        "run openvino": ["run", opened, "--smoke", "-o", again, "--name", "here", "--runtime", "openvino"],
        "generate pairs": ["generate", path, "-o", scratch / "pairs", "-H", "4", "--pairs", "--pack", *dims],
        "lower": ["lower", path, "-o", scratch / "lower", *dims],
        "validate": ["validate", path, *dims, "--smoke"],
        "validate cpu": ["validate", path, *dims, "--smoke", "--target", "onnxruntime-cpu"],
        "profile": ["profile", path, *dims, "--calls", "3", "--no-roofs", "-o", profile],
        "analyse": ["analyse", profile],
        "report": ["report", profile, "-o", scratch / "page.html"],
        "repro": ["repro", path, *dims, *slower, "-o", scratch / "repro.pyz"],
    }


def go_through(path: Path, scratch: Path, every: bool, extent: int) -> Iterator[tuple[str, Outcome]]:
    """Call one verb after another; the last of the chain that is given says what became of the network."""
    limits = STRICT if every else LIMITS
    dims, outcome = bound(path, limits, extent)
    yield "inspect", outcome
    if outcome.kind == "ok":
        for verb, arguments in chain(path, scratch, dims).items():
            outcome = called(arguments, limits)
            if partly := verb == "estimate" and MISSING in outcome.reason:
                outcome = called([*arguments, "--allow-missing"], limits)
            yield "part" if partly else verb, outcome
            if outcome.kind != "ok":
                break
    if every:
        for verb, arguments in others(path, scratch, dims).items():
            yield f"+{verb}", called(arguments, limits)


def general(reason: str) -> str:
    """Strip what is particular to one network from a reason."""
    plain = re.sub(r"\S*\.onnx:? ?|\S*/\S+", "", re.sub(r"'[^']*'", "'...'", reason.removeprefix("error: ")))
    return re.sub(r"\s+", " ", re.sub(r"\d+", "N", plain)).replace("|", "/").strip()[:160]


def main() -> None:
    """Go through the folders and print the counts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--every", action="store_true", help="call the other verbs and targets, too")
    parser.add_argument("--extent", type=int, default=2, help="of open dimensions that are no batch")
    parser.add_argument("--log", type=Path, help="file for one line of JSON per call")
    given = parser.parse_args()
    reasons: collections.Counter[tuple[str, str, str]] = collections.Counter()
    for folder in given.folders:
        counts: collections.Counter[str] = collections.Counter()
        for path in sorted(folder.rglob("*.onnx")):
            end = ""
            with tempfile.TemporaryDirectory(prefix="corpora-") as scratch:
                for verb, outcome in go_through(path, Path(scratch), given.every, given.extent):
                    became = verb if outcome.kind == "ok" else f"{verb} {outcome.kind}"
                    end = end if verb.startswith("+") else "all" if became == "estimate" else became
                    if outcome.kind != "ok":
                        reasons[folder.name, became, general(outcome.reason)] += 1
                    if given.log:
                        line = [str(path), verb, outcome.kind, outcome.seconds, outcome.memory_bytes, outcome.said]
                        with given.log.open("a") as sink:
                            sink.write(json.dumps(line) + "\n")
            counts[end] += 1
        print(folder.name, dict(counts), flush=True)
    for (name, end, reason), count in reasons.most_common():
        print(f"| {name} | {end} | {reason} | {count} |")


if __name__ == "__main__":
    main()
