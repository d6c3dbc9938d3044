"""Concat alone: `python Concat_d10053c37168.py [--threads N] [--json]`.

Benchmark d10053c37168d2664d09d7e433b779c9be7a37e89392a192c2802229204d8eb3,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('d10053c37168d2664d09d7e433b779c9be7a37e89392a192c2802229204d8eb3', SUITE, sys.argv[1:]))
