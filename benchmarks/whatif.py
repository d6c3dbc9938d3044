"""Back-tests of what-if: predictions beside measurements, and the errors from which intervals are made.

``python benchmarks/whatif.py tables`` measures nothing: it writes the tables of docs/whatif-evidence.md and
docs/whatif.md, and ``dlbricks/whatif/backtest_errors.json``. ``--traces FOLDER`` first predicts the pairs of public
traces again and writes suites/results/whatif-traces.json; the traces themselves are not part of the repository.
``--own`` predicts those of own traces of H200 (suites/results/nvidia-h200*-traces.parquet) again.

``show FILE...`` prints each case of packed traces (.parquet), of a folder of traces with its ``pairs.json``, or of
networks measured on a processor (.jsonl.xz). ``operators``, ``autocast``, ``mixed``, ``parallel`` and ``runs`` predict
what others published, and write ``suites/results/whatif-NAME.json``; ``consistency``, ``advice`` and ``products`` check
answers, the order of advice, and gains of half precision. ``backtest`` has a module for each.
"""

import argparse
import itertools
import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from archives import DATA, RESULTS, ROOT, markdown, put_table
from backtest import advice, autocast, consistency, mixed, operators, parallel, products, runs
from backtest.cases import (
    KERNELS,
    SUMMARY_COLUMNS,
    BackTest,
    BackTests,
    read_tests,
    report,
    summaries,
    summary_cells,
    write_tests,
)
from backtest.packed import packed_backtests
from backtest.processor import MEASURED, processor_backtests
from backtest.traces import trace_backtests

from dlbricks.extensions import offered
from dlbricks.files import write_text
from dlbricks.report.console import show
from dlbricks.whatif.transform import GPU, PROCESSOR, PUBLISHED, backtested, errors_of, evidence_of, interval_of
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
PAGE, EVIDENCE, TRAINING = (ROOT / "docs" / name for name in ("whatif.md", "whatif-evidence.md", "transforms.md"))
ENOUGH = 5
"""Fewer back-tests of steps, or of kernels, stand in the table and make no interval."""
TOGETHER: tuple[str, ...] = ("stored", "others")
"""Kinds of knowledge by which all changes of networks are summed up, too."""
Group = tuple[str, str, Sequence[BackTest]]
"""What back-tests are of, on which kind of device, and the cases."""


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
    public: list[Group] = [("on traces of GPUs", GPU, read_tests(TRACES))]
    public.append(("on own traces of H200", GPU, read_tests(OWN)))
    public += [(of, GPU, read_tests(RESULTS / f"whatif-{name}.json")) for name, (of, _) in FIGURES.items()]
    learn([*public, ("of networks on a processor", PROCESSOR, networks)])
    tests_of_gpus = [test for _, _, tests in public for test in tests]
    for name, backtests, more in (("traces", tests_of_gpus, ()), ("networks", networks, TOGETHER)):
        rows = [*summaries(backtests)]
        for knowledge in more:
            same = [one for one in backtests if one.name.endswith(f", {knowledge}")]
            rows += summaries(same, together=f"all of these, {knowledge}")
        put_table(name, markdown(SUMMARY_COLUMNS, [summary_cells(one) for one in rows]), EVIDENCE)
    put_table("transforms", transforms(plug_ins=False), PAGE)
    put_table("training", transforms(plug_ins=True), TRAINING)
    print_coverage(tests_of_gpus)


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


def transforms(*, plug_ins: bool) -> str:
    """List the transforms of the core or of plug-ins with the errors of their predictions."""
    backtested.cache_clear()
    offers = offered("dlbricks.transforms")
    listed = [one for name, one in all_transforms().items() if (name in offers) == plug_ins]
    errors = errors_of(listed)
    cells = []
    for one in listed:
        some = backtested().get(one.name, (errors[one.name],) if one.name in errors else ())
        of_gpus = {GPU: " (public figures and own traces of GPUs)"} if one.name in backtested() else {}
        marks = of_gpus | ({PROCESSOR: " (processor)"} if len(some) > 1 else {})
        error = ", ".join(f"±{each.error:.1%}{marks.get(each.device, '')}" for each in some)
        parameters = ", ".join(f"`{each.name}`" for each in one.parameters)
        evidence = ", ".join(filter(None, (one.group, evidence_of(one))))
        cells.append((f"`{one.name}`", one.title, parameters, evidence, error))
    return markdown(("transform", "what", "parameters", "evidence", ">error of the time"), cells)


def learn(groups: Sequence[Group]) -> None:
    """Keep the errors of the transforms that were back-tested, for each kind of device.

    The largest counts: of whole steps and of kernels alone, which are all of a step where the device is busy, and what
    the authors of a model report.
    """
    made: dict[str, list[dict[str, object]]] = {}
    for name, device in itertools.product(all_transforms(), (GPU, PROCESSOR)):
        sources, tests = dict[str, None](), list[BackTest]()
        counts = Counter(one.name for _, each, some in groups if each == device for one in some)
        names = [one for one in (name, name + KERNELS) if counts[one] >= ENOUGH]
        for of, each, some in groups:
            mine = [one for one in some if each == device and one.name in names]
            tests += mine
            sources |= {of: None} if mine else {}
        found = summaries(tests)
        if not any(one.transform == name for one in found):  # kernels alone make no interval of a step
            continue
        error = max(one.percentile_error for one in found)
        cases = sum(one.cases for one in found)
        source = f"{cases} back-tests {' and '.join(sources)} (docs/whatif-evidence.md)"
        reported = PUBLISHED.get(name)
        if reported is not None and reported.device == device and reported.error > error:
            error, source = reported.error, f"{source}, and {reported.source}"
        made.setdefault(name, []).append({"error": round(error, 4), "source": source, "device": device})
    write_text(ERRORS, json.dumps(made, indent=2) + "\n")


if __name__ == "__main__":
    main()
