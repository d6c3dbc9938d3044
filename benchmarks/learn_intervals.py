"""Learn from archived runs what intervals know of composing: writes ``dlbricks/construct/composition_errors.json``.

One table for each target, granularity and rule, with one thread and with several, of runs in which parts and whole were
measured together; and one of estimates from results of suites (``suites.parquet`` of a system) that were measured at
other hours, each beside the wholes of all its runs. Measures nothing.
"""

import math
from collections.abc import Sequence
from pathlib import Path

from archives import RESULTS, ROOT, archives_of, suites_of, systems

from dlbricks.construct.estimate import estimate
from dlbricks.construct.intervals import CompositionError, ErrorRun, runs_text
from dlbricks.construct.rules import Rule
from dlbricks.store.summary import measurements
from dlbricks.validate.archive import read_results, read_runs
from dlbricks.validate.compare import own_parts
from dlbricks.validate.recompute import Again, recompute
from dlbricks.validate.summary import composition_errors
from dlbricks.validate.types import Validation

ERRORS = ROOT / "dlbricks" / "construct" / "composition_errors.json"
SUITE = ("onnxruntime-cpu", "1", "sequential")
"""Target, granularity and rule of the suites whose results lie beside the runs."""


def learned(results: Path) -> list[ErrorRun]:
    """Gather how far networks were from their estimates, in all runs of a kind together."""
    runs: dict[tuple[str, str, str, bool], list[Validation]] = {}
    for path in (path for system in systems(results) for path in archives_of(system)):
        made = recompute(Again(source=path))
        then = made.settings
        runs.setdefault((then.target, then.granularity, then.rule, then.threads > 1), []).append(made)
    interleaved = [
        ErrorRun(
            target=target,
            granularity=granularity,
            rule=rule,
            several=several,
            interleaved=True,
            evidence=_evidence(same),
            errors=tuple(error for run in same for error in composition_errors(run.models)),
        )
        for (target, granularity, rule, several), same in runs.items()
    ]
    return [*interleaved, *(apart(system) for system in systems(results) if suites_of(system).exists())]


def apart(system: Path) -> ErrorRun:
    """Set estimates from results of suites beside the wholes of validations at other hours, each beside each."""
    suites = [measurements(document) for document in read_results(suites_of(system)).values()]
    errors: list[CompositionError] = []
    for run in (run for path in archives_of(system) for run in read_runs(path).values()):
        settings, composition = run.facts.settings, run.facts.composition
        same = (settings.target, settings.granularity, settings.rule) == SUITE
        if not same or settings.threads != 1 or settings.baseline:
            continue
        measured_ns = measurements(run.document, roles=("whole",)).measurements[run.facts.whole].latency_ns
        for suite in suites:
            made = estimate(composition, suite, Rule.parse(settings.rule))
            if not made.missing:
                low, high = own_parts(made)
                ratio = math.log(measured_ns / made.total_ns)
                errors.append(CompositionError(log_ratio=ratio, traits=made.traits, own_low=low, own_high=high))
    target, granularity, rule = SUITE
    return ErrorRun(
        target=target,
        granularity=granularity,
        rule=rule,
        several=False,
        interleaved=False,
        evidence=f"{len(errors)} networks, {len(suites)} runs of a suite beside others on {system.name}",
        errors=tuple(errors),
    )


def _evidence(runs: Sequence[Validation]) -> str:
    count, first = sum(len(run.models) for run in runs), runs[0].settings
    often = f" in {len(runs)} runs" if len(runs) > 1 else ""
    return f"{count} networks{often} on {first.system}, {first.runtime}, {first.threads} thread(s)"


if __name__ == "__main__":
    ERRORS.write_text(runs_text(learned(RESULTS)), encoding="utf-8")
