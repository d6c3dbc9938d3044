"""Batch and sequence length as parameters: measured at the ends, estimated between; ``docs/accuracy-batches.*``.

Each network is measured end to end and by parts at every value of its parameter: batch 1, 2, 4, 8, or 32, 64, 128 and
256 tokens, also where its file fixes them (``lengths.py``). What lies between is then estimated as for any user, by the
runs at the ends alone, those of all networks together, as a suite measured at batch 1 and 8 would hold them.

``python benchmarks/batches.py --measure`` measures what ``suites/results/batches`` does not hold yet, about ten minutes
on a quiet machine; stopped, it goes on where it was. Without ``--measure`` table and page are computed again.
"""

import argparse
import functools
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import matplotlib.pyplot as plt
import numpy as np
from lengths import with_length

from dlbricks.construct.interpolate import Interpolator, fit
from dlbricks.construct.rules import Rule
from dlbricks.errors import DlbricksError
from dlbricks.files import write_bytes, write_text
from dlbricks.harness.errors import INTERRUPTED, HarnessError
from dlbricks.harness.machine.memory import small_blocks_held
from dlbricks.harness.options import RunOptions
from dlbricks.model.lowering.onnxruntime_cpu import TARGET
from dlbricks.report.progress import measuring_many
from dlbricks.report.validation import progress_prefix
from dlbricks.sequences.types import Granularity
from dlbricks.store.summary import measurements
from dlbricks.store.types import SystemResults
from dlbricks.units import format_ns
from dlbricks.validate.archive import SUFFIX, KeptRun, kept_bytes, read_kept
from dlbricks.validate.compare import compare
from dlbricks.validate.measure import Position, measure_network
from dlbricks.validate.prepare import ValidationPlan
from dlbricks.validate.recompute import LeftOut, pooled, set_beside, summarise_left_out
from dlbricks.validate.types import ModelValidation

