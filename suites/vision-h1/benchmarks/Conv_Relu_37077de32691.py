"""Conv_Relu alone: `python Conv_Relu_37077de32691.py [--threads N] [--json]`.

Benchmark 37077de326912665b02a614994de2eac2bd5f19bf801e97b479263c57906e54f,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('37077de326912665b02a614994de2eac2bd5f19bf801e97b479263c57906e54f', SUITE, sys.argv[1:]))
