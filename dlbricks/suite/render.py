"""Text that a suite carries, from the Jinja templates in ``templates/``. Pure: no dates, no paths, no model names."""

import functools
import re
from pathlib import Path

import jinja2

import dlbricks
from dlbricks.suite.nouns import Benchmark, Suite
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
