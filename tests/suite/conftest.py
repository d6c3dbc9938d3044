"""An interpreter that has numpy and onnxruntime and nothing else."""

import importlib.metadata
import subprocess
import sys
import venv
from pathlib import Path

import pytest
from packaging.requirements import Requirement


def _with_requirements(name: str) -> set[str]:
    """A distribution and all that it requires, installed here."""
    wanted, found = [name], set[str]()
    while wanted:
        current = wanted.pop()
        if current not in found:
            found.add(current)
            required = [Requirement(text) for text in importlib.metadata.requires(current) or ()]
            wanted += [one.name for one in required if one.marker is None or one.marker.evaluate({"extra": ""})]
    return found


@pytest.fixture(scope="session")
def bare_python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A real environment that sees numpy, onnxruntime and what these require, but neither dlbricks nor onnx."""
    folder = tmp_path_factory.mktemp("bare")
    venv.create(folder, with_pip=False, symlinks=True)
    python = folder / "bin" / "python"
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    packages = folder / "lib" / version / "site-packages"
    for name in sorted(_with_requirements("numpy") | _with_requirements("onnxruntime")):
        home = Path(str(importlib.metadata.distribution(name).locate_file("")))
        for top in {file.parts[0] for file in importlib.metadata.files(name) or ()} - {"..", "__pycache__"}:
            if not (packages / top).exists():
                (packages / top).symlink_to(home / top)
    probe = "import importlib.util as u, sys; sys.exit(any(u.find_spec(n) for n in ('dlbricks', 'onnx', 'jinja2')))"
    subprocess.run([python, "-I", "-c", probe], check=True)
    subprocess.run([python, "-I", "-c", "import numpy, onnxruntime"], check=True)
    return python
