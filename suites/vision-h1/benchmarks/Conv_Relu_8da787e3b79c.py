"""Conv_Relu alone: `python Conv_Relu_8da787e3b79c.py [--threads N] [--json]`.

Benchmark 8da787e3b79ca76dc80913344f259ced810a940943ae2faef2f468825eb96a0e,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('8da787e3b79ca76dc80913344f259ced810a940943ae2faef2f468825eb96a0e', SUITE, sys.argv[1:]))
