"""Conv_Relu alone: `python Conv_Relu_114acbf2842b.py [--threads N] [--json]`.

Benchmark 114acbf2842b3bae4a633bd7b5c6a17e5eeba6bab665edc9f3a688b47af55b4e,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('114acbf2842b3bae4a633bd7b5c6a17e5eeba6bab665edc9f3a688b47af55b4e', SUITE, sys.argv[1:]))
