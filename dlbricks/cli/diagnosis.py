"""The command ``doctor``."""

import click

from dlbricks.cli.options import json_flag, table_options
from dlbricks.cli.output import present
from dlbricks.errors import CheckError
from dlbricks.harness.options import SESSION_OPTIONS, RunOptions


@click.command(short_help="Check what this machine can measure and what disturbs it.")
@click.option("--strict", is_flag=True, help="Exit with code 1 if anything disturbs measurements.")
@click.option("--roofs", "with_roofs", is_flag=True, help="Also measure peak FLOP/s and memory bandwidth.")
@table_options(SESSION_OPTIONS)
@json_flag
def doctor(strict: bool, with_roofs: bool, run_options: RunOptions, as_json: bool) -> None:
    """Check what this machine can measure and what disturbs measurements, and print advice.

    --roofs measures peak FLOP/s and memory bandwidth through the runtime, with the options of a session.
    """
    from dlbricks.api.diagnosis import diagnose
    from dlbricks.report.tables import diagnosis_report

    diagnosis = diagnose(run_options if with_roofs else None)
    conditions = [
        {"subject": each.subject, "level": each.level, "found": each.state, "advice": each.advice}
        for each in diagnosis.conditions
    ]
    document = {"findings": conditions, "facts": diagnosis.facts, "roofs": diagnosis.roofs}
    present("doctor", document, lambda: diagnosis_report(diagnosis), as_json=as_json)
    if strict and (disturbing := [each.subject for each in diagnosis.conditions if each.level == "warning"]):
        raise CheckError(f"measurements are disturbed: {', '.join(disturbing)}")
