"""Writes the tables of docs/whatif-evidence.md and docs/whatif.md, and the errors from which intervals are made.

``python benchmarks/whatif.py`` measures nothing. ``--traces FOLDER`` first runs those on public traces again and keeps
their figures in suites/results/whatif-traces.json; the traces themselves are not part of the repository. ``--own`` runs
those on own traces of H200 (suites/results/nvidia-h200*-traces.parquet) again.
"""

import argparse
import dataclasses
import json
from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import product
from pathlib import Path

from archives import RESULTS, ROOT, markdown, put_table

from dlbricks.files import write_text
from dlbricks.report.whatif import SUMMARY_COLUMNS, summary_cells
from dlbricks.whatif.backtest.cases import KERNELS, BackTest, BackTests, summaries
from dlbricks.whatif.backtest.packed import packed_backtests
from dlbricks.whatif.backtest.processor import processor_backtests
from dlbricks.whatif.backtest.traces import trace_backtests
from dlbricks.whatif.evidence import GPU, PROCESSOR, PUBLISHED, backtested, errors_of, evidence_of, interval_of
from dlbricks.whatif.transforms import known

KEPT = RESULTS / "whatif-cpu.jsonl.xz"
TRACES = RESULTS / "whatif-traces.json"
OWN, PACKED = RESULTS / "whatif-h200.json", "nvidia-h200*-traces.parquet"
TABLES = {
    "whatif-h200.json": "on own traces of H200",
    "whatif-operators.json": "of operators timed on GPUs",
    "whatif-autocast.json": "of a table of kernels",
    "whatif-mixed.json": "of passes with and without autocast or compilation",
    "whatif-parallel.json": "of runs on four GPUs",
    "whatif-runs.json": "of published step times",
}
"""Written by ``whatif_devices.py``, ``_autocast``, ``_mixed``, ``_parallel`` and ``_runs``: what cases are of."""
ERRORS = ROOT / "dlbricks" / "whatif" / "backtest_errors.json"
PAGE, EVIDENCE = (ROOT / "docs" / name for name in ("whatif.md", "whatif-evidence.md"))
ENOUGH = 5
"""Fewer back-tests of steps, or of kernels, stand in the table and make no interval."""
TOGETHER: tuple[str, ...] = ("stored", "others")
"""Kinds of knowledge by which all changes of networks are summed up, too."""
Group = tuple[str, str, Sequence[BackTest]]
"""What back-tests are of, on which kind of device, and the cases."""


def main() -> None:
    """Recompute page and errors."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--traces", type=Path, metavar="FOLDER", help="run the back-tests on public traces again")
    parser.add_argument("--own", action="store_true", help="run the back-tests on own traces again")
    given = parser.parse_args()
    if given.traces is not None:
        keep(told(trace_backtests(given.traces, known())), TRACES)
    if given.own:
        keep([one for path in sorted(RESULTS.glob(PACKED)) for one in told(packed_backtests(path, known()))], OWN)
    networks = processor_backtests(KEPT, known())
    public = [("on traces of GPUs", GPU, kept(TRACES))]
    public += [(of, GPU, kept(RESULTS / name)) for name, of in TABLES.items()]
    learn([*public, ("of networks on a processor", PROCESSOR, networks)])
    tests_of_gpus = [one for _, _, some in public for one in some]
    for name, backtests, more in (("traces", tests_of_gpus, ()), ("networks", networks, TOGETHER)):
        rows = [*summaries(backtests)]
        for knowledge in more:
            same = [one for one in backtests if one.name.endswith(f", {knowledge}")]
            rows += summaries(same, together=f"all of these, {knowledge}")
        put_table(name, markdown(SUMMARY_COLUMNS, [summary_cells(one) for one in rows]), EVIDENCE)
    put_table("transforms", transforms(), PAGE)
    print_coverage(tests_of_gpus)


def told(made: BackTests) -> tuple[BackTest, ...]:
    """Print the changes without a prediction, and return the others."""
    for one in made.refused:
        print(f"no prediction of {one.transform}, {one.case}: {one.reason}")
    return made.tests


def keep(tests: Sequence[BackTest], path: Path) -> None:
    """Write back-tests."""
    write_text(path, json.dumps([dataclasses.asdict(one) for one in tests], indent=2, ensure_ascii=False) + "\n")


def kept(path: Path) -> list[BackTest]:
    """Read back-tests."""
    return [BackTest(**one) for one in json.loads(path.read_text(encoding="utf-8"))]


def print_coverage(tests: Sequence[BackTest]) -> None:
    """Say how many truths lie within the interval that all other cases of a transform give, and what signs it misses.

    A wrong sign is missed where that interval does not leave the sign open.
    """
    groups: dict[str, list[BackTest]] = defaultdict(list)
    for test in tests:
        if test.error is not None:
            groups[test.name].append(test)
    for name, group in groups.items():
        if len(group) > 1:
            inside, missed = 0, 0
            for one in group:
                error = summaries([other for other in group if other is not one])[0].percentile_error
                around = interval_of(round(one.predicted_ns), [error], name)
                inside += abs(one.error or 0.0) <= error
                missed += one.sign_is_wrong and not around.low_ns <= one.before_ns <= around.high_ns
            print(f"{name}: {inside} of {len(group)} within the interval of all others, {missed} wrong signs sure")


def transforms() -> str:
    """List all transforms with what is known of their errors."""
    backtested.cache_clear()
    errors = errors_of(tuple(known().values()))
    cells = []
    for one in known().values():
        some = backtested().get(one.name, (errors[one.name],) if one.name in errors else ())
        of_gpus = {GPU: " (public figures and own traces of GPUs)"} if one.name in backtested() else {}
        marks = of_gpus | ({PROCESSOR: " (processor)"} if len(some) > 1 else {})
        error = ", ".join(f"±{each.error:.1%}{marks.get(each.device, '')}" for each in some)
        parameters = ", ".join(f"`{each.name}`" for each in one.parameters)
        cells.append((f"`{one.name}`", one.title, parameters, evidence_of(one), error))
    return markdown(("transform", "what", "parameters", "evidence", ">error of the time"), cells)


def learn(groups: Sequence[Group]) -> None:
    """Keep the errors of the transforms that were back-tested, for each kind of device.

    The largest counts: of whole steps and of kernels alone, which are all of a step where the device is busy, and what
    the authors of a model report.
    """
    made: dict[str, list[dict[str, object]]] = {}
    for name, device in product(known(), (GPU, PROCESSOR)):
        sources, tests = dict[str, None](), list[BackTest]()
        counts = Counter(one.name for _, each, some in groups if each == device for one in some)
        names = [one for one in (name, name + KERNELS) if counts[one] >= ENOUGH]
        for of, each, some in groups:
            mine = [one for one in some if each == device and one.name in names]
            tests += mine
            sources |= {of: None} if mine else {}
        found = summaries(tests)
        if not found:
            continue
        error = max(one.percentile_error for one in found)
        cases = sum(one.cases for one in found)
        alone = "" if any(one.transform == name for one in found) else ", kernels alone"
        source = f"{cases} back-tests {' and '.join(sources)}{alone} (docs/whatif-evidence.md)"
        reported = PUBLISHED.get(name)
        if reported is not None and reported.device == device and reported.error > error:
            error, source = reported.error, f"{source}, and {reported.source}"
        kept: dict[str, object] = {"error": round(error, 4), "source": source, "device": device}
        made.setdefault(name, []).append({**kept, "kernels": True} if alone else kept)
    write_text(ERRORS, json.dumps(made, indent=2) + "\n")


if __name__ == "__main__":
    main()
