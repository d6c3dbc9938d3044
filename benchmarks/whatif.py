"""Back-tests of what-if: predictions beside measurements, and the errors from which intervals are made.

``python benchmarks/whatif.py tables`` measures nothing: it writes the tables of docs/evidence.md, that of transforms in
docs/performance.md, and ``dlbricks/whatif/backtest_errors.json``. ``--traces FOLDER`` first predicts the pairs of
public traces again and writes suites/results/whatif-traces.json; the traces themselves are not in the repository.
``--own`` predicts those of own traces of H200 (suites/results/nvidia-h200*-traces.parquet) again.

``show FILE...`` prints each case of packed traces (.parquet), of a folder of traces with its ``pairs.json``, or of
networks measured on a processor (.jsonl.xz). ``operators``, ``autocast``, ``mixed``, ``parallel`` and ``runs`` predict
what others published, and write ``suites/results/whatif-NAME.json``; ``consistency``, ``advice`` and ``products`` check
answers, the order of advice, and gains of half precision. ``backtest`` has a module for each.
"""

import argparse
import itertools
import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
from archives import DATA, RESULTS, ROOT, markdown, put_table
from backtest import advice, autocast, consistency, mixed, operators, parallel, products, runs
from backtest.cases import (
    HOST,
    KERNELS,
    BackTest,
    BackTests,
    ErrorSummary,
    read_tests,
    report,
    summaries,
    write_tests,
)
from backtest.packed import packed_backtests
from backtest.processor import MEASURED, processor_backtests
from backtest.traces import trace_backtests

from dlbricks.files import write_text
from dlbricks.report.console import show
from dlbricks.whatif import evidence
from dlbricks.whatif.evidence import EITHER, BacktestErrors, backtested, interval_of
from dlbricks.whatif.transforms import all_transforms

TRACES = RESULTS / "whatif-traces.json"
OWN, PACKED = RESULTS / "whatif-h200.json", "nvidia-h200*-traces.parquet"
FIGURES: Mapping[str, tuple[str, Callable[..., Iterable[BackTest]]]] = {
    "operators": ("of operators timed on GPUs", operators.predicted),
    "autocast": ("of a table of kernels", autocast.predicted),
    "mixed": ("of passes with and without autocast or compilation", mixed.predicted),
    "parallel": ("of runs on four GPUs", parallel.predicted),
    "runs": ("of published step times", runs.predicted),
}
"""Back-tests of published figures by name: what the cases are of, and how they are predicted."""
ERRORS = ROOT / "dlbricks" / "whatif" / "backtest_errors.json"
PAGE, EVIDENCE = (ROOT / "docs" / name for name in ("performance.md", "evidence.md"))
"""The page with the table of transforms, and that with the tables of back-tests."""
ENOUGH = 5
"""Fewer back-tests of steps, or of kernels, stand in the table and make no interval."""
TOGETHER: tuple[str, ...] = ("stored", "others")
"""Kinds of knowledge by which all changes of networks are summed up, too."""
Group = tuple[str, Sequence[BackTest]]
"""What back-tests are of, and the cases."""
LOADERS, MEMORY = RESULTS / "whatif-loaders.json", RESULTS / "whatif-memory.json"


