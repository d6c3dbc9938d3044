"""Conv_Relu alone: `python Conv_Relu_12b05cb8fe95.py [--threads N] [--json]`.

Benchmark 12b05cb8fe95c3d52dbfc04797eacf01f8f37e36595f940d55939f8196acaefa,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('12b05cb8fe95c3d52dbfc04797eacf01f8f37e36595f940d55939f8196acaefa', SUITE, sys.argv[1:]))
