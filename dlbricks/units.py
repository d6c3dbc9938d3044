"""Parsing and formatting of durations, dates, rates and sizes; internally, times are integer ns and sizes bytes."""

import datetime as dt
import re

from dlbricks.errors import InputError

_DURATION = re.compile(r"(\d+(?:\.\d+)?)\s*(ns|us|ms|s|m|min|h)?")
_NS_PER_UNIT = {
    "ns": 1,
    "us": 1_000,
    "ms": 1_000_000,
    "s": 1_000_000_000,
    "m": 60_000_000_000,
    "min": 60_000_000_000,
    "h": 3_600_000_000_000,
}
_FACTOR = re.compile(r"(\d*\.?\d+)x?")
_SHARE = re.compile(r"(\d*\.?\d+)(%?)")
_RATE = re.compile(r"(\d*\.?\d+)\s*([kmgt]?)(bps|bit/s|b/s)", re.IGNORECASE)
_SIZE = re.compile(r"(\d*\.?\d+)\s*([kmgt]?)(i?)b?", re.IGNORECASE)
_POWERS = "_kmgt"


def parse_duration(text: str) -> int:
    """Parse a duration such as ``10m``, ``90s``, ``1.5h`` or ``250ms`` to ns; a bare number is in seconds.

    Raises:
        InputError: the text is not a duration.
    """
    match = _DURATION.fullmatch(text.strip().lower())
    if match is None:
        message = f"'{text}' is not a duration: write a number and one of ns, us, ms, s, m, h, as in 10m"
        raise InputError(message)
    number, unit = match.groups()
    return round(float(number) * _NS_PER_UNIT[unit or "s"])


def parse_day(text: str) -> int:
    """Parse a date such as ``2027-03-01`` to the start of that day in UTC, in ns since 1970.

    Raises:
        InputError: the text is not a date from 1970 on.
    """
    try:
        day = dt.datetime.strptime(text, "%Y-%m-%d").replace(tzinfo=dt.UTC)
    except ValueError:
        day = dt.datetime(1, 1, 1, tzinfo=dt.UTC)
    if not 1970 <= day.year < 2200:
        raise InputError(f"'{text}' is no day: write year, month and day, as in 2027-03-01")
    return int(day.timestamp()) * _NS_PER_UNIT["s"]


def format_day(unix_ns: int) -> str:
    """Format the UTC date of a time in ns since 1970, as in ``2027-03-01``."""
    return dt.datetime.fromtimestamp(unix_ns // _NS_PER_UNIT["s"], tz=dt.UTC).strftime("%Y-%m-%d")


def parse_factor(text: str) -> float:
    """Parse a positive factor such as ``2`` or ``1.5x``.

    Raises:
        InputError: the text is not a factor.
    """
    match = _FACTOR.fullmatch(text)
    if match is None or not float(match[1]):
        raise InputError(f"'{text}' is no factor: write a number above 0, as in 2 or 1.5x")
    return float(match[1])


def parse_share(text: str) -> float:
    """Parse a fraction such as ``0.5`` or ``50%`` to a number from 0 to 1.

    Raises:
        InputError: the text is not a fraction.
    """
    match = _SHARE.fullmatch(text)
    share = float(match[1]) / (100 if match[2] else 1) if match else -1.0
    if not 0 <= share <= 1:
        raise InputError(f"'{text}' is no share: write a number from 0 to 1 or per cent, as in 50%")
    return share


def parse_rate(text: str) -> float:
    """Parse a data rate such as ``25Gbps`` (bits) or ``900GB/s`` (bytes) to bytes per second.

    Raises:
        InputError: the text is not a positive rate.
    """
    match = _RATE.fullmatch(text)
    if match is None or not float(match[1]):
        raise InputError(f"'{text}' is no rate: write a number and a unit, as in 25Gbps (bits) or 900GB/s (bytes)")
    bits = match[3] == "bps" or match[3].lower() == "bit/s" or match[3][0] == "b"
    return float(match[1]) * 1000.0 ** _POWERS.index(match[2].lower() or "_") / (8 if bits else 1)


def parse_size(text: str) -> float:
    """Parse a size such as ``25MB`` or ``1MiB`` to bytes.

    Raises:
        InputError: the text is not a size.
    """
    match = _SIZE.fullmatch(text)
    if match is None:
        raise InputError(f"'{text}' is no size: write a number and a unit, as in 25MB")
    return float(match[1]) * (1024.0 if match[3] else 1000.0) ** _POWERS.index(match[2].lower() or "_")


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
    """Replace unprintable characters by spaces, so that untrusted text cannot control a terminal."""
    return "".join(letter if letter.isprintable() else " " for letter in text)


def shortened(text: str, most: int) -> str:
    """Truncate a text to ``most`` characters, with an ellipsis at its end."""
    return text if len(text) <= most else f"{text[: most - 3]}..."


def counted(number: int, noun: str) -> str:
    """Format a count with its noun, as in ``1 warning`` and ``2 warnings``."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
