"""AveragePool alone: `python AveragePool_6edf6e0f6499.py [--threads N] [--json]`.

Benchmark 6edf6e0f6499970acc4efe284f1b886731e3a324fdd5a0633e29cc5ca303b932,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('6edf6e0f6499970acc4efe284f1b886731e3a324fdd5a0633e29cc5ca303b932', SUITE, sys.argv[1:]))
