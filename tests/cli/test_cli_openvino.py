"""``--runtime openvino`` from suite to estimate: the runtime is a part of the configuration everywhere."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from dlbricks.harness.session import SessionSettings, open_session
from tests.cli.invoking import Run
from tests.cli.test_cli_chain import OTHER, SMALL
from tests.harness.test_network import identity

pytest.importorskip("openvino", reason="openvino is not installed")


def test_the_whole_way_of_two_runtimes(dlbricks: Run, tmp_path: Path) -> None:
    """One suite, two runtimes: both are checked, stored and estimated apart."""
    dlbricks("generate", SMALL, "-o", "suite", "--target", "portable")
    for runtime in ("openvino", "onnxruntime"):
        dlbricks("run", "suite", "-o", f"{runtime}.json", "--name", "here", "--runtime", runtime, "--smoke")
        findings = json.loads(dlbricks("check", f"{runtime}.json", "--suite", "suite", "--json").stdout)["findings"]
        errors = {finding["rule"] for finding in findings if finding["severity"] == "error"}
        assert not errors
        dlbricks("submit", f"{runtime}.json", "--suite", "suite")
    listed = [one["configuration"] for one in json.loads(dlbricks("systems", "--json").stdout)["systems"]]
    assert sorted(one["runtime"].split()[0] for one in listed) == ["onnxruntime", "openvino"]
    assert all(one["options"] == [] for one in listed)
    networks = json.loads(dlbricks("estimate", SMALL, "--system", "here", "--json").stdout)["networks"]
    assert [row["configuration"]["runtime"].split()[0] for row in networks] == ["onnxruntime", "openvino"]
    assert "openvino" in dlbricks("estimate", SMALL, "--system", "here", "--runtime", "openvino").stdout
    both = ("--system", "here", "--runtime", "onnxruntime", "--runtime", "openvino")
    found = json.loads(dlbricks("estimate", SMALL, *both, "--json").stdout)
    assert [one["configuration"]["runtime"].split()[0] for one in found["networks"]] == ["onnxruntime", "openvino"]
    totals = [one["total_ns"] for one in found["networks"]]
    assert [round(one["speedup"] * totals[0]) for one in found["faster"]] == [totals[1]]
    assert "first is faster by" in " ".join(dlbricks("estimate", SMALL, *both).stdout.split())
    planned = ("plan", OTHER, "--system", "here", "--runtime", "openvino", "-o", "rest", "--json")
    commands = json.loads(dlbricks(*planned).stdout)["commands"]
    assert ["--runtime openvino" in command for command in commands] == [True, False, True]
    dlbricks("run", "suite", "-o", "there.json", "--name", "there", "--smoke")
    dlbricks("submit", "there.json", "--suite", "suite")
    apart = ("--system", "there", "--system", "here", "--runtime", "onnxruntime", "--runtime", "openvino")
    (found,) = json.loads(dlbricks("estimate", SMALL, *apart, "--json").stdout)["faster"]
    assert [found[side]["system"] for side in ("first", "second")] == ["there", "here"]
    assert [found[side]["runtime"].split()[0] for side in ("first", "second")] == ["onnxruntime", "openvino"]
    changed = ("whatif", SMALL, *apart[2:4], *apart[6:], "--apply", "scale:0.5", "--json")
    assert json.loads(dlbricks(*changed).stdout)["gain"] == pytest.approx(0.5, abs=0.05)
    dlbricks("site", "-o", "pages", "--model", SMALL)
    page = (tmp_path / "pages" / "index.html").read_text(encoding="utf-8")
    assert "openvino 2" in page
    assert "dlbricks run suite -o result.json --name here --runtime openvino" in page
    assert '"histories":[]' in page  # two runtimes are no two versions of one
    challenge = ("challenge", "make", "openvino.json", "--suite", "suite", "-o", "c.zip")
    assert "only onnxruntime's" in dlbricks(*challenge, code=2).stderr
    refused = dlbricks("run", "suite", "-o", "x.json", "--runtime", "openvino", "--provider", "cuda", code=2).stderr
    assert "leave --provider" in refused
    assert not (tmp_path / "x.json").exists()


def test_profiles_and_traces(dlbricks: Run, tmp_path: Path) -> None:
    """Layers are named after those of the network; suites trace, too; reports and what-if read both."""
    dlbricks("profile", OTHER, "--runtime", "openvino", "--calls", "3", "-o", "profiles", "--no-roofs")
    file = "profiles/tv_squeezenet1_1.profile.json.gz"
    rows = json.loads(dlbricks("analyse", file, "--json").stdout)
    text = json.dumps(rows)
    assert "Convolution" in text
    assert "node_Conv_10" in text
    assert "flops" in dlbricks("analyse", file, "--all").stdout
    for number in range(1, 16):
        lacks = number in {8, 9, 10, 11, 12, 15}  # of kernels, which a processor does not launch
        answer = dlbricks("analyse", file, "--only", f"A{number}", code=int(lacks))
        assert ("without kernels" in " ".join(answer.stderr.split())) == lacks
    dlbricks("generate", SMALL, "-o", "suite", "--target", "portable")
    ran = dlbricks("run", "suite", "-o", "r.json", "--runtime", "openvino", "--smoke", "--trace", "ML", "--json").stdout
    assert json.loads(ran)["traces"]["failed"] == []
    for recorded, layer in ((file, "Convolution"), ("r.json", "FullyConnected")):
        dlbricks("report", recorded, "-o", "page.html", "--force")
        page = (tmp_path / "page.html").read_text(encoding="utf-8")
        assert "openvino 2" in page
        assert layer in page
        answer = json.loads(dlbricks("whatif", recorded, "--apply", "scale:0.5", "--json").stdout)
        # half of what layers take; what a busy machine leaves between them stays
        assert 0.2 < answer["gain"] < 0.51
        assert layer in answer["before"]["explanation"]


def test_doctor_knows_openvino(dlbricks: Run, tmp_path: Path) -> None:
    """Which version is there, and what it reaches at best; also where this process has used it before."""
    network, _ = identity("float32", (3,))
    open_session(network, tmp_path, SessionSettings(runtime="openvino"))  # by a core that a fork would wait for
    found = json.loads(dlbricks("doctor", "--runtime", "openvino", "--roofs", "--json").stdout)
    assert any(one["subject"] == "OpenVINO" and "works" in one["found"] for one in found["findings"])
    assert found["roofs"]["flops_per_s"]["float32"] > 0
    assert found["roofs"]["copied_bytes_per_s"] > 0


def test_a_suite_for_openvino(dlbricks: Run) -> None:
    """Target openvino is measured with that runtime only, and validated and estimated as it was split.

    One for another runtime says what it is made for and how to make others, whether dlbricks or the suite is asked.
    """
    dlbricks("generate", SMALL, "-o", "other")
    others = "option --target of 'dlbricks generate' makes others"
    refused = dlbricks("run", "other", "-o", "r.json", "--runtime", "openvino", code=2).stderr
    assert f"is made for onnxruntime-cpu, not for openvino: {others}" in refused
    command = (sys.executable, "other/run.py", "--runtime", "openvino")
    refused = subprocess.run(command, capture_output=True, text=True, check=False).stderr
    assert f"invalid choice 'openvino': expected one of onnxruntime, for which this suite is made; {others}" in refused
    dlbricks("generate", SMALL, "-o", "suite", "--target", "openvino")
    assert "is made for openvino" in dlbricks("run", "suite", "-o", "r.json", "--smoke", code=2).stderr
    dlbricks("run", "suite", "-o", "r.json", "--name", "here", "--runtime", "openvino", "--smoke")
    dlbricks("submit", "r.json", "--suite", "suite")
    made = json.loads(dlbricks("estimate", SMALL, "--system", "here", "--json").stdout)["networks"][0]
    assert made["coverage"] == 1.0
    dlbricks("generate", SMALL, "-o", "other", "--target", "onnxruntime-cpu")
    dlbricks("run", "other", "-o", "o.json", "--name", "here", "--smoke")
    dlbricks("submit", "o.json", "--suite", "other")
    apart = dlbricks("compare", "here@openvino", "here@onnxruntime", SMALL, code=1).stderr
    assert "no sequence in common" in apart
    assert "estimate --system here@openvino --system here@onnxruntime" in apart
    arguments = ("--runtime", "openvino", "--target", "openvino", "--smoke", "--json")
    checked = json.loads(dlbricks("validate", SMALL, *arguments).stdout)
    assert checked["settings"]["runtime"].startswith("openvino ")
    assert checked["networks"][0]["estimated_ns"] > 0
