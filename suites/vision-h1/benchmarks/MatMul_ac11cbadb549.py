"""MatMul alone: `python MatMul_ac11cbadb549.py [--threads N] [--json]`.

Benchmark ac11cbadb5495d2796b0ca6dfea8a4b7ad55c2a60ff9001820689de0c49a42a4,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ac11cbadb5495d2796b0ca6dfea8a4b7ad55c2a60ff9001820689de0c49a42a4', SUITE, sys.argv[1:]))
