"""Concat alone: `python Concat_d42db626bb86.py [--threads N] [--json]`.

Benchmark d42db626bb86bc9d39a8ac7358b95e62b984627124218ceb08b64148b48307cd,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('d42db626bb86bc9d39a8ac7358b95e62b984627124218ceb08b64148b48307cd', SUITE, sys.argv[1:]))
