"""Conv_Relu alone: `python Conv_Relu_20ce2fb03394.py [--threads N] [--json]`.

Benchmark 20ce2fb03394bf7503b7bc4586459888d1014e576b6f0491f0f350a6b7d65201,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('20ce2fb03394bf7503b7bc4586459888d1014e576b6f0491f0f350a6b7d65201', SUITE, sys.argv[1:]))
