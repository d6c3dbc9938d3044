"""Assembling of suites from benchmarks, and writing them as folders; ``rendering`` makes their texts."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from dlbricks import __version__
from dlbricks.errors import InputError
from dlbricks.files import refuse_unwritable_folder, writing
from dlbricks.harness.runtimes import RUNTIMES, USUAL
from dlbricks.model.lowering.saved import made_here
from dlbricks.model.lowering.targets import target_of
from dlbricks.settings import PORTABLE, SplitSettings
from dlbricks.suite.benchmarks import BuiltBenchmark
from dlbricks.suite.manifest import MANIFEST, SUITE_FORMAT, Suite, Target, render_manifest, with_digest
from dlbricks.suite.references import Reference, merged_weights
from dlbricks.suite.rendering import benchmark_path, render_audit, render_benchmark, render_readme, render_runner
from dlbricks.typed_json import parse_object


def suite_files(suite: Suite, networks: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return all files of a suite by path, in a fixed order.

    Args:
        suite: the suite, with its digest.
        networks: serialised networks by fingerprint, one for each benchmark.
    """
    files = {
        MANIFEST: render_manifest(suite).encode(),
        "README.md": render_readme(suite).encode(),
        "run.py": render_runner(suite).encode(),
    }
    own = suite.target.name
    files |= harness_files(RUNTIMES if own == PORTABLE else {target_of(own).runtime})
    for benchmark in suite.benchmarks:
        files[benchmark.network] = networks[benchmark.fingerprint]
        files[benchmark_path(benchmark)] = render_benchmark(suite, benchmark, networks[benchmark.fingerprint]).encode()
    return {"AUDIT.md": render_audit(suite, files).encode(), **files}


def harness_files(runtimes: Collection[str] = RUNTIMES) -> dict[str, bytes]:
    """Return the files of the harness by path, sorted; of the runtimes those that are named, and onnxruntime."""
    root = Path(__file__).parents[1]
    paths = [path for suffix in ("py", "onnx") for path in (root / "harness").rglob(f"*.{suffix}")]
    others = {root / "harness" / "runtimes" / f"{name}.py" for name in set(RUNTIMES) - {USUAL, *runtimes}}
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in sorted(set(paths) - others)}


def file_beside_harness(module: Path) -> dict[str, bytes]:
    """Return a plug-in's module, which imports the harness, by its path beside a copy of the harness."""
    return {module.name: module.read_bytes().replace(b"from dlbricks.harness", b"from harness")}


def write_suite(folder: Path, suite: Suite, networks: Mapping[str, bytes]) -> None:
    """Write the folder of a suite; an existing suite or an empty folder is replaced.

    Args:
        folder: of the suite; parents are created.
        suite: the suite, with its digest.
        networks: serialised networks by fingerprint.

    Raises:
        InputError: the path exists and is not a suite, or cannot be written.
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
    """Check that writing a suite to ``folder`` replaces nothing but a suite.

    Raises:
        InputError: the path exists and is not a suite.
    """
    if not folder.exists():
        refuse_unwritable_folder(folder)
    try:
        if not folder.exists() or (folder.is_dir() and not any(folder.iterdir())):
            return
        old = parse_object((folder / MANIFEST).read_text(encoding="utf-8"), MANIFEST)
    except (OSError, UnicodeDecodeError, InputError):
        old = {}
    if old.get("format") != SUITE_FORMAT:
        raise InputError(f"{folder} exists and is not a dlbricks suite: choose another place or remove it")


_NO_REFERENCE = Reference(digests=None, note="made to be measured at once")


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteHead:
    """Properties of a suite besides its benchmarks."""

    name: str
    settings: SplitSettings
    """Of the split, with the extents and the batch size that may be disclosed only."""
    seed: int = 0


def merge_benchmarks(benchmarks: Iterable[BuiltBenchmark]) -> tuple[BuiltBenchmark, ...]:
    """Return unique benchmarks with the maximum importance over the networks, sorted by fingerprint.

    If benchmarks of one fingerprint differ, the choice does not depend on their order.
    """
    unique: dict[str, BuiltBenchmark] = {}
    importance: dict[str, float] = {}
    for built in benchmarks:
        fingerprint = built.benchmark.fingerprint
        importance[fingerprint] = max(built.benchmark.importance, importance.get(fingerprint, 0.0))
        other = unique.get(fingerprint)
        if other is None or _rank(built) < _rank(other):
            unique[fingerprint] = built
    return tuple(_as_important(unique[fingerprint], importance[fingerprint]) for fingerprint in sorted(unique))


def _as_important(built: BuiltBenchmark, importance: float) -> BuiltBenchmark:
    return replace(built, benchmark=replace(built.benchmark, importance=importance))


def _rank(built: BuiltBenchmark) -> tuple[str, int, str]:
    return built.benchmark.digest, built.benchmark.layers, repr(_as_important(built, 1.0).benchmark)


def assemble(
    head: SuiteHead, benchmarks: Sequence[BuiltBenchmark], references: Mapping[str, Reference] | None = None
) -> Suite:
    """Assemble a suite from benchmarks and references.

    Args:
        head: name, seed and split settings.
        benchmarks: in the order of the suite, with unique fingerprints.
        references: one for each benchmark, by fingerprint; None for a temporary suite.

    Raises:
        HarnessError: the provider of the target is missing or does not work.
    """
    if references is None:
        references = dict.fromkeys((built.benchmark.fingerprint for built in benchmarks), _NO_REFERENCE)
    return with_digest(
        Suite(
            name=head.name,
            granularity=head.settings.granularity,
            splitter=head.settings.splitter,
            target=target_here(head.settings.target),
            seed=head.seed,
            dims=dict(head.settings.dims),
            batch=head.settings.batch or 0,
            weights=merged_weights(benchmarks),
            benchmarks=tuple(
                replace(
                    built.benchmark,
                    reference=references[built.benchmark.fingerprint].digests,
                    reference_note=references[built.benchmark.fingerprint].note,
                )
                for built in benchmarks
            ),
            generator_version=__version__,
            digest="",
        )
    )


def target_here(name: str) -> Target:
    """Return a target with this machine's runtime and instruction set.

    Raises:
        HarnessError: its provider is missing or does not work.
    """
    if name == PORTABLE:
        return Target(name=name, runtime="", instruction_set=())
    made_for = made_here(name)
    return Target(name=name, runtime=made_for.runtime, instruction_set=made_for.instruction_set)
