"""Relu alone: `python Relu_8e5765b95e77.py [--threads N] [--json]`.

Benchmark 8e5765b95e771350ef75e505f1c017cb6134a65482ac0ca066816bb35828f2e7,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('8e5765b95e771350ef75e505f1c017cb6134a65482ac0ca066816bb35828f2e7', SUITE, sys.argv[1:]))
