"""MatMul alone: `python MatMul_6c200c81b9e8.py [--threads N] [--json]`.

Benchmark 6c200c81b9e8dd50b6dc5e140a6731275caf15317dad9831d7b7ef36bf870a22,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('6c200c81b9e8dd50b6dc5e140a6731275caf15317dad9831d7b7ef36bf870a22', SUITE, sys.argv[1:]))
