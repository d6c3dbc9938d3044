"""Relu alone: `python Relu_0824a45d3db2.py [--threads N] [--json]`.

Benchmark 0824a45d3db2c64750c2425463365ac6cacf608714cbf52a68d535315b80054b,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('0824a45d3db2c64750c2425463365ac6cacf608714cbf52a68d535315b80054b', SUITE, sys.argv[1:]))
