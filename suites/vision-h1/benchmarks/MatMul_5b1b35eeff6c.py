"""MatMul alone: `python MatMul_5b1b35eeff6c.py [--threads N] [--json]`.

Benchmark 5b1b35eeff6c9b6a47daf1ad694733a3a9bbcbf457ee14c212d677e876e7b7af,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('5b1b35eeff6c9b6a47daf1ad694733a3a9bbcbf457ee14c212d677e876e7b7af', SUITE, sys.argv[1:]))
