"""What a finer grid tells and what it gives: ``python benchmarks/grids.py NETWORK... -o FILE.csv``.

Each network, of sizes that are not on a grid, is planned with each ``dlbricks grid --steps``. The grid is
measured here and the network estimated from that alone; all its own sequences are measured, too, for comparison.
"""

import argparse
import csv
import json
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from dlbricks.model.read.network import read_model
from dlbricks.plugins.privacy.grid_networks import LEAST, STEPS, Grid

FIELDS = (
    "network",
    "steps",
    "candidates",
    "fewest",
    "sequences",
    "low_ns",
    "total_ns",
    "high_ns",
    "exact_ns",
    "missing",
)
"""``candidates``: multiples of 8 in the cell of a size, the geometric mean over its different sizes, and the fewest."""
_MULTIPLE = 8
TRIES = 3
"""To measure a suite: a store refuses a result of a disturbed machine."""


def dlbricks(*arguments: str) -> str:
    """Call the tool; give what it prints."""
    asked = [sys.executable, "-m", "dlbricks", *arguments]
    return subprocess.run(asked, check=True, stdout=subprocess.PIPE, text=True).stdout


def candidates(path: Path, grid: Grid) -> list[int]:
    """Give among how many multiples of 8 each size of a network lies that a grid hides."""
    model = read_model(path)
    held = [constant.spec.shape for constant in model.constants.values()]
    held = [shape[:2] if len(shape) == 4 else shape for shape in held]
    given = [model.spec(name).shape for name in model.inputs]
    sizes = {size for shape in (*held, *given) for size in shape if size >= LEAST}
    return [
        max(1, (grid.above(size) - 1) // _MULTIPLE - (grid.below(size) - 1) // _MULTIPLE)
        for size in sizes
        if size % _MULTIPLE == 0
    ]


def measured(suite: Path, name: str, store: str, error: str) -> None:
    """Measure a suite as a system of a name of its own."""
    result = suite.with_suffix(".json")
    for tries_left in reversed(range(TRIES)):
        result.unlink(missing_ok=True)
        dlbricks("run", str(suite), "-o", str(result), "--name", name, "--target-error", error)
        try:
            dlbricks("submit", str(result), "--suite", str(suite), "--store", store)
        except subprocess.CalledProcessError:
            if not tries_left:
                raise
        else:
            return


def rows(path: Path, folder: Path, error: str) -> list[dict[str, object]]:
    """Measure the grids around a network; one row for each."""
    store, made = f"sqlite:///{folder}/store.sqlite", []
    split = ("-H", "1", "--store", store)
    dlbricks("generate", str(path), "-H", "1", "-o", str(folder / "exact"))
    measured(folder / "exact", "exact", store, error)
    estimate = ("estimate", str(path), *split, "--interpolate", "--allow-missing", "--json", "--system")
    (exact,) = json.loads(dlbricks(*estimate, "exact"))["networks"]
    for steps in STEPS:
        suite, name = folder / f"grid{steps}", f"grid{steps}"
        asked = ("grid", str(path), *split, "--system", "exact", "--steps", str(steps))
        planned = json.loads(dlbricks(*asked, "-o", str(suite), "--json"))
        measured(suite, name, store, error)
        (found,) = json.loads(dlbricks(*estimate, name))["networks"]
        cells = candidates(path, Grid(steps=steps))
        made.append(
            {
                "network": path.stem,
                "steps": steps,
                "candidates": f"{statistics.geometric_mean(cells):.2f}",
                "fewest": min(cells),
                "sequences": len(planned["plan"]["fingerprints"]),
                **{key: found[key] for key in ("low_ns", "total_ns", "high_ns")},
                "exact_ns": exact["total_ns"],
                "missing": sum(row["tier"] == "missing" for row in found["rows"]),
            }
        )
        print(made[-1], flush=True)
    return made


def main() -> None:
    """Write one row for each network and grid."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("networks", type=Path, nargs="+")
    parser.add_argument("--target-error", default="2%")
    parser.add_argument("-o", "--out", type=Path, required=True)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as place, given.out.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, FIELDS, lineterminator="\n")
        writer.writeheader()
        for network in given.networks:
            folder = Path(place) / network.stem
            folder.mkdir()
            try:
                writer.writerows(rows(network, folder, given.target_error))
            except subprocess.CalledProcessError as error:
                print(f"{network.stem}: {error}", file=sys.stderr)
            file.flush()


if __name__ == "__main__":
    main()
