"""Templates: golden text, plain values only, and the copy in the wheel."""

import ast
import re
import subprocess
import sys
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlbricks.harness.runtimes.onnxruntime import FIXED_OPTIONS
from dlbricks.plugins.repro.pieces import render_archive_main
from dlbricks.suite.manifest import Benchmark, Suite
from dlbricks.suite.writing import (
    render_audit,
    render_benchmark,
    render_readme,
    render_runner,
    templates_root,
)
from tests.suite.suite_samples import ROOT, small_suite

GOLDEN = ROOT / "tests" / "golden"
NETWORK = b"...weights.float32.u-16.bin..."
"""As much of a network as its script tells: which files of weights it reads."""


TEMPLATES = {
    path.name.removesuffix(".j2"): path
    for folder in (templates_root(), ROOT / "dlbricks" / "plugins" / "repro")
    for path in folder.glob("*.j2")
}


def fixed_suite() -> tuple[Suite, Benchmark]:
    """A suite that no release changes, and one of its benchmarks."""
    suite = replace(small_suite()[0], generator_version="1.2.3", digest="d" * 64)
    benchmark = replace(
        suite.benchmarks[1],
        role="sequence",
        name="Conv_Relu",
        fingerprint="0123456789abcdef" * 4,
        network=f"networks/{'0123456789abcdef' * 4}.onnx",
    )
    return replace(suite, benchmarks=(*suite.benchmarks, benchmark)), benchmark


def rendered() -> dict[str, str]:
    """What every template gives."""
    suite, benchmark = fixed_suite()
    module = b'"""Measures ``nothing``.\n\nMore on that.\n"""\n'
    files = {"suite.json": b"{}\n", "run.py": b"\n", "harness/run/cli.py": module, benchmark.network: b"onnx"}
    files |= {one.network: b"onnx" for one in suite.benchmarks}
    return {
        "suite_readme.md": render_readme(suite),
        "run.py": render_runner(suite),
        "benchmark.py": render_benchmark(suite, benchmark, NETWORK),
        "archive_main.py": render_archive_main(suite, benchmark),
        "audit.md": render_audit(suite, files),
    }


@pytest.mark.parametrize("name", sorted(rendered()))
def test_emitted_text_is_golden(name: str, rewrite_golden: bool) -> None:
    """Each template gives the golden file byte for byte, and what is Python compiles."""
    text = rendered()[name]
    if rewrite_golden:
        (GOLDEN / name).write_text(text)
    assert text == (GOLDEN / name).read_text(encoding="utf-8")
    if name.endswith(".py"):
        compile(text, name, "exec")


def test_every_template_has_a_golden_file() -> None:
    """No template of a suite escapes the golden test, and no golden file outlives its template."""
    assert set(rendered()) <= set(TEMPLATES)
    assert set(rendered()) <= {path.name for path in GOLDEN.iterdir()}


def test_rendering_is_a_function_of_suite_and_benchmark() -> None:
    """Rendering twice gives the same text, free of dates and of the place where it happens."""
    assert rendered() == rendered()
    for text in rendered().values():
        assert str(ROOT) not in text
        assert not re.search(r"\b20\d\d-\d\d", text)


@given(st.text(min_size=1, max_size=20))
def test_no_value_can_become_code(name: str) -> None:
    """A name is let through when it is plain, and refused otherwise; nothing is escaped into something else."""
    suite, benchmark = fixed_suite()
    if re.fullmatch(r"[A-Za-z0-9_.,:+ -]+", name):
        assert name in render_benchmark(suite, replace(benchmark, name=name), NETWORK)
    else:
        with pytest.raises(ValueError, match="not plain"):
            render_benchmark(suite, replace(benchmark, name=name), NETWORK)


def test_a_script_shows_the_options_that_sessions_have() -> None:
    """What a benchmark's file says of its session is what every run sets."""
    tree = ast.parse(rendered()["benchmark.py"])
    values = {ast.unparse(node.targets[0]): node.value for node in tree.body if isinstance(node, ast.Assign)}
    assert ast.literal_eval(values["SESSION"]) == FIXED_OPTIONS


def test_every_value_passes_a_filter() -> None:
    """No template of a suite writes a value as it comes: each goes through ``plain`` or ``literal``."""
    for path in (TEMPLATES[name] for name in rendered()):
        for expression in re.findall(r"\{\{(.*?)\}\}", path.read_text(encoding="utf-8")):
            assert re.search(r"\| (plain|literal|words) $", expression), f"{path.name}: {expression}"


def test_the_wheel_carries_the_templates(tmp_path: Path) -> None:
    """A wheel holds ``templates`` as ``dlbricks/_templates``, file for file, and finds it there."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    with zipfile.ZipFile(next(tmp_path.glob("*.whl"))) as wheel:
        carried = {name: wheel.read(name) for name in wheel.namelist() if name.startswith("dlbricks/_templates/")}
        networks = {name.rpartition("/")[0] for name in wheel.namelist() if name.endswith(".onnx")}
        assert networks == {"dlbricks/harness/graphs", "dlbricks/validate/networks"}
        wheel.extractall(tmp_path / "installed")
    root = ROOT / "templates"
    expected = {
        f"dlbricks/_templates/{path.relative_to(root).as_posix()}": path.read_bytes() for path in root.rglob("*")
    }
    assert carried == expected
    code = "from dlbricks.suite.writing import templates_root; print(templates_root())"
    found = subprocess.run(
        [sys.executable, "-c", code],
        env={"PYTHONPATH": str(tmp_path / "installed")},
        cwd=tmp_path,
        check=True,
        capture_output=True,
        text=True,
    )
    assert found.stdout.strip() == str(tmp_path / "installed" / "dlbricks" / "_templates")
