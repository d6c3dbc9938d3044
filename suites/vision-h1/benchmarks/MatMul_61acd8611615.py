"""MatMul alone: `python MatMul_61acd8611615.py [--threads N] [--json]`.

Benchmark 61acd86116157a42c5bc4e641a529d9c5e2d77b71b7cd2de0157af18aad285dc,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('61acd86116157a42c5bc4e641a529d9c5e2d77b71b7cd2de0157af18aad285dc', SUITE, sys.argv[1:]))
