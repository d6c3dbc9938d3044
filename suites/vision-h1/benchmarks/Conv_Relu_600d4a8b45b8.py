"""Conv_Relu alone: `python Conv_Relu_600d4a8b45b8.py [--threads N] [--json]`.

Benchmark 600d4a8b45b85ba6528bd63426a1eb2013310adacc25049f99e863fe01f5e6be,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('600d4a8b45b85ba6528bd63426a1eb2013310adacc25049f99e863fe01f5e6be', SUITE, sys.argv[1:]))
