"""MatMul alone: `python MatMul_e69fbc6ff71c.py [--threads N] [--json]`.

Benchmark e69fbc6ff71ca0641a3f758e0574d4c789ba1d2086302c6349f7edafb0b59f03,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('e69fbc6ff71ca0641a3f758e0574d4c789ba1d2086302c6349f7edafb0b59f03', SUITE, sys.argv[1:]))
