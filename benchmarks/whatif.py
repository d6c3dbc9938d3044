"""Writes the tables of docs/whatif.md, and the errors of transforms from which intervals are made.

``python benchmarks/whatif.py`` measures nothing. ``--traces FOLDER`` first runs those on public traces again and keeps
their figures in suites/results/whatif-traces.json; the traces themselves are not part of the repository.
"""

import argparse
import dataclasses
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from archives import RESULTS, ROOT, markdown, put_table

from dlbricks.files import write_text
from dlbricks.report.whatif import SUMMARY_COLUMNS, summary_cells
from dlbricks.whatif.answer import GPU, PROCESSOR, backtested, errors_of, evidence_of
from dlbricks.whatif.backtest.cases import BackTest, summaries
from dlbricks.whatif.backtest.processor import processor_backtests
from dlbricks.whatif.backtest.traces import trace_backtests
from dlbricks.whatif.transforms import known

KEPT = RESULTS / "whatif-cpu.jsonl.xz"
TRACES = RESULTS / "whatif-traces.json"
ERRORS = ROOT / "dlbricks" / "whatif" / "backtest_errors.json"
PAGE = ROOT / "docs" / "whatif.md"
TOGETHER: tuple[str, ...] = ("stored", "others")
"""Kinds of knowledge by which all changes of networks are summed up, too."""


def main() -> None:
    """Recompute page and errors."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--traces", type=Path, metavar="FOLDER", help="run the back-tests on public traces again")
    folder = parser.parse_args().traces
    if folder is not None:
        tests = [dataclasses.asdict(one) for one in trace_backtests(folder, known())]
        write_text(TRACES, json.dumps(tests, indent=2, ensure_ascii=False) + "\n")
    traces = [BackTest(**one) for one in json.loads(TRACES.read_text(encoding="utf-8"))]
    networks = processor_backtests(KEPT, known())
    learn({"on traces of GPUs": (GPU, traces), "of networks on a processor": (PROCESSOR, networks)})
    for name, backtests, more in (("traces", traces, ()), ("networks", networks, TOGETHER)):
        rows = [*summaries(backtests)]
        for knowledge in more:
            same = [one for one in backtests if one.name.endswith(f", {knowledge}")]
            rows += summaries(same, together=f"all of these, {knowledge}")
        put_table(name, markdown(SUMMARY_COLUMNS, [summary_cells(one) for one in rows]), PAGE)
    put_table("transforms", transforms(), PAGE)


def transforms() -> str:
    """List all transforms with what is known of their errors."""
    backtested.cache_clear()
    errors = errors_of(tuple(known().values()))
    cells = []
    for one in known().values():
        error = f"±{errors[one.name].error:.1%}" if one.name in errors else ""
        parameters = ", ".join(f"`{each.name}`" for each in one.parameters)
        cells.append((f"`{one.name}`", one.title, parameters, evidence_of(one), error))
    return markdown(("transform", "what", "parameters", "evidence", ">error of the time"), cells)


def learn(tests: Mapping[str, tuple[str, Sequence[BackTest]]]) -> None:
    """Keep the errors of the transforms that were back-tested, by what they were tested with and on which device."""
    names = known()
    made = {
        one.transform: {
            "error": round(one.percentile_error, 4),
            "source": f"{one.cases} back-tests {of} (docs/whatif.md)",
            "device": device,
        }
        for of, (device, some) in tests.items()
        for one in summaries(some)
        if one.transform in names
    }
    write_text(ERRORS, json.dumps(made, indent=2) + "\n")


if __name__ == "__main__":
    main()
