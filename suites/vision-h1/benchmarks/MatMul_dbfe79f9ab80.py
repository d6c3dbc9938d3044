"""MatMul alone: `python MatMul_dbfe79f9ab80.py [--threads N] [--json]`.

Benchmark dbfe79f9ab8013ede01d2317907bcaf1d06b43338a80360f44aa33863936ff51,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('dbfe79f9ab8013ede01d2317907bcaf1d06b43338a80360f44aa33863936ff51', SUITE, sys.argv[1:]))
