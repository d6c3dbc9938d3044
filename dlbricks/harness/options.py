"""The options of a run, their parsers, and the table of options of both command lines.

``run.py`` of a suite turns the table into argparse options, ``dlbricks run`` into click options. Only the standard
library is imported, so that ``--help`` works without numpy and onnxruntime.
"""

import argparse
import importlib.util
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from . import runtimes
from .errors import INTERRUPTED, MISSING, HarnessError

ONNXRUNTIME, RUNTIMES = runtimes.USUAL, runtimes.RUNTIMES
# Levels of ``--trace``: executed layers (ML), or executed layers and GPU kernels (MLK).
TRACE_LEVELS = ("ML", "MLK")
# Roles of the benchmarks that are traced.
TRACED_ROLES = ("sequence", "whole", "overhead")

_NS_PER_UNIT = {"ms": 10**6, "s": 10**9, "m": 60 * 10**9, "min": 60 * 10**9, "h": 3600 * 10**9}
_BYTES_PER_UNIT = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}
_RECORDED_ELSEWHERE = {
    "runtime",
    "provider",
    "provider_options",
    "threads",
    "session_options",
    "name",
    "resume",
    "force",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions:
    """Options of a run."""

    runtime: str = ONNXRUNTIME
    provider: str = "cpu"
    provider_options: tuple[tuple[str, str], ...] = ()
    threads: int = 1
    session_options: tuple[tuple[str, str], ...] = ()
    seed: int = 0
    """Seed of the random order in which benchmarks are measured."""
    name: str | None = None
    """Name of the system; None to derive it from the machine's facts."""
    budget_ns: int | None = None
    """Wall time of the whole run in ns, loading included; None for no limit. If all benchmarks are done earlier,
    further calls narrow the intervals, unless whole networks are measured."""
    smoke: bool = False
    """Whether to call each benchmark a few times only; the latencies are not accurate."""
    only: tuple[str, ...] = ()
    """Names (globs), prefixes of fingerprints, or operators of the benchmarks to measure; empty for all."""
    resume: bool = False
    force: bool = False
    """Whether the result file may replace a finished result."""
    timeout_ns: int = 60_000_000_000
    """Longest time to load a benchmark or to make one visit, ns."""
    target_relative: float = 0.02
    """Target half width of the 95 % interval of a network, as a share of its latency. A sequence may have a wider
    interval (``schedule.allowed_relative``)."""
    max_time_ns: int = 300_000_000
    """Longest time to measure one benchmark, ns, preparation of the caches included."""
    end_to_end_target_relative: float | None = None
    """``target_relative`` for whole networks (role ``whole``); None to use that of other benchmarks."""
    end_to_end_max_time_ns: int | None = None
    """``max_time_ns`` for whole networks; None to use that of other benchmarks."""
    end_to_end_min_visits: int | None = None
    """``min_visits`` for whole networks; None to use that of other benchmarks."""
    min_visits: int = 3
    """Least number of visits to a benchmark in state ``hot_loop``."""
    cold_min_visits: int = 2
    """Least number of visits with single calls; unimportant benchmarks get one visit."""
    visit_ns: int = 5_000_000
    """Target duration of one visit in state ``hot_loop``, ns."""
    trace: str = ""
    """What to trace after all latencies were measured: one of ``TRACE_LEVELS``; empty for no trace."""

    def record(self) -> dict[str, Any]:
        """Return the options for the result file, without those of the runtime."""
        recorded = {
            # result files call end-to-end networks by their role, ``whole``
            key.replace("end_to_end_", "whole_"): value
            for key, value in asdict(self).items()
            if key not in _RECORDED_ELSEWHERE and (key != "trace" or value)
        }
        return {**recorded, "only": list(self.only)}


def read_duration_ns(text: str) -> int:
    """Parse ``10m``, ``90s``, ``1.5h`` or ``250ms`` to ns; a bare number is in seconds. Raises ``ValueError``."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*(ms|s|m|min|h)?", text.strip().lower())
    if match is None or float(match[1]) == 0:
        raise ValueError(f"invalid duration '{text}': expected a number and one of ms, s, m, h, as in 10m")
    return round(float(match[1]) * _NS_PER_UNIT[match[2] or "s"])


def read_size_bytes(text: str) -> int:
    """Parse ``8g`` or ``512m`` to bytes; raises ``ValueError``."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([kmgt]?)(?:i?b)?", text.strip().lower())
    if match is None or float(match[1]) == 0:
        raise ValueError(f"invalid size '{text}': expected a number and one of k, m, g, as in 8g")
    return round(float(match[1]) * _BYTES_PER_UNIT[match[2]])


