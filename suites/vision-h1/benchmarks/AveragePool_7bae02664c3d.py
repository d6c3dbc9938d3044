"""AveragePool alone: `python AveragePool_7bae02664c3d.py [--threads N] [--json]`.

Benchmark 7bae02664c3d7fc58a6bfcc648d2b5cd62a7f7be04118a512796065bb7d4dc11,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('7bae02664c3d7fc58a6bfcc648d2b5cd62a7f7be04118a512796065bb7d4dc11', SUITE, sys.argv[1:]))
