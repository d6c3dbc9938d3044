"""What a suite folder holds, from the Jinja templates in ``templates/``; written whole or not at all.

Rendered texts hold no dates, no paths and no names of models.
"""

import functools
import re
from collections.abc import Mapping
from pathlib import Path

import jinja2

import dlbricks
from dlbricks.errors import InputError
from dlbricks.files import writing
from dlbricks.suite.manifest import MANIFEST, SUITE_FORMAT, Benchmark, Suite, parse_manifest, render_manifest
from dlbricks.units import format_bytes

_PLAIN = re.compile(r"[A-Za-z0-9_.,:+ -]*")


def templates_root() -> Path:
    """Give the folder of the templates: inside an installed package, or beside the package in a checkout."""
    package = Path(dlbricks.__file__).parent
    packaged = package / "_templates"
    return packaged if packaged.is_dir() else package.parent / "templates"


def benchmark_path(benchmark: Benchmark) -> str:
    """Give the path of a benchmark's script in the suite, as in ``benchmarks/Conv_Relu_0123456789ab.py``."""
    return f"benchmarks/{benchmark.name}_{benchmark.fingerprint[:12]}.py"


def render_readme(suite: Suite) -> str:
    """Tell who receives the suite what to run and what will be sent back."""
    sequences = sum(benchmark.role == "sequence" for benchmark in suite.benchmarks)
    weights = format_bytes(sum(blob.nbytes for blob in suite.weights))
    return _environment().get_template("suite_readme.md.j2").render(suite=suite, sequences=sequences, weights=weights)


def render_runner(suite: Suite) -> str:
    """Give ``run.py``, which measures every benchmark of the suite."""
    return _environment().get_template("run.py.j2").render(suite=suite)


def render_benchmark(suite: Suite, benchmark: Benchmark) -> str:
    """Give the script that measures one benchmark alone."""
    return _environment().get_template("benchmark.py.j2").render(suite=suite, benchmark=benchmark)


def render_archive_main(suite: Suite, benchmark: Benchmark) -> str:
    """Give ``__main__.py`` of a benchmark that travels as a single file."""
    return _environment().get_template("archive_main.py.j2").render(suite=suite, benchmark=benchmark)


@functools.cache
def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(templates_root()),
        undefined=jinja2.StrictUndefined,
        autoescape=False,  # noqa: S701  Python and Markdown; every value passes one of the two filters below
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.globals.clear()
    environment.filters.clear()
    environment.filters.update({"literal": _literal, "plain": _plain})
    return environment


def _literal(value: str | int | tuple[str, ...]) -> str:
    """Write a value as Python source."""
    if not isinstance(value, str | int | tuple):
        raise TypeError(type(value))
    return repr(value)


def _plain(value: str | int) -> str:
    """Let through what can mean nothing else in a comment, a docstring or Markdown."""
    text = str(value)
    if _PLAIN.fullmatch(text) is None:
        message = f"not plain: {text!r}"
        raise ValueError(message)
    return text


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