def read_share(text: str) -> float:
    """Parse ``2%`` or ``0.02`` to a share; raises ``ValueError``."""
    match = re.fullmatch(r"(\d*\.?\d+)(%?)", text.strip())
    value = float(match[1]) / (100 if match[2] else 1) if match else 0.0
    if not 0 < value < 1:
        raise ValueError(f"invalid share '{text}': expected a number between 0 and 1, as in 2% or 0.02")
    return value


def read_pair(text: str) -> tuple[str, str]:
    """Parse ``KEY=VALUE``; raises ``ValueError``."""
    key, equals, value = (part.strip() for part in text.partition("="))
    if not (key and equals):
        raise ValueError(f"invalid option '{text}': expected KEY=VALUE")
    return key, value


def check_levels(levels: str) -> None:
    """Raise ``HarnessError`` for unknown trace levels (``BAD_INPUT``) or levels that cannot be traced (``MISSING``)."""
    if not levels:
        return
    if levels not in TRACE_LEVELS:
        raise HarnessError(f"invalid --trace '{levels}': expected one of {', '.join(TRACE_LEVELS)}")
    if importlib.util.find_spec(".trace", __package__) is None:
        raise HarnessError(f"--trace {levels} needs harness/trace/, which this suite lacks: put it back", MISSING)
    if levels == TRACE_LEVELS[1]:
        from .trace.cupti import why_not

        if reason := why_not():
            raise HarnessError(f"--trace {levels}: {reason}", MISSING)


def _one_of(choices: tuple[str, ...], advice: str = "") -> Callable[[str], str]:
    def read(text: str) -> str:
        if text not in choices:
            raise ValueError(f"invalid choice '{text}': expected one of {', '.join(choices)}{advice}")
        return text

    return read


def number_from(least: int) -> Callable[[str], int]:
    """Return a parser of whole numbers that are at least ``least``; it raises ``ValueError`` for other texts."""

    def read(text: str) -> int:
        if not (text.isascii() and text.isdigit() and int(text) >= least):
            raise ValueError(f"invalid number '{text}': expected a whole number from {least} up")
        return int(text)

    return read


def read_threads(text: str) -> tuple[int, ...]:
    """Parse texts such as ``1,all`` to an ascending tuple, maybe of equal numbers; ``all``: the usable processors."""
    from .cpu import usable_processors

    parts = [part.strip() for part in text.split(",")]
    try:
        return tuple(sorted(usable_processors() if part == "all" else number_from(1)(part) for part in parts))
    except ValueError:
        raise ValueError(f"invalid threads '{text}': expected whole numbers from 1 on or all, as in 1,all") from None


def each_number(options: "RunOptions", counts: tuple[int, ...], out: Path) -> list[tuple["RunOptions", Path]]:
    """Return, for each number of threads, the options and the result file of its run.

    Several runs share the budget. If ``out`` is ``result.json``, their files are ``result.threads-1.json`` and so on,
    also of counts that are one number on this machine.
    """
    if len(counts) == 1:
        return [(replace(options, threads=counts[0]), out)]
    counts = tuple(dict.fromkeys(counts))
    budget_ns = options.budget_ns and options.budget_ns // len(counts)
    return [
        (
            replace(options, threads=count, budget_ns=budget_ns),
            out.with_name(f"{out.stem}.threads-{count}{out.suffix}"),
        )
        for count in counts
    ]


class Option(NamedTuple):
    """One option of a command line."""

    flag: str
    """The option with its dashes, as in ``--target-error``."""
    field: str
    """Field of ``RunOptions`` that the option sets; for options outside of ``RunOptions``, a name."""
    help: str
    metavar: str = ""
    """Name of the value in the help, as in ``FILE``; empty for a switch."""
    read: Callable[[str], Any] = str
    """Parses the value; raises ``ValueError`` for an invalid one."""
    default: str = ""
    """Text of the default in the help; empty for none."""
    repeated: bool = False


OTHERS = "option --target of 'dlbricks generate' makes others"
# A suite has only the runtimes of its target.
_SUITE = f", for which this suite is made; {OTHERS}" * (__package__ == "harness")
# Options of sessions.
SESSION_OPTIONS = (
    Option("--runtime", "runtime", "Runtime to measure.", "|".join(RUNTIMES), _one_of(RUNTIMES, _SUITE), ONNXRUNTIME),
    Option(
        "--provider", "provider", "Execution provider, such as cuda, or the path of its library.", "NAME", default="cpu"
    ),
    Option("--provider-option", "provider_options", "Option of the provider.", "KEY=VALUE", read_pair, repeated=True),
    Option("--threads", "threads", "Number of threads within an operator.", "N", number_from(1), "1"),
    Option("--session-option", "session_options", "Option of the session.", "KEY=VALUE", read_pair, repeated=True),
)

