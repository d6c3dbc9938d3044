"""Rebuilding the published suites: ``python -m dlbricks.suite.recipes [--jobs N] [RECIPE.toml ...]``.

A recipe says in TOML which networks a suite is made of and how. The suite lands beside the folder of the recipes, under
the recipe's name. References are taken over from the suite that lies there where this machine agrees with them, so a
rebuild gives the same bytes on machines whose last digits differ.
"""

import argparse
import dataclasses
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path

import dlbricks
from dlbricks.errors import DlbricksError, InputError
from dlbricks.files import read_text
from dlbricks.sequences.types import Granularity
from dlbricks.suite.benchmarks import BuiltBenchmark
from dlbricks.suite.generate import Progress, generate, silent
from dlbricks.suite.manifest import MANIFEST, SUITE_SCHEMA_VERSION, Benchmark, Suite, parse_manifest
from dlbricks.suite.reading import read_suite


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """How a published suite is made."""

    name: str
    """Of the suite; the file stem."""
    networks: tuple[str, ...]
    """Files or patterns."""
    granularity: Granularity
    splitter: str
    target: str
    dims: tuple[tuple[str, int], ...]
    decoys: int
    pairs: bool
    """Whether unions of adjacent sequences are in it."""
    seed: int
    one_per_name: bool
    """Whether only the smallest benchmark of each readable name is kept."""


_FIELDS = {
    "networks": list,
    "granularity": str,
    "splitter": str,
    "target": str,
    "dims": dict,
    "decoys": int,
    "pairs": bool,
    "seed": int,
    "one_per_name": bool,
}


def read_recipe(path: Path) -> Recipe:
    """Read a recipe; its networks are relative to it.

    Raises:
        InputError: it cannot be read, or a field is unknown, missing or of a wrong type.
    """
    try:
        fields = tomllib.loads(read_text(path, what="recipe"))
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"recipe {path} is not TOML: {error}") from error
    for key in sorted(fields.keys() | _FIELDS.keys()):
        if key not in _FIELDS or not isinstance(fields.get(key), _FIELDS[key]):
            known = ", ".join(f"{name} ({kind.__name__})" for name, kind in _FIELDS.items())
            raise InputError(f"recipe {path}: '{key}' is missing, unknown or of a wrong type; the fields are {known}")
    return Recipe(
        name=path.stem,
        networks=tuple(str(path.parent / pattern) for pattern in fields["networks"]),
        granularity=Granularity.parse(fields["granularity"]),
        splitter=fields["splitter"],
        target=fields["target"],
        dims=tuple(sorted(fields["dims"].items())),
        decoys=fields["decoys"],
        pairs=fields["pairs"],
        seed=fields["seed"],
        one_per_name=fields["one_per_name"],
    )


def build(recipe: Recipe, out: Path, *, jobs: int = 1, progress: Progress = silent) -> Suite:
    """Make the suite of a recipe.

    Args:
        recipe: how.
        out: its folder; references are taken over from an older suite that lies there.
        jobs: processes.
        progress: told how far it is.

    Raises:
        InputError: a network or the folder cannot be used.
    """
    known = known_references(out)
    suite, _ = generate(
        recipe.networks,
        out=out,
        dims=dict(recipe.dims),
        granularity=recipe.granularity,
        splitter=recipe.splitter,
        target=recipe.target,
        decoys=recipe.decoys,
        pairs=recipe.pairs,
        jobs=jobs,
        seed=recipe.seed,
        name=recipe.name,
        choose=smallest_of_each_name if recipe.one_per_name else None,
        known=known,
        progress=progress,
    )
    return suite


def known_references(folder: Path) -> dict[str, Benchmark]:
    """Give the benchmarks of a published suite, by fingerprint; none if no suite of this schema version lies there.

    Raises:
        InputError: the suite that lies there was changed by hand.
    """
    manifest = folder / MANIFEST
    if not folder.exists():
        return {}
    document = parse_manifest(read_text(manifest, what="suite"), str(manifest))
    if document.get("schema_version") != SUITE_SCHEMA_VERSION:
        return {}
    return {benchmark.fingerprint: benchmark for benchmark in read_suite(folder).benchmarks}


def smallest_of_each_name(benchmarks: Sequence[BuiltBenchmark]) -> list[BuiltBenchmark]:
    """Keep, for each readable name, the benchmark with the fewest bytes of weights, inputs and outputs."""
    kept: dict[str, BuiltBenchmark] = {}
    for built in sorted(benchmarks, key=_size):
        kept.setdefault(built.benchmark.name, built)
    return sorted(kept.values(), key=lambda built: built.benchmark.fingerprint)


def _size(built: BuiltBenchmark) -> tuple[int, str]:
    return built.benchmark.weight_bytes + built.benchmark.activation_bytes, built.benchmark.fingerprint


def main(arguments: Sequence[str] | None = None) -> int:
    """Rebuild the suites of the recipes named, or of all."""
    folder = Path(dlbricks.__file__).parents[1] / "suites" / "recipes"
    parser = argparse.ArgumentParser(prog="python -m dlbricks.suite.recipes", description="Rebuild published suites.")
    parser.add_argument("recipes", nargs="*", type=Path, help="recipes; by default all of suites/recipes")
    parser.add_argument("--jobs", type=int, default=2, help="processes (2)")
    options = parser.parse_args(arguments)
    try:
        recipes = options.recipes or sorted(folder.glob("*.toml"))
        if not recipes:
            raise InputError(f"no recipes lie in {folder}: this needs a checkout, or name recipes")
        for path in recipes:
            suite = build(read_recipe(path), path.resolve().parents[1] / path.stem, jobs=options.jobs)
            sys.stdout.write(f"{suite.name}: {len(suite.benchmarks)} benchmarks, digest {suite.digest}\n")
    except DlbricksError as error:
        sys.stderr.write(f"{error}\n")
        return error.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main())
