"""How large dlbricks is: modules and lines of each package, files and bytes of the tree, modules that two tasks import.

``python benchmarks/size.py [CHECKOUT...]`` prints one Markdown table with a column for each checkout.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

COUNT = """
import atexit, runpy, sys
top, *sys.argv = sys.argv[1:]
atexit.register(lambda: print("modules", sum(name.split(".")[0] == top for name in sys.modules)))
if top == "harness":
    runpy.run_path(sys.argv[0], run_name="__main__")
else:
    from dlbricks.cli.app import main
    main(sys.argv[1:])
"""
"""Runs a benchmark's file, or a command, and says at the end how many modules of a package were imported."""


def main(folders: list[str]) -> None:
    """Print the table."""
    columns = [figures(Path(folder).resolve()) for folder in folders]
    names = list(dict.fromkeys(name for column in columns for name in column))
    print(f"| | {' | '.join(folders)} |\n| --- |{' ---: |' * len(folders)}")
    for name in names:
        print(f"| {name} | {' | '.join(column.get(name, '') for column in columns)} |")


def figures(root: Path) -> dict[str, str]:
    """Give the figures of a checkout by name."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=root, capture_output=True, text=True, check=True).stdout
    files = [root / name for name in listed.split("\0") if name and (root / name).exists()]
    python = [file for file in files if file.suffix == ".py"]
    own = [file for file in python if (root / "dlbricks") in file.parents]
    found = {"modules, lines of dlbricks": _size(own)}
    for package in sorted({file.relative_to(root).parts[1] for file in own if len(file.relative_to(root).parts) > 2}):
        found[f"{package}"] = _size([file for file in own if file.relative_to(root).parts[1] == package])
    found["modules, lines of tests"] = _size([file for file in python if root / "tests" in file.parents])
    found["files of the tree"] = f"{len(files):,}"
    found["MB of the tree"] = f"{sum(file.stat().st_size for file in files) / 1e6:.1f}"
    found["modules that one benchmark imports"] = _imported_by_a_benchmark(root)
    found["modules that `dlbricks estimate` imports"] = _imported_by_estimate(root)
    return found


def _size(files: list[Path]) -> str:
    lines = sum(len(file.read_text(encoding="utf-8").splitlines()) for file in files)
    return f"{len(files):,} / {lines:,}"


def _imported_by_a_benchmark(root: Path) -> str:
    with tempfile.TemporaryDirectory() as folder:
        recipe = f"{folder}/recipes/smoke.toml"
        shutil.copytree(root / "suites" / "recipes", f"{folder}/recipes")
        shutil.copytree(root / "suites" / "networks", f"{folder}/networks")
        command = [sys.executable, "-m", "dlbricks.suite.recipes", recipe]
        subprocess.run(command, env=_environment(root), cwd=root, capture_output=True, check=True)
        file = min(Path(folder, "smoke", "benchmarks").glob("[A-Z]*.py"))
        return _told(root, "harness", str(file), "--json")


def _imported_by_estimate(root: Path) -> str:
    network = str(root / "suites" / "networks" / "tv_squeezenet1_1.onnx")
    with tempfile.TemporaryDirectory() as folder:
        store = f"sqlite:///{folder}/store.sqlite"
        for arguments in (
            ["generate", network, "-o", f"{folder}/suite"],
            ["run", f"{folder}/suite", "-o", f"{folder}/result.json", "--name", "here", "--smoke"],
            ["submit", f"{folder}/result.json", "--store", store, "--suite", f"{folder}/suite"],
        ):
            command = [sys.executable, "-m", "dlbricks", *arguments]
            subprocess.run(command, env=_environment(root), capture_output=True, check=True)
        return _told(root, "dlbricks", "dlbricks", "estimate", network, "--system", "here", "--store", store)


def _told(root: Path, *arguments: str) -> str:
    command = [sys.executable, "-c", COUNT, *arguments]
    made = subprocess.run(command, env=_environment(root), cwd=root, capture_output=True, text=True, check=False)
    counts = [line.split()[1] for line in made.stdout.splitlines() if line.startswith("modules ")]
    return counts[-1] if counts else f"failed: {made.stderr.strip().splitlines()[-1]}"


def _environment(root: Path) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(root)}


if __name__ == "__main__":
    main(sys.argv[1:] or ["."])
