"""Conv_Relu alone: `python Conv_Relu_319bad0db391.py [--threads N] [--json]`.

Benchmark 319bad0db391691fbc0cf8dc69ffe4a80fd7538e64109cbf5e472b4c931310b7,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('319bad0db391691fbc0cf8dc69ffe4a80fd7538e64109cbf5e472b4c931310b7', SUITE, sys.argv[1:]))
