"""Growth of the package is a decision: its lines stay within ``benchmarks/size_limit.txt``."""

from pathlib import Path

import dlbricks

PACKAGE = Path(dlbricks.__file__).parent
LIMIT = PACKAGE.parent / "benchmarks" / "size_limit.txt"


def lines_of_code(path: Path) -> int:
    """Number of lines of a module that are no comment lines: a comment that says why costs nothing."""
    return sum(not line.lstrip().startswith("#") for line in path.read_text(encoding="utf-8").splitlines())


def test_the_package_stays_within_its_size_limit() -> None:
    """All modules of ``dlbricks/`` together, docstrings and blank lines counted."""
    total = sum(lines_of_code(path) for path in PACKAGE.rglob("*.py"))
    limit = int(LIMIT.read_text(encoding="utf-8"))
    assert total <= limit, f"dlbricks/ has {total} lines, {LIMIT.name} allows {limit}: remove what the change replaces"
