"""LayerNormalization alone: `python LayerNormalization_ca4608a923b1.py [--threads N] [--json]`.

Benchmark ca4608a923b1221dc3d7d3efe1f327013dc0eb119ad6c678e4058d76e6176e0e,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ca4608a923b1221dc3d7d3efe1f327013dc0eb119ad6c678e4058d76e6176e0e', SUITE, sys.argv[1:]))
