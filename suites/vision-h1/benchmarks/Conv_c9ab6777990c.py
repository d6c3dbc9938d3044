"""Conv alone: `python Conv_c9ab6777990c.py [--threads N] [--json]`.

Benchmark c9ab6777990c47d996a416ef8225a872b99936d973d707867edaf65c4272f3d9,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('c9ab6777990c47d996a416ef8225a872b99936d973d707867edaf65c4272f3d9', SUITE, sys.argv[1:]))
