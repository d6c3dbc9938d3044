"""Assembles suites from benchmarks, renders their text files, and writes them as folders.

The text files (templates in ``templates/``) contain no dates, paths or model names.
"""

import ast
import dataclasses
import functools
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import jinja2

from dlbricks.errors import InputError
from dlbricks.files import refuse_unwritable_folder, writing
from dlbricks.harness.cpu import block_of
from dlbricks.harness.runtimes import MODULES
from dlbricks.model.lowering.targets import target_of, this_machine
from dlbricks.model.types import Generator
from dlbricks.passes.user import pass_digest
from dlbricks.settings import PORTABLE, SplitSettings
from dlbricks.suite.benchmarks import BuiltBenchmark, Reference, merged_weights
from dlbricks.suite.manifest import (
    COMMON_DIMENSIONS,
    MANIFEST,
    SUITE_FORMAT,
    VALUE_TEXT,
    Benchmark,
    Suite,
    Target,
    TensorContract,
    render_manifest,
    with_digest,
)
from dlbricks.typed_json import parse_object
from dlbricks.units import format_bytes
from dlbricks.version import __version__

# A portable suite carries the runtime modules of dlbricks; a lowered suite carries the module of its own runtime.
_OWN_RUNTIMES = tuple(name for name, module in MODULES.items() if module.startswith("dlbricks."))


