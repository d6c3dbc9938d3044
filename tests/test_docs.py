"""What pages and messages print holds: guides run as printed, in order; every command anywhere is one."""

import ast
import gzip
import importlib.util
import math
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import click
import numpy as np
import pytest
from archives import read_csv
from onnx import helper

from dlbricks import read, split
from dlbricks.cli.app import main
from dlbricks.construct.compose import compose
from dlbricks.errors import InputError
from dlbricks.store.bundle import SHIPPED, Bundle
from tests.decoders import write_decoder
from tests.robustness.made import model
from tests.suite.suite_samples import runnable_smoke
from tests.whatif.kineto_files import rank_file

ROOT = Path(__file__).parents[1]
GUIDES = (
    ("README.md", "docs/tutorial.md", "docs/owner.md"),
    *((f"docs/{name}.md",) for name in ("vendor", "maintainer", "performance", "language-models")),
)
"""Pages whose commands are run; those of a group one after the other, in one folder and one store."""
DEVELOPERS = frozenset({"architecture.md", "decisions.md", "evidence.md"})
NOT_RUN = {
    "make demo": "test_release.py runs the program's demo, and a Makefile of this clone would build an environment",
    "make test": "this test is a part of it",
    "pip install": "test_release.py installs the extra cpu; the others are gigabytes",
    "python challenge.zip": "takes a quarter of an hour; plugins/trust/test_challenge.py answers short ones",
    "dlbricks challenge": "needs an answer; plugins/trust/test_challenge.py",
    "dlbricks repro": "needs two releases of onnxruntime; plugins/repro/test_pieces.py compares two sides",
    "python repro.pyz": "as dlbricks repro",
    "dlbricks estimate resnet50.onnx --system edge-box --json | jq": "needs jq; cli/test_cli_json.py reads it",
}
"""First words of commands of users' documents that no guide's test runs, and why."""
PAGES = (*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("suites/*.md"))
NAMED = re.compile(r"suites/networks/\w+\.onnx")
TORCH = all(importlib.util.find_spec(name) for name in ("torch", "onnxscript", "transformers"))


def blocks(page: str) -> list[tuple[str, bool, str]]:
    """Give language, whether torch is needed, and text of every block of a page, and of commands with their output."""
    text = (ROOT / page).read_text(encoding="utf-8")
    pattern = r"^```(sh|python)( torch)?\n(.*?)^```|^    \$ (dlbricks .*?)$"
    found = re.findall(pattern, text, re.MULTILINE | re.DOTALL)
    return [(language or "sh", bool(torch), code or command) for language, torch, code, command in found]


