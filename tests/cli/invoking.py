"""What tests of the command line call."""

import json
import lzma
from collections.abc import Callable
from pathlib import Path

from click.testing import Result

Run = Callable[..., Result]
"""Called with arguments, and with ``code=`` where an exit code other than 0 is expected."""

_MEASURED = Path(__file__).parents[2] / "suites" / "results" / "whatif-cpu.jsonl.xz"


def some_networks(path: Path, *names: str) -> Path:
    """Write some of the networks that were measured before and after changes, for ``whatif --backtest``."""
    lines = lzma.decompress(_MEASURED.read_bytes()).splitlines(keepends=True)
    path.write_bytes(lzma.compress(b"".join(line for line in lines if json.loads(line)["network"] in names)))
    return path
