"""``run``, and the options by which anything is measured."""

import functools
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar, cast

import click

from dlbricks.cli.options import json_flag, parse_pairs
from dlbricks.errors import BenchmarkError, InputError

if TYPE_CHECKING:
    from dlbricks.harness.schedule import RunOptions

_Command = TypeVar("_Command", bound=Callable[..., Any])


def runtime_options(command: _Command) -> _Command:
    """Give the command ``asked: RunOptions``: provider, threads and every other option of runtime and run."""

    @functools.wraps(command)
    def bundled(  # noqa: PLR0913 - one parameter per option
        *,
        provider: str,
        provider_options: Sequence[str],
        threads: int,
        session_options: Sequence[str],
        name: str | None,
        seed: int,
        budget: str | None,
        interval: str,
        timeout: str,
        smoke: bool,
        **others: Any,
    ) -> Any:
        from dlbricks.harness.schedule import RunOptions
        from dlbricks.units import parse_duration

        asked = RunOptions(
            provider=provider,
            provider_options=tuple(parse_pairs(provider_options, "--provider-option").items()),
            threads=threads,
            session_options=tuple(parse_pairs(session_options, "--session-option").items()),
            name=name,
            seed=seed,
            budget_ns=parse_duration(budget) if budget else None,
            target_relative=parse_share(interval),
            timeout_ns=parse_duration(timeout),
            smoke=smoke,
        )
        return command(asked=asked, **others)

    made: Any = bundled
    for option in reversed(_RUNTIME_OPTIONS):
        made = option(made)
    return cast("_Command", made)


_RUNTIME_OPTIONS = (
    click.option(
        "--provider", default="cpu", show_default=True, metavar="NAME", help="Execution provider, as in cuda."
    ),
    click.option("--provider-option", "provider_options", multiple=True, metavar="KEY=VALUE", help="Of the provider."),
    click.option("--threads", type=click.IntRange(min=1), default=1, show_default=True, help="Of each session."),
    click.option("--session-option", "session_options", multiple=True, metavar="KEY=VALUE", help="Of the runtime."),
    click.option("--name", metavar="NAME", help="Name of this system; by default made from its processor."),
    click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Of the order of visits."),
    click.option("--budget", metavar="TIME", help="Most time for all, as in 10m; by default until all is done."),
    click.option(
        "--interval",
        default="2%",
        show_default=True,
        metavar="SHARE",
        help="Half width of the 95 % interval that is narrow enough.",
    ),
    click.option(
        "--timeout", default="60s", show_default=True, metavar="TIME", help="Longest that a benchmark may load or run."
    ),
    click.option("--smoke", is_flag=True, help="One short visit each: shows that everything runs."),
)


def parse_share(text: str) -> float:
    """Read ``2%`` or ``0.02``.

    Raises:
        InputError: neither, or not between 0 and 1.
    """
    number, percent = (text[:-1], True) if text.endswith("%") else (text, False)
    try:
        value = float(number) / (100 if percent else 1)
    except ValueError:
        value = 0.0
    if not 0 < value < 1:
        raise InputError(f"--interval '{text}' is no share between 0 and 1: write it as 2% or 0.02")
    return value


@click.command(short_help="Measure a suite on this machine.")
@click.argument("suite", metavar="SUITE")
@click.option("-o", "--out", required=True, metavar="RESULT.json", help="The result; with --resume, one to go on with.")
@runtime_options
@click.option("--only", multiple=True, metavar="PATTERN", help="Names (globs), beginnings of fingerprints, operators.")
@click.option("--resume", is_flag=True, help="Go on with RESULT.json where it stopped.")
@json_flag
def run(*, suite: str, out: str, asked: "RunOptions", only: Sequence[str], resume: bool, as_json: bool) -> None:
    """Measure a suite on this machine; Ctrl-C leaves a result that --resume goes on with.

    Exit code 4 when a benchmark fails: the others are measured all the same.
    """
    from dataclasses import replace
    from pathlib import Path

    from dlbricks.harness.runner import run_suite
    from dlbricks.report.console import show
    from dlbricks.report.jsonable import to_json
    from dlbricks.report.progress import measuring
    from dlbricks.report.runs import run_report
    from dlbricks.suite.pack import opened
    from dlbricks.suite.read import read_suite

    with opened(Path(suite)) as folder, measuring() as told:
        read_suite(folder)
        document = run_suite(folder, Path(out), replace(asked, only=tuple(only), resume=resume), told)
    if as_json:
        summary = {key: document[key] for key in ("system", "runtime", "options", "complete", "timing")}
        click.echo(to_json({"result": out, **summary, "benchmarks": _verdicts(document)}), nl=False)
    else:
        show(*run_report(document), f"{out} holds the result")
    failed = sum(entry["status"] == "failed" for entry in document["benchmarks"])
    if failed:
        raise BenchmarkError(f"{failed} of {len(document['benchmarks'])} benchmarks failed; {out} says why")


def _verdicts(document: dict[str, Any]) -> list[dict[str, Any]]:
    kept = ("fingerprint", "role", "status", "reason", "verdict")
    return [{key: entry.get(key) for key in kept} for entry in document["benchmarks"]]