def main(arguments: Sequence[str] | None = None) -> None:
    """Run one command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    tables = commands.add_parser("tables")
    tables.add_argument("--traces", type=Path, metavar="FOLDER", help="predict pairs of public traces again")
    tables.add_argument("--own", action="store_true", help="predict pairs of own traces again")
    for name in ("show", "consistency", *FIGURES):
        commands.add_parser(name).add_argument("paths", nargs="*", type=Path, metavar="FILE")
    commands.add_parser("advice")
    sheets = commands.add_parser("products")
    sheets.add_argument("device")
    sheets.add_argument("paths", nargs=2, type=Path, metavar="SHEET")
    chosen = parser.parse_args(arguments)
    match chosen.command:
        case "tables":
            write_tables(chosen.traces, own=chosen.own)
        case "show":
            for path in chosen.paths:
                show(*report(backtests_of(path)))
        case "consistency":
            consistency.ask_all(chosen.paths, DATA)
        case "advice":
            advice.print_places()
        case "products":
            products.print_errors(chosen.device, tuple(chosen.paths))
        case name:
            predict_figures(name, chosen.paths)


def predict_figures(name: str, paths: Sequence[Path]) -> None:
    """Predict published figures, print each case and the summaries, and write them."""
    _, predicted = FIGURES[name]
    tests = tuple(predicted(*paths))
    write_tests(tests, RESULTS / f"whatif-{name}.json")
    show(*report(BackTests(tests=tests)))
    if name == "operators":
        operators.print_devices(*paths)


def backtests_of(path: Path) -> BackTests:
    """Return the back-tests of packed traces, of a folder of traces, or of networks measured on a processor."""
    if path.is_dir():
        return trace_backtests(path, all_transforms())
    if path.suffix == ".parquet":
        return packed_backtests(path, all_transforms())
    return BackTests(tests=processor_backtests(path, all_transforms()))


def predict_again(paths: Iterable[Path], kept: Path) -> None:
    """Predict all pairs of traces, print the refused ones, and write the others."""
    made = [backtests_of(path) for path in paths]
    for refusal in itertools.chain.from_iterable(backtests.refused for backtests in made):
        print(refusal)
    write_tests([test for backtests in made for test in backtests.tests], kept)


def write_tables(traces: Path | None, *, own: bool) -> None:
    """Write tables and errors."""
    if traces is not None:
        predict_again([traces], TRACES)
    if own:
        predict_again(sorted(RESULTS.glob(PACKED)), OWN)
    networks = processor_backtests(MEASURED, all_transforms())
    public: list[Group] = [("on traces of GPUs", read_tests(TRACES)), ("on own traces of H200", read_tests(OWN))]
    public += [(of, read_tests(RESULTS / f"whatif-{name}.json")) for name, (of, _) in FIGURES.items()]
    public.append(("of training on two cores", read_tests(LOADERS)))
    memory = read_tests(MEMORY)
    learn([*public, ("of memory reuse on one Xeon", memory), ("of networks on a processor", networks)])
    tests_of_gpus = [test for _, tests in public for test in tests]
    put_table("traces", by_kind(tests_of_gpus), EVIDENCE)
    rows = [*summaries([*memory, *networks])]
    for knowledge in TOGETHER:
        same = [one for one in networks if one.name.endswith(f", {knowledge}")]
        rows += summaries(same, together=f"all of these, {knowledge}")
    put_table("networks", markdown(("transform", "step"), [(one.transform, in_short(one)) for one in rows]), EVIDENCE)
    put_table("transforms", transforms(), PAGE)
    print_coverage(tests_of_gpus)


def by_kind(tests: Sequence[BackTest]) -> str:
    """Write a row for each transform and kind of trace, with steps and kernels; times of hosts have one for a kind."""
    cells: dict[tuple[str, str], dict[str, str]] = defaultdict(dict)
    for one in summaries([test for test in tests if not test.name.endswith(HOST)]):
        cells[one.transform.removesuffix(KERNELS), one.kind]["kernels" if KERNELS in one.transform else "step"] = (
            in_short(one)
        )
    hosts = [replace(test, transform="time of the host, all") for test in tests if test.name.endswith(HOST)]
    cells |= {(one.transform, one.kind): {"step": in_short(one)} for one in summaries(hosts)}
    rows = [(*key, of.get("step", ""), of.get("kernels", "")) for key, of in sorted(cells.items())]
    return markdown(("transform", "kind of trace", "step", "kernels"), rows)


def in_short(summary: ErrorSummary) -> str:
    """Write cases, median error and that of "nothing changes", bound of nine of ten cases, wrong signs, if any."""
    errors = f"{summary.median_error:.1%} ({summary.unchanged_error:.1%}), {summary.percentile_error:.1%}"
    return f"{summary.cases}: {errors}" + (f", {summary.wrong_signs} wrong" if summary.wrong_signs else "")


def print_coverage(tests: Sequence[BackTest]) -> None:
    """Say how many truths lie within the interval that all other cases of a transform and kind of trace give.

    The width of the interval is in points of the time before. A wrong sign is missed where the interval does not leave
    the sign open. Pairs of recorded traces are summed up by what was compared.
    """
    groups: dict[tuple[str, str], list[BackTest]] = defaultdict(list)
    recorded = {test.case for path in (TRACES, OWN) for test in read_tests(path)}
    for test in tests:
        if test.error is not None:
            of_host = test.name.endswith(HOST)
            groups["all transforms, host" if of_host else test.name, test.kind].append(test)
    found: dict[str, list[tuple[float, bool, float]]] = defaultdict(list)
    for (name, kind), group in groups.items():
        if len(group) < ENOUGH or name.startswith(("replay", "ranks")):
            continue
        inside, missed, widths = 0, 0, list[float]()
        for one in group:
            (others,) = summaries([other for other in group if other is not one], together=name)
            error = others.percentile_error
            around = interval_of(round(one.predicted_ns), [error], name)
            within = abs(one.error or 0.0) <= error
            inside += within
            missed += one.sign_is_wrong and not around.low_ns <= one.before_ns <= around.high_ns
            widths.append(100 * (around.high_ns - around.low_ns) / one.before_ns)
            if one.case in recorded:
                of = next((suffix for suffix in (KERNELS, HOST) if name.endswith(suffix)), ", step")
                found[of].append((abs(one.error or 0.0), within, widths[-1]))
        share = f"{inside} of {len(group)} within the interval of all others"
        print(f"{name}, {kind}: {share}, median width {np.median(widths):.0f} points, {missed} wrong signs sure")
    for of, rows in found.items():
        each = np.array(rows)
        errors = f"error {np.median(each[:, 0]):.1%}, 90th percentile {np.quantile(each[:, 0], 0.9):.1%}"
        share = f"{each[:, 1].mean():.0%} inside, median width {np.median(each[:, 2]):.0f} points"
        print(f"recorded pairs{of}: {len(rows)}, {errors}, {share}")


def transforms() -> str:
    """List the transforms that are not of a paper, with the errors of their predictions by kind of trace."""
    backtested.cache_clear()
    cells = []
    for one in (one for one in all_transforms().values() if one.group != "paper"):
        kinds: dict[str, list[str]] = defaultdict(list)
        for row in (row for row in backtested() if row.transform == one.name and row.of != evidence.HOST):
            errors = f"{row.of} {row.median_error:.0%}, ±{row.error:.0%} of {row.cases}"
            kinds[row.kind].append(errors if row.helps else f"{row.of} -")
        text = "<br>".join(f"{kind}: {'; '.join(rows)}" for kind, rows in kinds.items())
        cells.append((f"`{one.name}`", one.title, text.replace(" on NVIDIA GPUs", "") or "not validated"))
    return markdown(("transform", "what", "error"), cells)


def learn(groups: Sequence[Group]) -> None:
    """Keep the errors of the transforms that were back-tested, for each kind of trace and each quantity.

    Times of hosts are kept of all transforms together: they differ between two runs, whatever was changed. Few cases of
    training and few of inference count together.
    """
    found: dict[tuple[str, str, str], list[BackTest]] = defaultdict(list)
    sources: dict[tuple[str, str, str], dict[str, None]] = defaultdict(dict)
    known = all_transforms()
    for source, tests in groups:
        for one in (one for one in tests if one.error is not None):
            name, _, suffix = one.name.partition(",")
            of = {KERNELS: evidence.KERNELS, HOST: evidence.HOST}.get(f",{suffix}", evidence.STEP if not suffix else "")
            if name in known and of:
                key = ("" if of == evidence.HOST else name, of, one.kind)
                found[key].append(one)
                sources[key][source] = None
    for name, of, kind in [key for key, tests in found.items() if len(tests) < ENOUGH]:
        together = (name, of, f"{EITHER} {kind.partition(' ')[2]}")
        found[together] += found.pop((name, of, kind))
        sources[together] |= sources[name, of, kind]
    rows = []
    for (name, of, kind), tests in sorted(found.items()):
        (summary,) = summaries(tests, together=name)
        if summary.cases >= ENOUGH:
            text = f"{summary.cases} back-tests {' and '.join(sources[name, of, kind])} (docs/evidence.md)"
            rows.append(
                BacktestErrors(
                    transform=name, of=of, kind=kind, cases=summary.cases, error=round(summary.percentile_error, 4),
                    median_error=round(summary.median_error, 4), unchanged_error=round(summary.unchanged_error, 4),
                    better=summary.better, wrong_signs=summary.wrong_signs, source=text,
                )
            )  # fmt: skip
    write_text(ERRORS, "[\n" + ",\n".join(json.dumps(asdict(row)) for row in rows) + "\n]\n")


if __name__ == "__main__":
    main()
