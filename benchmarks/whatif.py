"""Writes the tables of docs/whatif.md, and the errors of transforms from which intervals are made.

``python benchmarks/whatif.py`` measures nothing. ``--traces FOLDER`` first runs those on public traces again and keeps
their figures in suites/results/whatif-traces.json; the traces themselves are not part of the repository.
"""

import argparse
import dataclasses
import json
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from archives import RESULTS, ROOT, markdown, put_table

from dlbricks.files import write_text
from dlbricks.report.whatif import SUMMARY_COLUMNS, summary_cells
from dlbricks.whatif.answer import GPU, PROCESSOR, backtested, errors_of, evidence_of
from dlbricks.whatif.backtest.cases import KERNELS, BackTest, summaries
from dlbricks.whatif.backtest.processor import processor_backtests
from dlbricks.whatif.backtest.traces import trace_backtests
from dlbricks.whatif.transforms import known

KEPT = RESULTS / "whatif-cpu.jsonl.xz"
TRACES = RESULTS / "whatif-traces.json"
OPERATORS = RESULTS / "whatif-operators.json"
"""Written by ``whatif_devices.py``."""
OPERATORS_ARE = "of operators timed on GPUs"
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
    operators = [BackTest(**one) for one in json.loads(OPERATORS.read_text(encoding="utf-8"))]
    learn(
        (
            ("on traces of GPUs", GPU, traces),
            (OPERATORS_ARE, GPU, operators),
            ("of networks on a processor", PROCESSOR, networks),
        )
    )
    for name, backtests, more in (("traces", [*traces, *operators], ()), ("networks", networks, TOGETHER)):
        rows = [*summaries(backtests)]
        for knowledge in more:
            same = [one for one in backtests if one.name.endswith(f", {knowledge}")]
            rows += summaries(same, together=f"all of these, {knowledge}")
        put_table(name, markdown(SUMMARY_COLUMNS, [summary_cells(one) for one in rows]), PAGE)
    put_table("transforms", transforms(), PAGE)
    print_coverage([*traces, *operators])


def print_coverage(tests: Sequence[BackTest]) -> None:
    """Say how many truths lie within the interval that all other cases of a transform give."""
    groups: dict[str, list[BackTest]] = defaultdict(list)
    for test in tests:
        if test.error is not None:
            groups[test.name].append(test)
    for name, group in groups.items():
        if len(group) > 1:
            left_out = [(one, summaries([other for other in group if other is not one])[0]) for one in group]
            inside = sum(abs(one.error or 0.0) <= others.percentile_error for one, others in left_out)
            print(f"{name}: {inside} of {len(group)} within the interval of all others")


def transforms() -> str:
    """List all transforms with what is known of their errors."""
    backtested.cache_clear()
    errors = errors_of(tuple(known().values()))
    cells = []
    for one in known().values():
        some = backtested().get(one.name, (errors[one.name],) if one.name in errors else ())
        marks = {GPU: " (public figures of GPUs)", PROCESSOR: " (processor)"} if len(some) > 1 else {}
        error = ", ".join(f"±{each.error:.1%}{marks.get(each.device, '')}" for each in some)
        parameters = ", ".join(f"`{each.name}`" for each in one.parameters)
        cells.append((f"`{one.name}`", one.title, parameters, evidence_of(one), error))
    return markdown(("transform", "what", "parameters", "evidence", ">error of the time"), cells)


def learn(tests: Sequence[tuple[str, str, Sequence[BackTest]]]) -> None:
    """Keep the errors of the transforms that were back-tested, for each kind of device.

    Args:
        tests: what they were tested with, on which kind of device, and the cases; the first of a device counts.
    """
    names = known()
    made: dict[str, dict[str, dict[str, object]]] = {}
    for of, device, some in tests:
        for one in summaries(some):
            name = one.transform.removesuffix(KERNELS)
            if name in names and (name == one.transform or of == OPERATORS_ARE):
                source = f"{one.cases} back-tests {of} (docs/whatif.md)"
                found = {"error": round(one.percentile_error, 4), "source": source, "device": device}
                made.setdefault(name, {}).setdefault(device, found)
    write_text(ERRORS, json.dumps({name: [*some.values()] for name, some in made.items()}, indent=2) + "\n")


if __name__ == "__main__":
    main()
