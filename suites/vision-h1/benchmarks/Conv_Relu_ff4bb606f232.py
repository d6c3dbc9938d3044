"""Conv_Relu alone: `python Conv_Relu_ff4bb606f232.py [--threads N] [--json]`.

Benchmark ff4bb606f232bab2430877a9275408f587db226c77b71714c5587e47d403ae52,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ff4bb606f232bab2430877a9275408f587db226c77b71714c5587e47d403ae52', SUITE, sys.argv[1:]))
