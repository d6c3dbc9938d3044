"""Record ``tests/data/submission_smoke.json`` anew: ``python tests/store/record_submission.py``.

A small suite is generated, run for real on the machine at hand, and its result kept as it is.
"""

import tempfile
from pathlib import Path

from dlbricks.harness.options import RunOptions
from dlbricks.harness.run.runner import run_suite
from dlbricks.settings import SplitSettings, SuiteOptions
from dlbricks.suite.generate import generate

_ROOT = Path(__file__).parents[2]


def record(out: Path) -> None:
    """Generate, run, and write the result."""
    with tempfile.TemporaryDirectory() as folder:
        suite = Path(folder) / "suite"
        network = _ROOT / "suites" / "networks" / "tv_squeezenet1_1.onnx"
        settings, options = SplitSettings(target="portable", granularity="8"), SuiteOptions(name="squeezenet-h8")
        generate([str(network)], settings, options, out=suite)
        run_suite(suite, out, RunOptions(name="recorded-for-tests"))


if __name__ == "__main__":
    record(_ROOT / "tests" / "data" / "submission_smoke.json")
