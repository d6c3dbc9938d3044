"""MatMul alone: `python MatMul_741a1077a2f2.py [--threads N] [--json]`.

Benchmark 741a1077a2f2dbcd518b49c5f5ef7fad6ee65a8022ee1cebf4e65fe91506b076,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('741a1077a2f2dbcd518b49c5f5ef7fad6ee65a8022ee1cebf4e65fe91506b076', SUITE, sys.argv[1:]))
