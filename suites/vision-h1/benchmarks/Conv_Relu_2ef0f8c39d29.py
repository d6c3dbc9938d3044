"""Conv_Relu alone: `python Conv_Relu_2ef0f8c39d29.py [--threads N] [--json]`.

Benchmark 2ef0f8c39d2956bfc4d1a042838089d52523591b6ae302f32688935e2cb674e4,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('2ef0f8c39d2956bfc4d1a042838089d52523591b6ae302f32688935e2cb674e4', SUITE, sys.argv[1:]))
