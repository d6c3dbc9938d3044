"""Commands and Python of README and guides run as printed, in order, in a folder of their own."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
GUIDES = ("README.md", "docs/vendor.md", "docs/owner.md")


def blocks(page: str, language: str) -> list[str]:
    """Give the blocks of a language on a page."""
    return re.findall(
        rf"^```{language}\n(.*?)^```", (ROOT / page).read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
    )


def test_links_lead_somewhere() -> None:
    """Every relative link of every page names a file that is there."""
    for page in [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("suites/*.md")]:
        for target in re.findall(r"\]\(([^)#\s]+)", page.read_text(encoding="utf-8")):
            assert "://" in target or (page.parent / target).exists(), f"{page.name}: {target}"


@pytest.mark.parametrize("page", GUIDES)
def test_what_a_guide_prints_runs(page: str, tmp_path: Path) -> None:
    """Every shell block of a guide ends with exit code 0, then every Python block, in a fresh folder."""
    shutil.copytree(ROOT / "suites" / "smoke", tmp_path / "suites" / "smoke", ignore=shutil.ignore_patterns("weights"))
    (tmp_path / "suites" / "networks").symlink_to(ROOT / "suites" / "networks")
    scripts = Path(sys.executable).parent
    environment = os.environ | {
        "PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}",
        "DLBRICKS_STORE": f"sqlite:///{tmp_path / 'store.sqlite'}",
    }
    found = [("sh", "-e", "-c", text) for text in blocks(page, "sh")]
    found += [(sys.executable, "-Werror", "-c", text) for text in blocks(page, "python")]
    assert found
    for command in found:
        made = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
        assert made.returncode == 0, f"{command[-1]}\n{made.stderr[-2000:]}"
