"""Writing a suite folder, whole or not at all."""

from collections.abc import Mapping
from pathlib import Path

import dlbricks
from dlbricks.errors import InputError
from dlbricks.files import writing
from dlbricks.suite.document import MANIFEST, parse_manifest, render_manifest
from dlbricks.suite.nouns import SUITE_FORMAT, Suite
from dlbricks.suite.render import benchmark_path, render_benchmark, render_readme, render_runner


def suite_files(suite: Suite, networks: Mapping[str, bytes]) -> dict[str, bytes]:
    """Give every file of a suite by its path in the folder, in a fixed order. Pure but for reading the package itself.

    Args:
        suite: the sealed suite.
        networks: serialised networks by fingerprint, one for each benchmark.
    """
    files = {
        MANIFEST: render_manifest(suite).encode(),
        "README.md": render_readme(suite).encode(),
        "run.py": render_runner(suite).encode(),
    }
    files |= harness_files()
    for benchmark in suite.benchmarks:
        files[benchmark.network] = networks[benchmark.fingerprint]
        files[benchmark_path(benchmark)] = render_benchmark(suite, benchmark).encode()
    return files


def harness_files() -> dict[str, bytes]:
    """Give the files of the measuring code that travels with every suite, by their paths in the suite, sorted."""
    root = Path(dlbricks.__file__).parent
    paths = (path for suffix in ("py", "onnx") for path in (root / "harness").rglob(f"*.{suffix}"))
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in sorted(paths)}


def write_suite(folder: Path, suite: Suite, networks: Mapping[str, bytes]) -> None:
    """Write the folder of a suite; an older suite or an empty folder in its place is replaced.

    Args:
        folder: where; its parents are made.
        suite: the sealed suite.
        networks: serialised networks by fingerprint.

    Raises:
        InputError: the place holds something that is no suite, or cannot be written.
    """
    place = folder.resolve()
    refuse_to_replace(place)
    with writing(place) as scratch:
        files = suite_files(suite, networks)
        for parent in sorted({(scratch / path).parent for path in files}):
            parent.mkdir(parents=True, exist_ok=True)
        for path, data in files.items():
            (scratch / path).write_bytes(data)


def refuse_to_replace(folder: Path) -> None:
    """Make sure that writing a suite to ``folder`` destroys nothing but an older suite.

    Raises:
        InputError: it is a file, or a folder that holds something else.
    """
    try:
        if not folder.exists() or (folder.is_dir() and not any(folder.iterdir())):
            return
        old = parse_manifest((folder / MANIFEST).read_text(encoding="utf-8"), MANIFEST)
    except (OSError, UnicodeDecodeError, InputError):
        old = {}
    if old.get("format") != SUITE_FORMAT:
        raise InputError(f"{folder} exists and is no dlbricks suite: choose another place or remove it")
