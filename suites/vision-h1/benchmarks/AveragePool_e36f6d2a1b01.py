"""AveragePool alone: `python AveragePool_e36f6d2a1b01.py [--threads N] [--json]`.

Benchmark e36f6d2a1b01e8180d847f918b10978a4f19dfdb998069db31c7218762e065e9,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('e36f6d2a1b01e8180d847f918b10978a4f19dfdb998069db31c7218762e065e9', SUITE, sys.argv[1:]))
