"""Concat alone: `python Concat_1407a370b1cc.py [--threads N] [--json]`.

Benchmark 1407a370b1cc43e160ef74f8362549937e03ecd238ded07b0a0ed385a8eaac67,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('1407a370b1cc43e160ef74f8362549937e03ecd238ded07b0a0ed385a8eaac67', SUITE, sys.argv[1:]))