def test_every_command_of_users_is_run_or_listed() -> None:
    """Commands in blocks of users' documents are run by the test of guides, or ``NOT_RUN`` says why not."""
    used = set()
    for page in (ROOT / "README.md", *ROOT.glob("docs/*.md")):
        text = re.sub(r"^```(sh|python).*?^```", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
        lines = "\n".join(re.findall(r"^```\n(.*?)^```", text, re.MULTILINE | re.DOTALL)).splitlines()
        lines += re.findall(r"^    (\S.*)$", text, re.MULTILINE)
        for line in lines if page.name not in DEVELOPERS else ():
            if re.match(r"(dlbricks|python|pip|make|ssh-keygen) ", line):
                reasons = [known for known in NOT_RUN if line.startswith(known)]
                assert reasons, f"{page.name}: {line}"
                used.update(reasons)
    assert used == set(NOT_RUN)


def test_figures_of_the_readme_are_those_of_the_accuracy_page() -> None:
    """Each median / 90th percentile of the table of what works where stands on the page that explains it."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    section = text[text.index("## What works where") : text.index("## Set-up")]
    figures = re.findall(r"([\d.]+) / ([\d.]+) %", section)
    assert len(figures) > 10
    pages = "".join(
        (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8") for name in ("accuracy", "language-models")
    )
    for median, percentile in figures:
        assert f"{median}% | {percentile}%" in pages or f"{median} / {percentile} %" in pages, (median, percentile)


def off(network: str, run: str, *, most_ms: float = math.inf) -> list[float]:
    """Errors in percent, lowest first, of networks and runs whose names match, measured below so many ms."""
    return sorted(
        100 * (float(row["ratio"]) - 1)
        for row in read_csv("accuracy")
        if re.search(network, row["network"])
        and re.search(run, row["run"])
        and float(row["measured_ns"]) < most_ms * 1e6
    )


def test_estimates_furthest_off_are_those_of_the_archives() -> None:
    """Networks that the page names as furthest off have the errors of the data; with OpenVINO none is further off."""

    def worst(network: str, run: str) -> str:
        return f"{max(off(network, run), key=abs):+.0f} %"

    def between(first: int, network: str, run: str, **few: float) -> str:
        found = off(network, run, **few)
        return f"{found[first]:+.0f} to {found[-1 - first]:+.0f} %"

    small, zen4, zen5 = "_v3_small$", "^amd-epyc-2c/", "^amd-epyc-zen5-2c/"
    emerald, openvino = "^intel-emerald-2c/", "(?<!portable-1t-)openvino-1t"
    text = " ".join((ROOT / "docs" / "accuracy.md").read_text(encoding="utf-8").split())
    for said in (
        f"MobileNetV3-small ({worst(small, 'intel-xeon')} on the Xeon with AMX, {worst(small, zen5)} on Zen 5)",
        f"DLRM ({between(0, 'dlrm', '/onnxruntime-')})",
        f"**Networks below 1 ms** of trained packages: {between(0, '', 'packages', most_ms=1)}",
        f"outside of `llm`**: {between(0, '^misc_.*_decode$', '')}",
        f"PVT v2 {worst('pvt_v2', '')}",
        f"Zen 4 DistilBERT and ConvNeXt {between(-1, 'hf_distilbert|convnext', zen4 + 'onnxruntime-cpu-2t')}",
        f"SqueezeNet, ShuffleNet and DLRM {between(-1, 'squeezenet|shufflenet|dlrm', emerald + 'onnxruntime-cpu-2t')}",
        f"EfficientNet-B0 {worst('efficientnet_b0', emerald + 'onnxruntime-cpu-2t')}",
        f"8-bit ResNet-18 ({worst('int8_tv_resnet18', zen4 + openvino)} on Zen 4",
        f"{worst('int8_tv_resnet18', zen5 + openvino)} on Zen 5) and SqueezeBERT",
        f"SqueezeBERT ({worst('squeezebert', zen5 + openvino)} on Zen 5",
        f"{worst('squeezebert', emerald + openvino)} on Emerald Rapids)",
        f"DenseNet and GoogLeNet {worst('densenet|googlenet', 'portable-1t-openvino')}",
    ):
        assert said in text
    assert max(map(abs, off("^(?!int8_tv_resnet18|hf_squeezebert)", openvino))) < 17
    assert max(map(abs, off("^(?!tv_(densenet|googlenet))", "portable-1t-openvino"))) < 12.5


def test_the_table_of_systems_is_of_the_bundle_that_ships() -> None:
    """Each configuration of the bundle is a row of the page for owners, with its number of sequences."""
    text = (ROOT / "docs" / "owner.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\S+) \| (\w+ [\d.]+) \| (\d) \| [\d-]+ \| (\d+) \|", text, re.MULTILINE)
    bundle = Bundle.open(SHIPPED, lambda _: "")
    of = [(results.configuration, len(results.measurements)) for results in bundle.results_of_all()]
    assert rows == [(each.system, each.runtime, str(each.threads), str(count)) for each, count in of]


def test_links_lead_somewhere() -> None:
    """Every relative link of every page names a file that is there."""
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#\s]+)", page.read_text(encoding="utf-8")):
            assert "://" in target or (page.parent / target).exists(), f"{page.name}: {target}"


def test_documents_of_users_stay_short() -> None:
    """Whoever uses dlbricks reads at most 90 KB, and where figures are explained a cell has at most 120 characters."""
    pages = [page for page in (ROOT / "README.md", *ROOT.glob("docs/*.md")) if page.name not in DEVELOPERS]
    assert sum(page.stat().st_size for page in pages) <= 90 * 1024
    for line in (ROOT / "docs" / "metrics.md").read_text(encoding="utf-8").splitlines():
        assert not line.startswith("|") or max(len(cell.strip()) for cell in line.split("|")) <= 120, line


def small_network(width: int) -> bytes:
    """Write two convolutions and a classifier."""
    made = helper.make_node
    nodes = [
        made("Conv", ["x", "w0"], ["c0"], pads=[1, 1, 1, 1], strides=[2, 2]),
        made("Relu", ["c0"], ["r0"]),
        made("Conv", ["r0", "w1"], ["c1"], pads=[1, 1, 1, 1]),
        made("Relu", ["c1"], ["r1"]),
        made("GlobalAveragePool", ["r1"], ["p"]),
        made("Flatten", ["p"], ["f"]),
        made("Gemm", ["f", "w2"], ["y"], transB=1),
    ]
    shapes = ((width, 3, 3, 3), (width, width, 3, 3), (100, width))
    constants = {f"w{number}": np.ones(shape, np.float32) for number, shape in enumerate(shapes)}
    return bytes(model(nodes, {"x": [1, 3, 64, 64]}, ["y"], constants).SerializeToString())


def in_short(scripts: Path, folder: Path) -> None:
    """Write programs that are dlbricks and Python, but for what they measure: a smoke test, 2 s, or roofs only once."""
    folder.mkdir()
    for name, measuring in (("dlbricks", "'run '* | 'validate '* | 'llm validate'"), ("python", "*/run.py*")):
        made = folder / name
        made.write_text(f"""#!/bin/sh
case "$1 $2" in
'quick '*) exec "{scripts / name}" "$@" --budget 2s ;;
'profile models') exec "{scripts / name}" "$@" --no-roofs ;;
{measuring}) exec "{scripts / name}" "$@" --smoke ;;
*) exec "{scripts / name}" "$@" ;;
esac
""")
        made.chmod(0o755)


def add_material(page: str, folder: Path, environment: dict[str, str]) -> None:
    """Add the files of its reader that a page names: small networks, a decoder, traces, a measured system."""
    if page == "docs/vendor.md":
        shutil.copy(ROOT / "tests" / "data" / "submission_smoke.json", folder / "better.json")
        subprocess.run(("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", folder / "new-key"), check=True)
    if page == "docs/language-models.md":
        write_decoder(folder / "qwen2.5-0.5b-int4", int4=True)
    if page == "docs/maintainer.md":
        product = helper.make_node("MatMul", ["x", "w"], ["y"])
        network = model([product], {"x": ["batch", "seq", 64]}, ["y"], {"w": np.ones((64, 64), np.float32)})
        (folder / "suites" / "networks" / "text.onnx").write_bytes(network.SerializeToString())
    if page != "docs/performance.md":
        return
    (folder / "models").mkdir()
    for number, name in enumerate(("resnet50", "net", "models/first", "models/second")):
        (folder / f"{name}.onnx").write_bytes(small_network(16 + 8 * number))
    for rank, name in enumerate(("rank0.json.gz", "rank1.json.gz", "before.json", "after.json")):
        trace = rank_file(folder / name, rank % 2, 100 + 50 * rank).read_bytes()
        (folder / name).write_bytes(gzip.compress(trace) if name.endswith(".gz") else trace)
    loading = (ROOT / "tests" / "data" / "faults" / "f5_pin_memory_thread_hides_loader.json").read_bytes()
    for name in ("trace.json.gz", "nw0_a.pt.trace.json.gz"):
        (folder / name).write_bytes(gzip.compress(loading))
    recorded = Path("tests", "data", "kineto_cpu_training.json.gz")
    (folder / recorded.parent).mkdir(parents=True)
    shutil.copy(ROOT / recorded, folder / recorded)
    for command in (
        "dlbricks generate net.onnx -o my-suite",
        "dlbricks run my-suite -o net.json --name this-machine",
        "dlbricks submit net.json --suite my-suite",
    ):
        subprocess.run(shlex.split(command), cwd=folder, env=environment, check=True)


@pytest.mark.parametrize("pages", GUIDES, ids=" ".join)
def test_what_a_guide_prints_runs(pages: tuple[str, ...], tmp_path: Path) -> None:
    """Every block of a guide ends with exit code 0, one after the other, in a fresh folder; who begins reads three.

    A result may be refused for what disturbs this machine (DB7xx), and only for that. Where torch is not installed,
    blocks that need it are left out, and the network that they export is taken from data. Networks have the names of
    those that a guide measures, and a few layers; what a guide measures is visited once (``in_short``),
    since other tests disturb most visits of a longer run on a machine with two cores.
    """
    (tmp_path / "suites" / "networks").mkdir(parents=True)
    runnable_smoke(tmp_path / "suites" / "smoke")
    text = "".join((ROOT / page).read_text(encoding="utf-8") for page in pages)
    for number, name in enumerate(sorted(set(NAMED.findall(text)))):
        assert (ROOT / name).exists(), name
        (tmp_path / name).write_bytes(small_network(16 + 8 * number))
    if not TORCH:
        shutil.copy(ROOT / "tests" / "data" / "tutorial.onnx", tmp_path / "mine.onnx")
    scripts = Path(sys.executable).parent
    in_short(scripts, tmp_path / "bin")
    environment = os.environ | {
        "PATH": os.pathsep.join((str(tmp_path / "bin"), str(scripts), os.environ["PATH"])),
        "DLBRICKS_STORE": f"sqlite:///{tmp_path / 'results.sqlite'}",
        "XDG_CACHE_HOME": str(tmp_path / "cache"),
    }
    for page in pages:
        add_material(page, tmp_path, environment)
    runners = {"sh": ("sh", "-e", "-c"), "python": (sys.executable, "-Werror", "-c")}
    found = [
        (*runners[language], code.replace("RunOptions(", "RunOptions(smoke=True, "))
        for page in pages
        for language, torch, code in blocks(page)
        if TORCH or not torch
    ]
    assert found
    for command in found:
        made = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
        refused = [line for line in made.stdout.splitlines() if line.startswith("error ")]
        disturbed = refused and all(line.startswith("error DB7") for line in refused)
        assert made.returncode == 0 or disturbed, f"{command[-1]}\n{made.stdout}\n{made.stderr[-2000:]}"


@pytest.mark.skipif(not TORCH, reason="torch is not installed")
def test_the_network_of_the_tutorial_is_what_it_exports(tmp_path: Path) -> None:
    """The network that stands in where torch is not installed has the sequences of the one that the page exports."""
    code = next(code for language, torch, code in blocks("docs/tutorial.md") if torch and language == "python")
    subprocess.run([sys.executable, "-Werror", "-c", code], cwd=tmp_path, check=True)
    exported, kept = (
        [step.fingerprint for step in compose(split(read(path, target="portable"))).steps]
        for path in (tmp_path / "mine.onnx", ROOT / "tests" / "data" / "tutorial.onnx")
    )
    assert exported == kept


def printed_commands(page: Path) -> tuple[list[str], list[str]]:
    """Give the commands of dlbricks that a page prints: lines of blocks, and code within sentences."""
    text = page.read_text(encoding="utf-8").replace("\\\n", " ")
    fenced = "\n".join(re.findall(r"^```.*?\n(.*?)^```", text, re.MULTILINE | re.DOTALL))
    lines = re.findall(r"^(?:\$ )?(dlbricks [a-z].*)$", fenced, re.MULTILINE)
    lines += re.findall(r"^ {4}(?:\$ )?(dlbricks [a-z].*)$", text, re.MULTILINE)
    return lines, re.findall(r"(?<!`)`(dlbricks [a-z][^`]*)`", re.sub(r"\s+", " ", text))


def told_commands() -> Iterator[str]:
    """Give every command that a message or a help text of the program quotes; ``X`` stands for what it fills in."""
    for source in sorted((ROOT / "dlbricks").rglob("*.py")):
        for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
            parts = node.values if isinstance(node, ast.JoinedStr) else [node]
            text = "".join(
                str(part.value) if isinstance(part, ast.Constant) and isinstance(part.value, str) else "X"
                for part in parts
            )
            yield from re.findall(r"'(dlbricks [a-z][^']*)'", " ".join(text.split()))


def see_command(command: str, *, whole: bool) -> None:
    """Parse a command as the program would; one that is not whole may leave out what it is about."""
    words = shlex.split(command, comments=True)
    words = words[: min((words.index(end) for end in (">", "|", "&&") if end in words), default=len(words))]
    verb, arguments = words[1], words[2:]
    if verb == "VERB":
        return
    known = main.get_command(click.Context(main), verb)
    assert known is not None, f"there is no verb {verb}"
    try:
        known.make_context(verb, list(arguments), parent=click.Context(main, **main.context_settings))
    except click.exceptions.Exit:
        assert "--help" in arguments
    except click.MissingParameter:
        assert not whole, command
    except InputError:
        assert any(one.startswith("hf:") for one in arguments), command


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_printed_command_is_one(page: Path) -> None:
    """Verbs, options and values of every command on every page are known to the program."""
    lines, mentioned = printed_commands(page)
    for command in lines:
        see_command(command, whole=True)
    for command in mentioned:
        see_command(command, whole=False)


def test_every_command_in_a_message_is_one() -> None:
    """What the program tells people to run can be run; extras that it names can be installed."""
    commands = set(told_commands())
    assert len(commands) > 5
    for command in sorted(commands):
        see_command(command, whole=False)
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    for source in (ROOT / "dlbricks").rglob("*.py"):
        for named in re.findall(r"""missing_extra\([^()]*"([a-z]+)"\)""", source.read_text(encoding="utf-8")):
            assert named in extras, source
