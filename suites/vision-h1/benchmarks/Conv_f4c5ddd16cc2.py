"""Conv alone: `python Conv_f4c5ddd16cc2.py [--threads N] [--json]`.

Benchmark f4c5ddd16cc280e05b3d71683e7458b72233b3f783912be95b338b719ad0095a,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f4c5ddd16cc280e05b3d71683e7458b72233b3f783912be95b338b719ad0095a', SUITE, sys.argv[1:]))
