"""Parses and formats durations, dates, rates and sizes; inside dlbricks, times are integer ns and sizes are bytes.

Each parser raises ``InputError`` for a text that it cannot parse.
"""

import datetime as dt
import re
from typing import Any

from dlbricks.errors import InputError

_NS_PER_UNIT = {"ns": 1, "us": 10**3, "ms": 10**6, "s": 10**9, "m": 60 * 10**9, "min": 60 * 10**9, "h": 3600 * 10**9}
_NUMBER = r"(\d*\.?\d+)"
_POWERS = "_kmgt"


def _match(pattern: str, text: str, what: str, expected: str, flags: int = 0) -> tuple[float, *tuple[Any, ...]]:
    # Returns the number at the start of a text and the other groups of a pattern.
    match = re.fullmatch(_NUMBER + pattern, text, flags)
    if match is None:
        raise InputError(f"invalid {what} '{text}': expected {expected}")
    return float(match[1]), *match.groups()[1:]


def parse_duration(text: str) -> int:
    """Parse a duration such as ``10m``, ``90s``, ``1.5h`` or ``250ms`` to ns; a bare number is in seconds."""
    expected = "a number and one of ns, us, ms, s, m, h, such as 10m"
    number, unit = _match(r"\s*(ns|us|ms|s|m|min|h)?", text.strip().lower(), "duration", expected)
    return round(number * _NS_PER_UNIT[unit or "s"])


def parse_day(text: str) -> int:
    """Parse a date, as in ``2027-03-01`` (1970 to 2199); return its start in UTC, ns since 1970."""
    try:
        day = dt.datetime.strptime(text, "%Y-%m-%d").replace(tzinfo=dt.UTC)
    except ValueError:
        day = dt.datetime(1, 1, 1, tzinfo=dt.UTC)
    # Times are stored as signed 64-bit integers of ns, which end in 2262.
    if not 1970 <= day.year < 2200:
        raise InputError(f"invalid date '{text}': expected year, month and day, from 1970 on, such as 2027-03-01")
    return int(day.timestamp()) * _NS_PER_UNIT["s"]


def format_day(unix_ns: int) -> str:
    """Format the UTC date of a time, as in ``2027-03-01``."""
    return dt.datetime.fromtimestamp(unix_ns // _NS_PER_UNIT["s"], tz=dt.UTC).strftime("%Y-%m-%d")


def parse_factor(text: str) -> float:
    """Parse a positive factor such as ``2`` or ``1.5x``."""
    expected = "a positive number such as 2 or 1.5x"
    (factor,) = _match("x?", text, "factor", expected)
    if not factor:
        raise InputError(f"invalid factor '{text}': expected {expected}")
    return factor


def parse_share(text: str) -> float:
    """Parse a fraction such as ``0.5`` or ``50%`` to a number from 0 to 1."""
    expected = "a number from 0 to 1 or a percentage such as 50%"
    number, percent = _match("(%?)", text, "share", expected)
    share = number / 100 if percent else number
    if share > 1:
        raise InputError(f"invalid share '{text}': expected {expected}")
    return share


def parse_rate(text: str) -> float:
    """Parse a data rate such as ``25Gbps`` (bits) or ``900GB/s`` (bytes) to bytes per second."""
    expected = "a number and a unit such as 25Gbps (bits) or 900GB/s (bytes)"
    number, power, unit = _match(r"\s*([kmgt]?)(bps|bit/s|b/s)", text, "rate", expected, re.IGNORECASE)
    if not number:
        raise InputError(f"invalid rate '{text}': expected {expected}")
    # In "b/s" a lower-case b means bits, in "B/s" an upper-case B means bytes.
    is_bits = unit == "bps" or unit.lower() == "bit/s" or unit[0] == "b"
    return number * 1000.0 ** _POWERS.index(power.lower() or "_") / (8 if is_bits else 1)


def parse_size(text: str) -> float:
    """Parse a size such as ``25MB`` or ``1MiB`` to bytes."""
    expected = "a number and a unit such as 25MB"
    number, power, binary = _match(r"\s*([kmgt]?)(i?)b?", text, "size", expected, re.IGNORECASE)
    return number * (1024.0 if binary else 1000.0) ** _POWERS.index(power.lower() or "_")


def format_ns(value_ns: float) -> str:
    """Format a time with four significant digits and a suitable unit, as in ``12.34 ms``."""
    for unit in ("s", "ms", "us"):
        if abs(value_ns) >= _NS_PER_UNIT[unit]:
            return f"{value_ns / _NS_PER_UNIT[unit]:.4g} {unit}"
    return f"{value_ns:.4g} ns"


def format_bytes(value_bytes: float) -> str:
    """Format a size with four significant digits and a suitable binary unit, as in ``2.5 MiB``."""
    size = float(value_bytes)
    for unit in ("B", "KiB", "MiB", "GiB"):
        if abs(size) < 1024:
            return f"{size:.4g} {unit}"
        size /= 1024
    return f"{size:.4g} TiB"


def plain(text: str) -> str:
    """Replace unprintable characters by spaces, for output to a terminal."""
    return "".join(letter if letter.isprintable() else " " for letter in text)


def shortened(text: str, most: int) -> str:
    """Cut a text to at most ``most`` characters; a cut text ends with an ellipsis."""
    return text if len(text) <= most else f"{text[: most - 3]}..."


def counted(number: int, noun: str) -> str:
    """Format a count with its noun, as in ``1 warning`` and ``2 warnings``."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
