"""BatchNormalization alone: `python BatchNormalization_d2624ad24731.py [--threads N] [--json]`.

Benchmark d2624ad2473135df337a534df8be709a2e021854323cef8e78766c366d540d56,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('d2624ad2473135df337a534df8be709a2e021854323cef8e78766c366d540d56', SUITE, sys.argv[1:]))
