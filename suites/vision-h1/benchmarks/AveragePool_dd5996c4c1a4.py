"""AveragePool alone: `python AveragePool_dd5996c4c1a4.py [--threads N] [--json]`.

Benchmark dd5996c4c1a4aee4ef627d854669842d1c91a348b229da8651f0feaea1b4d1be,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('dd5996c4c1a4aee4ef627d854669842d1c91a348b229da8651f0feaea1b4d1be', SUITE, sys.argv[1:]))
