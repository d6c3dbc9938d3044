"""The options of a run: what each means, how its text is read, and the one table that both command lines are made of.

``run.py`` of a suite makes options of argparse of the table, ``dlbricks run`` into options of click.
Standard library only, so that ``--help`` works where numpy and onnxruntime are missing.
"""

import argparse
import importlib.util
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, NamedTuple

from .errors import MISSING, HarnessError

ONNXRUNTIME = "onnxruntime"
RUNTIMES = (ONNXRUNTIME, "openvino", "tract")
"""Names of runtimes; each other one has a module ``runtimes/NAME_session.py``."""
TRACE_LEVELS = ("ML", "MLK")
"""What ``--trace`` can record: executed layers; their kernels on the GPU, too."""

_NS_PER_UNIT = {"ms": 10**6, "s": 10**9, "m": 60 * 10**9, "min": 60 * 10**9, "h": 3600 * 10**9}
_BYTES_PER_UNIT = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions:
    """The options of a run."""

    runtime: str = ONNXRUNTIME
    provider: str = "cpu"
    provider_options: tuple[tuple[str, str], ...] = ()
    threads: int = 1
    session_options: tuple[tuple[str, str], ...] = ()
    seed: int = 0
    """Of the order of the visits. The values of inputs and weights have the suite's own seed."""
    name: str | None = None
    """Name of the system; None: made from its facts."""
    budget_ns: int | None = None
    """Wall time of the whole run, loading included; None: until every benchmark is done.

    Time that remains narrows the intervals further, unless end-to-end networks are measured, too."""
    smoke: bool = False
    """One short visit each: shows that everything runs, measures nothing well."""
    only: tuple[str, ...] = ()
    """Names (globs), beginnings of fingerprints or operators; empty for all."""
    resume: bool = False
    timeout_ns: int = 60_000_000_000
    """Longest time to load a benchmark, or for one visit."""
    target_relative: float = 0.02
    """Half width of the 95 % interval, as a share of the latency, that is narrow enough for the whole of a network;
    parts may be wider (``schedule.allowed``)."""
    max_time_ns: int = 300_000_000
    """Time spent on visits to one benchmark, preparation included, after which it is done, narrow or not."""
    end_to_end_target_relative: float | None = None
    """``target_relative`` of end-to-end networks (role ``whole``); None: as of all others."""
    end_to_end_max_time_ns: int | None = None
    """``max_time_ns`` of end-to-end networks; None: as of all others."""
    end_to_end_min_visits: int | None = None
    """``min_visits`` of end-to-end networks; None: as of all others."""
    min_visits: int = 3
    """Least visits of calls back to back."""
    visit_ns: int = 5_000_000
    """How long a visit of repeated calls should last."""
    memory_limit_bytes: int | None = None
    """Private memory that a worker may have; None for no limit."""
    trace: str = ""
    """One of ``TRACE_LEVELS``, recorded after everything was measured; empty for none."""

    def record(self) -> dict[str, Any]:
        """Give what a result file keeps of the options; those of the runtime are kept with the runtime."""
        return {
            "seed": self.seed,
            "budget_ns": self.budget_ns,
            "smoke": self.smoke,
            "only": list(self.only),
            "timeout_ns": self.timeout_ns,
            "target_relative": self.target_relative,
            "max_time_ns": self.max_time_ns,
            "whole_target_relative": self.end_to_end_target_relative,
            "whole_max_time_ns": self.end_to_end_max_time_ns,
            "whole_min_visits": self.end_to_end_min_visits,
            "min_visits": self.min_visits,
            "visit_ns": self.visit_ns,
            "memory_limit_bytes": self.memory_limit_bytes,
            **({"trace": self.trace} if self.trace else {}),
        }


def read_duration_ns(text: str) -> int:
    """Read ``10m``, ``90s``, ``1.5h`` or ``250ms``; a bare number means seconds.

    Raises:
        ValueError: it is none, or 0. So do the other readers.
    """
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*(ms|s|m|min|h)?", text.strip().lower())
    if match is None or float(match[1]) == 0:
        raise ValueError(f"'{text}' is no duration: write a number and one of ms, s, m, h, as in 10m")
    return round(float(match[1]) * _NS_PER_UNIT[match[2] or "s"])


