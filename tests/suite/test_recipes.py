"""Recipes: what they say, and that the published suites are what they give."""

import re
import shutil
from pathlib import Path

import pytest

from dlbricks.errors import InputError
from dlbricks.suite.benchmarks import anchors
from dlbricks.suite.manifest import read_suite, unpacked_suite
from dlbricks.suite.writing import harness_files
from suites.recipes.build import build, known_references, main, published, read_recipe, smallest_of_each_name
from tests.suite.suite_samples import NETWORKS, ROOT, SMOKE

RECIPES = ROOT / "suites" / "recipes"


def data_of(folder: Path) -> dict[str, bytes]:
    """The manifest and every network of a suite."""
    paths = [folder / "suite.json", *(folder / "networks").iterdir()]
    return {path.name: path.read_bytes() for path in paths}


def test_the_published_smoke_suite_is_what_its_recipe_gives(tmp_path: Path) -> None:
    """Rebuilding gives the same bytes; references stay as published where this machine agrees with them."""
    shutil.copytree(SMOKE, tmp_path / "smoke", ignore=shutil.ignore_patterns("weights", "__pycache__"))
    build(RECIPES / "smoke.toml", tmp_path / "smoke")
    assert data_of(tmp_path / "smoke") == data_of(SMOKE)
    assert {path: (tmp_path / "smoke" / path).read_bytes() for path in harness_files()} == harness_files()


@pytest.mark.parametrize("name", ["smoke", "vision-h4", "language-h4"])
def test_published_suites_are_intact(name: str) -> None:
    """Every published suite reads, has a reference for each benchmark, and holds neither weights nor the harness."""
    with unpacked_suite(published(RECIPES / f"{name}.toml")) as folder:
        suite = read_suite(folder)
        assert suite.name == name
        assert all(benchmark.reference for benchmark in suite.benchmarks)
        assert name == "smoke" or {path.name for path in folder.iterdir()} == {"suite.json", "networks"}
        assert sum(path.stat().st_size for path in (folder / "networks").iterdir()) < 8_000_000


def test_every_network_of_a_recipe_exists() -> None:
    """Patterns of recipes match something, and each published network is in a recipe."""
    used: set[Path] = set()
    for path in RECIPES.glob("*.toml"):
        for pattern in read_recipe(path).networks:
            matches = {found.resolve() for found in Path(pattern).parent.glob(Path(pattern).name)}
            assert matches, f"{path.name}: {pattern}"
            used |= matches
    assert used == {path.resolve() for path in NETWORKS.glob("*.onnx")}


def test_the_smallest_of_each_name_is_kept() -> None:
    """One benchmark for each name, the one with the fewest bytes, whatever their order; sorted by fingerprint."""
    benchmarks = list(anchors())
    twice = [*benchmarks, *reversed(benchmarks)]
    assert smallest_of_each_name(twice) == sorted(benchmarks, key=lambda built: built.benchmark.fingerprint)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (("granularity =", "size ="), "'granularity' is missing|unknown field size"),
        (('"2"', "2"), "granularity is 2, expected str"),
        (('"2"', '"0"'), "granularity is '0', expected str matching"),
        (("seed = 0", "seed ="), "not TOML"),
    ],
)
def test_a_broken_recipe_is_refused_in_one_line(tmp_path: Path, change: tuple[str, str], reason: str) -> None:
    """Unknown, missing and malformed fields are named."""
    text = (RECIPES / "smoke.toml").read_text(encoding="utf-8").replace(*change)
    (tmp_path / "broken.toml").write_text(text)
    with pytest.raises(InputError, match=reason):
        read_recipe(tmp_path / "broken.toml")


def test_a_recipe_has_extents_of_its_networks_only(tmp_path: Path) -> None:
    """A dimension that none has is refused before anything is written."""
    text = (RECIPES / "smoke.toml").read_text(encoding="utf-8").replace("[dims]", "[dims]\nsequ = 4")
    (tmp_path / "recipe.toml").write_text(text.replace("../networks", str(NETWORKS)))
    with pytest.raises(InputError, match=r"--dim sequ=4: none of \d+ networks has a dimension 'sequ'"):
        build(tmp_path / "recipe.toml", tmp_path / "suite")
    assert not (tmp_path / "suite").exists()


def test_the_command_builds_beside_the_recipes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The suite lands beside the recipe's folder; nothing is taken from older versions; packing is reproducible."""
    recipes = tmp_path / "recipes"
    recipes.mkdir()
    text = (RECIPES / "smoke.toml").read_text(encoding="utf-8")
    head, _, tail = text.partition("networks = [")
    network = f'networks = ["{NETWORKS / "misc_lstm_lm.onnx"}"]'
    (recipes / "one.toml").write_text(head + network + tail.partition("]")[2])
    assert main(["--jobs", "1", str(recipes / "one.toml")]) == 0
    assert read_suite(tmp_path / "one").name == "one"
    assert known_references(tmp_path / "one")
    manifest = tmp_path / "one" / "suite.json"
    manifest.write_text(re.sub('"schema_version": [0-9]+', '"schema_version": 1', manifest.read_text()))
    assert known_references(tmp_path / "one") == {}
    assert "one: " in capsys.readouterr().out
    (recipes / "two.toml").write_text((recipes / "one.toml").read_text().replace("packed = false", "packed = true"))
    made = []
    for _ in range(2):
        assert main(["--jobs", "1", str(recipes / "two.toml")]) == 0
        made.append((tmp_path / "two.tar.xz").read_bytes())
    assert made[0] == made[1]
    assert known_references(tmp_path / "two.tar.xz")
    assert main([str(recipes / "none.toml")]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
