"""AveragePool alone: `python AveragePool_1d8b16598c1a.py [--threads N] [--json]`.

Benchmark 1d8b16598c1a90ecf2599f7e1c46a674918b1f6133c2a37f4b1c56b6a9079997,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('1d8b16598c1a90ecf2599f7e1c46a674918b1f6133c2a37f4b1c56b6a9079997', SUITE, sys.argv[1:]))
