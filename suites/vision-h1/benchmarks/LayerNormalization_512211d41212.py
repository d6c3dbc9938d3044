"""LayerNormalization alone: `python LayerNormalization_512211d41212.py [--threads N] [--json]`.

Benchmark 512211d412128fac62f05d1c8a45f3cd4766283f68a33d3bf2774b9b99d1c747,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('512211d412128fac62f05d1c8a45f3cd4766283f68a33d3bf2774b9b99d1c747', SUITE, sys.argv[1:]))
