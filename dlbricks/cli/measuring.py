"""``run``, and the options by which anything is measured."""

import functools
import re
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
        target_error: str,
        timeout: str,
        memory_limit: str | None,
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
            target_relative=parse_share(target_error),
            timeout_ns=parse_duration(timeout),
            memory_limit_bytes=parse_size(memory_limit) if memory_limit else None,
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
    click.option(
        "--budget",
        metavar="TIME",
        help="Time for all, as in 10m: once all is narrow enough, the rest narrows it further. By default until then.",
    ),
    click.option(
        "--target-error",
        default="2%",
        show_default=True,
        metavar="SHARE",
        help="Half width of the 95 % interval that is narrow enough.",
    ),
    click.option("--memory-limit", metavar="SIZE", help="Most memory of a worker process, as in 8g."),
    click.option(
        "--timeout", default="60s", show_default=True, metavar="TIME", help="Longest that a benchmark may load or run."
    ),
    click.option("--smoke", is_flag=True, help="One short visit each: shows that everything runs."),
)

SESSION_OPTIONS = _RUNTIME_OPTIONS[:4]
"""Those of a session: provider, its options, threads, and options of the runtime."""


def parse_share(text: str) -> float:
    """Read ``2%`` or ``0.02``.

    Raises:
        InputError: neither, or not between 0 and 1.
    """
    match = re.fullmatch(r"(\d*\.?\d+)(%?)", text.strip())
    value = float(match[1]) / (100 if match[2] else 1) if match else 0.0
    if not 0 < value < 1:
        raise InputError(f"--target-error '{text}' is no share between 0 and 1: write it as 2% or 0.02")
    return value


def parse_size(text: str) -> int:
    """Read ``8g`` or ``512m`` as bytes.

    Raises:
        InputError: neither a number nor one with a unit, or 0.
    """
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([kmgt]?)(?:i?b)?", text.strip().lower())
    size = round(float(match[1]) * 1024 ** "_kmgt".index(match[2] or "_")) if match else 0
    if not size:
        raise InputError(f"--memory-limit '{text}' is no size: write a number and one of k, m, g, as in 8g")
    return size


@click.command(short_help="Measure a suite on this machine.")
@click.argument("suite", metavar="SUITE")
@click.option("-o", "--out", required=True, metavar="RESULT.json", help="The result; with --resume, one to go on with.")
@runtime_options
@click.option("--only", multiple=True, metavar="PATTERN", help="Names (globs), beginnings of fingerprints, operators.")
@click.option("--resume", is_flag=True, help="Go on with RESULT.json where it stopped.")
@click.option("--weights", metavar="DIR", help="Where weight files lie or are written; weights/ of the suite else.")
@click.option(
    "--trace",
    type=click.Choice(["ML", "MLK"]),
    help="Then trace a few calls of each: executed layers (ML), and their GPU kernels (MLK).",
)
@json_flag
def run(  # noqa: PLR0913 - one parameter per option
    *,
    suite: str,
    out: str,
    asked: "RunOptions",
    only: Sequence[str],
    resume: bool,
    weights: str | None,
    trace: str | None,
    as_json: bool,
) -> None:
    """Measure a suite on this machine; Ctrl-C leaves a result that --resume goes on with.

    With --trace, a few more calls of each are made after that, under the runtime's profiler; no latency is of these.
    Exit code 4 when a benchmark fails or cannot be traced: the others are measured all the same.
    """
    from dataclasses import replace
    from pathlib import Path

    from dlbricks.harness.cli import summary_of
    from dlbricks.harness.runner import run_suite
    from dlbricks.report.console import show
    from dlbricks.report.jsonable import to_json
    from dlbricks.report.progress import measuring
    from dlbricks.report.results import run_report
    from dlbricks.suite.reading import opened, read_suite

    with opened(Path(suite)) as folder, measuring() as told:
        read_suite(folder)
        options = replace(asked, only=tuple(only), resume=resume, trace=trace or "")
        document = run_suite(folder, Path(out), options, told, weights=Path(weights) if weights else None)
    if as_json:
        click.echo(to_json({"result": out, **summary_of(document)}), nl=False)
    else:
        show(*run_report(document), f"{out} holds the result")
    failed = sum(entry["status"] == "failed" for entry in document["benchmarks"])
    if failed:
        raise BenchmarkError(f"{failed} of {len(document['benchmarks'])} benchmarks failed; {out} says why")
    untraced = sum("failed" in entry.get("trace", {}) for entry in document["benchmarks"])
    if untraced:
        raise BenchmarkError(f"{untraced} of {len(document['benchmarks'])} benchmarks were not traced; {out} says why")
