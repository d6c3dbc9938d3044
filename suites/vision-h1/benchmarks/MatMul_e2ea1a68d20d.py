"""MatMul alone: `python MatMul_e2ea1a68d20d.py [--threads N] [--json]`.

Benchmark e2ea1a68d20d0d1a5bd844a372ba8d9a502874babeb956356a23bf56425c13de,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('e2ea1a68d20d0d1a5bd844a372ba8d9a502874babeb956356a23bf56425c13de', SUITE, sys.argv[1:]))
