"""Rebuild the published suites: ``python suites/recipes/build.py [--jobs N] [RECIPE.toml ...]``.

A recipe is a TOML file with the networks and options of a suite. The suite is written beside the folder of the recipes
under the name of its recipe, as a folder or packed; without names of recipes only the folders are written. References
of the existing suite are reused if this machine's outputs agree with them, so that machines with different rounding
give the same data (``suite.json`` and networks).
"""

import argparse
import shutil
import sys
import tempfile
import tomllib
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct, structs

from dlbricks.errors import DlbricksError, InputError
from dlbricks.files import read_text, writing
from dlbricks.model.read.dimensions import check_given
from dlbricks.model.read.network import find_networks
from dlbricks.settings import SplitSettings, SuiteOptions
from dlbricks.suite.benchmarks import BuiltBenchmark
from dlbricks.suite.generate import generate
from dlbricks.suite.manifest import (
    MANIFEST,
    OLDEST_SUITE,
    Benchmark,
    GranularityText,
    Suite,
    pack,
    read_suite,
    unpacked_suite,
)
from dlbricks.suite.writing import refuse_to_replace
from dlbricks.typed_json import checked, parse_object


class Recipe(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The content of a recipe; the suite has the name of its file."""

    networks: tuple[str, ...]
    """Files or patterns, relative to the recipe."""
    granularity: GranularityText
    splitter: str
    target: str
    dims: dict[str, int]
    pairs: bool
    """Whether it has unions of adjacent sequences."""
    seed: int
    one_per_name: bool
    """Whether only the smallest benchmark of each name is included."""
    packed: bool
    """Whether the suite is a packed file instead of a folder."""

    @property
    def settings(self) -> SplitSettings:
        """Settings of the split."""
        return SplitSettings(granularity=self.granularity, target=self.target, splitter=self.splitter, dims=self.dims)


def read_recipe(path: Path) -> Recipe:
    """Read a recipe; the paths of its networks are resolved relative to its folder.

    Raises:
        InputError: it cannot be read, or has a field that is unknown, missing or of a wrong type.
    """
    try:
        recipe = checked(Recipe, tomllib.loads(read_text(path, what="recipe")), f"recipe {path}")
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"recipe {path} is not TOML: {error}") from error
    return structs.replace(recipe, networks=tuple(str(path.parent / pattern) for pattern in recipe.networks))


def build(path: Path, out: Path, *, jobs: int = 1) -> Suite:
    """Generate the suite of a recipe.

    Args:
        path: of the recipe.
        out: the suite's folder or packed file; references of an existing suite are reused.
        jobs: number of worker processes.

    Raises:
        InputError: the recipe, a network or the folder cannot be used.
    """
    recipe = read_recipe(path)
    check_given(find_networks(recipe.networks), recipe.dims)
    with tempfile.TemporaryDirectory(prefix="dlbricks-") as scratch:
        folder = new = Path(scratch) / path.stem
        suite, _ = generate(
            recipe.networks,
            recipe.settings,
            SuiteOptions(name=path.stem, seed=recipe.seed, pairs=recipe.pairs, jobs=jobs),
            out=folder,
            choose=smallest_of_each_name if recipe.one_per_name else None,
            earlier=known_references(out),
        )
        if recipe.packed:
            # the harness changes with every release, the data does not: ``dlbricks run`` has a harness of its own
            for place in folder.iterdir():
                if place.name not in {MANIFEST, "networks"}:
                    shutil.rmtree(place) if place.is_dir() else place.unlink()
            new = Path(scratch) / "packed" / out.name
            pack(folder, new)
        else:
            refuse_to_replace(out)
        with writing(out) as place:
            (shutil.copytree if new.is_dir() else shutil.copyfile)(new, place)
    return suite


def known_references(place: Path) -> dict[str, Benchmark]:
    """Return the benchmarks of an existing suite by fingerprint; empty without a suite, or of one that is too old.

    Args:
        place: a suite's folder or packed file.

    Raises:
        InputError: the suite was changed.
    """
    if not place.exists():
        return {}
    with unpacked_suite(place) as folder:
        manifest = folder / MANIFEST
        document = parse_object(read_text(manifest, what="suite"), str(manifest))
        if document.get("schema_version", 0) < OLDEST_SUITE:
            return {}
        return {benchmark.fingerprint: benchmark for benchmark in read_suite(folder).benchmarks}


def published(path: Path) -> Path:
    """Return the path of a recipe's suite: a folder or packed file beside the recipe's folder."""
    return path.resolve().parents[1] / (path.stem + (".tar.xz" if read_recipe(path).packed else ""))


def smallest_of_each_name(benchmarks: Sequence[BuiltBenchmark]) -> list[BuiltBenchmark]:
    """Return the benchmark with the least bytes of weights, inputs and outputs for each name."""
    kept: dict[str, BuiltBenchmark] = {}
    for built in sorted(benchmarks, key=_size):
        kept.setdefault(built.benchmark.name, built)
    return sorted(kept.values(), key=lambda built: built.benchmark.fingerprint)


def _size(built: BuiltBenchmark) -> tuple[int, str]:
    return built.benchmark.weight_bytes + built.benchmark.activation_bytes, built.benchmark.fingerprint


def main(arguments: Sequence[str] | None = None) -> int:
    """Rebuild the suites of the named recipes, or of all that are folders."""
    parser = argparse.ArgumentParser(description="Rebuild published suites.")
    parser.add_argument("recipes", nargs="*", type=Path, help="recipes; by default those of folders")
    parser.add_argument("--jobs", type=int, default=2, help="processes (2)")
    options = parser.parse_args(arguments)
    folders = (path for path in sorted(Path(__file__).parent.glob("*.toml")) if not read_recipe(path).packed)
    try:
        for path in options.recipes or folders:
            suite = build(path, published(path), jobs=options.jobs)
            print(f"{suite.name}: {len(suite.benchmarks)} benchmarks, digest {suite.digest}")
    except DlbricksError as error:
        print(error, file=sys.stderr)
        return error.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main())
