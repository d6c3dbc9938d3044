"""Conv_Relu alone: `python Conv_Relu_bdbfd68cdd7b.py [--threads N] [--json]`.

Benchmark bdbfd68cdd7b3f3f4f94142990698820ce0bc4bc5b538abe7e50f046306fac2e,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('bdbfd68cdd7b3f3f4f94142990698820ce0bc4bc5b538abe7e50f046306fac2e', SUITE, sys.argv[1:]))
