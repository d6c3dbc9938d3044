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
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import NamedTuple

import onnx

ROOT = Path(__file__).parents[1]


class Outcome(NamedTuple):
    """What became of one operator test case."""

    case: str
    kind: str
    """``run``, ``skipped`` or ``failed``."""
    reason: str
    benchmarks: int


def cases() -> Iterator[tuple[str, bytes]]:
    """Yield the name and the serialised model of every operator test case."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from onnx.backend.test.case.node import collect_testcases

        for case in collect_testcases(""):
            if isinstance(case.model, onnx.ModelProto):
                yield case.name, case.model.SerializeToString()


def try_case(case: tuple[str, bytes]) -> Outcome:
    """Read, split, emit and run one model."""
    from dlbricks.errors import DlbricksError
    from dlbricks.harness.session import HarnessError, SessionSettings
    from dlbricks.harness.trial import try_benchmark
    from dlbricks.model.read import read_model
    from dlbricks.sequences.canonical import canonicalise
    from dlbricks.sequences.nouns import Granularity
    from dlbricks.sequences.splitters import split
    from dlbricks.suite.bricks import brick

    name, data = case
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{name}.onnx"
        path.write_bytes(data)
        try:
            model = read_model(path)
            parts = split(model, Granularity(1))
            skips = [sequence.skip for sequence in parts.sequences if sequence.skip]
            bricks = [brick(model, s, canonicalise(model, s)) for s in parts.sequences if not s.skip]
            for made in bricks:
                try_benchmark(made, Path(folder), SessionSettings())
        except DlbricksError as error:
            return Outcome(name, "skipped", str(error), 0)
        except HarnessError as error:
            return Outcome(name, "failed", str(error), 0)
    if bricks:
        return Outcome(name, "run", "", len(bricks))
    return Outcome(name, "skipped", skips[0] if skips else "nothing to run: every output is a constant", 0)


def general(reason: str) -> str:
    """Strip what is particular to one case from a reason, so that equal causes are counted together."""
    return re.sub(r"\S*/\S*\.onnx:? ?", "", re.sub(r"'[^']*'", "'...'", reason)).strip()


def table(outcomes: list[Outcome]) -> str:
    """Write the counts as Markdown."""
    kinds = collections.Counter(outcome.kind for outcome in outcomes)
    reasons = collections.Counter(general(outcome.reason) for outcome in outcomes if outcome.kind != "run")
    lines = [
        "# Operator coverage",
        "",
        f"The operator test cases of onnx {onnx.__version__} (`onnx.backend.test.case`), each read, split at H = 1,",
        "emitted and run on the CPU provider of the installed onnxruntime, or skipped with a named reason.",
        "Rebuilt by `python benchmarks/operator_coverage.py`.",
        "",
        "| outcome | cases |",
        "| --- | --- |",
        *(f"| {kind} | {kinds[kind]} |" for kind in ("run", "skipped", "failed")),
        f"| in all | {len(outcomes)} |",
        "",
        "## Why cases were skipped or failed",
        "",
        "| reason | cases |",
        "| --- | --- |",
        *(f"| {reason} | {count} |" for reason, count in reasons.most_common()),
        "",
    ]
    return "\n".join(lines)


def main() -> None:
    """Run all cases, print the counts, write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--match", default="", help="only cases whose name holds this text")
    parser.add_argument("--verbose", action="store_true", help="print every case that was not run")
    options = parser.parse_args()
    chosen = [case for case in cases() if options.match in case[0]]
    with ProcessPoolExecutor(options.jobs, max_tasks_per_child=200) as pool:
        outcomes = list(pool.map(try_case, chosen, chunksize=8))
    if options.verbose:
        print(*(o for o in outcomes if o.kind != "run"), sep="\n")
    print(table(outcomes))
    if not options.match:
        (ROOT / "docs" / "coverage.md").write_text(table(outcomes), encoding="utf-8")


if __name__ == "__main__":
    main()
