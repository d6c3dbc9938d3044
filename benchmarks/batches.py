"""Batch and sequence length as parameters: measured at the ends, estimated between; ``docs/data/``.

Each network is measured end to end and by parts at every value of its parameter: batch 1, 2, 4, 8, or 32, 64, 128 and
256 tokens, also where its file fixes them (``lengths.py``). What lies between is then estimated as for any user, by the
runs at the ends alone, those of all networks together, as a suite measured at batch 1 and 8 would hold them.

``python benchmarks/batches.py --measure`` measures what ``suites/results/batches.parquet`` does not hold yet, about ten
minutes on a quiet machine; stopped, it goes on where it was. Without ``--measure`` the table is computed again. The
archive of the published table is no longer in the tree: nothing else reads it, and commit 335c90d has it.
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

from archives import DATA, NETWORKS, RESULTS, packed, write_csv
from kept_runs import read_runs, write_runs
from lengths import with_length
from recompute import LeftOut, estimate_left_out, left_out_line, pooled, summarise_left_out

from dlbricks.construct.interpolate import Interpolator, fit
from dlbricks.construct.types import Rule
from dlbricks.errors import DlbricksError
from dlbricks.harness.errors import INTERRUPTED, HarnessError
from dlbricks.harness.options import RunOptions
from dlbricks.model.lowering.onnxruntime_cpu import TARGET
from dlbricks.report.console import measuring
from dlbricks.report.validation import progress_prefix
from dlbricks.settings import SplitSettings
from dlbricks.store.summary import measurements
from dlbricks.store.types import SystemResults
from dlbricks.validate.compare import compare
from dlbricks.validate.measure import Position, ValidationPlan, measure_network
from dlbricks.validate.types import ArchivedRun, NetworkValidation

KEPT = RESULTS / "batches.parquet"
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
            settings=SplitSettings(
                target=TARGET,
                dims={"batch": 1, "seq": self.value} if self.parameter == "seq" else {},
                batch=self.value if self.parameter == "batch" else None,
                threads=options.threads,
            ),
            rule=RULE,
            options=options,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchRow:
    """One network between the ends."""

    job: Job
    own: NetworkValidation
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


def measure(jobs: Sequence[Job], archive: Path, options: RunOptions) -> None:
    """Measure what an archive does not hold; a run that fails, or lacks a part, is told and not kept, and others go on.

    Raises:
        HarnessError: interrupted.
    """
    known = read_runs(archive) if archive.exists() else {}
    left = [job for job in jobs if job.label not in known]
    began = time.monotonic_ns()
    with tempfile.TemporaryDirectory(prefix="dlbricks-") as weights, measuring() as advance:
        for index, job in enumerate(left):
            elapsed_ns = time.monotonic_ns() - began
            prefix = progress_prefix(Position(model=job.label, index=index, total=len(left), elapsed_ns=elapsed_ns))
            try:
                path = job.path(Path(weights) / "lengths")
                run = measure_network(path, job.plan(options), Path(weights), functools.partial(advance, prefix=prefix))
                compare(run, RULE)
            except (DlbricksError, HarnessError) as error:
                if isinstance(error, HarnessError) and error.exit_code == INTERRUPTED:
                    raise
                print(f"{job.label} failed: {error}", file=sys.stderr, flush=True)
                continue
            known[job.label] = packed(run)
            write_runs(archive, known)


def rows_of(runs: Mapping[Job, ArchivedRun]) -> list[BatchRow]:
    """Estimate every network between the ends by the runs at the ends.

    Raises:
        BenchmarkError: a part or a whole gave no latency.
    """
    ends = {job.label: measurements(dict(run.document)) for job, run in runs.items() if job.is_end}
    whole = complete(runs)
    others = pooled(ends, last=next(iter(ends)))
    interpolator = fit(others)
    return [row(job, runs[job], others, interpolator) for job in whole if not job.is_end]


def complete(runs: Mapping[Job, ArchivedRun]) -> list[Job]:
    """Give the runs of networks whose both ends were measured."""
    both = [
        {Job(network=job.network, parameter=job.parameter, value=VALUES[job.parameter][end]) for end in (0, -1)}
        for job in runs
    ]
    return [job for job, ends in zip(runs, both, strict=True) if ends <= runs.keys()]


def row(job: Job, run: ArchivedRun, others: SystemResults, interpolator: Interpolator | None) -> BatchRow:
    """Estimate one network by the runs at the ends.

    Raises:
        BenchmarkError: a part or the whole gave no latency.
    """
    own = compare(run, RULE)
    made = estimate_left_out(run.facts.composition, own.measured_ns, others, interpolator, rule=RULE, group=job.network)
    return BatchRow(job=job, own=own, made=made)


def cells(row: BatchRow) -> dict[str, object]:
    """Give the figures of a row; shares are of 1."""
    own, made = row.own, row.made
    known = {
        "network": row.job.network,
        "parameter": row.job.parameter,
        "value": row.job.value,
        "measured_ns": own.measured_ns,
        "measured_relative": round(own.measured_relative, 5),
        "own_parts_ratio": round(own.ratio, 4),
    }
    if made.missing:
        return known | dict.fromkeys(("estimated_ns", "ratio", "low_ns", "high_ns", "inside", "guessed"), "")
    return {
        **known,
        "estimated_ns": made.estimated_ns,
        "ratio": round(made.error + 1, 4),
        "low_ns": made.low_ns,
        "high_ns": made.high_ns,
        "inside": made.covered,
        "guessed": round(made.interpolated, 4),
    }


def said(rows: Sequence[BatchRow]) -> str:
    """Put the figures over all rows into words."""
    one = summarise_left_out([row.made for row in rows])
    return f"{left_out_line(one)}; from their own parts: median {median(abs(row.own.ratio - 1) for row in rows):.1%}"


def main() -> None:
    """Measure what is asked for, print, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("networks", nargs="*", help="only these, into a scratch folder unless --keep names one")
    parser.add_argument("--measure", action="store_true", help="measure what is not kept yet")
    parser.add_argument("--smoke", action="store_true", help="one visit each, of two networks, into a scratch folder")
    parser.add_argument("--keep", type=Path, help="folder of the archive, and then of the table, too")
    options = parser.parse_args()
    names = options.networks or (SMOKE if options.smoke else ())
    scratch = options.keep or (Path(tempfile.mkdtemp(prefix="dlbricks-")) if names else None)
    archive, data = (scratch / KEPT.name, scratch) if scratch else (KEPT, DATA)
    jobs = jobs_of(names)
    began = time.monotonic()
    if options.measure or options.smoke:
        measure(jobs, archive, RunOptions(smoke=options.smoke, budget_ns=None if options.smoke else BUDGET_NS))
    known = read_runs(archive) if archive.exists() else {}
    runs = {job: known[job.label] for job in jobs if job.label in known}
    if not any(job.is_end for job in runs):
        parser.error(f"{archive} holds no runs: add --measure")
    rows = rows_of(runs)
    write_csv(PAGE, [cells(one) for one in rows], data)
    for parameter in VALUES:
        if mine := [one for one in rows if one.job.parameter == parameter]:
            print(f"{parameter}: {said(mine)}")
    print(f"{archive} holds {len(runs)} runs; {data / PAGE}.csv is written, in {time.monotonic() - began:.0f} s")


if __name__ == "__main__":
    main()
