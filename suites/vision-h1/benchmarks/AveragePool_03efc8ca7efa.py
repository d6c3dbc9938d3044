"""AveragePool alone: `python AveragePool_03efc8ca7efa.py [--threads N] [--json]`.

Benchmark 03efc8ca7efaf0ce0de9783aad051af16c35be1b66fd6585dbca8148cd2c50a0,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('03efc8ca7efaf0ce0de9783aad051af16c35be1b66fd6585dbca8148cd2c50a0', SUITE, sys.argv[1:]))
