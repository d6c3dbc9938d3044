"""Conv_Relu alone: `python Conv_Relu_7aa292eb499d.py [--threads N] [--json]`.

Benchmark 7aa292eb499dd8be7d642c91bbcf0f26c47f2af8e94f08820392d5489d36ab90,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('7aa292eb499dd8be7d642c91bbcf0f26c47f2af8e94f08820392d5489d36ab90', SUITE, sys.argv[1:]))
