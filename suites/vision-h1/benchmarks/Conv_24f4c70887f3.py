"""Conv alone: `python Conv_24f4c70887f3.py [--threads N] [--json]`.

Benchmark 24f4c70887f3a3a8202a099636f09c9c1411af42d59343503ce332b33d79208a,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('24f4c70887f3a3a8202a099636f09c9c1411af42d59343503ce332b33d79208a', SUITE, sys.argv[1:]))
