"""AveragePool alone: `python AveragePool_ee90e821999c.py [--threads N] [--json]`.

Benchmark ee90e821999cc3c9274d11248cd94efd31cdb5b2549fb1512e1f0b1a661c3d4f,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ee90e821999cc3c9274d11248cd94efd31cdb5b2549fb1512e1f0b1a661c3d4f', SUITE, sys.argv[1:]))