ROOT = Path(__file__).parents[1]
NETWORKS = ROOT / "suites" / "networks"
KEPT = ROOT / "suites" / "results" / "batches"
DOCS = ROOT / "docs"
PAGE = "accuracy-batches"
VALUES = {"batch": (1, 2, 4, 8), "seq": (32, 64, 128, 256)}
"""The first and the last of each are the ends."""
CHOSEN = {
    "batch": (
        "tv_squeezenet1_1",
        "tv_resnet18",
        "tv_mobilenet_v2",
        "tv_mobilenet_v3_small",
        "tv_shufflenet_v2_x1_0",
        "tv_efficientnet_b0",
        "tv_googlenet",
        "timm_levit_128",
        "timm_mobilevit_s",
        "hf_t5_small_enc",
        "misc_lstm_lm",
        "int8_tv_resnet18",
    ),
    "seq": ("leg_hf_distilbert", "hf_t5_small_enc", "hf_squeezebert", "int8_hf_distilbert", "misc_lstm_lm"),
}
"""Plain, branching, depth-wise, attentive, recurrent and quantised networks."""
SMOKE = ("misc_lstm_lm", "tv_squeezenet1_1")
BUDGET_NS = 14_000_000_000
"""Of one run."""
RULE = Rule.parse("sequential")
COLUMNS = (
    "network",
    "at",
    "measured",
    "±",
    "from its own parts",
    "estimated",
    "error",
    "interval",
    "inside",
    "guessed",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One network at one value of a parameter."""

    network: str
    parameter: str
    value: int

    @property
    def is_end(self) -> bool:
        """Whether estimates may use its run."""
        return self.value in (VALUES[self.parameter][0], VALUES[self.parameter][-1])

    @property
    def label(self) -> str:
        """Name of its run."""
        return f"{self.network}.{self.parameter}-{self.value}"

    def path(self, scratch: Path) -> Path:
        """Give the network, as it is or with its number of tokens.

        Raises:
            InputError: it cannot be given that.
        """
        path = NETWORKS / f"{self.network}.onnx"
        return with_length(path, self.value, scratch) if self.parameter == "seq" else path

    def plan(self, options: RunOptions) -> ValidationPlan:
        """Say how it is measured."""
        return ValidationPlan(
            dims={"batch": 1, "seq": self.value} if self.parameter == "seq" else {},
            batch=self.value if self.parameter == "batch" else None,
            granularity=Granularity.parse("1"),
            splitter="block",
            target=TARGET,
            rule=RULE,
            options=options,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One network between the ends."""

    job: Job
    own: ModelValidation
    """Measured, and estimated from its own parts."""
    made: LeftOut
    """Estimated from the runs at the ends."""


def jobs_of(networks: Sequence[str]) -> list[Job]:
    """List what is to be measured; all values of a network one after another."""
    return [
        Job(network=network, parameter=parameter, value=value)
        for parameter, chosen in CHOSEN.items()
        for network in chosen
        if not networks or network in networks
        for value in VALUES[parameter]
    ]


def measure(jobs: Sequence[Job], folder: Path, options: RunOptions) -> None:
    """Measure what a folder does not hold; a run that fails, or lacks a part, is told and not kept, and others go on.

    Raises:
        HarnessError: interrupted.
    """
    left = [job for job in jobs if not (folder / f"{job.label}{SUFFIX}").exists()]
    began = time.monotonic()
    with small_blocks_held(), tempfile.TemporaryDirectory(prefix="dlbricks-") as weights, measuring_many() as told:
        for index, job in enumerate(left):
            at = Position(model=job.label, index=index, total=len(left))
            prefix = progress_prefix(at, time.monotonic() - began)
            try:
                path = job.path(Path(weights) / "lengths")
                run = measure_network(path, job.plan(options), Path(weights), functools.partial(told, prefix))
                compare(run, RULE)
            except (DlbricksError, HarnessError) as error:
                if isinstance(error, HarnessError) and error.exit_code == INTERRUPTED:
                    raise
                print(f"{job.label} failed: {error}", file=sys.stderr, flush=True)
                continue
            write_bytes(folder / f"{job.label}{SUFFIX}", kept_bytes(run))


def rows_of(runs: Mapping[Job, KeptRun]) -> list[Row]:
    """Estimate every network between the ends by the runs at the ends.

    Raises:
        BenchmarkError: a part or a whole gave no latency.
    """
    ends = {job.label: measurements(dict(run.document)) for job, run in runs.items() if job.is_end}
    whole = complete(runs)
    others = pooled(ends, last=next(iter(ends)))
    interpolator = fit(others)
    return [row(job, runs[job], others, interpolator) for job in whole if not job.is_end]


def complete(runs: Mapping[Job, KeptRun]) -> list[Job]:
    """Give the runs of networks whose both ends were measured."""
    both = [
        {Job(network=job.network, parameter=job.parameter, value=VALUES[job.parameter][end]) for end in (0, -1)}
        for job in runs
    ]
    return [job for job, ends in zip(runs, both, strict=True) if ends <= runs.keys()]


def row(job: Job, run: KeptRun, others: SystemResults, interpolator: Interpolator | None) -> Row:
    """Estimate one network by the runs at the ends.

    Raises:
        BenchmarkError: a part or the whole gave no latency.
    """
    own = compare(run, RULE)
    made = set_beside(run.facts.composition, own.measured_ns, others, interpolator, rule=RULE, group=job.network)
    return Row(job=job, own=own, made=made)


def page(rows: Sequence[Row], runs: Mapping[Job, KeptRun]) -> str:
    """Write the tables."""
    parts = []
    for parameter, values in VALUES.items():
        mine = [one for one in rows if one.job.parameter == parameter]
        if mine:
            taken = [run.facts.seconds for job, run in runs.items() if job.parameter == parameter]
            between = " and ".join(str(value) for value in values[1:-1])
            ends = f"`{parameter}` {values[0]} and {values[-1]} measured, {between} estimated"
            parts += [
                f"{ends}: {said(mine)} {len(taken)} runs took {sum(taken):.0f} s.",
                "",
                markdown(COLUMNS),
                markdown(["---"] * len(COLUMNS)),
                *(markdown(cells(one)) for one in mine),
                "",
            ]
    return "\n".join(parts)


def said(rows: Sequence[Row]) -> str:
    """Put the figures over all rows into words."""
    one = summarise_left_out([row.made for row in rows])
    own = median(abs(row.own.ratio - 1) for row in rows)
    refused = f"; refused: {', '.join(one.refused)}" if one.refused else ""
    return (
        f"median abs. error {one.median_error:.1%}, 90th percentile {one.p90_error:.1%}, worst {one.worst_error:.1%}, "
        f"bias {one.bias:+.1%}; {one.coverage:.0%} of {one.networks} inside their interval of median width "
        f"{one.width:.1%}; in the middle {one.interpolated:.0%} of the time was guessed; from their own parts: median "
        f"{own:.1%}{refused}."
    )


def cells(row: Row) -> list[str]:
    """Give the cells of a row."""
    own, made = row.own, row.made
    known = [
        row.job.network,
        f"{row.job.parameter} {row.job.value}",
        format_ns(own.measured_ns),
        f"{own.measured_relative:.2%}",
        f"{own.ratio - 1:+.1%}",
    ]
    if made.missing:
        return [*known, "refused", "", "", "", ""]
    return [
        *known,
        format_ns(made.estimated_ns),
        f"{made.error:+.1%}",
        f"{format_ns(made.low_ns)} to {format_ns(made.high_ns)}",
        "yes" if made.covered else "no",
        f"{made.interpolated:.0%}",
    ]


def markdown(cells: Sequence[str]) -> str:
    """Write a row of a table."""
    return f"| {' | '.join(cells)} |"


def draw(rows: Sequence[Row], path: Path) -> None:
    """Draw estimated over measured with the intervals, a panel for each parameter."""
    shown = [
        (parameter, mine)
        for parameter in VALUES
        if (mine := [one for one in rows if one.job.parameter == parameter and not one.made.missing])
    ]
    if not shown:
        return
    heights = [len(mine) + 2 for _, mine in shown]
    figure, panels = plt.subplots(
        len(shown), 1, figsize=(8, 0.24 * sum(heights) + 1), layout="constrained", height_ratios=heights, squeeze=False
    )
    for axes, (parameter, mine) in zip(panels[:, 0], shown, strict=True):
        places = np.arange(len(mine))[::-1]
        ratios, lows, highs = (
            np.array([figure_ns / one.made.measured_ns for one, figure_ns in zip(mine, figures, strict=True)])
            for figures in (
                [one.made.estimated_ns for one in mine],
                [one.made.low_ns for one in mine],
                [one.made.high_ns for one in mine],
            )
        )
        axes.errorbar(ratios, places, xerr=(ratios - lows, highs - ratios), fmt="o", ms=4, capsize=2)
        axes.axvline(1, color="black", lw=0.8)
        axes.set(xlabel="estimated / measured", title=f"{parameter}: between the ends")
        axes.set_yticks(places, [f"{one.job.network}, {one.job.value}" for one in mine], fontsize=7)
        axes.grid(visible=True, axis="x", alpha=0.3)
    figure.savefig(path, dpi=120)
    plt.close(figure)


def read_runs(jobs: Sequence[Job], folder: Path) -> dict[Job, KeptRun]:
    """Read what a folder holds."""
    paths = {job: folder / f"{job.label}{SUFFIX}" for job in jobs}
    return {job: read_kept(path) for job, path in paths.items() if path.exists()}


def main() -> None:
    """Measure what is asked for, print, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("networks", nargs="*", help="only these, into a scratch folder unless --keep names one")
    parser.add_argument("--measure", action="store_true", help="measure what is not kept yet")
    parser.add_argument("--smoke", action="store_true", help="one visit each, of two networks, into a scratch folder")
    parser.add_argument("--keep", type=Path, help="folder of the runs, and then of the page, too")
    options = parser.parse_args()
    names = options.networks or (SMOKE if options.smoke else ())
    scratch = options.keep or (Path(tempfile.mkdtemp(prefix="dlbricks-")) if names else None)
    folder, docs = (scratch, scratch) if scratch else (KEPT, DOCS)
    jobs = jobs_of(names)
    began = time.monotonic()
    if options.measure or options.smoke:
        measure(jobs, folder, RunOptions(smoke=options.smoke, budget_ns=None if options.smoke else BUDGET_NS))
    runs = read_runs(jobs, folder)
    if not any(job.is_end for job in runs):
        parser.error(f"{folder} holds no runs: add --measure")
    rows = rows_of(runs)
    text = page(rows, runs)
    write_text(docs / f"{PAGE}.md", text)
    draw(rows, docs / f"{PAGE}.png")
    print(text)
    print(f"{folder} holds {len(runs)} runs; {docs / PAGE}.* are written, in {time.monotonic() - began:.0f} s")


if __name__ == "__main__":
    main()
