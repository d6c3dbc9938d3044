"""LayerNormalization alone: `python LayerNormalization_e2e2124817ca.py [--threads N] [--json]`.

Benchmark e2e2124817ca0d72f0e506b15db304eb01088143ac9c97ccb136151cf6d60042,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('e2e2124817ca0d72f0e506b15db304eb01088143ac9c97ccb136151cf6d60042', SUITE, sys.argv[1:]))
