"""Conv alone: `python Conv_3fe64a10b4b0.py [--threads N] [--json]`.

Benchmark 3fe64a10b4b038cf9d18ca75b0dadfe59d0660acf7c51095d873a41fb6971903,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('3fe64a10b4b038cf9d18ca75b0dadfe59d0660acf7c51095d873a41fb6971903', SUITE, sys.argv[1:]))
