"""Nothing but the command writes to stdout."""

import json
import subprocess
import sys
from pathlib import Path

import onnx
import pytest
from onnx import parser


@pytest.mark.parametrize(("operator", "opset"), [("ATen(a)", 17), ("ConstantFill<shape=[4,5], value=1.0>()", 7)])
def test_json_is_json_where_a_library_writes_to_stdout(tmp_path: Path, operator: str, opset: int) -> None:
    """onnx's checker warns of such operators on stdout, from C++."""
    text = f"g (float[4,5] a) => (float[4,5] y) {{ c = {operator} d = Relu(a) y = Add(c, d) }}"
    path = tmp_path / "network.onnx"
    onnx.save(parser.parse_model(f'<ir_version: 10, opset_import: ["" : {opset}]> {text}'), path)
    command = [sys.executable, "-m", "dlbricks", "inspect", str(path), "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["networks"][0]["layers"] == 3
    assert "experimental" in done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_a_full_disk_behind_stdout_is_no_fault_of_dlbricks() -> None:
    """As in ``dlbricks whatif --list > log``."""
    with Path("/dev/full").open("w") as full:
        command = [sys.executable, "-m", "dlbricks", "whatif", "--list"]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == "error: cannot use stdout or a file: No space left on device\n"
