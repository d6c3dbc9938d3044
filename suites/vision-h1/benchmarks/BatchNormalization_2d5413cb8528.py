"""BatchNormalization alone: `python BatchNormalization_2d5413cb8528.py [--threads N] [--json]`.

Benchmark 2d5413cb8528fbd3067a220c62bb8aad025acf68e009e76af5ac09ec6560b420,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('2d5413cb8528fbd3067a220c62bb8aad025acf68e009e76af5ac09ec6560b420', SUITE, sys.argv[1:]))
