"""Conv_Sigmoid alone: `python Conv_Sigmoid_bcf3eb38cc84.py [--threads N] [--json]`.

Benchmark bcf3eb38cc84e4d8988e24e400627faf30d594dd573271e89c85908852b387ad,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('bcf3eb38cc84e4d8988e24e400627faf30d594dd573271e89c85908852b387ad', SUITE, sys.argv[1:]))