def suite_files(suite: Suite, networks: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the files of a suite, by path; ``networks`` has serialised networks by fingerprint."""
    files = {
        MANIFEST: render_manifest(suite).encode(),
        "README.md": render_readme(suite).encode(),
        "run.py": render_runner(suite).encode(),
    }
    target = suite.target.name
    files |= harness_files() if target == PORTABLE else harness_files({target_of(target).runtime})
    for benchmark in suite.benchmarks:
        files[benchmark.network] = networks[benchmark.fingerprint]
        files[benchmark_path(benchmark)] = render_benchmark(suite, benchmark, networks[benchmark.fingerprint]).encode()
    return {"AUDIT.md": render_audit(suite, files).encode(), **files}


def harness_files(runtimes: Collection[str] = _OWN_RUNTIMES) -> dict[str, bytes]:
    """Return the source files of the harness by path, with the modules of only the runtimes in ``runtimes``."""
    root = Path(__file__).parents[1]
    paths = (path for suffix in ("py", "onnx") for path in (root / "harness").rglob(f"*.{suffix}"))
    files = {path.relative_to(root).as_posix(): path.read_bytes() for path in paths}
    for name in runtimes:
        spec = find_spec(MODULES[name])
        if f"harness/runtimes/{name}.py" not in files and spec is not None and spec.origin is not None:
            files[f"harness/runtimes/{name}.py"] = module_in_suite(Path(spec.origin))
    return dict(sorted(files.items()))


def module_in_suite(module: Path) -> bytes:
    """Return the source of a plug-in's module, changed so that it imports the harness of the suite."""
    return module.read_bytes().replace(b"from dlbricks.harness", b"from harness")


def write_suite(folder: Path, suite: Suite, networks: Mapping[str, bytes]) -> None:
    """Write a suite to a folder; raises as ``refuse_to_replace``."""
    place = folder.resolve()
    refuse_to_replace(place, suite.digest)
    with writing(place) as scratch:
        files = suite_files(suite, networks)
        for parent in sorted({(scratch / path).parent for path in files}):
            parent.mkdir(parents=True, exist_ok=True)
        for path, data in files.items():
            (scratch / path).write_bytes(data)


# What a suite's folder holds: files of the suite, weights and caches of Python that its runs make.
_OF_A_SUITE = re.compile(r"suite\.json|README\.md|AUDIT\.md|run\.py|harness|networks|benchmarks|weights.*|__pycache__")


def refuse_to_replace(folder: Path, digest: str = "") -> None:
    """Raise ``InputError`` if ``folder`` cannot be written, or holds anything but a suite (of this digest)."""
    if not folder.exists():
        refuse_unwritable_folder(folder)
    try:
        if not folder.exists() or (folder.is_dir() and not any(folder.iterdir())):
            return
        old = parse_object((folder / MANIFEST).read_text(encoding="utf-8"), MANIFEST)
    except (OSError, UnicodeDecodeError, InputError):
        old = {}
    if old.get("format") != SUITE_FORMAT:
        raise InputError(f"{folder} exists and is not a dlbricks suite: choose another path, or remove it")
    if digest and old.get("digest") != digest:
        raise InputError(f"{folder} holds another suite: choose another path, or remove it")
    # what a user laid beside the suite, such as its results, would be lost
    if others := sorted(path.name for path in folder.iterdir() if not _OF_A_SUITE.fullmatch(path.name)):
        raise InputError(f"{folder} holds {others[0]} besides the suite: move it away, or choose another path")


def merge_benchmarks(benchmarks: Iterable[BuiltBenchmark]) -> tuple[BuiltBenchmark, ...]:
    """Return the benchmarks of several networks without duplicates, sorted, each with its largest importance."""
    unique: dict[str, BuiltBenchmark] = {}
    merged: dict[str, tuple[float, int]] = {}
    for built in benchmarks:
        fingerprint, own = built.benchmark.fingerprint, built.benchmark.block
        importance, block = merged.get(fingerprint, (0.0, own))
        # what processors with blocks of different sizes need, all need
        merged[fingerprint] = max(built.benchmark.importance, importance), own if own == block else 0
        other = unique.get(fingerprint)
        if other is None or _rank(built) < _rank(other):
            unique[fingerprint] = built
    return tuple(unique[name].with_importance(*merged[name]) for name in sorted(unique))


def _rank(built: BuiltBenchmark) -> tuple[str, int, str]:
    return built.benchmark.digest, built.benchmark.layers, repr(built.with_importance(1.0).benchmark)


def assemble(
    settings: SplitSettings,
    benchmarks: Sequence[BuiltBenchmark],
    references: Mapping[str, Reference] | None = None,
    *,
    name: str,
    seed: int = 0,
    codes: Iterable[Sequence[str]] = (),
) -> Suite:
    """Return a suite of ``benchmarks``, in this order; ``references`` holds their outputs by fingerprint.

    ``settings`` have only extents that may be disclosed; ``codes`` are the instruction sets that the suite is for.
    Raises ``HarnessError`` if the runtime of the target is missing or does not work.
    """
    blocks = tuple(sorted(filter(None, map(block_of, codes))))
    return with_digest(
        Suite(
            name=name,
            granularity=settings.granularity,
            splitter=settings.splitter,
            target=replace(target_here(settings.target, settings.lowered_for), blocks=blocks),
            seed=seed,
            dims=dict(settings.dims),
            values={
                key: text
                for key, text in sorted(settings.values.items())
                if key in COMMON_DIMENSIONS and VALUE_TEXT.fullmatch(text)
            },
            batch=settings.batch or 0,
            passes=tuple(map(pass_digest, settings.passes)),
            weights=merged_weights(benchmarks),
            benchmarks=tuple(
                replace(built.benchmark, reference=outputs.digests, reference_note=outputs.note)
                if (outputs := (references or {}).get(built.benchmark.fingerprint))
                else built.benchmark
                for built in benchmarks
            ),
            generator_version=__version__,
            digest="",
        )
    )


def target_here(name: str, lowered_for: tuple[str, ...] = ()) -> Target:
    """Return the target ``name`` with this machine's runtime, and with ``lowered_for`` or this machine's processor.

    Raises ``HarnessError`` for an unusable runtime.
    """
    if name == PORTABLE:
        return Target(name=name, runtime="", instruction_set=())
    made_for = this_machine(name)
    return Target(name=name, runtime=made_for.runtime, instruction_set=lowered_for or made_for.instruction_set)


_ROLES = {
    "sequence": "A layer sequence of a neural network",
    "anchor": "An anchor, a reference benchmark, which tells how fast the machine is at the moment",
    "overhead": "An empty network, which tells what a call costs",
    "nodes": "A chain of empty layers, which tells what a layer costs",
    "network": "A small public network, which tells how far sums of layer times are off",
    "curve": "A matrix product and buffers, which tell how quickly memory leaves the caches",
}
# The fields that each kind of generator uses (``harness.values.fill``).
_GENERATOR_FIELDS = {
    **dict.fromkeys(("uniform", "integers"), ("low", "high")),
    **dict.fromkeys(("spaced", "bool"), ("density",)),
    "literal": ("values",),
}
# These characters cannot end a comment, a docstring or a cell of a Markdown table.
_PLAIN = re.compile(r"[A-Za-z0-9_.,:+ -]*")


def templates_root() -> Path:
    """Return the folder of templates: inside the package if it is installed, beside it in a checkout."""
    package = Path(__file__).parents[1]
    packaged = package / "_templates"
    return packaged if packaged.is_dir() else package.parent / "templates"


def benchmark_path(benchmark: Benchmark) -> str:
    """Return the path of a benchmark's script in the suite, as in ``benchmarks/Conv_Relu_0123456789ab.py``."""
    return f"benchmarks/{benchmark.name}_{benchmark.fingerprint[:12]}.py"


def _render(template: str, **values: Any) -> str:
    return _environment().get_template(template).render(**values)


def render_readme(suite: Suite) -> str:
    """Return the text of ``README.md``: how to run a suite, and which file to send back."""
    sequences = sum(benchmark.role == "sequence" for benchmark in suite.benchmarks)
    weights = format_bytes(sum(blob.nbytes for blob in suite.weights))
    counts = {"benchmarks": len(suite.benchmarks), "sequences": sequences}
    return _render("suite_readme.md.j2", suite=suite, weights=weights, **counts)


def render_audit(suite: Suite, files: Mapping[str, bytes]) -> str:
    """Return the text of ``AUDIT.md``: what the suite does on a machine.

    ``files`` has all other files of the suite, by path.
    """
    sources = {
        path: data.decode() for path, data in files.items() if path.startswith("harness/") and path[-3:] == ".py"
    }
    nbytes = sum(1.5 * benchmark.weight_bytes + 2 * benchmark.activation_bytes for benchmark in suite.benchmarks)
    return _render(
        "audit.md.j2",
        suite=suite,
        benchmarks=len(suite.benchmarks),
        manifest_lines=len(files[MANIFEST].splitlines()),
        runner_lines=len(files["run.py"].splitlines()),
        modules=[(path, len(text.splitlines()), purpose_of(text)) for path, text in sources.items()],
        networks=format_bytes(sum(len(files[benchmark.network]) for benchmark in suite.benchmarks)),
        loaded=format_bytes(nbytes),
        weights=format_bytes(sum(blob.nbytes for blob in suite.weights)),
    )


@functools.cache
def purpose_of(source: str) -> str:
    """Return the first paragraph of a module's docstring."""
    text = (ast.get_docstring(ast.parse(source)) or "").partition("\n\n")[0]
    return " ".join(text.split()).removesuffix(".")


def render_runner(suite: Suite) -> str:
    """Return the source of a suite's ``run.py``."""
    return _render("run.py.j2", suite=suite)


def render_benchmark(suite: Suite, benchmark: Benchmark, network: bytes) -> str:
    """Return the source of the script for one benchmark; ``network`` is its serialised network."""
    return _render(
        "benchmark.py.j2",
        suite=suite,
        benchmark=benchmark,
        role=_ROLES.get(benchmark.role, benchmark.role),
        operators=", ".join(benchmark.operators),
        target=dataclasses.asdict(suite.target) | ({"blocks": (benchmark.block,)} if benchmark.block else {}),
        inputs=[_contract(tensor) for tensor in benchmark.inputs],
        outputs=[_contract(tensor) for tensor in benchmark.outputs],
        weights=[
            {"file": blob.file, "dtype": blob.dtype, "nbytes": blob.nbytes, "generator": _generator(blob.generator)}
            for blob in suite.weights
            if blob.file.encode() in network
        ],
    )


def _contract(tensor: TensorContract) -> dict[str, Any]:
    contract: dict[str, Any] = {"name": tensor.name, "dtype": tensor.dtype, "shape": list(tensor.shape)}
    return contract if tensor.generator is None else {**contract, "generator": _generator(tensor.generator)}


def _generator(generator: Generator) -> dict[str, Any]:
    names = _GENERATOR_FIELDS[generator.kind]
    return {"kind": generator.kind, **{name: getattr(generator, name) for name in names}}


def render_file(template: Path, **values: Any) -> str:
    """Return the text of a plug-in's template, filled with ``values``."""
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


# Format a value as Python source: strings, numbers, and lists and dicts of these.
def _literal(value: object) -> str:
    if isinstance(value, str):
        return '"' + repr(value)[1:-1].replace('"', '\\"') + '"'
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_literal, value))}]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_literal(key)}: {_literal(entry)}" for key, entry in value.items()) + "}"
    raise TypeError(type(value))


# Check that a trusted sentence, which may contain code in backticks, fits into a table cell.
def _words(text: str) -> str:
    if "|" in text or "\n" in text:
        message = f"{text!r} contains a line break or '|': a table cell cannot hold it"
        raise ValueError(message)
    return text.replace("``", "`")


def _grouped(number: int | None) -> str:
    return "an unknown number of" if number is None else f"{number:,}"


# Format name, type and shape, as in ``x0: float32 1x64x56x56``.
def _tensor(tensor: TensorContract) -> str:
    return f"{tensor.name}: {tensor.dtype} {'x'.join(map(str, tensor.shape)) or 'scalar'}"


# Check that a value has no characters with a special meaning in a comment, a docstring or Markdown.
def _plain(value: str | int) -> str:
    text = str(value)
    if _PLAIN.fullmatch(text) is None:
        message = f"not plain: {text!r} has characters other than A-Z a-z 0-9 _ . , : + - and blanks"
        raise ValueError(message)
    return text
