"""Times are integer nanoseconds and sizes are bytes inside; people see and type other units only here."""

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
    """Turn ``10m``, ``90s``, ``1.5h`` or ``250ms`` into nanoseconds; a bare number means seconds.

    Raises:
        InputError: the text is no duration.
    """
    match = _DURATION.fullmatch(text.strip().lower())
    if match is None:
        message = f"'{text}' is not a duration: write a number and one of ns, us, ms, s, m, h, as in 10m"
        raise InputError(message)
    number, unit = match.groups()
    return round(float(number) * _NS_PER_UNIT[unit or "s"])


def parse_day(text: str) -> int:
    """Turn ``2027-03-01`` into the nanosecond since 1970 at which that day begins, UTC.

    Raises:
        InputError: the text is no day from 1970 on.
    """
    try:
        day = dt.datetime.strptime(text, "%Y-%m-%d").replace(tzinfo=dt.UTC)
    except ValueError:
        day = dt.datetime(1, 1, 1, tzinfo=dt.UTC)
    if not 1970 <= day.year < 2200:
        raise InputError(f"'{text}' is no day: write year, month and day, as in 2027-03-01")
    return int(day.timestamp()) * _NS_PER_UNIT["s"]


def format_day(unix_ns: int) -> str:
    """Write the day of a moment, UTC, as in ``2027-03-01``."""
    return dt.datetime.fromtimestamp(unix_ns // _NS_PER_UNIT["s"], tz=dt.UTC).strftime("%Y-%m-%d")


def parse_factor(text: str) -> float:
    """Turn ``2`` or ``1.5x`` into a number above 0.

    Raises:
        InputError: the text is no factor.
    """
    match = _FACTOR.fullmatch(text)
    if match is None or not float(match[1]):
        raise InputError(f"'{text}' is no factor: write a number above 0, as in 2 or 1.5x")
    return float(match[1])


def parse_share(text: str) -> float:
    """Turn ``0.5`` or ``50%`` into a number from 0 to 1.

    Raises:
        InputError: the text is no share.
    """
    match = _SHARE.fullmatch(text)
    share = float(match[1]) / (100 if match[2] else 1) if match else -1.0
    if not 0 <= share <= 1:
        raise InputError(f"'{text}' is no share: write a number from 0 to 1 or per cent, as in 50%")
    return share


def parse_rate(text: str) -> float:
    """Turn ``25Gbps`` (bits) or ``900GB/s`` (bytes) into bytes per second.

    Raises:
        InputError: the text is no rate above 0.
    """
    match = _RATE.fullmatch(text)
    if match is None or not float(match[1]):
        raise InputError(f"'{text}' is no rate: write a number and a unit, as in 25Gbps (bits) or 900GB/s (bytes)")
    bits = match[3] == "bps" or match[3].lower() == "bit/s" or match[3][0] == "b"
    return float(match[1]) * 1000.0 ** _POWERS.index(match[2].lower() or "_") / (8 if bits else 1)


def parse_size(text: str) -> float:
    """Turn ``25MB`` or ``1MiB`` into bytes.

    Raises:
        InputError: the text is no size.
    """
    match = _SIZE.fullmatch(text)
    if match is None:
        raise InputError(f"'{text}' is no size: write a number and a unit, as in 25MB")
    return float(match[1]) * (1024.0 if match[3] else 1000.0) ** _POWERS.index(match[2].lower() or "_")


def format_ns(value_ns: float) -> str:
    """Show a time with three or four digits and the unit that suits its size, as in ``12.34 ms``."""
    for unit in ("s", "ms", "us"):
        if abs(value_ns) >= _NS_PER_UNIT[unit]:
            return f"{value_ns / _NS_PER_UNIT[unit]:.4g} {unit}"
    return f"{value_ns:.4g} ns"


def format_bytes(value_bytes: float) -> str:
    """Show a size with the binary unit that suits it, as in ``2.5 MiB``."""
    size = float(value_bytes)
    for unit in ("B", "KiB", "MiB", "GiB"):
        if abs(size) < 1024:
            return f"{size:.4g} {unit}"
        size /= 1024
    return f"{size:.4g} TiB"


def plain(text: str) -> str:
    """Write a text of others as one line without what moves a terminal's cursor or changes its colours."""
    return "".join(letter if letter.isprintable() else " " for letter in text)


def shortened(text: str, most: int) -> str:
    """Cut a text that has more letters than that; names of kernels may have a thousand."""
    return text if len(text) <= most else f"{text[: most - 3]}..."


def counted(number: int, noun: str) -> str:
    """Write a number with its noun, as in ``1 warning`` and ``2 warnings``."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
