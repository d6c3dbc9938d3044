"""What a run says of a machine goes into its result, and nowhere else."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

GRAPH = Path(__file__).parents[2] / "dlbricks" / "harness" / "graphs" / "identity.onnx"
SESSION = f"""
import onnxruntime
onnxruntime.InferenceSession({str(GRAPH)!r}, providers=["CPUExecutionProvider"])
"""


@pytest.mark.parametrize("first", ["import dlbricks", "import dlbricks.harness.session"])
def test_the_runtime_reports_nothing(tmp_path: Path, first: str) -> None:
    """A session of onnxruntime leaves no number of the machine and no report to be sent in the user's folders."""
    environment = {name: text for name, text in os.environ.items() if name != "ORT_DISABLE_TELEMETRY"}
    environment |= {"HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    subprocess.run([sys.executable, "-B", "-c", first + SESSION], env=environment, check=True)
    assert list(tmp_path.rglob("*")) == []


def test_whoever_wants_reports_is_obeyed() -> None:
    """What the user has set stays."""
    code = "import dlbricks, os; print(os.environ['ORT_DISABLE_TELEMETRY'])"
    environment = os.environ | {"ORT_DISABLE_TELEMETRY": "0"}
    told = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "0"
