"""Conv alone: `python Conv_64aa0310918b.py [--threads N] [--json]`.

Benchmark 64aa0310918b235ba83773565bce36fa1288acc6f1d72ac3e2bef2590b9fb0fe,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('64aa0310918b235ba83773565bce36fa1288acc6f1d72ac3e2bef2590b9fb0fe', SUITE, sys.argv[1:]))
