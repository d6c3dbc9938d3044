"""MatMul alone: `python MatMul_6adba1e40b53.py [--threads N] [--json]`.

Benchmark 6adba1e40b53df3de0ad8c86523ac5e9a56542085dd5168c1f0675a95170e93e,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('6adba1e40b53df3de0ad8c86523ac5e9a56542085dd5168c1f0675a95170e93e', SUITE, sys.argv[1:]))
