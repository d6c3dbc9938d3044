"""Conv_Relu alone: `python Conv_Relu_c70caf9c3fcf.py [--threads N] [--json]`.

Benchmark c70caf9c3fcfa44601684fd0e7ed2ba64284765c3a70c81b13820c93824c5636,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('c70caf9c3fcfa44601684fd0e7ed2ba64284765c3a70c81b13820c93824c5636', SUITE, sys.argv[1:]))
