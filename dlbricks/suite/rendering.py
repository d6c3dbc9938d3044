"""Texts of a suite, rendered from the Jinja templates in ``templates/``; without dates, paths or names of models."""

import ast
import dataclasses
import functools
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import jinja2

from dlbricks.model.types import Generator
from dlbricks.suite.manifest import MANIFEST, Benchmark, Suite, TensorContract
from dlbricks.units import format_bytes

_ROLES = {
    "sequence": "A layer sequence of a neural network",
    "anchor": "An anchor, which tells how fast the machine is at the moment",
    "overhead": "An empty network, which tells what a call costs",
    "nodes": "A chain of empty layers, which tells what a layer costs",
    "curve": "A product that is measured after more and more other memory was read",
}
_GENERATOR_FIELDS = {
    "uniform": ("low", "high"),
    "integers": ("low", "high"),
    "bool": ("density",),
    "literal": ("values",),
}
_PLAIN = re.compile(r"[A-Za-z0-9_.,:+ -]*")


def templates_root() -> Path:
    """Return the folder of the templates: inside an installed package, or next to the package in a checkout."""
    package = Path(__file__).parents[1]
    packaged = package / "_templates"
    return packaged if packaged.is_dir() else package.parent / "templates"


def benchmark_path(benchmark: Benchmark) -> str:
    """Return the path of a benchmark's script in the suite, as in ``benchmarks/Conv_Relu_0123456789ab.py``."""
    return f"benchmarks/{benchmark.name}_{benchmark.fingerprint[:12]}.py"


def render_readme(suite: Suite) -> str:
    """Return ``README.md``, for the receiver of a suite: how to run it, and what to send back."""
    sequences = sum(benchmark.role == "sequence" for benchmark in suite.benchmarks)
    weights = format_bytes(sum(blob.nbytes for blob in suite.weights))
    return _environment().get_template("suite_readme.md.j2").render(suite=suite, sequences=sequences, weights=weights)


def render_audit(suite: Suite, files: Mapping[str, bytes]) -> str:
    """Return ``AUDIT.md``, on what the suite does on a machine, for those who have to permit a run.

    Args:
        suite: the suite, with its digest.
        files: all its other files, by path.
    """
    sources = {
        path: data.decode() for path, data in files.items() if path.startswith("harness/") and path[-3:] == ".py"
    }
    nbytes = sum(1.5 * benchmark.weight_bytes + 2 * benchmark.activation_bytes for benchmark in suite.benchmarks)
    return (
        _environment()
        .get_template("audit.md.j2")
        .render(
            suite=suite,
            benchmarks=len(suite.benchmarks),
            manifest_lines=len(files[MANIFEST].splitlines()),
            runner_lines=len(files["run.py"].splitlines()),
            modules=[(path, len(text.splitlines()), purpose_of(text)) for path, text in sources.items()],
            networks=format_bytes(sum(len(files[benchmark.network]) for benchmark in suite.benchmarks)),
            loaded=format_bytes(nbytes),
            weights=format_bytes(sum(blob.nbytes for blob in suite.weights)),
        )
    )


@functools.cache
def purpose_of(source: str) -> str:
    """Return the first paragraph of a module's docstring."""
    text = (ast.get_docstring(ast.parse(source)) or "").partition("\n\n")[0]
    return " ".join(text.split()).removesuffix(".")


def render_runner(suite: Suite) -> str:
    """Return ``run.py``, which measures every benchmark of the suite."""
    return _environment().get_template("run.py.j2").render(suite=suite)


def render_benchmark(suite: Suite, benchmark: Benchmark, network: bytes) -> str:
    """Return the script that describes one benchmark and measures it alone.

    Args:
        suite: the suite.
        benchmark: the benchmark.
        network: its file, which has the names of the weight files.
    """
    return (
        _environment()
        .get_template("benchmark.py.j2")
        .render(
            suite=suite,
            benchmark=benchmark,
            role=_ROLES.get(benchmark.role, benchmark.role),
            operators=", ".join(benchmark.operators),
            target=dataclasses.asdict(suite.target),
            inputs=[_contract(tensor) for tensor in benchmark.inputs],
            outputs=[_contract(tensor) for tensor in benchmark.outputs],
            weights=[
                {"file": blob.file, "dtype": blob.dtype, "nbytes": blob.nbytes, "generator": _generator(blob.generator)}
                for blob in suite.weights
                if blob.file.encode() in network
            ],
        )
    )


def _contract(tensor: TensorContract) -> dict[str, Any]:
    contract: dict[str, Any] = {"name": tensor.name, "dtype": tensor.dtype, "shape": list(tensor.shape)}
    return contract if tensor.generator is None else {**contract, "generator": _generator(tensor.generator)}


def _generator(generator: Generator) -> dict[str, Any]:
    """Return the fields of a generator that its kind uses (``harness.values.fill``)."""
    names = _GENERATOR_FIELDS[generator.kind]
    return {"kind": generator.kind, **{name: getattr(generator, name) for name in names}}


def render_archive_main(suite: Suite, benchmark: Benchmark) -> str:
    """Return ``__main__.py`` of a single benchmark."""
    script = benchmark_path(benchmark)
    return _environment().get_template("archive_main.py.j2").render(suite=suite, benchmark=benchmark, script=script)


def render_file(template: Path, **values: Any) -> str:
    """Return the text of a plug-in's template, in which every value passes one of the filters below."""
    return _environment().from_string(template.read_text(encoding="utf-8")).render(**values)


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
    environment.filters.update(
        {"literal": _literal, "plain": _plain, "tensor": _tensor, "words": _words, "grouped": _grouped}
    )
    return environment


def _literal(value: object) -> str:
    """Format a value as Python source: strings, numbers, and lists and dicts of these."""
    if isinstance(value, str):
        return '"' + repr(value)[1:-1].replace('"', '\\"') + '"'
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_literal, value))}]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_literal(key)}: {_literal(entry)}" for key, entry in value.items()) + "}"
    raise TypeError(type(value))


def _grouped(value: int) -> str:
    """Format a number with commas, as in ``6,230,016``."""
    return f"{value:,}"


def _words(text: str) -> str:
    """Check a trusted sentence for a table cell, which may contain code in backticks."""
    if "|" in text or "\n" in text:
        message = f"not one cell: {text!r}"
        raise ValueError(message)
    return text.replace("``", "`")


def _tensor(tensor: TensorContract) -> str:
    """Format name, type and shape, as in ``x0: float32 1x64x56x56``."""
    return f"{tensor.name}: {tensor.dtype} {'x'.join(map(str, tensor.shape)) or 'scalar'}"


def _plain(value: str | int) -> str:
    """Check that a value has no characters with a special meaning in a comment, a docstring or Markdown."""
    text = str(value)
    if _PLAIN.fullmatch(text) is None:
        message = f"not plain: {text!r}"
        raise ValueError(message)
    return text
