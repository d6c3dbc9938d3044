"""Validation: measure networks on this machine, and compare the measurements with estimates."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from dlbricks.api.networks import named, silent
from dlbricks.construct.types import Rule
from dlbricks.errors import InputError
from dlbricks.files import refuse_unwritable, refuse_unwritable_folder
from dlbricks.harness.options import RunOptions
from dlbricks.settings import SplitSettings
from dlbricks.validate import measure
from dlbricks.validate.compare import validation_text, write_validation
from dlbricks.validate.types import Validation


def plan_of(
    settings: SplitSettings, options: RunOptions, rule: str | None = None, keep: Path | None = None
) -> measure.ValidationPlan:
    """Return a plan to measure networks whole and in parts; networks are split for ``options.threads``."""
    settings = replace(settings, threads=options.threads)
    return measure.ValidationPlan(settings=settings, rule=Rule.parse(rule or "sequential"), options=options, keep=keep)


def validate(
    models: Sequence[str],
    plan: measure.ValidationPlan,
    *,
    out: Path | None,
    resume: bool,
    progress: measure.ReportProgress,
    tell: Callable[[str], None],
) -> tuple[Validation, str]:
    """Measure networks whole and in parts and compare estimates; return the results and their JSON text.

    The text goes to ``out`` after each network. With ``resume``, networks in ``out`` are skipped. Raises the errors of
    ``validate.measure.validate``, and ``InputError`` before any measurement if a file cannot be written.
    """
    with named(models, plan.settings, tell) as networks:
        # hours of measurements would be lost if the first write failed
        if out is not None:
            refuse_unwritable(out, b"{", replace=resume or plan.options.force)
        if plan.keep is not None:
            refuse_unwritable_folder(plan.keep)
        if resume and out is None:
            raise InputError("--resume needs -o FILE with the results of the run to continue")
        finished = measure.finished_networks(out, plan, tell) if resume and out else ()
        record = partial(write_validation, out) if out else silent
        validation = measure.validate(networks, plan, finished=finished, progress=progress, record=record)
    return validation, validation_text(validation)
