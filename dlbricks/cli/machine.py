"""``doctor``."""

from typing import TYPE_CHECKING

import click

from dlbricks.cli.options import json_flag, table_options
from dlbricks.errors import BenchmarkError, CheckError
from dlbricks.harness.options import SESSION_OPTIONS, RunOptions

if TYPE_CHECKING:
    from dlbricks.profile.types import Roofs

_MARKS = {"good": "ok", "note": "-", "warning": "!"}


@click.command(short_help="Say what this machine can measure, what disturbs.")
@click.option("--strict", is_flag=True, help="Exit code 1 when anything disturbs measuring.")
@click.option("--roofs", "with_roofs", is_flag=True, help="Measure what it does at best: products and copies.")
@table_options(SESSION_OPTIONS)
@json_flag
def doctor(strict: bool, with_roofs: bool, asked: RunOptions, as_json: bool) -> None:
    """Say what this machine can measure and what disturbs measuring, each with advice.

    With --roofs, some seconds are spent on measuring it through the runtime; the options of sessions are for that.
    """
    from dlbricks.cli.diagnosis import WARNING, diagnose, gather
    from dlbricks.report.console import show, table
    from dlbricks.report.jsonable import to_json
    from dlbricks.report.profiles import roofs_report

    machine = gather()
    findings = diagnose(machine)
    roofs = _roofs(asked) if with_roofs else None
    if as_json:
        click.echo(to_json("doctor", {"findings": findings, "facts": machine.facts, "roofs": roofs}), nl=False)
    else:
        made = table("", "looked at", "found", "advice")
        for finding in findings:
            made.add_row(_MARKS[finding.level], finding.subject, finding.found, finding.advice)
        show(made, *(roofs_report(roofs) if roofs else ()))
    disturbing = [finding.subject for finding in findings if finding.level == WARNING]
    if strict and disturbing:
        raise CheckError(f"measuring is disturbed: {', '.join(disturbing)}")


def _roofs(asked: RunOptions) -> "Roofs":
    """Measure the machine.

    Raises:
        BenchmarkError: the runtime failed.
        HarnessError: the provider is missing.
    """
    from dlbricks.harness.errors import HarnessError
    from dlbricks.harness.session import RUNTIME_ERRORS, session_settings
    from dlbricks.profile.roofs import measure_roofs

    try:
        return measure_roofs(session_settings(asked))
    except HarnessError:
        raise
    except RUNTIME_ERRORS as error:
        raise BenchmarkError(f"roofs of this machine cannot be measured: {error}") from error
