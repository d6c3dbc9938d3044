"""The commands ``coverage`` and ``plan``: what a system has measured, and what is left to measure."""

import functools
import shlex
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from dlbricks.cli.decoders import (
    cut_at,
    dims_of,
    lengths_options,
    model_arguments,
    questions_of,
    variant_options,
    without_measured,
)
from dlbricks.cli.networks import as_measured, splits
from dlbricks.cli.options import (
    ManyOptionsCommand,
    json_flag,
    system_options,
)
from dlbricks.cli.output import present, tell
from dlbricks.cli.splitting import SplitChoice, grid_split_options, measured_split_options, models_argument
from dlbricks.cli.suite import SuiteChoice, suite_options, write_suite
from dlbricks.errors import InputError
from dlbricks.estimating import SystemQuery, stored
from dlbricks.harness.options import ONNXRUNTIME

if TYPE_CHECKING:
    from dlbricks.store.types import SystemConfiguration


@click.command(short_help="Show which sequences of networks a system has measured.")
@models_argument
@measured_split_options
@system_options
@json_flag
def coverage(models: Sequence[str], choice: SplitChoice, where: SystemQuery, as_json: bool) -> None:
    """Show which sequences of networks a system has measured, and which are missing."""
    from dlbricks.construct.compose import compose
    from dlbricks.construct.coverage import coverage as cover
    from dlbricks.report.estimates import coverage_report

    choice = as_measured(models, choice, where)
    compositions = [compose(one) for one in splits(models, choice, threads=where.threads or 1)]
    made = cover(compositions, stored(compositions, where))
    present("coverage", made, lambda: coverage_report(made), as_json=as_json)


@click.command(
    cls=ManyOptionsCommand,
    basic="-H --target --dim --batch --prompt --generate --system --provider --threads --runtime -o --grid --json",
    short_help="Write a suite of the sequences that a system has not measured.",
)
@models_argument
@variant_options
@functools.partial(grid_split_options, measured=True)
@lengths_options
@system_options
@suite_options("plan")
@click.option(
    "--grid", is_flag=True, help="Measure sizes on a public grid around the network's, for 'estimate --interpolate'."
)
@click.option(
    "--grid-steps",
    type=click.Choice(["1", "2", "4", "8"]),
    help="Grid points per doubling of a size; more points disclose more. Default 2.",
)
@json_flag
def plan(
    *,
    models: Sequence[str],
    choice: SplitChoice,
    where: SystemQuery,
    wanted: SuiteChoice,
    grid: bool,
    grid_steps: str | None,
    as_json: bool,
) -> None:
    """Write the smallest suite of all sequences of networks that a system has not measured, each once.

    No suite is written if nothing is missing. The commands to run the suite on the system, to submit the result and to
    estimate are printed.

    --prompt 128..4096 chooses the lengths of a decoder that estimates of such prompts need, and are missing beside
    those that the system has results for (docs/decoders.md).

    With --grid the suite has no sequences of the network except by chance: each size is replaced by the grid points
    below and above it (powers of 2 and the midpoints between them), and all of these sequences are included, measured
    or not. A receiver learns only the grid cells of the sizes. 'estimate --interpolate' interpolates the network
    (docs/owner.md). --grid-steps 1 uses only powers of 2; 4 and 8 have more points between them (docs/privacy.md).
    """
    from dlbricks.construct.compose import compose
    from dlbricks.construct.coverage import coverage as cover
    from dlbricks.construct.coverage import plan_of, suite_cost_ns, unions_of, without
    from dlbricks.report.estimates import plan_report

    choice = as_measured(models, choice, where)
    if grid and (choice.points or wanted.pairs or wanted.decoys or choice.granularity == "inf"):
        raise InputError("--grid excludes --decoys, --pairs, --prompt, several lengths and -H inf")
    if grid_steps and not grid:
        raise InputError("--grid-steps needs --grid")
    choice = without_measured(models, choice, where)
    threads = where.threads or 1
    points = [replace(choice, dims={**choice.dims, **one}, points=()) for one in choice.points or ({},)]
    cut = cut_at(models, points, threads, choosing=not (grid or wanted.decoys))
    compositions = [compose(one, pairs=wanted.pairs) for one in cut]
    results = stored(compositions, where)
    made = plan_of(cover(compositions, results), results, unions_of(compositions))
    place, commands = None, list[str]()
    if grid:
        place, asked = _write_grid(models, choice, wanted, threads, int(grid_steps or 2))
        made = replace(made, fingerprints=asked, impossible=(), cost_ns=suite_cost_ns(len(asked), results))
        commands = _commands(place, models, choice, results.configuration, where.store, pairs=False)
        commands[-1] += " --interpolate"
    elif made.fingerprints:
        written, suite, reports = write_suite(models, choice, wanted, threads=threads, only=made.fingerprints)
        place = str(written)
        made = without(made, {name: reason for one in reports for name, reason in one.left_out}, results)
        if wanted.decoys:  # these are measured, too
            asked = tuple(one.fingerprint for one in suite.benchmarks if one.role == "sequence")
            made = replace(made, fingerprints=asked, cost_ns=suite_cost_ns(len(asked), results))
        commands = _commands(place, models, choice, results.configuration, where.store, pairs=wanted.pairs)
    present(
        "plan",
        {"suite": place, "plan": made, "commands": commands},
        lambda: plan_report(made, place, commands),
        as_json=as_json,
    )


