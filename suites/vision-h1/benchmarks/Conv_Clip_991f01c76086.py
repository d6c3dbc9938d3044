"""Conv_Clip alone: `python Conv_Clip_991f01c76086.py [--threads N] [--json]`.

Benchmark 991f01c76086b37ce8dd5e2d15e2a1e8136805741df42952700dd61e9ba74c6e,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('991f01c76086b37ce8dd5e2d15e2a1e8136805741df42952700dd61e9ba74c6e', SUITE, sys.argv[1:]))
