"""Conv_Relu alone: `python Conv_Relu_632a36960e92.py [--threads N] [--json]`.

Benchmark 632a36960e9212e918f1a69f150f8069fe7aca8abd7225e1b604e35d736696fc,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('632a36960e9212e918f1a69f150f8069fe7aca8abd7225e1b604e35d736696fc', SUITE, sys.argv[1:]))