# Options of commands that measure suites or networks.
MEASURING_OPTIONS = (
    *SESSION_OPTIONS,
    Option("--name", "name", "Name of this system. Default: derived from its processor.", "NAME"),
    Option("--seed", "seed", "Seed of the random order of measurements.", "N", number_from(0), "0"),
    Option("--budget", "budget_ns", "Time for the run, such as 10m. Default: no limit.", "TIME", read_duration_ns),
    Option("--target-error", "target_relative", "Half width of a network's 95 % interval.", "SHARE", read_share, "2%"),
    Option(
        "--timeout",
        "timeout_ns",
        "Longest time to load a benchmark or measure it once.",
        "TIME",
        read_duration_ns,
        "60s",
    ),
    Option("--smoke", "smoke", "Measure each benchmark once and briefly, to check that everything runs."),
    Option("--force", "force", "Replace a finished result."),
)

TRACE_OPTION = Option(
    "--trace",
    "trace",
    "Also trace a few calls of each benchmark: executed layers (ML), or layers and GPU kernels (MLK).",
    "|".join(TRACE_LEVELS),
    _one_of(TRACE_LEVELS),
)
WEIGHTS_OPTION = Option("--weights", "weights", "Folder of weights. Default: weights/ of the suite.", "DIR", Path)

THREADS_OPTION = Option(
    "--threads",
    "thread_counts",
    "Number of threads within an operator; several, as in 1,all, make a result each: RESULT.threads-1.json ...",
    "N,...",
    read_threads,
    "1",
)

# Options of commands that run a suite.
RUN_OPTIONS = (
    *(THREADS_OPTION if option.field == "threads" else option for option in MEASURING_OPTIONS),
    Option("--only", "only", "Measure only this name (glob), fingerprint or operator.", "PATTERN", repeated=True),
    Option("--resume", "resume", "Continue the interrupted run of this result file, if there is one."),
    TRACE_OPTION,
    WEIGHTS_OPTION,
)


class Parser(argparse.ArgumentParser):
    """An argument parser that raises ``HarnessError`` instead of ending the process."""

    def error(self, message: str) -> NoReturn:
        """Raise ``HarnessError`` with the message of argparse."""
        raise HarnessError(f"{message.removeprefix('argument ')} (see --help)")


def exit_code_of(command: Callable[[], int]) -> int:
    """Return the exit code of a command; print an error in one line and return its exit code."""
    try:
        return command()
    except HarnessError as error:
        sys.stderr.write(f"error: {error}\n")
        return error.exit_code
    except KeyboardInterrupt:
        sys.stderr.write("error: interrupted\n")
        return INTERRUPTED


def add_options(parser: argparse.ArgumentParser, options: Iterable[Option]) -> None:
    """Add options to an argument parser."""
    for option in options:
        if not option.metavar:
            parser.add_argument(option.flag, dest=option.field, action="store_true", help=option.help)
            continue
        more = f" [{option.default}]" if option.default else " May be repeated." if option.repeated else ""
        parser.add_argument(
            option.flag,
            dest=option.field,
            metavar=option.metavar,
            type=_in_words(option.read),
            action="append" if option.repeated else "store",
            default=[] if option.repeated else option.default or None,
            help=(option.help + more).replace("%", "%%"),
        )


def _in_words(read: Callable[[str], Any]) -> Callable[[str], Any]:
    # Return a parser whose `ValueError` argparse shows with its message

    def parse(text: str) -> Any:
        try:
            return read(text)
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    return parse


def run_options(values: Mapping[str, Any]) -> RunOptions:
    """Make ``RunOptions`` from values by field name; None means the default. A key set twice is a ``HarnessError``."""
    for field in ("provider_options", "session_options"):
        keys = [key for key, _ in dict.fromkeys(values.get(field) or ())]
        if twice := [key for key in keys if keys.count(key) > 1]:
            raise HarnessError(f"--{field.replace('_', '-').removesuffix('s')} sets {twice[0]} twice: set it once")
    chosen = {option.name: values[option.name] for option in fields(RunOptions) if values.get(option.name) is not None}
    arguments: dict[str, Any] = {
        key: tuple(value) if isinstance(value, list) else value for key, value in chosen.items()
    }
    return RunOptions(**arguments)


def in_words(duration_ns: int) -> str:
    """Format a duration with four significant digits, as in ``1.235 ms``."""
    for unit, size in (("s", 10**9), ("ms", 10**6), ("us", 10**3)):
        if duration_ns >= size:
            return f"{duration_ns / size:.4g} {unit}"
    return f"{duration_ns} ns"