def read_size_bytes(text: str) -> int:
    """Read ``8g`` or ``512m``."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([kmgt]?)(?:i?b)?", text.strip().lower())
    if match is None or float(match[1]) == 0:
        raise ValueError(f"'{text}' is no size: write a number and one of k, m, g, as in 8g")
    return round(float(match[1]) * _BYTES_PER_UNIT[match[2]])


def read_share(text: str) -> float:
    """Read ``2%`` or ``0.02``."""
    match = re.fullmatch(r"(\d*\.?\d+)(%?)", text.strip())
    value = float(match[1]) / (100 if match[2] else 1) if match else 0.0
    if not 0 < value < 1:
        raise ValueError(f"'{text}' is no share between 0 and 1: write it as 2% or 0.02")
    return value


def read_pair(text: str) -> tuple[str, str]:
    """Read ``KEY=VALUE``."""
    key, equals, value = (part.strip() for part in text.partition("="))
    if not (key and equals):
        raise ValueError(f"'{text}' is not of the form KEY=VALUE")
    return key, value


def read_levels(text: str) -> str:
    """Read the levels of a trace."""
    if text not in TRACE_LEVELS:
        raise ValueError(f"'{text}' is none of {', '.join(TRACE_LEVELS)}")
    return text


def read_runtime(text: str) -> str:
    """Read the name of a runtime."""
    if text not in RUNTIMES:
        raise ValueError(f"'{text}' is none of {', '.join(RUNTIMES)}")
    return text


def check_levels(levels: str) -> None:
    """Refuse to begin with levels that cannot be traced here.

    Raises:
        HarnessError: unknown levels (``BAD_INPUT``), or what tracing needs is not there (``MISSING``).
    """
    if not levels:
        return
    if levels not in TRACE_LEVELS:
        raise HarnessError(f"--trace is one of {', '.join(TRACE_LEVELS)}, not '{levels}'")
    if importlib.util.find_spec(".trace", __package__) is None:
        raise HarnessError(f"--trace {levels}: tracing is not there, since harness/trace/ was removed", MISSING)
    if levels == TRACE_LEVELS[1]:
        from .trace.permission import why_not

        if reason := why_not():
            raise HarnessError(f"--trace {levels}: {reason}", MISSING)


def _number_from(least: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        if not (text.isascii() and text.isdigit() and int(text) >= least):
            raise ValueError(f"'{text}' is no whole number from {least} up")
        return int(text)

    return read


class Option(NamedTuple):
    """One option of a command line."""

    flag: str
    """As in ``--target-error``."""
    field: str
    """Of ``RunOptions``, or a name of its own."""
    help: str
    metavar: str = ""
    """Empty for a switch."""
    read: Callable[[str], Any] = str
    """Turns a text into a value, or raises ``ValueError`` with what is wrong and what to write."""
    default: str = ""
    """Text that stands for what is not given; empty: there is none."""
    repeated: bool = False


SESSION_OPTIONS = (
    Option("--runtime", "runtime", "Runtime that is measured.", "|".join(RUNTIMES), read_runtime, ONNXRUNTIME),
    Option(
        "--provider", "provider", "Execution provider, as in cuda; or the path of its library.", "NAME", default="cpu"
    ),
    Option("--provider-option", "provider_options", "Of the provider.", "KEY=VALUE", read_pair, repeated=True),
    Option("--threads", "threads", "Threads within an operator.", "N", _number_from(1), "1"),
    Option("--session-option", "session_options", "Of the runtime's session.", "KEY=VALUE", read_pair, repeated=True),
)
"""How sessions are opened."""

MEASURING_OPTIONS = (
    *SESSION_OPTIONS,
    Option("--name", "name", "Name of this system; by default made from its processor.", "NAME"),
    Option("--seed", "seed", "Of the order of visits.", "N", _number_from(0), "0"),
    Option(
        "--budget",
        "budget_ns",
        "Time for all, as in 10m; what remains narrows intervals further. By default until all are narrow enough.",
        "TIME",
        read_duration_ns,
    ),
    Option(
        "--target-error",
        "target_relative",
        "Half width of the 95 % interval that is narrow enough.",
        "SHARE",
        read_share,
        "2%",
    ),
    Option("--memory-limit", "memory_limit_bytes", "Most memory of a worker, as in 8g.", "SIZE", read_size_bytes),
    Option("--timeout", "timeout_ns", "Longest to load a benchmark, or for a visit.", "TIME", read_duration_ns, "60s"),
    Option("--smoke", "smoke", "One short visit each: shows that everything runs."),
)
"""How anything is measured."""

TRACE_OPTION = Option(
    "--trace",
    "trace",
    "Then trace a few calls of each: executed layers (ML), and their GPU kernels (MLK).",
    "|".join(TRACE_LEVELS),
    read_levels,
)
WEIGHTS_OPTION = Option("--weights", "weights", "Folder of the weight files; weights/ of the suite else.", "DIR", Path)

RUN_OPTIONS = (
    *MEASURING_OPTIONS,
    Option("--only", "only", "Names (globs), beginnings of fingerprints, operators.", "PATTERN", repeated=True),
    Option("--resume", "resume", "Go on with an interrupted run, if there is one."),
    TRACE_OPTION,
    WEIGHTS_OPTION,
)
"""How a suite is run."""


def add_options(parser: argparse.ArgumentParser, options: Iterable[Option]) -> None:
    """Add options of the table to a parser."""
    for one in options:
        if not one.metavar:
            parser.add_argument(one.flag, dest=one.field, action="store_true", help=one.help)
            continue
        more = f" [{one.default}]" if one.default else " May be repeated." if one.repeated else ""
        parser.add_argument(
            one.flag,
            dest=one.field,
            metavar=one.metavar,
            type=_in_words(one.read),
            action="append" if one.repeated else "store",
            default=[] if one.repeated else one.default or None,
            help=(one.help + more).replace("%", "%%"),
        )


def _in_words(read: Callable[[str], Any]) -> Callable[[str], Any]:
    """Make argparse say what a reader says."""

    def told(text: str) -> Any:
        try:
            return read(text)
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    return told


def run_options(values: Mapping[str, Any]) -> RunOptions:
    """Make options of values by field; what is no field is left out, and None stands for a field's default.

    Raises:
        HarnessError: a key has two values.
    """
    for field in ("provider_options", "session_options"):
        keys = [key for key, _ in dict.fromkeys(values.get(field) or ())]
        if twice := [key for key in keys if keys.count(key) > 1]:
            raise HarnessError(f"--{field.replace('_', '-').removesuffix('s')} gives {twice[0]} two values")
    known = {one.name: values[one.name] for one in fields(RunOptions) if values.get(one.name) is not None}
    made: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in known.items()}
    return RunOptions(**made)


def in_words(duration_ns: int) -> str:
    """Show a duration with four digits, as in ``1.235 ms``."""
    for unit, size in (("s", 10**9), ("ms", 10**6), ("us", 10**3)):
        if duration_ns >= size:
            return f"{duration_ns / size:.4g} {unit}"
    return f"{duration_ns} ns"
