"""The target onnxruntime-cuda on a machine without a GPU."""

from pathlib import Path

import onnxruntime
import pytest

from tests.cli.invoking import Run
from tests.suite.suite_samples import ROOT

NETWORK = ROOT / "suites" / "networks" / "tv_squeezenet1_1.onnx"


def test_where_there_is_no_gpu_it_is_refused_in_a_line(dlbricks: Run, tmp_path: Path) -> None:
    """Exit code of something missing; nothing is begun."""
    if "CUDAExecutionProvider" in onnxruntime.get_available_providers():
        pytest.skip("this onnxruntime has a CUDA provider")
    suite = tmp_path / "suite"
    refused = dlbricks("generate", str(NETWORK), "--target", "onnxruntime-cuda", "-o", str(suite), code=3)
    assert refused.stderr.splitlines()[-1].startswith("error: execution provider 'cuda' is not in this build")
    assert not suite.exists()
