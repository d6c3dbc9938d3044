"""Conv_Relu alone: `python Conv_Relu_9c73cea669c0.py [--threads N] [--json]`.

Benchmark 9c73cea669c062e4f9e8dd28116d3f56ed0aac18d731977c1c8d8f22d012f6d9,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('9c73cea669c062e4f9e8dd28116d3f56ed0aac18d731977c1c8d8f22d012f6d9', SUITE, sys.argv[1:]))
