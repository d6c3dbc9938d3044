"""AveragePool alone: `python AveragePool_66e33e51b16a.py [--threads N] [--json]`.

Benchmark 66e33e51b16ab3a678137cf2c8db83c2b48a3655b9512e7ec24277506c1881f8,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('66e33e51b16ab3a678137cf2c8db83c2b48a3655b9512e7ec24277506c1881f8', SUITE, sys.argv[1:]))
