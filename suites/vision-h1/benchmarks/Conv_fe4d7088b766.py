"""Conv alone: `python Conv_fe4d7088b766.py [--threads N] [--json]`.

Benchmark fe4d7088b766167716a83fb8eec0466c912649cd2a2b389bc220ae5ef6abd496,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('fe4d7088b766167716a83fb8eec0466c912649cd2a2b389bc220ae5ef6abd496', SUITE, sys.argv[1:]))
