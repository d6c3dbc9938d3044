"""``--runtime openvino`` from suite to estimate: the runtime is a part of the configuration everywhere."""

import json
from pathlib import Path

import pytest

from tests.cli.invoking import Run
from tests.cli.test_cli_chain import SMALL

pytest.importorskip("openvino", reason="openvino is not installed")


def test_the_whole_way_of_two_runtimes(dlbricks: Run, tmp_path: Path) -> None:
    """One suite, two runtimes: both are checked, stored and estimated apart."""
    dlbricks("generate", SMALL, "-o", "suite")
    for runtime in ("openvino", "onnxruntime"):
        dlbricks("run", "suite", "-o", f"{runtime}.json", "--name", "here", "--runtime", runtime, "--smoke")
        findings = json.loads(dlbricks("check", f"{runtime}.json", "--suite", "suite", "--json").stdout)["findings"]
        assert [finding for finding in findings if finding["severity"] == "error"] == []
        dlbricks("submit", f"{runtime}.json", "--suite", "suite")
    listed = [one["configuration"] for one in json.loads(dlbricks("systems", "--json").stdout)["systems"]]
    assert sorted(one["runtime"].split()[0] for one in listed) == ["onnxruntime", "openvino"]
    assert all(one["options"] == [] for one in listed)
    dlbricks("estimate", SMALL, "--system", "here", code=2)
    assert "openvino" in dlbricks("estimate", SMALL, "--system", "here", "--runtime", "openvino").stdout
    challenge = ("challenge", "make", "openvino.json", "--suite", "suite", "-o", "c.zip")
    assert "only those of onnxruntime" in dlbricks(*challenge, code=2).stderr
    refused = dlbricks("run", "suite", "-o", "x.json", "--runtime", "openvino", "--provider", "cuda", code=2).stderr
    assert "leave --provider" in refused
    assert not (tmp_path / "x.json").exists()