def _write_grid(
    models: Sequence[str], choice: SplitChoice, wanted: SuiteChoice, threads: int, steps: int
) -> tuple[str, tuple[str, ...]]:
    """Write a suite of the grid around networks; operators that it does not cover are printed on stderr.

    Returns:
        Its path, and the fingerprints of its sequences.
    """
    import tempfile
    from pathlib import Path

    from dlbricks.model.read.network import find_networks
    from dlbricks.report.console import progress
    from dlbricks.sequences.types import Granularity
    from dlbricks.suite.extraction import ExtractionTask
    from dlbricks.suite.grid import Grid, write_grid

    tasks = [
        ExtractionTask(
            path=path,
            dims=tuple(sorted(choice.dims.items())),
            batch=choice.batch,
            granularity=Granularity.parse(choice.granularity),
            splitter=choice.splitter,
            target=choice.target,
            threads=threads,
            only=None,
        )
        for path in find_networks(models)
    ]
    with tempfile.TemporaryDirectory(prefix="dlbricks-") as folder:
        with progress() as advance:
            without = write_grid(
                tasks,
                Path(folder),
                grid=Grid(steps=steps),
                jobs=wanted.jobs,
                memory_bytes=choice.memory_bytes,
                progress=advance,
            )
        on_grid = replace(choice, dims={}, batch=None, allow_values=())
        place, suite, _ = write_suite([folder], on_grid, wanted, threads=threads, grid=True)
    if without:
        tell(f"not on the grid, so not in the suite: {', '.join(without)}")
    return str(place), tuple(one.fingerprint for one in suite.benchmarks if one.role == "sequence")


def _commands(
    place: str,
    models: Sequence[str],
    choice: SplitChoice,
    there: "SystemConfiguration",
    store: str | None,
    *,
    pairs: bool,
) -> list[str]:
    """Return the commands to run the suite on the system, submit the result, and estimate."""
    result = f"{place.removesuffix('/').removesuffix('.tar.gz').removesuffix('.tar.xz')}.json"
    provider = [] if there.provider == "cpu" else ["--provider", there.provider]
    threads = [] if there.threads == 1 else ["--threads", str(there.threads)]
    name = there.runtime.partition(" ")[0]
    runtime = [] if name == ONNXRUNTIME else ["--runtime", name]
    kept = ["--store", store] if store else []
    split = ["-H", choice.granularity, "--target", choice.target, "--splitter", choice.splitter]
    split += shlex.split(dims_of(choice.points or (choice.dims,)))
    split += [text for layer in choice.allow_values for text in ("--allow-values", layer)]
    split += ["--batch", str(choice.batch)] if choice.batch else []
    configured = [*runtime, *provider, *threads]
    asked = ["--system", there.system, *configured, *(["--rule", "pairs"] if pairs else [])]
    estimates = [
        ["estimate", *model_arguments(named), *split, *asked, *question, *kept]
        for named, question in questions_of(models, choice)
    ]
    return [
        shlex.join(("dlbricks", *words))
        for words in (
            ["run", place, "-o", result, "--name", there.system, *configured],
            ["submit", result, "--suite", place, *kept],
            *estimates,
        )
    ]
