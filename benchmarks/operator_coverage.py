"""Feed the onnx package's own operator test cases through the chain and count what happens to each.

Every model of ``onnx.backend.test.case`` is read, split at H = 1, emitted and run on the CPU provider, or skipped with
a named reason. ``python benchmarks/operator_coverage.py`` prints the table and puts it into ``docs/evidence.md``.
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
from archives import ROOT, markdown, put_table

from dlbricks.errors import InputError, UnsupportedModelError
from dlbricks.process_pool import Crashed, Workers
from dlbricks.settings import SplitSettings
from dlbricks.suite.benchmarks import BuiltBenchmark
from dlbricks.suite.extraction import Extraction, ExtractionTask, extract_benchmarks
from dlbricks.suite.generate import run_references

PARTS = {
    "handles strings": "handles strings",
    "handles a sequence": "handles a sequence, optional or map",
    "has no CPU kernel": "has no kernel for its types or layout",
    "cannot be expanded": "is a function that the runtime cannot expand",
    "is a training operator": "is a training operator",
    "is not known to": "is not known to the runtime",
    "holds a vocabulary": "holds a vocabulary that may be secret",
    "renames memory": "only renames memory: free, needs no benchmark",
    "every output is a constant": "every output is a constant",
    "unbound dimensions": "has unbound dimensions",
    "did not run": "the runtime refused it when the suite was made",
}
"""Parts of reasons, and the words under which cases with them are counted together."""
OPERATOR = re.compile(r"^(?:[a-z.]*\.)?([A-Z]\w+)|running (\w+) node|\(([A-Z]\w+)\) has shape")
"""The operator that a reason names."""


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


def table(outcomes: list[Outcome]) -> str:
    """Write the counts by outcome and reason as Markdown, with the operators that the reasons name."""
    groups: dict[tuple[str, str], list[Outcome]] = collections.defaultdict(list)
    for one in outcomes:
        reason = next((words for part, words in PARTS.items() if part in one.reason), one.reason)
        groups[one.kind, reason or "every layer lies in a benchmark that ran"].append(one)
    rows = []
    for (kind, reason), cases in sorted(groups.items(), key=lambda item: -len(item[1])):
        named = {next(filter(None, found.groups())) for one in cases if (found := OPERATOR.search(one.reason))}
        rows.append((kind, len(cases), reason, ", ".join(sorted(named))))
    versions = f"onnx {onnx.__version__}, onnxruntime {onnxruntime.__version__}"
    rows.append(("in all", len(outcomes), versions, ""))
    return markdown(("outcome", ">cases", "reason", "operators"), rows)


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
        put_table("operators", table(outcomes), ROOT / "docs" / "evidence.md")


if __name__ == "__main__":
    main()
