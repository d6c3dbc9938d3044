"""BatchNormalization alone: `python BatchNormalization_bc21e163bb43.py [--threads N] [--json]`.

Benchmark bc21e163bb430214d4e0159fd1dd795d37dca5db0dc5eb4aab3848d3dbdf593d,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('bc21e163bb430214d4e0159fd1dd795d37dca5db0dc5eb4aab3848d3dbdf593d', SUITE, sys.argv[1:]))
