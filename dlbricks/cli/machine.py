"""``doctor``."""

import click

from dlbricks.cli.options import json_flag
from dlbricks.errors import CheckError

_MARKS = {"good": "ok", "note": "-", "warning": "!"}


@click.command(short_help="Say what this machine can measure, what disturbs.")
@click.option("--strict", is_flag=True, help="Exit code 1 when anything disturbs measuring.")
@json_flag
def doctor(strict: bool, as_json: bool) -> None:
    """Say what this machine can measure and what disturbs measuring, each with advice."""
    from dlbricks.cli.diagnosis import WARNING, diagnose, gather
    from dlbricks.report.console import show, table
    from dlbricks.report.jsonable import to_json

    machine = gather()
    findings = diagnose(machine)
    if as_json:
        click.echo(to_json({"findings": findings, "facts": machine.facts}), nl=False)
    else:
        made = table("", "looked at", "found", "advice")
        for finding in findings:
            made.add_row(_MARKS[finding.level], finding.subject, finding.found, finding.advice)
        show(made)
    disturbing = [finding.subject for finding in findings if finding.level == WARNING]
    if strict and disturbing:
        raise CheckError(f"measuring is disturbed: {', '.join(disturbing)}")
