"""BatchNormalization alone: `python BatchNormalization_aefd3338e288.py [--threads N] [--json]`.

Benchmark aefd3338e288d45a697aa24bf71a72fbd9a34a6966678a053132c794fd68147c,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('aefd3338e288d45a697aa24bf71a72fbd9a34a6966678a053132c794fd68147c', SUITE, sys.argv[1:]))
