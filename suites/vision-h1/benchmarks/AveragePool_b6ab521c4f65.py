"""AveragePool alone: `python AveragePool_b6ab521c4f65.py [--threads N] [--json]`.

Benchmark b6ab521c4f65e4af151bca2adda78d0ab8e35d7f51bb404072690ef45a902368,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('b6ab521c4f65e4af151bca2adda78d0ab8e35d7f51bb404072690ef45a902368', SUITE, sys.argv[1:]))
