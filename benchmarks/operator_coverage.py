"""Feed the onnx package's own operator test cases through the chain and count what happens to each.

Every model of ``onnx.backend.test.case`` is read, split at H = 1, emitted and run on the CPU provider, or skipped with
a named reason. ``python benchmarks/operator_coverage.py`` prints the table and rewrites ``docs/coverage.md``.
"""

import argparse
import collections
import re
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import onnx
import onnxruntime

from dlbricks.errors import InputError, UnsupportedModelError
from dlbricks.process_pool import Crashed, Workers
from dlbricks.settings import SplitSettings
from dlbricks.suite.benchmarks import BuiltBenchmark
from dlbricks.suite.extraction import Extraction, ExtractionTask, extract_benchmarks
from dlbricks.suite.generate import run_references

ROOT = Path(__file__).parents[1]
NETWORKS = "\n# Networks of other exporters\n"
"""What follows is written by hand, from ``benchmarks/corpora.py``."""


class Outcome(NamedTuple):
    """What became of one operator test case."""

    case: str
    kind: str
    """``run``, ``partly`` (some layers skipped), ``skipped``, ``refused`` (by the runtime, when run) or ``crashed``."""
    reason: str


class Refused(NamedTuple):
    """The reader's word on a case that it calls unsound."""

    reason: str


def write_cases(folder: Path, match: str) -> Iterator[Path]:
    """Write the model of every operator test case into a folder."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from onnx.backend.test.case.node import collect_testcases

        for case in collect_testcases(""):
            if isinstance(case.model, onnx.ModelProto) and match in case.name:
                path = folder / f"{case.name}.onnx"
                path.write_bytes(case.model.SerializeToString())
                yield path


def take(path: Path) -> Extraction | Refused:
    """Read, split and emit one case."""
    try:
        return extract_benchmarks(ExtractionTask(path=path, settings=SplitSettings(target="portable")))
    except UnsupportedModelError as error:
        return Refused(str(error))
    except InputError as error:
        return Refused(f"called unsound: {error}")


def outcome(path: Path, taken: Extraction | Refused | Crashed[Path], notes: dict[str, str]) -> Outcome:
    """Judge a case from what the reader gave and why benchmarks, by fingerprint, did not run."""
    if isinstance(taken, Crashed):
        return Outcome(path.stem, "crashed", "the reader crashed")
    if isinstance(taken, Refused):
        return Outcome(path.stem, "skipped", taken.reason)
    broken = [note for built in taken.benchmarks if (note := notes.get(built.benchmark.fingerprint))]
    reasons = [reason for reason, _ in taken.report.skipped]
    if taken.report.unsupported:
        return Outcome(path.stem, "skipped", taken.report.unsupported)
    if broken:
        return Outcome(path.stem, "refused", broken[0])
    if not taken.benchmarks:
        return Outcome(path.stem, "skipped", reasons[0] if reasons else "nothing to run: every output is a constant")
    return Outcome(path.stem, "partly" if reasons else "run", reasons[0] if reasons else "")


def general(reason: str) -> str:
    """Strip what is particular to one case from a reason, so that equal causes are counted together."""
    plain = re.sub(r"\S*\.onnx:? ?|/tmp/\S+", "", re.sub(r"'[^']*'", "'...'", reason))
    return re.sub(r"\s+", " ", plain).replace("|", "/").strip()


def table(outcomes: list[Outcome]) -> str:
    """Write the counts as Markdown."""
    kinds = collections.Counter(outcome.kind for outcome in outcomes)
    reasons = collections.Counter((o.kind, general(o.reason)) for o in outcomes if o.kind != "run")
    lines = [
        "# Operator coverage",
        "",
        f"The operator test cases of onnx {onnx.__version__} (`onnx.backend.test.case`), each read, split at",
        f"H = 1, emitted and run on the CPU provider of onnxruntime {onnxruntime.__version__}, or skipped with",
        "a named reason.",
        "Rebuilt by `python benchmarks/operator_coverage.py`.",
        "",
        "| outcome | cases | meaning |",
        "| --- | --- | --- |",
        f"| run | {kinds['run']} | every layer lies in a benchmark that ran |",
        f"| partly | {kinds['partly']} | some layers ran, others were skipped with a reason |",
        f"| skipped | {kinds['skipped']} | no benchmark, and a reason why |",
        f"| refused | {kinds['refused']} | left out of the suite, with the words of the runtime as reason |",
        f"| crashed | {kinds['crashed']} | the reader crashed |",
        f"| in all | {len(outcomes)} | |",
        "",
        "## Reasons",
        "",
        "| outcome | reason | cases |",
        "| --- | --- | --- |",
        *(f"| {kind} | {reason} | {count} |" for (kind, reason), count in reasons.most_common()),
        "",
    ]
    return "\n".join(lines)


def main() -> None:
    """Run all cases, print the counts, write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--match", default="", help="only cases whose name holds this text; the page is not written")
    parser.add_argument("--verbose", action="store_true", help="print every case that was not run")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, Workers(options.jobs) as workers:
        paths = list(write_cases(Path(folder), options.match))
        taken = workers.each(take, paths, lambda _: None)
        benchmarks: dict[str, BuiltBenchmark] = {}
        for one in taken:
            if isinstance(one, Extraction):
                benchmarks |= {built.benchmark.fingerprint: built for built in one.benchmarks}
        references = run_references(workers, list(benchmarks.values()), 0, {}, lambda _done, _total: None)
    notes = {fingerprint: one.note for fingerprint, one in references.items() if not one.ran}
    outcomes = [outcome(path, one, notes) for path, one in zip(paths, taken, strict=True)]
    if options.verbose:
        print(*(o for o in outcomes if o.kind != "run"), sep="\n")
    print(table(outcomes))
    if not options.match:
        page = ROOT / "docs" / "coverage.md"
        kept = page.read_text(encoding="utf-8").partition(NETWORKS)
        page.write_text(table(outcomes) + "".join(kept[1:]), encoding="utf-8")


if __name__ == "__main__":
    main()
