"""The package as its users install it: wheel and source distribution, in an environment of their own."""

import importlib.util
import os
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path
from typing import NamedTuple

import pytest
import yaml

from dlbricks.version import __version__

ROOT = Path(__file__).parents[1]


class Release(NamedTuple):
    """Distributions, and an environment that holds the wheel with its extra ``cpu``."""

    wheel: Path
    source: Path
    program: Path
    folder: Path
    """An empty folder outside of the clone."""


def run(release: Release, *arguments: str) -> str:
    """Run the installed program outside of the clone; give what it prints."""
    environment = {name: text for name, text in os.environ.items() if name not in {"PYTHONPATH", "PYTHONHOME"}}
    environment |= {"COLUMNS": "120", "DLBRICKS_STORE": f"sqlite:///{release.folder / 'store.sqlite'}"}
    command = [str(release.program), *arguments]
    done = subprocess.run(
        command, cwd=release.folder, env=environment, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, f"{arguments}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Release:
    """Build both distributions, and install the wheel into a new environment."""
    folder = tmp_path_factory.mktemp("release")
    build = [sys.executable, "-m", "hatchling", "build", "-d", str(folder / "dist")]
    subprocess.run(build, cwd=ROOT, check=True)
    (wheel,), (source,) = folder.glob("dist/*.whl"), folder.glob("dist/*.tar.gz")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder / "venv"], check=True)
    programs = folder / "venv" / "bin"
    # pip of this environment: to install it anew takes 5 s
    pip = [sys.executable, "-m", "pip", "--python", str(programs / "python")]
    command = [*pip, "install", "--quiet", "--disable-pip-version-check", f"{wheel}[cpu]"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    if done.returncode:
        pytest.skip(f"pip cannot install the wheel's dependencies here: {done.stderr.strip().splitlines()[-1:]}")
    (folder / "empty").mkdir()
    return Release(wheel=wheel, source=source, program=programs / "dlbricks", folder=folder / "empty")


def test_both_distributions_have_every_file_of_the_package(release: Release) -> None:
    """Modules, templates, networks and the systems that ship are in the wheel; the source builds the same wheel."""
    ignored = {"__pycache__"}
    files = {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "dlbricks").rglob("*")
        if path.is_file() and not ignored & set(path.parts) and path.suffix != ".bin"
    }
    templates = {f"dlbricks/_templates/{path.name}" for path in (ROOT / "templates").iterdir()}
    names = set(zipfile.ZipFile(release.wheel).namelist())
    assert {name for name in names if ".dist-info/" not in name} == files | templates
    with tarfile.open(release.source) as archive:
        members = {member.name.split("/", 1)[1] for member in archive if member.isfile()}
    assert members >= files | {f"templates/{path.name}" for path in (ROOT / "templates").iterdir()}
    assert {"README.md", "LICENSE", "CHANGELOG.md", "pyproject.toml"} <= members


def test_links_of_the_readme_lead_somewhere_on_an_index(release: Release) -> None:
    """What an index shows has no link to a file beside it, and each address is one of a file of the repository."""
    with zipfile.ZipFile(release.wheel) as wheel:
        (name,) = (name for name in wheel.namelist() if name.endswith(".dist-info/METADATA"))
        shown = wheel.read(name).decode()
    links = re.findall(r"\]\(([^)\s]+)\)", shown)
    assert len(links) > 15
    for link in links:
        *_, file = re.split(r"^https://github\.com/\w+/dlbricks/(?:blob|raw)/main/", link)
        assert (ROOT / file.partition("#")[0]).is_file(), link


def test_the_installed_program_has_the_help_of_the_clone(release: Release) -> None:
    """Both list the same commands, those of plug-ins, too."""
    clone = release._replace(program=Path(sys.executable).parent / "dlbricks")
    assert run(release, "--help") == run(clone, "--help")
    assert __version__ in run(release, "--version")


def test_an_installation_takes_at_most_300_mb(release: Release) -> None:
    """With the extra ``cpu``, pip and compiled files included."""
    pip = importlib.util.find_spec("pip")
    assert pip is not None
    assert pip.origin is not None
    folders = (release.program.parents[1], Path(pip.origin).parent)
    paths = (path for folder in folders for path in folder.rglob("*"))
    files = [path for path in paths if path.is_file() and not path.is_symlink()]
    assert sum(path.stat().st_size for path in files) <= 300e6


def test_the_main_job_runs_outside_of_the_clone(release: Release) -> None:
    """The demo needs nothing but the wheel: networks and templates are in it; what its commands print is on stdout."""
    text = run(release, "demo", "--smoke")
    commands = re.findall(r"^\$ dlbricks (\w+)", text, re.MULTILINE)
    assert commands == ["inspect", "generate", "run", "check", "submit", "systems", "estimate", "whatif", "validate"]
    assert all(printed.count("\n") > 1 for printed in text.split("\n$ dlbricks ")[1:])
    assert (release.folder / "demo" / "validate.json").exists()


def test_systems_that_ship_answer_outside_of_the_clone(release: Release) -> None:
    """A network of the wheel is estimated on all of them at once."""
    (network,) = release.program.parents[1].glob("lib/*/site-packages/dlbricks/validate/networks/tv_squeezenet1_1.onnx")
    text = run(release, "estimate", str(network))
    assert "intel-xeon-amx" in text
    assert "calls per second" in text


def test_workflows_call_what_is_there() -> None:
    """Targets of make that workflow files run are in the Makefile, and the action uses each of its inputs."""
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    steps = []
    for path in (ROOT / ".github" / "workflows").glob("*.yml"):
        for job in yaml.safe_load(path.read_text(encoding="utf-8"))["jobs"].values():
            steps += [step["run"] for step in job["steps"] if "run" in step]
    assert {step.removeprefix("make ") for step in steps if step.startswith("make ")} <= targets
    assert ".ci/run" in steps
    action = yaml.safe_load((ROOT / ".github" / "actions" / "compare" / "action.yml").read_text(encoding="utf-8"))
    text = " ".join(step["run"] for step in action["runs"]["steps"])
    assert "dlbricks compare" in text
    used = {name for step in action["runs"]["steps"] for name in re.findall(r"inputs\.([a-z-]+)", str(step["env"]))}
    assert used == set(action["inputs"])


def test_the_owner_is_named_in_one_form() -> None:
    """The metadata has one author field and addresses of one repository."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    (author,) = project["authors"]
    assert {address.split("/")[3] for address in project["urls"].values()} == {author["name"]}
