"""Conv_Relu alone: `python Conv_Relu_c6a0f39f5004.py [--threads N] [--json]`.

Benchmark c6a0f39f500498a8002f8ed9080bd08d4ff4c5b079fbea3a9b910b135baac925,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('c6a0f39f500498a8002f8ed9080bd08d4ff4c5b079fbea3a9b910b135baac925', SUITE, sys.argv[1:]))
